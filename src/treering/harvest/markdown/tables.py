"""A table with a header, one statement a row."""

from __future__ import annotations

import re

from treering.core.words import STOP_WORDS, folded
from treering.harvest.markdown.inline import reduce

MOST_COLUMNS = 8  # wider ones are data
FIGURES = 0.5  # share of cells that are bare figures or marks, from which on a table is data
MARKS = {
    "\u2705": "yes",
    "\u2714": "yes",
    "\u2714\ufe0f": "yes",
    "\u2713": "yes",
    "\u274c": "no",
    "\u2717": "no",
    "\u2718": "no",
}

_CELL = re.compile(r"(?<!\\)\|")
_FIGURE = re.compile(
    r"[-+~\u2248<>=\u2264\u2265\u00b1$\u20ac*` ]*\.?\d[\d.,_]*[*` ]*(?:[%x\u00d7]|"
    r"[a-z\u00b5/]{1,7})?(?:\s?[\u00b1(].*| (?:of|to) \S+)?$",
    re.IGNORECASE,
)
_SAYING = frozenset(
    """description meaning note notes what explanation comment comments details purpose remarks what-it-does
    effect use for usage summary""".split()
)
_STATES = frozenset({"status", "state", "done", "progress", "done?"})
# What is told about a document itself, and how the columns are called that hold it.
_FIELDS = frozenset(
    """status state date author authors owner owners decider deciders version id title reviewer reviewers updated
    created tags number supersedes approver approvers driver contributors informed consulted type impact due""".split()
)
_KEYS = frozenset({"", "field", "key", "item", "property", "attribute", "metadata", "info", "name", "document"})
_VALUES = frozenset({"", "value", "values", "content", "detail", "details", "info", "information"})
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|https?://\S+")


def rows(text: str, links: frozenset[str]) -> list[tuple[int, str]]:
    """Each row that says something, with how many lines below the header it stands."""
    lines = text.split("\n")
    header = [_shown(cell, links) for cell in cells(lines[0])]
    found = [(place, [_shown(cell, links) for cell in cells(line)]) for place, line in enumerate(lines[2:], 2)]
    if not 2 <= len(header) <= MOST_COLUMNS or _is_data(found) or _is_links(lines[2:]) or card(text, links):
        return []
    return [(place, told) for place, cells in found if (told := _told(header, cells))]


def card(text: str, links: frozenset[str]) -> list[tuple[str, str]]:
    """The fields of a table that is about its document, down or across; a table of settings has none.

    It has a status, and most of what else it has is known of documents.
    """
    lines = [[_shown(cell, links).strip(" :") for cell in cells(line)] for line in text.split("\n")]
    header, body = lines[0], lines[2:]
    if len(body) == 1 and all(name.lower() in _FIELDS for name in header):
        pairs = list(zip(header, body[0], strict=False))
    elif len(header) == 2 and header[0].lower() in _KEYS and header[1].lower() in _VALUES:
        pairs = [(row[0], row[1]) for row in body if len(row) > 1]
    elif len(header) == 2 and header[0].lower() in _FIELDS:
        pairs = [(row[0], row[1]) for row in (header, *body) if len(row) > 1]
    else:
        return []
    fields = [(name.lower(), value) for name, value in pairs]
    known = sum(name in _FIELDS for name, _ in fields) * 2 > len(fields)
    return fields if known and any(name == "status" for name, _ in fields) else []


def has_state(text: str) -> bool:
    """Whether a column tells what has become of each row."""
    return any(cell.strip("* ").lower() in _STATES for cell in cells(text.split("\n")[0]))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().removeprefix("|").removesuffix("|"))]


def _shown(cell: str, links: frozenset[str]) -> str:
    if cell in MARKS:
        return MARKS[cell]
    return " ".join(reduce(cell.replace("\\|", "|"), links).split())


def _told(header: list[str], cells: list[str]) -> str:
    """The row as a sentence: its first cell is what it is about, and each other is named by its column."""
    pairs = [
        (name, cell)
        for name, cell in zip(header, cells, strict=False)
        if cell and cell not in ("-", "\u2014", "\u2013")
    ]
    if len(pairs) < 2:
        return ""
    (subject, key), *rest = pairs
    if not _new(rest, key) or len(folded(_CODE.sub("", " ".join(cell for pair in pairs for cell in pair)))) < 2:
        return ""
    told = "; ".join(cell.rstrip(".") if _is_saying(name) else f"{name} {cell}".rstrip(".") for name, cell in rest)
    about = key if _is_saying(subject) or subject.lower() in key.lower() else f"{subject} {key}"
    return f"{about}: {told}."


def _new(rest: list[tuple[str, str]], key: str) -> set[str]:
    """What the row says beyond its key: "`--project NAME`: the project" says nothing."""
    return {word for _, cell in rest for word in folded(cell) if word not in STOP_WORDS} - set(folded(key))


def _is_saying(name: str) -> bool:
    """A column whose name adds nothing to its cells."""
    words = name.lower().split()
    return not words or words[0] in _SAYING


def _is_data(found: list[tuple[int, list[str]]]) -> bool:
    """A benchmark or a matrix of marks: it will have changed when somebody reads it again."""
    cells = [cell for _, row in found for cell in row[1:] if cell]
    figures = sum(_FIGURE.match(cell) is not None or cell in ("yes", "no", "-") for cell in cells)
    wide = any(len(row) > 2 for _, row in found)  # a list of limits has two columns
    return not cells or (wide and len(found) > 1 and figures > FIGURES * len(cells))


def _is_links(lines: list[str]) -> bool:
    return sum(len(_LINK.sub("", line)) < len(line) / 3 for line in lines) * 2 > len(lines)
