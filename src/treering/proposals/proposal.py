"""Proposals as they stand: what was made, what a person decided, and what became of the file."""

from __future__ import annotations

import os

from treering.core import signals
from treering.core.codec import data_of
from treering.core.errors import InvalidInput, NotFound
from treering.core.events import PROMPTED, RECALLED, RUBBED, SURFACED
from treering.core.evolving import ARCHIVE, DEPRECATE, MERGE
from treering.core.lifecycle import RECALLABLE
from treering.core.ports import EventQuery
from treering.core.proposing import (
    APPLIED,
    FILELESS,
    IS_ACCEPTED,
    MEMORY_ACTION,
    MOOT,
    PENDING,
    RECALL_SETTING,
    ROUTING_ADDITION,
    SKILL_DRAFT,
    SKILL_UPGRADE,
    STATUSES,
    is_named,
)
from treering.core.skills import is_skill_name
from treering.core.tuples import NamedTuple
from treering.core.types import one_of
from treering.core.words import folded
from treering.proposals import texts
from treering.proposals.cases import cases
from treering.proposals.texts import Words
from treering.skills.folders import QUARANTINE, SKILL_FILE
from treering.skills.placing import digest, digest_all, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from treering.core.events import Data, Event
    from treering.core.ports import Reader
    from treering.core.signals import Prompt, Rub
    from treering.core.types import Memory
    from treering.proposals.cases import Case

DRAFTS = f"{QUARANTINE}/drafts"
_DONE = {DEPRECATE: "deprecated", MERGE: "merged", ARCHIVE: "archived"}
_NAMED = 5  # of the proposals that an id may mean
SECOND = 1_000_000  # microseconds
AS_WRITTEN, EDITED, MISSING = "as written", "edited since", "deleted since"


class Targets(NamedTuple):
    """Where accepted proposals go, below the root."""

    skills: str
    routing: str


class Proposal(NamedTuple):
    """Something that is put before a person."""

    id: str  # a function of its evidence
    kind: str
    status: str
    memories: tuple[str, ...]
    action: str  # of a memory-action
    name: str  # of a skill
    tokens: tuple[str, ...]
    text: str  # the file as it would be written, the command, or the setting
    target: str  # below the root; nothing for what writes no file
    evidence: Mapping[str, Any]
    reason: str
    weight: int  # how much speaks for it
    before: int  # how much did when it was rejected, if it came back
    note: str  # why it was rejected
    path: str  # of the file, once accepted
    file: str  # whether it is still as written; nothing if that is not known
    created: int
    changed: int
    event: str  # that made it


class Proposals:
    """All proposals of a space."""

    def __init__(self, store: Reader, space: str, targets: Targets) -> None:
        self.store = store
        self.space = space
        self.targets = targets

    def all(self, status: str = "") -> list[Proposal]:
        """Those that there are: the newest first, and those of one analysis in its order."""
        if status:
            one_of("status", status, STATUSES)
        found = [self._proposal(case) for case in cases(self.store, self.space).values() if self._stands(case)]
        return sorted((one for one in found if status in ("", one.status)), key=lambda one: -(one.created // SECOND))

    def one(self, id: str, name: str = "") -> Proposal:
        """By its id, or by the beginning of it if that is no other's; a skill under another name, if one is given."""
        if not isinstance(id, str) or not id:
            raise InvalidInput(f"a proposal's id is a text like skill-2537cb787a, not {id!r}")
        made = cases(self.store, self.space)
        able = [id] if id in made else [name for name in made if name.startswith(id)]
        able = [name for name in able if self._stands(made[name])]
        if len(able) > 1:
            more = f" and {len(able) - _NAMED} more" if len(able) > _NAMED else ""
            raise InvalidInput(f"{id!r} could be any of {', '.join(sorted(able)[:_NAMED])}{more}")
        if not able:
            raise NotFound("proposal", id, "`treering evolve list` shows those that there are")
        return self._proposal(made[able[0]], name)

    def _stands(self, case: Case) -> bool:
        """Whether there is something to tell: what it is about may have been purged, and one that came from elsewhere
        may make no sense."""
        data = case.data
        memories = data["memories"]
        plain = all(folded(token) == [token] for token in data.get("tokens", ()))
        sense = {
            SKILL_UPGRADE: len(memories) == 1,
            ROUTING_ADDITION: bool(data.get("tokens")),
            MEMORY_ACTION: bool(memories) and data.get("action") in _DONE,
            SKILL_DRAFT: bool(memories or data.get("tokens")),
            RECALL_SETTING: bool(data.get("weights")),
        }.get(data["kind"], False)
        named = is_named(data["fingerprint"], data["kind"]) or _is_old(data["fingerprint"])
        return named and sense and plain and (not memories or bool(self._memories(memories)))

    def _memories(self, ids: Sequence[str]) -> list[Memory]:
        """Those of our own space: another one's are no business of ours."""
        return [memory for memory in self.store.several(ids).values() if memory.space == self.space]

    def _proposal(self, case: Case, other: str = "") -> Proposal:
        data = case.data
        memories = self._memories(data["memories"])
        prompts, rubs = self._signals(case.made)
        words = self._words(case)
        name = "" if data["kind"] in (ROUTING_ADDITION, *FILELESS) else other or words.name or _named(data, memories)
        words = words._replace(name=name)
        accepted = case.accepted
        found = Proposal(
            id=data["fingerprint"],
            kind=data["kind"],
            status=_status(case, memories),
            memories=tuple(data["memories"]),
            action=data.get("action", ""),
            name=other or accepted.get("name") or name,
            tokens=tuple(data.get("tokens", ())),
            text=self._text(data, memories, prompts, rubs, words, case.made.project),
            target=self.target(data["kind"], data.get("signal", ""), other or accepted.get("name") or name),
            evidence=self._evidence(case, prompts, rubs),
            reason=_reason(data, memories, rubs),
            weight=data.get("weight", 0),
            before=data.get("before", 0),
            note=data_of(case.decided)[1].get("note", "") if case.decided is not None else "",
            path=accepted.get("path", ""),
            file="",
            created=case.first.time,
            changed=(case.decided or case.made).time,
            event=case.made.id,
        )
        return found._replace(file=self._file(case, found.text))

    def target(self, kind: str, signal: str, name: str) -> str:
        """Where its file goes, below the root."""
        if kind == ROUTING_ADDITION:
            return self.targets.routing
        if kind in FILELESS:
            return ""
        return f"{DRAFTS if signal else self.targets.skills}/{name}/{SKILL_FILE}"

    def _words(self, case: Case) -> Words:
        """What the proposal says of itself; a name that came from elsewhere may be none."""
        told = {**case.data, **case.words}
        name, description = told.get("name", ""), told.get("description", "")
        return Words(
            name if is_skill_name(name) else "",
            description if any(letter.isalnum() for letter in description) else "",
            told.get("content", ""),
            tuple(told.get("triggers", ())),
        )

    def _text(
        self,
        data: Data,
        memories: Sequence[Memory],
        prompts: Sequence[Prompt],
        rubs: Sequence[Rub],
        words: Words,
        project: str,
    ) -> str:
        tokens = data.get("tokens", ())
        if data["kind"] == MEMORY_ACTION:
            return texts.command(data.get("action", ""), [memory.id for memory in memories])
        if data["kind"] == RECALL_SETTING:
            return texts.setting(data["weights"], project)
        if data["kind"] == ROUTING_ADDITION:
            return texts.routed(data["fingerprint"], tokens, prompts, data.get("weight", 0), self.targets.routing)
        if data["kind"] == SKILL_UPGRADE and memories:
            return texts.upgrade(memories[0], words)
        return texts.induced(memories, words) if memories else texts.eased(tokens, prompts, rubs, words)

    def _signals(self, made: Event) -> tuple[list[Prompt], list[Rub]]:
        """The prompts and the friction that it rests on."""
        kinds = (RECALLED, PROMPTED, RUBBED)
        events = [*self.store.events(EventQuery(ids=made.causes, kinds=kinds, space=self.space, live=True))]
        asked = signals.misses(event for event in events if event.kind == RECALLED)
        asked += signals.prompts(event for event in events if event.kind == PROMPTED)
        return asked, signals.rubs(event for event in events if event.kind == RUBBED)

    def _evidence(self, case: Case, prompts: Sequence[Prompt], rubs: Sequence[Rub]) -> dict[str, Any]:
        """The numbers, and what they count."""
        data = case.data
        if data["kind"] == SKILL_UPGRADE:
            return self._reused(data["memories"][0], case.made)
        told = {**data.get("evidence", {})}
        if prompts:
            told |= {"tokens": data.get("tokens", []), "samples": [prompt.text for prompt in prompts]}
        if rubs:
            told["friction"] = [rub._asdict() for rub in rubs]
        return told

    def _reused(self, memory: str, made: Event) -> dict[str, Any]:
        """Where a memory surfaced, up to when the proposal was made."""
        query = EventQuery(subjects=(memory,), kinds=(SURFACED,), space=self.space, live=True)
        found = signals.reuse(event for event in self.store.events(query) if event.clock <= made.clock)
        told: dict[str, Any] = {"memoryId": memory}
        for reuse in found:
            told |= {"reuseCount": reuse.times, "sessions": [*reuse.sessions], "projects": [*reuse.projects]}
            told |= {"firstSurfaced": reuse.first, "lastSurfaced": reuse.last}
        return told

    def _file(self, case: Case, text: str) -> str:
        """What became of the file. Of one that holds other entries too, only the own one counts."""
        path, written = case.accepted.get("path", ""), case.accepted.get("digest", "")
        if not path or case.decided is None or case.decided.writer != self.store.writer:
            return ""  # nothing was written, or on another machine
        now = digest_all(os.path.dirname(path)) if case.status == APPLIED else digest(path)
        if now and case.data["kind"] == ROUTING_ADDITION and text.strip() in (read_text(path) or ""):
            return AS_WRITTEN
        return AS_WRITTEN if now == written else EDITED if now else MISSING


def _is_old(name: str) -> bool:
    """Whether a name is one of those that proposals had in the beginning."""
    return len(name) == 17 and name[0] == "p" and {*name[1:]} <= {*"0123456789abcdef"}


def _named(data: Data, memories: Sequence[Memory]) -> str:
    return texts.name_of(memories) if memories else texts.name_of_tokens(data.get("tokens", ()))


def _status(case: Case, memories: Sequence[Memory]) -> str:
    """Whether it still waits: somebody may have done it by hand, or something else with its memories."""
    data = case.data
    statuses = [memory.status for memory in memories]
    if data["kind"] == RECALL_SETTING and case.status == IS_ACCEPTED:
        return APPLIED
    if data["kind"] not in (MEMORY_ACTION, SKILL_UPGRADE):
        return case.status
    if _DONE.get(data.get("action", "")) in statuses:
        return APPLIED
    still = len(memories) == len(data["memories"]) and all(status in RECALLABLE for status in statuses)
    return case.status if still or case.status != PENDING else MOOT


def _reason(data: Data, memories: Sequence[Memory], rubs: Sequence[Rub]) -> str:
    numbers = data.get("evidence", {})
    count, sessions = numbers.get("count", 0), numbers.get("sessions", 0)
    words = f"[{', '.join(data.get('tokens', ()))}]"
    signal = data.get("signal", "")
    if data["kind"] == SKILL_UPGRADE:
        about = texts.line(memories[0].problem or memories[0].content) if memories else ""
        said = f"Memory '{about}' surfaced {count}x across {sessions} sessions"
        said += "; it comes from outside, and nobody here has said it" if texts.from_outside(memories) else ""
    elif data["kind"] == RECALL_SETTING:
        said = (
            f"{numbers.get('held', 0):g} recalls that it was not fitted on would have been answered better by "
            f"{numbers.get('gain', 0):+.3f} ({numbers.get('low', 0):+.3f} to {numbers.get('high', 0):+.3f})"
        )
    elif data["kind"] == ROUTING_ADDITION:
        said = f"{count} substantive prompts ({numbers.get('distinct', 0)} distinct) clustered on tokens {words}"
    elif signal == signals.ASKED_AGAIN:
        where = f"{sessions} sessions" if sessions > 1 else "one session"
        said = f"{count} prompts in {where} asked for the same: {words}"
    elif signal:
        tool = rubs[0].tool if rubs else "a tool"
        said = f"{tool} was {signal} {count} times ({numbers.get('tries', 0)} tries) around {words}"
    else:
        said = data.get("reason", "") or ", ".join(f"{name} {value:g}" for name, value in numbers.items())
    before = data.get("before", 0)
    return said + (f"; it was rejected when that was {before}, and has come back" if before else "")
