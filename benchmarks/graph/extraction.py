"""What is read out of labelled notes, beside what a reader found in them.

Entities count with their type, and once more by name alone; relations with both ends and their direction. Precision of
a type is over what was found as it, recall over what was labelled so. What is optional counts neither way, as does a
relation that was found to be denied or over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from benchmarks.graph.labels import Named, Note, Related, meant, plain, without_type
from treering.graph.extract import Reading, read

ALL = "all"
ENTITIES, NAMES, RELATIONS = "entities", "entities, name alone", "relations"
HOLDS = "told"  # how a relation is told that is said to hold
MUTUAL = frozenset({"related_to", "contradicts"})  # these have no direction


class Score(NamedTuple):
    cases: str
    what: str
    type: str
    labelled: int
    found: int
    right: int  # of those found
    met: int  # of those labelled
    neither: int  # found besides, and counted neither way

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.met / self.labelled if self.labelled else None


class Tally:
    """Of one kind of thing: counts by type, and what went wrong."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.labelled: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        self.neither: Counter[str] = Counter()
        self.errors: list[str] = []

    def label(self, note: Note, type: str, met: bool, said: str) -> None:
        self.labelled[type] += 1
        self.met[type] += met
        if not met:
            self.errors.append(f"{note.id} {self.what}, missed: {said}")

    def find(self, note: Note, type: str, right: bool, said: str) -> None:
        self.found[type] += 1
        self.right[type] += right
        if not right:
            self.errors.append(f"{note.id} {self.what}, wrong: {said}")

    def scores(self, cases: str) -> list[Score]:
        types = sorted({*self.labelled, *self.found} - {ALL})
        counts = (self.labelled, self.found, self.right, self.met, self.neither)
        every = Score(cases, self.what, ALL, *(count.total() for count in counts))
        return [every, *(Score(cases, self.what, type, *(count[type] for count in counts)) for type in types)]


class Link(NamedTuple):
    """A relation that was found, by the plain names of its ends."""

    source: str
    type: str
    target: str


def tallied(notes: Iterable[Note], readings: Iterable[Reading] | None = None) -> list[Tally]:
    """Entities, their names alone, and relations of all the notes of a set."""
    entities, names, relations = Tally(ENTITIES), Tally(NAMES), Tally(RELATIONS)
    every = list(notes)
    for note, reading in zip(every, readings or [read(note.text) for note in every], strict=True):
        seen = dict.fromkeys((plain(each.name), each.type) for each in reading.entities)
        _entities(note, [*seen], entities)
        _names(note, [*seen], names)
        _relations(note, [*dict.fromkeys(links(reading))], relations)
    return [entities, names, relations]


def _entities(note: Note, seen: Sequence[tuple[str, str]], tally: Tally) -> None:
    met = set()
    for name, type in seen:
        label = meant(name, type, note.entities)
        if neither(name, label):
            tally.neither[type] += 1
            continue
        right = label is not None and type in label.types
        if right and label in met:  # a second name for the same
            continue
        if right:
            met.add(label)
        tally.find(note, type, right, f"{name} ({type})")
    for label in _required(note.entities):
        tally.label(note, label.types[0], label in met, f"{label.name} ({label.types[0]})")


def _names(note: Note, seen: Sequence[tuple[str, str]], tally: Tally) -> None:
    met = set()
    for name, type in seen:
        label = meant(name, type, note.entities)
        if neither(name, label) or label in met:
            tally.neither[ALL] += 1
            continue
        if label is not None:
            met.add(label)
        tally.find(note, ALL, label is not None, name)
    for label in _required(note.entities):
        tally.label(note, ALL, label in met, label.name)


def neither(name: str, label: Named | None) -> bool:
    """Whether a name that was found counts neither way."""
    return without_type(name) if label is None else label.optional


def _required(entities: Iterable[Named]) -> Iterator[Named]:
    return (each for each in entities if not each.optional)


def links(reading: Reading) -> Iterator[Link]:
    """The relations that were read as holding."""
    names = {each.key: plain(each.name) for each in reading.entities}
    for told in reading.relations:
        if told.how == HOLDS:
            yield Link(names.get(told.source, told.source), told.type, names.get(told.target, told.target))


def _relations(note: Note, found: Iterable[Link], tally: Tally) -> None:
    met: set[Related] = set()
    for link in found:
        labels = [each for each in note.relations if holds(link, each)]
        wanted = {each for each in labels if not each.optional}
        if not wanted and (labels or without_type(link.source) or without_type(link.target)):
            tally.neither[link.type] += 1
            continue
        if wanted and wanted <= met:  # the same by another name
            continue
        met |= wanted
        tally.find(note, link.type, bool(wanted), " > ".join(link))
    for label in note.relations:
        if not label.optional:
            said = " > ".join((label.source.name, label.types[0], label.target.name))
            tally.label(note, label.types[0], label in met, said)


def holds(link: Link, label: Related) -> bool:
    """Whether a relation that was found is this labelled one."""
    if link.type not in label.types:
        return False
    ways = [(link.source, link.target)]
    if link.type in MUTUAL:
        ways.append((link.target, link.source))
    return any(_is(label.source, source) and _is(label.target, target) for source, target in ways)


def _is(label: Named, name: str) -> bool:
    """Whether an end of a relation is this entity: "Grafana panels" may stand for "Grafana" there, and it for them."""
    return (
        label.is_named(name)
        or label.is_said(name)
        or any(each.startswith(f"{name} ") or name.startswith(f"{each} ") for each in label.names)
    )
