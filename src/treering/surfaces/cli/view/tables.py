"""Times as a person says them.

Tables: aligned columns in a pipe, headers and colours at a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from treering.ledger import clock
from treering.ledger.clock import SECOND, format_time
from treering.surfaces.cli import render

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

    Cell = str | int | None
    Row = Sequence[Cell]


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # in every locale
_MINUTE, _HOUR = 60, 3_600  # seconds
# Hours that are counted even across midnight: at 1 in the morning, "2 h ago" says more than "yesterday 23:00".
_COUNTED = 6
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ago(time: int, now: int, zone: tzinfo | None = None) -> str:
    """Return when something was, seen from now, in local time or in the zone given. Both are in microseconds."""
    if not time:
        return "never"
    seconds = (now - time) // SECOND
    if -_MINUTE < seconds < _MINUTE:
        return "just now"
    try:
        then, today = _local(time, zone), _local(now, zone)
    except OverflowError:  # the first and the last day of the calendar, in a zone that is past them
        return format_time(time)[:10]
    days = (today.date() - then.date()).days
    near = _near(abs(seconds), days == 0)
    if near:
        return f"{near} ago" if seconds > 0 else f"in {near}"
    if abs(days) == 1:
        return f"{'yesterday' if days > 0 else 'tomorrow'} {then:%H:%M}"
    date = f"{then.day} {_MONTHS[then.month - 1]}"
    return date if then.year == today.year else f"{date} {then.year}"


def _near(seconds: int, same_day: bool) -> str:
    """Return a short distance as minutes or hours, or nothing for a longer one."""
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min"
    return f"{seconds // _HOUR} h" if same_day or seconds < _COUNTED * _HOUR else ""


def _local(time: int, zone: tzinfo | None) -> datetime:
    return (_EPOCH + timedelta(microseconds=time)).astimezone(zone)


# What a column holds: this decides its colour, its side, and whether it wraps. Only text does.
ID, SHORT, NUMBER, TEXT, TIME, MEANING = "id", "short", "number", "text", "time", "meaning"

CHUNK = 200  # rows that are laid out together: more than a screen, and quickly drawn
GAP = 2  # columns between two cells
NARROWEST = 24  # columns that a text must get; with fewer it goes below its row
MOST_LINES = 3  # of one text in a table: the whole of it is a command away

_STYLES = {ID: "cyan", SHORT: "", NUMBER: "", TEXT: "", TIME: "dim", MEANING: ""}
_GOOD, _OPEN, _BAD, _PAST = "green", "yellow", "red", "dim"
_MEANINGS = {
    **dict.fromkeys(("active", "helpful", "accepted", "applied", "ok", "installed"), _GOOD),
    **dict.fromkeys(("created", "consolidated", "user"), ""),
    **dict.fromkeys(("partially_helpful", "pending", "external", "draft", "warning", "would"), _OPEN),
    **dict.fromkeys(("quarantined", "not_helpful", "rejected", "failed", "problem"), _BAD),
    **dict.fromkeys(("archived", "superseded", "merged", "deprecated", "forgotten", "moot", "undone"), _PAST),
}


class Column(NamedTuple):
    """A column: its header, what it holds, and how many lines of a text are shown (0: all)."""

    name: str
    kind: str = SHORT
    lines: int = MOST_LINES


def meaning(word: str) -> str:
    """Return the rich style of a status, a trust or a verdict; an unknown word has none."""
    return _MEANINGS.get(word, "")


def aligned(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines of aligned cells, portion by portion; a column never grows narrower."""
    left, widths = iter(rows), list[int]()
    while chunk := [*islice(left, CHUNK)]:
        widths = widths or [0] * len(chunk[0])
        widths = [max(known, *(render.width(row[place]) for row in chunk)) for place, known in enumerate(widths)]
        for row in chunk:
            cells = (cell + " " * (size - render.width(cell)) for cell, size in zip(row, widths, strict=True))
            yield (" " * GAP).join(cells).rstrip()


def table(columns: Sequence[Column], rows: Iterable[Row], now: int | None = None) -> Table:
    """Return rows as a view. Times are shown as seen from `now`, by default this moment."""
    return Table(tuple(columns), rows, clock.now() if now is None else now)


def listed(value: Any, columns: Sequence[Column], rows: Sequence[Row], **more: Any) -> render.Answer:
    """Return an answer that is a list: aligned lines in a pipe, a table in pages at a terminal."""
    shown = table(columns, rows)
    return render.Answer(value, lambda page: shown.lines(), view=(lambda: shown) if rows else None, **more)


class Table:
    """Rows that are laid out as they come, so that a long list starts at once."""

    def __init__(self, columns: tuple[Column, ...], rows: Iterable[Row], now: int) -> None:
        self._columns = columns
        self._rows = rows
        self._now = now

    def lines(self) -> Iterator[str]:
        return aligned([*self._plain(row)] for row in self._rows)

    def parts(self, width: int) -> Iterator[RenderableType]:
        rows, widths, header = iter(self._rows), [render.width(column.name) for column in self._columns], True
        while chunk := [self._texts(row) for row in islice(rows, CHUNK)]:
            widths = [max(known, *(render.width(row[place]) for row in chunk)) for place, known in enumerate(widths)]
            yield self._drawn(chunk, widths, width, header)
            header = False

    def _plain(self, row: Row) -> Iterator[str]:
        for column, cell in zip(self._columns, row, strict=True):
            if column.kind == TIME:
                yield clock.format_time(int(cell)) if cell else ""
            else:
                yield "" if cell is None else render.line(str(cell))

    def _texts(self, row: Row) -> list[str]:
        """Return a row as it is shown at a terminal."""
        shown = zip(self._columns, row, self._plain(row), strict=True)
        return [ago(int(cell), self._now) if column.kind == TIME and cell else text for column, cell, text in shown]

    def _drawn(self, chunk: list[list[str]], widths: list[int], room: int, header: bool) -> RenderableType:
        texts = [place for place, column in enumerate(self._columns) if column.kind == TEXT]
        fixed = sum(size + GAP for place, size in enumerate(widths) if place not in texts) + GAP * (len(texts) - 1)
        left = (room - fixed) // max(len(texts), 1)
        if left < (NARROWEST if texts else 0):
            return self._stacked(chunk, room)
        for place in texts:
            widths[place] = min(left, widths[place])
        grid = self._grid(widths, header)
        for row in chunk:
            grid.add_row(*(self._cell(column, text, left) for column, text in zip(self._columns, row, strict=True)))
        return grid

    def _grid(self, widths: list[int], header: bool) -> RichTable:
        from rich.table import Table as RichTable

        grid = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0), show_header=header, header_style="bold")
        for column, size in zip(self._columns, widths, strict=True):
            justify: Literal["left", "right"] = "right" if column.kind == NUMBER else "left"
            wraps = column.kind == TEXT
            grid.add_column(column.name, width=size, no_wrap=not wraps, overflow="fold", justify=justify)
        return grid

    def _stacked(self, chunk: list[list[str]], room: int) -> RenderableType:
        """Lay rows out on a narrow screen: the short cells on a line, the texts below it."""
        from rich.console import Group
        from rich.padding import Padding
        from rich.text import Text

        made: list[RenderableType] = []
        for row in chunk:
            cells = [*zip(self._columns, row, strict=True)]
            short = [self._cell(column, text, room) for column, text in cells if column.kind != TEXT and text]
            made.append(Text("  ").join(short))
            made += [Padding(self._cell(*cell, room - 2), (0, 0, 0, 2)) for cell in cells if cell[0].kind == TEXT]
        return Group(*made)

    def _cell(self, column: Column, text: str, room: int) -> Text:
        from rich.text import Text

        style = meaning(text) if column.kind == MEANING else _STYLES[column.kind]
        if column.kind == TEXT and column.lines:
            text = _shortened(text, room, column.lines)
        return Text(text, style)


def _shortened(text: str, room: int, most: int) -> str:
    """Return the first lines of a text as it is wrapped, with a mark where more follows."""
    found = [*islice(render.wrapped(text, room), most + 1)]
    if len(found) <= most:
        return text
    last = found[most - 1]
    return "\n".join([*found[: most - 1], render.cut(last, room - 2).rstrip(" …") + " …"])
