"""Ageing: three policies, each a small pure function from a memory, the time and its rings to the step that is due.

No policy touches an invariant, and none raises a memory: only use does, in the fold (`core.apply`).
"""

from __future__ import annotations

from treering.core.strength import DAY, importance, strength
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from treering.core.types import Memory

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


def half_life(memory: Memory, now: int, rings: int, limits: Limits) -> Step | None:
    """Strength decides: importance, halved with every half-life since the last use."""
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


def age(memory: Memory, now: int, rings: int, limits: Limits) -> Step | None:
    """The calendar decides: days since the last use, then days in the archive."""
    idle = now - memory.used
    if memory.status in HOT and idle > limits.age_archive_days * DAY:
        return Step("archived", "unused", {"idle_days": _days(idle), "accesses": memory.accesses})
    if memory.status == "created":
        return _grown(now - memory.created)
    kept = now - memory.since
    if memory.status == "archived" and kept > limits.age_forget_days * DAY and idle > limits.age_forget_days * DAY:
        return Step("forgotten", "expired", {"archived_days": _days(kept), "idle_days": _days(idle)})
    return None


def sessions(memory: Memory, now: int, rings: int, limits: Limits) -> Step | None:
    """Rings decide, in whole numbers: the sessions that began since the last one that used it. None is forgotten."""
    if memory.status in HOT and rings > CANDIDATE:
        return Step("archived", "unused", {"rings": rings, "accesses": memory.accesses})
    if memory.status == "created" and rings:
        return Step("active", "grown", {"rings": rings})
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
    """Each memory that a policy moves, and where it comes to rest: at most one step, however many rules led there.

    `crowding` says whether room may be made now: only once a day, so that looking twice does not move twice.
    """
    hot: dict[tuple[str, ...], list[tuple[Memory, Step | None]]] = {}
    counted = rings if policy == "sessions" else lambda memory: 0
    for memory in memories:
        if memory.invariant:
            continue
        step = settled(policy, memory, now, counted(memory), limits)
        if policy == "age" and crowding and memory.status in HOT and (step is None or step.to in HOT):
            place = (memory.scope, memory.project, memory.session if memory.scope == "session" else "")
            hot.setdefault(place, []).append((memory, step))
        elif step is not None:
            yield Due(memory, step)
    for crowd in hot.values():
        yield from _crowded(crowd, now, limits)


def settled(policy: str, memory: Memory, now: int, rings: int, limits: Limits) -> Step | None:
    """The last of the steps that a memory takes at this moment."""
    decide, last, record = POLICIES[policy], None, memory
    while (step := decide(record, now, rings, limits)) is not None:
        last = step
        if step.to == QUEUE:
            break
        record = record._replace(status=step.to, moves=(*record.moves, f"{step.to}@{now}@{step.rule}"))
    return last


def tier(memory: Memory, policy: str, rings: int = 0) -> str:
    """Where a memory stands, in the words of a policy."""
    if memory.status not in HOT:
        faded = "archived" if policy == "sessions" else "archive"
        return faded if memory.status == "archived" else memory.status
    return ring_tier(rings, memory.invariant) if policy == "sessions" else "hot"


def ring_tier(rings: int, invariant: bool = False) -> str:
    """The tier of a memory that was last used so many rings ago."""
    if rings <= WORKING:
        return "working"
    if rings <= ACTIVE or invariant:
        return "active"
    return "archive-candidate" if rings <= CANDIDATE else "archived"


def _measured(memory: Memory, now: int, left: float) -> dict[str, float]:
    return {"strength": round(left, 4), "accesses": memory.accesses, "idle_days": _days(now - memory.used)}


def _grown(age: int) -> Step | None:
    return Step("active", "grown", {"age_days": _days(age)}) if age >= GROWN else None


def _crowded(hot: list[tuple[Memory, Step | None]], now: int, limits: Limits) -> Iterator[Due]:
    """Where there are too many, those that were used longest ago make room; the others take their own steps."""
    oldest = sorted(hot, key=lambda one: (one[0].used, one[0].created, one[0].id))
    leaving = limits.age_batch if len(hot) > limits.age_hot else 0
    for place, (memory, step) in enumerate(oldest):
        if place < leaving:
            step = Step("archived", CROWDED, {"hot": len(hot), "idle_days": _days(now - memory.used)})
        if step is not None:
            yield Due(memory, step)


def _days(span: int) -> float:
    return round(max(0, span) / DAY, 2)
