"""Lessons: judgements made ready for recall, when the next one is asked for."""

from __future__ import annotations

import numpy as np

from treering.core.codec import data_of
from treering.core.events import ABSORBED, JUDGED, RECALLED, UNDOINGS
from treering.core.judging import EXPLICIT
from treering.core.learning import worth
from treering.core.lessons import Learnt, Lesson, Mark
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS
from treering.recall.lessons.course import Course
from treering.recall.lessons.kinds import FIRST, by_chance, question
from treering.recall.profile.making import quantised
from treering.recall.query.analysis import analyse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.events import Event
    from treering.core.index import Index
    from treering.core.ports import Embedder, Reader
    from treering.recall.profile.stems import Stems

# What changes anything but the newest judgements: then all of them are learned anew.
_ANEW = (*UNDOINGS, ABSORBED)


class _News(NamedTuple):
    """What was judged since the last time."""

    before: Learnt
    now: Learnt
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
        news = self._index.view(self._news)
        if news is None:
            self._looked_at = self._store.clock()
            return
        lessons = self._learned(news)

        def keep() -> None:
            if self._index.lessons.learnt() == news.before:  # or another process was quicker
                self._index.lessons.keep(lessons, news.now, news.anew)

        self._index.write(keep)

    def _news(self) -> _News | None:
        before, now = self._index.lessons.learnt(), self._store.heads()
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
            before, Learnt(heads, self._store.clock()), anew, judged, recalls, tuple(self._index.lessons.taken())
        )

    def _learned(self, news: _News) -> list[Lesson]:
        """The lessons that are new, or other than before."""
        asked = {lesson.recall: lesson._replace(marks=()) for lesson in news.known}
        asked.update(self._asked([event for id, event in news.recalls.items() if id not in asked]))
        chances = {id: _chances(event) for id, event in news.recalls.items()}
        contested = [memory for told in chances.values() for memory in told]
        kinds = self._kinds([*(event.subject for event in news.judged), *contested])
        course = Course(asked, () if news.anew else news.known)
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
        """What recalls asked, without any marks yet."""
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
        """The number and the kind of each of these memories that is ready for recall."""
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
    """The two memories between which chance decided, and what is noted of that."""
    data = data_of(recall)[1]
    found = {hit["id"]: by_chance(hit["p"], withheld=False) for hit in data["hits"] if hit["p"] < 1}
    return found | {one["id"]: by_chance(one["p"], withheld=True) for one in data.get("withheld", ())}
