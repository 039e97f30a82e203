"""How good a ranking is. Every measure lies between 0 and 1, and looks at the first ten."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import log2
from statistics import fmean
from typing import NamedTuple

DEPTH = 10  # what an agent reads at the most


class Score(NamedTuple):
    r5: float  # the share of the relevant among the first five
    r10: float
    ndcg: float  # binary gains, discounted by log2(1 + rank), over those of the best ranking there could be
    mrr: float  # 1 / the rank of the first that is relevant; 0 if it is not among the ten


NOTHING = Score(0.0, 0.0, 0.0, 0.0)


def score(found: Sequence[str], relevant: Collection[str]) -> Score:
    """How good one ranking is, for a query that has an answer."""
    ranks = [rank for rank, id in enumerate(found[:DEPTH], 1) if id in relevant]
    best = sum(1 / log2(1 + rank) for rank in range(1, min(DEPTH, len(relevant)) + 1))
    return Score(
        sum(rank <= 5 for rank in ranks) / len(relevant),
        len(ranks) / len(relevant),
        sum(1 / log2(1 + rank) for rank in ranks) / best,
        1 / ranks[0] if ranks else 0.0,
    )


def mean(scores: Iterable[Score]) -> Score:
    """The mean over queries; nothing if there are none."""
    columns = list(zip(*scores, strict=True))
    return Score(*map(fmean, columns)) if columns else NOTHING


def share(cases: Sequence[bool]) -> float | None:
    """How many of some cases are so; None if there are none."""
    return sum(cases) / len(cases) if cases else None
