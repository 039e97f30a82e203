"""What was taken out of sight and is wanted all the same: counted in one pass, for every rule of retiring at once.

`evolution.retired` looks at the retirements of a few rules, each with what says the same in other words; that takes a
millisecond each. Here what was said again is known by its words alone, so that a store of any size is counted.
"""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import BEGAN, JUDGED, MERGED, MOVED, RAN, SUPERSEDED, UNDONE, USED
from treering.core.judging import GOOD
from treering.core.lifecycle import RECALLABLE
from treering.core.patterns import Faded
from treering.core.ports import EventQuery
from treering.evolution.retired import ASKED, RESTORED, rule_of
from treering.ledger import batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.tallies import Asked

# The rules that take a memory out of sight because nobody used it: those of `core.policy`, and of evolution.
UNUSED = ("unimportant", "faded", "gone", "unused", "expired", "crowded", "archive")
_KINDS = (MOVED, SUPERSEDED, MERGED)
_PORTION = 500  # memories that are read at a time


class Wanted:
    """Each memory that rules took out of sight, from the first time on, and who has asked for it since: somebody who
    took that back, used it, found it helpful, or had it as the best answer."""

    def __init__(self, store: Reader, space: str, rules: tuple[str, ...] = ()) -> None:
        """`rules` are those that matter; without any, all."""
        self._store = store
        self._since: dict[str, int] = {}  # by the ledger's clock
        self._restored: set[str] = set()
        self._asked: set[str] = set()
        self._seen: set[str] = set()  # at a lower place: what is out of sight is shown only to those who ask for it
        out = store.left_out()
        undone = _undone(store, space, out) if out else set()
        for event in store.events(EventQuery(kinds=_KINDS, space=space)):
            # What fell with something else was neither right nor wrong.
            counts = event.payload is not None and (event.id not in out or event.id in undone)
            if counts and (rule := rule_of(event)) and (not rules or rule in rules):
                self._since.setdefault(event.subject, event.clock)
                self._restored.update([event.subject] if event.id in undone else [])
        for event in store.events(EventQuery(kinds=(USED,), space=space, live=True)) if self._since else ():
            self._note(self._asked, event.subject, event.clock)

    def listening(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events, heard in passing: what was found helpful since."""
        for event in events:
            known = event.kind == JUDGED and event.subject in self._since and event.payload is not None
            if known and data_of(event)[1]["verdict"] in GOOD:
                self._note(self._asked, event.subject, event.clock)
            yield event

    def shown(self, recall: Asked) -> None:
        since = self._since
        for id in [id for id in recall.shown if id in since]:
            self._note(self._asked if id == recall.shown[0] else self._seen, id, recall.clock)

    def since(self, id: str) -> int | None:
        """When it was taken out of sight, by the ledger's clock."""
        return self._since.get(id)

    def again(self, id: str, status: str) -> str:
        """How a memory that was taken out of sight, and has this status now, came back; nothing if it did not."""
        if id in self._restored:
            return RESTORED
        seen = id in self._seen and status not in RECALLABLE
        return ASKED if seen or id in self._asked else ""

    def groups(self) -> dict[tuple[str, str], Faded]:
        """By project and type."""
        found: dict[tuple[str, str], Faded] = {}
        for portion in batches(self._since, _PORTION):
            for memory in self._store.several(portion).values():
                key = (memory.project if memory.scope == "project" else "", memory.type)
                faded, restored, asked = found.get(key, Faded())
                how = self.again(memory.id, memory.status)
                found[key] = Faded(faded + 1, restored + (how == RESTORED), asked + (how == ASKED))
        return found

    def _note(self, found: set[str], id: str, clock: int) -> None:
        if clock > self._since.get(id, clock):
            found.add(id)


def _undone(store: Reader, space: str, out: set[str]) -> set[str]:
    """The events that somebody took back by name, and those of the runs that they took back."""
    named: set[str] = set()
    for event in store.events(EventQuery(kinds=(UNDONE,), space=space)):
        if event.id not in out and event.payload is not None:
            named.update(data_of(event)[1]["events"])
    undone = named & out
    runs = {event.id for event in store.events(EventQuery(ids=tuple(undone), kinds=(BEGAN, RAN)))}
    return undone | store.effects(runs)
