"""Retirements, and which of them were wrong: what was taken out of sight and is wanted all the same counts against the
rule that took it out."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.consolidating import PROMOTE
from treering.core.decide import retires
from treering.core.events import BEGAN, JUDGED, MERGED, MOVED, RAN, RECALLED, REMEMBERED, SUPERSEDED, UNDONE, USED
from treering.core.evolving import ARCHIVE, DEPRECATE, MERGE
from treering.core.judging import GOOD, shown
from treering.core.lifecycle import RECALLABLE
from treering.core.policy import HOT
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.types import Context, Filter
from treering.evolution.successors import successors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.types import Memory

    Order = tuple[int, str, int]

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
        """Whether it only proposes from now on."""
        return self.rule in ACTING and self.rate > self.limit


class Retirement(NamedTuple):
    """One memory that a rule took out of sight, and why that was wrong if it was."""

    event: Event
    rule: str
    wrong: str = ""


def rules(
    store: Reader,
    space: str,
    limit: float,
    alike: Callable[[Memory, Memory], bool],
    only: tuple[str, ...] = (),
) -> list[Rule]:
    """Every rule that has retired anything, with its rate. `alike` tells whether one memory says what another said."""
    counts: dict[str, tuple[int, int]] = {}
    for one in retirements(store, space, alike, only):
        retired, wrong = counts.get(one.rule, (0, 0))
        counts[one.rule] = (retired + 1, wrong + bool(one.wrong))
    return [Rule(rule, *counts[rule], limit) for rule in sorted(counts)]


def retirements(
    store: Reader, space: str, alike: Callable[[Memory, Memory], bool], only: tuple[str, ...] = ()
) -> Iterator[Retirement]:
    """Each retirement, oldest first. `only` are the rules that matter."""
    out = store.left_out()
    undone, wanted = _undone(store, space, out), _Wanted(store, space)
    # Taking a run back takes back all that it did; a judgement that is withdrawn says nothing against the rule.
    undone = {*undone, *store.effects({event.id for event in _runs(store, undone)})}
    found = [
        Retirement(event, rule)
        for event in store.events(EventQuery(kinds=_RETIRING, space=space))
        # What fell with something else was neither right nor wrong.
        if (event.id not in out or event.id in undone)
        and event.payload is not None
        and (rule := rule_of(event))
        and (not only or rule in only)
    ]
    for start in range(0, len(found), _PORTION):
        portion = found[start : start + _PORTION]
        ids = {one.event.subject for one in portion}
        memories = store.several(ids)
        wanted.read(ids)
        for one in portion:
            memory = memories.get(one.event.subject)
            if memory is not None:
                yield one._replace(wrong=_wrong(store, one, memory, undone, wanted, alike))


def rule_of(event: Event) -> str:
    """The rule by which an event retires a memory; nothing if it does not."""
    data = data_of(event)[1]
    if event.kind == MERGED:
        return "" if data.get("rule") == PROMOTE else MERGE  # it is told to more people than before
    if event.kind == SUPERSEDED:
        return str(data.get("rule") or SUPERSEDE)
    return str(data["rule"]) if retires(event) else ""


def _wrong(
    store: Reader,
    one: Retirement,
    memory: Memory,
    undone: set[str],
    wanted: _Wanted,
    alike: Callable[[Memory, Memory], bool],
) -> str:
    if one.event.id in undone:
        return RESTORED
    if wanted.after(one.event, memory):
        return ASKED
    if memory.status not in HOT and memory.content and _asserted(store, one, memory, alike):
        return REASSERTED
    return ""


def _runs(store: Reader, ids: Collection[str]) -> Iterator[Event]:
    return store.events(EventQuery(ids=tuple(ids), kinds=(BEGAN, RAN)))


def _undone(store: Reader, space: str, out: set[str]) -> set[str]:
    """The events that somebody took back by name, and did not bring back: not those that fell with them."""
    named: set[str] = set()
    for event in store.events(EventQuery(kinds=(UNDONE,), space=space)):
        if event.id not in out:
            named.update(data_of(event)[1]["events"])
    return named & out


class _Wanted:
    """Who asked for memories: used them, found them helpful, or had one as the best answer. What is out of sight is
    shown only to those who ask for it, so there every place counts."""

    def __init__(self, store: Reader, space: str) -> None:
        self._store = store
        self._shown: dict[str, tuple[Order, Order]] = {}  # the last time at any place, and at the first
        for event in store.events(EventQuery(kinds=(RECALLED,), space=space, live=True)):
            for id, rank in shown(event).items():
                first = event.order if rank == 1 else self._shown.get(id, (_NEVER, _NEVER))[1]
                self._shown[id] = (event.order, first)
        self._said: dict[str, Order] = {}

    def read(self, ids: Collection[str]) -> None:
        """Read what was said of some memories."""
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


def _asserted(store: Reader, one: Retirement, memory: Memory, alike: Callable[[Memory, Memory], bool]) -> bool:
    """Whether somebody has said it again since."""
    from treering.conflict import terms

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
