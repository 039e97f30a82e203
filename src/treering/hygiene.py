"""Hygiene: memories are looked through, and those whose time has come are moved, each by an event with its evidence."""

from __future__ import annotations

import gc
from contextlib import contextmanager

from treering.core import decide
from treering.core.codec import data_of
from treering.core.errors import CannotUndo
from treering.core.events import RAN
from treering.core.lifecycle import RECALLABLE
from treering.core.policy import CROWDED, due
from treering.core.ports import EventQuery
from treering.core.rings import DAY, WORK, Starts
from treering.core.tuples import NamedTuple
from treering.core.types import Filter
from treering.ledger import batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from treering.core.events import Head
    from treering.core.policy import Due, Limits
    from treering.core.ports import Reader
    from treering.core.types import Context, Memory
    from treering.ledger import Ledger

    Heads = dict[str, Head]


class Report(NamedTuple):
    """What a run found to do."""

    policy: str
    looked_at: int
    moves: tuple[Due, ...]
    event: str = ""  # the run, for `undo`; nothing if nothing moved, or if it was a rehearsal

    @property
    def counts(self) -> dict[str, int]:
        """How many memories came to each status."""
        found: dict[str, int] = {}
        for move in self.moves:
            found[move.step.to] = found.get(move.step.to, 0) + 1
        return dict(sorted(found.items()))


def plan(store: Reader, space: str, policy: str, limits: Limits, now: int) -> Report:
    """What hygiene would do at this moment. Nothing is changed."""
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
    """Make every move that is due. Doing it again at once finds nothing to do."""
    with _uncollected():
        return _run(ledger, context, policy, limits, now, progress)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Nothing here goes in circles; to look for that among all the records is a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


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
    """Move those memories that nobody has changed since they were looked at. The first move begins the run.

    `heads` is where the ledger ended before they were looked at, or with our own last portion: if it still ends there,
    nobody has written anything, and none of them has to be read again.
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
    """Whether room was made today already."""
    runs = store.events(EventQuery(kinds=(RAN,), space=space, live=True, newest=True))
    return any(event.time // DAY == now // DAY and data_of(event)[1]["crowded"] for event in runs)
