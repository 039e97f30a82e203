"""Read a text as words with their meanings: stems, how rare each word is, and its vector.

Words count by how rare they are, so no language needs a list of its common words.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy
from numpy.typing import NDArray

from treering.models.embed.static import StaticEmbedder
from treering.text.words import is_unbroken, pairs, words

Numbers = NDArray[numpy.float32]

_MOST = 6_000  # characters of a text that are read, half of them at its end: a log tells there how it ended
_KNOWN = 50_000  # words whose vectors are remembered: some 50 MB
_STEM = 2  # letters of an ending: more than half of all inflections, in most languages


def said(text: str) -> dict[str, str]:
    """Return the words of a text by their stems; where a script has no blanks, every two letters."""
    found: dict[str, str] = {}
    for word in words(ends(text).lower()):
        for part in pairs(word) if is_unbroken(word) else (word,):
            found.setdefault(stem(part), part)
    return found


def stem(word: str) -> str:
    return word[: max(4, len(word) - _STEM)] if len(word) > 5 else word


def ends(text: str) -> str:
    """Return a text, or both ends of a long one."""
    return text if len(text) <= _MOST else f"{text[: _MOST // 2]}\n{text[-_MOST // 2 :]}"


@cache
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


@lru_cache(_KNOWN)
def rarity(word: str) -> float:
    """Return how rare a word is, from 0 to 1."""
    return embedder().rarity(word)


@lru_cache(_KNOWN)
def vector(word: str) -> Numbers:
    row: Numbers = embedder().embed([word])[0]
    return row
