"""Findings as tables and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.recall.asking import HYBRID, STRATEGIES
from benchmarks.recall.findings import Finding, Goal, together
from benchmarks.report import lines

_QUALITY = ("set", "system", "R@5", "R@10", "nDCG@10", "MRR@10", "as shown: R@10", "nDCG@10", "shown", "precision")
_SILENCE = ("set", "strategy", "unanswerable", "silent", "answerable", "R@10 lost")
_CHANGE = ("set", "system", "changed: current first", "unchanged: first")
_GOALS = ("set", "hybrid", "found", "goal", "")


def written(found: Sequence[Finding], wanted: Sequence[Goal]) -> str:
    """All of a run."""
    parts = [lines(_QUALITY, map(_quality, found), 2), lines(_SILENCE, map(_silence, _silences(found)), 2)]
    changes = [row for row in found if row.changed_first is not None]
    if changes:
        parts.append(lines(_CHANGE, map(_change, changes), 2))
    if wanted:
        parts.append(lines(_GOALS, map(_goal, wanted), 2))
    return "\n".join(parts)


def record(found: Sequence[Finding], wanted: Sequence[Goal]) -> dict[str, Any]:
    """All of a run, for a program."""
    return {
        "findings": [_plain(row) for row in found],
        "together": [_plain(row) for row in _silences(found) if row.set not in {each.set for each in found}],
        "goals": [{**goal._asdict(), "met": goal.met} for goal in wanted],
    }


def _plain(row: Finding) -> dict[str, Any]:
    values = {**row._asdict(), "forced": row.forced._asdict(), "given": row.given._asdict(), "lost": row.lost}
    return {name: _rounded(value) for name, value in values.items()}


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def _silences(found: Sequence[Finding]) -> list[Finding]:
    """The hybrid set by set, then every strategy over all questions."""
    ours = [row for row in found if row.system == HYBRID]
    return ours + [together(row for row in found if row.system == strategy) for strategy in STRATEGIES]


def _quality(row: Finding) -> tuple[str, ...]:
    given: tuple[str, ...] = ("",) * 4
    if row.system in STRATEGIES:
        given = (_figure(row.given.r10), _figure(row.given.ndcg), f"{row.shown:.1f}", _figure(row.precision))
    return (row.set, row.system, *map(_figure, row.forced), *given)


def _silence(row: Finding) -> tuple[str, ...]:
    silent = "" if row.silent is None else f"{row.silent:.2f}"
    return (row.set, row.system, str(row.unanswerable), silent, f"{row.answerable:,}", _figure(row.lost))


def _change(row: Finding) -> tuple[str, ...]:
    shares = (row.changed_first, row.unchanged_first)
    return (row.set, row.system, *("" if share is None else _figure(share) for share in shares))


def _goal(goal: Goal) -> tuple[str, ...]:
    verdict = "met" if goal.met else "**missed**"
    return (goal.set, goal.what, f"{goal.found:.4f}", f"{goal.sign} {goal.asked:.4f}", verdict)


def _figure(value: float) -> str:
    return f"{value:.3f}"
