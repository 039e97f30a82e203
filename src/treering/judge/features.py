"""Turn texts into features: named numbers that a linear model weighs.

A feature's name says what was seen, so that a verdict can be explained. Names, paths, numbers and code are
replaced by their kinds: a judgement should not depend on what a project is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import sqrt

Features = Mapping[str, float]

# A kind of word that is replaced by its name, in the order in which they are looked for.
_KINDS = (
    ("Url", re.compile(r"https?://\S+")),
    ("Code", re.compile(r"`[^`\n]+`")),
    ("Path", re.compile(r"(?<!\w)(?:~|\.{1,2}|[\w.-]+)?(?:/[\w.@*-]+)+/?|\b[\w-]+\.[a-z]{1,4}\b(?!\.\w)(?<![.\d]\d)")),
    ("Name", re.compile(r"\b(?:\w+_\w+|[a-z]+[A-Z]\w*|[A-Z]{2,}\d*|\w+-\d+)\b")),
    ("Number", re.compile(r"\d[\d.,:]*")),
)
KINDS = frozenset(name for name, _ in _KINDS)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|[^\w\s]")
_LETTERS = (3, 4, 5)  # lengths of the runs of letters that are looked at


def tokens(text: str) -> list[str]:
    """Return the words and marks of a text, in lower case, with names and numbers replaced by their kinds."""
    for name, pattern in _KINDS:
        text = pattern.sub(f" {name} ", text)
    return [word if word in KINDS else word.lower() for word in _WORD.findall(text)]


def runs(words: list[str], most: int, prefix: str = "") -> list[str]:
    """Return every run of up to `most` words, each once; those of several know the begin and the end."""
    ended = ["^", *words, "$"]
    found = [prefix + word for word in words]
    for length in range(2, most + 1):
        found += [prefix + " ".join(ended[at : at + length]) for at in range(len(ended) - length + 1)]
    return [*dict.fromkeys(found)]


def letters(words: list[str]) -> list[str]:
    """Return every run of three to five letters, each once."""
    text = f" {' '.join(words)} "
    return [*{f"~{text[at : at + size]}": None for size in _LETTERS for at in range(len(text) - size + 1)}]


def together(words: list[str], most: int = 14) -> list[str]:
    """Return every two of the first words of a text, in their order, however far apart they stand."""
    once = [word for word in dict.fromkeys(words) if len(word) > 1][:most]
    return [f"{first} … {second}" for at, first in enumerate(once) for second in once[at + 1 :]]


def block(names: Iterable[str], weight: float = 1.0) -> dict[str, float]:
    """Return features of one sort: together they weigh the same, however many there are."""
    listed = [*names]
    share = weight / sqrt(len(listed)) if listed else 0.0
    return dict.fromkeys(listed, share)
