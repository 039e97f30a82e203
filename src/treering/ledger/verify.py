"""Prove that a store is what its ledger says: the chain, every projection, the indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from treering.ledger.codec import intact
from treering.ledger.errors import TreeringError
from treering.ledger.events import PURGED, REMEMBERED, UNDOINGS, Head
from treering.ledger.fold import fold_each, left_out
from treering.ledger.ledger import batches
from treering.stores.port.ledger import EventQuery, Store, record_of

# What reading a damaged row can end in: it may hold anything.
_SPOILED = (TreeringError, ValueError, TypeError, KeyError, AttributeError, IndexError)


class Report(NamedTuple):
    """The checked counts, and the problems found."""

    events: int
    memories: int
    writers: int
    left_out: int
    problems: tuple[str, ...]

    @property
    def clean(self) -> bool:
        return not self.problems


class _Tally:
    def __init__(self, progress: Callable[[int], None]) -> None:
        self.progress = progress
        self.events = 0
        self.memories = 0
        self.writers = 0
        self.left_out = 0


def verify(store: Store, progress: Callable[[int], None] = lambda done: None) -> Report:
    """Check everything, and tell all that is wrong rather than the first thing. `progress` hears how many events and
    memories were looked at."""
    tally = _Tally(progress)
    problems = _found(store.problems)
    # On one view: what other processes write meanwhile must not look like damage.
    problems += store.view(
        lambda: [problem for check in _CHECKS for problem in _found(lambda: check(store, tally))]  # noqa: B023
    )
    return Report(tally.events, tally.memories, tally.writers, tally.left_out, tuple(dict.fromkeys(problems)))


def extent(store: Store) -> int:
    """Return how many events and memories there are to check, about; 0 where damage hides it."""
    try:
        return sum(head.seq for head in store.heads().values()) + store.index.size
    except _SPOILED:
        return 0


def _found(check: Callable[[], Iterator[str]]) -> list[str]:
    problems: list[str] = []
    try:
        problems.extend(check())
    except _SPOILED as error:
        problems.append(f"cannot be read any further: {error}")
    return problems


def _chain(store: Store, tally: _Tally) -> Iterator[str]:
    ends: dict[str, Head] = {}
    purged = {event.subject for event in store.events(EventQuery(kinds=(PURGED,)))}
    for event in store.events():
        tally.events += 1
        tally.progress(tally.events)
        last = ends.get(event.writer, Head())
        if event.seq != last.seq + 1:
            yield f"event {event.id} does not follow {event.writer}-{last.seq}: events are missing or moved"
        elif problem := intact(event, last.chain):
            yield f"event {event.id} was changed: {problem}"
        if event.payload is None and (event.subject or event.id) not in purged:
            yield f"event {event.id} has lost its payload, and no purge says why"
        ends[event.writer] = Head(event.seq, event.chain)
    tally.writers = len(ends)
    heads = store.heads()
    for writer in sorted(set(ends) | set(heads)):
        if ends.get(writer) != heads.get(writer):
            yield f"the chain of writer {writer} does not end where it should: events are missing or added"


def _undoings(store: Store, tally: _Tally) -> Iterator[str]:
    out = left_out(store, store.events(EventQuery(kinds=UNDOINGS, newest=True)))
    tally.left_out = len(out)
    for id in sorted(out ^ store.left_out()):
        yield f"event {id} {'should be' if id in out else 'is'} left out of the fold: run `treering rebuild`"


def _records(store: Store, tally: _Tally) -> Iterator[str]:
    """Compare every memory to the fold of its events, in batches, so that any size fits in memory."""
    making = (event.id for event in store.events(EventQuery(kinds=(REMEMBERED,))))
    for batch in batches(making):
        folded = fold_each(store.events(EventQuery(subjects=tuple(batch), live=True)))
        for id in batch:
            record = record_of(store, id)
            tally.memories += record is not None
            tally.progress(tally.events + tally.memories)
            if record != folded.get(id):
                yield f"memory {id} differs from what its events say: run `treering rebuild`"
    if sum(1 for _ in store.records()) != tally.memories:
        for record in store.records():
            if not any(store.events(EventQuery(ids=(record.id,)))):
                yield f"memory {record.id} has no event that made it: run `treering rebuild`"


_CHECKS = (_chain, _undoings, _records)
