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
MARKS = {"\u2705": "yes", "\u2714": "yes", "\u2714\ufe0f": "yes", "\u2713": "yes", "\u274c": "no", "\u2717": "no"}

_FIGURE = re.compile(r"[-+~<>=\u2264\u2265\u00b1$\u20ac*` ]*\.?\d[\d.,_]*[*` ]*[%\w/\u00d7]{0,7}$|(?:yes|no|-)$")
# The names of columns that add nothing to their cells, and of what is said about a document itself.
_SAYING = frozenset("description meaning note notes comment details purpose summary".split())
_FIELDS = frozenset("status state date author authors owner version title reviewer updated created tags".split())
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|https?://\S+")


def rows(table: Block, links: frozenset[str]) -> list[tuple[int, str]]:
    """Return each row that says something as a sentence, with how many lines below the header it stands."""
    header, *body = [[_shown(cell, links) for cell in row] for row in table.rows]
    if not 2 <= len(header) <= MOST_COLUMNS or _is_data(body) or _is_links(table) or card(table, links):
        return []
    return [(place, said) for place, cells in enumerate(body, 2) if (said := _sentence(header, cells))]


def card(table: Block, links: frozenset[str]) -> list[tuple[str, str]]:
    """Return the fields of a table that is about its document, down or across; a table of settings has none."""
    header, *body = [[_shown(cell, links).strip(" :") for cell in row] for row in table.rows]
    across = len(body) == 1 and all(name.lower() in _FIELDS for name in header)
    down = len(header) == 2 and (header[0].lower() in _FIELDS or header[1].lower() in ("", "value"))
    if across:
        pairs = list(zip(header, body[0], strict=False))
    else:
        pairs = [(row[0], row[1]) for row in (header, *body) if down and len(row) > 1 and any(row)]
    fields = [(name.lower(), value) for name, value in pairs if name.lower() not in ("field", "key")]
    known = sum(name in _FIELDS for name, _ in fields) * 2 > len(fields)
    return fields if known and any(name == "status" for name, _ in fields) else []


def _shown(cell: str, links: frozenset[str]) -> str:
    return MARKS.get(cell) or " ".join(reduce(cell, links).split())


def _sentence(header: list[str], cells: list[str]) -> str:
    """Return the row as a sentence: its first cell is what it is about, and each other is named by its column."""
    pairs = [pair for pair in zip(header, cells, strict=False) if pair[1].strip("-\u2013\u2014")]
    if len(pairs) < 2:
        return ""
    (subject, key), *rest = pairs
    words = folded(_CODE.sub("", " ".join(cell for pair in pairs for cell in pair)))
    # "`--project NAME`: the project" says nothing beyond its key.
    new = {word for _, cell in rest for word in folded(cell)} - STOP_WORDS - set(folded(key))
    if not new or len(words) < 2:
        return ""
    said = "; ".join(cell.rstrip(".") if _is_saying(name) else f"{name} {cell}".rstrip(".") for name, cell in rest)
    about = key if _is_saying(subject) or subject.lower() in key.lower() else f"{subject} {key}"
    return f"{about}: {said}."


def _is_saying(name: str) -> bool:
    return (name.lower().split() or ["notes"])[0] in _SAYING


def _is_data(body: list[list[str]]) -> bool:
    """Return whether a table is a benchmark or a matrix of marks, which changes before anybody reads it again."""
    cells = [cell for row in body for cell in row[1:] if cell]
    wide = any(len(row) > 2 for row in body)  # a list of limits has two columns
    return not cells or (wide and len(body) > 1 and sum(map(bool, map(_FIGURE.match, cells))) > FIGURES * len(cells))


def _is_links(table: Block) -> bool:
    rows = ["|".join(row) for row in table.rows[1:]]
    return sum(len(_LINK.sub("", row)) < len(row) / 3 for row in rows) * 2 > len(rows)
