"""`python -m benchmarks.judgement.graph`: names and relations by rules and by weights, on notes that neither has read.

Each batch is judged by weights from the others; the rules were made without sight of any. Floors are chosen over all
batches for the wanted precision, so the figures of the weights are a little too good.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy

from benchmarks.graph.extraction import HOLDS, Link, holds, neither, tallied
from benchmarks.graph.labels import Note, meant, plain, without_type
from benchmarks.judgement.fit import Fitted, Row, fit_plainly, floor_for, folds, matrix
from benchmarks.judgement.graph import names, notes, relations
from benchmarks.judgement.graph.names import Judge, Words
from benchmarks.judgement.graph.notes import Labelled
from treering.graph.entities.shapes import tokens
from treering.graph.extract import Reading, read
from treering.graph.same import key
from treering.judge.features import Features
from treering.stores.port.graph import Mention, Statement

_BITS = 15
_NAMED, _TOLD = 3.0, 5.0  # how loosely weights are held: chosen on batches that were left out
_SURE, _RIGHT = 0.8, 0.8  # wanted precision of names and of relations
LANGUAGES = {"English": ("en",), "German, Spanish, French": ("de", "es", "fr")}
_AGAIN = frozenset(("tool", "library", "project", "person", "concept"))  # types of names that are recognised again
_KNOWN = 0.6  # confidence from which on a name is recognised again
Judged = list[tuple[float, bool]]  # how sure each is, and whether it is right


class Judges(NamedTuple):
    """What judges tokens, and pairs of names."""

    names: Judge
    relations: Judge


def fit_names(rows: Sequence[Row]) -> list[Fitted]:
    """Fit what begins a name, what goes on with one, and the types of those that begin."""
    kept = [row for row in rows if row.weight]
    typed = [row for row in kept if row.label in names.TYPES]
    begun = [row._replace(label=names.BEGINS) if row.label in names.TYPES else row for row in kept]
    gates = fit_plainly(begun, (names.BEGINS, names.INSIDE), _BITS, _NAMED)
    return gates + fit_plainly(typed, names.TYPES, _BITS, _NAMED)


def fit_relations(rows: Sequence[Row]) -> list[Fitted]:
    """Fit whether two names are related, and the types of those that are."""
    kept = [row for row in rows if row.weight]
    gated = [row._replace(label=relations.RELATED if row.label else "") for row in kept]
    told = [row for row in kept if row.label]
    gate = fit_plainly(gated, (relations.RELATED,), _BITS, _TOLD)
    return gate + fit_plainly(told, sorted({row.label for row in told}), _BITS, _TOLD)


def chances(fitted: Sequence[Fitted], rows: Sequence[Features]) -> list[dict[str, float]]:
    """Return how likely each label is, for each row."""
    if not rows:
        return []
    seen = matrix([Row("", row, "") for row in rows], _BITS)
    scores = numpy.array([seen @ one.weights + one.bias for one in fitted]).T
    found = 1 / (1 + numpy.exp(-scores))
    return [dict(zip((one.name for one in fitted), row, strict=True)) for row in found.tolist()]


def unread() -> list[tuple[list[Labelled], Judges]]:
    """Return the notes in parts by source, each with judges that have not seen it."""
    name_rows, relation_rows, every = notes.name_rows(), notes.relation_rows(), notes.labelled()
    found = []
    for part in folds([row.source for row in name_rows]):
        mine, theirs = ([row for row in rows if row.source not in part] for rows in (name_rows, relation_rows))
        judges = Judges(partial(chances, fit_names(mine)), partial(chances, fit_relations(theirs)))
        found.append(([one for one in every if one.source in part], judges))
    return found


def learned(text: str, known: dict[str, str], judges: Judges) -> Reading:
    """Read a text by weights, however unsure."""
    found = tokens(text)
    named = names.find(Words(found, known), judges.names)
    keys = [key(one.name, one.type) for one in named]
    seen: dict[str, Mention] = {}
    for mark, one in zip(keys, named, strict=True):
        if mark not in seen or seen[mark].confidence < one.sure:
            seen[mark] = Mention(mark, one.name, one.type, one.sure)
    told = relations.judge(found, named, judges.relations)
    stated = [Statement(keys[one.source], one.type, keys[one.target], one.sure, 0, 0) for one in told]
    return Reading(tuple(seen.values()), tuple(one for one in stated if one.source != one.target))


def readings(part: Sequence[Labelled], judges: Judges) -> list[Reading]:
    """Read notes in their order, as a store would: what one of a source names is known to the next."""
    known: dict[str, dict[str, str]] = {}
    found = []
    for source, note, _ in part:
        before = known.setdefault(source, {})
        found.append(learned(note.text, before, judges))
        before |= {
            one.key: one.type
            for one in found[-1].entities
            if one.type in _AGAIN and one.confidence >= _KNOWN and " " not in one.key
        }
    return found


def kept(reading: Reading, sure: float, told: float) -> Reading:
    """Return what is sure enough; a name also if something is told of it."""
    stated = tuple(one for one in reading.relations if one.confidence >= told)
    ends = {end for one in stated for end in (one.source, one.target)}
    return Reading(tuple(one for one in reading.entities if one.confidence >= sure or one.key in ends), stated)


def judged(note: Note, reading: Reading) -> tuple[Judged, Judged]:
    """Return how sure each entity and each relation that was read is, and whether it is right."""
    entities = []
    for one in reading.entities:
        label = meant(plain(one.name), one.type, note.entities)
        if not neither(plain(one.name), label):
            entities.append((one.confidence, label is not None and one.type in label.types))
    named = {one.key: plain(one.name) for one in reading.entities}
    told = []
    for stated in reading.relations:
        link = Link(named[stated.source], stated.type, named[stated.target])
        labels = [label for label in note.relations if holds(link, label)]
        optional = bool(labels) and all(label.optional for label in labels)
        if stated.how == HOLDS and not optional and not (without_type(link.source) or without_type(link.target)):
            told.append((stated.confidence, bool(labels)))
    return entities, told


def _floor(goal: float, pairs: Judged) -> float:
    return floor_for(goal, numpy.array([sure for sure, _ in pairs]), numpy.array([right for _, right in pairs]))


def show(name: str, every: Sequence[Note], found: Sequence[Reading]) -> None:
    """Print precision and recall of what was read."""
    for tally in tallied(every, found):
        score = tally.scores(name)[0]
        figures = f"precision {score.precision or 0:.3f} recall {score.recall or 0:.3f}"
        print(f"{name}, {score.what}: {figures} ({score.right} of {score.found} right, {score.labelled} labelled)")


def main() -> None:
    pairs = [
        (one, reading)
        for part, judges in unread()
        for one, reading in zip(part, readings(part, judges), strict=True)
        if not one.source.startswith("graph")
    ]
    scored = [judged(one.note, reading) for one, reading in pairs]
    sure = _floor(_SURE, [row for entities, _ in scored for row in entities])
    told = _floor(_RIGHT, [row for _, stated in scored for row in stated])
    for language, codes in LANGUAGES.items():
        some = [(one.note, reading) for one, reading in pairs if one.source[:2] in codes]
        every = [note for note, _ in some]
        show(f"{language}, rules", every, [read(note.text) for note in every])
        show(f"{language}, weights", every, [kept(reading, sure, told) for _, reading in some])


if __name__ == "__main__":
    main()
