"""Make texts findable in PostgreSQL: the same stems as in SQLite, scored by the same BM25.

A dictionary of PostgreSQL would stem otherwise, and its ranking knows no BM25; and a store that was
moved is to find what it found before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from treering.stores.sqlite.schema import FIELD_WEIGHTS
from treering.stores.sqlite.tokens import stems_in

Hits = dict[int, tuple[float, int]]  # of a memory: how often it holds a term, by weight of its field, and its length

_LABELS = "ABCD"  # of a tsvector, for the fields in their order
_LAST = 16_382  # the last place that a tsvector can tell from others
_MOST = 250  # places of one stem that it keeps
_LARGEST = 800_000  # bytes of a tsvector, which may have 1 MB
_LONGEST = 200  # characters of a stem: no word is so long

_K1, _B = 1.2, 0.75  # of BM25, as FTS5 has them
_LEAST = 1e-6  # the weight of a term that nearly all hold


class Indexed(NamedTuple):
    """A text as the index holds it."""

    terms: str  # a tsvector
    hits: dict[str, float]  # how often each stem occurs, by the weights of the fields
    length: int  # words in all fields


def phrase(term: str) -> tuple[str, ...]:
    """Return the stems of a term, which may be several words side by side."""
    return tuple(stem[:_LONGEST] for stem in stems_in(term))


def indexed(texts: Sequence[str]) -> Indexed:
    """Return what the index holds of the fields of a memory."""
    hits: dict[str, float] = {}
    places: dict[str, list[str]] = {}
    at = length = size = 0
    for label, weight, text in zip(_LABELS, FIELD_WEIGHTS, texts, strict=True):
        stems = phrase(text)
        for stem in stems:
            at += 1
            hits[stem] = hits.get(stem, 0.0) + weight
            known = places.get(stem)
            if at <= _LAST and size < _LARGEST and (known is None or len(known) < _MOST):
                places.setdefault(stem, []).append(f"{at}{label}")
                size += 8 + (4 * len(stem) if known is None else 0)
        at += 1  # no phrase goes on from one field into the next
        length += len(stems)
    terms = " ".join(f"{_quoted(stem)}:{','.join(where)}" for stem, where in places.items())
    return Indexed(terms, hits, length)


def tsquery(stems: Iterable[str]) -> str:
    """Return the query for stems side by side."""
    return " <-> ".join(map(_quoted, stems))


def _quoted(stem: str) -> str:
    return "'" + stem.replace("\\", "\\\\").replace("'", "''") + "'"


def frequency(stems: Sequence[str], where: Mapping[str, tuple[Sequence[int], Sequence[str]]]) -> float:
    """Return how often stems stand side by side, by the weights of the fields, from the places of each."""
    first = zip(*where[stems[0]], strict=True) if stems[0] in where else ()
    others = [set(where[stem][0]) if stem in where else set() for stem in stems[1:]]
    return sum(
        FIELD_WEIGHTS[_LABELS.index(label)]
        for at, label in first
        if all(at + step in places for step, places in enumerate(others, 1))
    )


def relevance(mean: float) -> str:
    """Return what of BM25 ranks the memories that hold one term, as SQL. A number with a point would be a decimal one,
    which takes several times as long."""
    return f"hits / (hits + '{_K1}'::float8 * ('{1 - _B}'::float8 + '{_B / max(mean, 1e-9)}'::float8 * length))"


def scores(found: Sequence[tuple[int, Hits]], texts: int, length: int) -> dict[int, float]:
    """Return the BM25 of memories: for each term how many hold it, and the hits of those that are wanted."""
    mean = length / texts if texts else 1.0
    total: dict[int, float] = {}
    for holding, hits in found:
        rarity = max(log((texts - holding + 0.5) / (holding + 0.5)), _LEAST) if texts >= holding else _LEAST
        for number, (often, size) in hits.items():
            score = rarity * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * size / mean))
            total[number] = total.get(number, 0.0) + score
    return total
