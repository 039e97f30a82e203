"""Split a Markdown document into blocks that know their line.

markdown-it-py reads it. Kept is what can hold a statement; comments, hidden elements and raw HTML are
left out, except for headings in HTML. Reading never fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from markdown_it.token import Token

DEEPEST = 100  # open lists, items and quotes: from there on, markdown-it-py reads nothing more of the document
WIDEST_INDENT = 80  # columns; a line further in is read as one there, so that lists never get as deep as that
DEEPEST_LIST = 4  # lists in lists; a deeper one counts as this deep, as nobody reads it otherwise
FRONT_MATTER_LIMIT = 100  # lines; a rule at the top of a document without an end in sight is a rule
LONGEST_CODE = 100  # lines; no more are needed to tell a command
LINK_SHARE = 0.75  # of the characters of an item, from which on it is a link and no statement


class Block(NamedTuple):
    kind: str  # heading, paragraph, item, table, code, begin, end (of a generated part)
    text: str  # its lines, without the marks of lists and quotes
    line: int  # of its first line, from 1
    level: int = 0  # of a heading, 1 to 6; of anything else, how many lists it is in
    note: str = ""  # of an item, its mark; of code, its language
    check: str = ""  # of an item with a box: "x" or "o"
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, the cells of its header and of each row


class Document(NamedTuple):
    front: dict[str, str]  # the plain values of the front matter, keys in lower case
    blocks: list[Block]
    links: frozenset[str]  # the names of link definitions, in lower case
    remarks: str  # the comments, which nobody sees: only good to find out that a file is generated


class Item(NamedTuple):
    """An item of a list, with what belongs to it."""

    block: Block
    more: list[Block]  # its further paragraphs and its code
    children: list[Item]

    @property
    def is_ordered(self) -> bool:
        return self.block.note[:1].isdigit()


_PARSER = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table").disable(["inline", "text_join"])
_FAR_IN = re.compile(rf"[ \t]{{{WIDEST_INDENT},}}")
_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")
_ADMONITION = re.compile(r"( *)(?:!!!|\?\?\?\+?)\s+\w+")
_SILENT = re.compile(r"(?::{3,}|\{%.*%\}$|--8<--|\[\[?_?toc_?\]\]?$|\[!\w+\]$|\[\^[^\]]+\]:)", re.IGNORECASE)
_QUOTE_MARKS = re.compile(r"[\s>]*")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>(.{1,200}?)</h[1-6]>", re.IGNORECASE)
_REMARK = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_HIDDEN_TAG = re.compile(
    r"<([a-z][a-z0-9]*)\b[^<>]*?(?:\bhidden\b|display:\s*none|visibility:\s*hidden)", re.IGNORECASE
)
_GENERATED = re.compile(r"generated|doctoc|all-contributors|\btoc\b|\[\[\[cog", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:start|begin|beginning)\b|\[\[\[cog", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:end|stop|tocstop)\b|\[\[\[end", re.IGNORECASE)
_FIELD = re.compile(r"([A-Za-z][\w -]{0,40})\s*[:=]\s*(.*)$")
_LINK = re.compile(r"!?\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])|<?https?://\S+>?")


def read(document: str) -> Document:
    """Return the blocks of a document, in order."""
    lines = document.removeprefix("\ufeff").replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front, start = _front_matter(lines)
    lines = [""] * start + [_FAR_IN.sub(" " * WIDEST_INDENT, line, count=1) for line in lines[start:]]
    _open_admonitions(lines)
    env: dict[str, dict[str, object]] = {}
    reader = _Reader(lines)
    reader.take(_PARSER.parse("\n".join(lines), env))
    links = frozenset(" ".join(name.lower().split()) for name in env.get("references", ()))
    return Document(front, reader.blocks, links, "\n".join(reader.remarks))


def is_listed(block: Block) -> bool:
    """Return whether a block is part of a list."""
    return block.kind == "item" or (block.level > 0 and block.kind != "heading")


def tree(blocks: Sequence[Block]) -> list[Item]:
    """Return the items of a run of blocks as trees. Text before the first item is passed over."""
    roots: list[Item] = []
    open_items: list[Item] = []
    for block in blocks:
        while open_items and open_items[-1].block.level >= block.level + (block.kind != "item"):
            open_items.pop()
        if block.kind == "item":
            item = Item(block, [], [])
            (open_items[-1].children if open_items else roots).append(item)
            open_items.append(item)
        elif open_items:
            open_items[-1].more.append(block)
    return roots


def is_link(text: str) -> bool:
    """Return whether a text is little more than a link: a list of those is a table of contents."""
    linked = sum(len(link) for link in _LINK.findall(text))
    return linked > 0 and linked >= LINK_SHARE * len(text.strip(" .,;*-"))


def _front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    """Return the plain values above a document, and how many lines they take."""
    mark = lines[0].rstrip()
    if mark not in ("---", "+++"):
        return {}, 0
    for end in range(1, min(len(lines), FRONT_MATTER_LIMIT)):
        if lines[end].rstrip() in (mark, "..."):
            fields = [found for line in lines[1:end] if (found := _FIELD.match(line))]
            if not fields and end > 1:
                return {}, 0
            return {field[1].strip().lower(): field[2].strip().strip("\"'") for field in fields}, end + 1
    return {}, 0


def _open_admonitions(lines: list[str]) -> None:
    """Take the text below `!!! note` to the left, where it is no code."""
    indent = -1
    for place, line in enumerate(lines):
        found = _ADMONITION.match(line)
        if found is not None:
            indent, lines[place] = len(found[1]), ""
        elif indent >= 0 and line.strip():
            inside = line.expandtabs(4).startswith(" " * (indent + 4))
            indent = indent if inside else -1
            lines[place] = line.expandtabs(4)[4:] if inside else line


class _Reader:
    """Turns tokens into blocks."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.blocks: list[Block] = []
        self.remarks: list[str] = []
        self._lines = lines
        self._lists = 0
        self._item: Block | None = None  # whose first paragraph is still to come
        self._hidden = ""  # the end of an element that is not shown

    def take(self, tokens: Sequence[Token]) -> None:
        """Add the blocks of a document."""
        place = 0
        while place < len(tokens):
            token = tokens[place]
            end = place + 1
            if token.type == "table_open":
                while tokens[end].type != "table_close":
                    end += 1
            if not self._hidden or token.type == "html_block":
                self._one(token, tokens[place:end], tokens[end] if end < len(tokens) else token)
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                self._lists -= 1
            place = end

    def _one(self, token: Token, inside: Sequence[Token], after: Token) -> None:
        line = token.map[0] + 1 if token.map else 0
        level = min(self._lists, DEEPEST_LIST)
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._flush()
            self._lists += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._flush()
            self._lists -= 1
        elif token.type == "list_item_open":
            self._flush()
            self._item = Block("item", "", line, level, token.info + token.markup)
        elif token.type == "heading_open" and not self._lists:
            self.blocks.append(Block("heading", after.content, line, int(token.tag[1])))
        elif token.type == "paragraph_open" or (token.type == "heading_open" and self._item is not None):
            self._paragraph(after.content.split("\n"), line, level)
        elif token.type in ("fence", "code_block"):
            self._flush()
            text = "\n".join(token.content.split("\n")[:LONGEST_CODE]).rstrip("\n")
            language = (token.info.split() or [""])[0].lower()
            if text.strip():
                self.blocks.append(Block("code", text, line, level, language))
        elif token.type == "table_open":
            self._flush()
            self._table(token, inside, level)
        elif token.type == "html_block":
            self._html(token.content, line, level)

    def _flush(self) -> None:
        """Add an item that does not begin with a paragraph."""
        if self._item is not None:
            self.blocks.append(self._item)
            self._item = None

    def _paragraph(self, lines: list[str], line: int, level: int) -> None:
        """Add a paragraph, or the text of an item. Lines that only say something to the renderer split it."""
        lines = [row.strip() for row in lines]
        if len(lines) > 1 and lines[1].startswith(": "):  # a term and its definition
            lines[:2] = [f"**{lines[0]}:**", lines[1][2:]]
        start = 0
        for place in range(len(lines) + 1):
            if place == len(lines) or _SILENT.match(lines[place]):
                if any(lines[start:place]):
                    self._text("\n".join(lines[start:place]), line + start, level)
                start = place + 1

    def _text(self, text: str, line: int, level: int) -> None:
        if self._item is None:
            self.blocks.append(Block("paragraph", text, line, level))
            return
        box = _BOX.match(text)
        check = "" if box is None else "o" if box[1] == " " else "x"
        self.blocks.append(self._item._replace(text=text[box.end() :] if box else text, check=check))
        self._item = None

    def _table(self, token: Token, inside: Sequence[Token], level: int) -> None:
        """Add a table. A line without a bar behind its rows is text again."""
        start, end = token.map or (0, 0)
        lines = [_QUOTE_MARKS.sub("", line, count=1).rstrip() for line in self._lines[start:end]]
        size = next((place for place, line in enumerate(lines) if place > 1 and "|" not in line), len(lines))
        rows = tuple(_cells(inside))[: size - 1]
        self.blocks.append(Block("table", "\n".join(lines[:size]), start + 1, level, rows=rows))
        if size < len(lines):
            self._paragraph(lines[size:], start + 1 + size, level)

    def _html(self, text: str, line: int, level: int) -> None:
        """Add what a block of HTML shows: headings, and text behind a comment. Comments are noted."""
        if self._hidden:
            self._hidden = "" if self._hidden in text.lower() else self._hidden
            return
        for remark in _REMARK.finditer(text):
            self.remarks.append(remark[1])
            if _GENERATED.search(remark[1]) and (_STARTS.search(remark[1]) or _ENDS.search(remark[1])):
                kind = "end" if _ENDS.search(remark[1]) else "begin"
                self.blocks.append(Block(kind, "", line + text.count("\n", 0, remark.start())))
        shown = _REMARK.sub(lambda remark: "\n" * remark[0].count("\n"), text)
        if (hidden := _HIDDEN_TAG.search(shown)) is not None:
            end = f"</{hidden[1].lower()}"
            self._hidden = "" if end in shown[hidden.end() :].lower() else end
        elif text.startswith("<!--"):
            bare = shown.strip()
            if bare and bare[0] != "<":
                self._paragraph(bare.split("\n"), line + shown[: shown.index(bare)].count("\n"), level)
        else:
            for found in _HTML_HEADING.finditer(shown):
                self.blocks.append(
                    Block("heading", found[2], line + shown.count("\n", 0, found.start()), int(found[1]))
                )


def _cells(tokens: Sequence[Token]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row of a table."""
    row: list[str] = []
    for token in tokens:
        if token.type == "inline":
            row.append(token.content)
        elif token.type == "tr_close":
            yield tuple(row)
            row = []
