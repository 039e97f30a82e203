"""Measure evolution: judgements, how often each rule was wrong, the lift of each memory, the worth of learning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from treering.evolve.gate import again
from treering.evolve.retired import Rule
from treering.ledger.codec import data_of
from treering.ledger.events import JUDGED, RECALLED, TURNED_OUT, Event
from treering.ledger.types import Memory
from treering.ledger.usage import EXPLICIT, GOOD
from treering.ledger.workspace import Workspace
from treering.recall.lessons.rules import Lift, Showing, lifts
from treering.recall.recaller import Answer
from treering.stores.port.ledger import EventQuery, Reader

WORTH = {"success": 1.0, "partial": 0.5, "failure": 0.0}


class Standing(NamedTuple):
    """A memory and its lift."""

    memory: Memory
    lift: Lift


class Stats(NamedTuple):
    judgements: dict[str, int]  # by verdict
    outcomes: dict[str, int]
    recalls: int  # that were logged
    swaps: int  # of them, those in which chance had a say at the cut-off
    rules: tuple[Rule, ...]
    lifts: tuple[Standing, ...]  # the surest first
    due: str  # why a run is due; nothing if none is
    last_run: int  # when, in microseconds; 0 for never


def gather(store: Reader, space: str, rules: Iterable[Rule], due: str, last_run: int) -> Stats:
    here = EventQuery(space=space, live=True)
    judged = list(store.events(here._replace(kinds=(JUDGED,))))
    turned = list(store.events(here._replace(kinds=(TURNED_OUT,))))
    worth = _worth(judged, turned)
    recalls = swaps = 0
    showings: list[Showing] = []
    for event in store.events(here._replace(kinds=(RECALLED,))):
        found = list(_showings(event, worth))
        recalls, swaps = recalls + 1, swaps + ("withheld" in data_of(event)[1])
        showings += found
    measured = sorted(lifts(showings), key=lambda one: (one.error, one.memory))
    memories = store.several([one.memory for one in measured])
    return Stats(
        _count_by(judged, "verdict"),
        _count_by(turned, "outcome"),
        recalls,
        swaps,
        tuple(rules),
        tuple(Standing(memories[one.memory], one) for one in measured if one.memory in memories),
        due,
        last_run,
    )


def _count_by(events: Iterable[Event], field: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for event in events:
        if event.payload is not None:
            word = str(data_of(event)[1][field])
            counts[word] = counts.get(word, 0) + 1
    return dict(sorted(counts.items()))


def _worth(judged: Iterable[Event], turned: Iterable[Event]) -> dict[str, float]:
    """Return the worth of recalls and sessions, 0 to 1: by their outcome, or by the best explicit judgement."""
    worth: dict[str, float] = {}
    for event in judged:
        data = data_of(event)[1]
        if data.get("by") == EXPLICIT:
            worth[data["recall"]] = max(worth.get(data["recall"], 0.0), data["reward"])
    for event in turned:
        data = data_of(event)[1]
        for of in (*event.causes, f"session {data['session']}" if data.get("session") else ""):
            if of:
                worth[of] = WORTH.get(data["outcome"], 0.5)
    return worth


def _showings(event: Event, worth: dict[str, float]) -> Iterator[Showing]:
    """Yield the two memories between which chance decided, if the recall's worth is known."""
    data = data_of(event)[1]
    came = worth.get(event.id, worth.get(f"session {event.session}") if event.session else None)
    if came is None or not data.get("withheld"):
        return
    for hit in data["hits"]:
        if hit["p"] < 1:
            yield Showing(hit["id"], True, hit["p"], came)
    for one in data["withheld"]:
        yield Showing(one["id"], False, one["p"], came)


MOST = 200  # questions that are asked again, the newest
PLACES = 10  # that are looked at: what stands below is not found


class Point(NamedTuple):
    """One question: how high the memory that helped stands, as 1 / its place; 0 if it is not found."""

    time: int
    learned: float
    unlearned: float


def curve(at: Workspace, most: int = MOST) -> list[Point]:
    """Return a point for each recall that is known to have helped, oldest first. Nothing is logged."""
    good: dict[str, set[str]] = {}
    for event in at.store.events(EventQuery(space=at.space, kinds=(JUDGED,), live=True)):
        data = data_of(event)[1]
        if data["verdict"] in GOOD:
            good.setdefault(data["recall"], set()).add(event.subject)
    asked = [*at.store.events(EventQuery(ids=(*good,), space=at.space, live=True))][-most:]
    asks = [again(event, at.now())._replace(k=PLACES) for event in asked]
    answers = [recalls.replay(asks) for recalls in (at.recalls, at.recalls.unlearned())]
    return [
        Point(event.time, *(_height(answer, good[event.id]) for answer in pair))
        for event, *pair in zip(asked, *answers, strict=True)
    ]


def _height(answer: Answer, wanted: set[str]) -> float:
    places = (place for place, hit in enumerate(answer.hits, 1) if hit.memory.id in wanted)
    return 1 / next(places, float("inf"))
