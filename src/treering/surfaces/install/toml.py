"""Add, change and remove a table in a TOML file, and leave everything else in the file as it is.

tomlkit changes what is there. A new table is appended and a whole table is cut out as text, as
tomlkit would put the first between dotted keys and lose the comments below the second. What tomllib
reads before and after is compared, so that no change is made that means more than it should
(docs/decisions/0024-install.md).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from treering.surfaces.install.jsonc import NotUnderstood

if TYPE_CHECKING:
    from treering.surfaces.install.jsonc import Draft

    Path = tuple[str, ...]

BOM = "\ufeff"
_HEADER = re.compile(r"^[ \t]*\[.*", re.MULTILINE)  # or a line of a list or of a text that looks like one
_BLANK_LINE = re.compile(r"(?<=\n)[ \t]*\r?\n\Z")
_BARE_NEWLINE = re.compile(r"(?<!\r)\n")


def data_of(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. Fractions are texts, as NaN is not equal to itself."""
    try:
        return tomllib.loads(text.removeprefix(BOM).replace("\r\n", "\n"), parse_float=str)
    except ValueError as error:  # also a number of thousands of digits
        raise NotUnderstood(str(error)) from None
    except RecursionError:
        raise NotUnderstood("it is nested too deeply") from None


def value_at(text: str, path: Path) -> Any:
    """Return the value at a path, or None."""
    found: Any = data_of(text)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def has(text: str, path: Path, value: dict[str, Any]) -> bool:
    """Return whether the table at a path has these values; it may have others too."""
    found = value_at(text, path)
    return isinstance(found, dict) and all(found.get(key) == one for key, one in value.items())


def shown(path: Path, value: dict[str, Any]) -> str:
    """Return a table as text, with its header."""
    import tomlkit

    for key in reversed(path):
        value = {key: value}
    return tomlkit.dumps(value).strip()


def put(draft: Draft, path: Path, value: dict[str, Any]) -> None:
    """Set values of the table at a path, which is added if it is not there. Its other values stay."""
    text, there = draft.text, value_at(draft.text, path)
    wanted = {**there, **value} if isinstance(there, dict) else value
    if there != wanted:
        _apply(draft, path, wanted, _with_values(text, path, value))


def take(draft: Draft, path: Path) -> None:
    """Remove a table and the tables below it, and keep the comments around them."""
    if value_at(draft.text, path) is not None:
        _apply(draft, path, None, _without_table(draft.text, path))


def _apply(draft: Draft, path: Path, wanted: dict[str, Any] | None, texts: Iterator[str]) -> None:
    """Take the first of some texts that has the wanted table, and nothing else than before."""
    rest = _without(data_of(draft.text), path)
    for new in texts:
        try:
            sound = value_at(new, path) == wanted and _without(data_of(new), path) == rest
        except NotUnderstood:
            continue
        if sound:
            _splice(draft, new)
            return
    raise NotUnderstood(f"{'.'.join(path)} is written in a way that cannot be changed")


def _without(table: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return a table without what is at a path, and without the tables that are empty then."""
    key, below = path[0], path[1:]
    inner: Any = table.get(key)
    if below and not isinstance(inner, dict):
        return table
    rest = _without(inner, below) if below else {}
    return {name: one for name, one in table.items() if name != key} | ({key: rest} if rest else {})


def _with_values(text: str, path: Path, value: dict[str, Any]) -> Iterator[str]:
    """Yield what may be the text with these values: below a header of the table, below a new one, or elsewhere."""

    def change(above: Any) -> None:
        table = above.get(path[-1])
        if not isinstance(table, dict):
            above[path[-1]] = value
            return
        for key, one in value.items():
            if table.get(key) != one:
                table[key] = one

    for start, end in _spans(text, path):  # each alone: tomlkit moves tables that are not in order
        yield text[:start] + _edited(text[start:end], path, change) + text[end:]
    newline = "\r\n" if "\r\n" in text else "\n"
    table = shown(path, value).replace("\n", newline)
    if not text.removeprefix(BOM):
        yield f"{text}{table}{newline}"
    yield f"{text}{newline}{table}{newline}" if text.endswith("\n") else f"{text}{newline * 2}{table}"
    yield _edited(text, path, change)


def _without_table(text: str, path: Path) -> Iterator[str]:
    """Yield what may be the text without a table: without all that has its header, one of them, or by tomlkit."""
    found = _spans(text, path)
    for spans in (found, *([span] for span in reversed(found))):
        new = text
        for start, end in reversed(spans):
            new = _cut(new, start, end)
        yield new
    yield _edited(text, path, lambda above: above.pop(path[-1]))


def _spans(text: str, path: Path) -> list[tuple[int, int]]:
    """Return where the tables at a path or below it begin and end, as far as their headers tell."""
    headers = list(_HEADER.finditer(text))
    ends = [*(header.start() for header in headers), len(text)][1:]
    return [(header.start(), end) for header, end in zip(headers, ends, strict=False) if _leads(header[0], path)]


def _leads(header: str, path: Path) -> bool:
    """Return whether a header is that of a table at a path or below it."""
    try:
        return value_at(header.strip(), path) is not None
    except NotUnderstood:
        return False


def _cut(text: str, start: int, end: int) -> str:
    """Return a text without a table, and without a blank line before it; the comments below it stay."""
    rows = text[start:end].split("\n")
    size = len(rows)
    while rows[size - 1].strip()[:1] in ("", "#"):
        size -= 1
    above, below = _BLANK_LINE.sub("", text[:start]), "\n".join(rows[size:]) + text[end:]
    if size == len(rows) and end == len(text):  # the last line of the file has no line end
        above = above.removesuffix("\n").removesuffix("\r")
    return above + below


def _edited(text: str, path: Path, change: Callable[[Any], None]) -> str:
    """Return a text in which tomlkit has changed the table that a path leads through; as it was where it cannot."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text.removeprefix(BOM))
        table: Any = document
        for key in path[:-1]:
            table = table[key]
        change(table)
        new = text[: text.startswith(BOM)] + document.as_string()
    except (TOMLKitError, KeyError, AttributeError, ValueError, RecursionError):
        return text
    return new if _BARE_NEWLINE.search(text) or "\r" not in text else _BARE_NEWLINE.sub("\r\n", new)


def _splice(draft: Draft, new: str) -> None:
    """Replace the part of a text that is different in a new one."""
    text = draft.text
    start = _shared(text, new)
    same = _shared(text[start:][::-1], new[start:][::-1])
    draft.splice(start, len(text) - same, new[start : len(new) - same])


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
