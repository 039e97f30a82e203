"""Whether a sentence is already said by another: it means the same, or it is a part of it."""

from __future__ import annotations

from treering.evolve.likeness.agreeing import settled
from treering.evolve.likeness.comparing import are_how_tos, compared
from treering.evolve.likeness.reading import READ, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.evolve.likeness.reading import Reading

_LEAST = 2  # words with a meaning in a part: one by itself says nothing that could be said already
# Words that limit what stands beside them: a part without them says more than the whole.
_LIMITS = frozenset(
    """if unless only except until when whenever while before after because but although though instead sometimes
    usually often rarely maybe perhaps may might could would should almost nearly once till or either than without not
    no never cannot nor neither hardly seldom partly excluding""".split()
)


def is_said(sentence: str, by: str) -> bool:
    """Whether it means the same, with nothing more, or stands in the other word for word."""
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
    """Whether what is left out of a statement does not limit it."""
    return _LIMITS.isdisjoint(rest) and not any(word.endswith(("n't", "n\u2019t")) for word in rest)
