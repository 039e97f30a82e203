"""Look through the memories, and move those that are due, each by an event with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from treering.ledger import decide
from treering.ledger.ageing import CROWDED, Due, Limits, due
from treering.ledger.codec import data_of
from treering.ledger.errors import CannotUndo
from treering.ledger.events import RAN, Head
from treering.ledger.ledger import Ledger, batches, no_collection
from treering.ledger.sessions import DAY, WORK, Starts
from treering.ledger.types import RECALLABLE, Context, Filter, Memory
from treering.stores.port.ledger import EventQuery, Reader

Heads = dict[str, Head]


class Report(NamedTuple):
    """The moves that a run made, or would make."""

    policy: str
    looked_at: int
    moves: tuple[Due, ...]
    event: str = ""  # the run, for `undo`; nothing if nothing moved, or if it was a rehearsal

    @property
    def counts(self) -> dict[str, int]:
        """The number of memories that were moved to each status."""
        found: dict[str, int] = {}
        for move in self.moves:
            found[move.step.to] = found.get(move.step.to, 0) + 1
        return dict(sorted(found.items()))


def plan(store: Reader, space: str, policy: str, limits: Limits, now: int) -> Report:
    """Return what hygiene would do now, without changing anything."""
    looked_at = 0

    def counted() -> Iterator[Memory]:
        nonlocal looked_at
        for memory in store.records(Filter(space, statuses=RECALLABLE)):
            looked_at += 1
            yield memory

    worked = store.events(EventQuery(space=space, kinds=WORK, live=True)) if policy == "sessions" else ()
    steps = due(policy, counted(), now, Starts(worked).since, limits, not _made_room(store, space, now))
    moves = tuple(steps)
    return Report(policy, looked_at, moves)


def run(
    ledger: Ledger,
    context: Context,
    policy: str,
    limits: Limits,
    now: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Make every move that is due. Running it again at once changes nothing."""
    with no_collection():
        return _run(ledger, context, policy, limits, now, progress)


def _run(
    ledger: Ledger, context: Context, policy: str, limits: Limits, now: int, progress: Callable[[int], None]
) -> Report:
    heads = ledger.store.heads()
    report = plan(ledger.store, context.space, policy, limits, now)
    made: list[Due] = []
    run = ""
    for batch in batches(report.moves):
        run, moved, heads = _make(ledger, batch, policy, run, heads, context)
        made += moved
        progress(len(made))
    return report._replace(moves=tuple(made), event=run)


def _make(
    ledger: Ledger, moves: Sequence[Due], policy: str, run: str, heads: Heads, context: Context
) -> tuple[str, Sequence[Due], Heads]:
    """Move those memories that have not changed since they were looked at. The first move begins
    the run.

    `heads` is the end of the ledger before they were looked at, or after our own last batch: if it
    is still the end, nothing was written, and none of them has to be read again.
    """
    store = ledger.store

    def work() -> tuple[str, Sequence[Due], Heads]:
        if run in store.left_out():  # somebody has undone the run while it was going on
            raise CannotUndo(f"the run {run} has been undone before it was done: run it again")
        now, still = {move.memory.id: move.memory for move in moves}, moves
        if store.heads() != heads:
            now = store.several(now)
            still = [move for move in moves if now.get(move.memory.id) == move.memory]
        begun = run
        if still and not run:
            crowded = any(move.step.rule == CROWDED for move in moves)
            begun = ledger.commit(lambda: [decide.ran(policy, crowded, context)])[0].id
        ledger.commit(lambda: decide.moves(still, policy, begun, context), now)
        # Of a portion that others came before, some stay unread: the next one is to look again, too.
        return begun, still, store.heads() if still is moves else heads

    return store.write(work)


def _made_room(store: Reader, space: str, now: int) -> bool:
    """Tell whether room was already made today."""
    runs = store.events(EventQuery(kinds=(RAN,), space=space, live=True, newest=True))
    return any(event.time // DAY == now // DAY and data_of(event)[1]["crowded"] for event in runs)
