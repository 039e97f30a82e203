"""A text in its sentences, and what frames them."""

from __future__ import annotations

import re

# A full stop ends a sentence before a blank and a capital, a digit or a quote; not within a name, a number or a path.
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9`])|(?<=[.!?])\s*\Z")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|Mr|Mrs|Ms|Dr|Prof|St|No|approx|[A-Z])\.$")
_LONGEST_SHORT = 8  # characters
_LIST = re.compile(r"^\s*(?:[-*•>\u2013]|\d{1,3}[.)])\s+")


def sentences(text: str) -> list[str]:
    """Of each line by itself, as lines of a list and of code are sentences too."""
    found: list[str] = []
    for line in text.splitlines():
        found += _of_line(line.strip())
    return found


def unmarked(sentence: str) -> str:
    """Without the mark of a list before it."""
    return _LIST.sub("", sentence)


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    start = 0
    mark = _LIST.match(line)
    for match in _END.finditer(line, mark.end() if mark else 0):
        piece = line[start : match.end()].strip()
        if piece and not _SHORT.search(piece[-_LONGEST_SHORT:]):
            found.append(piece)
            start = match.end()
    rest = line[start:].strip()
    return [*found, rest] if rest else found
