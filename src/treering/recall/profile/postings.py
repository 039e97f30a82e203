"""The keyword channel: which memories hold the words of a query, and the rarest and most of them.

Only the places that may be seen are looked at and counted: what others remember changes nothing here.
"""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from treering.core.index import Index, Place

    Numbers = NDArray[np.int32]
    Tail = tuple[Numbers, NDArray[np.uint32]]  # stems, and whose each is

# Memories weighed for being the best, of those that hold the rarest words. Whoever holds none of these holds only
# common words, of which the rest of the query has fewer than the best have.
WEIGHED = 20_000


class Postings:
    """For each stem, the memories that hold it. Those of the tails are kept in memory."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._tails: dict[int, tuple[tuple[int, int, int], Tail]] = {}

    def lists(self, places: Sequence[Place], stems: Sequence[int]) -> dict[int, Numbers]:
        """The memories of some places that hold each of the stems."""
        found: dict[int, list[Numbers]] = {stem: [] for stem in stems}
        for place in places:
            if place.folded:
                for stem, members in self._index.postings(place.number, stems):
                    found[stem].append(np.frombuffer(members, np.int32))
            if place.tail:
                owners, held = self._tail(place)
                for stem in found:
                    found[stem].append(np.unique(owners[held == stem]))
        return {stem: np.concatenate(parts) if parts else np.empty(0, np.int32) for stem, parts in found.items()}

    def _tail(self, place: Place) -> Tail:
        state = (place.shape, place.folded, place.tail)
        kept = self._tails.get(place.number)
        if kept is None or kept[0] != state:
            rows = self._index.stemmed(place.number, place.folded)
            owners = np.repeat(
                np.array([number for number, _ in rows], np.int32), [len(stems) // 4 for _, stems in rows]
            )
            held = np.frombuffer(b"".join(stems for _, stems in rows), np.uint32)
            kept = self._tails[place.number] = (state, (owners, held))
        return kept[1]


def heaviest(
    lists: Mapping[int, Numbers], weights: Mapping[int, float], k: int, only: set[int] | None
) -> dict[int, float]:
    """The memories whose words of the query weigh most."""
    held = sorted((members for members in lists.values() if len(members)), key=len)
    if not held:
        return {}
    sums = np.zeros(max(int(members.max()) for members in held) + 1, np.float32)
    for stem, members in lists.items():
        sums[members] += weights[stem]
    able = _rarest(held)
    if only is not None:
        able = able[np.isin(able, np.fromiter(only, np.int64, len(only)))]
    most = k * len(held)  # as each may be in every list
    best = np.unique(able[np.argpartition(-sums[able], most)[:most]] if len(able) > most else able)
    best = best[np.argsort(-sums[best], kind="stable")[:k]]
    return {int(number): float(sums[number]) for number in best}


def _rarest(lists: Sequence[Numbers]) -> Numbers:
    """Numbers from lists, the first ones first, until there are enough; the newest of a list that is too long."""
    chosen, left = [np.empty(0, np.int32)], WEIGHED
    for members in lists:
        if left > 0:
            chosen.append(members[-left:])
            left -= len(members)
    return np.concatenate(chosen)
