"""Replay the last recalls with and without an action, and compare the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from treering.evolve.retired import successors
from treering.evolve.rules import Counts
from treering.ledger.codec import data_of
from treering.ledger.events import JUDGED, RECALLED, Event
from treering.ledger.types import STRATEGIES, Context
from treering.ledger.usage import EXPLICIT
from treering.recall.candidates import Ask
from treering.recall.query.analysis import analyse
from treering.recall.recaller import Answer
from treering.recall.recalls import Recalls, filter_of
from treering.stores.port.ledger import EventQuery, Reader

MOST_WANTED = 50  # hits of one replayed recall: who asked for more wanted a list


class Change(NamedTuple):
    """A recall whose answer would change."""

    recall: str
    query: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    helpful_lost: tuple[str, ...]


class Replay(NamedTuple):
    """The counts of a replay, and each recall whose answer would change."""

    counts: Counts
    changes: tuple[Change, ...] = ()


class Gate:
    """Past recalls, their answers now, and the results that were marked helpful."""

    def __init__(self, store: Reader, recalling: Recalls, space: str, now: int, most: int) -> None:
        self._recalling = recalling
        self._now = now
        logged = EventQuery(kinds=(RECALLED,), space=space, live=True, newest=True, limit=most)
        self.recalls = list(store.events(logged)) if most else []
        self._helpful = set(_helpful(store, self.recalls))
        self._before: dict[str, Answer] | None = None
        self._after: dict[str, Answer] = {}

    def without(self, hidden: Iterable[str], instead: Mapping[str, str] | None = None) -> Replay:
        """Replay without some memories; `instead` maps a hidden memory to the one that replaces it."""
        gone = frozenset(hidden)
        # Hiding a memory matters only where it is in the answer or next to it.
        touched = [event for event in self.recalls if gone & self.before[event.id].considered]
        return self._compare(touched, self._answers(touched, gone), instead or {})

    def with_change(self, instead: Mapping[str, str], hidden: frozenset[str] = frozenset()) -> Replay:
        """Replay inside a transaction that holds the new texts beside those they replace."""
        return self._compare(self.recalls, self._answers(self.recalls, hidden), instead)

    def accept(self) -> None:
        """Take the last replay's answers as the current ones: its action was carried out."""
        self.before.update(self._after)

    @property
    def before(self) -> dict[str, Answer]:
        """The current answer of each recall."""
        if self._before is None:
            ids = [event.id for event in self.recalls]
            self._before = dict(zip(ids, self._answers(self.recalls), strict=True))
        return self._before

    def _answers(self, recalls: Sequence[Event], hidden: frozenset[str] = frozenset()) -> list[Answer]:
        return list(self._recalling.replay(again(event, self._now, hidden) for event in recalls))

    def _compare(self, recalls: Sequence[Event], answers: Sequence[Answer], instead: Mapping[str, str]) -> Replay:
        self._after = {event.id: answer for event, answer in zip(recalls, answers, strict=True)}
        changes = []
        for event, answer in zip(recalls, answers, strict=True):
            before = tuple(hit.memory.id for hit in self.before[event.id].hits)
            after = tuple(hit.memory.id for hit in answer.hits)
            if (change := _change(event, before, after, instead, self._helpful)) is not None:
                changes.append(change)
        return Replay(_count(len(self.recalls), changes), tuple(changes))


def again(event: Event, now: int, hidden: frozenset[str] = frozenset()) -> Ask:
    """Return the question of a logged recall, to be asked again without some memories."""
    data = data_of(event)[1]
    context = Context(event.space, event.project, event.session)
    return Ask(
        analyse(data["query"], event.time),
        context,
        min(max(data["k"], 1), MOST_WANTED),
        now,
        data["strategy"] if data["strategy"] in STRATEGIES else STRATEGIES[0],
        filter_of(data.get("only", {}), context),
        floor=0.0 if data["hits"] else None,
        hidden=hidden,
    )


def _change(
    event: Event,
    before: tuple[str, ...],
    after: tuple[str, ...],
    instead: Mapping[str, str],
    helpful: set[tuple[str, str]],
) -> Change | None:
    """Return the results that a recall gains and loses. A result whose replacement is found is not lost."""
    said = tuple(dict.fromkeys(instead.get(id, id) for id in before))
    if said == after:
        return None
    lost = tuple(id for id in before if instead.get(id, id) not in after)
    gained = tuple(id for id in after if id not in said)
    marked = tuple(id for id in lost if (event.id, id) in helpful)
    return Change(event.id, data_of(event)[1]["query"], before, after, gained, lost, marked)


def _count(recalls: int, changes: Sequence[Change]) -> Counts:
    return Counts(
        recalls,
        sum(len(change.gained) for change in changes),
        sum(len(change.lost) for change in changes),
        sum(not change.gained and not change.lost for change in changes),
        sum(len(change.helpful_lost) for change in changes),
    )


def _helpful(store: Reader, recalls: Sequence[Event]) -> Iterator[tuple[str, str]]:
    """Yield (recall, memory) for results marked helpful, and for those that replaced them since."""
    effects = store.effects({event.id for event in recalls})
    marked = []
    for event in store.events(EventQuery(ids=tuple(effects), kinds=(JUDGED,), live=True)):
        data = data_of(event)[1]
        if data.get("by") == EXPLICIT and data["verdict"] == "helpful":
            marked.append((data["recall"], event.subject))
    memories = store.several({id for _, id in marked})
    for recall, id in marked:
        yield recall, id
        if id in memories:
            yield from ((recall, memory.id) for memory in successors(store, memories[id]))
