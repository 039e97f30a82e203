"""Bring the forms of an English word to one stem."""

from __future__ import annotations

from functools import lru_cache

# The first that fits is taken off, and something else may be put in its place.
_ENDINGS = (
    ("ations", ""),
    ("ation", ""),
    ("ating", ""),
    ("ated", ""),
    ("ates", ""),
    ("ments", ""),
    ("ment", ""),
    ("ions", ""),
    ("ion", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("zes", "z"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
    ("ing", ""),
    ("eed", "eed"),
    ("ed", ""),
    ("ate", ""),
    ("ally", "al"),
    ("ly", ""),
)


_SHORTEST = 3  # letters that an ending leaves behind
_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdgmnprt")  # letters that are doubled before an ending
_KEPT = 50_000  # words whose stems are kept: a language has about that many in use


@lru_cache(_KEPT)
def stem(word: str) -> str:
    """Return what the forms of a lower-case word share (retries, retried; migrate, migration)."""
    if not word.isalpha() or len(word) <= _SHORTEST:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= max(_SHORTEST, 4 if len(ending) > 3 else 0):
            left = word[: len(word) - len(ending)]
            if _VOWELS.isdisjoint(left):
                continue
            word = left + instead
            if ending in ("ing", "ed") and len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    return word[:-1] if word[-1] == "e" and len(word) > _SHORTEST else word
