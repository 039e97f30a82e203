"""The use of memories, read off the ledger: which recalls showed one, and what came of it."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import JUDGED, RECALLED, TURNED_OUT, USED
from treering.core.judging import BAD, GOOD, OUTCOME, STRONGEST, shown
from treering.core.rings import happened
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Event

MOST_FAILURES = 20  # judgements that an action is said to rest on
TOLD = (RECALLED, JUDGED, TURNED_OUT, USED)


class Use(NamedTuple):
    """One time that a memory was used."""

    time: int
    outcome: str  # a verdict, an outcome or a signal: the strongest word on it; nothing if nobody has spoken
    context: str  # what was asked
    recall: str  # its id; nothing for a use by somebody's own account
    session: str = ""
    project: str = ""
    rank: int = 0
    by: str = ""  # explicit, outcome or implicit: whose word that is
    judgement: str = ""  # the event that says so


class Record(NamedTuple):
    """The uses of a memory, counted."""

    usage: int = 0
    good: int = 0  # judged uses that helped
    bad: int = 0  # and those that did not
    failures: tuple[str, ...] = ()  # the judgements that say so, the last ones: an action rests on them


class _Word(NamedTuple):
    """What somebody said of one use."""

    place: int  # in `STRONGEST`
    verdict: str
    event: str


class _Words:
    """The strongest word on each use, by memory and recall; of equals the later one."""

    def __init__(self) -> None:
        self.on: dict[tuple[str, str], _Word] = {}

    def take(self, event: Event) -> None:
        data = data_of(event)[1]
        if data.get("by") not in STRONGEST:
            return
        key, word = (event.subject, data["recall"]), _Word(STRONGEST.index(data["by"]), data["verdict"], event.id)
        if key not in self.on or word.place <= self.on[key].place:
            self.on[key] = word


def uses(id: str, events: Iterable[Event]) -> list[Use]:
    """Every use of a memory, oldest first, from events in the order of the fold."""
    found: list[Use] = []
    words, sessions = _Words(), dict[str, str]()
    for event in events:
        kind, data = data_of(event)
        if kind == JUDGED and event.subject == id:
            words.take(event)
        elif kind == USED and event.subject == id:
            found.append(Use(happened(event), "", "", "", event.session, event.project))
        elif kind == TURNED_OUT and data.get("session"):
            sessions[data["session"]] = data["outcome"]
        elif kind == RECALLED and (rank := shown(event).get(id)):
            found.append(Use(event.time, "", data["query"], event.id, event.session, event.project, rank))
    return [_told(use, words.on.get((id, use.recall)), sessions) for use in found]


def record(uses: Iterable[Use]) -> Record:
    """The uses, counted. Only what was said of the memory itself is good or bad."""
    all = list(uses)
    good = sum(use.outcome in GOOD for use in all if use.judgement)
    failures = [use for use in all if use.judgement and use.outcome in BAD]
    return Record(len(all), good, len(failures), tuple(use.judgement for use in failures[-MOST_FAILURES:]))


def records(events: Iterable[Event]) -> dict[str, Record]:
    """The same for every memory that was ever used, in one pass."""
    counts: dict[str, int] = {}
    words = _Words()
    for event in events:
        if event.kind == RECALLED:
            for id in shown(event):
                counts[id] = counts.get(id, 0) + 1
        elif event.kind == USED:
            counts[event.subject] = counts.get(event.subject, 0) + 1
        elif event.kind == JUDGED and event.payload is not None:
            words.take(event)
    found = {id: Record(count) for id, count in counts.items()}
    for (id, _), word in words.on.items():
        known = found.get(id, Record())
        found[id] = known._replace(
            good=known.good + (word.verdict in GOOD),
            bad=known.bad + (word.verdict in BAD),
        )
    return found


def _told(use: Use, word: _Word | None, sessions: dict[str, str]) -> Use:
    if word is not None:
        return use._replace(outcome=word.verdict, by=STRONGEST[word.place], judgement=word.event)
    if use.session and (outcome := sessions.get(use.session)):
        return use._replace(outcome=outcome, by=OUTCOME)
    return use
