"""What is asked of the finding of contradictions. Precision comes first: a false alarm costs a person's trust."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.contradictions.alarms import Alarms
from benchmarks.contradictions.facts import Facts
from benchmarks.contradictions.pairs import HELD, Score

PRECISION = 0.95
RECALL = 0.6  # on pairs of free wording
CHANGED = 0.8  # of the changed facts
ALARMS = 5.0  # for 1,000 memories, in sets large enough to tell
FEWEST = 1000  # memories of such a set


class Goal(NamedTuple):
    what: str
    found: float
    asked: str
    met: bool


def goals(scores: Sequence[Score], changed: Facts | None, quiet: Sequence[Alarms]) -> list[Goal]:
    """Those of the pairs are about the split that nobody saw, if it is there."""
    score = next((row for row in scores if row.name == HELD), scores[0])
    wanted = [
        _least(f"{score.name}: precision", score.precision or 0.0, PRECISION),
        _least(f"{score.name}: recall", score.recall or 0.0, RECALL),
    ]
    if changed:
        wanted.append(_least("changed facts: precision", changed.precision, PRECISION))
        wanted.append(_least("changed facts: found", changed.recall, CHANGED))
    large = [row for row in quiet if row.memories >= FEWEST]
    return wanted + [Goal(f"{row.set}: alarms", row.rate, f"≤ {ALARMS:g}", row.rate <= ALARMS) for row in large]


def _least(what: str, found: float, asked: float) -> Goal:
    return Goal(what, found, f"≥ {asked:g}", found >= asked)
