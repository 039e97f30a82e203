"""Prompts on one matter: less than the same request, as who knows the one may know the others.

The first prompt on a matter leads it: each that follows is compared with the leaders alone, so that what came before
never changes when more prompts come.
"""

from __future__ import annotations

from treering.core.prompts import NOT
from treering.evolve.prompts import NEUTRAL_STEMS, counted, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST_SHARED = 2  # words: one is a language, a tool or a product, and covers a whole project
SHARE = 0.5  # of the words of the shorter prompt: the rest is what is wanted there


def topics(prompts: Sequence[Sequence[str]]) -> list[list[int]]:
    """Which prompts, given by their tokens and in the order of time, are on one matter: the places of each, the
    leader's first, in the order of their leaders. One that is alone with its matter leads it too."""
    groups: list[list[int]] = []
    having: dict[str, int] = {}  # the leaders with a word, as a number with a bit for each
    sized: dict[int, int] = {}  # and those with a number of words
    known: dict[frozenset[str], int] = {}
    stems = _Stems()
    for at, tokens in enumerate(prompts):
        all = frozenset(stems[token] for token in tokens if token != NOT)
        telling = all - NEUTRAL_STEMS
        words = telling if len(telling) >= FEWEST_SHARED else all
        group = known.get(words)
        if group is None:
            group = known[words] = _nearest(words, having, sized, len(groups))
        if group < len(groups):
            groups[group].append(at)
            continue
        groups.append([at])
        for word in words:
            having[word] = having.get(word, 0) | 1 << group
        sized[len(words)] = sized.get(len(words), 0) | 1 << group
    return groups


class _Stems(dict[str, str]):
    """The stems of words, each worked out once."""

    def __missing__(self, word: str) -> str:
        found = self[word] = stem(word)
        return found


def _nearest(words: frozenset[str], having: dict[str, int], sized: dict[int, int], new: int) -> int:
    """The leader that shares most words with a prompt, the oldest of several; a new one if none shares enough."""
    shared = counted([having[word] for word in sorted(words) if word in having])
    for count in range(len(shared) - 1, FEWEST_SHARED - 1, -1):
        near = 0
        for size, leaders in sized.items():
            if count >= SHARE * min(size, len(words)):
                near |= shared[count] & leaders
        if near:
            return (near & -near).bit_length() - 1
    return new
