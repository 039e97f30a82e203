"""Count the health of a store: one pass over its memories, one over verdicts, and one over recalls.

`evolve.retired` compares each retirement by a few rules with what says the same in other words,
which takes a millisecond each. Here only equal words count, so that a store of any size can be
counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from treering.consolidate.reflection.figures import (
    Answers,
    Census,
    CountedRecall,
    Health,
    Share,
    Tokens,
    Verdicts,
    Weighed,
    read_events,
    read_recall,
    weeks,
)
from treering.consolidate.reflection.patterns import Faded
from treering.evolve.retired import ASKED, RESTORED, rule_of
from treering.evolve.rules import MERGE_LIKENESS
from treering.ledger.ageing import HOT
from treering.ledger.codec import data_of
from treering.ledger.events import (
    BEGAN,
    ECHOED,
    JUDGED,
    MERGED,
    MOVED,
    RAN,
    RECALLED,
    SUPERSEDED,
    TURNED_OUT,
    UNDONE,
    USED,
    WEIGHED,
    Event,
)
from treering.ledger.ledger import batches
from treering.ledger.sessions import DAY
from treering.ledger.types import RECALLABLE, Filter, Memory
from treering.ledger.usage import GOOD
from treering.recall.fence import tokens
from treering.skills.signals.rules import normalized
from treering.stores.port.ledger import EventQuery, Reader
from treering.text.words import folded

# The rules that take a memory out of sight because nobody used it: those of `core.policy`, and of evolution.
UNUSED = ("unimportant", "faded", "gone", "unused", "expired", "crowded", "archive")
_KINDS = (MOVED, SUPERSEDED, MERGED)
_MEMORIES_AT_ONCE = 500  # memories that are read at a time


class FalseRetirements:
    """Memories that rules retired, and those that were wanted since: restored, used, found helpful,
    or the best answer to a recall."""

    def __init__(self, store: Reader, space: str, rules: tuple[str, ...] = ()) -> None:
        """Count the retirements by some rules, or by all."""
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

    def watch(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events unchanged, and note which retired memories were found helpful."""
        for event in events:
            known = event.kind == JUDGED and event.subject in self._since and event.payload is not None
            if known and data_of(event)[1]["verdict"] in GOOD:
                self._note(self._asked, event.subject, event.clock)
            yield event

    def shown(self, recall: CountedRecall) -> None:
        since = self._since
        for id in [id for id in recall.shown if id in since]:
            self._note(self._asked if id == recall.shown[0] else self._seen, id, recall.clock)

    def since(self, id: str) -> int | None:
        """Return when it was retired, by the ledger's clock."""
        return self._since.get(id)

    def again(self, id: str, status: str) -> str:
        """Return how a retired memory, now of this status, was wanted again; empty if not."""
        if id in self._restored:
            return RESTORED
        seen = id in self._seen and status not in RECALLABLE
        return ASKED if seen or id in self._asked else ""

    def groups(self) -> dict[tuple[str, str], Faded]:
        """Return the counts by project and type."""
        found: dict[tuple[str, str], Faded] = {}
        for portion in batches(self._since, _MEMORIES_AT_ONCE):
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
    """Return the events that somebody undid by name, and those of the runs that they undid."""
    named: set[str] = set()
    for event in store.events(EventQuery(kinds=(UNDONE,), space=space)):
        if event.id not in out and event.payload is not None:
            named.update(data_of(event)[1]["events"])
    undone = named & out
    runs = {event.id for event in store.events(EventQuery(ids=tuple(undone), kinds=(BEGAN, RAN)))}
    return undone | store.effects(runs)


# That have the same words and are compared by likeness, which takes a fraction of a millisecond each: beyond it, the
# same words are the same.
MOST_COMPARED = 5_000
_ARTICLES = frozenset(("a", "an", "the"))  # other small words may turn a sentence around
_PORTION = 500  # pairs whose texts are read at a time


def gather(store: Reader, space: str, now: int) -> Health:
    """Return the figures of a space, on one view of it."""
    return store.view(lambda: _gather(store, space, now))


def _gather(store: Reader, space: str, now: int) -> Health:
    wanted = FalseRetirements(store, space)
    census, texts = Census(now), _Texts(wanted)
    for memory in store.records(Filter(space)):
        census.take(memory)
        texts.take(memory)
    verdicts = Verdicts(wanted.watch(read_events(store, space, JUDGED, TURNED_OUT)))
    answers = Answers(texts.sizes)
    for event in read_events(store, space, RECALLED):
        recall = read_recall(event)
        answers.take(recall, verdicts.of(recall))
        wanted.shown(recall)
    prompts, missed = (sum(week[place] for week in answers.weeks.values()) for place in (1, 2))
    echoes, made = sum(1 for _ in read_events(store, space, ECHOED)), sum(census.statuses.values())
    return Health(
        now,
        dict(sorted(census.statuses.items())),
        census.live,
        Share(census.junk, census.live),
        Share(echoes, made + echoes),
        Share(texts.merged + texts.doubles(store), texts.merged + census.live),
        texts.wrong(),
        Share(missed, prompts),
        Share(answers.known, answers.shown),
        Tokens(answers.surfaced, answers.judged, answers.used),
        answers.recalls,
        tuple(census.q),
        weeks(census, answers, now),
        tuple(_weighed(store, space)),
    )


class _Retired(NamedTuple):
    """A memory that was retired."""

    id: str
    status: str
    words: int


class _Texts:
    """Texts as hashes of their words, to find duplicates and repetitions, and their sizes."""

    def __init__(self, wanted: FalseRetirements) -> None:
        self._wanted = wanted
        self._first: dict[int, str] = {}  # who says it
        self._latest: dict[int, int] = {}  # when it was said last
        self._doubles: list[tuple[str, str]] = []
        self._out: list[_Retired] = []
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
            self._out.append(_Retired(memory.id, memory.status, words))

    def wrong(self) -> Share:
        """Return the share of retired memories that were retired wrongly."""
        return Share(sum(map(self._is_wrong, self._out)), len(self._out))

    def doubles(self, store: Reader) -> int:
        """Return how many memories say what another one says."""
        count = max(0, len(self._doubles) - MOST_COMPARED)
        for portion in batches(self._doubles[:MOST_COMPARED], _PORTION):
            memories = store.several({id for pair in portion for id in pair})
            texts = {id: _text(memory) for id, memory in memories.items()}
            count += sum(_same(texts[one], texts[other]) for one, other in portion)
        return count

    def _is_wrong(self, one: _Retired) -> bool:
        if self._wanted.again(one.id, one.status):
            return True
        # What took its place was said before it did.
        return one.status not in HOT and self._latest.get(one.words, 0) > (self._wanted.since(one.id) or 0)


def _text(memory: Memory) -> str:
    details = memory.details
    return f"{memory.content}\n{details}" if details else memory.content


def _words(memory: Memory, text: str) -> int:
    """Return a hash of the words and the audience of a memory, and of the day of an episode."""
    walls = (memory.scope, memory.project, memory.session if memory.scope == "session" else "")
    day = memory.created // DAY if memory.type == "episodic" else 0
    return hash((walls, memory.type, day, frozenset(folded(text)) - _ARTICLES))


def _same(one: str, other: str) -> bool:
    from treering.evolve.near import compare

    return normalized(one) == normalized(other) or compare(one, other, 1.0).score > MERGE_LIKENESS


def _weighed(store: Reader, space: str) -> Iterator[Weighed]:
    for event in read_events(store, space, WEIGHED):
        data = data_of(event)[1]
        told = {name: value for name, value in data["weights"].items() if isinstance(value, (int, float))}
        yield Weighed(event.time, data.get("project", ""), data.get("type", ""), told, data.get("by", ""), event.id)
