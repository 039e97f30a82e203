"""Markdown as the files use it: headings, and list items with a footer in a comment. Each knows its line."""

from __future__ import annotations

import re

from treering.core.errors import MalformedLine
from treering.core.tuples import NamedTuple
from treering.vault.text import lines, plain, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INDENT = "  "
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_BULLET = re.compile(r"([-*+])(?:([ \t]+)(.*))?$")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_IS_FOOTER = re.compile(r"\s*(?:id\b|[a-z_]+\s*:)")
_REMARK = re.compile(r"\s*<!--(?!\s*id\s*:)")  # a footer that is not indented belongs to no item
_RULE = re.compile(r"[-*_ \t]{3,}$")  # across the page
_KEY = re.compile(r"\s*([A-Za-z_][A-Za-z_-]*)\s*:(.*)$", re.DOTALL)


class Heading(NamedTuple):
    level: int
    title: str
    line: int


class Loose(NamedTuple):
    """A line of text that belongs to no list item."""

    line: int


class Item(NamedTuple):
    """A list item: its text as it stands there, the items inside it that have a name, and what its footer says."""

    text: str
    line: int
    last: int  # its last line
    footer: Mapping[str, str] = {}
    named: Mapping[str, str] = {}

    @property
    def plain(self) -> str:
        return plain(self.text)


def footer(values: Mapping[str, str]) -> str:
    """A comment that a viewer does not show: `<!-- id: k7-3 | uses: 9 -->`. What is empty is left out."""
    parts = [f"{key}: {value(said)}" for key, said in values.items() if said != ""]
    return f"<!-- {' | '.join(parts)} -->"


def item(text: str, values: Mapping[str, str], named: Mapping[str, str] = {}) -> list[str]:
    """The lines of a list item with its footer below."""
    found = _indented("- ", lines(text))
    for name, said in named.items():
        if said:
            first, *rest = lines(said)
            found += [INDENT + line for line in _indented("- ", [f"{name}: {first}", *rest])]
    return [*found, INDENT + footer(values)]


def _indented(bullet: str, written: list[str]) -> list[str]:
    first, *rest = written
    return [(bullet + first).rstrip(), *(INDENT + line if line else "" for line in rest)]


def scan(path: str, rows: list[str], start: int = 0, names: tuple[str, ...] = ()) -> Iterator[Heading | Item | Loose]:
    """The headings and items from a row on, and the lines that are neither. Comments are passed over."""
    at, fence = start, ""
    while at < len(rows):
        row = rows[at]
        fenced = _FENCE.match(row)
        if fence or fenced:
            yield Loose(at + 1)
            if fenced and (not fence or fenced[1].startswith(fence)):
                fence = "" if fence else fenced[1]
        elif heading := _HEADING.match(row):
            yield Heading(len(heading[1]), plain(heading[2]), at + 1)
        elif _BULLET.match(row):
            end = _end(rows, at)
            yield _item(path, rows[at:end], at + 1, names)
            at = end
            continue
        elif "<!--" in row:
            if not _REMARK.match(row):
                yield Loose(at + 1)
            at = _after_comment(path, rows, at)
            continue
        elif row.strip() and not _RULE.match(row):
            yield Loose(at + 1)
        at += 1


def _end(rows: list[str], at: int) -> int:
    """The row behind the item that begins at a row."""
    end = at = at + 1
    blank = False
    while at < len(rows):
        row = rows[at]
        inside = row[:1] in (" ", "\t")
        if not row.strip():
            blank = True
        elif inside or not (blank or _HEADING.match(row) or _BULLET.match(row) or row.startswith("<!--")):
            blank, end = False, at + 1
        else:
            break
        at += 1
    return end


def _after_comment(path: str, rows: list[str], at: int) -> int:
    for end in range(at, len(rows)):
        if "-->" in rows[end]:
            return end + 1
    raise MalformedLine(path, at + 1, "the comment is not closed: `-->` is missing")


def _item(path: str, rows: list[str], line: int, names: tuple[str, ...]) -> Item:
    bullet = _BULLET.match(rows[0])
    assert bullet is not None
    width = 1 + len(bullet[2] or " ")
    inner = [bullet[3] or "", *(_dedented(row, width) for row in rows[1:])]
    said, kept = _without_comments(path, inner, line)
    text, named = _split_named(kept, names)
    return Item(text, line, line + len(rows) - 1, said, named)


def _dedented(row: str, width: int) -> str:
    if row.startswith("\t"):
        return row[1:]
    indent = len(row) - len(row.lstrip(" "))
    return row[min(indent, width) :]


def _without_comments(path: str, rows: list[str], line: int) -> tuple[dict[str, str], list[str]]:
    """What the footers in an item say, and its rows without any comment."""
    if not any("<!--" in row for row in rows):
        return {}, rows
    said: dict[str, str] = {}
    joined = "\n".join(rows)
    for comment in _COMMENT.finditer(joined):
        if _IS_FOOTER.match(comment[1]):
            said.update(_said(path, comment[1], line + joined.count("\n", 0, comment.start())))
    rest = _COMMENT.sub("", joined)
    if "<!--" in rest:
        raise MalformedLine(path, line + joined.count("\n", 0, joined.rindex("<!--")), "the comment is not closed")
    return said, rest.split("\n")


def _said(path: str, comment: str, line: int) -> dict[str, str]:
    said: dict[str, str] = {}
    for part in comment.split("|"):
        found = _KEY.match(part)
        if found is None:
            if re.search(r"(?:^|\|)\s*id\b", comment) is None:
                return {}  # a remark of somebody's, and no footer
            raise MalformedLine(path, line, f"a footer is made of `key: value` between bars, not {part.strip()!r}")
        said[found[1].lower().replace("-", "_")] = plain(found[2].strip())
    return said


def _split_named(rows: list[str], names: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """The text of an item, and the parts below it that begin with one of some names: `- problem: …`."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for row in rows:
        found = next((name for name in names if row.startswith(f"- {name}: ")), "") if row.startswith("- ") else ""
        if found:
            parts.append((found, [row[len(found) + 4 :]]))
        else:
            parts[-1][1].append(_dedented(row, 2) if parts[-1][0] else row)
    return _joined(parts[0][1]), {name: plain(_joined(rows)) for name, rows in parts[1:]}


def _joined(rows: list[str]) -> str:
    return "\n".join(row.rstrip() for row in rows).strip("\n")


def rows_of(path: str, data: bytes) -> list[str]:
    """The lines of a file, however they end."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MalformedLine(path, line, "not UTF-8") from None
    return [row.removesuffix("\r") for row in text.split("\n")]
