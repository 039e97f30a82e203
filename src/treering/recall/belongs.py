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

PARTS = ("keyword", "vector", "learned", "prior", "graph", "relation", "neighbours", "likeness")

Truths = NDArray[np.bool_]


class Evidence(NamedTuple):
    """What is known of the leading hits of one query, and of the query."""

    scores: Scores  # of the hits
    parts: Scores  # what each of `PARTS` (row) gave to each hit
    first: Scores  # one over the rank of each hit by words and by meaning (rows); 0 if these did not find it
    traits: Scores  # of each hit (row): that it is older than another, and `ranking.Merits.traits`
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
    share, rank, long = seen.scores / top, np.log1p(np.arange(len(seen.scores))) / 2, np.log1p(seen.words) / 6
    drop = np.zeros_like(share)
    drop[1:] = share[:-1] - share[1:]
    keyword, vector, learned, prior, *others = np.minimum(np.maximum(seen.parts, -2.0), 2.0)
    best = float(seen.cover.max(initial=0.0))
    unusual = _unusual(seen)
    columns = (
        *(rank, share, drop, keyword, vector, *others, learned + prior),
        *(seen.cover, seen.cover / max(best, 1e-6), seen.rarest, seen.cosines, unusual, seen.usual[2] - seen.cosines),
        *(*seen.first, np.sqrt(seen.first[0] * seen.first[1]), long, *seen.traits.T),
        *(many, text, best, seen.known, asked),
        *(share * many, seen.cover * many, rank * many, share * best, rank * best, share * long),
        *(unusual * best, vector * many),
    )
    rows = np.empty((len(HIT), len(share)))
    for row, column in zip(rows, columns, strict=True):
        row[:] = column
    return rows.T


def of_query(seen: Evidence) -> Scores:
    """Return what is looked at of a query: a number for each name in `QUERY`."""
    top, many, text, asked = _query_numbers(seen)
    cover, rarest, cosine = (float(part[:HEARD].max(initial=0.0)) for part in (seen.cover, seen.rarest, seen.cosines))
    last = float(seen.scores[: HEARD + 2][-1])
    both = sqrt(float((seen.first[0] * seen.first[1])[:HEARD].max(initial=0.0)))
    unusual = max(0.0, float(_unusual(seen)[:HEARD].max(initial=0.0)))
    numbers = (seen.known, seen.strange, cover, rarest, cosine, unusual, top / 2, 1 - last / top, both)
    return np.array(
        [*numbers, many, text, asked, cosine * many, cover * many, seen.known * many, seen.known * cosine], np.float64
    )


def _query_numbers(seen: Evidence) -> tuple[float, float, float, float]:
    """Return the best score, and how many memories, remembered words and asked words there are, all near 1."""
    top = max(float(seen.scores.max(initial=0.0)), 1e-6)
    return top, log1p(seen.size) / 8, log1p(seen.text) / 10, log1p(seen.asked) / 3


def covered(weights: Scores, holds: Truths) -> tuple[Scores, Scores]:
    """Return the share of the asked words that each hit holds by weight, and of the rarest that it holds.

    `holds` has a row for each word.
    """
    if not len(weights) or weights.sum() <= 0:
        return np.zeros(holds.shape[1]), np.zeros(holds.shape[1])
    return weights @ holds / weights.sum(), (weights[:, None] * holds).max(axis=0) / weights.max()


def _unusual(seen: Evidence) -> Scores:
    """Return by how many deviations each hit is nearer to the query than the candidates are."""
    mean, deviation, _ = seen.usual
    return np.minimum(np.maximum((seen.cosines - mean) / (deviation + 0.02) / 4, -1.0), 2.0)


class _Linear(NamedTuple):
    weights: Scores
    bias: float

    def chance(self, rows: Scores) -> Scores:
        sure = np.minimum(np.maximum(rows @ self.weights + self.bias, -_SURE), _SURE)
        return np.asarray(1 / (1 + np.exp(-sure)), np.float64)


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
