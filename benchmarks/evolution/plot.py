"""The learning curve as a picture made of letters: a column for every look, a mark for every arm."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from benchmarks.evolution.arms import Life

HEIGHT = 12  # lines of the area
MARKS = "●○·"  # for the arms, in their order; where two meet, the first is seen
TITLES = {
    "reciprocal": "1 / rank of the first right answer",
    "helpful": "share of right ones among those shown",
    "harmful": "share of wrong and poisoned ones among those shown",
}
_WIDE = 3  # columns to a look
_STEP = 0.05  # the edges of the area are multiples of this


def plot(lives: Sequence[Life], measure: str) -> str:
    """One measure of all arms over the sessions."""
    curves = [curve(life, measure) for life in lives]
    low, high = edges(curves)
    lines = [TITLES[measure]]
    for row in range(HEIGHT, -1, -1):
        label = f"{low + row * (high - low) / HEIGHT:.2f}" if row % 4 == 0 else ""
        marks = "".join(_mark(curves, at, row, low, high).center(_WIDE) for at in range(len(curves[0])))
        lines.append(f"{label:>6} {'┤' if label else '│'}{marks}".rstrip())
    numbers = "".join(
        f"{sample.session:^{_WIDE}}" if at % 2 else " " * _WIDE for at, sample in enumerate(lives[0].samples)
    )
    legend = "   ".join(f"{mark} {life.arm}" for mark, life in zip(MARKS, lives, strict=False))
    return (
        "\n".join(
            [*lines, f"{'':>6} └{'─' * _WIDE * len(curves[0])}", f"{'':>8}{numbers}  sessions", f"{'':>8}{legend}"]
        )
        + "\n"
    )


def curve(life: Life, measure: str) -> list[float]:
    return [getattr(sample.quality, measure) for sample in life.samples]


def edges(curves: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Where the area begins and ends: all curves are in it."""
    points = [point for curve in curves for point in curve]
    low, high = (edge(round(point / _STEP, 6)) * _STEP for edge, point in ((floor, min(points)), (ceil, max(points))))
    return low, max(high, low + _STEP)


def _mark(curves: Sequence[Sequence[float]], at: int, row: int, low: float, high: float) -> str:
    for mark, points in zip(MARKS, curves, strict=False):
        if round((points[at] - low) / (high - low) * HEIGHT) == row:
            return mark
    return " "
