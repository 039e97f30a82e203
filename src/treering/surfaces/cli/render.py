"""Answers as text for people and as JSON for programs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from treering.ledger.clock import SECOND, format_time
from treering.ledger.types import DEFAULT_SPACE, Move, move_of

if TYPE_CHECKING:
    from treering.ledger.types import Memory
    from treering.surfaces.cli.view import View

CHUNK = 200  # rows that are aligned with each other: enough for a screen, little to hold in memory
MOMENTS = ("created", "updated", "accessed", "queued", "verified")  # fields of a memory
NARROWEST = 20  # columns; below this, wrapping does more harm than good
# What is not printable and yet belongs into text: line ends, tabs, wide and narrow blanks, joiners.
_HARMLESS = frozenset("\n\t\u00a0\u200c\u200d\u202f\u3000")


class _Settings:
    plain = False  # one process runs one command; `use_plain` is called at its start


def use_plain(plain: bool) -> None:
    """Treat every terminal as a pipe, or do so no longer."""
    _Settings.plain = plain


def is_terminal(stream: TextIO | None = None) -> bool:
    """Return whether a person reads this stream at a terminal that can draw. NO_COLOR only takes the colours away."""
    out = sys.stdout if stream is None else stream
    return not _Settings.plain and out is not None and out.isatty() and os.environ.get("TERM") != "dumb"


class Page(NamedTuple):
    """Where text goes: how wide it is (0: as wide as need be), and whether it has colours."""

    width: int = 0
    colour: bool = False

    def inset(self) -> Page:
        """The page, two columns further in."""
        return self._replace(width=max(self.width - 2, NARROWEST) if self.width else 0)

    def bold(self, text: str) -> str:
        return f"\033[1m{text}\033[0m" if self.colour and text else text

    def dim(self, text: str) -> str:
        return f"\033[2m{text}\033[0m" if self.colour and text else text


class Answer(NamedTuple):
    """What a command has to say: a value for programs, and lines for people."""

    value: Any  # an iterator becomes an array, item by item
    lines: Callable[[Page], Iterable[str]]
    code: int = 0
    note: str = ""  # for people, beside the answer
    empty: str = ""  # for people, if there are no lines
    view: Callable[[], View] | None = None  # drawn at a terminal, in the place of the lines


def put(answer: Answer, as_json: bool) -> int:
    """Print an answer. Its exit code."""
    if as_json:
        for piece in pieces(answer.value):
            sys.stdout.write(piece)
    else:
        _print(answer)
    sys.stdout.flush()
    return answer.code


def _print(answer: Answer) -> None:
    silent = not _drawn(answer)
    for line in answer.lines(page_of(sys.stdout, os.environ)) if answer.view is None or silent else ():
        sys.stdout.write(line + "\n")
        silent = False
    for note in (answer.note, answer.empty if silent else ""):
        if note:
            sys.stdout.flush()
            sys.stderr.write(note + "\n")


def _drawn(answer: Answer) -> bool:
    """Draw the view of an answer, if a person is at a terminal. Return whether anything was drawn."""
    if answer.view is None or not is_terminal():
        return False
    from treering.surfaces.cli.view.screen import paged

    return paged(answer.view())


def page_of(out: TextIO, environment: Mapping[str, str]) -> Page:
    """Files and pipes get whole lines without colours, so that `grep` finds what it looks for."""
    if _Settings.plain or not out.isatty():
        return Page()
    colour = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    columns = environment.get("COLUMNS", "")
    try:
        width = int(columns) if columns.isdecimal() else os.get_terminal_size(out.fileno()).columns
    except OSError:
        width = 0
    return Page(width if width >= NARROWEST else 0, colour)


def pieces(value: Any) -> Iterator[str]:
    """A value as JSON; an iterator piece by piece, however long it is."""
    import json  # costs as much as reading a memory does, so only for those who ask for it

    if not hasattr(value, "__next__"):
        yield json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        return
    encode = json.JSONEncoder(ensure_ascii=False).encode
    before = "["
    for item in value:
        yield before + "\n" + encode(item)
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def plain(memory: Memory) -> dict[str, Any]:
    """A memory for JSON."""
    row = memory._asdict()
    for name in ("tags", "redacted", "supersedes", "merged"):
        row[name] = list(row[name])
    del row["moves"]
    for name in MOMENTS:
        row[name] = format_time(row[name]) if row[name] else ""
    row["status_history"] = [{**move._asdict(), "at": format_time(move.at)} for move in _moves(memory)]
    return row


def _moves(memory: Memory) -> list[Move]:
    return [Move("created", memory.created, "remembered"), *map(move_of, memory.moves)]


def card(memory: Memory, page: Page, scores: Mapping[str, Any]) -> Iterator[str]:
    """A memory with all that is known about it, one field a line."""
    yield page.bold(memory.id)
    yield from wrapped(memory.content or f"(forgotten: `treering restore {memory.id}` brings it back)", page.width)
    yield ""
    row = plain(memory)
    for name in ("tags", "redacted", "supersedes", "merged"):
        row[name] = " ".join(row[name])
    row["invariant"] = "yes" if memory.invariant else ""
    row["space"] = "" if memory.space == DEFAULT_SPACE else memory.space
    for name in MOMENTS:
        row[name] = _local(getattr(memory, name)) or row[name] if row[name] else ""
    row["status_history"] = "\n".join(f"{move.status} {when(move.at)} ({move.rule})" for move in _moves(memory))
    fields = [(name, str(value)) for name, value in row.items() if value and name not in ("id", "content")]
    fields += [(name, str(value)) for name, value in scores.items()]
    yield from table(fields, page)


def table(fields: Iterable[tuple[str, str]], page: Page) -> Iterator[str]:
    """Names and values, the values below each other."""
    rows = list(fields)
    indent = max((len(name) for name, _ in rows), default=0) + 2
    for name, value in rows:
        first, *rest = list(wrapped(value, max(page.width - indent, NARROWEST) if page.width else 0)) or [""]
        yield page.dim(name.ljust(indent)) + first
        yield from (" " * indent + line for line in rest)


def columns(rows: Iterable[tuple[str, ...]], page: Page) -> Iterator[str]:
    """Rows in columns; the last one takes what room is left, or a line of its own where little is, and is cut there."""
    widths: list[int] = []
    for chunk in _chunks(rows):
        known = widths or [0] * len(chunk[0])
        widths = [max(known[place], *(width(row[place]) for row in chunk)) for place in range(len(known))]
        yield from (_row(row, widths, page) for row in chunk)


def _row(row: tuple[str, ...], widths: list[int], page: Page) -> str:
    id, *middle, last = row
    padded = [cell + " " * (size - width(cell)) for cell, size in zip(middle, widths[1:-1], strict=True)]
    start = widths[0] + sum(size + 2 for size in widths[1:-1] if size) + 2
    cells = [page.bold(id) + " " * (widths[0] - width(id)), *(page.dim(cell) for cell in padded if cell)]
    if page.width and page.width - start < NARROWEST:
        return "  ".join(cells).rstrip() + f"\n  {cut(last, page.width - 2)}"
    return "  ".join([*cells, cut(last, page.width - start) if page.width else last]).rstrip()


def _chunks(rows: Iterable[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    chunk: list[tuple[str, ...]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def safe(text: str) -> str:
    """Text that cannot move the cursor, ring bells or run backwards, whoever wrote it."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _HARMLESS else letter.encode("unicode_escape").decode()
        for letter in text
    )


def line(text: str) -> str:
    """Text on one line."""
    return " ".join(safe(text).split())


def counted(number: int, one: str, many: str = "") -> str:
    """`1 event`, `2 events`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def when(moment: int) -> str:
    """A moment for people: in local time at a terminal, to the second and in UTC elsewhere."""
    return _local(moment) or format_time(moment)[:19].replace("T", " ") + "Z"


def _local(moment: int) -> str:
    """A moment in local time, if a person is at a terminal and the calendar goes that far."""
    with suppress(OverflowError, OSError, ValueError):
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment // SECOND)) if is_terminal() else ""
    return ""


def width(text: str) -> int:
    """How many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def cut(text: str, room: int) -> str:
    """As much of a text as there is room for."""
    if width(text) <= room:
        return text
    kept = text[: max(room - 1, 0)]
    while kept and width(kept) > room - 1:
        kept = kept[:-1]
    return kept + "…"


def wrapped(text: str, room: int) -> Iterator[str]:
    """The lines of a text, the long ones broken between words; with no room given, as they are."""
    for whole in safe(text).split("\n"):
        if not room or width(whole) <= room:
            yield whole
            continue
        current = whole[: len(whole) - len(whole.lstrip())]
        for word in whole.split():
            if current.strip() and width(current) + 1 + width(word) > room:
                yield current
                current = word
            else:
                current = f"{current} {word}" if current.strip() else current + word
        yield current
