"""A list of the past is folded a few at a time, and holds what a fold of the whole ledger holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.world import NOON, SECOND, Clock, memory_on, store_in_memory
from treering.ledger.types import STATUSES, Filter
from treering.stores.past import PastStore
from treering.stores.sqlite.store import SqliteStore

DAY = 86_400 * SECOND


@pytest.fixture
def lived() -> tuple[SqliteStore, list[int]]:
    """Memories that came, changed, were forgotten, undone and purged, and a moment after each step."""
    clock, store = Clock(), store_in_memory()
    memory = memory_on(store, clock)
    moments: list[int] = []
    notes: list[Any] = []
    for step in range(12):
        notes.append(memory.remember(f"note number {step}", project="shop" if step % 2 else "", tags=[f"t{step % 3}"]))
        if step == 4:
            memory.forget(notes[1].id)
        if step == 6:
            memory.undo(notes[3].id)
        if step == 8:
            memory.purge(notes[5].id)
        if step == 10:
            memory.supersede(notes[0].id, "another number")
        moments.append(clock())
        clock.time += DAY
    return store, moments


WHERE = (
    Filter(),
    Filter(project="shop"),
    Filter(tag="t1"),
    Filter(statuses=("forgotten",)),
    Filter(statuses=STATUSES[:-1]),
    Filter(until=NOON + 5 * DAY),
)


@pytest.mark.parametrize("where", WHERE)
def test_a_list_of_any_day_holds_what_the_fold_of_that_day_holds(
    lived: tuple[SqliteStore, list[int]], where: Filter
) -> None:
    store, moments = lived
    for moment in moments:
        quick, whole = (PastStore(store, moment) for _ in range(2))
        whole.index  # noqa: B018  # what searches folds all
        assert [*quick.records(where)] == [*whole.records(where)]
