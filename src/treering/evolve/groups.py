"""Find memories that may say the same (pairs), and processes that may be one skill (clusters).

Both are compared by stems and, where there are some, by vectors. Memories with the same stems are
grouped without a search, so thousands of copies cost no more. Clusters grow from the nearest pair
on, while all of one group are near all of the other on average.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from treering.evolve import near
from treering.evolve.same import READ
from treering.stores.port.search import Index, Place
from treering.text.stems import stem
from treering.text.words import STOP_WORDS, folded

# Nearness, 0 to 1, above what vectors alone can give, so that texts of one template are no candidates. Of the how-tos
# that are judged the same, 95 in 100 are as near as this.
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
    """Yield the pairs of each place that may say the same, the nearest first.

    No memory is in more than `PARTNERS` of them. `among` limits them to these numbers. `progress`
    gets the count of memories done.
    """
    before = 0
    for place in places:
        numbers, held = _held(index, place.number, among)
        if len(numbers) > 1:
            close = near.near(held, FLOOR, PARTNERS, lambda done, before=before: progress(before + done))  # type: ignore[misc]
            pairs = np.sort(np.concatenate([near.same(held, PARTNERS), close]), axis=1)
            _, once = np.unique(pairs[:, 0] * len(numbers) + pairs[:, 1], return_index=True)
            yield from _best(numbers, held, pairs[once])
        before += place.held
        progress(before)


def _held(index: Index, place: int, among: Collection[int] | None) -> tuple[NDArray[np.int32], near.Texts]:
    profiles = index.tail(place, 0)
    if among is not None:
        wanted = frozenset(among)
        profiles = [one for one in profiles if one[0] in wanted]
    numbers = np.array([number for number, _, _ in profiles], np.int32)
    rows = np.frombuffer(b"".join(vector for _, vector, _ in profiles), np.int8)
    rows = rows.reshape(len(numbers), -1) if len(numbers) else rows.reshape(0, 0)
    return numbers, near.texts([stems for _, _, stems in profiles], rows)


def _best(numbers: NDArray[np.int32], held: near.Texts, pairs: NDArray[np.int64]) -> Iterator[Pair]:
    """Yield the pairs that are near enough, the nearest first, while both have room for a partner."""
    nearnesses, cosines = near.measure(held, pairs)
    order = np.argsort(-nearnesses, kind="stable")
    order = order[nearnesses[order] >= FLOOR]
    room = [PARTNERS] * len(numbers)
    for (one, other), cosine in zip(pairs[order].tolist(), cosines[order].tolist(), strict=True):
        if room[one] and room[other]:
            room[one], room[other] = room[one] - 1, room[other] - 1
            yield Pair(int(numbers[one]), int(numbers[other]), min(cosine, 1.0))


FEWEST = 3  # processes that make a skill
TIE = 0.55  # nearness on average, 0 to 1, for two groups to be one; between 0.45 and 0.65 little changes
_PARTNERS = 16  # of each process, the nearest: a group holds together by few of its ties
_SIGNS = 1_024  # numbers for the words of a sketch: a nearness is then wrong by 0.015
_MEASURED = 64  # members of a group that are compared with each other for its cohesion: 2,016 pairs


class Cluster(NamedTuple):
    ids: tuple[str, ...]  # in the order in which they came
    cohesion: float  # how near two of them are on average, 0 to 1


def clusters(items: Sequence[tuple[str, str]], vectors: Mapping[str, NDArray[Any]] | None = None) -> list[Cluster]:
    """Return groups of three or more among processes of one place (id, text), the closest first.

    `vectors` maps ids to vectors; unless every process has one, words alone decide.
    """
    if len(items) < FEWEST:
        return []
    held = near.texts([_stems(text) for _, text in items], _rows(items, vectors))
    pairs = np.concatenate([near.same(held, 2), near.near(held, TIE, _PARTNERS)])
    nearnesses, _ = near.measure(held, pairs)
    ties = pairs[np.argsort(-nearnesses, kind="stable")][: int((nearnesses >= TIE).sum())]
    rows = near.sketches(held, np.arange(len(items)), _SIGNS)
    found = [
        Cluster(tuple(items[one][0] for one in sorted(group)), _cohesion(held, group))
        for group in _grow(rows, ties.tolist())
        if len(group) >= FEWEST
    ]
    return sorted(found, key=lambda cluster: (-cluster.cohesion, cluster.ids))


def _stems(text: str) -> bytes:
    found = {stem(word) for word in folded(text[:READ]) if word not in STOP_WORDS}
    return np.array([crc32(key.encode("utf-8", "replace")) for key in sorted(found)], np.uint32).tobytes()


def _rows(items: Sequence[tuple[str, str]], vectors: Mapping[str, NDArray[Any]] | None) -> NDArray[Any]:
    if vectors is None or any(id not in vectors for id, _ in items):
        return np.empty((len(items), 0), np.float32)
    return np.stack([vectors[id] for id, _ in items])


def _grow(rows: near.Matrix, ties: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Merge groups of rows along ties. The product of two sums is the sum of all products between the groups."""
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


def _cohesion(held: near.Texts, group: Sequence[int]) -> float:
    """Return how near two of a group are on average; of a large group, a sample is compared."""
    some = np.array(group)[np.linspace(0, len(group) - 1, min(len(group), _MEASURED)).astype(int)]
    nearnesses, _ = near.measure(held, some[np.stack(np.triu_indices(len(some), 1), axis=1)])
    return float(nearnesses.mean())
