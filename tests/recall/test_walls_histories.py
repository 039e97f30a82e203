"""Random histories behind walls: whatever was remembered, lost, rebuilt or taken back, nothing shows through."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.recall.walls import VIEWERS, K, Town, scopes
from tests.world import picture, store_in_memory
from treering.ledger.errors import TreeringError
from treering.ledger.types import STRATEGIES, Context, Memory, visible
from treering.recall.index import cells

Step = tuple[Any, ...]
_pick = st.integers(0, 40)
_place = st.sampled_from([(scope, viewer) for viewer in VIEWERS for scope in scopes(viewer.project, viewer.session)])
_words = st.sampled_from(["harbour at dawn", "harbour at dusk", "HarbourMaster Ada", "Ada keeps the dawn watch"])
_viewer, _strategy, _who = st.sampled_from(VIEWERS), st.sampled_from(STRATEGIES), st.integers(0, 1)
STEPS = st.one_of(
    st.tuples(st.just("remember"), _place, _words),
    st.tuples(st.just("recall"), _who, _viewer, _strategy, _words),
    st.tuples(st.just("look"), _who, _pick, _viewer),
    st.tuples(st.sampled_from(["forget", "restore", "purge"]), _pick),
    st.tuples(st.just("undo"), _pick),
    st.tuples(st.just("abort"), _who, _place, _words),
    st.tuples(st.just("rebuild")),
)


class Crowd:
    """Two who recall, each with what it keeps, on one store that changes under them."""

    def __init__(self, town: Town, other: Town) -> None:
        self.towns = (town, other)
        self.store = town.store

    def run(self, step: Step) -> None:
        name, *rest = step
        try:
            getattr(self, "do_" + name, lambda pick: self.lose(name, pick))(*rest)
        except TreeringError:  # what cannot be done leaves things as they are
            return

    def do_remember(self, place: tuple[str, Context], words: str) -> Memory:
        scope, where = place
        door = self.towns[0].doors[where.space]
        return door.remember(words, scope=scope, project=where.project, session=where.session)

    def do_recall(self, who: int, viewer: Context, strategy: str, words: str, log: bool = True) -> set[str]:
        door = self.towns[who].doors[viewer.space]
        found = door.recall(
            words, K, project=viewer.project, session=viewer.session, strategy=strategy, silent=False, log=log
        )
        told = {hit.memory.id for hit in found.hits}
        told |= {id for hit in found.hits for id in (*hit.why.same_as, hit.why.older_than) if id}
        there = {m.id for m in self.store.records() if m.status != "forgotten" and visible(m, viewer)}
        assert told <= there
        return told

    def do_look(self, who: int, pick: int, viewer: Context) -> None:
        """What may be seen is found by its own words."""
        there = [m for m in self.store.records() if m.status != "forgotten" and visible(m, viewer)]
        if there:
            wanted = sorted(there)[pick % len(there)]
            assert wanted.id in self.do_recall(who, viewer, "keyword", wanted.content)

    def lose(self, name: str, pick: int) -> None:
        if records := sorted(picture(self.store).values()):
            chosen = records[pick % len(records)]
            getattr(self.towns[0].doors[chosen.space], name)(chosen.id)

    def do_undo(self, pick: int) -> None:
        events = list(self.store.events())
        if events:
            chosen = events[pick % len(events)]
            self.towns[0].doors[chosen.space].undo(chosen.id)

    def do_abort(self, who: int, place: tuple[str, Context], words: str) -> None:
        """Somebody remembers and recalls, and takes it back."""

        def work() -> None:
            made = self.do_remember(place, words)
            assert made.id in self.do_recall(who, place[1], "keyword", words)
            self.do_recall(who, place[1], "hybrid", words)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            self.store.write(work)

    def do_rebuild(self) -> None:
        self.towns[0].ledger.rebuild()


def check(steps: list[Step]) -> None:
    store = store_in_memory()
    crowd = Crowd(Town(store), Town(store))
    for step in steps:
        crowd.run(step)
    for viewer in VIEWERS:
        crowd.do_recall(1, viewer, "hybrid", "harbour dawn Ada", log=False)
    store.close()


_settings = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    database=None,
)


@pytest.fixture(autouse=True)
def small_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells come and go in small places too."""
    monkeypatch.setattr(cells, "EXACT", 3)
    monkeypatch.setattr(cells, "LONGEST_TAIL", (1, 2))


@settings(_settings, max_examples=40)
@given(st.lists(STEPS, min_size=5, max_size=30))
def test_no_history_opens_a_wall(steps: list[Step]) -> None:
    """Remember, recall, forget, restore, purge, undo, take back, rebuild: what is told may be seen, and what may be
    seen is found."""
    check(steps)


@pytest.mark.long
@settings(_settings, max_examples=5_000)
@given(st.lists(STEPS, min_size=5, max_size=60))
def test_no_long_history_opens_a_wall(steps: list[Step]) -> None:
    """The same, for longer."""
    check(steps)
