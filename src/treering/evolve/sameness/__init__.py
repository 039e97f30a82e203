"""Tell whether two short memories mean the same, and join several that do into one text.

Similar wording is not the same meaning: how-tos that differ in a flag, a number, a path or a
negation have nearly the same vector. So both texts are read into words, numbers, values, names and
negations, each with its role. All of them must match, except for a small closed list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from treering.evolve.sameness.agree import settled
from treering.evolve.sameness.compare import are_how_tos, compared
from treering.evolve.sameness.read import READ, Reading, read
from treering.evolve.sameness.sentences import sentences, unmarked

_LEAST = 2  # words with a meaning in a part: one by itself says nothing that could be said already
# Words that limit what stands beside them: a part without them says more than the whole.
_LIMITS = frozenset(
    """if unless only except until when whenever while before after because but although though instead sometimes
    usually often rarely maybe perhaps may might could would should almost nearly once till or either than without not
    no never cannot nor neither hardly seldom partly excluding""".split()
)


def is_said(sentence: str, by: str) -> bool:
    """Tell whether a sentence means the same as the other, with nothing more, or stands in it word for word."""
    mine, theirs = read(sentence[:READ]), read(by[:READ])
    if max(len(sentence), len(by)) > READ:
        return sentence.split() == by.split()
    if not mine.tokens or not theirs.tokens:
        return bool(mine.words) and mine.words == theirs.words
    return _is_same(mine, theirs, sentence, by) or _is_part(mine, theirs)


def _is_same(mine: Reading, theirs: Reading, one: str, other: str) -> bool:
    if mine.keys != theirs.keys and len(mine.keys ^ theirs.keys) > _MOST_UNLIKE:
        return False
    found = compared(mine, theirs)
    return not found.extra and not settled(one, other, found.differs, are_how_tos(mine, theirs))


_MOST_UNLIKE = 6  # values that may be written in another dress: of more, nothing is compared


def _is_part(mine: Reading, theirs: Reading) -> bool:
    if len(mine.tokens) < _LEAST or len(mine.words) >= len(theirs.words) or mine.negated:
        return False  # what is denied in part may be said of the whole: not retried, not retried automatically
    part, whole = mine.words, theirs.words
    size = len(part)
    start = next((at for at in range(len(whole) - size + 1) if whole[at : at + size] == part), -1)
    return start >= 0 and _is_free((*whole[:start], *whole[start + size :]))


def _is_free(rest: tuple[str, ...]) -> bool:
    """Tell whether what is left out of a statement does not limit it."""
    return _LIMITS.isdisjoint(rest) and not any(word.endswith(("n't", "n\u2019t")) for word in rest)


_MANY = 200  # sentences with which another is compared: what has more is a document, and is joined by its very words
_ENDS = (".", "!", "?", ":", ";", "…")


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
    if not fresh:
        return first
    has_lines = any("\n" in text.strip() for text in texts)
    if not first.strip():
        return ("\n" if has_lines else " ").join(fresh)
    if has_lines:
        return "\n".join([first.rstrip(), *fresh])
    return " ".join(map(_ended, [first.rstrip(), *fresh[:-1]])) + " " + fresh[-1]


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(_ENDS) else sentence + "."


__all__ = ["SAME", "Likeness", "joined", "likeness"]

SAME = 0.95  # a score above it: they mean the same
_BY_WORDS = 0.75  # of the score of two that differ; the rest is by their vectors, which know more synonyms
_EXTRA = 0.04  # what all of the light words can take from 1: less than what would make two texts differ
_LEAST_SHARED = 0.4  # of the words of the richer text: with fewer, the two are not looked at closely
_FEW = 3  # words: of so few, values in another dress may be half
# What asks to be remembered says nothing of what is.
_OPENING = re.compile(
    r"^\s*(?:please\s+)?(?:(?:note|remember)(?:\s+that\b|\s*:)|(?:nb|fyi|reminder)\s*[:,])\s*(?=\w)", re.I
)
_MOST_TOLD = 3  # words of each that are told of two which share little


class Likeness(NamedTuple):
    score: float  # 0 to 1
    cosine: float
    differs: tuple[str, ...]  # what disagrees, in words; nothing if they mean the same


def likeness(one: str, other: str, cosine: float) -> Likeness:
    """Return the likeness of two texts, in either order. `cosine` is that of their vectors, and
    cannot make them mean the same."""
    if one == other:
        return Likeness(1.0, cosine, ())
    one, other = _OPENING.sub("", one), _OPENING.sub("", other)
    if other < one:
        one, other = other, one
    mine, theirs = read(one[:READ]), read(other[:READ])
    if not mine.tokens or not theirs.tokens:
        return Likeness(0.0, cosine, ("nothing to compare",))
    common = len(mine.keys & theirs.keys)
    most = max(len(mine.keys), len(theirs.keys))
    if (most > _FEW and common < _LEAST_SHARED * most) or (most > 1 and not common):
        return _strangers(mine, theirs, common, cosine)
    found = compared(mine, theirs)
    differs = settled(one[:READ], other[:READ], found.differs, are_how_tos(mine, theirs))
    if max(len(one), len(other)) > READ and one[READ:] != other[READ:]:
        differs = (*differs, "what comes later")
    if differs:
        part = found.shared / (found.shared + (found.apart + len(differs)) / 2)
        return Likeness(_apart(part, cosine), cosine, differs)
    return Likeness(1.0 - _EXTRA * found.extra / (found.extra + 2 * found.shared), cosine, ())


def _apart(part: float, cosine: float) -> float:
    return SAME * (_BY_WORDS * part + (1 - _BY_WORDS) * min(1.0, max(0.0, cosine)))


def _strangers(mine: Reading, theirs: Reading, common: int, cosine: float) -> Likeness:
    sides = []
    for side, rest in ((mine, theirs), (theirs, mine)):
        alone = side.keys - rest.keys
        words = (token.text for token in side.tokens if token.key in alone)
        sides.append(" ".join(islice(words, _MOST_TOLD)))
    part = 2 * common / (len(mine.keys) + len(theirs.keys))
    return Likeness(_apart(part, cosine), cosine, (f"word {' / '.join(sorted(filter(None, sides)))}",))
