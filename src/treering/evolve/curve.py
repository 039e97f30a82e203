"""Ask judged questions again, with all that was learned and without any of it: what is learning worth here?"""

from __future__ import annotations

from typing import NamedTuple

from treering.evolve.gate import again
from treering.ledger.codec import data_of
from treering.ledger.events import JUDGED
from treering.ledger.usage import GOOD
from treering.ledger.workspace import Workspace
from treering.recall.recaller import Answer
from treering.stores.port.ledger import EventQuery

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
