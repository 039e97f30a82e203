"""Define how recall learns from judgements: what one is worth, and how far weights move.

Everything learned is shrunk towards what holds without it, and bounded: a single wrong word moves
little, and many wrong ones cannot hide a right answer.

The lift is what showing a memory did to the outcome. A memory that is shown for easy questions
succeeds often without having helped. But where the last one shown and the first one not shown
swapped places by chance, those who saw it and those who did not differ in nothing else. Each row is
weighed by how unlikely it was (inverse propensity), and the weights of either side sum to 1
(Hájek). The difference between the mean rewards is the lift.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.events import Data
from treering.ledger.types import ORIGINS, SCOPES, TYPES, Memory
from treering.ledger.usage import EXPLICIT, IMPLICIT, OUTCOME

if TYPE_CHECKING:
    from treering.recall.query.analysis import Query

Counts = tuple[float, float]  # marks for, and against

# What is said outright counts whole. What a recall led to is shared by all that it showed, and what is read off the
# next answer is a guess: they count as they do for Q.
_WORTH = {EXPLICIT: 1.0, OUTCOME: 0.5, IMPLICIT: 0.3}
# Marks that speak as everything else does, which each count begins with: ten recalls of which two or three were judged.
DOUBT = 20.0
_EVEN = 5.0  # the same for how often anything helps at all, which is known sooner
WIDEST = 2.0  # of log-odds that a single property may come to: seven to one
# Log-odds that a memory helps if it did so for a question like this, before anything is known of a store: a little
# above even, as people ask for the same things again. Then the store's own marks say.
HOPE = 0.25
# Log-odds from which on that is trusted whole. What lessons speak for is shown even where it hardly fits, and so it
# helps less often than it would if it were shown for its own sake.
PROVED = 0.5

RATE = 0.1  # of the way to where feedback points that weights go at a time, so that they never swing
ENOUGH = 5  # queries that must have been judged, and one more, before anything moves
FURTHEST = 0.5  # of its default, that feedback may take from a weight or add to it
SETTLED = 0.02  # of a weight: nearer to where feedback points than this, it stays


class Case(NamedTuple):
    """A query with what each channel gave to memories that helped, and to those that did not."""

    helped: Mapping[str, float]  # a share of the best, on average
    others: Mapping[str, float]


class Adapted(NamedTuple):
    """Weights after feedback."""

    weights: Mapping[str, float]
    advantage: Mapping[str, float]  # of each channel: how much more it gave to what helped
    settled: bool  # they are where feedback points


def worth(data: Data) -> float:
    """Return what a judgement says of a memory: from 1, it helped, to -1, it did not."""
    weight = _WORTH.get(data.get("by", ""), 0.0)
    if data.get("by") == OUTCOME:
        weight /= max(1, data.get("rank", 1)) ** 2  # what stands lower has mostly stood by
    return weight * (2 * float(data["reward"]) - 1)


def logit(share: float) -> float:
    return log(share / (1 - share))


def log_odds(levels: Sequence[tuple[Counts, Counts]]) -> float:
    """Return how much more often than others those with a property helped, in log-odds.

    Each level has the marks of those with the property, and of all; the widest comes first, and
    each begins where the one before it ended.
    """
    found, share = 0.0, 0.5
    for (good, bad), (every_good, every_bad) in levels:
        share = (every_good + _EVEN * share) / (every_good + every_bad + _EVEN)
        expected = 1 / (1 + exp(-logit(share) - found))
        found = logit((good + DOUBT * expected) / (good + bad + DOUBT)) - logit(share)
    return min(max(found, -WIDEST), WIDEST)


def trust(hinted: Counts, others: Counts) -> float:
    """Return, from 0 to 1, how much more often what answered questions spoke for helped."""
    share = (others[0] + _EVEN * 0.5) / (sum(others) + _EVEN)
    hoped = 1 / (1 + exp(-logit(share) - HOPE))
    found = logit((hinted[0] + DOUBT / 2 * hoped) / (sum(hinted) + DOUBT / 2)) - logit(share)
    return min(max(found / PROVED, 0.0), 1.0)


def move_weights(weights: Mapping[str, float], usual: Mapping[str, float], cases: Sequence[Case]) -> Adapted:
    """Move weights a step towards what tells helpful from unhelpful best; their sum stays the same."""
    if len(cases) <= ENOUGH:
        return Adapted(weights, {}, settled=True)
    gained = {name: sum(case.helped[name] - case.others[name] for case in cases) / len(cases) for name in weights}
    mean = sum(gained.values()) / len(gained)
    goal = {name: usual[name] * (1 + min(max(gained[name] - mean, -FURTHEST), FURTHEST)) for name in weights}
    goal = _normal(goal, usual)
    if all(abs(goal[name] - weight) <= SETTLED * max(usual[name], weight) for name, weight in weights.items()):
        return Adapted(weights, gained, settled=True)
    moved = {name: weight + RATE * (goal[name] - weight) for name, weight in weights.items()}
    return Adapted(_normal(moved, usual), gained, settled=False)


def _normal(weights: Mapping[str, float], usual: Mapping[str, float]) -> dict[str, float]:
    """Scale weights to the sum of the usual ones."""
    share = sum(usual.values()) / max(sum(weights.values()), 1e-9)
    return {name: round(weight * share, 4) for name, weight in weights.items()}


# Rows of the greatest spread, half 0 and half 1, that each side is taken to have beside its own: a side of three equal
# rewards is no certainty. It matters for the first ten or so.
PRIOR = 2
_WIDEST = 0.25  # the greatest variance that rewards between 0 and 1 can have


class Showing(NamedTuple):
    """A recall in which a memory stood at the cut-off."""

    memory: str
    shown: bool
    p: float  # the probability with which it is shown
    reward: float  # what came of the recall: 0 to 1


class Lift(NamedTuple):
    memory: str
    lift: float  # -1 to 1; 0 as long as one side is empty
    error: float  # one standard error; infinite as long as one side is empty
    shown: int
    withheld: int


def lifts(showings: Iterable[Showing]) -> list[Lift]:
    """Return the lift of each memory, in order of first appearance.

    Rows that chance did not decide (p is 0 or 1) are left out, and so is a memory without others.
    """
    found: dict[str, list[Showing]] = {}
    for showing in showings:
        if 0 < showing.p < 1:
            found.setdefault(showing.memory, []).append(showing)
    return [_lift(memory, rows) for memory, rows in found.items()]


def _lift(memory: str, rows: Sequence[Showing]) -> Lift:
    counts = len([row for row in rows if row.shown]), len([row for row in rows if not row.shown])
    if not all(counts):
        return Lift(memory, 0.0, inf, *counts)
    means = {shown: _mean(rows, shown) for shown in (True, False)}
    residuals = [(row.reward - means[row.shown]) ** 2 for row in rows]
    variance = sum(_variance(rows, residuals, shown) for shown in means)
    return Lift(memory, means[True] - means[False], sqrt(variance), *counts)


def _weight(row: Showing, shown: bool) -> float:
    """Return how many rows this one stands for on a side."""
    return 1 / row.p if shown else 1 / (1 - row.p)


def _mean(rows: Sequence[Showing], shown: bool) -> float:
    side = [(_weight(row, shown), row.reward) for row in rows if row.shown == shown]
    return sum(weight * reward for weight, reward in side) / sum(weight for weight, _ in side)


def _variance(rows: Sequence[Showing], residuals: Sequence[float], shown: bool) -> float:
    """Return the variance of a side's mean: the greater of its own rows' and of all possible rows'.

    The first is linearised, as the mean is a ratio of two sums that both vary. But while a side has
    had none of its unlikely rows, which weigh most, it looks surer than it is; the second allows
    for them.
    """
    side = [(_weight(row, shown) ** 2, apart) for row, apart in zip(rows, residuals, strict=True) if row.shown == shown]
    total = sum(sqrt(square) for square, _ in side)
    prior = PRIOR * _WIDEST * sum(square for square, _ in side) / len(side)
    own = sum(square * apart for square, apart in side) + prior
    every = sum(_weight(row, shown) * apart for row, apart in zip(rows, residuals, strict=True))
    return max(own / total**2 * len(side) / (len(side) - 1 + PRIOR), every / len(rows) ** 2)


LENGTHS = (12, 24, 48, 96, 192)  # words, doubling around a passage: a remark, a statement, a passage, a page
_SENTENCE_ENDS = ".!?:"

# What is known of a memory, and in how many bits.
PROPERTIES = {"origin": 3, "type": 2, "scope": 2, "length": 3, "asks": 1, "figures": 1, "names": 2, "first": 1}
SHIFTS = {name: sum(list(PROPERTIES.values())[:place]) for place, name in enumerate(PROPERTIES)}
FIRST = 1 << SHIFTS["first"]  # it opens its session; known only where its neighbours are
# Beside the kind of what was shown: how likely that was, in thousandths, where chance had a say; and that it was not.
_CHANCE, _CERTAIN = 16, 1_000
_WITHHELD = 1 << 27
SWAYED = 1 << _CHANCE  # from here on, chance had a say

# What a question asks for, by the word that it begins with; the others are told by their type.
_ASKING = ("when", "who", "whom", "whose", "where", "why", "which", "what", "how")
_MEASURES = ("many", "much", "long", "often", "old", "far")  # how many is another question than how
_HEAD = 4  # words in which a question says what it asks for


def kind_of(memory: Memory, words: int) -> int:
    """Return the kind of a memory of so many words, without what its neighbours tell."""
    text = memory.content
    kind = memory.origin.partition(":")[0]
    known = {
        "origin": ORIGINS.index(kind) if kind in ORIGINS else len(ORIGINS),
        "type": TYPES.index(memory.type),
        "scope": SCOPES.index(memory.scope),
        "length": sum(words >= least for least in LENGTHS),
        "asks": "?" in text,
        "figures": any(map(str.isdigit, text)),
        "names": min(2, _names(text)),
    }
    return sum(int(value) << SHIFTS[name] for name, value in known.items())


def by_chance(p: float, withheld: bool) -> int:
    """Encode how likely a memory was to be shown, and whether it was, beside its kind."""
    return (max(1, round(p * _CERTAIN)) << _CHANCE | _WITHHELD * withheld) if 0 < p < 1 else 0


def chance(kind: int) -> tuple[float, bool]:
    """Decode how likely a memory was to be shown, and whether it was; 0 if chance had no say."""
    return (kind >> _CHANCE & 0x3FF) / _CERTAIN, not kind & _WITHHELD


def question(query: Query) -> str:
    """Return the kind of a question: what it asks for, or its type."""
    head = [word.lower() for word in query.words[:_HEAD]]
    for place, word in enumerate(head):
        if word in _ASKING:
            return "how many" if word == "how" and head[place + 1 : place + 2] in [[one] for one in _MEASURES] else word
    return query.type


def _names(text: str) -> int:
    """Count words with a capital that no sentence gave them."""
    pieces = text.split()
    return sum(
        piece[0].isupper() and len(piece) > 1 and before[-1] not in _SENTENCE_ENDS for before, piece in pairwise(pieces)
    )
