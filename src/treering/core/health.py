"""How well a memory does, in figures: each is a share of something that can be counted, and no opinion."""

from __future__ import annotations

from treering.core.judging import GOOD
from treering.core.lifecycle import RECALLABLE
from treering.core.prompts import substantive
from treering.core.rings import DAY
from treering.core.signals import spoken
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from treering.core.tallies import Asked
    from treering.core.types import Memory

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
    """What recalls cost whoever reads them, in tokens of the memories' texts as a fence estimates them."""

    surfaced: int = 0  # of all that was shown
    judged: int = 0  # of what was shown by recalls that somebody said a word on
    used: int = 0  # of these, what was of use


class Week(NamedTuple):
    """What happened in a week."""

    start: int  # its Monday, in microseconds
    added: int = 0  # memories that were made then, and were not purged
    total: int = 0  # memories that were made up to its end
    recalls: int = 0
    asked: int = 0  # of them, prompts that ask for something; in one session, the same counts once
    missed: int = 0  # of these, those that met with silence


class Weighed(NamedTuple):
    """What recall counted how much, from a moment on, for a project and a type of query; nothing named means all."""

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
    """Memories, counted one by one."""

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
    """Recalls, counted one by one."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        """`sizes` are the tokens of memories."""
        self._sizes = sizes
        self._heard: set[int] = set()
        self.recalls = self.shown = self.known = 0
        self.surfaced = self.judged = self.used = 0
        self.weeks: dict[int, list[int]] = {}  # recalls, prompts and misses

    def take(self, recall: Asked, verdicts: Mapping[str, str] | None) -> None:
        """A recall, and what was said of what it showed."""
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

    def _is_new(self, recall: Asked) -> bool:
        """Whether it is a prompt that asks for something, and has not been counted for its session."""
        # One that was narrowed may have looked in the wrong place: its silence says nothing.
        if recall.narrowed or not (recall.missed or substantive(recall.query)):
            return False
        heard = hash((recall.session, spoken(recall.query), recall.missed))
        if heard in self._heard:
            return False
        self._heard.add(heard)
        return True


def week_of(moment: int) -> int:
    """The number of a week."""
    return (moment + _MONDAY) // WEEK


def weeks(census: Census, answers: Answers, now: int) -> tuple[Week, ...]:
    """The last weeks, from the first of them in which anything happened."""
    last = week_of(now)
    first = max(last - WEEKS + 1, min((*census.made, *answers.weeks), default=last))
    total = sum(count for week, count in census.made.items() if week < first)
    found = []
    for week in range(first, last + 1):
        total += census.made.get(week, 0)
        counts = answers.weeks.get(week, (0, 0, 0))
        found.append(Week(week * WEEK - _MONDAY, census.made.get(week, 0), total, *counts))
    return tuple(found)
