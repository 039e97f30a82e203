"""The keyword channel beyond the tail: which memories hold the rarest and most of a query's words."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from treering.core.index import Index, Place
    from treering.recall.scoring import Term

# Memories weighed for being the best, of those that hold the rarest words. Whoever holds none of these holds only
# common words, of which the rest of the query has fewer than the best have.
WEIGHED = 20_000


def holding(index: Index, place: Place, terms: Sequence[Term], k: int, only: set[int] | None) -> dict[int, float]:
    """The memories of a place, without its tail, whose words of the query weigh most."""
    if not place.folded or not terms:
        return {}
    pieces: dict[int, list[bytes]] = {}
    for stem, members in index.postings(place.number, [term.stem for term in terms]):
        pieces.setdefault(stem, []).append(members)
    lists = {stem: np.frombuffer(b"".join(found), np.int32) for stem, found in pieces.items()}
    weights = np.zeros(place.folded + 1, np.float32)
    for term in terms:
        if term.stem in lists:
            weights[lists[term.stem]] += term.rarity
    able = _rarest([lists[term.stem] for term in sorted(terms, key=lambda one: -one.rarity) if term.stem in lists])
    if only is not None:
        able = able[np.isin(able, np.fromiter(only, np.int64, len(only)))]
    most = k * len(lists)  # as each may be in every list
    best = np.unique(able[np.argpartition(-weights[able], most)[:most]] if len(able) > most else able)
    best = best[np.argsort(-weights[best], kind="stable")[:k]]
    return {int(number): float(weights[number]) for number in best}


def _rarest(lists: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Numbers from lists, the first ones first, until there are enough; the newest of a list that is too long."""
    chosen, left = [np.empty(0, np.int32)], WEIGHED
    for members in lists:
        if left > 0:
            chosen.append(members[-left:])
            left -= len(members)
    return np.concatenate(chosen)
