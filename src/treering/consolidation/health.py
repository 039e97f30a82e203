"""The health of a store, counted: one pass over its memories, one over what was said, and one over its recalls."""

from __future__ import annotations

from treering.consolidation.wanted import Wanted
from treering.core.codec import data_of
from treering.core.events import ECHOED, JUDGED, RECALLED, TURNED_OUT, WEIGHED
from treering.core.evidence import MERGE_LIKENESS
from treering.core.health import Answers, Census, Health, Share, Tokens, Weighed, weeks
from treering.core.lifecycle import RECALLABLE
from treering.core.policy import HOT
from treering.core.ports import EventQuery
from treering.core.rings import DAY
from treering.core.signals import spoken
from treering.core.tallies import Said, asked
from treering.core.tuples import NamedTuple
from treering.core.types import Filter
from treering.core.words import folded
from treering.ledger import batches
from treering.recall.fence import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.types import Memory

# That have the same words and are compared by likeness, which takes a fraction of a millisecond each: beyond it, the
# same words are the same.
MOST_COMPARED = 5_000
_ARTICLES = frozenset(("a", "an", "the"))  # other small words may turn a sentence around
_PORTION = 500  # pairs whose texts are read at a time


def gathered(store: Reader, space: str, now: int) -> Health:
    """The figures of a space, on one view of it."""
    return store.view(lambda: _gathered(store, space, now))


def _gathered(store: Reader, space: str, now: int) -> Health:
    wanted = Wanted(store, space)
    census, told = Census(now), _Told(wanted)
    for memory in store.records(Filter(space)):
        census.take(memory)
        told.take(memory)
    said = Said(wanted.listening(_read(store, space, JUDGED, TURNED_OUT)))
    answers = Answers(told.sizes)
    for event in _read(store, space, RECALLED):
        recall = asked(event)
        answers.take(recall, said.of(recall))
        wanted.shown(recall)
    prompts, missed = (sum(week[place] for week in answers.weeks.values()) for place in (1, 2))
    echoes, made = sum(1 for _ in _read(store, space, ECHOED)), sum(census.statuses.values())
    return Health(
        now,
        dict(sorted(census.statuses.items())),
        census.live,
        Share(census.junk, census.live),
        Share(echoes, made + echoes),
        Share(told.merged + told.doubles(store), told.merged + census.live),
        told.wrong(),
        Share(missed, prompts),
        Share(answers.known, answers.shown),
        Tokens(answers.surfaced, answers.judged, answers.used),
        answers.recalls,
        tuple(census.q),
        weeks(census, answers, now),
        tuple(_weighed(store, space)),
    )


class _Out(NamedTuple):
    """A memory that was taken out of sight."""

    id: str
    status: str
    words: int


class _Told:
    """What memories say, as numbers for their words: who says the same, who says it again, and how long it is."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._first: dict[int, str] = {}  # who says it
        self._latest: dict[int, int] = {}  # when it was said last
        self._doubles: list[tuple[str, str]] = []
        self._out: list[_Out] = []
        self.merged = 0  # by evolution: what was promoted is told to more people
        self.sizes: dict[str, int] = {}

    def take(self, memory: Memory) -> None:
        text = _text(memory)
        self.sizes[memory.id] = tokens(text)
        words = _words(memory, text)
        if memory.status in RECALLABLE:
            first = self._first.setdefault(words, memory.id)
            if first != memory.id:
                self._doubles.append((first, memory.id))
            self._latest[words] = max(self._latest.get(words, 0), memory.created)
        if self._wanted.since(memory.id) is not None:
            self.merged += memory.status == "merged"
            self._out.append(_Out(memory.id, memory.status, words))

    def wrong(self) -> Share:
        """Memories that were retired, and those of them that were wrongly."""
        return Share(sum(map(self._is_wrong, self._out)), len(self._out))

    def doubles(self, store: Reader) -> int:
        """How many say what another one says."""
        count = max(0, len(self._doubles) - MOST_COMPARED)
        for portion in batches(self._doubles[:MOST_COMPARED], _PORTION):
            memories = store.several({id for pair in portion for id in pair})
            texts = {id: _text(memory) for id, memory in memories.items()}
            count += sum(_same(texts[one], texts[other]) for one, other in portion)
        return count

    def _is_wrong(self, one: _Out) -> bool:
        if self._wanted.again(one.id, one.status):
            return True
        # What took its place was said before it did.
        return one.status not in HOT and self._latest.get(one.words, 0) > (self._wanted.since(one.id) or 0)


def _text(memory: Memory) -> str:
    details = memory.details
    return f"{memory.content}\n{details}" if details else memory.content


def _words(memory: Memory, text: str) -> int:
    """What a memory says and to whom; an episode that came again on another day is another one."""
    walls = (memory.scope, memory.project, memory.session if memory.scope == "session" else "")
    day = memory.created // DAY if memory.type == "episodic" else 0
    return hash((walls, memory.type, day, frozenset(folded(text)) - _ARTICLES))


def _same(one: str, other: str) -> bool:
    from treering.evolution.likening import compared

    return spoken(one) == spoken(other) or compared(one, other, 1.0).score > MERGE_LIKENESS


def _weighed(store: Reader, space: str) -> Iterator[Weighed]:
    for event in _read(store, space, WEIGHED):
        data = data_of(event)[1]
        told = {name: value for name, value in data["weights"].items() if isinstance(value, (int, float))}
        yield Weighed(event.time, data.get("project", ""), data.get("type", ""), told, data.get("by", ""), event.id)


def _read(store: Reader, space: str, *kinds: str) -> Iterator[Event]:
    return store.events(EventQuery(kinds=kinds, space=space, live=True))
