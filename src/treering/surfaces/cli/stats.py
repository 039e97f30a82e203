"""Figures and signals: how well the memory does, in figures and in pictures of text (bars, sparklines, a plot).

The pictures are pure: what fits is decided by the width that is given, and whether blocks can be shown by the caller.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.consolidate.reflection.figures import BUCKETS, JUNK_AGE
from treering.ledger.clock import format_time, now
from treering.ledger.sessions import DAY
from treering.models.quota import is_low
from treering.skills.signals.rules import INTERRUPTED
from treering.surfaces.cli.render import Answer, line, table
from treering.text.words import joined

if TYPE_CHECKING:
    from treering.consolidate.reflection.figures import Health, Share, Weighed
    from treering.memory import Treering
    from treering.skills.signals.gather import Signals
    from treering.surfaces.cli.render import Page

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


def answer(memory: Treering) -> Answer:
    found, asked = memory.maintenance.health(), _asked(memory)
    ink = ink_for(encoding_of(os.environ))
    return Answer({**telling(found), "model": asked}, lambda page: [*told(found, page, ink), *_model(asked, page)])


def _asked(memory: Treering) -> dict[str, Any]:
    """Return what a language model was asked in the last 24 hours, and what it may be asked."""
    config, spent = memory.config, memory.maintenance.llm_spent().values()
    calls, tokens = sum(one.calls for one in spent), sum(one.asked + one.answered for one in spent)
    most = config.model_calls if config.agent is not None else None
    name = config.model or config.llm_model
    agent = memory.workspace.llm() if most is not None else None
    low = is_low(getattr(agent, "name", ""), memory.workspace.home or "", now())
    return {
        "name": name,
        "little_quota": low,
        "calls": calls,
        "tokens": tokens,
        "most_calls": most,
        "most_tokens": config.llm_budget,
    }


def _model(asked: dict[str, Any], page: Page) -> Iterator[str]:
    """Yield a line, if there is a model, or was one."""
    if asked["name"] or asked["calls"]:
        calls = f"{asked['calls']:,}" + (f" of {asked['most_calls']:,}" if asked["most_calls"] is not None else "")
        said = f"{calls} calls, {asked['tokens']:,} of {asked['most_tokens']:,} tokens in 24 hours"
        said += "; little of your plan is left, so the agent is not asked" if asked["little_quota"] else ""
        yield ""
        yield from table([("model", f"{asked['name'] or 'none'}: {said}")], page)


def telling(health: Health) -> dict[str, Any]:
    """Return it for programs. A rate is from 0 to 1, and null where there is nothing that it could be of."""
    shares = {_NAMES.get(name, name): _share(getattr(health, name)) for name, _ in _SHARES}
    spent = health.tokens
    return {
        "at": format_time(health.at),
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
                "start": format_time(week.start)[:_DATE],
                "miss_rate": round(week.missed / week.asked, 4) if week.asked else None,
            }
            for week in health.weeks
        ],
        "weights": [
            {**one._asdict(), "time": format_time(one.time), "weights": dict(one.weights)} for one in health.weights
        ],
    }


# What each share is of, by the names that programs see.
SHARES = {_NAMES.get(name, name): about for name, about in _SHARES}


def _share(one: Share) -> dict[str, Any]:
    return {"count": one.part, "of": one.of, "rate": round(one.rate, 4) if one.of else None}


def told(health: Health, page: Page, ink: Ink) -> Iterator[str]:
    """Return it for people, a line at a time."""
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
    first, last = (format_time(week.start)[:_DATE] for week in (weeks[0], weeks[-1]))
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


WIDTH = 60  # columns, where nobody says how many there are
SHORTEST_BAR = 8  # columns: a shorter one tells less than its number
HEIGHT = 6  # lines of a plot


class Ink(NamedTuple):
    """The letters that pictures are made of."""

    steps: str  # of a sparkline, lowest first
    parts: str  # of the last cell of a bar, smallest first; the last fills it
    empty: str  # of a bar
    point: str  # of a line
    axis: str


BLOCKS = Ink("▁▂▃▄▅▆▇█", "▏▎▍▌▋▊▉█", "░", "•", "┤")
ASCII = Ink("_.-=+*#@", "#", ".", "*", "|")


def encoding_of(environment: Mapping[str, str]) -> str:
    """What a terminal is said to show. Where nothing is said, or only that nobody set a language, UTF-8, as Python has
    it; what is written is UTF-8 in any case."""
    if environment.get("TERM") == "dumb":
        return "ascii"
    said = next(filter(None, (environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    return said.partition(".")[2].partition("@")[0] or "utf-8"


def ink_for(encoding: str) -> Ink:
    """What can be drawn with in this encoding."""
    try:
        "".join(BLOCKS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS


def spark(values: Sequence[float], width: int = WIDTH, ink: Ink = BLOCKS, most: float = 0.0) -> str:
    """Values as steps on one line, from 0 to the largest of them or to `most`. Only nothing is as low as nothing."""
    shown = fitted(values, width)
    top = max([most, *shown], default=0.0)
    if top <= 0:
        return ink.steps[0] * len(shown)
    last = len(ink.steps) - 1
    return "".join(ink.steps[min(last, max(int(value > 0), round(value / top * last)))] for value in shown)


def bar(value: float, most: float, width: int = WIDTH, ink: Ink = BLOCKS) -> str:
    """A value as a bar, as wide as `most` would be. Only nothing is empty, and only all of it full."""
    fine = len(ink.parts)
    share = min(1.0, max(0.0, value / most)) if most > 0 else 0.0
    filled = round(share * width * fine)
    if 0 < share < 1:
        filled = min(max(filled, 1), width * fine - 1)
    whole, rest = divmod(filled, fine)
    text = ink.parts[-1] * whole + (ink.parts[rest - 1] if rest else "")
    return text + ink.empty * (width - len(text))


def bars(
    rows: Sequence[tuple[str, float]],
    width: int = WIDTH,
    ink: Ink = BLOCKS,
    told: Callable[[float], str] = "{:,g}".format,
) -> list[str]:
    """Names, bars and numbers below each other, within a width; the largest fills its line."""
    names = max((len(name) for name, _ in rows), default=0)
    numbers = [told(value) for _, value in rows]
    digits = max(map(len, numbers), default=0)
    room = max(SHORTEST_BAR, width - names - digits - 4)
    most = max((value for _, value in rows), default=0.0)
    return [
        f"{name:<{names}}  {bar(value, most, room, ink)}  {number:>{digits}}"
        for (name, value), number in zip(rows, numbers, strict=True)
    ]


def plot(
    values: Sequence[float | None],
    width: int = WIDTH,
    height: int = HEIGHT,
    ink: Ink = BLOCKS,
    told: Callable[[float], str] = "{:g}".format,
) -> list[str]:
    """A line through values, from 0 to the largest, with what the top and the bottom are worth; None is a gap."""
    known = [value for value in values if value is not None]
    top = max(known, default=0.0) or 1.0
    labels = [told(top), *[""] * (height - 2), told(0.0)]
    side = max(map(len, labels))
    room = max(1, width - side - 2)
    shown = _spread(values, room)
    levels = [None if value is None else height - 1 - round(value / top * (height - 1)) for value in shown]
    rows = ("".join(ink.point if level == row else " " for level in levels) for row in range(height))
    return [f"{label:>{side}} {ink.axis}{row}".rstrip() for label, row in zip(labels, rows, strict=True)]


def fitted(values: Sequence[float], width: int) -> list[float]:
    """The values, or where they are more than fit, the means of as many stretches as do."""
    if len(values) <= width:
        return [*values]
    ends = [place * len(values) // width for place in range(width + 1)]
    return [sum(values[start:end]) / (end - start) for start, end in pairwise(ends)]


def _spread(values: Sequence[float | None], width: int) -> list[float | None]:
    """One value for each column: few are drawn wide, of many the last of each stretch is drawn."""
    if not values:
        return []
    wide = max(1, width // len(values))
    columns = min(width, len(values) * wide)
    return [values[min(len(values) - 1, ((column + 1) * len(values) - 1) // columns)] for column in range(columns)]


def signals_described(signals: Signals, limit: int | None) -> dict[str, Any]:
    """Return them for programs."""
    return {
        "reuse": {
            "memories_tracked": len(signals.reuse),
            "total_surfaces": sum(one.times for one in signals.reuse),
            "last_updated": _last(signals),
            "top_reused": [
                {"memory": one.memory, "count": one.times, "sessions": len(one.sessions), "projects": [*one.projects]}
                for one in signals.reuse[:limit]
            ],
        },
        "misses": {
            "total": signals.misses,
            "unique_prompts": signals.unique,
            "top_clusters": [
                {"count": len(gap.prompts), "distinct": gap.distinct, "tokens": joined(gap.tokens)}
                for gap in signals.gaps[:limit]
            ],
        },
        "friction": {
            "prompts": signals.asked,
            "asked_again": [
                {"count": len(gap.prompts), "tokens": joined(gap.tokens)}
                for gap in signals.repeated[:limit]
                if len(gap.prompts) > 1
            ],
            "places": [
                {
                    "kind": one.kind,
                    "count": len(one.rubs),
                    "tries": sum(rub.tries for rub in one.rubs),
                    "about": [*one.about],
                }
                for one in signals.rubbing[:limit]
            ],
            "interruptions": sum(rub.kind == INTERRUPTED for rub in signals.rubs),
        },
    }


def signals_listed(signals: Signals, limit: int | None, page: Page) -> Iterator[str]:
    """Return them for people, a line at a time."""
    yield page.bold("Treering — self-evolving memory stats")
    yield from ("", "reuse:")
    yield f"  memories tracked: {len(signals.reuse):,}"
    yield f"  total surfaces: {sum(one.times for one in signals.reuse):,}"
    yield f"  last updated: {_last(signals) or 'never'}"
    if signals.reuse:
        yield "  top reused:"
        yield from (
            f"    • {one.memory} count={one.times} sessions={len(one.sessions)}" for one in signals.reuse[:limit]
        )
    yield from ("", "routing misses:")
    yield f"  total: {signals.misses:,}"
    yield f"  unique prompts: {signals.unique:,}"
    if signals.gaps:
        yield "  top clusters:"
        yield from (
            f"    • count={len(gap.prompts)} tokens=[{', '.join(joined(gap.tokens))}]" for gap in signals.gaps[:limit]
        )
    yield from _rubbing(signals, limit)
    yield ""


def _rubbing(signals: Signals, limit: int | None) -> Iterator[str]:
    again = [gap for gap in signals.repeated if len(gap.prompts) > 1]
    if not signals.asked and not signals.rubs:
        return
    yield from ("", "friction:")
    yield f"  prompts read: {signals.asked:,}"
    yield from (
        f"    • asked again count={len(gap.prompts)} tokens=[{', '.join(joined(gap.tokens))}]" for gap in again[:limit]
    )
    halted = sum(rub.kind == INTERRUPTED for rub in signals.rubs)
    yield f"  places: {len(signals.rubs):,}" + (f", of which {halted:,} interruptions" if halted else "")
    for one in signals.rubbing[:limit]:
        tries = sum(rub.tries for rub in one.rubs)
        yield f"    • {one.kind} count={len(one.rubs)} tries={tries} about=[{', '.join(one.about)}]"


def _last(signals: Signals) -> str:
    return format_time(max(one.last for one in signals.reuse)) if signals.reuse else ""
