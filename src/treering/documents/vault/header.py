"""Write and read the lines above a session file that say which session it is: `key: value` between
two lines of dashes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.vault import fact
from treering.ledger.codec import decode, encode
from treering.ledger.errors import InvalidInput, MalformedLine
from treering.ledger.types import number_in

if TYPE_CHECKING:
    Covered = dict[str, list[tuple[int, int]]]  # events by writer, from and to, both counted in

FORMAT = 1  # of the session files
FENCE = "---"
_NO_END = 10**18  # above every number of an event
# What needs no quotes in YAML, which other programs read this as.
_BARE = re.compile(r"[A-Za-z0-9_][\w./@+-]*(?: [\w./@+-]+)*")
_BARE_EVENTS = re.compile(r"[a-z0-9 ,-]+")
_ROW = re.compile(r"([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$")
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T_ -]?(\d{2})[:h-]?(\d{2})(?:[:-]?(\d{2}))?Z?(?=\D|$))?")


class Header(NamedTuple):
    values: Mapping[str, str]
    last: int  # its last line

    def text(self, key: str) -> str:
        return self.values.get(key, "")

    def number(self, key: str) -> int:
        value = self.text(key)
        number = number_in(value) if value else 0
        if number is None:
            raise InvalidInput(f"{key} must be a whole number, not {value!r}")
        return number


def rows(values: Mapping[str, str]) -> list[str]:
    """Return the header as lines; what is empty is left out."""
    return [FENCE, *(f"{key}: {_quoted(key, value)}" for key, value in values.items() if value), FENCE]


def read(path: str, rows: list[str]) -> tuple[Header, int]:
    """Return the header, and the row behind it; an empty one where a file has none."""
    if not rows or rows[0].rstrip() != FENCE:
        return Header({}, 1), 0
    values: dict[str, str] = {}
    for at, row in enumerate(rows[1:], 1):
        if row.rstrip() == FENCE:
            return _checked(path, Header(values, at + 1)), at + 1
        found = _ROW.match(row)
        if found:
            values[found[1].lower()] = _unquoted(path, at + 1, (found[2] or "").strip())
        elif row.strip() and row[0] not in " \t-#":  # lists and nested values are somebody else's
            raise MalformedLine(path, at + 1, "a line of the header is written `key: value`")
    raise MalformedLine(path, 1, f"the header is not closed: a line of {FENCE} is missing")


def began(name: str, head: Header) -> int:
    """Return when the session began: by its header, or by the name of its file."""
    for key in ("began", "date"):
        if value := head.text(key):
            found = fact.read(value)
            if found is None:
                raise InvalidInput(f"{value!r} is not a date: write it like 2026-06-27")
            return found
    dated = _DATED.match(name)
    if dated:
        clock = "".join(f"{part or '00'}:" for part in dated.groups()[1:])[:-1]
        found = fact.read(f"{dated[1]}T{clock}Z")
        if found is not None:
            return found
    raise InvalidInput("no date: begin the name of the file with one like 2026-06-27, or write `date:` above")


def session(name: str, head: Header) -> str:
    """Return the session of a file: as its header says, or by its name; none if the name is only a day."""
    if "session" in head.values or "generated" in head.values:
        return head.text("session")
    stem = name.removesuffix(".md")
    return "" if fact.is_day(stem) else stem


def _checked(path: str, head: Header) -> Header:
    if head.text("generated") == "treering" and head.text("format") != str(FORMAT):
        raise MalformedLine(path, 1, "written by another version of Treering: upgrade this one")
    return head


def _quoted(key: str, value: str) -> str:
    bare = _BARE_EVENTS if key == "events" else _BARE
    return value if bare.fullmatch(value) or fact.read(value) is not None else encode(value)


def _unquoted(path: str, line: int, value: str) -> str:
    if value[:1] == '"':
        try:
            return str(decode(value))
        except InvalidInput:
            raise MalformedLine(path, line, f"not a quoted text: {value[:40]}") from None
    if value[:1] == value[-1:] == "'" and len(value) > 1:
        return value[1:-1].replace("''", "'")
    return value


def ranges(ids: Iterable[tuple[str, int]]) -> Covered:
    """Return events, given by writer and number, as ranges."""
    found: dict[str, list[tuple[int, int]]] = {}
    for writer, seq in sorted(ids):
        found.setdefault(writer, []).append((seq, seq))
    return {writer: _joined(rows) for writer, rows in found.items()}


def shown_events(covered: Covered) -> str:
    """Return ranges as text, like `k7qm2xva 12-40 43, ab23cd45 1-9`: a year of work fits on a line."""
    return ", ".join(
        f"{writer} {' '.join(str(low) if low == high else f'{low}-{high}' for low, high in rows)}"
        for writer, rows in covered.items()
    )


def read_events(text: str) -> Covered:
    found: Covered = {}
    for writer, *rows in filter(None, (part.split() for part in text.split(","))):
        found[writer] = [_range(row) for row in rows]
    return found


def merged(several: Iterable[Covered]) -> Covered:
    """Return all that any of them covers."""
    found: dict[str, list[tuple[int, int]]] = {}
    for covered in several:
        for writer, rows in covered.items():
            found.setdefault(writer, []).extend(rows)
    return {writer: _joined(rows) for writer, rows in found.items()}


def covers(covered: Covered, writer: str, seq: int) -> bool:
    """Return whether an event is among them; they are sorted and apart, as `merged` leaves them."""
    rows = covered.get(writer, ())
    place = bisect_right(rows, (seq, _NO_END))
    return place > 0 and rows[place - 1][1] >= seq


def _joined(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    apart: list[tuple[int, int]] = []
    for low, high in sorted(rows):
        if apart and low <= apart[-1][1] + 1:
            apart[-1] = (apart[-1][0], max(high, apart[-1][1]))
        else:
            apart.append((low, high))
    return apart


def _range(text: str) -> tuple[int, int]:
    first, dash, second = text.partition("-")
    low, high = number_in(first), number_in(second if dash else first)
    if low is None or high is None or low > high:
        raise InvalidInput(f"events are ranges like `k7qm2xva 12-40 43`, not {text!r}")
    return low, high
