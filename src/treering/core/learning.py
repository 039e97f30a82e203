"""How recall learns from judgements: what one is worth, what counts add up to, and how far weights move.

Everything learned is shrunk towards what holds without it, and bounded: a single wrong word moves little, and many
wrong ones cannot hide a right answer.
"""

from __future__ import annotations

from math import exp, log

from treering.core.judging import EXPLICIT, IMPLICIT, OUTCOME
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.core.events import Data

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
    """A query of which it is known what helped: what each channel gave to those, and to those that did not."""

    helped: Mapping[str, float]  # a share of the best, on average
    others: Mapping[str, float]


class Adapted(NamedTuple):
    """Weights after feedback."""

    weights: Mapping[str, float]
    advantage: Mapping[str, float]  # of each channel: how much more it gave to what helped
    settled: bool  # they are where feedback points


def worth(data: Data) -> float:
    """What a judgement says of a memory: from 1, it helped, to -1, it did not."""
    weight = _WORTH.get(data.get("by", ""), 0.0)
    if data.get("by") == OUTCOME:
        weight /= max(1, data.get("rank", 1)) ** 2  # what stands lower has mostly stood by
    return weight * (2 * float(data["reward"]) - 1)


def logit(share: float) -> float:
    return log(share / (1 - share))


def log_odds(levels: Sequence[tuple[Counts, Counts]]) -> float:
    """How much more often than others those with a property helped, in log-odds.

    Each level has the marks of those with the property, and of all; the widest comes first, and each begins where the
    one before it ended.
    """
    found, share = 0.0, 0.5
    for (good, bad), (every_good, every_bad) in levels:
        share = (every_good + _EVEN * share) / (every_good + every_bad + _EVEN)
        expected = 1 / (1 + exp(-logit(share) - found))
        found = logit((good + DOUBT * expected) / (good + bad + DOUBT)) - logit(share)
    return min(max(found, -WIDEST), WIDEST)


def trust(hinted: Counts, others: Counts) -> float:
    """How far answered questions are to be trusted, from 0 to 1: how much more often what they spoke for helped."""
    share = (others[0] + _EVEN * 0.5) / (sum(others) + _EVEN)
    hoped = 1 / (1 + exp(-logit(share) - HOPE))
    found = logit((hinted[0] + DOUBT / 2 * hoped) / (sum(hinted) + DOUBT / 2)) - logit(share)
    return min(max(found / PROVED, 0.0), 1.0)


def adapted(weights: Mapping[str, float], usual: Mapping[str, float], cases: Sequence[Case]) -> Adapted:
    """Weights a step nearer to where feedback points: what a channel counts by default, and more if it tells what helps
    from what does not better than the others do. Together they count as much as ever."""
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
    """Weights that add up to what the usual ones do."""
    share = sum(usual.values()) / max(sum(weights.values()), 1e-9)
    return {name: round(weight * share, 4) for name, weight in weights.items()}
