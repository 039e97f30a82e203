"""Tell whether two short memories contradict each other: the same subject with an opposite or
different value.

Words, their order and classes decide, without a model, so a conflict can be explained by two places
in two texts. Nothing says which side is right. Every doubt means no conflict, as a false alarm
costs trust.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from treering.text.words import STOP_WORDS, folded
from treering.truth.contradictions.amount import disagree, other_amount
from treering.truth.contradictions.denial import opposite, retired
from treering.truth.contradictions.frame import swapped
from treering.truth.contradictions.read.quantity import DATE
from treering.truth.contradictions.read.statement import Statement, statements
from treering.truth.contradictions.sides import sides
from treering.truth.contradictions.value import other_value

Found = tuple[str, tuple[int, int], tuple[int, int]]

# Statements of a note. What has more is a document or a talk, whose sentences lean on each other: two of these are not
# compared, and a note only with a sentence of one that shares much with it.
FEW = 6
_LONG = 2_400  # characters: six of the longest sentences that are read
LEAST_WORDS_SHARED = 3  # words of two statements of longer texts


def compared(one: str, other: str) -> Found | None:
    """Return the first conflict of two texts, or none."""
    if min(len(one), len(other)) > _LONG:
        return None
    ours, theirs = statements(one), statements(other)
    if len(ours) > FEW and len(theirs) > FEW:
        return None
    near = _about(ours) & _about(theirs) if max(len(ours), len(theirs)) <= FEW else frozenset[str]()
    for mine, their in _meeting(ours, theirs):
        found = _compared(mine, their, near)
        if found is not None:
            return found
    if max(len(ours), len(theirs)) > FEW:
        return None
    return retired(ours, theirs) or swapped(one, other)


def _about(said: Sequence[Statement]) -> frozenset[str]:
    return frozenset().union(*(one.strong for one in said))


def _meeting(ours: Sequence[Statement], theirs: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """Yield pairs of statements that share enough words to be about one thing."""
    if len(ours) <= FEW and len(theirs) <= FEW:
        for mine in ours:
            yield from ((mine, their) for their in theirs if not mine.every.isdisjoint(their.every))
        return
    places: dict[str, list[int]] = {}
    for at, their in enumerate(theirs):
        for stem in their.strong:
            places.setdefault(stem, []).append(at)
    for mine in ours:
        counts: dict[int, int] = {}
        for stem in mine.strong & places.keys():
            for at in places[stem]:
                counts[at] = counts.get(at, 0) + 1
        yield from ((mine, theirs[at]) for at in sorted(counts) if counts[at] >= LEAST_WORDS_SHARED)


def _compared(one: Statement, other: Statement, near: frozenset[str]) -> Found | None:
    if one.label != other.label or one.episode or other.episode:
        return None
    if one.mood.advice != other.mood.advice or one.mood.was != other.mood.was:
        return None
    found = sides(one, other)
    is_later = one.mood.future != other.mood.future
    if found.denied != found.denies:
        return None if is_later or disagree(one, other) else opposite(found)
    if one.also or other.also:
        return None
    amount = other_amount(found, len(near - found.shared))
    if amount is not None:
        return None if is_later and amount[0] != DATE else amount
    return None if is_later or disagree(one, other) else other_value(found)


__all__ = ["KINDS", "Conflict", "between", "terms", "why"]

KINDS = ("negation", "number", "version", "date", "choice", "name")
MOST_TERMS = 12
_TERMS_READ = 2_000  # characters: twelve terms are found in far fewer
_READ = 20_000  # characters, as many as statements are made of
_HEAD = 4  # letters by which two words may have one stem
LEAST_SHARED = 0.2  # of the shorter text's words: what says less of it is about another matter, and reading costs time
_KEPT = 512  # texts whose heads are kept: a new memory is compared with many
_SAID = {
    "negation": "one says the opposite of the other",
    "number": "the number differs",
    "version": "the version differs",
    "date": "the date or time differs",
    "choice": "the choice differs",
    "name": "the name or place differs",
    "relation": "the two relate the same things otherwise",  # found in the graph, not between two texts
}
_LONGEST_QUOTE = 60  # characters of a value in a sentence for a person


class Conflict(NamedTuple):
    kind: str
    ours: tuple[int, int]  # characters of the value in the first text
    theirs: tuple[int, int]  # and in the second


def between(one: str, other: str) -> Conflict | None:
    """Return the first conflict of two texts, or none; the order of the texts does not matter."""
    ours, theirs = _heads(one), _heads(other)
    if one == other or len(ours & theirs) < max(1.0, LEAST_SHARED * min(len(ours), len(theirs))):
        return None

    found = compared(one, other)
    return Conflict(*found) if found else None


def terms(text: str) -> tuple[str, ...]:
    """Return the words in lower case, each once, in the order of the text."""
    words = dict.fromkeys(folded(text[:_TERMS_READ]))
    found = [word for word in words if len(word) > 1 and word not in STOP_WORDS]
    return tuple([word for word in found if not word.isdigit()][:MOST_TERMS])


def why(found: Conflict, one: str, other: str) -> str:
    """Return a conflict as a sentence for a person."""
    ours, theirs = _quoted(one, found.ours), _quoted(other, found.theirs)
    return f'{_SAID[found.kind]}: "{ours}" here, "{theirs}" there'


def _quoted(text: str, span: tuple[int, int]) -> str:
    value = " ".join(text[span[0] : span[1]].split())
    return value if len(value) <= _LONGEST_QUOTE else value[: _LONGEST_QUOTE - 1] + "…"


@lru_cache(_KEPT)
def _heads(text: str) -> frozenset[str]:
    """Return the beginnings of the words: two texts that share none are not about one thing."""
    return frozenset([word[:_HEAD] for word in folded(text[:_READ]) if word not in STOP_WORDS])
