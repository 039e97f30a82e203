"""A corpus written in its order, each memory compared with those before it that share words with it.

Candidates share two terms, or all the terms of one side; of these the best by the rareness of the shared terms are
compared, as a full-text index would rank them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treering.truth.compare import Conflict, between, terms

CANDIDATES = 30  # earlier memories with which one is compared
_LEAST_SHARED = 2  # terms


class Raised(NamedTuple):
    """A contradiction of two memories, by their places in the corpus."""

    earlier: int
    later: int
    found: Conflict


def raised(texts: Sequence[str], most: int = CANDIDATES) -> Iterator[Raised]:
    """Every contradiction, in the order in which a store would hear of it."""
    index: dict[str, list[int]] = defaultdict(list)
    counts: list[int] = []
    for later, text in enumerate(texts):
        words = terms(text)
        for earlier in _candidates(words, index, counts, most):
            found = between(texts[earlier], text)
            if found is not None:
                yield Raised(earlier, later, found)
        counts.append(len(words))
        for word in words:
            index[word].append(later)


def _candidates(words: Sequence[str], index: dict[str, list[int]], counts: Sequence[int], most: int) -> list[int]:
    shared: Counter[int] = Counter()
    weight: dict[int, float] = defaultdict(float)
    for word in words:
        rareness = math.log(1 + len(counts) / (1 + len(index.get(word, ()))))
        for place in index.get(word, ()):
            shared[place] += 1
            weight[place] += rareness
    able = [place for place, count in shared.items() if count >= min(_LEAST_SHARED, len(words), counts[place])]
    return sorted(able, key=lambda place: (-weight[place], -place))[:most]
