"""Decide the actions of evolution; each needs the evidence listed here, whoever asks for it.

Conservative by default: keep rather than deprecate, monitor rather than act, refine rather than
replace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor
from typing import Any, NamedTuple

from treering.ledger.ageing import DAY
from treering.ledger.codec import draft, reasoned
from treering.ledger.decide import MOST_TAGS, supersede
from treering.ledger.errors import InvalidInput, NotEnoughEvidence, Protected, Refused, WouldLose
from treering.ledger.events import ABSORBED, BEGAN, EVOLVED, MERGED, MOVED, Draft
from treering.ledger.types import RECALLABLE, Context, Memory, check_move
from treering.ledger.usage import Record

DEPRECATE_Q, DEPRECATE_USAGE = 0.2, 10  # below, and at least
REFINE_Q, REFINE_USAGE = 0.3, 5
# Uses judged bad: once is chance, twice may be. And one in three of all uses: a true memory that is shown for questions
# which others answer gathers blame too, but seldom so much of it (`make learning`).
FAILURES, ONE_IN = 3, 3
MERGE_LIKENESS, MERGE_USAGE = 0.95, 5  # above; and uses of the one that is used most, as recall shows only one of two
STALE_DAYS = 90
PROCESSES = 3
LOW_Q, STALE, UNLINKED, PAIRS = CRITERIA = ("low_q", "stale", "unlinked_processes", "similar_pairs")
META_SKILL = "meta-skill"  # a tag: how the memory itself is to be worked with


class Counts(NamedTuple):
    """The result of replaying logged recalls with and without an action."""

    recalls: int = 0
    gained: int = 0  # results that are found only with it
    lost: int = 0  # and those that are found only without it
    reordered: int = 0  # recalls with the same results in another order
    helpful_lost: int = 0  # of those that are lost, the ones that were marked helpful


class Grounds(NamedTuple):
    """The grounds of an action beside its evidence: the reasons given, and its replay."""

    reason: str = ""
    justification: str = ""
    forced: bool = False
    replay: Counts | None = None
    causes: tuple[str, ...] = ()  # the run, and the judgements


def numbers(memory: Memory, known: Record) -> dict[str, float]:
    """Return the numbers behind a candidate, for people and for the event."""
    counts = known._asdict()
    del counts["failures"]
    return {"q": round(memory.q, 4), **counts}


def to_deprecate(memory: Memory, known: Record) -> tuple[str, ...]:
    """Return the evidence that is missing."""
    missing = _missing_use(memory, known, DEPRECATE_Q, DEPRECATE_USAGE)
    if known.bad < FAILURES or known.bad * ONE_IN < known.usage:
        least = max(FAILURES, -(-known.usage // ONE_IN))
        missing += (f"{known.bad} of {known.usage} uses were judged bad and {least} must be: no pattern of failure",)
    elif known.bad <= known.good:
        missing += (f"{known.good} of its uses were judged good and {known.bad} bad: no pattern of failure",)
    return missing


def to_refine(memory: Memory, known: Record, improvement: str) -> tuple[str, ...]:
    missing = _missing_use(memory, known, REFINE_Q, REFINE_USAGE)
    return missing if improvement else (*missing, "the improvement is not stated: give it as the reason")


def to_merge(memories: Sequence[Memory], known: Sequence[Record], likeness: float, differs: str) -> tuple[str, ...]:
    """Return the evidence that is missing. `likeness` is that of the two that are least alike."""
    missing: tuple[str, ...] = ()
    if len(memories) < 2:
        missing += (f"{len(memories)} memory is given and there must be 2",)
    if len(types := sorted({memory.type for memory in memories})) > 1:
        missing += (f"they are of {len(types)} types ({', '.join(types)}) and must be of one",)
    if len({_audience(memory) for memory in memories}) > 1:
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
    """Return the days since a memory was last used, or made."""
    return max(0, now - memory.used) / DAY


def protected(memory: Memory) -> str:
    """Return why a memory needs a justification to be changed, or nothing."""
    is_meta = any(tag.lower() == META_SKILL for tag in memory.tags)
    return "an invariant" if memory.invariant else "a meta-skill" if is_meta else ""


def require(action: str, memories: Sequence[Memory], missing: tuple[str, ...], grounds: Grounds) -> None:
    """Refuse an action without enough evidence, on a protected memory, or that loses a helpful result."""
    named = " and ".join(memory.id for memory in memories)
    if missing:
        raise NotEnoughEvidence(action, named, missing)
    for memory in memories:
        if (why := protected(memory)) and not grounds.justification:
            raise Protected(action, memory.id, why)
    if grounds.forced and not grounds.reason:
        raise Refused(f"give a reason to force this: {action} {named}")
    if grounds.replay and grounds.replay.helpful_lost and not grounds.forced:
        raise WouldLose(action, named, grounds.replay.helpful_lost, grounds.replay.recalls)


def _missing_use(memory: Memory, known: Record, q: float, usage: int) -> tuple[str, ...]:
    missing: tuple[str, ...] = ()
    if memory.q >= q:
        missing += (f"Q is {memory.q:.4g} and must be below {q}",)
    if known.usage < usage:
        missing += (f"usage is {known.usage} and must be at least {usage}",)
    return missing


def _audience(memory: Memory) -> tuple[str, ...]:
    session = memory.session if memory.scope == "session" else ""
    return (memory.space, memory.scope, memory.project if memory.scope != "user" else "", session)


DEPRECATE, REFINE, MERGE, ARCHIVE, INDUCE = ACTIONS = ("deprecate", "refine", "merge", "archive", "induce")


def deprecate(memory: Memory, known: Record, grounds: Grounds, context: Context) -> Draft:
    """Take a memory that failed often enough out of recall; its history stays."""
    check_move(memory.id, memory.status, "deprecated")
    if not grounds.reason:
        raise InvalidInput(f"to deprecate {memory.id} needs a reason")
    require(DEPRECATE, [memory], to_deprecate(memory, known), grounds)
    data = {"from": memory.status, "to": "deprecated", "rule": DEPRECATE}
    return _draft(MOVED, data, memory, numbers(memory, known), _with_causes(grounds, *known.failures), context)


def archive(memory: Memory, now: int, grounds: Grounds, context: Context) -> Draft:
    """Archive a memory that was not used for long: recall still finds it, below the others."""
    check_move(memory.id, memory.status, "archived")
    require(ARCHIVE, [memory], to_archive(memory, now), grounds)
    numbers = {"idle_days": round(idle_days(memory, now), 2), "accesses": memory.accesses}
    return _draft(MOVED, {"from": memory.status, "to": "archived", "rule": ARCHIVE}, memory, numbers, grounds, context)


def check_refine(memory: Memory, known: Record, grounds: Grounds) -> None:
    """Refuse a refinement before anything is written."""
    check_move(memory.id, memory.status, "superseded")
    require(REFINE, [memory], to_refine(memory, known, grounds.reason), grounds)


def refine(old: Memory, new: Memory, known: Record, grounds: Grounds, context: Context) -> Draft:
    """Let a new memory with a better text supersede the old one; it starts with a fresh Q."""
    check_refine(old, known, grounds)
    telling = {"rule": REFINE, "evidence": numbers(old, known), **_grounds_data(grounds)}
    return supersede(old, new, context, grounds.reason, *grounds.causes, *known.failures, more=telling)


def check_merge(
    memories: Sequence[Memory], known: Sequence[Record], likeness: float, differs: str, grounds: Grounds
) -> None:
    """Refuse a merge before it is known which memory is kept."""
    for memory in memories:
        if memory.status not in RECALLABLE:
            raise InvalidInput(f"memory {memory.id} is {memory.status}: there is nothing to merge")
    require(MERGE, memories, to_merge(memories, known, likeness, differs), grounds)


def merge(memory: Memory, into: Memory, known: Record, likeness: float, grounds: Grounds, context: Context) -> Draft:
    """Merge a memory into another that says the same; `check_merge` must have allowed it."""
    check_move(memory.id, memory.status, "merged")
    figures = {**numbers(memory, known), "likeness": round(likeness, 4)}
    data = {"into": into.id, "from": memory.status}
    return _draft(MERGED, data, memory, figures, _with_causes(grounds, into.id), context)


def absorb(kept: Memory, merged: Memory, q: float, merging: str, context: Context) -> Draft:
    """Give the memory that a merge keeps the highest Q, the uses and the tags of the merged one."""
    data: dict[str, Any] = {"merged": merged.id, "q": q, "accesses": merged.accesses, "accessed": merged.accessed}
    if tags := [tag for tag in merged.tags if tag not in kept.tags][: max(0, MOST_TAGS - len(kept.tags))]:
        data["tags"] = tags
    return draft(ABSORBED, data, context, kept.id, (merging,))


def began(trigger: str, context: Context) -> Draft:
    return draft(BEGAN, {"trigger": trigger}, context)


def evolved(run: str, evaluated: int, actions: Mapping[str, int], context: Context) -> Draft:
    return draft(EVOLVED, {"evaluated": evaluated, "actions": dict(actions)}, context, causes=(run,))


def _draft(
    kind: str, data: dict[str, Any], memory: Memory, numbers: Mapping[str, float], grounds: Grounds, context: Context
) -> Draft:
    data = {**data, "evidence": dict(numbers), **_grounds_data(grounds), **reasoned(grounds.reason)}
    return draft(kind, data, context, memory.id, tuple(dict.fromkeys((memory.id, *grounds.causes))))


def _with_causes(grounds: Grounds, *causes: str) -> Grounds:
    """Add causes to the grounds: undoing one of them undoes the action."""
    return grounds._replace(causes=(*grounds.causes, *causes))


def _grounds_data(grounds: Grounds) -> dict[str, Any]:
    data: dict[str, Any] = {"justification": grounds.justification} if grounds.justification else {}
    if grounds.replay is not None:
        data["replay"] = grounds.replay._asdict()
    if grounds.forced:
        data["forced"] = True
    return data
