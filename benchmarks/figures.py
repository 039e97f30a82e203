"""A figure: what ours took, what the baseline took, and the ratio of the two with its spread."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import NamedTuple


class Figure(NamedTuple):
    name: str
    size: int  # memories or events in the store, or rows of the file
    unit: str  # of `ours` and `bare`
    ours: float  # the median
    bare: float
    ratio: float  # the median over the pairs, with the least and the greatest
    low: float
    high: float
    repeats: int
    goal: float | None = None  # the ratio may be this at the most; None for what is only told

    @property
    def met(self) -> bool:
        return self.goal is None or self.ratio <= self.goal


class Plan(NamedTuple):
    """How much to measure."""

    size: int = 100_000  # rows of the main measurements; they are made at a tenth of it too
    quick: bool = False  # leave out the largest sizes
    repeats: int = 5
    starts: int = 40  # processes of each kind

    @property
    def small(self) -> int:
        return max(1, self.size // 10)

    def times(self, size: int) -> int:
        """Repeats at a size: what takes minutes is seen often enough after three."""
        return min(self.repeats, 3) if size > self.size else self.repeats


def compare(bare: Callable[[], float], ours: Callable[[], float], repeats: int) -> list[tuple[float, float]]:
    """Both in turn, so that what else the machine does falls on both alike."""
    return [(bare(), ours()) for _ in range(repeats)]


def figure(name: str, size: int, unit: str, pairs: list[tuple[float, float]], goal: float | None = None) -> Figure:
    """The figure of some pairs of (bare, ours)."""
    ratios = [ours / bare for bare, ours in pairs]
    return Figure(
        name,
        size,
        unit,
        median(ours for _, ours in pairs),
        median(bare for bare, _ in pairs),
        median(ratios),
        min(ratios),
        max(ratios),
        len(pairs),
        goal,
    )
