"""Decide what is proposed, with its evidence, and record what a person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from treering.evolve import rules as ask
from treering.ledger.codec import draft, fingerprint
from treering.ledger.errors import InvalidInput, NotEnoughEvidence
from treering.ledger.events import ACCEPTED, PROMOTED, PROPOSED, REJECTED, WORDED, Data, Draft
from treering.ledger.types import Context, Memory
from treering.ledger.usage import Record
from treering.skills.rules import NAMELESS, check_skill, is_skill_name
from treering.skills.signals.rules import ASKED_AGAIN, Friction, Prompt, Reuse, normalized
from treering.text.words import NOT

SKILL_UPGRADE, ROUTING_ADDITION, SKILL_DRAFT, MEMORY_ACTION, RECALL_SETTING = KINDS = tuple(
    "skill-upgrade routing-addition skill-draft memory-action recall-setting".split()
)
_PREFIXES = {
    SKILL_UPGRADE: "skill",
    ROUTING_ADDITION: "route",
    SKILL_DRAFT: "draft",
    MEMORY_ACTION: "act",
    RECALL_SETTING: "tune",
}
FILELESS = (MEMORY_ACTION, RECALL_SETTING)  # accepting these changes the memory, and writes no file
# Applied: it is in effect, as a skill that was promoted or a memory that was changed. Moot: a memory of it is gone.
PENDING, IS_ACCEPTED, IS_REJECTED, APPLIED, MOOT = STATUSES = ("pending", "accepted", "rejected", "applied", "moot")
MOST_CAUSES = 10  # signals that a proposal is said to rest on: enough to show what is meant
ONE_IN = 3  # sessions in which a memory must have been the first answer: the others it may have stood by
COMES_BACK = 2  # times the evidence that a person has turned down: less would ask them the same again and again


class Thresholds(NamedTuple):
    """The least evidence for a proposal."""

    reuse_min: int = 3  # times that a memory surfaced,
    reuse_min_sessions: int = 2  # in so many sessions: one that needs it often is not yet a habit
    miss_min: int = 3  # prompts on one matter that nothing answered,
    miss_min_distinct: int = 2  # in so many wordings: one that is sent again and again is a script
    asked_min: int = 3  # prompts that ask for the same: twice is chance
    rub_min: int = 2  # loops or rejections of one kind: the first may be a slip


class Gap(NamedTuple):
    """Prompts on one topic. The first one names it, and the name stays when more come."""

    prompts: tuple[Prompt, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """Return the words that at least half of the prompts have, in the order of the first."""
        half = len(self.prompts) / 2
        said = [set(prompt.tokens) for prompt in self.prompts]
        first = [word for word in self.prompts[0].tokens if word != NOT]
        shared = [word for word in first if sum(word in one for one in said) >= half]
        return tuple(shared or first)

    @property
    def distinct(self) -> int:
        return len({normalized(prompt.text) for prompt in self.prompts})


class FrictionGroup(NamedTuple):
    """Friction of one kind on one topic."""

    kind: str
    rubs: tuple[Friction, ...]
    about: tuple[str, ...]  # the words of the first


class Last(NamedTuple):
    """The state of a proposal that was made before."""

    status: str
    weight: int  # what spoke for it when that was decided
    time: int = 0  # when it was decided


def upgrade(memory: Memory, reuse: Reuse, known: Record, asked: Thresholds, context: Context) -> Draft:
    """Propose to make a skill of a memory that is used in session after session."""
    missing: tuple[str, ...] = ()
    if reuse.times < asked.reuse_min:
        missing += (f"it surfaced {reuse.times} times and must have {asked.reuse_min}",)
    if len(reuse.sessions) < asked.reuse_min_sessions:
        missing += (f"that was in {len(reuse.sessions)} sessions and must be in {asked.reuse_min_sessions}",)
    if reuse.firsts * ONE_IN < reuse.times:
        least = -(-reuse.times // ONE_IN)
        missing += (f"it stood first in {reuse.firsts} of {reuse.times} sessions and must have in {least}",)
    if known.bad > known.good:
        missing += (f"{known.bad} of its uses were judged bad and {known.good} good",)
    _require(SKILL_UPGRADE, memory.id, missing)
    numbers = {"count": reuse.times, "sessions": len(reuse.sessions), "good": known.good, "bad": known.bad}
    causes = _ends(reuse.events)
    return _proposed(SKILL_UPGRADE, memory.id, reuse.times, {"evidence": numbers}, [memory.id], context, causes)


def addition(gap: Gap, asked: Thresholds, context: Context) -> Draft:
    """Propose to name somebody who knows about a topic on which prompts find nothing."""
    missing: tuple[str, ...] = ()
    if len(gap.prompts) < asked.miss_min:
        missing += (f"{len(gap.prompts)} prompts are alike and there must be {asked.miss_min}",)
    if gap.distinct < asked.miss_min_distinct:
        missing += (f"{gap.distinct} of them are distinct and {asked.miss_min_distinct} must be",)
    _require(ROUTING_ADDITION, ", ".join(gap.tokens), missing)
    data = {"tokens": [*gap.tokens], "evidence": {"count": len(gap.prompts), "distinct": gap.distinct}}
    about = about_prompts(ROUTING_ADDITION, gap.prompts[0].tokens)
    return _proposed(ROUTING_ADDITION, about, len(gap.prompts), data, [], context, _resting(gap.prompts))


def asked_again(gap: Gap, asked: Thresholds, context: Context) -> Draft:
    """Propose a skill for what a user asks for in session after session."""
    missing = _few(len(gap.prompts), asked.asked_min, "prompts that ask for the same")
    _require(SKILL_DRAFT, ", ".join(gap.tokens), missing)
    sessions = len({prompt.session for prompt in gap.prompts})
    data: Data = {"signal": ASKED_AGAIN, "tokens": [*gap.tokens]}
    data["evidence"] = {"count": len(gap.prompts), "distinct": gap.distinct, "sessions": sessions}
    about = about_prompts(SKILL_DRAFT, gap.prompts[0].tokens)
    return _proposed(SKILL_DRAFT, about, len(gap.prompts), data, [], context, _resting(gap.prompts))


def rubbed(rubbing: FrictionGroup, asked: Thresholds, context: Context) -> Draft:
    """Propose a skill that leads past a place where sessions get stuck."""
    rubs = rubbing.rubs
    _require(SKILL_DRAFT, " ".join(rubbing.about), _few(len(rubs), asked.rub_min, f"times that it was {rubbing.kind}"))
    tries = sum(rub.tries for rub in rubs)
    data: Data = {"signal": rubbing.kind, "tokens": [*rubbing.about]}
    data["evidence"] = {"count": len(rubs), "tries": tries, "sessions": len({rub.session for rub in rubs})}
    about = [rubbing.kind, *sorted(rubbing.about)]
    return _proposed(SKILL_DRAFT, about, tries, data, [], context, _resting(rubs))


def induce(memories: Sequence[Memory], similar: bool, skill: Mapping[str, str], context: Context, run: str) -> Draft:
    """Propose a skill made of processes that do the same, with the texts in `skill`."""
    ids = sorted(memory.id for memory in memories)
    _require("induce", " and ".join(ids) or "a skill", ask.to_induce(memories, similar))
    given = {name: text for name, text in skill.items() if text}
    check_skill(given.get("name", NAMELESS), given.get("description", "-"))
    about = [given.get("name", ""), *ids]
    data = {**given, "evidence": {"processes": len(ids)}}
    return _proposed(SKILL_DRAFT, about, len(ids), data, ids, context, (run,) if run else ())


def act(action: str, ids: Sequence[str], numbers: Mapping[str, float], context: Context, run: str) -> Draft:
    """Propose an action of a rule that is suspended, as it was wrong too often."""
    weight = round(numbers.get("usage") or numbers.get("idle_days") or 0)
    data = {"action": action, "evidence": dict(numbers)}
    return _proposed(MEMORY_ACTION, [action, *sorted(ids)], weight, data, sorted(ids), context, (run,) if run else ())


def setting(weights: Mapping[str, float | str], numbers: Mapping[str, float], recalls: int, context: Context) -> Draft:
    """Propose weights with which recall would have found more in `recalls` earlier ones."""
    data = {"weights": dict(weights), "evidence": dict(numbers)}
    about = [context.project, sorted(weights.items())]
    return _proposed(RECALL_SETTING, about, recalls, data, [], context)


def news(decided: Draft, data: Data, last: Last | None, context: Context) -> Draft | None:
    """Return a proposal, or None if it waits for a person with as much evidence. A rejected one
    comes back only with at least twice the evidence, and says so."""
    if last is None:
        return decided
    if last.status == PENDING and data["kind"] != MEMORY_ACTION and data["weight"] > last.weight:
        return decided  # an action says the same with other numbers, which are looked at anew when it is done
    if last.status != IS_REJECTED or not last.weight or data["weight"] < COMES_BACK * last.weight:
        return None
    return draft(PROPOSED, {**data, "before": last.weight}, context, decided.subject, decided.causes)


def worded(proposal: str, event: str, memories: Sequence[str], words: Data, model: str, context: Context) -> Draft:
    """Draft the name and description by a model. Refuse what an agent would not load."""
    check_skill(words["name"], words["description"])
    data = {"proposal": proposal, "model": model, **words}
    return draft(WORDED, data, context, _about(memories), (event,))


def accept(proposal: str, event: str, memories: Sequence[str], weight: int, written: Data, context: Context) -> Draft:
    """Draft an acceptance. `written` has the file's path, digest and name."""
    known = {name: value for name, value in written.items() if value}
    return draft(ACCEPTED, {"proposal": proposal, "weight": weight, **known}, context, _about(memories), (event,))


def reject(proposal: str, weight: int, note: str, context: Context) -> Draft:
    """Draft a rejection. It rests on nothing, so that a purge does not delete it."""
    return draft(REJECTED, {"proposal": proposal, "weight": weight, **({"note": note} if note else {})}, context)


def promote(name: str, path: str, digest: str, causes: Sequence[str], context: Context) -> Draft:
    """Draft the promotion of a skill out of quarantine, as it is now."""
    if not is_skill_name(name):
        raise InvalidInput(f"{name[:80]!r} is no name of a skill")
    return draft(PROMOTED, {"name": name, "path": path, "digest": digest}, context, causes=tuple(causes))


def named(kind: str, about: object) -> str:
    """Return the id of a proposal."""
    return f"{_PREFIXES[kind]}-{fingerprint([kind, about]) & 0xFF_FFFF_FFFF:010x}"


def is_named(name: str, kind: str) -> bool:
    """Tell whether a name could be the id of a proposal: an imported one may have any."""
    prefix, _, digits = name.rpartition("-")
    return prefix == _PREFIXES.get(kind) and len(digits) == 10 and {*digits} <= {*"0123456789abcdef"}


def about_prompts(kind: str, tokens: Sequence[str]) -> object:
    """Return what the id of a proposal made of prompts is computed from: the words of the first."""
    return sorted(tokens) if kind == ROUTING_ADDITION else [ASKED_AGAIN, *sorted(tokens)]


def _proposed(
    kind: str,
    about: object,
    weight: int,
    data: Data,
    memories: Sequence[str],
    context: Context,
    causes: tuple[str, ...] = (),
) -> Draft:
    """Draft a proposal. Its id depends only on what it is about, so that it is recognised later."""
    whole = {"fingerprint": named(kind, about), "kind": kind, "weight": weight, **data, "memories": [*memories]}
    return draft(PROPOSED, whole, context, _about(memories), (*memories, *causes))


def _about(memories: Sequence[str]) -> str:
    """Return the memory that is the event's subject: purging it purges the proposal."""
    return memories[0] if memories else ""


def _resting(signals: Sequence[Prompt | Friction]) -> tuple[str, ...]:
    return _ends([signal.event for signal in signals])


def _ends(events: Sequence[str]) -> tuple[str, ...]:
    """Return the first event, which may name a proposal, and the last ones."""
    return tuple(dict.fromkeys((*events[:1], *events[1 - MOST_CAUSES :])))


def _few(count: int, least: int, what: str) -> tuple[str, ...]:
    return () if count >= least else (f"there are {count} {what} and must be {least}",)


def _require(action: str, about: str, missing: tuple[str, ...]) -> None:
    if missing:
        raise NotEnoughEvidence(action, about, missing)
