"""Episodes that grow together into stories, along the ties between them."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import inf, log1p

import numpy as np

from treering.summaries.ties import BASE, LEAST_COSINE, PACE, TIE, UNSEEN, VECTORS, WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.summaries.holding import Held, Vector
    from treering.summaries.ties import Tie

_MOST = 240  # episodes of a story: one that goes on longer is cut in time anyway
_TIMED = 12  # episodes of a story whose times are compared: some stand for all
_ROUNDED = 6  # digits of a nearness: sums in another order must not make another story


class _Story:
    """Some episodes, with the sums by which the nearness of all of them to all of another is one product."""

    __slots__ = ("members", "seen", "vector", "words")

    def __init__(self, all: Held, at: int) -> None:
        self.members = [at]
        terms = all.of(at)
        roots = np.sqrt(all.worth[terms]) * all.weights[all.starts[at] : all.starts[at + 1]] * all.scales[at]
        self.words: dict[int, float] = dict(zip(terms, roots.tolist(), strict=True))
        self.vector: Vector | None = all.vectors[at]
        self.seen = int(self.vector is not None)  # members with a vector

    def take(self, other: _Story) -> None:
        self.members = sorted(self.members + other.members)
        for term, value in other.words.items():
            self.words[term] = self.words.get(term, 0.0) + value
        if self.vector is None or other.vector is None:
            self.vector = other.vector if self.vector is None else self.vector
        else:
            self.vector = self.vector + other.vector
        self.seen += other.seen


def grown(all: Held, ties: Sequence[Tie]) -> list[list[int]]:
    """The stories of two episodes or more, each in the order of time.

    The nearest two come together first. How near two stories are is worked out when they are next; if they have grown
    apart meanwhile, they wait for their turn.
    """
    homes: dict[int, _Story] = {}
    waiting = [(-near, one, other) for near, one, other in ties]
    heapify(waiting)
    while waiting:
        near, one, other = heappop(waiting)
        mine = homes.get(one) or homes.setdefault(one, _Story(all, one))
        theirs = homes.get(other) or homes.setdefault(other, _Story(all, other))
        if mine is theirs or len(mine.members) + len(theirs.members) > _MOST:
            continue
        now = -round(_near(all, mine, theirs), _ROUNDED)
        if now > near and waiting and now > waiting[0][0]:
            if now <= -TIE:
                heappush(waiting, (now, one, other))
        elif now <= -TIE:
            large, small = (mine, theirs) if len(mine.members) >= len(theirs.members) else (theirs, mine)
            large.take(small)
            homes.update(dict.fromkeys(small.members, large))
    found = {story.members[0]: sorted(story.members) for story in homes.values()}
    return sorted(story for story in found.values() if len(story) > 1)


def _near(all: Held, one: _Story, other: _Story) -> float:
    """The odds of all of the one with all of the other, on average. The products of all with all add up to the product
    of their sums."""
    pairs = len(one.members) * len(other.members)
    small, large = sorted((one.words, other.words), key=len)
    words = sum(value * large.get(term, 0.0) for term, value in small.items())
    cosines = UNSEEN * (pairs - one.seen * other.seen)
    if one.vector is not None and other.vector is not None:
        product = float(one.vector @ other.vector)
        if product < LEAST_COSINE * one.seen * other.seen:
            return -inf
        cosines += product
    return BASE + (WORDS * words + VECTORS * cosines) / pairs - PACE * _apart(all, one.members, other.members)


def _apart(all: Held, some: Sequence[int], others: Sequence[int]) -> float:
    """How far two stories are from each other in time: half of it is where they are nearest, half all with all. The one
    goes on where the other ended, or both are told at the same time."""
    gaps = [log1p(all.between(one, other)) for one in _few(some) for other in _few(others)]
    return (min(gaps) + sum(gaps) / len(gaps)) / 2


def _few(members: Sequence[int]) -> Sequence[int]:
    return members[:: -(-len(members) // _TIMED)]
