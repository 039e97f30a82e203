"""Which memories could say the same: candidates, for somebody to compare who has the texts.

The time for one memory grows with less than the square root of its place, whatever the memories say. Those that have
all their stems in common are grouped without a search, and one of them stands for all; those that share with others
only what everybody says are not near enough. So thousands of copies, or of texts from one template, take no longer.
"""

from __future__ import annotations

import numpy as np

from treering.core.tuples import NamedTuple
from treering.evolve import nearness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from treering.core.index import Index, Place

# Nearness, 0 to 1. More than vectors alone can give, so that a template's texts, which share only what everybody says,
# are no candidates. Of the near-duplicate how-tos that are judged the same, 95 in 100 are as near as this.
FLOOR = 0.55
PARTNERS = 8  # of each memory, the nearest first: among a thousand copies everyone meets some, and nobody all


class Pair(NamedTuple):
    """Two memories of one place by their numbers, the smaller first."""

    one: int
    other: int
    cosine: float  # of their vectors; where there are none, of their stems


def similar_pairs(
    index: Index,
    places: Sequence[Place],
    progress: Callable[[int], None] = lambda done: None,
    among: Collection[int] | None = None,
) -> Iterator[Pair]:
    """The pairs of each place that could say the same, the nearest first. No memory is in more than `PARTNERS` of them.

    `among` are the numbers that count: without it, retired memories are partners like any other. Progress is told how
    many memories have been gone through.
    """
    before = 0
    for place in places:
        numbers, held = _held(index, place.number, among)
        if len(numbers) > 1:
            close = nearness.near(held, FLOOR, PARTNERS, lambda done, before=before: progress(before + done))  # type: ignore[misc]
            pairs = np.sort(np.concatenate([nearness.same(held, PARTNERS), close]), axis=1)
            _, once = np.unique(pairs[:, 0] * len(numbers) + pairs[:, 1], return_index=True)
            yield from _best(numbers, held, pairs[once])
        before += place.held
        progress(before)


def _held(index: Index, place: int, among: Collection[int] | None) -> tuple[NDArray[np.int32], nearness.Texts]:
    vectors, stems = index.view(lambda: (index.tail(place, 0), index.stemmed(place, 0)))
    if among is not None:
        wanted = frozenset(among)
        vectors, stems = ([one for one in listed if one[0] in wanted] for listed in (vectors, stems))
    numbers = np.array([number for number, _ in vectors], np.int32)
    rows = np.frombuffer(b"".join(vector for _, vector in vectors), np.int8)
    rows = rows.reshape(len(numbers), -1) if len(numbers) else rows.reshape(0, 0)
    return numbers, nearness.texts([each for _, each in stems], rows)


def _best(numbers: NDArray[np.int32], held: nearness.Texts, pairs: NDArray[np.int64]) -> Iterator[Pair]:
    """The pairs that are near enough, the nearest first, while both have room for a partner."""
    nearnesses, cosines = nearness.measured(held, pairs)
    order = np.argsort(-nearnesses, kind="stable")
    order = order[nearnesses[order] >= FLOOR]
    room = [PARTNERS] * len(numbers)
    for (one, other), cosine in zip(pairs[order].tolist(), cosines[order].tolist(), strict=True):
        if room[one] and room[other]:
            room[one], room[other] = room[one] - 1, room[other] - 1
            yield Pair(int(numbers[one]), int(numbers[other]), min(cosine, 1.0))
