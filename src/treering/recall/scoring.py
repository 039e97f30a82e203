"""Scores of candidates: pure functions from what a query asks and what texts hold to numbers.

The forms and constants were found on conversations of single turns, of whole sessions, and of coding work; what each
one is worth there stands in docs/decisions/0011-recall.md. `make bench-recall` measures the whole.
"""

from __future__ import annotations

from math import log1p

import numpy as np

from treering.core.index import PASSAGE
from treering.core.tuples import NamedTuple
from treering.recall.profile.cells import unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from treering.core.index import Place
    from treering.core.ports import Matrix
    from treering.recall.profile.shelf import Candidates

    Scores = NDArray[np.float64]
    Links = Mapping[int, Mapping[int, float]]  # from each memory to others, and how strong

SATURATION = 1.2  # BM25's k1: how soon a word said again adds no more; from 0.9 to 2 nothing changes
PAIR = 0.5  # two words of the query side by side in the text count as half a word of that rarity
SENTENCE = 0.5  # the share of the best sentence in the likeness of a text; the rest is the text as a whole
LEADERS = 2  # the best hits, to which the others are compared
LIKENESS = 1.0  # what likeness to the leaders adds at most, where they are long texts
NEIGHBOUR = 0.4  # the share of its better neighbour's score that a short text gets
COMPANY = 0.1  # the share of the score of one that it was often recalled with
LEAST_RANGE = 0.1  # of likeness, from the typical to the nearest: less is noise, not to be stretched to a full share
FEW = 100  # candidates; a smaller store is all candidates, and what is typical there can be seen directly
_TINY = 1e-9


class Term(NamedTuple):
    """A word of the query as the store knows it."""

    word: str
    stem: int
    rarity: float


def rarity(holding: float, size: int) -> float:
    """The weight of what so many of a store's memories hold. Never negative, so that it is sound in tiny stores."""
    holding = min(max(holding, 0.0), size)
    return log1p((size - holding + 0.5) / (holding + 0.5))


def brevity(candidates: Candidates) -> Scores:
    """1 for a passage or less, towards 0 for a long text."""
    return np.minimum(1.0, PASSAGE / np.maximum(candidates.words, 1))


def occurrences(candidates: Candidates, terms: Sequence[Term]) -> NDArray[np.int64]:
    """How often each term (row) is in each text (column)."""
    size = len(candidates.numbers)
    found = [np.bincount(candidates.owners[candidates.stems == term.stem], minlength=size) for term in terms]
    return np.array(found, np.int64).reshape(len(terms), size)


def keyword(
    candidates: Candidates, terms: Sequence[Term], often: NDArray[np.int64], pairs: Sequence[tuple[int, int]],
    typical_length: float, size: int,
) -> Scores:  # fmt: skip
    """BM25 in which no text gains by being shorter than a passage, with a bonus for words side by side."""
    weights = np.array([term.rarity for term in terms])
    lengths = np.maximum(candidates.words, PASSAGE) / max(typical_length, PASSAGE)
    scores = weights @ (often * (SATURATION + 1) / (often + SATURATION * lengths)) if len(terms) else 0 * lengths
    stems, owners = candidates.stems, candidates.owners
    for first, second in pairs:
        beside = (stems[:-1] == first) & (stems[1:] == second) & (owners[:-1] == owners[1:])
        holders = np.unique(owners[:-1][beside])
        scores[holders] += PAIR * rarity(len(holders), size)
    return np.asarray(scores, np.float64)


def timely(closeness: Scores, size: int) -> Scores:
    """A window of time as one more word of the query: the fewer memories lie in it, the more it says."""
    return rarity(max(1.0, float(closeness.mean()) * size), size) * closeness if closeness.size else closeness


def likeness(candidates: Candidates, query: Matrix) -> tuple[Scores, Scores]:
    """How near each text is to the query, whole and best sentence together; and the sentence alone."""
    whole = candidates.vectors @ query
    best = whole.copy()
    if len(candidates.sentences):
        each = (candidates.sentences.astype(np.float32) @ query) / candidates.lengths
        starts = np.flatnonzero(np.r_[True, np.diff(candidates.sources) > 0])
        best[candidates.sources[starts]] = np.maximum.reduceat(each, starts)
    return np.asarray((1 - SENTENCE) * whole + SENTENCE * best, np.float64), np.asarray(best, np.float64)


def typical(places: Sequence[Place], query: Matrix) -> float:
    """The likeness of the average memory: the middle from which nearness counts."""
    norms = sum(place.norms for place in places if place.total)
    if not norms:
        return 0.0
    return float(sum(np.frombuffer(place.total, np.int32) @ query for place in places if place.total) / norms)


def relative(scores: Scores, best: Scores, middle: float, size: int) -> Scores:
    """Likeness as a share of the way from the typical memory of the store to the nearest one."""
    if not scores.size:
        return scores
    if size <= FEW:
        middle = float(scores.sum()) / (
            len(scores) + 1
        )  # as if one had nothing to do with it: few are not their own middle
    else:
        lower = np.sort(best)[: max(1, len(best) // 2)]
        middle = (1 - SENTENCE) * middle + SENTENCE * float(lower.mean())
    # One that is far from all takes away no more than the nearest is given.
    return np.maximum(-1.0, (scores - middle) / max(float(scores.max()) - middle, LEAST_RANGE))


def share(scores: Scores) -> Scores:
    """Scores as a share of the best."""
    return scores / max(float(scores.max(initial=0.0)), _TINY)


def alike(candidates: Candidates, scores: Scores, places: Sequence[Place]) -> Scores:
    """What likeness to the leaders adds: much where these are long texts, which say more than the query asked."""
    top = np.argsort(-scores, kind="stable")[:LEADERS]
    room = 1 - brevity(candidates)[top]
    weights = np.maximum(scores[top], 0) * room
    if weights.sum() <= 0:
        return np.zeros_like(scores)
    direction = unit((candidates.vectors[top] * weights[:, None]).sum(axis=0, keepdims=True))[0]
    middle = typical(places, direction)
    near = (candidates.vectors @ direction - middle) / max(1 - middle, _TINY)
    return np.asarray(LIKENESS * room.mean() * near, np.float64)


def neighbourly(candidates: Candidates, scores: Scores, links: Links) -> Scores:
    """What short texts get from the better of the two beside them in their session: an answer follows its question."""
    return NEIGHBOUR * brevity(candidates) * _best(candidates, scores, links)


def sociable(candidates: Candidates, scores: Scores, links: Links) -> Scores:
    """What memories get from those that they were often recalled with."""
    return COMPANY * _best(candidates, scores, links)


def _best(candidates: Candidates, scores: Scores, links: Links) -> Scores:
    """For each, the best score among those it is linked to, by the strength of the link; none below zero."""
    best = np.zeros_like(scores)
    if not links or not len(scores):
        return best
    ones = np.repeat(np.array(list(links)), [len(others) for others in links.values()])
    others = np.array([other for near in links.values() for other in near])
    strengths = np.array([strength for near in links.values() for strength in near.values()])
    order = np.argsort(candidates.numbers)
    numbers = candidates.numbers[order]
    to, source = (np.minimum(np.searchsorted(numbers, column), len(numbers) - 1) for column in (ones, others))
    known = (numbers[to] == ones) & (numbers[source] == others)
    np.maximum.at(best, order[to[known]], strengths[known] * scores[order[source[known]]])
    return best
