"""Recalls, counted as they are read: what was said of what they showed, and what came up together."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from treering.core.codec import data_of
from treering.core.events import TURNED_OUT
from treering.core.judging import BAD, GOOD, STRONGEST
from treering.core.patterns import NOISE_SPAN, TOGETHER_TIMES, Fare, Showings
from treering.core.signals import session_of
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Event

WITHIN = 300_000_000  # microseconds between two recalls of a session for what they show to belong together
FOREMOST = 5  # memories of a recall that are counted: what stands lower has mostly stood by
MOST_RECENT = 25  # of them in a session, the latest: in a burst of recalls everything would belong to everything
MOST_PAIRS = 400_000  # that are counted at a time, in some 50 MB; those that came least are let go
_SITTINGS = 256  # sessions at a time, before those are let go that have been silent


class Asked(NamedTuple):
    """A recall, as far as it is counted."""

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


def asked(event: Event) -> Asked:
    data = data_of(event)[1]
    shown = tuple([hit["id"] for hit in data.get("hits", ())])
    told = (data.get("query", ""), data.get("type", ""), data.get("strategy", ""))
    return Asked(
        event.id, event.time, event.clock, session_of(event), *told, shown, "only" in data, bool(data.get("tokens"))
    )


class Said:
    """What is known of each use of a memory: the strongest word on it, or else what came of the recall or session.

    Known is what somebody said, what was read from what followed, and how recalls and sessions turned out. Where one of
    several that a recall showed was credited, the others were passed over. Nothing is known of recalls that nobody has
    said a word on: neither that what they showed was of use, nor that it was not.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._words: dict[str, tuple[int, str]] = {}  # a place in `STRONGEST`, and a verdict, by recall and memory
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
            if key not in self._words or place <= self._words[key][0]:
                self._words[key] = (place, data["verdict"])
            self._recalls.setdefault(data["recall"], "")

    def of(self, recall: Asked) -> dict[str, str] | None:
        """The verdict on each memory that a recall showed, or how it all turned out; nothing for one that was passed
        over. None, if nobody has said anything about the recall."""
        outcome = self._recalls.get(recall.id)
        if not outcome:
            outcome = self._sessions.get(recall.session, outcome)
        if outcome is None:
            return None
        words = ((id, self._words.get(f"{recall.id} {id}")) for id in recall.shown)
        return {id: word[1] if word else outcome for id, word in words}


class Uses:
    """How often each memory was shown lately, and what came of it; and how recalls fared by type and strategy."""

    def __init__(self, now: int) -> None:
        self._since = now - NOISE_SPAN
        self._counts: dict[str, list[int]] = {}
        self._fares: dict[tuple[str, str], list[int]] = {}

    def take(self, recall: Asked, verdicts: dict[str, str] | None) -> None:
        if recall.time >= self._since:
            for id in recall.shown:
                self._counts.setdefault(id, [0, 0, 0, 0])[0] += 1
        if not verdicts:
            return
        fare = self._fares.setdefault((recall.type, recall.strategy), [0, 0])
        fare[0] += 1
        fare[1] += any(verdict in GOOD for verdict in verdicts.values())
        for id, verdict in verdicts.items() if recall.time >= self._since else ():
            counts = self._counts[id]
            counts[1] += 1
            counts[2] += not verdict or verdict in BAD
            counts[3] += verdict in BAD

    @property
    def lately(self) -> dict[str, Showings]:
        return {id: Showings(*counts) for id, counts in self._counts.items()}

    @property
    def fares(self) -> dict[tuple[str, str], Fare]:
        return {key: Fare(*counts) for key, counts in self._fares.items()}


class Company:
    """Memories that came up together: in one recall, or within five minutes of each other in one session.

    The same two count again only when one of them has been out of sight for as long. Counts are at least what they say:
    when there are too many pairs, those that came least often are let go, and begin anew.
    """

    def __init__(self, most: int = MOST_PAIRS) -> None:
        self._most = most
        self._ids: list[str] = []
        self._numbers: dict[str, int] = {}
        self._recent: dict[str, dict[int, int]] = {}  # when each memory was last shown, by session
        self._times: Counter[int] = Counter()  # by both numbers, as one: a pair of them would take twice the room

    def take(self, recall: Asked) -> None:
        """Recalls come in the order of the clock."""
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
        """Two memories, and how often; those that are often enough, the most often first."""
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
