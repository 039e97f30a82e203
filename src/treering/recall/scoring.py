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
from treering.recall.weights import Mix

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
LEADERS = 2  # the best hits, to which the others are compared
LEAST_RANGE = 0.1  # of likeness, from the typical to the nearest: less is noise, not to be stretched to a full share
RANKED = 60  # how gently a rank falls off: the usual constant of reciprocal-rank fusion
FEW = 100  # candidates; a smaller store is all candidates, and what is typical there can be seen directly
OCCASION = 3_600_000_000  # microseconds: an hour, within which what is told belongs together
OCCASIONAL = 0.3  # of what a memory has learned, for those of its occasion
# What it counts to be like those that answered. With none of it conversations gain half a point less, with twice as
# much they lose as much again.
KIN = 2.0
CONVINCING = 0.5  # what lessons must say to be believed by half: one that asked much the same
MODEST = 0.2  # of the best score, that the kind of a memory gives or takes at most
LEFT = 0.05  # of its score, that nothing learned can take from a relevant memory
_TINY = 1e-9
_USUAL = Mix()


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


def likeness(candidates: Candidates, query: Matrix, mix: Mix = _USUAL) -> tuple[Scores, Scores]:
    """How near each text is to the query, whole and best sentence together; and the sentence alone."""
    whole = candidates.vectors @ query
    best = whole.copy()
    if len(candidates.sentences):
        each = (candidates.sentences.astype(np.float32) @ query) / candidates.lengths
        starts = np.flatnonzero(np.r_[True, np.diff(candidates.sources) > 0])
        best[candidates.sources[starts]] = np.maximum.reduceat(each, starts)
    return np.asarray((1 - mix.sentence) * whole + mix.sentence * best, np.float64), np.asarray(best, np.float64)


def typical(places: Sequence[Place], query: Matrix) -> float:
    """The likeness of the average memory: the middle from which nearness counts."""
    norms = sum(place.norms for place in places if place.total)
    if not norms:
        return 0.0
    return float(sum(np.frombuffer(place.total, np.int32) @ query for place in places if place.total) / norms)


def relative(scores: Scores, best: Scores, middle: float, size: int, mix: Mix = _USUAL) -> Scores:
    """Likeness as a share of the way from the typical memory of the store to the nearest one."""
    if not scores.size:
        return scores
    if size <= FEW:
        middle = float(scores.sum()) / (
            len(scores) + 1
        )  # as if one had nothing to do with it: few are not their own middle
    else:
        lower = np.sort(best)[: max(1, len(best) // 2)]
        middle = (1 - mix.sentence) * middle + mix.sentence * float(lower.mean())
    # One that is far from all takes away no more than the nearest is given.
    return np.maximum(-1.0, (scores - middle) / max(float(scores.max()) - middle, LEAST_RANGE))


def share(scores: Scores) -> Scores:
    """Scores as a share of the best."""
    return scores / max(float(scores.max(initial=0.0)), _TINY)


def ranked(scores: Scores) -> Scores:
    """Reciprocal ranks of what was found, as a share of the best."""
    order = np.argsort(np.argsort(-scores, kind="stable"), kind="stable")
    return np.where(scores > 0, (RANKED + 1) / (RANKED + 1 + order), 0.0)


def alike(candidates: Candidates, scores: Scores, places: Sequence[Place], mix: Mix = _USUAL) -> Scores:
    """What likeness to the leaders adds: much where these are long texts, which say more than the query asked."""
    top = np.argsort(-scores, kind="stable")[:LEADERS]
    room = 1 - brevity(candidates)[top]
    weights = np.maximum(scores[top], 0) * room
    if weights.sum() <= 0:
        return np.zeros_like(scores)
    direction = unit((candidates.vectors[top] * weights[:, None]).sum(axis=0, keepdims=True))[0]
    middle = typical(places, direction)
    near = (candidates.vectors @ direction - middle) / max(1 - middle, _TINY)
    return np.asarray(mix.likeness * room.mean() * near, np.float64)


def neighbourly(candidates: Candidates, scores: Scores, links: Links, mix: Mix = _USUAL) -> Scores:
    """What short texts get from the better of the two beside them in their session: an answer follows its question."""
    return mix.neighbour * brevity(candidates) * _best(candidates, scores, links)


def sociable(candidates: Candidates, scores: Scores, links: Links, mix: Mix = _USUAL) -> Scores:
    """What memories get from those that they were often recalled with."""
    return mix.company * _best(candidates, scores, links)


def answered(candidates: Candidates, spoken: Mapping[int, float], places: Sequence[Place]) -> Scores:
    """What it gives to have answered questions like this one, from -1 to 1. A share of it goes to what was told on the
    same occasion, and to what is like those that answered."""
    own = np.array([spoken.get(number, 0.0) for number in candidates.numbers.tolist()])
    sources = np.flatnonzero(own > 0)
    beside = np.abs(candidates.created[:, None] - candidates.created[sources]) <= OCCASION
    beside &= candidates.numbers[:, None] != candidates.numbers[sources]
    told = own + OCCASIONAL * (beside @ own[sources])
    kin = _kin(candidates, own[sources], sources, places) if len(sources) else 0.0
    return np.asarray(np.clip(told / (np.abs(told) + CONVINCING) + KIN * kin, -1.0, 1.0), np.float64)


def _kin(candidates: Candidates, amounts: Scores, sources: NDArray[np.intp], places: Sequence[Place]) -> Scores:
    """How much more like some candidates, each by its amount, the others are than the average memory is."""
    norms = sum(place.norms for place in places if place.total)
    if not norms or not candidates.vectors.shape[1]:
        return np.zeros(len(candidates.numbers))
    middle = sum(np.frombuffer(place.total, np.int32) for place in places if place.total) / norms
    apart = candidates.vectors - middle
    direction = amounts @ apart[sources] / (amounts.sum() + CONVINCING)
    return np.asarray(apart @ direction, np.float64)


def modest(prior: Scores, scores: Scores, channels: Sequence[Scores]) -> Scores:
    """What the kind of a memory gives: no more than a share of the best score, and it takes nothing from one that every
    channel puts first."""
    most = MODEST * max(float(scores.max(initial=0.0)), 0.0)
    given = np.clip(prior, -most, most)
    first = {int(one.argmax()) for one in channels if one.size and one.max() > 0}
    if len(first) == 1:
        (place,) = first
        given[place] = max(given[place], 0.0)
    return given


def bounded(scores: Scores, added: Mapping[str, Scores]) -> dict[str, Scores]:
    """What is added, where it takes away no more than leaves a relevant one above those that are not."""
    total = sum(added.values(), np.zeros_like(scores))
    most = -(1 - LEFT) * np.maximum(scores, 0.0)
    share = np.where((total < most) & (scores > 0), most / np.where(total, total, 1.0), 1.0)
    return {name: part * share for name, part in added.items()}


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
