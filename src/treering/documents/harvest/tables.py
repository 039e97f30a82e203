"""Turn the rows of a table into statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treering.documents.harvest.inline import reduce
from treering.text.words import STOP_WORDS, folded

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block

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
# What is said about a document itself, and how the columns are called that hold it.
_FIELDS = frozenset(
    """status state date author authors owner owners decider deciders version id title reviewer reviewers updated
    created tags number supersedes approver approvers driver contributors informed consulted type impact due""".split()
)
_KEYS = frozenset({"", "field", "key", "item", "property", "attribute", "metadata", "info", "name", "document"})
_VALUES = frozenset({"", "value", "values", "content", "detail", "details", "info", "information"})
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|https?://\S+")


def rows(table: Block, links: frozenset[str]) -> list[tuple[int, str]]:
    """Return each row that says something as a sentence, with how many lines below the header it stands."""
    header, *body = [[_shown(cell, links) for cell in row] for row in table.rows]
    found = list(enumerate(body, 2))
    if not 2 <= len(header) <= MOST_COLUMNS or _is_data(found) or _is_links(table) or card(table, links):
        return []
    return [(place, said) for place, cells in found if (said := _sentence(header, cells))]


def card(table: Block, links: frozenset[str]) -> list[tuple[str, str]]:
    """Return the fields of a table that is about its document, down or across; a table of settings has none.

    It has a status, and most of what else it has is known of documents.
    """
    header, *body = [[_shown(cell, links).strip(" :") for cell in row] for row in table.rows]
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


def has_state(table: Block) -> bool:
    """Return whether a column says what has become of each row."""
    return any(cell.strip("* ").lower() in _STATES for cell in table.rows[0])


def _shown(cell: str, links: frozenset[str]) -> str:
    if cell in MARKS:
        return MARKS[cell]
    return " ".join(reduce(cell, links).split())


def _sentence(header: list[str], cells: list[str]) -> str:
    """Return the row as a sentence: its first cell is what it is about, and each other is named by its column."""
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
    said = "; ".join(cell.rstrip(".") if _is_saying(name) else f"{name} {cell}".rstrip(".") for name, cell in rest)
    about = key if _is_saying(subject) or subject.lower() in key.lower() else f"{subject} {key}"
    return f"{about}: {said}."


def _new(rest: list[tuple[str, str]], key: str) -> set[str]:
    """Return what the row says beyond its key: "`--project NAME`: the project" says nothing."""
    return {word for _, cell in rest for word in folded(cell) if word not in STOP_WORDS} - set(folded(key))


def _is_saying(name: str) -> bool:
    """Return whether the name of a column adds nothing to its cells."""
    words = name.lower().split()
    return not words or words[0] in _SAYING


def _is_data(found: list[tuple[int, list[str]]]) -> bool:
    """Return whether a table is a benchmark or a matrix of marks, which changes before anybody reads it again."""
    cells = [cell for _, row in found for cell in row[1:] if cell]
    figures = sum(_FIGURE.match(cell) is not None or cell in ("yes", "no", "-") for cell in cells)
    wide = any(len(row) > 2 for _, row in found)  # a list of limits has two columns
    return not cells or (wide and len(found) > 1 and figures > FIGURES * len(cells))


def _is_links(table: Block) -> bool:
    rows = ["|".join(row) for row in table.rows[1:]]
    return sum(len(_LINK.sub("", row)) < len(row) / 3 for row in rows) * 2 > len(rows)
