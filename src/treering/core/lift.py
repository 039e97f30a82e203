"""What the presence of a memory did to the outcome, as far as chance decided whether it was there.

A memory that is shown for easy questions succeeds often, without having helped. But where the last one shown and the
first one not shown have swapped places by chance, those who saw it and those who did not differ in nothing else. Each
row is weighed by how unlikely what happened was (inverse propensity), and the weights of either side are made to add up
to 1 (Hájek), so that both sides stand for all the rows. The difference between their mean rewards is the lift.
"""

from __future__ import annotations

from math import inf, sqrt

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    """The lift of each memory, in the order in which they first come. Rows that chance did not decide (p is 0 or 1) say
    nothing and are left out; and so is a memory that has no others."""
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
    """How many rows this one stands for on a side."""
    return 1 / row.p if shown else 1 / (1 - row.p)


def _mean(rows: Sequence[Showing], shown: bool) -> float:
    side = [(_weight(row, shown), row.reward) for row in rows if row.shown == shown]
    return sum(weight * reward for weight, reward in side) / sum(weight for weight, _ in side)


def _variance(rows: Sequence[Showing], residuals: Sequence[float], shown: bool) -> float:
    """Of the mean of a side: the greater of what its own rows say, and of what all rows say that might have been on it.

    The first is linearised, as the mean is a ratio of two sums that both vary. But while a side has had none of its
    unlikely rows, which weigh most, it looks surer than it is; the second knows that they might have come.
    """
    side = [(_weight(row, shown) ** 2, apart) for row, apart in zip(rows, residuals, strict=True) if row.shown == shown]
    total = sum(sqrt(square) for square, _ in side)
    prior = PRIOR * _WIDEST * sum(square for square, _ in side) / len(side)
    own = sum(square * apart for square, apart in side) + prior
    every = sum(_weight(row, shown) * apart for row, apart in zip(rows, residuals, strict=True))
    return max(own / total**2 * len(side) / (len(side) - 1 + PRIOR), every / len(rows) ** 2)
