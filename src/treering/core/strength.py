"""How much a memory matters, and how much of that is left. Computed when read, never stored."""

from __future__ import annotations

from math import exp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.types import Memory

DAY = 86_400_000_000  # microseconds

# Shares of importance.
_RECENCY, _FREQUENCY, _RELEVANCE, _CONFIDENCE, _IMPACT, _FEEDBACK = 0.25, 0.20, 0.20, 0.15, 0.10, 0.10
_BONUS = {"procedural": 0.1, "semantic": 0.05}
_FADING = 0.1  # by which recency falls, a day
_OFTEN = 10  # uses that count as many

HALF_LIFE = {"episodic": 1.0, "semantic": 7.0, "procedural": 30.0, "working": 0.042}  # days
_LENGTHENED = 0.2  # by each use
_LN2 = 0.693


def importance(memory: Memory, now: int) -> float:
    """From 0 to 1: what a memory is worth, whether or not it is still fresh."""
    recency = exp(-_FADING * days(now - memory.updated))
    frequency = min(1.0, memory.accesses / _OFTEN)
    known = _RELEVANCE * memory.relevance + _CONFIDENCE * memory.confidence
    known += _IMPACT * memory.impact + _FEEDBACK * memory.feedback
    return min(1.0, _RECENCY * recency + _FREQUENCY * frequency + known + _BONUS.get(memory.type, 0.0))


def strength(memory: Memory, now: int, pace: float = 1.0) -> float:
    """From 0 to 1: importance, halved with every half-life since the last use; each use makes that longer, and so does
    a pace above 1."""
    if memory.invariant:
        return importance(memory, now)
    half_life = pace * HALF_LIFE[memory.type] * (1 + _LENGTHENED * memory.accesses)
    idle = days(now - memory.used)
    return importance(memory, now) * exp(-_LN2 * idle / half_life)


def days(span: int) -> float:
    """Microseconds as days; none for what lies ahead."""
    return max(0, span) / DAY
