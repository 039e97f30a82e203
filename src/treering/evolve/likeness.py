"""Tell whether two memories say the same, and join several that do into one text.

The same words in the same order say the same. Of anything else the learned judgement of pairs must be sure, in either
order: a wrong merge loses a memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from treering.evolve.sentences import sentences, tokens, unmarked

SAME = 0.95  # a score above it: they say the same
READ = 4_000  # characters: longer texts are the same by their very words alone
_BY_WORDS = 0.5  # of the score of two that differ; the rest is by their vectors
_MANY = 200  # sentences with which another is compared: what has more is a document, and is joined by its very words
_MOST_TOLD = 3  # words of each that are told of two which differ
_LITERAL = re.compile(r"`[^`]+`|\d+(?:[.,:]\d+)*|(?<!\S)-{1,2}\w[\w-]*|[~.\w*-]*/[\w./*-]+|\*\.\w+|\w+_\w+")
_ENDS = (".", "!", "?", ":", ";", "…")


class Likeness(NamedTuple):
    score: float  # 0 to 1
    cosine: float
    differs: tuple[str, ...]  # what disagrees, in words; nothing if they say the same


def likeness(one: str, other: str, cosine: float) -> Likeness:
    """Return the likeness of two texts, in either order. `cosine` is that of their vectors, and cannot make them say
    the same."""
    if one == other:
        return Likeness(1.0, cosine, ())
    if _words(one) == _words(other):
        return Likeness(1.0, cosine, ()) if _words(one) else Likeness(0.0, cosine, ("nothing to compare",))
    short = max(len(one), len(other)) <= READ
    chance, is_same = _chance(one, other) if short and _literals(one) == _literals(other) else (0.0, False)
    if is_same:
        return Likeness(SAME + (1 - SAME) * chance, cosine, ())
    part = _BY_WORDS * chance + (1 - _BY_WORDS) * min(1.0, max(0.0, cosine))
    return Likeness(SAME * part, cosine, (_difference(one, other),))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for sentence in sentences(text) for word in tokens(unmarked(sentence)))


def _literals(text: str) -> frozenset[str]:
    """Return what must be the same to the letter: numbers, paths, flags and names in code."""
    return frozenset(_LITERAL.findall(text))


def _chance(one: str, other: str) -> tuple[float, bool]:
    """Return how likely two texts say the same, and whether that is sure, whichever is the older."""
    from treering.judge.pairs import SAME as LABEL
    from treering.judge.pairs import judge  # loads the word vectors

    verdicts = (judge(one, other), judge(other, one))
    return min(verdict.chances[LABEL] for verdict in verdicts), all(verdict.is_same for verdict in verdicts)


def _difference(one: str, other: str) -> str:
    mine, theirs = _words(one), _words(other)
    alone = [[word for word in side if word not in rest] for side, rest in ((mine, theirs), (theirs, mine))]
    sides = sorted(" ".join(words[:_MOST_TOLD]) for words in alone if words)
    return f"words: {' / '.join(sides)}" if sides else "the order of the words"


def is_said(sentence: str, by: str) -> bool:
    """Tell whether a sentence says the same as another."""
    return likeness(sentence, by, 0.0).score > SAME


def joined(texts: Sequence[str]) -> str:
    """Return the first text, and each sentence of the others that is not already said, in order."""
    if not texts:
        return ""
    first = texts[0]
    kept = dict.fromkeys(unmarked(sentence) for sentence in sentences(first))
    fresh: list[str] = []
    for text in dict.fromkeys(texts[1:]):
        for sentence in sentences(text) if text != first else ():
            bare = unmarked(sentence)
            if bare not in kept and not any(is_said(bare, by) for by in islice(kept, _MANY)):
                kept[bare] = None
                fresh.append(sentence)
    return _written(first, fresh, any("\n" in text.strip() for text in texts))


def _written(first: str, fresh: Sequence[str], has_lines: bool) -> str:
    if not fresh:
        return first
    if not first.strip():
        return ("\n" if has_lines else " ").join(fresh)
    if has_lines:
        return "\n".join([first.rstrip(), *fresh])
    return " ".join(map(_ended, [first.rstrip(), *fresh[:-1]])) + " " + fresh[-1]


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(_ENDS) else sentence + "."
