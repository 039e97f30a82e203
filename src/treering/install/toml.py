"""A table in a TOML file, added, changed and taken out with all else as it was."""

from __future__ import annotations

import json
import re
import tomllib

from treering.core.tuples import NamedTuple
from treering.install.splices import NotUnderstood, line_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from treering.install.splices import Draft

    Path = tuple[str, ...]

_KEY = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*""")
# What a value is made of: strings, which may hold anything, comments, brackets, and the rest.
_PIECE = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*|[\[\]{}]|[^"'\#\[\]{}\n]+|\n''',
    re.DOTALL,
)


class Line(NamedTuple):
    """A header, or a key with its value."""

    header: bool
    path: Path  # from the root
    start: int  # of the line
    value: int  # where the value begins; of a header, where it ends
    end: int  # behind the value, or the header


def data_of(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise NotUnderstood(str(error)) from None


def value_at(text: str, path: Path) -> Any:
    found: Any = data_of(text)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def existing(text: str) -> list[Path]:
    """Every path that leads to something."""
    return list(_paths(data_of(text)))


def has(text: str, path: Path, value: dict[str, Any]) -> bool:
    found = value_at(text, path)
    return isinstance(found, dict) and all(found.get(key) == one for key, one in value.items())


def shown(path: Path, value: dict[str, Any], newline: str = "\n") -> str:
    """A table as text."""
    rows = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(key)} = {_value(one)}" for key, one in value.items())]
    return newline.join(rows)


def put(draft: Draft, path: Path, value: dict[str, Any]) -> None:
    """Make the table at a path say this. What else it says stays."""
    if has(draft.text, path, value):
        return
    if value_at(draft.text, path) is None:
        _add(draft, path, value)
    else:
        _change(draft, path, value)
    if not has(draft.text, path, value):
        raise NotUnderstood(f"{'.'.join(path)} is written in a way that cannot be added to")


def take(draft: Draft, path: Path) -> None:
    """Take a table out, with what is below it."""
    for line in reversed(list(lines(draft.text))):
        if line.path[: len(path)] == path:
            _cut(draft, line)
    _take_inline(draft, path)


def lines(text: str) -> Iterator[Line]:
    """Headers and keys, in order."""
    table: Path = ()
    at = 1 if text[:1] == "\ufeff" else 0
    while at < len(text):
        start, end = at, text.find("\n", at)
        end = len(text) if end < 0 else end
        row = text[at:end].strip()
        at = end + 1
        if not row or row[0] == "#":
            continue
        opening = start + text[start:end].index(row[0])
        if row[0] == "[":
            double = text.startswith("[[", opening)
            table, behind = _keys(text, opening + 1 + double)
            behind += 1 + double
            yield Line(True, table, start, behind, behind)
        else:
            keys, behind = _keys(text, opening)
            value = behind + 1 + len(text[behind + 1 :]) - len(text[behind + 1 :].lstrip(" \t"))
            behind = _value_end(text, value)
            yield Line(False, (*table, *keys), start, value, behind)
            end = text.find("\n", behind)
            at = len(text) if end < 0 else end + 1


def _add(draft: Draft, path: Path, value: dict[str, Any]) -> None:
    for line in lines(draft.text):
        if not line.header and line.path == path[:-1]:  # the tables above it are written on one line
            _add_inline(draft, line, f"{_key(path[-1])} = {_inline(value)}")
            return
    text, newline = draft.text, draft.newline
    whole = not text.strip("\ufeff") or text.endswith("\n")
    gap = "" if not text.strip("\ufeff") else newline if whole else newline * 2
    draft.splice(len(text), len(text), f"{gap}{shown(path, value, newline)}{newline if whole else ''}")


def _add_inline(draft: Draft, line: Line, entry: str) -> None:
    inside = draft.text[line.value + 1 : line.end - 1]
    at = line.value + 1 + len(inside.rstrip())
    comma = ", " if inside.strip() else " " if not inside else ""
    draft.splice(at, at, f"{comma}{entry}{' ' if not inside else ''}")


def _change(draft: Draft, path: Path, value: dict[str, Any]) -> None:
    for key, one in value.items():
        found = {line.path: line for line in lines(draft.text) if not line.header}
        if line := found.get((*path, key)):
            if value_at(draft.text, (*path, key)) != one:
                draft.splice(line.value, line.end, _value(one))
        elif line := found.get(path):
            draft.splice(line.value, line.end, _inline({**value_at(draft.text, path), **value}))
        else:
            _add_key(draft, path, key, one)


def _add_key(draft: Draft, path: Path, key: str, value: Any) -> None:
    """A further key of a table, below its header; one that is written on one line is written anew."""
    if any(line.path == path[:-1] and not line.header for line in lines(draft.text)):
        whole = {**value_at(draft.text, path), key: value}
        _take_inline(draft, path)
        _add(draft, path, whole)
        return
    for line in lines(draft.text):
        if line.path == path and line.header:
            draft.splice(line.end, line.end, f"{draft.newline}{_key(key)} = {_value(value)}")
            return
    raise NotUnderstood(f"{'.'.join(path)} is written in a way that cannot be added to")


def _cut(draft: Draft, line: Line) -> None:
    """A line goes, with a comment behind its value; with a header, a blank line before it goes too."""
    text = draft.text
    end = text.find("\n", line.end)
    start, end = line.start, len(text) if end < 0 else end + 1
    if line.header:
        above = text[:start]
        blank = above.rstrip(" \t\r\n")
        if above[len(blank) :].count("\n") > 1:
            start = text.rindex("\n", 0, above.rindex("\n")) + 1
    if end == len(text) and not text.endswith("\n"):  # it was the last line, and had no end
        kept = text[:start]
        start = len(kept) - (2 if kept.endswith("\r\n") else 1 if kept.endswith("\n") else 0)
    draft.splice(start, end, "")


def _take_inline(draft: Draft, path: Path) -> None:
    """Out of a table that is written on one line."""
    for line in lines(draft.text):
        if line.header or line.path != path[:-1]:
            continue
        inside = draft.text[line.value + 1 : line.end - 1]
        for start, end in _cells(inside):
            keys, _ = _keys(inside, start)
            if keys[:1] == path[-1:]:
                _cut_cell(draft, line, inside, start, end)
                return


def _cut_cell(draft: Draft, line: Line, inside: str, start: int, end: int) -> None:
    comma = inside.rfind(",", 0, start)
    if comma >= 0:  # with the comma before it
        left, right = comma, start + len(inside[start:end].rstrip())
    else:
        left, right = start, end + 1 if end < len(inside) else end
    rest = inside[:left] + inside[right:]
    draft.splice(line.value + 1, line.end - 1, rest if rest.strip() else "")


def _cells(inside: str) -> Iterator[tuple[int, int]]:
    """Where the entries of a table on one line begin and end."""
    depth, start = 0, 0
    for piece in _PIECE.finditer(inside):
        text = piece.group()
        depth += (text in "[{") - (text in "]}")
        if depth == 0 and text[0] not in "\"'#[]{}\n":
            for offset, letter in enumerate(text):
                if letter == ",":
                    yield start, piece.start() + offset
                    start = piece.start() + offset + 1
    if inside[start:].strip():
        yield start, len(inside)


def _keys(text: str, at: int) -> tuple[Path, int]:
    """A dotted key, and where it ends."""
    keys: list[str] = []
    while found := _KEY.match(text, at):
        said, at = found.group(1), found.end()
        keys.append(json.loads(said) if said[0] == '"' else said.strip("'"))
        if text[at : at + 1] != ".":
            return tuple(keys), at
        at += 1
    raise NotUnderstood("a key cannot be read", line_of(text, at))


def _value_end(text: str, at: int) -> int:
    depth, end = 0, at
    for piece in _PIECE.finditer(text, at):
        said = piece.group()
        if said == "\n" and depth == 0:
            break
        if said[0] == "#":
            if depth == 0:
                break
            continue
        depth += (said in "[{") - (said in "]}")
        end = piece.end() if said.strip() else end
        if depth == 0 and said[0] not in "\"'[]{}":
            end = piece.start() + len(said.rstrip())
    return end


def _paths(table: dict[str, Any], above: Path = ()) -> Iterator[Path]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from _paths(value, (*above, key))


def _key(key: str) -> str:
    return (
        key if key and all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in key) else _value(key)
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return _inline(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _inline(table: dict[str, Any]) -> str:
    return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in table.items())} }}"
