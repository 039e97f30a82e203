"""Processes that are similar enough to be one skill: three or more that speak of the same doing in other words.

They are compared by what `likeness` reads in them, so that synonyms meet and light words say nothing, and by their
vectors where there are some. Groups grow together, the nearest first, as long as all of the one are near all of the
other on average: a chain of neighbours is no group.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from treering.core.tuples import NamedTuple
from treering.evolve import nearness
from treering.evolve.likeness.reading import READ, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from treering.core.ports import Matrix

FEWEST = 3  # processes that make a skill
TIE = 0.55  # nearness on average, 0 to 1, for two groups to be one; between 0.45 and 0.65 little changes
_PARTNERS = 16  # of each process, the nearest: a group holds together by few of its ties
_SIGNS = 1_024  # numbers for the words of a sketch: a nearness is then wrong by 0.015
_MEASURED = 64  # members of a group that are compared with each other for its cohesion: 2,016 pairs


class Cluster(NamedTuple):
    ids: tuple[str, ...]  # in the order in which they came
    cohesion: float  # how near two of them are on average, 0 to 1


def clusters(items: Sequence[tuple[str, str]], vectors: Mapping[str, NDArray[Any]] | None = None) -> list[Cluster]:
    """Groups of three or more among processes of one place (id, text), the closest first.

    `vectors` are those of the texts by id, of any length; unless every process has one, words alone decide.
    """
    if len(items) < FEWEST:
        return []
    held = nearness.texts([_stems(text) for _, text in items], _rows(items, vectors))
    pairs = np.concatenate([nearness.same(held, 2), nearness.near(held, TIE, _PARTNERS)])
    nearnesses, _ = nearness.measured(held, pairs)
    ties = pairs[np.argsort(-nearnesses, kind="stable")][: int((nearnesses >= TIE).sum())]
    rows = nearness.sketches(held, np.arange(len(items)), _SIGNS)
    found = [
        Cluster(tuple(items[one][0] for one in sorted(group)), _cohesion(held, group))
        for group in _grown(rows, ties.tolist())
        if len(group) >= FEWEST
    ]
    return sorted(found, key=lambda cluster: (-cluster.cohesion, cluster.ids))


def _stems(text: str) -> bytes:
    return np.array([crc32(key.encode("utf-8", "replace")) for key in read(text[:READ]).keys], np.uint32).tobytes()


def _rows(items: Sequence[tuple[str, str]], vectors: Mapping[str, NDArray[Any]] | None) -> NDArray[Any]:
    if vectors is None or any(id not in vectors for id, _ in items):
        return np.empty((len(items), 0), np.float32)
    return np.stack([vectors[id] for id, _ in items])


def _grown(rows: Matrix, ties: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Groups of rows, grown together along ties. The products of all of one group with all of another add up to the
    product of their sums."""
    homes, groups, sums = [*range(len(rows))], [[row] for row in range(len(rows))], rows.copy()
    for one, other in ties:
        some, more = sorted((homes[one], homes[other]), key=lambda home: len(groups[home]))
        if some == more or sums[some] @ sums[more] < TIE * len(groups[some]) * len(groups[more]):
            continue
        for row in groups[some]:
            homes[row] = more
        groups[more] += groups[some]
        groups[some] = []
        sums[more] += sums[some]
    return groups


def _cohesion(held: nearness.Texts, group: Sequence[int]) -> float:
    """How near two of a group are on average; of a large one, two of some that stand for it."""
    some = np.array(group)[np.linspace(0, len(group) - 1, min(len(group), _MEASURED)).astype(int)]
    nearnesses, _ = nearness.measured(held, some[np.stack(np.triu_indices(len(some), 1), axis=1)])
    return float(nearnesses.mean())
