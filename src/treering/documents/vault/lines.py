"""Write and read the Markdown of the vault: headings, and list items with a footer in a comment.

What memories say is not trusted. Written by `lines` or `line`, no text holds a comment, opens a
heading, a list, a quote, a fence, a link or a picture, or leaves its list item; and it comes back
as it was. The marks are Markdown's own (a backslash, an entity), so a viewer shows the text as it
is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from treering.ledger.errors import MalformedLine

# Nobody sees these, editors drop or change them, or they end a line for some programs. Written as numbers. A fixed list
# and no category of Unicode: the same text must give the same file under every version of Python.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1680\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SPECIAL = re.compile(
    rf"(?P<unseen>[{_UNSEEN}])"
    r"|(?P<backslash>\\(?![A-Za-z0-9]))"  # before a letter or a digit it means itself
    r"|(?P<entity>&(?=\#[0-9]|lt;|gt;|amp;))"
    r"|(?P<opening><(?=[A-Za-z/!?]))"
    r"|(?P<closing>(?<=--)>|(?<=--!)>)"
    r"|(?P<link>(?<=\])[(\[]|(?<=!)\[)"
)
_BLOCK = re.compile(
    r"(?P<before>[ \t]*(?:[0-9]{1,9}(?=[.)](?:[ \t]|$)))?)"
    r"(?P<mark>[#>=|]|[`~](?=[`~])|[-+*](?=[ \t]|$)|(?P<rule>[-*_])(?=[ \t]*(?:(?P=rule)[ \t]*)*$)"
    r"|\[(?=[^\]]*\]:)|(?<=[0-9])[.)])"
)
_TRAILING = re.compile(r"[ \t]$")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:(lt|gt|amp)|#([0-9]{1,7}));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&"}
_NEWLINE = "&#10;"
_HIGHEST = 0x10FFFF
_IN_FOOTER = re.compile(r"[<>|`\n]")


def lines(text: str) -> list[str]:
    """Return the lines that stand for a text in a list item, without their indentation. Blank ones are inside only."""
    inner = text.strip("\n")
    before = len(text) - len(text.lstrip("\n")) if inner else len(text)
    after = len(text) - before - len(inner)
    found = [_line(line) for line in inner.split("\n")]
    found[0] = _led(found[0])
    found[0] = _NEWLINE * before + found[0]
    found[-1] += _NEWLINE * after
    return found


def line(text: str) -> str:
    """Return the same on one line, for a list that is searched with grep."""
    return _led(_NEWLINE.join(_line(part) for part in text.split("\n")))


def value(text: str) -> str:
    """Return the text as a value in a footer, which ends at a `|` or with the comment."""
    if text.isascii() and text.replace("-", "").replace(":", "").isalnum():  # most are: ids, dates and numbers
        return text
    written = _TRAILING.sub(lambda blank: _number(blank[0]), _led(_inline(text)))
    return _IN_FOOTER.sub(lambda found: _number(found[0]), written)


def word(text: str) -> str:
    """Return the text as one of several words in a value, which a comma may part."""
    return _inline(text).replace(",", _number(","))


def plain(written: str) -> str:
    """Return the text that was written so, by us or by hand."""
    if "\\" not in written and "&" not in written:
        return written
    return _ESCAPED.sub(_meant, written)


def glance(text: str, width: int) -> str:
    """Return the text on one line and cut to a width, for an index: it cannot be turned back."""
    words = " ".join(text.split())
    return line(words if len(words) <= width else words[: width - 1].rstrip() + "…")


def _line(text: str) -> str:
    marked = _BLOCK.match(text)
    if marked:
        place = marked.start("mark")
        written = f"{_inline(text[:place])}\\{text[place]}{_inline(text[place + 1 :])}"
    else:
        written = _inline(text)
    return _TRAILING.sub(lambda blank: _number(blank[0]), written)


def _led(written: str) -> str:
    """Return the first line of an item, whose leading blanks would be taken for indentation."""
    return _number(written[0]) + written[1:] if written[:1] in (" ", "\t") else written


def _inline(text: str) -> str:
    return _SPECIAL.sub(_marked, text)


def _marked(found: re.Match[str]) -> str:
    kind, letter = found.lastgroup, found[0]
    if kind == "unseen":
        return _number(letter)
    if kind in ("backslash", "link"):
        return "\\" + letter
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[letter]


def _number(letter: str) -> str:
    return f"&#{ord(letter)};"


def _meant(found: re.Match[str]) -> str:
    escaped, named, number = found.groups()
    if number:
        return chr(int(number)) if int(number) <= _HIGHEST else found[0]
    return escaped or _NAMED[named]


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
    """Return a comment that a viewer does not show: `<!-- id: k7-3 | uses: 9 -->`. What is empty is left out."""
    parts = [f"{key}: {value(said)}" for key, said in values.items() if said != ""]
    return f"<!-- {' | '.join(parts)} -->"


def item(text: str, values: Mapping[str, str], named: Mapping[str, str] = {}) -> list[str]:
    """Return the lines of a list item with its footer below."""
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
    """Yield the headings and items from a row on, and the lines that are neither. Comments are passed over."""
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
    """Return the row behind the item that begins at a row."""
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
    """Return what the footers in an item say, and its rows without any comment."""
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
    """Return the text of an item, and the parts below it that begin with one of some names: `- problem: …`."""
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
    """Return the lines of a file, however they end."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MalformedLine(path, line, "not UTF-8") from None
    return [row.removesuffix("\r") for row in text.split("\n")]
