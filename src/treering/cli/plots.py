"""Figures as pictures of text: bars, sparklines and a small plot of a line, for terminals of any width.

All are pure: what fits is decided by the width that is given, and whether blocks can be shown by who asks.
"""

from __future__ import annotations

from itertools import pairwise

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
