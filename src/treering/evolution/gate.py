"""The replay gate: what recall would answer with an action and without it, on the questions that were asked last."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import JUDGED, RECALLED
from treering.core.evidence import Counts
from treering.core.judging import EXPLICIT
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.types import STRATEGIES, Context
from treering.evolution.successors import successors
from treering.recall.gathering import Ask
from treering.recall.query.analysis import analyse
from treering.recalling import widened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.recall.recaller import Answer
    from treering.recalling import Recalling

MOST_WANTED = 50  # hits of one replayed recall: who asked for more wanted a list


class Change(NamedTuple):
    """A recall that would be answered otherwise."""

    recall: str
    query: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    helpful_lost: tuple[str, ...]


class Replay(NamedTuple):
    """What replaying came to: the counts, and each recall that would be answered otherwise."""

    counts: Counts
    changes: tuple[Change, ...] = ()


class Gate:
    """Recalls of the past, how they are answered now, and which results were marked helpful."""

    def __init__(self, store: Reader, recalling: Recalling, space: str, now: int, most: int) -> None:
        self._recalling = recalling
        self._now = now
        logged = EventQuery(kinds=(RECALLED,), space=space, live=True, newest=True, limit=most)
        self.recalls = list(store.events(logged)) if most else []
        self._helpful = set(_helpful(store, self.recalls))
        self._before: dict[str, Answer] | None = None
        self._after: dict[str, Answer] = {}

    def without(self, hidden: Iterable[str], instead: Mapping[str, str] | None = None) -> Replay:
        """The answers without some memories; `instead` says which one speaks for one that is gone."""
        gone = frozenset(hidden)
        # Only where one of them stands in the answer, or next to it, can its absence make a difference.
        touched = [event for event in self.recalls if gone & self.before[event.id].considered]
        return self._compared(touched, self._answers(touched, gone), instead or {})

    def with_change(self, instead: Mapping[str, str], hidden: frozenset[str] = frozenset()) -> Replay:
        """The answers now, in a transaction in which new texts stand beside those that they are to replace."""
        return self._compared(self.recalls, self._answers(self.recalls, hidden), instead)

    def accept(self) -> None:
        """What was tried last has been done: the answers are those from now on."""
        self.before.update(self._after)

    @property
    def before(self) -> dict[str, Answer]:
        """How each recall is answered now."""
        if self._before is None:
            ids = [event.id for event in self.recalls]
            self._before = dict(zip(ids, self._answers(self.recalls), strict=True))
        return self._before

    def _answers(self, recalls: Sequence[Event], hidden: frozenset[str] = frozenset()) -> list[Answer]:
        return list(self._recalling.replay(self._ask(event, hidden) for event in recalls))

    def _ask(self, event: Event, hidden: frozenset[str]) -> Ask:
        data = data_of(event)[1]
        context = Context(event.space, event.project, event.session, event.actor)
        return Ask(
            analyse(data["query"], event.time),
            context,
            min(max(data["k"], 1), MOST_WANTED),
            self._now,
            data["strategy"] if data["strategy"] in STRATEGIES else STRATEGIES[0],
            widened(data.get("only", {}), context),
            silent=not data["hits"],
            hidden=hidden,
        )

    def _compared(self, recalls: Sequence[Event], answers: Sequence[Answer], instead: Mapping[str, str]) -> Replay:
        self._after = {event.id: answer for event, answer in zip(recalls, answers, strict=True)}
        changes = []
        for event, answer in zip(recalls, answers, strict=True):
            before = tuple(hit.memory.id for hit in self.before[event.id].hits)
            after = tuple(hit.memory.id for hit in answer.hits)
            if (change := _change(event, before, after, instead, self._helpful)) is not None:
                changes.append(change)
        return Replay(_counted(len(self.recalls), changes), tuple(changes))


def _change(
    event: Event,
    before: tuple[str, ...],
    after: tuple[str, ...],
    instead: Mapping[str, str],
    helpful: set[tuple[str, str]],
) -> Change | None:
    """What a recall gains and loses. A result is not lost where another one that says it stands in the answer."""
    said = tuple(dict.fromkeys(instead.get(id, id) for id in before))
    if said == after:
        return None
    lost = tuple(id for id in before if instead.get(id, id) not in after)
    gained = tuple(id for id in after if id not in said)
    marked = tuple(id for id in lost if (event.id, id) in helpful)
    return Change(event.id, data_of(event)[1]["query"], before, after, gained, lost, marked)


def _counted(recalls: int, changes: Sequence[Change]) -> Counts:
    return Counts(
        recalls,
        sum(len(change.gained) for change in changes),
        sum(len(change.lost) for change in changes),
        sum(not change.gained and not change.lost for change in changes),
        sum(len(change.helpful_lost) for change in changes),
    )


def _helpful(store: Reader, recalls: Sequence[Event]) -> Iterator[tuple[str, str]]:
    """The results that somebody has marked helpful, by recall and memory. It follows a merge or a refinement."""
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
