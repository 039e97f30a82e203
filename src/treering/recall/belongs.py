"""Judge which hits belong to the answer: how likely each of them is one that was wanted, and whether any is.

What is looked at is how the channels found a hit and whether they agree, which of the query's rare words it holds, how
far it stands behind the first, and what kind of memory it is. The weights are learned from questions whose answers are
known (`make train`); docs/decisions/0032-cutoff.md says from which, and what the floors cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.judge.model import load
from treering.ledger.types import Hit
from treering.recall.scoring import Scores

BELONGS = "belongs"  # the file of weights, and the label of a hit
ANSWERED = "answered"  # the label of a query
HEARD = 3  # leading hits by which it is judged whether a query is answered at all
# The share of what belongs that an answer may be expected to leave out. Where there is more to read, what belongs is
# harder to tell, and half of what would be cut is wanted: so the share falls with the square of the words remembered.
MOST_LEFT, LEAST_LEFT = 0.15, 0.004
FEW_WORDS = 700  # of a store of a dozen facts, none of which counts with less than a passage
WHOLE = 0.999  # of the weight of all words that are asked for
_SURE = 30.0  # the logarithm of odds beyond which a probability is certain

_PARTS = ("keyword", "vector", "learned", "prior", "graph", "relation", "neighbours", "likeness")

Truths = NDArray[np.bool_]


class Evidence(NamedTuple):
    """What is known of the leading hits of one query, and of the query."""

    hits: Sequence[Hit]
    asked: int  # words that tell what is asked for
    cover: Scores  # the share of these that each hit holds, by weight: the rarer a word, the more
    rarest: Scores  # the weight of the rarest that it holds, as a share of that of the rarest of all
    cosines: Scores  # of each hit and the query
    usual: tuple[float, float, float]  # cosine: the mean of all candidates, their deviation, and the highest
    words: NDArray[np.int64]  # in each hit
    known: float  # how much of what is asked for was ever heard of, as `ranking.confidence` tells
    strange: float  # the share of the asked words that no memory holds
    size: int  # memories
    text: int  # words of all of them


HIT = (
    *("rank", "share", "drop", "keyword", "vector", "graph", "relation", "neighbours", "likeness", "learned"),
    *("cover", "of the best cover", "rarest", "cosine", "unusual", "below the nearest"),
    *("first by words", "first by meaning", "first by both", "length", "older", "story", "agent", "outside"),
    *("invariant", "useful", "used", "size", "text", "best cover", "known", "asked"),
    *("share of many", "cover of many", "rank of many", "share if covered", "rank if covered", "share of long"),
    *("unusual, covered", "vector of many"),
)
QUERY = (
    *("known", "strange", "cover", "rarest", "cosine", "unusual", "score", "margin", "first by both"),
    *("size", "text", "asked", "cosine of many", "cover of many", "known of many", "known, near"),
)


def of_hits(seen: Evidence) -> Scores:
    """Return what is looked at of each hit: a column for each name in `HIT`."""
    top, many, text, asked = _query_numbers(seen)
    covers = seen.cover.tolist()
    best = max(covers, default=0.0)
    mean, deviation, nearest = seen.usual
    last = seen.hits[0].score / top if seen.hits else 0.0
    rows = []
    for at, (hit, cover, rarest, cosine, words) in enumerate(
        zip(seen.hits, covers, seen.rarest.tolist(), seen.cosines.tolist(), seen.words.tolist(), strict=True)
    ):
        memory, part = hit.memory, hit.why.parts.get
        keyword, vector, learned, prior, *others = [min(max(part(name, 0.0), -2.0), 2.0) for name in _PARTS]
        share, long = hit.score / top, log1p(words) / 6
        rank = log1p(at) / 2
        by_words, by_meaning = _first(hit, "keyword"), _first(hit, "vector")
        unusual = _unusual(cosine, mean, deviation)
        rows.append(
            (
                *(rank, share, last - share, keyword, vector, *others, learned + prior),
                *(cover, cover / max(best, 1e-6), rarest, cosine, unusual, nearest - cosine),
                *(by_words, by_meaning, sqrt(by_words * by_meaning), long),
                *(bool(hit.why.older_than), memory.type == "episodic"),
                *(memory.trust == "agent", memory.trust == "external"),
                *(memory.invariant, memory.q - 0.5, log1p(memory.accesses) / 3),
                *(many, text, best, seen.known, asked),
                *(share * many, cover * many, rank * many, share * best, rank * best, share * long),
                *(unusual * best, vector * many),
            )
        )
        last = share
    return np.array(rows, np.float64).reshape(-1, len(HIT))


def of_query(seen: Evidence) -> Scores:
    """Return what is looked at of a query: a number for each name in `QUERY`."""
    top, many, text, asked = _query_numbers(seen)
    heard = seen.hits[:HEARD]
    cover, rarest, cosine = (float(part[:HEARD].max(initial=0.0)) for part in (seen.cover, seen.rarest, seen.cosines))
    last = seen.hits[min(len(seen.hits), HEARD + 2) - 1].score
    both = max((sqrt(_first(hit, "keyword") * _first(hit, "vector")) for hit in heard), default=0.0)
    unusual = max((_unusual(one, *seen.usual[:2]) for one in seen.cosines[:HEARD].tolist()), default=0.0)
    numbers = (seen.known, seen.strange, cover, rarest, cosine, max(0.0, unusual), top / 2, 1 - last / top, both)
    return np.array(
        [*numbers, many, text, asked, cosine * many, cover * many, seen.known * many, seen.known * cosine], np.float64
    )


def _query_numbers(seen: Evidence) -> tuple[float, float, float, float]:
    """Return the best score, and how many memories, remembered words and asked words there are, all near 1."""
    top = max(max((hit.score for hit in seen.hits), default=0.0), 1e-6)
    return top, log1p(seen.size) / 8, log1p(seen.text) / 10, log1p(seen.asked) / 3


def covered(weights: Scores, holds: Truths) -> tuple[Scores, Scores]:
    """Return the share of the asked words that each hit holds by weight, and of the rarest that it holds.

    `holds` has a row for each word.
    """
    if not len(weights) or weights.sum() <= 0:
        return np.zeros(holds.shape[1]), np.zeros(holds.shape[1])
    return weights @ holds / weights.sum(), (weights[:, None] * holds).max(axis=0) / weights.max()


def _unusual(cosine: float, mean: float, deviation: float) -> float:
    """Return by how many deviations a hit is nearer to the query than the candidates are."""
    return min(max((cosine - mean) / (deviation + 0.02) / 4, -1.0), 2.0)


def _first(hit: Hit, channel: str) -> float:
    """Return one over the rank that a hit has in a channel."""
    found = hit.why.channels.get(channel)
    return 1 / found.rank if found else 0.0


class _Linear(NamedTuple):
    weights: Scores
    bias: float

    def chance(self, rows: Scores) -> Scores:
        return np.asarray(1 / (1 + np.exp(-np.clip(rows @ self.weights + self.bias, -_SURE, _SURE))), np.float64)


@cache
def _linear(label: str, names: tuple[str, ...]) -> _Linear:
    weights, bias = load(BELONGS).dense(label, [f"{label}: {name}" for name in names])
    return _Linear(np.array(weights), bias)


def answered(seen: Evidence) -> float:
    """Return how sure it is, from 0 to 1, that anything belongs. At `Mix.silent` a point of what is found is lost."""
    return float(_linear(ANSWERED, QUERY).chance(of_query(seen)))


def chances(seen: Evidence) -> Scores:
    """Return how likely it is that each hit belongs, if any does."""
    return _linear(BELONGS, HIT).chance(of_hits(seen))


def usual_floor(text: int) -> float:
    """Return the share of what belongs that may be left out, where so many words are remembered."""
    return max(LEAST_LEFT, MOST_LEFT * min(1.0, FEW_WORDS / max(text, 1)) ** 2)


def shown(likely: Scores, floor: float, covers: Scores) -> int:
    """Return how many hits to show: all but the last ones that together hold less than this share of what belongs.

    One that holds every word that is asked for is none of these.
    """
    if not len(likely) or floor <= 0:
        return len(likely)
    behind = list(accumulate(likely[::-1].tolist()))[-2::-1]  # what those behind each of the first hold
    most = floor * float(likely.sum())
    last = next((at for at, left in enumerate(behind) if left < most), len(behind))
    whole = [at for at, cover in enumerate(covers[: len(likely)].tolist()) if cover >= WHOLE]
    return max(last, *whole[-1:], 0) + 1


def named(label: str, names: Sequence[str], numbers: Scores) -> Mapping[str, float]:
    """Return numbers with the names under which they are weighed."""
    return {f"{label}: {name}": float(number) for name, number in zip(names, numbers, strict=True)}
