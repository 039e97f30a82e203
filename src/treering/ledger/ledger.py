"""Give decided events their place in the ledger, and keep every projection in step.

A local event is always the newest, so it is applied to the record as it stands. Whatever changes
the past (an undoing, an event from another machine) folds the records that it touches anew.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from treering.ledger.codec import data_of, intact, stamp, tick
from treering.ledger.errors import Forbidden, InvalidInput, LedgerConflict
from treering.ledger.events import PURGED, REMEMBERED, UNDOINGS, Draft, Event, Head
from treering.ledger.fold import fold_each, left_out
from treering.ledger.people import ADMIN, OPERATOR, Member, may, named, place
from treering.ledger.types import Memory, person_in
from treering.stores.port.ledger import EventQuery, Store, record_of

T = TypeVar("T")

BATCH = 10_000  # events worked on at a time: memory stays flat, and others wait half a second to write
SALT_BYTES = 16
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 letters and digits that are not taken for each other
_WRITER_LENGTH = 8  # 40 bits: no two of a person's machines will share a name


class Undone(NamedTuple):
    """The result of an undoing, done or rehearsed."""

    event: Event
    left_out: tuple[str, ...]  # events that count no longer
    back: tuple[str, ...]  # events that count again
    gone: tuple[str, ...]  # memories that are no more
    changed: tuple[str, ...]  # memories that are otherwise than before


def joined(done: Sequence[Undone]) -> Undone:
    """Return the results of several undoings as one, under the last event."""
    parts = (tuple(chain.from_iterable(ids)) for ids in zip(*(one[1:] for one in done), strict=True))
    return Undone(done[-1].event, *parts)


class _Rehearsed(Exception):
    """Rolls a transaction back; not an error."""


class Ledger:
    def __init__(
        self, store: Store, now: Callable[[], int], entropy: Callable[[int], bytes], member: Member = OPERATOR
    ) -> None:
        self.store = store
        self._member = member
        self._now = now
        self._entropy = entropy

    def at(self, time: int) -> Ledger:
        """Return the same ledger for writing down now what happened at an earlier moment."""
        return Ledger(self.store, lambda: time, self._entropy, self._member)

    def commit(self, decide: Callable[[], Sequence[Draft]], known: Mapping[str, Memory] | None = None) -> list[Event]:
        """Decide and write in one transaction: what was decided on is what was true.

        `known` spares reading again: records as they stand, which the caller has read in the same transaction.
        """
        return self.store.write(lambda: self._append(decide(), known))

    def undo(self, decide: Callable[[], Draft], rehearse: bool = False) -> Undone:
        """Leave events out of the fold. A rehearsal does all of it and takes it back."""

        def work() -> Undone:
            before = self.store.left_out()
            (event,) = self._stamp(self._placed([decide()]))
            self.store.append([event])
            touched = self._reconsider()
            after = self.store.left_out()
            gone = {id for id in touched if record_of(self.store, id) is None}
            return Undone(
                event,
                tuple(sorted(after - before)),
                tuple(sorted(before - after)),
                tuple(sorted(gone)),
                tuple(id for id in touched if id not in gone),
            )

        return self.rehearse(work) if rehearse else self.store.write(work)

    def rehearse(self, work: Callable[[], T]) -> T:
        """Do work in a transaction, roll it back, and return its result."""
        if self.store.index.in_transaction:
            raise InvalidInput("a dry run cannot be part of `together`: call it by itself")
        kept: list[T] = []

        def tried() -> None:
            kept[:] = [work()]
            raise _Rehearsed

        with suppress(_Rehearsed):
            self.store.write(tried)
        return kept[0]

    def rename(self) -> None:
        """Write under a new name from now on: another ledger goes on under the old one."""
        self.demand(ADMIN)
        self.store.write(self._new_writer)

    def take_in(self, events: Sequence[Event]) -> int:
        """Add events from another ledger, in the order of their writers' chains; return how many were new."""
        self.demand(ADMIN)
        return self.store.write(lambda: self._take_in(events))

    def rebuild(self, progress: Callable[[int], None] = lambda done: None) -> int:
        """Make every projection again from the ledger alone."""
        self.demand(ADMIN)
        return self.store.write(lambda: self._rebuild(progress))

    def _rebuild(self, progress: Callable[[int], None]) -> int:
        self.store.reset()
        self._reconsider(refold=False)
        done = 0
        for batch in batches(self.store.events(EventQuery(live=True))):
            self._advance(batch)
            done += len(batch)
            progress(done)
        return done

    def _append(self, drafts: Sequence[Draft], known: Mapping[str, Memory] | None) -> list[Event]:
        drafts = self._placed(drafts)
        events = self._stamp(drafts)
        keys = [(draft.key, event.id) for draft, event in zip(drafts, events, strict=True) if draft.key]
        self.store.append(events, keys)
        self._advance(events, known)
        self._erase(events)
        return events

    def demand(self, least: str) -> None:
        """Refuse what is more than writing an event to whoever has a lower role."""
        if not may(self._member.role, least):
            raise Forbidden(f"a {self._member.role} may not do this: it takes a role of {least}")

    def _placed(self, drafts: Sequence[Draft]) -> Sequence[Draft]:
        """Put the drafts of a person where they belong, and refuse what the person may not write."""
        if self._member == OPERATOR and not any(person_in(draft.space) for draft in drafts):
            return drafts
        about = tuple({id for draft in drafts for id in named(draft)})
        known = {event.id: event for event in self.store.events(EventQuery(ids=about))}
        return place(drafts, known, self._member)

    def _stamp(self, drafts: Sequence[Draft]) -> list[Event]:
        writer = self.store.writer or self._new_writer()
        seq, chain = self.store.heads().get(writer, Head())
        clock = self.store.clock()
        salts = self._entropy(SALT_BYTES * len(drafts))
        events = []
        for number, draft in enumerate(drafts):
            now = self._now()
            clock = tick(clock, now)
            salt = salts[SALT_BYTES * number : SALT_BYTES * (number + 1)]
            event = stamp(draft, writer, seq + number + 1, chain, clock, now, salt)
            chain = event.chain
            events.append(event)
        return events

    def _new_writer(self) -> str:
        """Return a new writer's name: each copy of a store has its own, so ids never clash."""
        writer = writer_named(self._entropy(_WRITER_LENGTH))
        self.store.adopt(writer)
        return writer

    def _take_in(self, events: Sequence[Event]) -> int:
        fresh = self._fresh(events)
        if not fresh:
            return 0
        erased = {event.subject for event in self.store.events(EventQuery(kinds=(PURGED,)))}
        sayable = [withheld(event) if (event.subject or event.id) in erased else event for event in fresh]
        keys = ((data_of(event)[1].get("key"), event.id) for event in sayable)
        self.store.append(sayable, [(key, id) for key, id in keys if key])
        self._erase(fresh)
        refolded = set(self._reconsider())
        self._refold({event.subject for event in fresh if event.subject} - refolded)
        return len(fresh)

    def _fresh(self, events: Sequence[Event]) -> list[Event]:
        """Return the events that are not here yet, each checked to be the next of its writer's chain."""
        heads = self.store.heads()
        fresh, known = [], []
        for event in events:
            head = heads.get(event.writer, Head())
            if event.seq <= head.seq:
                known.append(event)
                continue
            if event.seq > head.seq + 1:
                raise LedgerConflict(
                    f"some of events {event.writer}-{head.seq + 1} to {event.id} are missing: export again"
                )
            if problem := intact(event, head.chain):
                raise LedgerConflict(f"event {event.id} was changed after it was written: {problem}")
            heads[event.writer] = Head(event.seq, event.chain)
            fresh.append(event)
        self._same(known, fresh)
        return fresh

    def _same(self, known: Sequence[Event], fresh: Sequence[Event]) -> None:
        """Refuse another ledger that holds something else under a name that we have given."""
        here = {event.id: event for event in self.store.events(EventQuery(ids=tuple(e.id for e in known)))}
        here.update((event.id, event) for event in fresh)
        for event in known:
            if here[event.id].chain != event.chain:
                raise LedgerConflict(f"event {event.id} is another one here: one of the two was changed")

    def _advance(self, events: Sequence[Event], known: Mapping[str, Memory] | None = None) -> None:
        """Apply new events to the records as they stand."""
        about = [event for event in events if event.subject]
        if known is None:
            # A memory has the id of the event that made it: there can be none before.
            made = {event.subject for event in about if event.kind == REMEMBERED}
            known = self.store.several({event.subject for event in about} - made)
        after = fold_each(about, known)
        self.store.save((known.get(subject), record) for subject, record in after.items())

    def _reconsider(self, refold: bool = True) -> list[str]:
        """Work out anew which events count, and fold the records that this touches."""
        out = left_out(self.store, self.store.events(EventQuery(kinds=UNDOINGS, newest=True)))
        before = self.store.left_out()
        self.store.leave_out(out - before, before - out)
        if not refold or out == before:
            return []
        turned = self.store.events(EventQuery(ids=tuple(out ^ before)))
        subjects = {event.subject for event in turned if event.subject}
        self._refold(subjects)
        return sorted(subjects)

    def _refold(self, subjects: Iterable[str]) -> None:
        for batch in batches(subjects):
            folded = fold_each(self.store.events(EventQuery(subjects=tuple(batch), live=True)))
            before = self.store.several(batch)
            self.store.save((before.get(subject), folded.get(subject)) for subject in batch)

    def _erase(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.kind == PURGED:
                self.store.erase(event.subject)


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Yield the items in lists of a size that fits in memory."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector, which takes up to a fifth of the time where nothing makes cycles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def withheld(event: Event) -> Event:
    """Return an event that was purged here, or is about what was: its place in the chain without its payload."""
    return event if event.kind == PURGED else event._replace(payload=None, salt=None)


def writer_named(chance: bytes) -> str:
    """Return a writer's name made of bytes."""
    return "".join(_ALPHABET[byte % 32] for byte in chance[:_WRITER_LENGTH])
