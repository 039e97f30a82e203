"""Tier sizes over time, as a picture made of letters: a stacked area that needs no colour."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.ageing.year import TIERS, Sample, Year

HEIGHT = 16  # lines of the area
SHADES = {4: "█▓▒░", 3: "█▒░"}  # for so many tiers: those at hand are the darkest
_MARGIN = 8  # columns left of the area, for the numbers
_MONTH = 30  # days between two marks of the lower edge


def plot(year: Year) -> str:
    """The area, with its axes and legend."""
    tiers, top = TIERS[year.policy], max(1, max(sum(sample.sizes.values()) for sample in year.samples))
    lines = [f"{year.policy}: memories in each tier, over {year.samples[-1].day + 1} days"]
    for row in range(HEIGHT, 0, -1):
        height = (row - 0.5) / HEIGHT * top
        area = "".join(shade(sample, tiers, height) for sample in year.samples)
        label = f"{row * top // HEIGHT:,}" if row % 4 == 0 else ""
        lines.append(f"{label:>{_MARGIN - 2}} {'┤' if label else '│'}{area}")
    lines += [f"{'0':>{_MARGIN - 2}} └{'─' * len(year.samples)}", _days(year.samples), "", _legend(year)]
    return "\n".join(lines) + "\n"


def shade(sample: Sample, tiers: Sequence[str], height: float) -> str:
    """What stands at a height, when the tiers are piled up; nothing above them."""
    for letter, tier in zip(SHADES[len(tiers)], tiers, strict=True):
        height -= sample.sizes[tier]
        if height < 0:
            return letter
    return " "


def _days(samples: Sequence[Sample]) -> str:
    """The days along the lower edge, each under the first column that has reached it."""
    line, mark = "", 0
    for column, sample in enumerate(samples):
        if sample.day >= mark and len(line) <= column:
            line = line.ljust(column) + (f"{mark} " if mark else "day ")
            mark = (sample.day // _MONTH + 1) * _MONTH
    return " " * _MARGIN + line.rstrip()


def _legend(year: Year) -> str:
    sizes, tiers = year.samples[-1].sizes, TIERS[year.policy]
    named = zip(SHADES[len(tiers)], tiers, strict=True)
    return " " * _MARGIN + "   ".join(f"{letter} {tier} {sizes[tier]:,}" for letter, tier in named)
