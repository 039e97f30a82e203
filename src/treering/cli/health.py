"""`treering stats`: how well the memory does, in figures and in pictures of text."""

from __future__ import annotations

import os

from treering.cli.plots import WIDTH, bar, bars, encoding_of, ink_for, plot, spark
from treering.cli.render import Answer, line, table
from treering.core.health import BUCKETS, JUNK_AGE
from treering.core.rings import DAY
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.plots import Ink
    from treering.cli.render import Page
    from treering.core.health import Health, Share, Weighed

_BAR = 20  # columns of the bar beside a share
_HISTORY = 40  # columns of a history
_DATE = 10  # letters of a moment that are its day
# What each share is called, and what it is of.
_SHARES = (
    ("junk", f"live memories are older than {JUNK_AGE // DAY} days and were never used"),
    ("echoes", "texts offered only repeated what was recalled, and were not stored"),
    ("duplicates", "memories say what another one says"),
    ("wrong", "retired memories were wanted all the same"),
    ("misses", "prompts met with silence"),
    ("feedback", "recalls that showed anything were judged, or had an outcome"),
)
_NAMES = {"wrong": "wrong_retirements"}


def stats(memory: Treering, call: Call) -> Answer:
    found = memory.health()
    ink = ink_for(encoding_of(os.environ))
    return Answer(telling(found), lambda page: told(found, page, ink))


def telling(health: Health) -> dict[str, Any]:
    """For programs. A rate is from 0 to 1, and null where there is nothing that it could be of."""
    shares = {_NAMES.get(name, name): _share(getattr(health, name)) for name, _ in _SHARES}
    spent = health.tokens
    return {
        "at": shown(health.at),
        "memories": dict(health.memories),
        "live": health.live,
        **shares,
        "tokens": {**spent._asdict(), "rate": round(spent.used / spent.judged, 4) if spent.judged else None},
        "recalls": health.recalls,
        "q": [
            {"from": place / BUCKETS, "to": (place + 1) / BUCKETS, "count": count}
            for place, count in enumerate(health.q)
        ],
        "weeks": [
            {
                **week._asdict(),
                "start": shown(week.start)[:_DATE],
                "miss_rate": round(week.missed / week.asked, 4) if week.asked else None,
            }
            for week in health.weeks
        ],
        "weights": [{**one._asdict(), "time": shown(one.time), "weights": dict(one.weights)} for one in health.weights],
    }


def _share(one: Share) -> dict[str, Any]:
    return {"count": one.part, "of": one.of, "rate": round(one.rate, 4) if one.of else None}


def told(health: Health, page: Page, ink: Ink) -> Iterator[str]:
    """For people."""
    width = min(page.width or WIDTH, WIDTH)
    statuses = ", ".join(f"{count:,} {status}" for status, count in health.memories.items())
    yield from table([("memories", statuses or "none"), ("recalls", f"{health.recalls:,}")], page)
    yield ""
    rows = [
        (_NAMES.get(name, name).replace("_", " "), _rated(getattr(health, name), about, ink)) for name, about in _SHARES
    ]
    spent = health.tokens
    used = f": of {spent.judged:,} in judged recalls, {spent.used:,} were of use" if spent.judged else ""
    yield from table([*rows, ("tokens", f"{spent.surfaced:,} surfaced{used}")], page)
    if health.live:
        yield from ("", page.bold("Q of the live memories"))
        tenths = [(f"{place / BUCKETS:.1f}", float(count)) for place, count in enumerate(health.q)]
        yield from bars(tenths, width, ink, "{:,.0f}".format)
    yield from _weekly(health, page, width, ink)
    yield from _weights(health.weights, page, ink)


def _rated(one: Share, about: str, ink: Ink) -> str:
    if not one.of:
        return "nothing to tell yet"
    return f"{one.rate:6.1%} {bar(one.rate, 1.0, _BAR, ink)} {one.part:,} of {one.of:,} {about}"


def _weekly(health: Health, page: Page, width: int, ink: Ink) -> Iterator[str]:
    weeks = health.weeks
    if len(weeks) < 2:
        return
    first, last = (shown(week.start)[:_DATE] for week in (weeks[0], weeks[-1]))
    yield from ("", page.bold(f"by week, {first} to {last}"))
    lines = [
        ("added", [week.added for week in weeks]),
        ("memories", [week.total for week in weeks]),
        ("recalls", [week.recalls for week in weeks]),
    ]
    yield from table([(name, f"{spark(values, width, ink)}  {values[-1]:,}") for name, values in lines], page)
    if any(week.asked for week in weeks):
        yield from ("", page.bold("miss rate by week"))
        yield from plot(
            [week.missed / week.asked if week.asked else None for week in weeks], width, 5, ink, "{:.0%}".format
        )


def _weights(weighed: Sequence[Weighed], page: Page, ink: Ink) -> Iterator[str]:
    """What each weight is for a project and a type of query, and how it came there."""
    histories: dict[tuple[str, str], list[Weighed]] = {}
    for one in weighed:
        histories.setdefault((one.project, one.type), []).append(one)
    if histories:
        yield from ("", page.bold("weights that were learned or set"))
    for (project, type), history in histories.items():
        yield f"{line(project) or 'everywhere'}, {type or 'every type of query'}: set {len(history)} times"
        for name in sorted({name for one in history for name in one.weights}):
            values = [one.weights[name] for one in history if name in one.weights]
            came = f"{values[0]:.3g} to {values[-1]:.3g}" if len(values) > 1 else f"{values[-1]:.3g}"
            yield f"  {name:<10}  {came:<14}  {spark(values, _HISTORY, ink)}"
