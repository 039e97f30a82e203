"""Find retirements that were wrong, and count them against the rule that made them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from treering.evolve.rules import ARCHIVE, DEPRECATE, MERGE, REFINE
from treering.ledger.ageing import HOT
from treering.ledger.codec import data_of
from treering.ledger.decide import retires
from treering.ledger.events import (
    BEGAN,
    JUDGED,
    MERGED,
    MOVED,
    RAN,
    RECALLED,
    REMEMBERED,
    SUPERSEDED,
    UNDONE,
    USED,
    Event,
)
from treering.ledger.types import PROMOTE, RECALLABLE, Context, Filter, Memory, move_of
from treering.ledger.usage import GOOD, shown_ranks
from treering.stores.port.ledger import EventQuery, Reader, record_of
from treering.truth.compare import terms

Order = tuple[int, str, int]

_FARTHEST = 100  # steps: two machines may have made a circle of it


def successors(store: Reader, memory: Memory) -> Iterator[Memory]:
    """Yield the memories that replaced this one by merge or refinement, one after the other."""
    for _ in range(_FARTHEST):
        found = record_of(store, _next(memory)) if _next(memory) else None
        if found is None:
            return
        memory = found
        yield memory


def _next(memory: Memory) -> str:
    if memory.status == "merged":
        return memory.merged_into
    refined = memory.status == "superseded" and memory.moves and move_of(memory.moves[-1]).rule == REFINE
    return memory.superseded_by if refined else ""


SUPERSEDE = "supersede"
ACTING = (DEPRECATE, MERGE, ARCHIVE)  # rules that a run acts by; the others are people's, or hygiene's
RESTORED, REASSERTED, ASKED = "restored", "re-asserted", "asked for again"
_RETIRING = (MOVED, SUPERSEDED, MERGED)
_LOOKED_AT = 5  # memories that share rare words with a retired one: what says it again is among them
_PORTION = 500  # retirements whose memories are read at a time
_NEVER = (0, "", 0)  # before every event


class Rule(NamedTuple):
    """How often a rule has retired a memory, and how often that was wrong."""

    rule: str
    retired: int
    wrong: int
    limit: float

    @property
    def rate(self) -> float:
        return self.wrong / self.retired if self.retired else 0.0

    @property
    def suspended(self) -> bool:
        """True if the rule only proposes from now on."""
        return self.rule in ACTING and self.rate > self.limit


class Retirement(NamedTuple):
    """One memory that a rule retired, and why that was wrong if it was."""

    event: Event
    rule: str
    wrong: str = ""


def rules(
    store: Reader, space: str, limit: float, alike: Callable[[Memory, Memory], bool], only: tuple[str, ...] = ()
) -> list[Rule]:
    """Return every rule that has retired anything, with its counts. `alike` compares two memories."""
    counts: dict[str, tuple[int, int]] = {}
    for one in retirements(store, space, alike, only):
        retired, wrong = counts.get(one.rule, (0, 0))
        counts[one.rule] = (retired + 1, wrong + bool(one.wrong))
    return [Rule(rule, *counts[rule], limit) for rule in sorted(counts)]


def retirements(
    store: Reader, space: str, alike: Callable[[Memory, Memory], bool], only: tuple[str, ...] = ()
) -> Iterator[Retirement]:
    """Yield each retirement, oldest first; with `only`, those of these rules."""
    out = store.left_out()
    undone, demand = _undone(store, space, out), _Demand(store, space)
    # Undoing a run undoes all its actions; a withdrawn judgement does not count against the rule.
    runs = store.events(EventQuery(ids=tuple(undone), kinds=(BEGAN, RAN)))
    undone |= store.effects({event.id for event in runs})
    found = [
        Retirement(event, rule)
        for event in store.events(EventQuery(kinds=_RETIRING, space=space))
        # One that was undone with something else counts neither way.
        if (event.id not in out or event.id in undone)
        and event.payload is not None
        and (rule := rule_of(event))
        and (not only or rule in only)
    ]
    for start in range(0, len(found), _PORTION):
        portion = found[start : start + _PORTION]
        ids = {one.event.subject for one in portion}
        memories = store.several(ids)
        demand.read(ids)
        for one in portion:
            memory = memories.get(one.event.subject)
            if memory is not None:
                yield one._replace(wrong=_wrong(store, one, memory, undone, demand, alike))


def rule_of(event: Event) -> str:
    """Return the rule by which an event retires a memory, or nothing."""
    data = data_of(event)[1]
    if event.kind == MERGED:
        return "" if data.get("rule") == PROMOTE else MERGE  # more people see it than before
    if event.kind == SUPERSEDED:
        return str(data.get("rule") or SUPERSEDE)
    return str(data["rule"]) if retires(event) else ""


def _wrong(
    store: Reader,
    one: Retirement,
    memory: Memory,
    undone: set[str],
    demand: _Demand,
    alike: Callable[[Memory, Memory], bool],
) -> str:
    if one.event.id in undone:
        return RESTORED
    if demand.after(one.event, memory):
        return ASKED
    if memory.status not in HOT and memory.content and _is_said_again(store, one, memory, alike):
        return REASSERTED
    return ""


def _undone(store: Reader, space: str, out: set[str]) -> set[str]:
    """Return the events that were undone by name and not restored, without those that fell with them."""
    named: set[str] = set()
    for event in store.events(EventQuery(kinds=(UNDONE,), space=space)):
        if event.id not in out:
            named.update(data_of(event)[1]["events"])
    return named & out


class _Demand:
    """Find retired memories that are asked for: used, marked helpful, or shown in the first place.
    A memory out of recall is shown only to those who ask for it, so any place counts."""

    def __init__(self, store: Reader, space: str) -> None:
        self._store = store
        self._shown: dict[str, tuple[Order, Order]] = {}  # the last time at any place, and at the first
        for event in store.events(EventQuery(kinds=(RECALLED,), space=space, live=True)):
            for id, rank in shown_ranks(event).items():
                first = event.order if rank == 1 else self._shown.get(id, (_NEVER, _NEVER))[1]
                self._shown[id] = (event.order, first)
        self._said: dict[str, Order] = {}

    def read(self, ids: Collection[str]) -> None:
        """Read the uses and good judgements of some memories."""
        query = EventQuery(subjects=tuple(ids), kinds=(USED, JUDGED), live=True)
        self._said = {
            event.subject: event.order
            for event in self._store.events(query)
            if event.kind == USED or data_of(event)[1]["verdict"] in GOOD
        }

    def after(self, event: Event, memory: Memory) -> bool:
        anywhere, first = self._shown.get(memory.id, (_NEVER, _NEVER))
        seen = first if memory.status in RECALLABLE else anywhere
        return max(seen, self._said.get(memory.id, _NEVER)) > event.order


def _is_said_again(store: Reader, one: Retirement, memory: Memory, alike: Callable[[Memory, Memory], bool]) -> bool:
    """Tell whether the same was remembered again since."""
    seen_from = Context(memory.space, memory.project, memory.session)
    where = Filter(memory.space, statuses=RECALLABLE, visible_to=seen_from)
    others = store.index.sharing(terms(memory.content), where, _LOOKED_AT)
    skipped = {memory.id, memory.superseded_by, *(one.id for one in successors(store, memory))}
    return any(
        other.id not in skipped and _made_after(store, other, one.event) and alike(memory, other) for other in others
    )


def _made_after(store: Reader, memory: Memory, event: Event) -> bool:
    made = next(store.events(EventQuery(ids=(memory.id,), kinds=(REMEMBERED,))), None)
    return made is not None and made.order > event.order
