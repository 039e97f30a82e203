"""Make rows for training of labelled notes: which of their words are names, and how two names are related."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.graph.labels import HERE, Named, Note, Related, notes, plain
from benchmarks.judgement import labels
from benchmarks.judgement.fit import Row
from benchmarks.judgement.graph import names, relations
from treering.graph.entities.shapes import Token, tokens

PHRASES = Path(__file__).parent / "phrases.txt"
_PARTS = 4  # of the notes of benchmarks/graph, each a source of its own
_PHRASED = 0.5  # what a phrase counts, to 1 for a pair of a note
_TAILS = (".", ", so be careful.", " now.", " since May.", " as well.", "; that is all.")
_KNOWN = frozenset(("tool", "library", "project", "person", "concept"))  # types of names that a store knows again
_COVERED = 0.6  # of a token that a name covers, so that the token counts as named


class Labelled(NamedTuple):
    """A note and where it is from."""

    source: str
    note: Note
    known: dict[str, str]  # what a store would know from the notes before


def labelled(*, last: bool = False) -> list[Labelled]:
    """Return all labelled notes: those for training and choosing, or those for the last measurement."""
    found: list[Labelled] = []
    known: dict[str, dict[str, str]] = {}
    for source, row in labels.rows("notes", last=last):
        named = {one["name"]: _named(one["name"], one["type"]) for one in row["entities"]}
        ends = [(named[one["from"]], one["type"], named[one["to"]]) for one in row["relations"]]
        told = tuple(Related(one, (type,), other, False) for one, type, other in ends)
        seen = known.setdefault(source, {})
        found.append(Labelled(source, Note(source, row["text"], tuple(named.values()), told), dict(seen)))
        seen |= {plain(name): one.types[0] for name, one in named.items() if one.types[0] in _KNOWN and " " not in name}
    if not last:
        for note in notes(os.path.join(HERE, "train.jsonl")):
            found.append(Labelled(f"graph {int(note.id[1:]) % _PARTS}", note, {}))
    return found


def _named(name: str, type: str) -> Named:
    return Named(name, frozenset((plain(name),)), (type,), False)


class Spot(NamedTuple):
    """Where a labelled name stands."""

    first: int
    last: int
    label: Named


def spots(note: Note, found: Sequence[Token]) -> list[Spot]:
    """Return every place of every labelled name, the longest first where they overlap."""
    taken: set[int] = set()
    spotted: list[Spot] = []
    every = [(name, label) for label in note.entities for name in sorted(label.names)]
    for name, label in sorted(every, key=lambda one: -len(one[0])):
        for start, end in _occurrences(note.text.lower(), name):
            inside = [at for at, token in enumerate(found) if _is_named(token, start, end)]
            if inside and taken.isdisjoint(inside):
                taken.update(inside)
                spotted.append(Spot(inside[0], inside[-1] + 1, label))
    return sorted(spotted, key=lambda one: one.first)


def _occurrences(text: str, name: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)" if name else r"\Z(?!\Z)", text):
        yield match.start(), match.end()


def _is_named(token: Token, start: int, end: int) -> bool:
    if token.start >= end or token.end <= start:
        return False
    return (token.start >= start - 1 and token.end <= end + 1) or end - start >= _COVERED * (token.end - token.start)


def name_rows(*, last: bool = False) -> list[Row]:
    """Return every token of every note, and whether a name begins there, goes on, or neither."""
    rows = []
    for source, note, known in labelled(last=last):
        words = names.Words(tokens(note.text), known)
        label, optional = _token_labels(note, words.tokens)
        for at in names.candidates(words):
            weight = 0.0 if at in optional else 1.0
            rows.append(Row(source, names.features(words, at), label.get(at, ""), weight))
    return rows


def _token_labels(note: Note, found: Sequence[Token]) -> tuple[dict[int, str], set[int]]:
    label: dict[int, str] = {}
    optional: set[int] = set()
    for first, last, named in spots(note, found):
        if named.optional or last - first > names.LONGEST:
            optional.update(range(first, last))
            continue
        label[first] = named.types[0]
        label |= dict.fromkeys(range(first + 1, last), names.INSIDE)
    return label, optional


def relation_rows(*, last: bool = False) -> list[Row]:
    """Return every pair of labelled names of every note, and how they are related; and the phrases."""
    rows = []
    every = labelled(last=last)
    for source, note, _ in every:
        found = tokens(note.text)
        spotted = spots(note, found)
        pairs = relations.Names(found, [_as_read(one) for one in spotted])
        for pair in pairs.pairs():
            one, other = spotted[pair.first].label, spotted[pair.second].label
            if one is other or not relations.holds(pair):
                continue
            label, weight = _relation(note, one, other)
            rows.append(Row(source, relations.features(pairs, pair), label, weight))
    return rows if last else [*rows, *_phrase_rows(every)]


def _as_read(spot: Spot) -> names.Named:
    return names.Named(spot.first, spot.last, spot.label.name, spot.label.types[0], 1.0)


def _relation(note: Note, one: Named, other: Named) -> tuple[str, float]:
    """Return the label of two names, and what it counts."""
    found = [told for told in note.relations if {told.source.name, told.target.name} == {one.name, other.name}]
    if not found:
        return "", 0.0 if one.optional or other.optional else 1.0
    told = min(found, key=lambda related: related.optional)
    way = "" if told.types[0] in relations.MUTUAL else relations.ONWARD if told.source is one else relations.BACK
    return told.types[0] + way, 0.0 if told.optional else 1.0


def _phrase_rows(every: Sequence[Labelled]) -> Iterator[Row]:
    """Yield the phrases, each with types of names that stand in such a relation, once bare and once in a sentence."""
    drawn = random.Random(0)  # the same each time, so that the weights are
    ends: dict[str, list[tuple[str, str]]] = {}
    for _, note, _ in every:
        for told in note.relations:
            ends.setdefault(told.types[0], []).append((told.source.types[0], told.target.types[0]))
    anything = [pair for pairs in ends.values() for pair in pairs]
    for type, onward, said in phrases():
        for tail in ("", drawn.choice(_TAILS)):
            source, target = drawn.choice(ends.get(type, anything))
            kinds = {"A": source, "B": target} if onward else {"A": target, "B": source}
            yield from _phrase_row(type, onward, said + ("" if said[-1] in ".?" else tail), kinds)


def phrases() -> Iterator[tuple[str, bool, str]]:
    """Yield each phrase with its type, and whether it goes from A to B."""
    for line in PHRASES.read_text("utf-8").replace("\n  ", " ").splitlines():
        head, _, body = line.partition(": ")
        if body and not line.startswith("#"):
            type, way, _ = head.split()
            for said in body.split(" / "):
                yield type, way == "ab", said if re.search(r"\bB\b", said) else f"A {said} B"


def _phrase_row(type: str, onward: bool, said: str, kinds: dict[str, str]) -> Iterator[Row]:
    found = tokens(said)
    ends = [(at, token.text) for at, token in enumerate(found) if token.text in kinds]
    pairs = relations.Names(found, [names.Named(at, at + 1, end, kinds[end], 1.0) for at, end in ends])
    for pair in pairs.pairs():
        if not relations.holds(pair):
            continue
        way = relations.ONWARD if onward is (ends[0][1] == "A") else relations.BACK
        label = "" if type == "none" else type if type in relations.MUTUAL else type + way
        yield Row("phrases", relations.features(pairs, pair), label, _PHRASED)
