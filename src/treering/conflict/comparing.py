"""Two texts, statement by statement."""

from __future__ import annotations

from treering.conflict.amount import disagree, other_amount
from treering.conflict.denial import opposite, retired
from treering.conflict.frame import swapped
from treering.conflict.reading.quantity import DATE
from treering.conflict.reading.statement import statements
from treering.conflict.sides import sides
from treering.conflict.value import other_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.conflict.reading.statement import Statement

    Found = tuple[str, tuple[int, int], tuple[int, int]]

# Statements of a note. What has more is a document or a talk, whose sentences lean on each other: two of these are not
# compared, and a note only with a sentence of one that shares much with it.
FEW = 6
_LONG = 2_400  # characters: six of the longest sentences that are read
LEAST_SHARED = 3  # words of two statements of longer texts


def compared(one: str, other: str) -> Found | None:
    """The first conflict of two texts, or none."""
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
    """Pairs that share enough words to be about one thing."""
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
        yield from ((mine, theirs[at]) for at in sorted(counts) if counts[at] >= LEAST_SHARED)


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
