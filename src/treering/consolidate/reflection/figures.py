"""Count memories and recalls, for `health` and for the patterns of reflection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from treering.consolidate.reflection.patterns import NOISE_SPAN, TOGETHER_TIMES, JudgedRecalls, Showings
from treering.ledger.codec import data_of
from treering.ledger.events import TURNED_OUT, Event
from treering.ledger.sessions import DAY
from treering.ledger.types import RECALLABLE, Memory
from treering.ledger.usage import BAD, GOOD, STRONGEST
from treering.skills.signals.rules import normalized, session_of
from treering.stores.port.ledger import EventQuery, Reader
from treering.text.words import substantive

JUNK_AGE = 30 * DAY  # microseconds: what no session has used by then was not worth remembering, or is not found
WEEKS = 26  # that are told: half a year fits on a line
BUCKETS = 10  # of Q: each a tenth
WEEK = 7 * DAY
_MONDAY = 3 * DAY  # 1970 began on a Thursday


class Share(NamedTuple):
    """A part of a whole."""

    part: int = 0
    of: int = 0

    @property
    def rate(self) -> float:
        return self.part / self.of if self.of else 0.0


class Tokens(NamedTuple):
    """The tokens that recalls cost whoever reads them, by the estimate of the fence."""

    surfaced: int = 0  # of all that was shown
    judged: int = 0  # of what was shown by recalls that somebody said a word on
    used: int = 0  # of these, what was of use


class Week(NamedTuple):
    """The figures of a week."""

    start: int  # its Monday, in microseconds
    added: int = 0  # memories that were made then, and were not purged
    total: int = 0  # memories that were made up to its end
    recalls: int = 0
    asked: int = 0  # of them, prompts that ask for something; in one session, the same counts once
    missed: int = 0  # of these, those that met with silence


class Weighed(NamedTuple):
    """Weights of recall from a moment on, for a project and a type of query; empty means all."""

    time: int
    project: str
    type: str
    weights: Mapping[str, float]
    by: str  # who found them
    event: str


class Health(NamedTuple):
    """The figures of a space."""

    at: int
    memories: Mapping[str, int]  # by status
    live: int  # that recall may answer with
    junk: Share  # of the live ones, those that are old and were never used
    echoes: Share  # of the texts that were offered, those that only repeated what was recalled
    duplicates: Share  # of all that are told or were merged, those that say what another one says
    wrong: Share  # of the memories that were retired, those that somebody wanted all the same
    misses: Share  # of the prompts that ask for something, those that met with silence
    feedback: Share  # of the recalls that showed anything, those that somebody said a word on
    tokens: Tokens
    recalls: int
    q: tuple[int, ...]  # live memories by tenths of their Q
    weeks: tuple[Week, ...]  # the last ones, oldest first
    weights: tuple[Weighed, ...]  # oldest first


class Census:
    """Counts of memories."""

    def __init__(self, now: int) -> None:
        self._now = now
        self.statuses: dict[str, int] = {}
        self.live = self.junk = 0
        self.q = [0] * BUCKETS
        self.made: dict[int, int] = {}  # by week

    def take(self, memory: Memory) -> None:
        self.statuses[memory.status] = self.statuses.get(memory.status, 0) + 1
        week = week_of(memory.created)
        self.made[week] = self.made.get(week, 0) + 1
        if memory.status in RECALLABLE:
            self.live += 1
            self.junk += not memory.accesses and self._now - memory.created > JUNK_AGE
            self.q[min(BUCKETS - 1, int(memory.q * BUCKETS))] += 1


class Answers:
    """Counts of recalls."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        """Take the sizes of memories, in tokens."""
        self._sizes = sizes
        self._counted: set[int] = set()
        self.recalls = self.shown = self.known = 0
        self.surfaced = self.judged = self.used = 0
        self.weeks: dict[int, list[int]] = {}  # recalls, prompts and misses

    def take(self, recall: CountedRecall, verdicts: Mapping[str, str] | None) -> None:
        """Count a recall, with the verdicts on what it showed."""
        self.recalls += 1
        week = self.weeks.setdefault(week_of(recall.time), [0, 0, 0])
        week[0] += 1
        if self._is_new(recall):
            week[1] += 1
            week[2] += recall.missed
        if recall.shown:
            self.shown += 1
            whole = sum([self._sizes.get(id, 0) for id in recall.shown])
            self.surfaced += whole
            if verdicts is not None:
                self.known += 1
                self.judged += whole
                self.used += sum([self._sizes.get(id, 0) for id, said in verdicts.items() if said in GOOD])

    def _is_new(self, recall: CountedRecall) -> bool:
        """Tell whether it is a prompt that asks for something, not yet counted in its session."""
        # One that was narrowed may have looked in the wrong place: its silence says nothing.
        if recall.narrowed or not (recall.missed or substantive(recall.query)):
            return False
        key = hash((recall.session, normalized(recall.query), recall.missed))
        if key in self._counted:
            return False
        self._counted.add(key)
        return True


def week_of(moment: int) -> int:
    """Return the number of a week."""
    return (moment + _MONDAY) // WEEK


def start_of(week: int) -> int:
    """Return the Monday of a week by its number, in microseconds."""
    return week * WEEK - _MONDAY


def weeks(census: Census, answers: Answers, now: int) -> tuple[Week, ...]:
    """Return the last weeks, beginning with the first in which anything happened."""
    last = week_of(now)
    first = max(last - WEEKS + 1, min((*census.made, *answers.weeks), default=last))
    total = sum(count for week, count in census.made.items() if week < first)
    found = []
    for week in range(first, last + 1):
        total += census.made.get(week, 0)
        counts = answers.weeks.get(week, (0, 0, 0))
        found.append(Week(start_of(week), census.made.get(week, 0), total, *counts))
    return tuple(found)


WITHIN = 300_000_000  # microseconds between two recalls of a session for what they show to belong together
FOREMOST = 5  # memories of a recall that are counted: what stands lower has mostly stood by
MOST_RECENT = 25  # of them in a session, the latest: in a burst of recalls everything would belong to everything
MOST_PAIRS = 400_000  # that are counted at a time, in some 50 MB; those that came least are let go
_SITTINGS = 256  # sessions at a time, before those are let go that have been silent


class CountedRecall(NamedTuple):
    """The fields of a recall that are counted."""

    id: str
    time: int  # what the writer's own clock said
    clock: int
    session: str  # outside of any, the day
    query: str
    type: str
    strategy: str
    shown: tuple[str, ...]  # memories, the first first
    narrowed: bool
    missed: bool  # a prompt that asks for something, and met with silence


def read_events(store: Reader, space: str, *kinds: str) -> Iterator[Event]:
    return store.events(EventQuery(kinds=kinds, space=space, live=True))


def read_recall(event: Event) -> CountedRecall:
    data = data_of(event)[1]
    shown = tuple([hit["id"] for hit in data.get("hits", ())])
    told = (data.get("query", ""), data.get("type", ""), data.get("strategy", ""))
    return CountedRecall(
        event.id, event.time, event.clock, session_of(event), *told, shown, "only" in data, bool(data.get("tokens"))
    )


class Verdicts:
    """The verdict on each use of a memory: the strongest one given, or else the outcome of the
    recall or session.

    Where one of several that a recall showed was credited, the others were passed over. Without any
    verdict or outcome nothing is known of a recall: neither that it was of use, nor that it was
    not.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._verdicts: dict[str, tuple[int, str]] = {}  # a place in `STRONGEST`, and a verdict, by recall and memory
        self._recalls: dict[str, str] = {}  # the outcome of each that was spoken of; nothing if it is not known
        self._sessions: dict[str, str] = {}
        for event in events:
            if event.payload is not None:
                self._take(event)

    def _take(self, event: Event) -> None:
        data = data_of(event)[1]
        if event.kind == TURNED_OUT:
            self._recalls.update((cause, data["outcome"]) for cause in event.causes)
            if data.get("session"):
                self._sessions[data["session"]] = data["outcome"]
        elif data.get("by") in STRONGEST:
            key, place = f"{data['recall']} {event.subject}", STRONGEST.index(data["by"])
            if key not in self._verdicts or place <= self._verdicts[key][0]:
                self._verdicts[key] = (place, data["verdict"])
            self._recalls.setdefault(data["recall"], "")

    def of(self, recall: CountedRecall) -> dict[str, str] | None:
        """Return the verdict on each memory that a recall showed, or its outcome; empty for one
        that was passed over. None if nothing is known about the recall."""
        outcome = self._recalls.get(recall.id)
        if not outcome:
            outcome = self._sessions.get(recall.session, outcome)
        if outcome is None:
            return None
        words = ((id, self._verdicts.get(f"{recall.id} {id}")) for id in recall.shown)
        return {id: word[1] if word else outcome for id, word in words}


class Uses:
    """Counts of how memories were shown and judged lately, and recalls by type and strategy."""

    def __init__(self, now: int) -> None:
        self._since = now - NOISE_SPAN
        self._counts: dict[str, list[int]] = {}
        self._judged: dict[tuple[str, str], list[int]] = {}

    def take(self, recall: CountedRecall, verdicts: dict[str, str] | None) -> None:
        if recall.time >= self._since:
            for id in recall.shown:
                self._counts.setdefault(id, [0, 0, 0, 0])[0] += 1
        if not verdicts:
            return
        counts = self._judged.setdefault((recall.type, recall.strategy), [0, 0])
        counts[0] += 1
        counts[1] += any(verdict in GOOD for verdict in verdicts.values())
        for id, verdict in verdicts.items() if recall.time >= self._since else ():
            counts = self._counts[id]
            counts[1] += 1
            counts[2] += not verdict or verdict in BAD
            counts[3] += verdict in BAD

    @property
    def lately(self) -> dict[str, Showings]:
        return {id: Showings(*counts) for id, counts in self._counts.items()}

    @property
    def judged(self) -> dict[tuple[str, str], JudgedRecalls]:
        return {key: JudgedRecalls(*counts) for key, counts in self._judged.items()}


class CoRecallCounts:
    """Counts of memories that came up together: in one recall, or within five minutes in one
    session.

    A pair counts again only after one of the two has been out of sight for as long. Counts are
    lower bounds: when there are too many pairs, the rarest are dropped and begin anew.
    """

    def __init__(self, most: int = MOST_PAIRS) -> None:
        self._most = most
        self._ids: list[str] = []
        self._numbers: dict[str, int] = {}
        self._recent: dict[str, dict[int, int]] = {}  # when each memory was last shown, by session
        self._times: Counter[int] = Counter()  # by both numbers, as one: a pair of them would take twice the room

    def take(self, recall: CountedRecall) -> None:
        """Count a recall. Recalls come in the order of the clock."""
        recent = self._recent.get(recall.session)
        if recent is None:
            recent = self._sit(recall.session, recall.clock)
        for number in [number for number, at in recent.items() if recall.clock - at > WITHIN]:
            del recent[number]
        shown = [self._number(id) for id in recall.shown[:FOREMOST]]
        fresh = [number for number in shown if number not in recent]
        pairs = [(one, other) for one in fresh for other in recent]
        pairs += combinations(fresh, 2)
        self._times.update([one << 32 | other if one < other else other << 32 | one for one, other in pairs])
        for number in shown:
            recent.pop(number, None)
            recent[number] = recall.clock  # behind all others
        for number in [*recent][:-MOST_RECENT]:
            del recent[number]
        if len(self._times) > self._most:
            self._let_go()

    def pairs(self) -> list[tuple[str, str, int]]:
        """Return the pairs that came up often enough and how often, the most frequent first."""
        often = [(key, times) for key, times in self._times.items() if times >= TOGETHER_TIMES]
        often.sort(key=lambda pair: (-pair[1], pair[0]))
        return [(self._ids[key >> 32], self._ids[key & 0xFFFF_FFFF], times) for key, times in often]

    def _sit(self, session: str, now: int) -> dict[int, int]:
        if len(self._recent) >= _SITTINGS:
            silent = [name for name, shown in self._recent.items() if now - max(shown.values(), default=0) > WITHIN]
            for name in silent:
                del self._recent[name]
        return self._recent.setdefault(session, {})

    def _number(self, id: str) -> int:
        number = self._numbers.setdefault(id, len(self._ids))
        if number == len(self._ids):
            self._ids.append(id)
        return number

    def _let_go(self) -> None:
        least = 1
        while len(self._times) > self._most // 2:
            self._times = Counter({key: times for key, times in self._times.items() if times > least})
            least += 1
