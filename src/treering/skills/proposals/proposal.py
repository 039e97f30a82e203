"""Read proposals as they stand, with the state of their files, and rank those that wait."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from treering.evolve.rules import ARCHIVE, DEPRECATE, MERGE
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import PROMPTED, RECALLED, REMEMBERED, RUBBED, SURFACED, Data, Event
from treering.ledger.types import LIKELY, RECALLABLE, Memory, one_of, seen_from
from treering.ledger.usage import TOLD, Record, records
from treering.skills.paths import QUARANTINE, SKILL_FILE
from treering.skills.place import digest, digest_all, read_text
from treering.skills.proposals import texts
from treering.skills.proposals.cases import Case, cases
from treering.skills.proposals.rules import (
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
from treering.skills.proposals.texts import Words, from_outside
from treering.skills.rules import is_skill_name
from treering.skills.signals import rules
from treering.skills.signals.alike import stem
from treering.skills.signals.rules import Friction, Prompt
from treering.stores.port.ledger import EventQuery, Reader
from treering.text.words import folded, joined

DRAFTS = f"{QUARANTINE}/drafts"
_DONE = {DEPRECATE: "deprecated", MERGE: "merged", ARCHIVE: "archived"}
_NAMED = 5  # of the proposals that an id may mean
_SESSIONS, _MOST_TOLD = 8, 5  # sessions that are read for a draft, and what the user said there
SECOND = 1_000_000  # microseconds
AS_WRITTEN, EDITED, MISSING = "as written", "edited since", "deleted since"


class Targets(NamedTuple):
    """The folder and the file of accepted proposals, below the root."""

    skills: str
    routing: str


class Proposal(NamedTuple):
    """A change that is put before a person."""

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


class ProposalReader:
    """All proposals of a space."""

    def __init__(self, store: Reader, space: str, targets: Targets) -> None:
        self.store = store
        self.space = space
        self.targets = targets

    def all(self, status: str = "") -> list[Proposal]:
        """Return the proposals, newest first, and those of one analysis in its order."""
        if status:
            one_of("status", status, STATUSES)
        found = [self._proposal(case) for case in cases(self.store, self.space).values() if self._stands(case)]
        return sorted((one for one in found if status in ("", one.status)), key=lambda one: -(one.created // SECOND))

    def one(self, id: str, name: str = "") -> Proposal:
        """Return a proposal by its id or its beginning; a skill under `name`, if given."""
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
        """Tell whether it can be shown: not if its memories are purged, or it is malformed."""
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
        """Return the memories of this space only."""
        seen = seen_from(self.space)
        return [memory for memory in self.store.several(ids).values() if memory.space in seen]

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
        """Return the path of its file, below the root."""
        if kind == ROUTING_ADDITION:
            return self.targets.routing
        if kind in FILELESS:
            return ""
        return f"{DRAFTS if signal else self.targets.skills}/{name}/{SKILL_FILE}"

    def _words(self, case: Case) -> Words:
        """Return the words of the proposal, without a name that is none."""
        given = {**case.data, **case.words}
        name, description = given.get("name", ""), given.get("description", "")
        return Words(
            name if is_skill_name(name) else "",
            description if any(letter.isalnum() for letter in description) else "",
            given.get("content", ""),
            tuple(given.get("triggers", ())),
        )

    def _text(
        self,
        data: Data,
        memories: Sequence[Memory],
        prompts: Sequence[Prompt],
        rubs: Sequence[Friction],
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
            return texts.upgrade(memories[0], words, self._asked(memories[0]))
        if memories:
            return texts.induced(memories, words)
        return texts.eased(tokens, prompts, rubs, words, self._told(prompts, rubs, tokens))

    def _asked(self, memory: Memory) -> list[str]:
        """Return the last questions that a memory was shown for."""
        shown = EventQuery(subjects=(memory.id,), kinds=(SURFACED,), live=True, newest=True, limit=_SESSIONS)
        ids = tuple(id for event in self.store.events(shown) for id in event.causes)
        recalls = self.store.events(EventQuery(ids=ids, kinds=(RECALLED,), space=self.space, live=True, newest=True))
        return [data_of(event)[1]["query"] for event in recalls if event.payload is not None]

    def _told(self, prompts: Sequence[Prompt], rubs: Sequence[Friction], tokens: Sequence[str]) -> list[Memory]:
        """Return what the user said to be kept of it in these sessions."""
        about = set(map(stem, tokens))
        sessions = dict.fromkeys(filter(None, (*(one.session for one in prompts), *(one.session for one in rubs))))
        made = {
            event.subject
            for session in [*sessions][-_SESSIONS:]
            for event in self.store.events(EventQuery(session=session, kinds=(REMEMBERED,), live=True))
        }
        found = [one for one in self._memories([*made]) if one.trust == "user" and one.status in RECALLABLE]
        said = [one for one in found if not about.isdisjoint(map(stem, folded(one.content))) and LIKELY not in one.tags]
        return sorted(said, key=lambda one: one.created)[-_MOST_TOLD:]

    def _signals(self, made: Event) -> tuple[list[Prompt], list[Friction]]:
        """Return the prompts and the friction that it rests on."""
        kinds = (RECALLED, PROMPTED, RUBBED)
        events = [*self.store.events(EventQuery(ids=made.causes, kinds=kinds, space=self.space, live=True))]
        asked = rules.misses(event for event in events if event.kind == RECALLED)
        asked += rules.prompts(event for event in events if event.kind == PROMPTED)
        return asked, rules.rubs(event for event in events if event.kind == RUBBED)

    def _evidence(self, case: Case, prompts: Sequence[Prompt], rubs: Sequence[Friction]) -> dict[str, Any]:
        """Return the numbers, and what they count."""
        data = case.data
        if data["kind"] == SKILL_UPGRADE:
            return self._reused(data["memories"][0], case.made)
        shown = {**data.get("evidence", {})}
        if prompts:
            shown |= {"tokens": data.get("tokens", []), "samples": [prompt.text for prompt in prompts]}
        if rubs:
            shown["friction"] = [rub._asdict() for rub in rubs]
        return shown

    def _reused(self, memory: str, made: Event) -> dict[str, Any]:
        """Return where a memory surfaced, up to when the proposal was made."""
        query = EventQuery(subjects=(memory,), kinds=(SURFACED,), space=self.space, live=True)
        found = rules.reuse(event for event in self.store.events(query) if event.clock <= made.clock)
        shown: dict[str, Any] = {"memoryId": memory}
        for reuse in found:
            shown |= {"reuseCount": reuse.times, "sessions": [*reuse.sessions], "projects": [*reuse.projects]}
            shown |= {"firstSurfaced": reuse.first, "lastSurfaced": reuse.last}
        return shown

    def _file(self, case: Case, text: str) -> str:
        """Return the state of the file. Of one with other entries, only its own counts."""
        path, written = case.accepted.get("path", ""), case.accepted.get("digest", "")
        if not path or case.decided is None or case.decided.writer != self.store.writer:
            return ""  # nothing was written, or on another machine
        now = digest_all(os.path.dirname(path)) if case.status == APPLIED else digest(path)
        if now and case.data["kind"] == ROUTING_ADDITION and text.strip() in (read_text(path) or ""):
            return AS_WRITTEN
        return AS_WRITTEN if now == written else EDITED if now else MISSING


def _is_old(name: str) -> bool:
    """Tell whether an id has the form of the first version."""
    return len(name) == 17 and name[0] == "p" and {*name[1:]} <= {*"0123456789abcdef"}


def _named(data: Data, memories: Sequence[Memory]) -> str:
    return texts.name_of(memories) if memories else texts.name_of_tokens(data.get("tokens", ()))


def _status(case: Case, memories: Sequence[Memory]) -> str:
    """Return the status: somebody may have done it by hand, or something else with its memories."""
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


def _reason(data: Data, memories: Sequence[Memory], rubs: Sequence[Friction]) -> str:
    numbers = data.get("evidence", {})
    count, sessions = numbers.get("count", 0), numbers.get("sessions", 0)
    words = f"[{', '.join(joined(data.get('tokens', ())))}]"
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
    elif signal == rules.ASKED_AGAIN:
        where = f"{sessions} sessions" if sessions > 1 else "one session"
        said = f"{count} prompts in {where} asked for the same: {words}"
    elif signal:
        tool = rubs[0].tool if rubs else "a tool"
        said = f"{tool} was {signal} {count} times ({numbers.get('tries', 0)} tries) around {words}"
    else:
        said = data.get("reason", "") or ", ".join(f"{name} {value:g}" for name, value in numbers.items())
    before = data.get("before", 0)
    return said + (f"; it was rejected when that was {before}, and has come back" if before else "")


# What a proposal saves each time that its signal comes again, beside a memory that is at hand: a prompt that nobody
# answers costs a whole search, and a loop costs several tries.
_SAVES = {SKILL_UPGRADE: 1.0, ROUTING_ADDITION: 1.5, MEMORY_ACTION: 0.5, RECALL_SETTING: 0.5}
_SAVES_FRICTION = 2.0
_GUESS = 0.25  # the risk of what nobody has judged: one good word halves it
_FROM_OUTSIDE = 0.5  # what a text that nobody here has said is worth, until somebody has read it


class Counter(NamedTuple):
    """The evidence against a proposal: how its memories were judged when they were shown."""

    shown: int = 0  # recalls
    helpful: int = 0
    unhelpful: int = 0
    ignored: int = 0  # nobody said anything of it, or did anything with it that was noticed


class Review(NamedTuple):
    proposal: Proposal
    counter: Counter
    gain: float  # expected: what it saves, times how often that came up
    risk: float  # from 0 to 1

    @property
    def rank(self) -> float:
        return self.gain * (1 - self.risk)


def reviews(store: Reader, space: str, proposals: Iterable[Proposal]) -> list[Review]:
    """Return proposals in the order in which they are worth a look: by expected gain and risk."""
    asked = [*proposals]
    events = store.events(EventQuery(kinds=TOLD, space=space, live=True)) if any(one.memories for one in asked) else ()
    known = records(events)
    found = [_review(store, proposal, known) for proposal in asked]
    return sorted(found, key=lambda one: (-one.rank, one.proposal.id))


def _review(store: Reader, proposal: Proposal, known: Mapping[str, Record]) -> Review:
    counter = Counter()
    for id in proposal.memories:
        usage, good, bad, _ = known.get(id, Record())
        more = (usage, good, bad, max(0, usage - good - bad))
        counter = Counter(*map(sum, zip(counter, more, strict=True)))
    gain = proposal.weight * _SAVES.get(proposal.kind, _SAVES_FRICTION)
    return Review(proposal, counter, gain, _risk(store, proposal, counter))


def _risk(store: Reader, proposal: Proposal, counter: Counter) -> float:
    """Return the share of bad judgements, smoothed by a guess while there are few."""
    risk = (counter.unhelpful + _GUESS) / (counter.helpful + counter.unhelpful + 1)
    outside = from_outside(store.several(proposal.memories).values())
    return max(risk, _FROM_OUTSIDE) if outside else risk
