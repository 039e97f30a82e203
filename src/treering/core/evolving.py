"""The decisions of evolution. None is made without the evidence of `core.evidence`, whoever asks for it."""

from __future__ import annotations

from treering.core import evidence as ask
from treering.core.decide import MOST_TAGS, supersede
from treering.core.drafts import draft, reasoned
from treering.core.errors import InvalidInput
from treering.core.events import ABSORBED, BEGAN, EVOLVED, MERGED, MOVED
from treering.core.lifecycle import RECALLABLE, check_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.core.events import Data, Draft
    from treering.core.evidence import Grounds
    from treering.core.types import Context, Memory
    from treering.core.usage import Record

DEPRECATE, REFINE, MERGE, ARCHIVE, INDUCE = ACTIONS = ("deprecate", "refine", "merge", "archive", "induce")
GATED = (DEPRECATE, REFINE, MERGE)  # what takes something out of recall


def deprecate(memory: Memory, known: Record, grounds: Grounds, context: Context) -> Draft:
    """A memory has failed often enough: it goes out of recall, and its history stays."""
    check_move(memory.id, memory.status, "deprecated")
    if not grounds.reason:
        raise InvalidInput(f"to deprecate {memory.id} needs a reason")
    ask.require(DEPRECATE, [memory], ask.to_deprecate(memory, known), grounds)
    data = {"from": memory.status, "to": "deprecated", "rule": DEPRECATE}
    return _told(MOVED, data, memory, ask.numbers(memory, known), _resting(grounds, *known.failures), context)


def archive(memory: Memory, now: int, grounds: Grounds, context: Context) -> Draft:
    """Nobody has used a memory for long: it stays searchable, below the others."""
    check_move(memory.id, memory.status, "archived")
    ask.require(ARCHIVE, [memory], ask.to_archive(memory, now), grounds)
    numbers = {"idle_days": round(ask.idle_days(memory, now), 2), "accesses": memory.accesses}
    return _told(MOVED, {"from": memory.status, "to": "archived", "rule": ARCHIVE}, memory, numbers, grounds, context)


def check_refine(memory: Memory, known: Record, grounds: Grounds) -> None:
    """Whether a memory may be refined, before anything is made of the new text."""
    check_move(memory.id, memory.status, "superseded")
    ask.require(REFINE, [memory], ask.to_refine(memory, known, grounds.reason), grounds)


def refine(old: Memory, new: Memory, known: Record, grounds: Grounds, context: Context) -> Draft:
    """The same in better words: a new memory, which starts afresh, supersedes the old one."""
    check_refine(old, known, grounds)
    telling = {"rule": REFINE, "evidence": ask.numbers(old, known), **_grounds(grounds)}
    return supersede(old, new, context, grounds.reason, *grounds.causes, *known.failures, telling=telling)


def check_merge(
    memories: Sequence[Memory], known: Sequence[Record], likeness: float, differs: str, grounds: Grounds
) -> None:
    """Whether memories may be merged, before it is known into which."""
    for memory in memories:
        if memory.status not in RECALLABLE:
            raise InvalidInput(f"memory {memory.id} is {memory.status}: there is nothing to merge")
    ask.require(MERGE, memories, ask.to_merge(memories, known, likeness, differs), grounds)


def merge(memory: Memory, into: Memory, known: Record, likeness: float, grounds: Grounds, context: Context) -> Draft:
    """One of several says what another one says too. `check_merge` has seen that they may be."""
    check_move(memory.id, memory.status, "merged")
    numbers = {**ask.numbers(memory, known), "likeness": round(likeness, 4)}
    data = {"into": into.id, "from": memory.status}
    return _told(MERGED, data, memory, numbers, _resting(grounds, into.id), context)


def absorb(kept: Memory, merged: Memory, q: float, merging: str, context: Context) -> Draft:
    """The other half of a merge: the memory that is kept speaks for both, with the highest Q among them."""
    data: Data = {"merged": merged.id, "q": q, "accesses": merged.accesses, "accessed": merged.accessed}
    if tags := [tag for tag in merged.tags if tag not in kept.tags][: max(0, MOST_TAGS - len(kept.tags))]:
        data["tags"] = tags
    return draft(ABSORBED, data, context, kept.id, (merging,))


def began(trigger: str, context: Context) -> Draft:
    return draft(BEGAN, {"trigger": trigger}, context)


def evolved(run: str, evaluated: int, actions: Mapping[str, int], context: Context) -> Draft:
    return draft(EVOLVED, {"evaluated": evaluated, "actions": dict(actions)}, context, causes=(run,))


def _told(
    kind: str, data: Data, memory: Memory, numbers: Mapping[str, float], grounds: Grounds, context: Context
) -> Draft:
    data = {**data, "evidence": dict(numbers), **_grounds(grounds), **reasoned(grounds.reason)}
    return draft(kind, data, context, memory.id, tuple(dict.fromkeys((memory.id, *grounds.causes))))


def _resting(grounds: Grounds, *causes: str) -> Grounds:
    """What is undone is undone with all that rests on it: the judgements, and the memory that speaks for another."""
    return grounds._replace(causes=(*grounds.causes, *causes))


def _grounds(grounds: Grounds) -> Data:
    data: Data = {"justification": grounds.justification} if grounds.justification else {}
    if grounds.replay is not None:
        data["replay"] = grounds.replay._asdict()
    if grounds.forced:
        data["forced"] = True
    return data
