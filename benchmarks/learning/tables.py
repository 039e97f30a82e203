"""Learning curves as tables, as a record, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.learning.findings import Goal, Point
from benchmarks.learning.learners import STEPS, TOGETHER
from benchmarks.report import lines

_CURVES = ("set", "arm", *(f"R@10 at {step:.0%}" for step in STEPS), "gain", "worst to best seed", "nDCG@10")
_GOALS = ("goal", "found", "asked", "")

_WIDTH, _HEIGHT, _LEFT, _TOP = 320, 240, 44, 34  # pixels: of the area of one set, and its margins
_COLOURS = ("#777777", "#b07aa1", "#4e79a7", "#76b7b2", "#f28e2b", "#edc948", "#59a14f", "#e15759")


def written(found: Sequence[Point], wanted: Sequence[Goal]) -> str:
    """All of a run."""
    return "\n".join([lines(_CURVES, map(_row, _arms(found)), 2), lines(_GOALS, map(_goal, wanted))])


def record(found: Sequence[Point], wanted: Sequence[Goal]) -> dict[str, Any]:
    """All of a run, for a program."""
    rounded = [
        {name: round(value, 4) if isinstance(value, float) else value for name, value in point._asdict().items()}
        for point in found
    ]
    return {"points": rounded, "goals": [{**goal._asdict(), "met": goal.met} for goal in wanted]}


def svg(found: Sequence[Point]) -> str:
    """R@10 over the training, a panel for each set and a line for each arm."""
    sets = list(dict.fromkeys(point.set for point in found))
    wide = len(sets) * (_WIDTH + _LEFT) + _LEFT
    tall = _HEIGHT + 2 * _TOP + 24
    shapes = [_panel(name, [row for row in _arms(found) if row[0].set == name], at) for at, name in enumerate(sets)]
    names = dict.fromkeys(point.arm for point in found)
    legend = "".join(
        f'<text x="{_LEFT + at * 140}" y="{tall - 8}" fill="{_COLOURS[at]}">{arm}</text>'
        for at, arm in enumerate(names)
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" font-family="sans-serif"'
    return f'{head} font-size="11"><rect width="100%" height="100%" fill="white"/>{"".join(shapes)}{legend}</svg>\n'


def _panel(name: str, arms: Sequence[Sequence[Point]], at: int) -> str:
    left = _LEFT + at * (_WIDTH + _LEFT)
    values = [point.r10 for row in arms for point in row]
    low, high = min(values) - 0.01, max(values) + 0.01
    shapes = [f'<text x="{left}" y="{_TOP - 12}">{name}: R@10 on held-out queries</text>']
    for share in (0.0, 0.5, 1.0):
        y = _TOP + _HEIGHT * (1 - share)
        shapes.append(f'<line x1="{left}" y1="{y}" x2="{left + _WIDTH}" y2="{y}" stroke="#dddddd"/>')
        shapes.append(f'<text x="{left - 34}" y="{y + 4}">{low + share * (high - low):.3f}</text>')
    for colour, row in zip(_COLOURS, arms, strict=False):
        spots = " ".join(
            f"{left + point.step * _WIDTH:.1f},{_TOP + _HEIGHT * (high - point.r10) / (high - low):.1f}"
            for point in row
        )
        thick = 3 if row[0].arm == TOGETHER else 1.5
        shapes.append(f'<polyline points="{spots}" fill="none" stroke="{colour}" stroke-width="{thick}"/>')
    return "".join(shapes)


def _arms(found: Sequence[Point]) -> list[list[Point]]:
    """The points of each set and arm, in the order of the steps."""
    by: dict[tuple[str, str], list[Point]] = {}
    for point in sorted(found, key=lambda point: point.step):
        by.setdefault((point.set, point.arm), []).append(point)
    order = list(dict.fromkeys((point.set, point.arm) for point in found))
    return [by[key] for key in order]


def _row(row: Sequence[Point]) -> tuple[str, ...]:
    last = row[-1]
    spread = f"{100 * last.least:+.1f} to {100 * last.most:+.1f}"
    return (
        last.set,
        last.arm,
        *(f"{point.r10:.3f}" for point in row),
        f"{100 * last.gain:+.2f}",
        spread,
        f"{last.ndcg:.3f}",
    )


def _goal(goal: Goal) -> tuple[str, ...]:
    verdict = "met" if goal.met else "**missed**"
    return (goal.what, f"{100 * goal.found:+.2f}", f"≥ {100 * goal.asked:+.2f}", verdict)
