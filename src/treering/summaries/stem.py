"""A word without its ending, so that its forms meet."""

from __future__ import annotations

from functools import lru_cache

from treering.summaries.lexicon import ENDINGS, IRREGULAR

_SHORTEST = 3  # letters that an ending leaves behind
_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdgmnprt")  # letters that are doubled before an ending
_KEPT = 50_000  # words whose stems are kept: a language has about that many in use


@lru_cache(_KEPT)
def stem(word: str) -> str:
    """Of a word in lower case: what its forms have in common (retries, retried, retrying; migrate, migration)."""
    word = IRREGULAR.get(word, word)
    if not word.isalpha() or len(word) <= _SHORTEST:
        return word
    for ending, instead in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= max(_SHORTEST, 4 if len(ending) > 3 else 0):
            left = word[: len(word) - len(ending)]
            if _VOWELS.isdisjoint(left):
                continue
            word = left + instead
            if ending in ("ing", "ed") and len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    return word[:-1] if word[-1] == "e" and len(word) > _SHORTEST else word
