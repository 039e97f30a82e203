"""Learning: what helped, week by week; Q and lift; what was retired, and what of that was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from statistics import fmean
from typing import Any

from treering.consolidate.reflection.figures import start_of, week_of
from treering.evolve.stats import Point
from treering.ledger.clock import format_time
from treering.ledger.codec import data_of
from treering.ledger.events import JUDGED, RECALLED
from treering.ledger.usage import GOOD
from treering.memory import Treering
from treering.recall.lessons.rules import Lift
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.render import plain
from treering.surfaces.ui.desk import Asked
from treering.surfaces.ui.pages.health import figures

LIFTS = 10  # memories that are shown, the surest


def read(asked: Asked) -> dict[str, Any]:
    return {
        "figures": asked.desk.figures("health", figures, asked),
        "learned": asked.desk.figures("learning", _learned, asked),
        "curve": asked.desk.figures("curve", _curve, asked),
    }


def _learned(memory: Treering) -> dict[str, Any]:
    stats = memory.evolve.stats()
    return {
        "weeks": _weeks(memory),
        "judgements": stats.judgements,
        "outcomes": stats.outcomes,
        "rules": [{**one._asdict(), "rate": round(one.rate, 4), "suspended": one.suspended} for one in stats.rules],
        "lifts": [{**_lift(one.lift), "memory": plain(one.memory)} for one in stats.lifts[:LIFTS]],
        "verdicts": memory.captured.learned(),
    }


def _lift(lift: Lift) -> dict[str, Any]:
    return {**lift._asdict(), "error": round(lift.error, 4) if isfinite(lift.error) else None}


def _weeks(memory: Treering) -> list[dict[str, Any]]:
    """Count recalls that showed something, and judgements that say it helped, by week."""
    weeks: dict[int, dict[str, int]] = {}
    none = dict.fromkeys(("shown", "silent", "judged", "helped"), 0)
    for event in memory.store.events(EventQuery(space=memory.context.space, kinds=(RECALLED, JUDGED), live=True)):
        if event.payload is None:
            continue
        data, week = data_of(event)[1], weeks.setdefault(week_of(event.time), {**none})
        if event.kind == RECALLED:
            week["shown" if data["hits"] else "silent"] += 1
        else:
            week["judged"] += 1
            week["helped"] += data["verdict"] in GOOD
    return [{"start": format_time(start_of(start))[:10], **week} for start, week in sorted(weeks.items())]


def _curve(memory: Treering) -> dict[str, Any]:
    """Return how high what helped stands when it is asked for again, with learning and without, by week."""
    points = memory.evolve.curve()
    weeks: dict[int, list[Point]] = {}
    for point in points:
        weeks.setdefault(week_of(point.time), []).append(point)
    rows = [{"start": format_time(start_of(week))[:10], **_means(some)} for week, some in sorted(weeks.items())]
    return {"questions": len(points), **_means(points), "weeks": rows}


def _means(points: Sequence[Point]) -> dict[str, float]:
    return {
        "learned": round(fmean([one.learned for one in points] or [0.0]), 4),
        "unlearned": round(fmean([one.unlearned for one in points] or [0.0]), 4),
    }
