"""Vectors in cells: a search looks into the few that lie nearest to what is asked.

A place of up to `EXACT` memories is searched whole: its cells are mere stretches. Beyond that its vectors are parted
into about as many cells as each has members, so that the work for a search grows with the square root of the place.
"""

from __future__ import annotations

import numpy as np

from treering.core.index import Cell
from treering.recall.profile.stems import END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from treering.core.index import Index, Place
    from treering.core.ports import Matrix

EXACT = 4_096  # memories of a place that are searched whole, in a third of a millisecond
LONGEST_TAIL = (2_048, 8_192)  # vectors outside of cells, all of which are searched: the least and the most allowed
_TAIL_SHARE = 32  # between the two, a tail may be this part of its place
_GROWTH = 2  # how much a place may outgrow its cells before they are made anew
_SAMPLE = 48  # vectors for each cell from which its centre is found; more change little
_ROUNDS = 8  # of moving the centres; later ones change little
_BLOCK = 8_192  # vectors compared with all centres at a time: bounds the memory


def unit(rows: NDArray[Any]) -> Matrix:
    """Rows as floats of length 1; those without a direction stay zero."""
    matrix = rows.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    return np.asarray(matrix / np.maximum(lengths, 1e-9)[:, None], np.float32)


def rows_of(blob: bytes, count: int) -> NDArray[np.int8]:
    return np.frombuffer(blob, np.int8).reshape(count, -1)


def due(place: Place) -> bool:
    """Whether a tail has grown so long that it should go into cells."""
    least, most = LONGEST_TAIL
    return place.tail > min(max(least, place.held // _TAIL_SHARE), most)


def fold(index: Index, place: Place) -> None:
    """Put the tail of a place into its cells; into new ones if it has outgrown those. Inside a transaction."""
    tail = index.tail(place.number, place.folded)
    if not tail:
        return
    members = np.array([number for number, _ in tail], np.int32)
    vectors = rows_of(b"".join(vector for _, vector in tail), len(tail))
    last = place._replace(folded=int(members[-1]))
    posted = lists(index.stemmed(place.number, place.folded))
    centres = np.frombuffer(place.centroids, np.float32).reshape(-1, max(vectors.shape[1], 1))
    if not vectors.size:
        index.fold(last, [], posted, anew=False)
    elif place.held <= EXACT:
        index.fold(last, [Cell(0, members.tobytes(), vectors.tobytes())], posted, anew=False)
    elif place.held < _GROWTH * len(centres) ** 2:
        index.fold(last, _sorted(members, vectors, assigned(unit(vectors), centres)), posted, anew=False)
    else:
        members, vectors = _all(index, place, members, vectors)
        centres, homes = parted(vectors)
        last = last._replace(centroids=centres.tobytes())
        whole = _joined([*index.postings(place.number), *posted])
        index.fold(last, _sorted(members, vectors, homes), whole, anew=True)


def lists(stemmed: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """For each stem in some memories, the numbers of those that hold it, in order."""
    counts = [len(stems) // 4 for _, stems in stemmed]
    numbers = np.repeat(np.array([number for number, _ in stemmed], np.int32), counts)
    stems = np.frombuffer(b"".join(stems for _, stems in stemmed), np.uint32)
    pairs = np.unique(stems.astype(np.uint64) << 32 | numbers.astype(np.uint64))
    sorted_stems, holders = (pairs >> 32).astype(np.int64), (pairs & 0xFFFFFFFF).astype(np.int32)
    found, starts = np.unique(sorted_stems, return_index=True)
    parts = np.split(holders, starts[1:])
    return [(int(stem), part.tobytes()) for stem, part in zip(found, parts, strict=True) if stem != END]


def _joined(pieces: Sequence[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Lists that came in several pieces, each as one."""
    found: dict[int, list[bytes]] = {}
    for stem, members in pieces:
        found.setdefault(stem, []).append(members)
    return ((stem, b"".join(parts)) for stem, parts in found.items())


def parted(vectors: NDArray[np.int8]) -> tuple[Matrix, NDArray[np.intp]]:
    """Centres for vectors, and the nearest of them for each. The same vectors give the same centres."""
    count = round(len(vectors) ** 0.5)
    sample = unit(vectors[np.linspace(0, len(vectors) - 1, min(len(vectors), count * _SAMPLE)).astype(int)])
    centres = sample[np.linspace(0, len(sample) - 1, count).astype(int)]
    for _ in range(_ROUNDS):
        homes = assigned(sample, centres)
        sums = np.zeros_like(centres)
        np.add.at(sums, homes, sample)
        lost = ~sums.any(axis=1)
        centres = np.where(lost[:, None], centres, unit(sums))
    homes = np.concatenate(
        [assigned(unit(vectors[at : at + _BLOCK]), centres) for at in range(0, len(vectors), _BLOCK)]
    )
    return centres, homes


def assigned(vectors: Matrix, centres: Matrix) -> NDArray[np.intp]:
    blocks = (vectors[at : at + _BLOCK] for at in range(0, len(vectors), _BLOCK))
    return np.concatenate([np.argmax(block @ centres.T, axis=1) for block in blocks])


def _all(
    index: Index, place: Place, members: NDArray[np.int32], vectors: NDArray[np.int8]
) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """The tail and what lies in cells already, without those that are gone."""
    cells = index.cells(place.number)
    listed = [np.frombuffer(cell.members, np.int32) for cell in cells]
    held = [rows_of(cell.vectors, len(numbers)) for cell, numbers in zip(cells, listed, strict=True)]
    members, vectors = np.concatenate([*listed, members]), np.concatenate([*held, vectors])
    there = members > 0
    order = np.argsort(members[there], kind="stable")
    return members[there][order], vectors[there][order]


def _sorted(members: NDArray[np.int32], vectors: NDArray[np.int8], homes: NDArray[np.intp]) -> Iterator[Cell]:
    order = np.argsort(homes, kind="stable")
    cells, starts = np.unique(homes[order], return_index=True)
    for cell, group in zip(cells, np.split(order, starts[1:]), strict=True):
        yield Cell(int(cell), members[group].tobytes(), vectors[group].tobytes())
