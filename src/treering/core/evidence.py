"""The evidence that an evolution needs, and nothing else allows it: one table, and what is missing in words.

Conservative by default: keep rather than deprecate, monitor rather than act, refine rather than replace.
"""

from __future__ import annotations

from math import floor

from treering.core.errors import NotEnoughEvidence, Protected, Refused, WouldLose
from treering.core.strength import DAY
from treering.core.tuples import NamedTuple
from treering.core.usage import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.types import Memory

DEPRECATE_Q, DEPRECATE_USAGE = 0.2, 10  # below, and at least
REFINE_Q, REFINE_USAGE = 0.3, 5
# Uses judged bad: once is chance, twice may be. And one in three of all uses: a true memory that is shown for questions
# which others answer gathers blame too, but seldom so much of it (`make learning`).
FAILURES, ONE_IN = 3, 3
MERGE_LIKENESS, MERGE_USAGE = 0.95, 5  # above; and uses of the one that is used most, as recall shows only one of two
STALE_DAYS = 90
PROCESSES = 3
META_SKILL = "meta-skill"  # a tag: how the memory itself is to be worked with


class Counts(NamedTuple):
    """What replaying logged recalls with and without an action came to."""

    recalls: int = 0
    gained: int = 0  # results that are found only with it
    lost: int = 0  # and those that are found only without it
    reordered: int = 0  # recalls with the same results in another order
    helpful_lost: int = 0  # of those that are lost, the ones that were marked helpful


class Grounds(NamedTuple):
    """What an action rests on, beside its evidence: what was given for it, and what it was tried on."""

    reason: str = ""
    justification: str = ""
    forced: bool = False
    replay: Counts | None = None
    causes: tuple[str, ...] = ()  # the run, and the judgements


def numbers(memory: Memory, known: Record) -> dict[str, float]:
    """The numbers behind a candidate, for people and for the event."""
    counts = known._asdict()
    del counts["failures"]
    return {"q": round(memory.q, 4), **counts}


def to_deprecate(memory: Memory, known: Record) -> tuple[str, ...]:
    """What is missing."""
    missing = _worn(memory, known, DEPRECATE_Q, DEPRECATE_USAGE)
    if known.bad < FAILURES or known.bad * ONE_IN < known.usage:
        least = max(FAILURES, -(-known.usage // ONE_IN))
        missing += (f"{known.bad} of {known.usage} uses were judged bad and {least} must be: no pattern of failure",)
    elif known.bad <= known.good:
        missing += (f"{known.good} of its uses were judged good and {known.bad} bad: no pattern of failure",)
    return missing


def to_refine(memory: Memory, known: Record, improvement: str) -> tuple[str, ...]:
    missing = _worn(memory, known, REFINE_Q, REFINE_USAGE)
    return missing if improvement else (*missing, "the improvement is not stated: give it as the reason")


def to_merge(memories: Sequence[Memory], known: Sequence[Record], likeness: float, differs: str) -> tuple[str, ...]:
    """`likeness` is that of the two that are least alike."""
    missing: tuple[str, ...] = ()
    if len(memories) < 2:
        missing += (f"{len(memories)} memory is given and there must be 2",)
    if len(types := sorted({memory.type for memory in memories})) > 1:
        missing += (f"they are of {len(types)} types ({', '.join(types)}) and must be of one",)
    if len({_walls(memory) for memory in memories}) > 1:
        missing += ("they are not seen by the same people: scope, project and session must be one",)
    if len({memory.created // DAY for memory in memories if memory.type == "episodic"}) > 1:
        missing += ("they tell of different days: an episode that came again is another one",)
    if likeness <= MERGE_LIKENESS:
        why = f" ({differs})" if differs else ""
        missing += (f"likeness is {likeness:.3f}{why} and must be above {MERGE_LIKENESS}",)
    used = max((one.usage for one in known), default=0)
    if used < MERGE_USAGE:
        missing += (f"usage is {used} and must be at least {MERGE_USAGE}",)
    return missing


def to_archive(memory: Memory, now: int) -> tuple[str, ...]:
    idle = idle_days(memory, now)
    if idle >= STALE_DAYS:
        return ()
    return (f"it was used, or made, {floor(idle * 100) / 100:g} days ago and must have been idle for {STALE_DAYS}",)


def to_induce(memories: Sequence[Memory], similar: bool) -> tuple[str, ...]:
    missing: tuple[str, ...] = ()
    if len(memories) < PROCESSES:
        missing += (f"{len(memories)} processes are given and there must be {PROCESSES}",)
    if others := [memory.id for memory in memories if memory.type != "procedural"]:
        missing += (f"{', '.join(others)} is no process (of type procedural)",)
    elif not similar and len(memories) >= PROCESSES:
        missing += ("they are not alike enough to be one skill",)
    return missing


def idle_days(memory: Memory, now: int) -> float:
    """Days since it was last used, or made."""
    return max(0, now - memory.used) / DAY


def protected(memory: Memory) -> str:
    """Why a memory is not to be touched without a justification; nothing if it may be."""
    return "an invariant" if memory.invariant else "a meta-skill" if _is_meta(memory) else ""


def _is_meta(memory: Memory) -> bool:
    return any(tag.lower() == META_SKILL for tag in memory.tags)


def require(action: str, memories: Sequence[Memory], missing: tuple[str, ...], grounds: Grounds) -> None:
    """Refuse what has not enough evidence, what is protected, and what would lose something helpful."""
    named = " and ".join(memory.id for memory in memories)
    if missing:
        raise NotEnoughEvidence(action, named, missing)
    for memory in memories:
        if (why := protected(memory)) and not grounds.justification:
            raise Protected(action, memory.id, why)
    if grounds.forced and not grounds.reason:
        raise Refused(f"to force it, say why: to {action} {named} needs a reason")
    if grounds.replay and grounds.replay.helpful_lost and not grounds.forced:
        raise WouldLose(action, named, grounds.replay.helpful_lost, grounds.replay.recalls)


def _worn(memory: Memory, known: Record, q: float, usage: int) -> tuple[str, ...]:
    missing: tuple[str, ...] = ()
    if memory.q >= q:
        missing += (f"Q is {memory.q:.4g} and must be below {q}",)
    if known.usage < usage:
        missing += (f"usage is {known.usage} and must be at least {usage}",)
    return missing


def _walls(memory: Memory) -> tuple[str, ...]:
    session = memory.session if memory.scope == "session" else ""
    return (memory.space, memory.scope, memory.project if memory.scope != "user" else "", session)
