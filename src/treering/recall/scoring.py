"""Score candidates: the weights that may be learned or tuned, and pure functions to numbers.

The default weights serve everywhere; a store may have learned better ones for a project or type of
query. docs/decisions/0011-recall.md says how forms and constants were found; `make bench-recall`
measures the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log1p
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.ledger.codec import data_of
from treering.ledger.events import WEIGHED, Data
from treering.ledger.types import FUSIONS
from treering.recall.index.cells import unit
from treering.recall.index.profiles import Candidates
from treering.stores.port.ledger import EventQuery, Reader
from treering.stores.port.search import PASSAGE, Place

if TYPE_CHECKING:
    from treering.models.port import Matrix


SCORES, RANKS = FUSIONS


class Mix(NamedTuple):
    """The weights of recall. docs/decisions/0011-recall.md says how the values were found."""

    keyword: float = 1.0
    vector: float = 0.6  # from 0.45 to 0.9 all data sets stay within a point
    # Entities. Most of what they find, words find too: with 0.1, conversations lose half a point. It breaks ties.
    graph: float = 0.03
    relation: float = 0.5  # what the names in a query are related to: a memory may speak of nothing else
    neighbour: float = 0.4  # the share of its better neighbour's score that a short text gets
    likeness: float = 1.0  # what likeness to the leaders adds at most, where they are long texts
    company: float = 0.1  # the share of the score of one that it was often recalled with
    sentence: float = 0.5  # the share of the best sentence in the likeness of a text; the rest is the text as a whole
    # Strength and Q order what is about equally relevant: a few hundredths, which is less than one good word. With a
    # tenth for strength, the newest texts crowd out better ones (two points on long conversations).
    strength: float = 0.03
    pace: float = 1.0  # by which half-lives are longer than they are elsewhere
    usefulness: float = 0.2  # what Q counts
    lift: float = 0.2  # what lift counts: as much as Q, of which it is the part that chance has proved
    # What it counts that a memory answered questions like this one: at the most as much as all words of the query. From
    # 0.8 to 1.5 conversations stay within half a point.
    learned: float = 1.0
    # What it counts, for each unit of log-odds, that memories of its kind answer such questions: four to one, which is
    # 1.4, is as much as a quarter of the words. With 0.1 long conversations gain less, with 0.3 short ones do.
    prior: float = 0.2
    # At or below this confidence nothing is said. The learned confidence is moved so that here silence takes 0.4 % of
    # the answered questions of any set (recall/belongs.py).
    silent: float = 0.6
    fusion: str = SCORES

    @property
    def joined(self) -> bool:
        """True if candidates get anything from each other."""
        return bool(self.neighbour or self.likeness or self.company)


class Switches(NamedTuple):
    """Parts of learning. Each can be switched off by itself, so that its effect can be measured."""

    weights: bool = True  # adapting moves the mix of a project and a type of query
    terms: bool = True  # queries that a memory answered help to find it
    company: bool = True  # memories that were of use together find each other
    prior: bool = True  # kinds of memories that answer a type of query come first for it
    q: bool = True  # Q and lift of a memory count


EVERYTHING_LEARNED = Switches()
NOTHING_LEARNED = Switches(False, False, False, False, False)
_UNLEARNED = Mix(0.0, 0.0, 0.0, learned=0.0, prior=0.0)
_ALONE = _UNLEARNED._replace(relation=0.0, neighbour=0.0, likeness=0.0, company=0.0)

# A single channel is what it finds by itself, so that each can be looked at alone.
STRATEGIES = {
    "hybrid": Mix(),
    "keyword": _ALONE._replace(keyword=1.0),
    "vector": _ALONE._replace(vector=1.0),
    "graph": _UNLEARNED._replace(graph=1.0),
    "graph_vector": _UNLEARNED._replace(vector=1.0, graph=0.3),
}


def mix_for(store: Reader, space: str, project: str, type: str, strategy: str = "hybrid") -> Mix:
    """Return the mix of a strategy, as the store has it for a project and a type of query."""
    chosen = STRATEGIES[strategy]
    if strategy != "hybrid":
        return chosen
    weighings = (data_of(event)[1] for event in store.events(EventQuery(kinds=(WEIGHED,), space=space, live=True)))
    return mixed(chosen, weighings, project, type)


def mixed(default: Mix, weighings: Iterable[Data], project: str, type: str) -> Mix:
    """Return a mix after weighings, the oldest first: the nearest fit for each weight, then the latest."""
    fits: dict[tuple[bool, bool], Data] = {}
    for data in weighings:
        where, what = data.get("project", ""), data.get("type", "")
        if where in ("", project) and what in ("", type):
            fits.setdefault((bool(where), bool(what)), {}).update(data["weights"])
    known = {name: value for fit in sorted(fits) for name, value in fits[fit].items()}
    return default._replace(**{name: _read(name, value) for name, value in known.items() if name in Mix._fields})


def _read(name: str, value: Any) -> Any:
    """Return a weight as a mix has it. A fusion is a word."""
    return float(value) if name != "fusion" else RANKS if value == RANKS else SCORES


Scores = NDArray[np.float64]


class Links(NamedTuple):
    """Links from memories to others, side by side."""

    ones: NDArray[np.int64]
    others: NDArray[np.int64]
    strengths: Scores
    both: bool = False  # each link leads both ways

    @classmethod
    def of(cls, links: Mapping[int, Mapping[int, float]]) -> Links:
        """Return links that are known by memory: from each to others, and how strong."""
        listed = [(one, other, strength) for one, others in links.items() for other, strength in others.items()]
        ones, others, strengths = zip(*listed, strict=True) if listed else ((), (), ())
        return cls(np.array(ones, np.int64), np.array(others, np.int64), np.array(strengths, np.float64))

    @classmethod
    def beside(cls, rows: NDArray[np.int64]) -> Links:
        """Return full links, both ways, of rows of a memory and the one before and behind it, or 0 for none."""
        ones, others = rows[:, 0].repeat(2), rows[:, 1:].reshape(-1)
        there = others.nonzero()[0]
        return cls(ones[there], others[there], np.ones(len(there)), both=True)


NO_LINKS = Links.of({})

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
    """Return the weight of what so many memories hold; never negative, so that tiny stores work."""
    holding = min(max(holding, 0.0), size)
    return log1p((size - holding + 0.5) / (holding + 0.5))


def brevity(candidates: Candidates) -> Scores:
    """Return 1 for a passage or less, towards 0 for a long text."""
    return np.minimum(1.0, PASSAGE / np.maximum(candidates.words, 1))


def occurrences(candidates: Candidates, terms: Sequence[Term]) -> NDArray[np.int64]:
    """Return how often each term (row) is in each text (column)."""
    found = np.zeros((len(terms), len(candidates.numbers)), np.int64)
    for row, term in enumerate(terms):
        at = (candidates.stems == term.stem).nonzero()[0]
        if len(at):
            owners = candidates.ends.searchsorted(at, "right")
            found[row] = np.bincount(owners, minlength=found.shape[1])
    return found


def keyword(
    candidates: Candidates, terms: Sequence[Term], often: NDArray[np.int64], pairs: Sequence[tuple[int, int]],
    typical_length: float, size: int,
) -> Scores:  # fmt: skip
    """Compute BM25 without a gain below a passage's length, and a bonus for words side by side."""
    weights = np.array([term.rarity for term in terms])
    lengths = np.maximum(candidates.words, PASSAGE) / max(typical_length, PASSAGE)
    scores = weights @ (often * (SATURATION + 1) / (often + SATURATION * lengths)) if len(terms) else 0 * lengths
    stems, ends = candidates.stems, candidates.ends
    for first, second in pairs:
        at = (stems[:-1] == first).nonzero()[0]
        at = at[stems[at + 1] == second]
        if len(at):
            owners = ends.searchsorted(at, "right")
            holders = np.unique(owners[at + 1 < ends[owners]])
            scores[holders] += PAIR * rarity(len(holders), size)
    return np.asarray(scores, np.float64)


def timely(closeness: Scores, size: int) -> Scores:
    """Score a window of time as one more word: the fewer memories lie in it, the more it says."""
    return rarity(max(1.0, float(closeness.mean()) * size), size) * closeness if closeness.size else closeness


def likeness(candidates: Candidates, query: Matrix, mix: Mix = _USUAL) -> tuple[Scores, Scores]:
    """Return how near each text is to the query, whole and best sentence together; and the sentence."""
    whole = candidates.vectors @ query
    best = whole.copy()
    if len(candidates.sentences):
        each = (candidates.sentences.astype(np.float32) @ query) / candidates.lengths
        starts = np.zeros_like(candidates.last)
        starts[1:] = candidates.last[:-1]
        several = (starts < candidates.last).nonzero()[0]
        best[several] = np.maximum.reduceat(each, starts[several])
    return ((1 - mix.sentence) * whole + mix.sentence * best).astype(np.float64), best.astype(np.float64)


def middle(places: Sequence[Place]) -> Scores:
    """Return the direction of the average memory, as long as it is one; nothing if there is none."""
    norms = sum(place.norms for place in places if place.total)
    totals = [np.frombuffer(place.total, np.int32) for place in places if place.total]
    return np.asarray(sum(totals, np.zeros(len(totals[0]))) / norms if norms else (), np.float64)


def typical(middle: Scores, query: Matrix) -> float:
    """Return the likeness of the average memory: the middle from which nearness counts."""
    return float(middle @ query.astype(np.float64)) if len(middle) else 0.0


def relative(scores: Scores, best: Scores, middle: float, size: int, mix: Mix = _USUAL) -> Scores:
    """Return likeness as a share of the way from the typical memory to the nearest one."""
    if not scores.size:
        return scores
    if size <= FEW:
        middle = float(scores.sum()) / (
            len(scores) + 1
        )  # as if one had nothing to do with it: few are not their own middle
    else:
        lower = np.sort(best)[: max(1, len(best) // 2)]
        middle = (1 - mix.sentence) * middle + mix.sentence * float(lower.sum()) / len(lower)
    # One that is far from all takes away no more than the nearest is given.
    return np.maximum(-1.0, (scores - middle) / max(float(scores.max()) - middle, LEAST_RANGE))


def share(scores: Scores) -> Scores:
    """Return scores as a share of the best."""
    return scores / max(float(scores.max(initial=0.0)), _TINY)


def ranked(scores: Scores) -> Scores:
    """Return reciprocal ranks of what was found, as a share of the best."""
    order = np.argsort(np.argsort(-scores, kind="stable"), kind="stable")
    return np.where(scores > 0, (RANKED + 1) / (RANKED + 1 + order), 0.0)


def alike(candidates: Candidates, scores: Scores, middle: Scores, mix: Mix = _USUAL) -> Scores:
    """Return what likeness to the leaders adds: much if these are long, and say more than asked."""
    top = (-scores).argsort(kind="stable")[:LEADERS]
    room = 1 - brevity(candidates)[top]
    weights = np.maximum(scores[top], 0) * room
    if weights.sum() <= 0:
        return np.zeros_like(scores)
    direction = unit((candidates.vectors[top] * weights[:, None]).sum(axis=0, keepdims=True))[0]
    usual = typical(middle, direction)
    near = (candidates.vectors @ direction - usual) / max(1 - usual, _TINY)
    return np.asarray(mix.likeness * room.mean() * near, np.float64)


def neighbourly(candidates: Candidates, scores: Scores, links: Links, mix: Mix = _USUAL) -> Scores:
    """Return what short texts get from the better neighbour: an answer follows its question."""
    return mix.neighbour * brevity(candidates) * _best(candidates, scores, links)


def sociable(candidates: Candidates, scores: Scores, links: Links, mix: Mix = _USUAL) -> Scores:
    """Return what memories get from those that they were often recalled with."""
    return mix.company * _best(candidates, scores, links)


def answered(candidates: Candidates, votes: Mapping[int, float], middle: Scores) -> Scores:
    """Return the gain, from -1 to 1, for having answered questions like this one.

    A share of it goes to what was told on the same occasion, and to what is like those that
    answered.
    """
    own = np.array([votes.get(number, 0.0) for number in candidates.numbers.tolist()])
    sources = np.flatnonzero(own > 0)
    beside = np.abs(candidates.created[:, None] - candidates.created[sources]) <= OCCASION
    beside &= candidates.numbers[:, None] != candidates.numbers[sources]
    gains = own + OCCASIONAL * (beside @ own[sources])
    kin = _kin(candidates, own[sources], sources, middle) if len(sources) else 0.0
    return np.asarray(np.clip(gains / (np.abs(gains) + CONVINCING) + KIN * kin, -1.0, 1.0), np.float64)


def _kin(candidates: Candidates, amounts: Scores, sources: NDArray[np.intp], middle: Scores) -> Scores:
    """Return how much more like weighted candidates the others are than the average memory is."""
    if not len(middle) or not candidates.vectors.shape[1]:
        return np.zeros(len(candidates.numbers))
    apart = candidates.vectors - middle
    direction = amounts @ apart[sources] / (amounts.sum() + CONVINCING)
    return np.asarray(apart @ direction, np.float64)


def modest(prior: Scores, scores: Scores, channels: Sequence[Scores]) -> Scores:
    """Return what the kind of a memory gives: at most a share of the best score.

    It takes nothing from one that every channel puts first.
    """
    most = MODEST * max(float(scores.max(initial=0.0)), 0.0)
    given = np.clip(prior, -most, most)
    first = {int(one.argmax()) for one in channels if one.size and one.max() > 0}
    if len(first) == 1:
        (place,) = first
        given[place] = max(given[place], 0.0)
    return given


def bounded(scores: Scores, added: Mapping[str, Scores]) -> dict[str, Scores]:
    """Bound what is taken away, so that a relevant one stays above those that are not."""
    total = sum(added.values(), np.zeros_like(scores))
    most = -(1 - LEFT) * np.maximum(scores, 0.0)
    share = np.where((total < most) & (scores > 0), most / np.where(total, total, 1.0), 1.0)
    return {name: part * share for name, part in added.items()}


def _best(candidates: Candidates, scores: Scores, links: Links) -> Scores:
    """Return the best linked score of each, by the strength of the link; none below zero."""
    best = np.zeros_like(scores)
    if not len(links.ones) or not len(scores):
        return best
    to, source = candidates.places_of(links.ones), candidates.places_of(links.others)
    known = ((to >= 0) & (source >= 0)).nonzero()[0]
    to, source, strengths = to[known], source[known], links.strengths[known]
    np.maximum.at(best, to, strengths * scores[source])
    if links.both:
        np.maximum.at(best, source, strengths * scores[to])
    return best
