"""Bring the forms of an English word to one stem."""

from __future__ import annotations

from functools import lru_cache

_KEPT = 50_000  # words whose stems are kept: a language has about that many in use


@lru_cache(_KEPT)
def stem(word: str) -> str:
    """Return what the forms of a lower-case word share (retries, retried). It need not be a word."""
    return _root(_single(word)) if word.isalpha() else word


def _single(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _root(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and any(letter in "aeiouy" for letter in rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            word = rest[:-1] if doubled else rest
            break
    if len(word) > 6 and word.endswith("tion"):
        word = word[:-3]
    elif len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "z" if len(word) > 6 and word.endswith("is") else word
