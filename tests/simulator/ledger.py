"""Compare a ledger with its chains and its projections, quickly enough to do so after every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.ledger.codec import intact
from treering.ledger.events import UNDOINGS, Event, Head
from treering.ledger.fold import fold_each, left_out
from treering.ledger.types import Memory
from treering.stores.sqlite.store import SqliteStore


class Proof:
    """What was proved of a ledger in earlier steps: an event that is as it was need not be looked at again."""

    def __init__(self) -> None:
        self._links: dict[str, Event] = {}

    def problems(self, store: SqliteStore, events: Sequence[Event], memories: dict[str, Memory]) -> Iterator[str]:
        """Yield what is wrong, on one view of a store."""
        yield from self._broken(store, events)
        undoings = [event for event in reversed(events) if event.kind in UNDOINGS]
        out = left_out(store, undoings)
        if out != store.left_out():
            yield f"the events left out are not those that undoings name: {sorted(out ^ store.left_out())}"
        folded = fold_each(event for event in events if event.subject and event.id not in out)
        for id in sorted({*folded, *memories}):
            if folded.get(id) != memories.get(id):
                yield f"fold: memory {id} is {memories.get(id)}, and its events say {folded.get(id)}"

    def _broken(self, store: SqliteStore, events: Sequence[Event]) -> Iterator[str]:
        ends: dict[str, Head] = {}
        for event in events:
            last = ends.get(event.writer, Head())
            if self._links.get(event.id) != event:
                if event.seq != last.seq + 1 or intact(event, last.chain):
                    yield f"chain: {event.id} does not follow {event.writer}-{last.seq}"
                self._links[event.id] = event
            ends[event.writer] = Head(event.seq, event.chain)
        if ends != store.heads():
            yield f"chain: the heads are {store.heads()}, and the events end at {ends}"
