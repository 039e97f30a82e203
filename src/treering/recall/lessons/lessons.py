"""Build lessons from judgements, in the order in which they were made, and ask them about a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.ledger.codec import data_of
from treering.ledger.events import ABSORBED, JUDGED, RECALLED, UNDOINGS, Event
from treering.ledger.usage import EXPLICIT
from treering.models.port import Embedder
from treering.recall.index.postings import Stems
from treering.recall.index.profiles import quantised
from treering.recall.lessons.rules import (
    FIRST,
    PROPERTIES,
    SHIFTS,
    SWAYED,
    Counts,
    Showing,
    by_chance,
    chance,
    lifts,
    log_odds,
    question,
    trust,
    worth,
)
from treering.recall.query.analysis import analyse
from treering.stores.port.ledger import EventQuery, Reader
from treering.stores.port.search import MOST_LESSONS, Index, Learned, Lesson, Mark
from treering.text.words import STOP_WORDS

if TYPE_CHECKING:
    from treering.models.port import Matrix


Numbers = NDArray[np.float64]

ALIKE = 0.4  # the cosine from which on two questions have anything in common: names and asking give as much to most
WORDS = 0.7  # what the same words count, beside the same direction: names are shared by many questions
# What it counts that a memory did not help, beside that it did: it may have stood by for another reason.
BLAME = 0.4
SURE = 2  # standard errors that a lift must be above nothing: chance does so once in twenty times
HINT = 0.05  # what lessons must have said for a memory to have hinted at it


class Lessons:
    """Questions that were answered, what they asked, and what answered them."""

    def __init__(self, lessons: Sequence[Lesson], dimensions: int) -> None:
        self.size = len(lessons)
        vectors = b"".join(lesson.vector for lesson in lessons)
        self._vectors = _unit(np.frombuffer(vectors, np.int8).reshape(self.size, dimensions))
        self._holding: dict[int, list[int]] = {}
        self._held = np.ones(self.size)
        for place, lesson in enumerate(lessons):
            stems = np.frombuffer(lesson.stems, np.uint32).tolist()
            self._held[place] = max(1, len(stems))
            for stem in stems:
                self._holding.setdefault(stem, []).append(place)
        marks = [(place, mark) for place, lesson in enumerate(lessons) for mark in lesson.marks]
        self._lessons = np.array([place for place, _ in marks], np.intp)
        self._numbers = np.array([mark.number for _, mark in marks], np.int64)
        self._weights = np.array([mark.weight for _, mark in marks])
        self._kinds = np.array([mark.kind for _, mark in marks], np.int64)
        # It is about memories: one that helped ten times is still one of its kind.
        self._goods, self._bads = (_each_once(self._numbers, np.maximum(sign * self._weights, 0)) for sign in (1, -1))
        self._hints = np.array([mark.hint for _, mark in marks])
        self._projects = np.array([lesson.project for lesson in lessons], object)[self._lessons]
        self._types = np.array([lesson.type for lesson in lessons], object)[self._lessons]
        self._priors: dict[tuple[str, str], dict[str, Numbers]] = {}
        self._lifts: dict[int, float] | None = None
        self.trust = self._trusted()

    def alike(self, terms: Mapping[int, float], vector: Matrix | None) -> Numbers:
        """Return how like a question each lesson's is, from 0 to 1, by direction or by shared words."""
        shared, count = np.zeros(self.size), np.zeros(self.size)
        for stem, weight in terms.items():
            if places := self._holding.get(stem):
                shared[places] += weight
                count[places] += 1
        by_words = WORDS * shared / max(sum(terms.values()), 1e-9) * np.sqrt(count / self._held)
        if vector is None or self._vectors.shape[1] != len(vector):
            return np.asarray(by_words, np.float64)
        cosines = self._vectors @ vector
        return np.asarray(np.maximum(by_words, (cosines - ALIKE) / (1 - ALIKE)), np.float64)

    def votes(self, alike: Numbers, least: float = 0.0) -> dict[int, float]:
        """Return what lessons at least so like a question say for each memory, or against it."""
        alike = np.where(alike >= least, alike, 0.0)
        votes = alike[self._lessons] * np.where(self._weights > 0, self._weights, BLAME * self._weights)
        voting = np.flatnonzero(votes)
        sums: dict[int, float] = {}
        for number, amount in zip(self._numbers[voting].tolist(), votes[voting].tolist(), strict=True):
            sums[number] = sums.get(number, 0.0) + amount
        return sums

    def together(self, numbers: Sequence[int]) -> dict[int, dict[int, int]]:
        """Return, for each memory, those that helped with the same questions, and how often."""
        found: dict[int, dict[int, int]] = {}
        helped = self._weights > 0
        for number in numbers:
            lessons = self._lessons[helped & (self._numbers == number)]
            if len(lessons):
                others = self._numbers[helped & np.isin(self._lessons, lessons) & (self._numbers != number)]
                counts: dict[int, int] = {}
                for other in others.tolist():
                    counts[other] = counts.get(other, 0) + 1
                found[number] = counts
        return found

    def lift(self, number: int) -> float:
        """Return, from -1 to 1, what showing a memory did to the recalls where chance decided it."""
        if self._lifts is None:
            self._lifts = self._lifted()
        return self._lifts.get(number, 0.0)

    def _lifted(self) -> dict[int, float]:
        helped = np.zeros(self.size, bool)
        helped[self._lessons[self._weights > 0]] = True
        showings = []
        for place in np.flatnonzero(self._kinds >= SWAYED).tolist():
            p, shown = chance(int(self._kinds[place]))
            showings.append(Showing(str(self._numbers[place]), shown, p, float(helped[self._lessons[place]])))
        sure = ((found.memory, found.lift, abs(found.lift) - SURE * found.error) for found in lifts(showings))
        return {int(memory): least if lift > 0 else -least for memory, lift, least in sure if least > 0}

    def prior(self, project: str, type: str, kinds: NDArray[np.int64]) -> Numbers:
        """Return how much more often such memories helped with such questions, in log-odds."""
        key = (project, type)
        if key not in self._priors:
            self._priors[key] = {name: self._odds(name, project, type) for name in PROPERTIES}
        odds = self._priors[key]
        return np.asarray(sum(odds[name][_values(kinds, name)] for name in PROPERTIES), np.float64)

    def _odds(self, name: str, project: str, type: str) -> Numbers:
        """Return the odds of each value of a property: everywhere, then here, then for such questions."""
        here = self._projects == project
        levels = [np.ones(len(here), bool), here, here & (self._types == type)]
        if here.all():
            del levels[1]
        values = _values(self._kinds, name)
        size = 1 << PROPERTIES[name]
        good, bad = self._goods, self._bads
        counted = [[np.bincount(values[level], side[level], size) for side in (good, bad)] for level in levels]
        every = [(float(goods.sum()), float(bads.sum())) for goods, bads in counted]
        each = [zip(goods.tolist(), bads.tolist(), strict=True) for goods, bads in counted]
        return np.array([log_odds(list(zip(row, every, strict=True))) for row in zip(*each, strict=True)])

    def _trusted(self) -> float:
        hinted = self._hints > HINT
        return trust(self._counts(hinted), self._counts(~hinted))

    def _counts(self, some: NDArray[np.bool_]) -> Counts:
        weights = self._weights[some]
        return float(weights[weights > 0].sum()), float(-weights[weights < 0].sum())


def likeness(one: Lesson, other: Lesson) -> float:
    """Return how like two questions are, from 0 to 1, with every word counted the same."""
    mine, theirs = (set(np.frombuffer(lesson.stems, np.uint32).tolist()) for lesson in (one, other))
    shared = len(mine & theirs)
    by_words = WORDS * shared / max(1, len(mine)) * sqrt(shared / max(1, len(theirs)))
    if not one.vector or not other.vector:
        return by_words
    first, second = (np.frombuffer(lesson.vector, np.int8).astype(np.float32) for lesson in (one, other))
    cosine = float(first @ second) / max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-9)
    return max(by_words, (cosine - ALIKE) / (1 - ALIKE))


def _each_once(numbers: NDArray[np.int64], weights: Numbers) -> Numbers:
    """Share weights out so that those of one memory sum to no more than its heaviest."""
    _, owners = np.unique(numbers, return_inverse=True)
    size = int(owners.max(initial=-1)) + 1
    most, total = np.zeros(size), np.bincount(owners, weights, size)
    np.maximum.at(most, owners, weights)
    return np.asarray(weights * (most / np.maximum(total, 1e-9))[owners], np.float64)


def _values(kinds: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    return kinds >> SHIFTS[name] & (1 << PROPERTIES[name]) - 1


def _unit(rows: NDArray[np.int8]) -> Matrix:
    matrix = rows.astype(np.float32)
    return np.asarray(matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9), np.float32)


class LessonBuilder:
    """Builds lessons from marks as they come in."""

    def __init__(self, asked: Mapping[str, Lesson], known: Iterable[Lesson]) -> None:
        """Take what each recall asked, and the lessons that there are."""
        self._asked = asked
        self._marks: dict[str, dict[int, Mark]] = {}  # by recall and memory
        self._order: dict[str, dict[str, int]] = {}  # by space and recall: the how many-th lesson it is
        self._about: dict[int, dict[str, float]] = {}  # by memory and recall: what was said
        self._changed: dict[str, None] = {}
        for lesson in known:
            for mark in lesson.marks:
                self._put(lesson.recall, mark)

    def take(self, recall: str, mark: Mark, stronger: bool) -> None:
        """Add a mark. A stronger one replaces what was said of the same use."""
        known = self._marks.get(recall, {}).get(mark.number)
        if known is not None and not stronger:
            return
        hint = known.hint if known is not None else self._hint(recall, mark.number)
        self._put(recall, mark._replace(hint=hint))
        self._changed[recall] = None

    def changed(self) -> list[Lesson]:
        """Return the lessons that took a mark, in the order in which they were learned."""
        marks = {recall: self._marks[recall] for recall in self._changed}
        return [self._asked[recall]._replace(marks=tuple(sorted(found.values()))) for recall, found in marks.items()]

    def _put(self, recall: str, mark: Mark) -> None:
        order = self._order.setdefault(self._asked[recall].space, {})
        order.setdefault(recall, len(order))
        self._marks.setdefault(recall, {})[mark.number] = mark
        self._about.setdefault(mark.number, {})[recall] = mark.weight

    def _hint(self, recall: str, number: int) -> float:
        """Return what the kept lessons of other recalls say for a memory."""
        order = self._order.get(self._asked[recall].space, {})
        oldest = len(order) - MOST_LESSONS
        hint = 0.0
        for other, weight in self._about.get(number, {}).items():
            if other != recall and order.get(other, -1) >= oldest:
                hint += likeness(self._asked[recall], self._asked[other]) * (weight if weight > 0 else BLAME * weight)
        return hint


# What changes anything but the newest judgements: then all of them are learned anew.
_ANEW = (*UNDOINGS, ABSORBED)


class _News(NamedTuple):
    """The judgements since the last time."""

    before: Learned
    now: Learned
    anew: bool  # whether all is to be learned again
    judged: tuple[Event, ...]
    recalls: dict[str, Event]
    known: tuple[Lesson, ...]


class Learner:
    """Turns judgements into lessons."""

    def __init__(self, store: Reader, stems: Stems, embedder: Embedder | None) -> None:
        self._store = store
        self._index: Index = store.index
        self._stems = stems
        self._embedder = embedder
        self._looked_at = -1

    def catch_up(self) -> None:
        """Learn what was judged since the last time. Every memory has its profile."""
        if self._store.clock() == self._looked_at:
            return
        news = self._store.view(self._news)
        if news is None:
            self._looked_at = self._store.clock()
            return
        lessons = self._learned(news)

        def keep() -> None:
            if self._index.lessons.learned() == news.before:  # or another process was quicker
                self._index.lessons.keep(lessons, news.now, news.anew)

        self._index.write(keep)

    def _news(self) -> _News | None:
        before, now = self._index.lessons.learned(), self._store.heads()
        asked = EventQuery(kinds=(JUDGED, *_ANEW), since=before.clock)
        kinds = {event.kind for event in self._store.events(asked)}
        # What another writer said may belong before what is known; what we say ourselves always comes last.
        taken_in = [name for name, head in now.items() if head.seq != before.heads.get(name, 0)]
        others = bool(before.heads) and taken_in not in ([], [self._store.writer])
        if not others and (not kinds or (not before.heads and JUDGED not in kinds)):
            return None
        anew = others or not kinds <= {JUDGED}
        since = 0 if anew else before.clock
        judged = tuple(
            event
            for event in self._store.events(EventQuery(kinds=(JUDGED,), since=since, live=True))
            if event.payload is not None
        )
        ids = tuple({data_of(event)[1]["recall"] for event in judged})
        recalls = {event.id: event for event in self._store.events(EventQuery(ids=ids, kinds=(RECALLED,), live=True))}
        heads = {name: head.seq for name, head in now.items()}
        return _News(
            before, Learned(heads, self._store.clock()), anew, judged, recalls, tuple(self._index.lessons.taken())
        )

    def _learned(self, news: _News) -> list[Lesson]:
        """Return the lessons that are new or changed."""
        asked = {lesson.recall: lesson._replace(marks=()) for lesson in news.known}
        asked.update(self._asked([event for id, event in news.recalls.items() if id not in asked]))
        chances = {id: _chances(event) for id, event in news.recalls.items()}
        contested = [memory for pair in chances.values() for memory in pair]
        kinds = self._kinds([*(event.subject for event in news.judged), *contested])
        course = LessonBuilder(asked, () if news.anew else news.known)
        for event in news.judged:
            data = data_of(event)[1]
            if data["recall"] in news.recalls and event.subject in kinds:
                number, kind = kinds[event.subject]
                # A word said outright holds against what was guessed, and so does one that says what it replaces.
                stronger = data["by"] == EXPLICIT or "instead_rate" in data
                swayed = chances[data["recall"]]
                course.take(data["recall"], Mark(number, worth(data), kind | swayed.get(event.subject, 0)), stronger)
                for memory in (memory for memory in swayed if memory in kinds):
                    number, kind = kinds[memory]
                    course.take(data["recall"], Mark(number, 0.0, kind | swayed[memory]), stronger=False)
        return course.changed()

    def _asked(self, recalls: Sequence[Event]) -> dict[str, Lesson]:
        """Return what recalls asked, without any marks yet."""
        queries = [analyse(data_of(event)[1]["query"], event.time) for event in recalls]
        vectors = [b""] * len(queries)
        if self._embedder is not None and queries:
            # Not by how rare its words are, as recall weighs them: that changes from day to day.
            weighed = [[(word, float(word.lower() not in STOP_WORDS)) for word in query.words] for query in queries]
            rows = [self._embedder.question(words, query.text) for words, query in zip(weighed, queries, strict=True)]
            vectors = quantised(np.concatenate([row.reshape(1, -1) for row in rows]))
        found = {}
        for event, query, vector in zip(recalls, queries, vectors, strict=True):
            terms = [term for term in query.terms if term not in STOP_WORDS]
            stems = np.array(list(dict.fromkeys(self._stems.of(terms))), np.uint32).tobytes()
            found[event.id] = Lesson(event.id, event.space, event.project, question(query), stems, vector)
        return found

    def _kinds(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return the number and the kind of each of these memories that is ready for recall."""
        numbers = self._index.named(list(dict.fromkeys(ids)))
        first = {
            number
            for number, before, behind in self._index.beside(list(numbers.values()))
            if before is None and behind is not None
        }
        kinds = {profile.number: profile.kind for profile in self._index.profiles(list(numbers.values()))}
        return {
            id: (number, kinds[number] | (FIRST if number in first else 0))
            for id, number in numbers.items()
            if number in kinds
        }


def _chances(recall: Event) -> dict[str, int]:
    """Return the two memories between which chance decided, and what is noted of that."""
    data = data_of(recall)[1]
    found = {hit["id"]: by_chance(hit["p"], withheld=False) for hit in data["hits"] if hit["p"] < 1}
    return found | {one["id"]: by_chance(one["p"], withheld=True) for one in data.get("withheld", ())}
