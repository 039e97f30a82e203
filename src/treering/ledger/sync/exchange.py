"""Bring a ledger and a shared folder to the union of both.

First every file that is new in the folder is read and checked, then what it holds is taken in, then what the
folder lacks is written there. So a folder that is damaged changes nothing, the name of a file is believed only
after its content, and a run that is interrupted is finished by the next.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from treering.ledger.codec import intact
from treering.ledger.errors import LedgerConflict
from treering.ledger.events import PURGED, Event, Head
from treering.ledger.ledger import Ledger, batches
from treering.ledger.merge import Fork, settle
from treering.ledger.merge import forks as find_forks
from treering.ledger.sync.keys import NONCE_BYTES, Key
from treering.ledger.sync.places import Place
from treering.ledger.sync.segments import MOST_EVENTS, Segment, Unfinished, link_of, pack, parse_name, unpack
from treering.stores.port.ledger import EventQuery

_MANY = 32  # segments of one writer: so many are written as one, so that a folder never holds thousands
_AT_ONCE = 100  # events of one moment, at the most: each machine has its own clock
_TRIES = 5  # when other machines put segments together while this one reads
Progress = Callable[[int], None]


class Shared(NamedTuple):
    """A shared folder: where it lies, what it is called, and its key."""

    place: Place
    id: str
    key: Key


class Exchanged(NamedTuple):
    """The result of one run."""

    received: int = 0  # events that were new here
    sent: int = 0  # events that were new there
    erased: int = 0  # segments from which something purged was taken out
    forks: tuple[Fork, ...] = ()  # writers that had gone on on two machines
    unfinished: tuple[str, ...] = ()  # files that have not arrived whole; the next run reads them
    segments: tuple[str, ...] = ()  # what is there now, each read and checked, or written by this machine


class Past(NamedTuple):
    """What is known of a folder from the last run."""

    purged: Collection[str] = ()  # the purges that it has carried out
    segments: Collection[str] = ()  # those that were there, each read and checked


def exchange(ledger: Ledger, shared: Shared, past: Past, progress: Progress = lambda _: None) -> Exchanged:
    """Bring both to the union, while the place may be changed."""
    for _ in range(_TRIES):
        try:
            return _Exchange(ledger, shared, past, progress).run()
        except FileNotFoundError:
            continue  # another machine has put segments together: look again
    raise LedgerConflict("other machines change the folder all the time: sync again")


def purges(ledger: Ledger) -> set[str]:
    """Return the ids of all purges of a ledger."""
    return {event.id for event in ledger.store.events(EventQuery(kinds=(PURGED,)))}


class _Exchange:
    def __init__(self, ledger: Ledger, shared: Shared, past: Past, progress: Progress) -> None:
        self.ledger = ledger
        self.shared = shared
        self.past = past
        self.progress = progress
        self.segments = _by_writer(shared.place.names())
        self.unfinished: list[str] = []
        self.stale: list[str] = []  # files whose events have other names since

    def run(self) -> Exchanged:
        new, forks = self._unread(), tuple[Fork, ...]()
        if self._hidden():
            return Exchanged(unfinished=tuple(self.unfinished))
        if not self._forked(new):
            received = self._receive(new)
        elif layers := self._whole():
            received, forks = self._settle(layers)
        else:
            return Exchanged(unfinished=tuple(self.unfinished))  # the next run has all of it
        sent = self._send()
        erased = self._erase(event.id for event in new if event.payload is not None)
        self._tidy()
        names = tuple(one.name for one in self._all())
        return Exchanged(received, sent, erased, forks, tuple(self.unfinished), names)

    def _unread(self) -> list[Event]:
        """Return the events of all segments that were not there before, or go beyond what is here, each checked."""
        heads, known = self.ledger.store.heads(), {*self.past.segments}
        new = [one for one in self._all() if one.name not in known or one.last > _reach(heads, one.writer)]
        read = {one: events for one in new if (events := self._read(one))}
        for one in self._loose(read):
            self.segments[one.writer].remove(one)
            (self.stale if all(map(self._renamed, read.pop(one))) else self.unfinished).append(one.name)
        return [event for events in read.values() for event in events]

    def _loose(self, read: Mapping[Segment, list[Event]]) -> list[Segment]:
        """Return the segments that follow on from none of the events before them, here or there: a fork has been
        taken apart since they were written, or another part of it has not arrived."""
        links = defaultdict[str, set[bytes]](set)
        for event in self._here(f"{one.writer}-{one.first - 1}" for one in read):
            links[event.id].add(event.chain)
        loose = []
        for one, events in sorted(read.items(), key=lambda pair: _place(pair[0])):
            before = links.get(f"{one.writer}-{one.first - 1}", set())
            if before and all(intact(events[0], link) for link in before):
                loose.append(one)
                continue
            for event in events:
                links[event.id].add(event.chain)
        return loose

    def _renamed(self, event: Event) -> bool:
        """Tell whether an event is here under another name: all but the name and the chain is the same."""
        alike = self.ledger.store.events(EventQuery(since=event.clock - 1, limit=_AT_ONCE))
        return any(other.id != event.id and other[2:9] == event[2:9] for other in alike)

    def _forked(self, new: Iterable[Event]) -> bool:
        """Tell whether two machines have written different events under one name, here, there, or in the folder."""
        heads, links = self.ledger.store.heads(), dict[str, str]()
        within = {one.writer: one for one in self._all() if one.last <= _reach(heads, one.writer)}
        ends = [(f"{one.writer}-{one.last}", one.link) for one in within.values()]  # a link stands for all before it
        for id, link in (*ends, *((event.id, link_of(event)) for event in new)):
            if links.setdefault(id, link) != link:
                return True
        here = {event.id: link_of(event) for batch in batches(links) for event in self._here(batch)}
        return any(link != links[id] for id, link in here.items())

    def _ends(self, segments: Iterable[Segment]) -> dict[str, str]:
        """Return the links here of the events that segments end with."""
        return {event.id: link_of(event) for event in self._here(f"{one.writer}-{one.last}" for one in segments)}

    def _hidden(self) -> bool:
        """Tell whether a file that has not arrived whole may hide a fork: what is written meanwhile would be about
        events that have other names by then."""
        heads, late = self.ledger.store.heads(), [*filter(None, map(parse_name, self.unfinished))]
        here = self._ends(late)
        return any(
            one.first <= _reach(heads, one.writer) and here.get(f"{one.writer}-{one.last}") != one.link for one in late
        )

    def _here(self, ids: Iterable[str]) -> Iterator[Event]:
        return self.ledger.store.events(EventQuery(ids=tuple(ids)))

    def _about(self, subjects: Iterable[str]) -> Iterator[Event]:
        return self.ledger.store.events(EventQuery(subjects=tuple(subjects)))

    def _receive(self, new: Iterable[Event]) -> int:
        """Take in what follows on from what is here. What lies behind a gap waits until that is filled."""
        reach = {writer: head.seq for writer, head in self.ledger.store.heads().items()}
        fitting = []
        for event in sorted(new, key=lambda event: (event.writer, event.seq)):
            if event.seq == reach.get(event.writer, 0) + 1:
                reach[event.writer] = event.seq
                fitting.append(event)
        received = 0
        for batch in batches(sorted(fitting, key=lambda event: event.order)):
            received += self.ledger.take_in(batch)
            self.progress(received)
        return received

    def _whole(self) -> list[list[Event]]:
        """Return all that the folder holds and that is not here as it is there, in layers without a fork: first those
        that go on from here, before what is here gets other names. Nothing if a part has not arrived."""
        here = self._ends(self._all())
        read = [self._read(one) for one in [*self._all()] if here.get(f"{one.writer}-{one.last}") != one.link]
        if self.unfinished:
            return []
        return sorted(_layers(read), key=lambda layer: bool(find_forks(self.ledger.store, layer)))

    def _settle(self, layers: list[list[Event]]) -> tuple[int, tuple[Fork, ...]]:
        """Take forks apart: the whole folder is written anew under the names that hold everywhere."""
        old = [*self._all()]
        received, forks = 0, list[Fork]()
        for layer in layers:
            settled = settle(self.ledger, layer.__iter__)
            forks += settled.forks
            received += sum(self.ledger.take_in(batch) for batch in batches(settled.events()))
        here = self._ends(old)
        for one in old:  # first what speaks of events by their old names: a crash must not leave both side by side
            if here.get(f"{one.writer}-{one.last}") != one.link:
                self.shared.place.delete(one.name)
        self.segments = {}
        self._send()
        kept = {one.name for one in self._all()}
        for one in old:
            if one.name not in kept:
                self.shared.place.delete(one.name)
        return received, tuple(forks)

    def _send(self) -> int:
        """Write the events that the folder lacks."""
        sent = 0
        for writer, head in sorted(self.ledger.store.heads().items()):
            first = self._reach(writer) + 1
            for start in range(first, head.seq + 1, MOST_EVENTS):
                events = self._events(writer, start, min(start + MOST_EVENTS - 1, head.seq))
                self._write(events)
                sent += len(events)
                self.progress(sent)
        return sent

    def _reach(self, writer: str) -> int:
        """Return up to which number the folder has a writer's events without a gap."""
        reach = 0
        for one in self.segments.get(writer, ()):
            if one.first > reach + 1:
                break
            reach = max(reach, one.last)
        return reach

    def _events(self, writer: str, first: int, last: int) -> list[Event]:
        ids = tuple(f"{writer}-{number}" for number in range(first, last + 1))
        return sorted(self.ledger.store.events(EventQuery(ids=ids)), key=lambda event: event.seq)

    def _write(self, events: list[Event]) -> Segment:
        segment, data = pack(events, self.shared.id, self.shared.key, os.urandom(NONCE_BYTES))
        self.shared.place.write(segment.name, data)
        found = self.segments.setdefault(segment.writer, [])
        if segment not in found:
            found.append(segment)
            found.sort(key=_place)
        return segment

    def _erase(self, told: Iterable[str]) -> int:
        """Take what was purged out of the segments that may hold it: those with events that were `told` just now, as
        one from before the purge may have come back, and all of them if the purge is new."""
        purged, done = self.ledger.store.events(EventQuery(kinds=(PURGED,))), {*self.past.purged}
        subjects = {event.subject for event in purged if event.id not in done}
        about = chain(*map(self._here, batches(told)), self._about(subjects))
        numbers = defaultdict[str, set[int]](set)
        for event in about:
            if event.payload is None:
                numbers[event.writer].add(event.seq)
        touched = [
            one
            for writer, wanted in numbers.items()
            for one in self.segments.get(writer, ())
            if any(one.first <= number <= one.last for number in wanted)
        ]
        return sum(self._rewrite(one) for one in touched)

    def _rewrite(self, segment: Segment) -> bool:
        """Write a segment as it is here, without what was erased; False if it was so already."""
        made = self._write(self._events(segment.writer, segment.first, segment.last))
        if made == segment:
            return False
        self._drop(segment)
        return True

    def _tidy(self) -> None:
        """Delete segments that others cover or that have other names, and write the small ones of a writer as one
        when there are many."""
        for name in self.stale:
            self.shared.place.delete(name)
        for found in [*self.segments.values()]:
            for one in [one for one in found if any(_covers(other, one) for other in found)]:
                self._drop(one)
            small = [one for one in found if one.last - one.first < MOST_EVENTS // 2]
            for run in _runs(small) if len(small) >= _MANY else ():
                self._write(self._events(run[0].writer, run[0].first, run[-1].last))
                for one in run:
                    self._drop(one)

    def _drop(self, segment: Segment) -> None:
        self.shared.place.delete(segment.name)
        self.segments[segment.writer].remove(segment)

    def _all(self) -> Iterator[Segment]:
        return (one for _, found in sorted(self.segments.items()) for one in found)

    def _read(self, segment: Segment) -> list[Event]:
        """Return the events of a segment; none, and a note, if it has not arrived whole."""
        data = self.shared.place.read(segment.name)
        try:
            return unpack(segment, data, self.shared.id, self.shared.key)
        except Unfinished:
            self.unfinished.append(segment.name)
            self.segments[segment.writer].remove(segment)
            return []


def _reach(heads: Mapping[str, Head], writer: str) -> int:
    return heads.get(writer, Head()).seq


def _covers(one: Segment, other: Segment) -> bool:
    """Tell whether a segment holds all of another, and more."""
    return one.first <= other.first and one.last >= other.last and one[1:3] != other[1:3]


def _runs(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Return segments in runs that follow on from each other, of several each, none too long."""
    runs: list[list[Segment]] = [[]]
    for one in segments:
        run = runs[-1]
        if run and (one.first != run[-1].last + 1 or one.last - run[0].first >= MOST_EVENTS):
            runs.append(run := [])
        run.append(one)
    return [run for run in runs if len(run) > 1]


def _layers(read: Iterable[list[Event]]) -> list[list[Event]]:
    """Return the events of all segments as ledgers without a fork in them, each in the order of the fold."""
    layers: list[dict[str, Event]] = []
    for events in filter(None, read):
        layer = next((layer for layer in layers if _fits(events, layer)), None)
        if layer is None:
            layers.append(layer := {})
        layer.update((event.id, event) for event in events)
    return [sorted(layer.values(), key=lambda event: event.order) for layer in layers]


def _fits(events: list[Event], layer: Mapping[str, Event]) -> bool:
    """Tell whether a segment goes on a chain of a layer, or is the first of its writer there."""
    first = events[0]
    before = layer.get(f"{first.writer}-{first.seq - 1}")
    if before is None and first.seq > 1:
        return all(event.writer != first.writer for event in layer.values())
    known = (layer.get(event.id, event).chain == event.chain for event in events)
    return not intact(first, before.chain if before else b"") and all(known)


def _place(segment: Segment) -> tuple[int, int, str]:
    return segment.first, segment.last, segment.content


def _by_writer(names: Iterable[str]) -> dict[str, list[Segment]]:
    found = defaultdict[str, list[Segment]](list)
    for name in names:
        if segment := parse_name(name):
            found[segment.writer].append(segment)
    return {writer: sorted(segments, key=_place) for writer, segments in found.items()}
