"""Compute what a memory is worth, and which step of its life is due: three policies, all pure.

No policy touches an invariant. None raises a memory: only use does, in the fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import exp
from typing import NamedTuple

from treering.ledger.types import Memory

DAY = 86_400_000_000  # microseconds

# Shares of importance.
_RECENCY, _FREQUENCY, _RELEVANCE, _CONFIDENCE, _IMPACT, _FEEDBACK = 0.25, 0.20, 0.20, 0.15, 0.10, 0.10
_BONUS = {"procedural": 0.1, "semantic": 0.05}
_FADING = 0.1  # by which recency falls, a day
_OFTEN = 10  # uses that count as many

HALF_LIFE = {"episodic": 1.0, "semantic": 7.0, "procedural": 30.0, "working": 0.042}  # days
_LENGTHENED = 0.2  # by each use
_LN2 = 0.693


class Worth(NamedTuple):
    """What a memory is worth, but for the time that passes."""

    uses: float  # what these numbers give
    known: float
    bonus: float
    updated: int
    used: int
    half_life: float  # in days; 0 for one that does not fade

    def importance(self, now: int) -> float:
        """Return what it is worth, from 0 to 1, whether or not it is still fresh."""
        age = now - self.updated
        recency = exp(-_FADING * (age / DAY)) if age > 0 else 1.0
        return min(1.0, _RECENCY * recency + self.uses + self.known + self.bonus)

    def strength(self, now: int, pace: float = 1.0) -> float:
        """Return the importance, halved with every half-life since the last use."""
        idle = now - self.used
        known = self.importance(now)
        return known * exp(-_LN2 * (idle / DAY) / (pace * self.half_life)) if self.half_life and idle > 0 else known


def worth(memory: Memory) -> Worth:
    """Return what a memory is worth at any time."""
    known = _RELEVANCE * memory.relevance + _CONFIDENCE * memory.confidence
    known += _IMPACT * memory.impact + _FEEDBACK * memory.feedback
    return Worth(
        _FREQUENCY * min(1.0, memory.accesses / _OFTEN),
        known,
        _BONUS.get(memory.type, 0.0),
        memory.updated,
        memory.used,
        0.0 if memory.invariant else HALF_LIFE[memory.type] * (1 + _LENGTHENED * memory.accesses),
    )


def importance(memory: Memory, now: int) -> float:
    """Return what a memory is worth, from 0 to 1, whether or not it is still fresh."""
    return worth(memory).importance(now)


def strength(memory: Memory, now: int, pace: float = 1.0) -> float:
    """Return the importance, halved with every half-life since the last use.

    Each use makes the half-life longer, and so does a pace above 1.
    """
    return worth(memory).strength(now, pace)


def days(span: int) -> float:
    """Convert microseconds to days; a span in the future is 0."""
    return span / DAY if span > 0 else 0.0


HOUR = DAY // 24

# half-life
GROWN = HOUR  # after this a memory is active, whether or not it was recalled
YOUNG, UNIMPORTANT = DAY, 0.1  # what is worth less than this in its first day is archived
FADED, FADED_QUITE, GONE = 0.3, 0.1, 0.01  # strengths: to be consolidated, archived, forgotten
USEFUL = 2  # uses from which on a memory is worth consolidating

# sessions: rings since the last use up to which a memory is in each tier. A week of work is a handful of sessions, a
# month about twenty: what a month of work did not need is not at hand any more.
WORKING, ACTIVE, CANDIDATE = 3, 10, 20

HOT = ("created", "active", "consolidated")
CROWDED = "crowded"  # the rule of the `age` policy that makes room
QUEUE = "queue"  # not a status: an active memory that waits for consolidation


class Limits(NamedTuple):
    """The settings of the policies."""

    forget_days: int = 90  # half-life: how long in the archive before a memory may be forgotten; 0 for at once
    age_archive_days: int = 60  # age: unused for longer, and it is archived
    age_forget_days: int = 90  # age: in the archive for longer, and it is forgotten
    age_hot: int = 20  # age: more hot memories in one place, and some are archived
    age_batch: int = 5  # age: how many of them at a time


class Step(NamedTuple):
    """A move that is due: where to, by which rule, and the numbers that the rule looked at."""

    to: str
    rule: str
    evidence: dict[str, float]

    @property
    def why(self) -> str:
        """The rule and its numbers, in words."""
        numbers = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in self.evidence.items())
        return f"{_WORDS[self.rule]} ({numbers})"


class Due(NamedTuple):
    """A memory and its step."""

    memory: Memory
    step: Step


_WORDS = {
    "grown": "it is old enough to stay",
    "unimportant": "it is worth little, in its first day",
    "faded": "its strength has faded",
    "gone": "nothing is left of its strength, and it has been in the archive for long",
    "unused": "it has not been used for long",
    "expired": "it has been in the archive for long",
    CROWDED: "there are too many, and it was used longest ago",
}


def half_life(memory: Memory, now: int, idle_sessions: int, limits: Limits) -> Step | None:
    """Decide by strength: importance, halved with every half-life since the last use."""
    if memory.status == "created":
        age = now - memory.created
        if age < YOUNG and (worth := importance(memory, now)) < UNIMPORTANT:
            return Step("archived", "unimportant", {"importance": round(worth, 4), "age_days": _days(age)})
        return _grown(age)
    if memory.status == "active":
        left = strength(memory, now)
        if left < FADED_QUITE and memory.accesses < USEFUL:
            return Step("archived", "faded", _measured(memory, now, left))
        if left < FADED and memory.accesses >= USEFUL and not memory.queued:
            return Step(QUEUE, "faded", _measured(memory, now, left))
    if memory.status == "archived" and (kept := now - memory.since) >= limits.forget_days * DAY:
        left = strength(memory, now)
        if left < GONE:
            return Step("forgotten", "gone", {**_measured(memory, now, left), "archived_days": _days(kept)})
    return None


def age(memory: Memory, now: int, idle_sessions: int, limits: Limits) -> Step | None:
    """Decide by the calendar: days since the last use, then days in the archive."""
    idle = now - memory.used
    if memory.status in HOT and idle > limits.age_archive_days * DAY:
        return Step("archived", "unused", {"idle_days": _days(idle), "accesses": memory.accesses})
    if memory.status == "created":
        return _grown(now - memory.created)
    kept = now - memory.since
    if memory.status == "archived" and kept > limits.age_forget_days * DAY and idle > limits.age_forget_days * DAY:
        return Step("forgotten", "expired", {"archived_days": _days(kept), "idle_days": _days(idle)})
    return None


def sessions(memory: Memory, now: int, idle_sessions: int, limits: Limits) -> Step | None:
    """Decide by the sessions that began since the last one that used it. Nothing is forgotten."""
    if memory.status in HOT and idle_sessions > CANDIDATE:
        return Step("archived", "unused", {"rings": idle_sessions, "accesses": memory.accesses})
    if memory.status == "created" and idle_sessions:
        return Step("active", "grown", {"rings": idle_sessions})
    return None


POLICIES: dict[str, Callable[[Memory, int, int, Limits], Step | None]] = {
    "half-life": half_life,
    "age": age,
    "sessions": sessions,
}


def due(
    policy: str,
    memories: Iterable[Memory],
    now: int,
    rings: Callable[[Memory], int],
    limits: Limits,
    crowding: bool = True,
) -> Iterator[Due]:
    """Yield each memory that a policy moves, with its final step, however many rules led there.

    `crowding` allows making room, which is done once a day so that two looks do not move twice.
    """
    hot: dict[tuple[str, ...], list[tuple[Memory, Step | None]]] = {}
    counted = rings if policy == "sessions" else lambda memory: 0
    for memory in memories:
        if memory.invariant:
            continue
        step = final_step(policy, memory, now, counted(memory), limits)
        if policy == "age" and crowding and memory.status in HOT and (step is None or step.to in HOT):
            place = (memory.scope, memory.project, memory.session if memory.scope == "session" else "")
            hot.setdefault(place, []).append((memory, step))
        elif step is not None:
            yield Due(memory, step)
    for crowd in hot.values():
        yield from _crowded(crowd, now, limits)


def final_step(policy: str, memory: Memory, now: int, idle_sessions: int, limits: Limits) -> Step | None:
    """Return the last of the steps that a memory takes at this moment."""
    decide, last, record = POLICIES[policy], None, memory
    while (step := decide(record, now, idle_sessions, limits)) is not None:
        last = step
        if step.to == QUEUE:
            break
        record = record._replace(status=step.to, moves=(*record.moves, f"{step.to}@{now}@{step.rule}"))
    return last


def tier(memory: Memory, policy: str, idle_sessions: int = 0) -> str:
    """Return where a memory stands, in the words of a policy."""
    if memory.status not in HOT:
        faded = "archived" if policy == "sessions" else "archive"
        return faded if memory.status == "archived" else memory.status
    return session_tier(idle_sessions, memory.invariant) if policy == "sessions" else "hot"


def session_tier(idle_sessions: int, invariant: bool = False) -> str:
    """Return the tier of a memory that was last used so many sessions ago."""
    if idle_sessions <= WORKING:
        return "working"
    if idle_sessions <= ACTIVE or invariant:
        return "active"
    return "archive-candidate" if idle_sessions <= CANDIDATE else "archived"


def _measured(memory: Memory, now: int, left: float) -> dict[str, float]:
    return {"strength": round(left, 4), "accesses": memory.accesses, "idle_days": _days(now - memory.used)}


def _grown(age: int) -> Step | None:
    return Step("active", "grown", {"age_days": _days(age)}) if age >= GROWN else None


def _crowded(hot: list[tuple[Memory, Step | None]], now: int, limits: Limits) -> Iterator[Due]:
    """Archive those used longest ago where there are too many; the others take their own steps."""
    oldest = sorted(hot, key=lambda one: (one[0].used, one[0].created, one[0].id))
    leaving = limits.age_batch if len(hot) > limits.age_hot else 0
    for place, (memory, step) in enumerate(oldest):
        if place < leaving:
            step = Step("archived", CROWDED, {"hot": len(hot), "idle_days": _days(now - memory.used)})
        if step is not None:
            yield Due(memory, step)


def _days(span: int) -> float:
    return round(max(0, span) / DAY, 2)
