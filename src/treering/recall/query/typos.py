"""When nothing matches: words that begin so, and words that were meant."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.index import Index

SHORTEST = 4  # letters: a shorter word is near to too many others
_LONG = 8  # letters from which two slips are forgiven instead of one
_MOST = 5  # words that one is taken for
_SURE = 2  # letters at the beginning that are taken to be right: slips are seldom there


def corrected(index: Index, words: Sequence[str]) -> list[str]:
    """The stems in the index that words of a query may have meant: those they begin, and those a slip or two away."""
    found: dict[str, None] = {}
    for word in words:
        if len(word) < SHORTEST:
            continue
        begun = index.vocabulary(word)
        near = begun or [stem for stem in index.vocabulary(word[:_SURE]) if _meant(word, stem)]
        found.update(dict.fromkeys(sorted(near, key=lambda stem: (abs(len(stem) - len(word)), stem))[:_MOST]))
    return list(found)


def _meant(word: str, stem: str) -> bool:
    """Whether a stem is the beginning of a word, but for a slip or two."""
    slips = 2 if len(word) >= _LONG else 1
    return len(stem) >= SHORTEST and any(
        distance(word[:length], stem, slips) <= slips
        for length in range(max(1, len(stem) - slips), min(len(word), len(stem) + slips) + 1)
    )


def distance(one: str, other: str, most: int) -> int:
    """Letters to add, drop, change or swap with the next; beyond `most` any greater number."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    last: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = last, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
