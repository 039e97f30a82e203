"""Build the session files that a vault lacks, from the ledger.

Session files never change. What was undone, restored, purged or merged from another machine goes
into one more file, with the difference between what the files say and what holds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from treering.documents.vault.fact import DETAILS, LATEST, Fact, day, purged, seconds
from treering.documents.vault.header import covers, merged, ranges
from treering.documents.vault.lines import item
from treering.documents.vault.session import SECTIONS, Mention, PlacedFact, Segment, mention
from treering.documents.vault.state import Life, Rings, replay, ring_of
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput
from treering.ledger.events import FORGOTTEN, MERGED, MOVED, PURGED, REMEMBERED, SUPERSEDED, SURFACED, USED
from treering.ledger.sessions import happened
from treering.ledger.types import TRUSTS, Filter, least_trusted
from treering.stores.port.ledger import EventQuery, record_of

if TYPE_CHECKING:
    from treering.documents.vault.state import Life, Lives, Ring
    from treering.ledger.events import Event
    from treering.ledger.types import Memory
    from treering.stores.port.ledger import Reader

    Said = tuple[Event, int, str, PlacedFact | Mention]  # when, and under which heading


def corrected(segment: Segment, told: Lives, holds: Lives, why: Callable[[str], str]) -> Segment:
    """Return the segment with all that leads from what the files tell to what holds; `why` says why a fact is gone."""
    said: dict[str, list[Any]] = {}
    for id in sorted({*told, *holds}, key=lambda one: _order(holds.get(one) or told[one])):
        have, want = told.get(id), holds.get(id)
        if want is None or want.gone:
            if have is not None and not have.gone:
                said.setdefault("forgotten", []).append(Mention(id, reason=why(id)))
            continue
        for section, one in _between(have, want):
            said.setdefault(section, []).append(one)
    sections: dict[str, Any] = {section: tuple(ones) for section, ones in said.items()}
    return segment._replace(**sections)


def _between(have: Life | None, want: Life) -> list[tuple[str, PlacedFact | Mention]]:
    """Return the steps from one life of a fact to another."""
    fact, said = want.fact, list[tuple[str, PlacedFact | Mention]]()
    if have is None:
        said.append(("created", PlacedFact(fact)))
        have = want._replace(used={}, by="", reason="")
    elif have.fact != fact:
        said.append(("changed", PlacedFact(fact)))
    if have.gone or (have.by and have.by != want.by):
        said.append(("restored", Mention(fact.id)))
        have = have._replace(by="", reason="")
    for ring, at in have.used.items():
        if want.used.get(ring) != at:
            said.append(("unreferenced", _use(fact.id, ring, at)))
    for ring, at in want.used.items():
        if have.used.get(ring) != at:
            said.append(("referenced", _use(fact.id, ring, at)))
    if (have.by, have.reason) != (want.by, want.reason):
        said.append(("superseded", Mention(fact.id, by=want.by, reason=want.reason)))
    return said


def _use(id: str, ring: Ring, at: int) -> Mention:
    return Mention(id, at=at, project=ring.project, session=ring.session)


def _order(life: Life) -> tuple[int, str]:
    return (life.fact.created, life.fact.id)


def without(rows: list[str], segment: Segment, erased: Container[str]) -> list[str]:
    """Return the lines of a file without what it says of some facts: texts, footers, and reasons
    given for them.

    Nothing else ever changes a session file. But a person asked for it, and that wins.
    """
    rows = list(rows)
    for one in sorted(_holding(segment, erased), key=lambda one: one.line, reverse=True):
        if isinstance(one, PlacedFact):
            rows[one.line - 1 : one.last] = item("", purged(one.fact.id))
        else:
            rows[one.line - 1] = mention(one._replace(reason=""), segment)
    return rows


def holds_any(segment: Segment, erased: Container[str]) -> bool:
    return any(True for _ in _holding(segment, erased))


def _holding(segment: Segment, erased: Container[str]) -> Iterator[PlacedFact | Mention]:
    for section in SECTIONS:
        for one in getattr(segment, section):
            if isinstance(one, PlacedFact):
                if one.fact.id in erased and not one.purged:
                    yield one
            elif one.reason and one.id in erased:
                yield one


USES = (SURFACED, USED)
_TOLD = (REMEMBERED, *USES, SUPERSEDED, FORGOTTEN, MERGED, MOVED, PURGED)
_NOT_TOLD = ("forgotten", "merged", "deprecated", "quarantined")  # statuses of what is out of sight


def fact_of(memory: Memory) -> Fact:
    """Return a memory in the words of the files."""
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
        """Take the names that the files have for memories which were read from them."""
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
        """Return the segments that the files lack, oldest first; then, if need be, corrections of what they say."""
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
        """Leave what a file says of the origin of a fact as it is, where it trusts the fact no more than this store;
        and what it claims of somebody else's fact, which this store did not believe."""
        for id, life in told.items():
            mine, said = self.lives.get(id), life.fact
            if mine is None:
                continue
            fact = mine.fact
            if fact.trust == TRUSTS[-1]:
                fact = fact._replace(scope=said.scope, project=said.project, invariant=said.invariant)
            if not said.origin or least_trusted(said.trust, fact.trust) == said.trust:
                fact = fact._replace(origin=said.origin, trust=said.trust)
            self.lives[id] = mine._replace(fact=fact)

    def _why(self, id: str) -> str:
        if id in self.purged:
            return "purged"
        own = {name: id for id, name in self.names.items()}
        record = record_of(self.store, own.get(id, id))
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

    def _said(self, event: Event, at: int, rings: Rings, before: Lives) -> tuple[str, PlacedFact | Mention] | None:
        """Return the heading for an event, and its entry. What does not hold any more has none."""
        id, kind = self._name(event.subject), event.kind
        life, told = self.lives.get(id), before.get(id)
        if kind in (FORGOTTEN, MERGED, MOVED, PURGED):
            return self._taken(event, before)
        if life is None or life.gone:
            return None
        if kind == REMEMBERED:
            return ("created", PlacedFact(life.fact)) if told is None else None
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
        """Return the entry for a fact of the files that was removed."""
        id = self._name(event.subject)
        told, life = before.get(id), self.lives.get(id)
        if told is None or told.gone or (life is not None and not life.gone):
            return None
        _, data = data_of(event)
        if event.kind == MOVED and data.get("to") not in _NOT_TOLD:
            return None
        reason = "purged" if id in self.purged else data.get("reason", "") or data.get("rule", "")
        return "forgotten", Mention(id, reason=reason)
