"""Whether two short memories mean the same, and one text from several that do.

Similar wording is not the same meaning: how-tos that differ in a flag, a number, a path or a negation are nearly one
to vectors. So both texts are read into words, numbers, values, names and negations, each with its role; all of them
have to meet, and what may be left over without another meaning is a small closed list.
"""

from __future__ import annotations

import re
from itertools import islice

from treering.core.tuples import NamedTuple
from treering.evolve.likeness.agreeing import settled
from treering.evolve.likeness.comparing import are_how_tos, compared
from treering.evolve.likeness.joining import joined
from treering.evolve.likeness.reading import READ, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.evolve.likeness.reading import Reading

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
    """Symmetric. `cosine` is that of the vectors of the two; it cannot make them mean the same."""
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
