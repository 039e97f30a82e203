"""What a ledger has to tell: its memories in the words of the files, and the segments that a vault lacks."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.errors import InvalidInput
from treering.core.events import FORGOTTEN, MERGED, MOVED, PURGED, REMEMBERED, SUPERSEDED, SURFACED, USED
from treering.core.ports import EventQuery
from treering.core.rings import happened
from treering.core.types import Filter, least_trusted
from treering.vault.corrections import corrected
from treering.vault.dates import LATEST, day, seconds
from treering.vault.fact import DETAILS, Fact
from treering.vault.header import covers, merged, ranges
from treering.vault.mentions import Mention
from treering.vault.session import SECTIONS, Segment, Told
from treering.vault.state import Life, Rings, replay, ring_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.types import Memory
    from treering.vault.state import Lives

    Said = tuple[Event, int, str, Told | Mention]  # when, and under which heading

USES = (SURFACED, USED)
_TOLD = (REMEMBERED, *USES, SUPERSEDED, FORGOTTEN, MERGED, MOVED, PURGED)
_NOT_TOLD = ("forgotten", "merged", "deprecated", "quarantined")  # statuses of what is out of sight


def fact_of(memory: Memory) -> Fact:
    """A memory in the words of the files."""
    details = {name: getattr(memory, name) for name in DETAILS}
    return Fact(
        memory.id,
        memory.content,
        seconds(memory.created),
        memory.type,
        memory.scope,
        memory.project,
        memory.session,
        memory.tags,
        memory.language,
        memory.origin,
        memory.trust,
        memory.invariant,
        **details,
    )


class Telling:
    """What holds in a space of the ledger, and what of it the session files do not tell yet."""

    def __init__(self, store: Reader, space: str, names: Mapping[str, str]) -> None:
        """`names` are those that the files have for memories which were read from them."""
        self.store = store
        self.space = space
        self.names = names
        self.lives: Lives = {}
        self.purged = {self._name(event.subject) for event in store.events(EventQuery(kinds=(PURGED,), space=space))}
        self.events: list[Event] = []
        for memory in store.records(Filter(space)):
            by = self._name(memory.superseded_by) if memory.status == "superseded" else ""
            fact = fact_of(memory)._replace(id=self._name(memory.id))
            self.lives[fact.id] = Life(fact, {}, memory.status in _NOT_TOLD, by)
        for event in store.events(EventQuery(kinds=_TOLD, space=space, live=True)):
            self._follow(event)

    def _name(self, id: str) -> str:
        return self.names.get(id, id)

    def _follow(self, event: Event) -> None:
        """Count a use, and keep why something was superseded."""
        self.events.append(event)
        id = self._name(event.subject)
        life = self.lives.get(id)
        if life is None:
            return
        if event.kind in USES:
            at = seconds(happened(event))
            ring = ring_of(event.project, event.session, at)
            self.lives[id] = life._replace(used={**life.used, ring: max(at, life.used.get(ring, at))})
        elif event.kind == SUPERSEDED and not life.reason:
            _, data = data_of(event)
            if self._name(data["by"]) == life.by:
                self.lives[id] = life._replace(reason=data.get("reason", ""))

    def news(self, known: list[Segment], now: int) -> list[Segment]:
        """The segments that the files lack, oldest first; then, if need be, corrections of what they say."""
        before, _ = replay(known)
        self._check(before)
        self._agree(before)
        fresh = self._fresh(known, before)
        told, _ = replay([*known, *fresh])
        number = 1 + max((segment.corrections for segment in known), default=0)
        latest = max((segment.began for segment in (*known, *fresh)), default=now)
        blank = Segment("", min(max(now, latest + 1), LATEST), space=self.space, corrections=number)
        there = {one.id for segment in known for one in segment.named}
        blank = blank._replace(named=tuple(Mention(id, by=self.names[id]) for id in self.names if id not in there))
        rest = corrected(blank, told, self.lives, self._why)
        return [*fresh, rest] if any(getattr(rest, section) for section in SECTIONS) else fresh

    def _check(self, told: Lives) -> None:
        """Refuse a folder that tells of what this ledger never knew: it would all have to be taken back."""
        named = set(self.names.values())
        unknown = [id for id, life in told.items() if not life.gone and id not in self.lives and id not in named]
        here = EventQuery(ids=tuple(unknown), space=self.space, kinds=(REMEMBERED,))
        strange = set(unknown) - {event.id for event in self.store.events(here)}
        if strange:
            raise InvalidInput(
                f"the folder tells of {len(strange)} facts that this store does not know, {min(strange)} among them: "
                "take them in first, with `treering vault read`"
            )

    def _agree(self, told: Lives) -> None:
        """Where a file trusts a fact no more than this store does, what it says of its origin is left as it is.

        It need not say anything. And two stores that read one folder would take back each other's word for ever.
        """
        for id, life in told.items():
            mine, said = self.lives.get(id), life.fact
            if mine and (not said.origin or least_trusted(said.trust, mine.fact.trust) == said.trust):
                self.lives[id] = mine._replace(fact=mine.fact._replace(origin=said.origin, trust=said.trust))

    def _why(self, id: str) -> str:
        if id in self.purged:
            return "purged"
        own = {name: id for id, name in self.names.items()}
        record = self.store.record(own.get(id, id))
        return record.status if record is not None else "undone"

    def _fresh(self, known: list[Segment], before: Lives) -> list[Segment]:
        covered = merged(segment.events for segment in known)
        rings = Rings(self.lives)
        groups: dict[tuple[str, str, str], list[Said]] = {}
        for event in self.events:
            if covers(covered, event.writer, event.seq):
                continue
            at = seconds(happened(event))
            said = self._said(event, at, rings, before)
            if said is not None:
                groups.setdefault((event.project, event.session, day(at)), []).append((event, at, *said))
        return sorted((self._segment(*place[:2], said) for place, said in groups.items()), key=lambda one: one.order)

    def _segment(self, project: str, session: str, said: list[Said]) -> Segment:
        sections: dict[str, Any] = {}
        for section in SECTIONS:
            ones = [(at, one) for _, at, name, one in said if name == section]
            if ones:
                sections[section] = tuple(one for _, one in ones)
        began = min(at for _, at, _, _ in said)
        events = ranges((event.writer, event.seq) for event, _, _, _ in said)
        return Segment("", began, session, project, self.space, 0, events, **sections)

    def _said(self, event: Event, at: int, rings: Rings, before: Lives) -> tuple[str, Told | Mention] | None:
        """Under which heading an event is told, and how. What does not hold any more is not told at all."""
        id, kind = self._name(event.subject), event.kind
        life, told = self.lives.get(id), before.get(id)
        if kind in (FORGOTTEN, MERGED, MOVED, PURGED):
            return self._taken(event, before)
        if life is None or life.gone:
            return None
        if kind == REMEMBERED:
            return ("created", Told(life.fact)) if told is None else None
        if event.kind in USES:
            ring = ring_of(event.project, event.session, at)
            if told is not None and told.used.get(ring) == at:
                return None
            return "reactivated" if rings.archived(life, ring, at) else "referenced", Mention(id, at=at)
        by = self._name(data_of(event)[1]["by"])
        if by != life.by or (told is not None and told.by == by):
            return None
        return "superseded", Mention(id, by=by, reason=life.reason)

    def _taken(self, event: Event, before: Lives) -> tuple[str, Mention] | None:
        """A fact that the files tell of went out of sight."""
        id = self._name(event.subject)
        told, life = before.get(id), self.lives.get(id)
        if told is None or told.gone or (life is not None and not life.gone):
            return None
        _, data = data_of(event)
        if event.kind == MOVED and data.get("to") not in _NOT_TOLD:
            return None
        reason = "purged" if id in self.purged else data.get("reason", "") or data.get("rule", "")
        return "forgotten", Mention(id, reason=reason)
