"""Find the names that a text mentions, and whether another text has them too, however it writes
them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from treering.consolidate.summaries.terms import EXTENSIONS, LONGEST_TERM, tells
from treering.text.mentions import entities, identifiers
from treering.text.stems import stem
from treering.text.words import folded, parts

_KEPT = 2_048  # texts that are kept: a group is read several times
_DIGITS = frozenset("0123456789")
_AROUND = ".,;:!?()[]{}\"'`*\u2026"  # a word
_LONG = 4  # letters of a word in a name that a hyphen joins
_ALIKE = 5  # letters that two forms of a name begin with: Postgres, PostgreSQL


class Said(NamedTuple):
    """A text, for looking up whether it has a name."""

    low: str
    words: frozenset[str]  # in lower case, with the pieces of names in code, and their stems


@lru_cache(_KEPT)
def said(text: str) -> Said:
    words = {*folded(text), *(piece.lower() for piece in parts(text))}
    return Said(" ".join(text.lower().split()), frozenset(words | {stem(word) for word in words}))


@lru_cache(_KEPT)
def names(text: str) -> tuple[str, ...]:
    """Return names in one normal form, the most telling first. Of a path, its file name alone."""
    found = [name for name in entities(text) if len(name) <= LONGEST_TERM and _tells(name)]
    found = [name for name in found if "/" not in name or name.rpartition("/")[2] not in found]
    return tuple(dict.fromkeys([*found, *_joined(text)]))


def _tells(name: str) -> bool:
    return not _DIGITS.isdisjoint(name) or any(map(tells, folded(name)))


def _joined(text: str) -> list[str]:
    """Return joined words that are no name in code: position-ingest, CAMT.053."""
    found = []
    for chunk in text.split():
        name = chunk.strip(_AROUND).lower()
        if not name[:1].isalpha() or len(name) > LONGEST_TERM:
            continue
        pieces = name.replace(".", "-").split("-")
        if len(pieces) < 2 or not all(piece.isalnum() for piece in pieces):
            continue
        long = all(len(piece) >= _LONG and piece.isalpha() for piece in pieces)
        if (long and "-" in name) or pieces[-1].isdecimal():
            found.append(name)
    return found


@lru_cache(_KEPT)
def coded(text: str) -> tuple[str, ...]:
    """Return names in code, codes, paths, flags and versions, as they stand."""
    return tuple(mention.text for mention in identifiers(text))


def has(text: Said, name: str) -> bool:
    """Tell whether a text has a name: code by all of its words, other names by half of them. Of a
    person, one name is enough."""
    if not name.isascii() or name in text.low:
        return name in text.low
    pieces = [piece for piece in (part.lower() for part in parts(name)) if piece not in EXTENSIONS]
    if not _DIGITS.isdisjoint(name):
        return all(piece in text.words for piece in pieces)
    pieces = [piece for piece in pieces if len(piece) > 1] or [name]
    found = sum(_found(piece, text) for piece in pieces)
    return 2 * found >= len(pieces) if name.replace(" ", "").isalpha() else found == len(pieces)


def _found(word: str, text: Said) -> bool:
    if word in text.words or stem(word) in text.words:
        return True
    return len(word) >= _ALIKE and any(other.startswith(word) or _begins(word, other) for other in text.words)


def _begins(word: str, other: str) -> bool:
    return len(other) >= _ALIKE and word.startswith(other)
