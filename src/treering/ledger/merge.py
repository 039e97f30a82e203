"""Merge the events of another ledger: tell whether it is ours, and take two forks of one writer apart.

A machine that was cloned writes on under the same name as the first one, so that one id stands for two
events. When the two meet, what the other one wrote since gets a name of its own, and so does everything
that refers to it. The names follow from the chains: the same fork gets the same name each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from treering.ledger.codec import digest, intact, link
from treering.ledger.errors import LedgerConflict
from treering.ledger.events import REMEMBERED, Event, Head
from treering.ledger.ledger import batches, writer_named
from treering.stores.port.ledger import EventQuery, Reader


class Fork(NamedTuple):
    """A writer that has gone on in two ledgers."""

    writer: str
    seq: int  # of the first event that differs
    ours: str  # the name that others give to what was written here since
    theirs: str  # and the one that we give to what was written there


def is_ours(store: Reader, events: Iterable[Event]) -> bool:
    """Tell whether a ledger has gone on from here, or is an earlier state of this one.

    It holds a chain up to where it ends in this store, or each of its own chains ends within one of this store.
    """
    heads, ends = store.heads(), dict[str, bytes]()
    for event in events:
        if heads.get(event.writer) == Head(event.seq, event.chain):
            return True
        ends[f"{event.writer}-{event.seq}"] = event.chain
        ends.pop(f"{event.writer}-{event.seq - 1}", None)
    known = {event.id: event.chain for event in store.events(EventQuery(ids=tuple(ends)))}
    return bool(ends) and known == ends


def forks(store: Reader, events: Iterable[Event]) -> dict[str, Fork]:
    """Return the writers that have written other events there than here under the same numbers."""
    heads, found = store.heads(), dict[str, Fork]()
    for batch in batches(event for event in events if event.seq <= heads.get(event.writer, Head()).seq):
        here = {event.id: event for event in store.events(EventQuery(ids=tuple(event.id for event in batch)))}
        for event in batch:
            own = here[event.id]
            if event.writer not in found and own.chain != event.chain:
                found[event.writer] = _fork(store, own, event)
    return found


def _fork(store: Reader, own: Event, other: Event) -> Fork:
    before = f"{other.writer}-{other.seq - 1}"
    previous = next((event.chain for event in store.events(EventQuery(ids=(before,)))), b"")
    if problem := intact(other, previous):
        raise LedgerConflict(f"event {other.id} was changed after it was written: {problem}")
    return Fork(other.writer, other.seq, _name(own), _name(other))


def _name(event: Event) -> str:
    return writer_named(sha256(event.writer.encode() + event.chain).digest())


class _Moved(NamedTuple):
    """A writer whose later events have another name here."""

    name: str
    after: int  # the number of the last event that keeps its own
    chain: bytes = b""


class Translation:
    """Give the events of a forked ledger the names that they have here, in the order of their chains."""

    def __init__(self, forks: Mapping[str, Fork]) -> None:
        self._moved = {fork.writer: _Moved(fork.theirs, fork.seq - 1) for fork in forks.values()}
        self._ours = {fork.ours: fork for fork in forks.values()}

    def __call__(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events as they are called here, without those of our own that come back."""
        for event in events:
            if event.writer not in self._ours:
                yield self._event(event) if self._moved else event

    def _event(self, event: Event) -> Event:
        moved = self._moved.get(event.writer)
        causes = tuple(map(self._id, event.causes))
        payload = self._payload(event.payload)
        same = (self._id(event.subject), causes, payload) == (event.subject, event.causes, event.payload)
        if same and (moved is None or event.seq <= moved.after):
            return event
        if moved is None or event.seq <= moved.after:  # what it speaks of has another name here: so has its chain
            moved = _Moved(_name(event), event.seq - 1)
        seq = event.seq - moved.after
        subject = f"{moved.name}-{seq}" if event.kind == REMEMBERED else self._id(event.subject)
        header = (moved.name, seq, *event[2:9], subject, causes)
        proof = event.digest if payload is None else digest(event.salt or b"", payload)
        chain = link(moved.chain, header, proof)
        self._moved[event.writer] = moved._replace(chain=chain)
        return Event(*header, proof, chain, event.salt, payload)

    def _id(self, id: str) -> str:
        writer, _, number = id.rpartition("-")
        if not number.isdecimal():
            return id
        moved, fork = self._moved.get(writer), self._ours.get(writer)
        if fork is not None:
            return f"{fork.writer}-{int(number) + fork.seq - 1}"
        return f"{moved.name}-{int(number) - moved.after}" if moved and int(number) > moved.after else id

    def _payload(self, payload: str | None) -> str | None:
        """Return a payload with the ids in it as they are here; an id is a text of its own."""
        if payload is None:
            return None
        names = "|".join(map(re.escape, (*self._moved, *self._ours)))
        return re.sub(rf'"((?:{names})-\d+)"', lambda found: f'"{self._id(found[1])}"', payload)
