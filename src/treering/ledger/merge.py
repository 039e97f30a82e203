"""Merge the events of another ledger: tell whether it is ours, and take two forks of one writer apart.

A machine that was cloned writes on under the same name as the first one, so that one id stands for two
events. When the two meet, what one of them wrote since gets a name of its own, and so does everything
that refers to it. Which one, and the name, follow from the events: all machines come to the same ledger.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from treering.ledger.codec import data_of, digest, intact, link
from treering.ledger.errors import LedgerConflict
from treering.ledger.events import PURGED, REMEMBERED, Event, Head
from treering.ledger.ledger import Ledger, batches, writer_named
from treering.stores.port.ledger import EventQuery, Reader

_MOST_FORKS = 100  # more than anybody clones a machine


class Fork(NamedTuple):
    """A writer that has gone on in two ledgers."""

    writer: str
    seq: int  # of the first event that differs
    name: str  # what one of the two is called from there on, in every ledger
    ours: bool  # True if it is our side that gets the name


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
    """Decide which side keeps the writer's name: the earlier one, by what all machines see alike."""
    before = f"{other.writer}-{other.seq - 1}"
    previous = next((event.chain for event in store.events(EventQuery(ids=(before,)))), b"")
    if problem := intact(other, previous):
        raise LedgerConflict(f"event {other.id} was changed after it was written: {problem}")
    later = max(own, other, key=lambda event: (_marks(event), event.chain))
    return Fork(other.writer, other.seq, _name(later), later is own)


def _marks(event: Event) -> tuple[int | str | bytes, ...]:
    """Return what tells an event from others and stays when it gets another name: forks may lie within forks,
    and whichever machine takes them apart first, the names come out the same."""
    return (*event[2:9], event.digest)


def _name(event: Event) -> str:
    return writer_named(sha256(repr(_marks(event)).encode()).digest())


class _Moved(NamedTuple):
    """A writer whose later events have another name here."""

    name: str
    after: int  # the number of the last event that keeps its own
    chain: bytes = b""


class Renaming:
    """Give the events of a forked ledger the names that they have in every ledger, in the order of their chains."""

    def __init__(self, forks: Iterable[Fork]) -> None:
        self._moved = {fork.writer: _Moved(fork.name, fork.seq - 1) for fork in forks}

    def __call__(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events under their names."""
        return map(self.name, events) if self._moved else iter(events)

    @property
    def writers(self) -> frozenset[str]:
        """The writers of which any event has got another name so far."""
        return frozenset(self._moved)

    def name(self, event: Event) -> Event:
        """Return an event under its name."""
        moved = self._moved.get(event.writer)
        causes = tuple(map(self._id, event.causes))
        payload = self._payload(event.payload)
        same = (self._id(event.subject), causes, payload) == (event.subject, event.causes, event.payload)
        if same and (moved is None or event.seq <= moved.after):
            return event
        if moved is None or event.seq <= moved.after:  # what it speaks of has another name: so has its chain
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
        moved = self._moved.get(writer) if number.isdecimal() else None
        return f"{moved.name}-{int(number) - moved.after}" if moved and int(number) > moved.after else id

    def _payload(self, payload: str | None) -> str | None:
        """Return a payload with the ids in it as they are called; an id is a text of its own."""
        if payload is None:
            return None
        names = "|".join(map(re.escape, self._moved))
        return re.sub(rf'"((?:{names})-\d+)"', lambda found: f'"{self._id(found[1])}"', payload)


class Settled(NamedTuple):
    """What became of the forks between this ledger and another."""

    events: Callable[[], Iterator[Event]]  # of the other ledger, under the names that they have everywhere
    forks: tuple[Fork, ...] = ()


def settle(ledger: Ledger, events: Callable[[], Iterator[Event]]) -> Settled:
    """Take the forks between this ledger and another apart. What is ours gets its other name here and now."""
    done: list[Fork] = []
    while found := forks(ledger.store, events()).values():
        if len(done) > _MOST_FORKS:
            raise LedgerConflict("the two ledgers hold more forks than clones explain: one of them was changed")
        if ours := [fork for fork in found if fork.ours]:
            rename_events(ledger, ours)
        theirs = [fork for fork in found if not fork.ours]
        events = partial(_renamed, theirs, events)
        done += found
    return Settled(events, tuple(done))


def _renamed(forks: Sequence[Fork], events: Callable[[], Iterator[Event]]) -> Iterator[Event]:
    return Renaming(forks)(events())


def _unknown(store: Reader, events: Sequence[Event]) -> list[Event]:
    """Return the events that another machine has not given these names to and sent here before."""
    known = {event.id: event.chain for event in store.events(EventQuery(ids=tuple(event.id for event in events)))}
    for event in events:
        if known.get(event.id, event.chain) != event.chain:
            raise LedgerConflict(f"event {event.id} is another one here: one of the two was changed")
    return [event for event in events if event.id not in known]


def rename_events(ledger: Ledger, forks: Sequence[Fork]) -> None:
    """Give events of this ledger other names, and all that refers to them, in one transaction."""

    def work() -> None:
        store, renaming = ledger.store, Renaming(forks)
        own = store.writer
        moved = [(event.id, made) for event in store.events() if (made := renaming.name(event)) is not event]
        store.retract([id for id, _ in moved])
        unknown = _unknown(store, [event for _, event in moved])
        store.append(unknown, [(key, event.id) for event in unknown if (key := data_of(event)[1].get("key"))])
        for subject in {event.subject for event in store.events(EventQuery(kinds=(PURGED,)))}:
            store.erase(subject)  # a purge may have meant what has this name only now
        ledger.rebuild()
        if own in renaming.writers:
            ledger.rename()

    ledger.store.write(work)
