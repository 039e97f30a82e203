"""The lines of a Markdown document, put together into blocks that know their line.

A small reader, not a whole Markdown: it keeps what can hold a statement, and drops what a person does not see
(comments, hidden elements, link definitions, front matter) or cannot read (raw HTML). It goes over the lines once and
never fails.
"""

from __future__ import annotations

import re

from treering.core.tuples import NamedTuple

TAB = 4  # columns, as in CommonMark
DEEPEST_PLAIN = 3  # columns a block may be indented by; one more makes it code, as in CommonMark
DEEPEST_NESTING = (
    4  # lists in lists, quotes in quotes; what is deeper counts as this deep, as nobody reads it otherwise
)
FRONT_MATTER_LIMIT = 100  # lines; a rule at the top of a document without an end in sight is a rule


class Block(NamedTuple):
    kind: str  # heading, paragraph, item, table, code, begin, end (of a generated part)
    text: str  # its lines, without the marks of lists and quotes
    line: int  # of its first line, from 1
    level: int = 0  # of a heading, 1 to 6; of anything else, how many lists it is in
    note: str = ""  # of an item, its mark; of code, its language
    check: str = ""  # of an item with a box: "x" or "o"


class Document(NamedTuple):
    front: dict[str, str]  # the plain values of the front matter, keys in lower case
    blocks: list[Block]
    links: frozenset[str]  # the names of link definitions, in lower case
    remarks: str  # the comments, which nobody sees: only good to find out that a file is generated


_QUOTE = re.compile(r"( *)>(?: {0,3}>)* ?")
_FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w+-]*)[^`]*$")
_HEADING = re.compile(r"(#{1,6})(?:\s+(.*))?$")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>(.{1,200}?)</h[1-6]>", re.IGNORECASE)
_RULE = re.compile(r"(?:-[ -]{2,}|\*[ *]{2,}|_[ _]{2,})$")
_UNDERLINE = re.compile(r"(?:=+|-+)$")
_ITEM = re.compile(r"([-*+]|\d{1,9}[.)])(\s+|$)")
_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")
_DELIMITER = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_DEFINITION = re.compile(r"\[([^\]]+)\]:(?:\s|$)")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?)\s+\w+")
_SILENT = re.compile(r"(?::{3,}|\{%.*%\}$|--8<--|\[\[?_?toc_?\]\]?$|\[!\w+\]$)", re.IGNORECASE)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)\b([^<>]*)>?")
_UNSEEN = re.compile(r"\bhidden\b|display:\s*none|visibility:\s*hidden", re.IGNORECASE)
_GENERATED = re.compile(r"generated|doctoc|all-contributors|\btoc\b|\[\[\[cog", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:start|begin|beginning)\b|\[\[\[cog", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:end|stop|tocstop)\b|\[\[\[end", re.IGNORECASE)
_FIELD = re.compile(r"([A-Za-z][\w -]{0,40})\s*[:=]\s*(.*)$")

# Tags that begin a block of raw HTML, which goes on to the next empty line.
_BLOCK_TAGS = frozenset(
    """address article aside base blockquote body center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe img legend li link main menu meta
    nav object ol option p param picture section source summary svg table tbody td tfoot th thead title tr track ul
    video""".split()
)
_OPAQUE_TAGS = frozenset({"script", "style", "pre", "textarea"})  # up to their end, whatever is in between


def read(document: str) -> Document:
    """The document's blocks, in order."""
    lines = document.removeprefix("\ufeff").replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front, start = _front_matter(lines)
    reader = _Reader()
    for number in range(start, len(lines)):
        reader.take(lines[number], number + 1)
    reader.close()
    return Document(front, reader.blocks, frozenset(reader.links), "\n".join(reader.remarks))


def _front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
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


def _untrailed(heading: str) -> str:
    bare = heading.rstrip("#")
    return (bare if not bare or bare[-1] == " " else heading).strip()


class _Reader:
    """Takes one line after the other; what is open is in its state, what is finished in `blocks`."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.links: set[str] = set()
        self.remarks: list[str] = []
        self._open: Block | None = None
        self._lines: list[str] = []
        self._lists: list[tuple[int, bool]] = []  # the column of the content, and whether it is a list
        self._fence = ""
        self._fence_quoted = False
        self._until = ""  # the end of a comment, or of an element that is not shown
        self._raw = False  # in a block of raw HTML
        self._quoted = False
        self._blank = True

    def take(self, line: str, number: int) -> None:
        line = line.expandtabs(TAB).rstrip()
        line, quoted = self._unquote(line)
        if self._fence:
            self._in_fence(line, quoted)
        elif self._until:
            self._in_hidden(line)
        elif not line:
            self.close()
            self._raw, self._blank = False, True
        elif self._raw:
            self._markup(line.lstrip(), number)
        else:
            if quoted and not self._quoted:
                self.close()
            self._visible(line, number)
            self._blank = False
        self._quoted = quoted

    def close(self) -> None:
        """Finishes what is open."""
        if self._open is not None and (any(self._lines) or self._open.kind == "item"):
            text = "\n".join(self._lines)
            self.blocks.append(self._open._replace(text=text.rstrip("\n")))
        self._open, self._lines = None, []

    def _unquote(self, line: str) -> tuple[str, bool]:
        mark = None if self._fence and not self._fence_quoted else _QUOTE.match(line)
        inside = self._lists[-1][0] if self._lists else 0
        if mark is None or len(mark[1]) > inside + DEEPEST_PLAIN:
            return line, False
        if self._fence:
            return line.lstrip()[1:].removeprefix(" "), True  # further marks belong to the code
        if len(mark[1]) >= inside:
            return mark[1] + line[mark.end() :], True  # in an item it stays under that item
        if not self._quoted:
            self.close()
            self._lists.clear()  # a quote beside a list ends it
        return line[mark.end() :], True

    def _visible(self, line: str, number: int) -> None:
        text = line.lstrip()
        indent = len(line) - len(text)
        begins = self._begins(text)
        if self._open is None or begins or self._open.kind in ("code", "table"):
            while self._lists and indent < self._lists[-1][0]:
                self._lists.pop()
        inside = self._lists[-1][0] if self._lists else 0
        if indent - inside > DEEPEST_PLAIN and (self._open is None or self._open.kind == "code"):
            self._add("code", line[inside + TAB :], number)
        elif not begins or not self._begun(text, indent, number):
            self._plain(text, number)

    @staticmethod
    def _begins(text: str) -> bool:
        """A cheap look at the first character: whether this line can be anything but more text."""
        return text[0] in "#-*+_=`~<|![:{?0123456789"

    def _begun(self, text: str, indent: int, number: int) -> bool:
        """Whether the line begins a block, or ends one, by its marks."""
        if (fence := _FENCE.match(text)) is not None:
            self._begin("code", number, fence[2].lower())
            self._fence, self._fence_quoted = fence[1], self._quoted
        elif (heading := _HEADING.match(text)) is not None and not self._lists:
            self._whole("heading", _untrailed(heading[2] or ""), number, len(heading[1]))
        elif self._underlines(text):
            assert self._open is not None
            self._open = self._open._replace(kind="heading", level=1 if text[0] == "=" else 2)
            self.close()
        elif _RULE.match(text):
            self.close()
            self._lists.clear()
        elif self._delimits(text):
            self._table(text, number)
        elif (item := _ITEM.match(text)) is not None and self._may_begin(item[1]):
            self._item(item, text[item.end() :], indent, number)
        elif text[0] == "<" and self._tagged(text):
            self._markup(text, number)
        else:
            return self._passed(text, indent, number)
        return True

    def _passed(self, text: str, indent: int, number: int) -> bool:
        """Lines that say something to the renderer, not to a reader."""
        if self._open is None and (named := _DEFINITION.match(text)) is not None:
            self.links.add(" ".join(named[1].lower().split()))
        elif _ADMONITION.match(text):
            self.close()
            self._lists = [*self._lists[: DEEPEST_NESTING - 1], (indent + TAB, False)]
        elif _SILENT.match(text):
            self.close()
        elif (
            text.startswith(": ")
            and self._open is not None
            and self._open.kind == "paragraph"
            and len(self._lines) == 1
        ):
            self._lines = [f"**{self._lines[0]}:**", text[2:]]
        else:
            return False
        return True

    def _plain(self, text: str, number: int) -> None:
        if self._open is not None and self._open.kind == "table" and "|" not in text:
            self.close()
        if self._open is None or self._open.kind == "code":
            self._begin("paragraph", number)
        self._lines.append(text)

    def _is_open(self, kind: str) -> bool:
        return self._open is not None and self._open.kind == kind

    def _begin(self, kind: str, number: int, note: str = "", check: str = "") -> None:
        self.close()
        self._open = Block(kind, "", number, sum(counted for _, counted in self._lists), note, check)

    def _add(self, kind: str, text: str, number: int) -> None:
        if self._open is None or self._open.kind != kind:
            self._begin(kind, number)
        self._lines.append(text)

    def _whole(self, kind: str, text: str, number: int, level: int) -> None:
        self.close()
        self.blocks.append(Block(kind, text, number, level))

    def _underlines(self, text: str) -> bool:
        plain = self._is_open("paragraph") and not self._lists and not self._quoted
        return plain and len(self._lines) <= 2 and _UNDERLINE.match(text) is not None

    def _delimits(self, text: str) -> bool:
        return (
            self._is_open("paragraph") and "|" in self._lines[-1] and "|" in text and _DELIMITER.match(text) is not None
        )

    def _table(self, text: str, number: int) -> None:
        header = self._lines.pop()
        self._begin("table", number - 1)
        self._lines = [header, text]

    def _may_begin(self, mark: str) -> bool:
        """A number in the middle of a paragraph begins a list only if it is a one: it may be a wrapped line."""
        return self._open is None or self._open.kind != "paragraph" or mark[0] in "-*+" or mark[:-1] == "1"

    def _item(self, item: re.Match[str], rest: str, indent: int, number: int) -> None:
        width = len(item[2])
        self.close()
        if len(self._lists) == DEEPEST_NESTING:
            self._lists.pop()
        self._lists.append((indent + len(item[1]) + (width if 0 < width <= TAB else 1), True))
        box = _BOX.match(rest)
        check = "" if box is None else "o" if box[1] == " " else "x"
        self._begin("item", number, item[1], check)
        rest = rest[box.end() :] if box is not None else rest
        if rest.startswith("<!--"):
            self._markup(rest, number)
        elif (fence := _FENCE.match(rest)) is not None:
            self._begin("code", number, fence[2].lower())
            self._fence, self._fence_quoted = fence[1], self._quoted
        else:
            self._lines.append(rest)

    def _in_fence(self, line: str, quoted: bool) -> None:
        text = line.strip()
        left = self._fence_quoted and not quoted
        if left or (text.startswith(self._fence) and not text.strip(self._fence[0])):
            self._fence = ""
            self.close()
        elif not self._lines or len(self._lines) < FRONT_MATTER_LIMIT:  # nobody reads long code here
            self._lines.append(line)

    def _tagged(self, text: str) -> bool:
        if text.startswith("<!--"):
            return True
        tag = _TAG.match(text)
        if tag is None:
            return False
        name = tag[1].lower()
        return (
            name in _OPAQUE_TAGS or (name in _BLOCK_TAGS and self._open is None) or _UNSEEN.search(tag[2]) is not None
        )

    def _markup(self, text: str, number: int) -> None:
        """A line of raw HTML: headings and the ends of comments are looked for, the rest is not read."""
        if text.startswith("<!--"):
            self._comment(text, number)
            return
        self.close()
        tag = _TAG.match(text)
        name = tag[1].lower() if tag is not None else ""
        hidden = tag is not None and _UNSEEN.search(tag[2]) is not None
        if name in _OPAQUE_TAGS or hidden:
            end = f"</{name}"
            self._until = "" if end in text.lower() else end
        elif (heading := _HTML_HEADING.search(text)) is not None:
            self._whole("heading", heading[2], number, int(heading[1]))
        self._raw = not self._until

    def _comment(self, text: str, number: int) -> None:
        end = text.find("-->", 2)
        remark = text if end < 0 else text[:end]
        self.remarks.append(remark)
        if _GENERATED.search(remark) and (_STARTS.search(remark) or _ENDS.search(remark)):
            self._whole("end" if _ENDS.search(remark) else "begin", "", number, 0)
        if end < 0:
            self._until = "-->"
        elif rest := text[end + 3 :].strip():
            if rest.startswith("<!--"):
                self._raw = True  # one remark a line is enough
            else:
                self._plain(rest, number)

    def _in_hidden(self, line: str) -> None:
        if self._until in line.lower():
            self._until = ""
        elif self._until == "-->":
            self.remarks.append(line)
