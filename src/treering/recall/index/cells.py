"""Search vectors by cells: only the few that lie nearest to the query are looked into.

A place of up to `EXACT` memories is searched whole: its cells are mere stretches. Beyond that its
vectors are divided into about as many cells as each has members, so that the work of a search grows
with the square root of the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treering.recall.index.postings import END
from treering.stores.port.search import Cell, Index, Place

if TYPE_CHECKING:
    from treering.models.port import Matrix


Numbers = NDArray[np.int32]

EXACT = 4_096  # memories of a place that are searched whole, in a third of a millisecond
LONGEST_TAIL = (2_048, 8_192)  # vectors outside of cells, all of which are searched: the least and the most allowed
_TAIL_SHARE = 32  # between the two, a tail may be this part of its place
_GROWTH = 2  # how much a place may outgrow its cells before they are made anew
_SAMPLE = 48  # vectors for each cell from which its centre is found; more change little
_ROUNDS = 8  # of moving the centres; later ones change little
_BLOCK = 8_192  # vectors compared with all centres at a time: bounds the memory


def unit(rows: NDArray[Any]) -> Matrix:
    """Return rows as floats of length 1; those without a direction stay zero."""
    matrix = rows.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    return np.asarray(matrix / np.maximum(lengths, 1e-9)[:, None], np.float32)


def rows_of(blob: bytes, count: int) -> NDArray[np.int8]:
    return np.frombuffer(blob, np.int8).reshape(count, -1)


def due(place: Place) -> bool:
    """Tell whether a tail has grown so long that it should go into cells."""
    least, most = LONGEST_TAIL
    return place.tail > min(max(least, place.held // _TAIL_SHARE), most)


def fold(index: Index, place: Place) -> None:
    """Put the tail of a place into its cells; into new ones if it has outgrown those. Inside a transaction."""
    tail = index.tail(place.number, place.folded)
    if not tail:
        return
    members = np.array([number for number, _, _ in tail], np.int32)
    vectors = rows_of(b"".join(vector for _, vector, _ in tail), len(tail))
    last = place._replace(folded=int(members[-1]))
    posted = lists([(number, stems) for number, _, stems in tail])
    centres = np.frombuffer(place.centroids, np.float32).reshape(-1, max(vectors.shape[1], 1))
    if not vectors.size:
        index.fold(last, [], posted, anew=False)
    elif place.held <= EXACT:
        index.fold(last, [Cell(0, members.tobytes(), vectors.tobytes())], posted, anew=False)
    elif place.held < _GROWTH * len(centres) ** 2:
        index.fold(last, _sorted(members, vectors, assigned(unit(vectors), centres)), posted, anew=False)
    else:
        members, vectors = _all(index, place, members, vectors)
        centres, homes = cluster(vectors)
        last = last._replace(centroids=centres.tobytes())
        whole = _joined([*index.postings(place.number), *posted])
        index.fold(last, _sorted(members, vectors, homes), whole, anew=True)


def lists(stemmed: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return, for each stem in some memories, the numbers of those that hold it, in order."""
    counts = [len(stems) // 4 for _, stems in stemmed]
    numbers = np.repeat(np.array([number for number, _ in stemmed], np.int32), counts)
    stems = np.frombuffer(b"".join(stems for _, stems in stemmed), np.uint32)
    pairs = np.unique(stems.astype(np.uint64) << 32 | numbers.astype(np.uint64))
    sorted_stems, holders = (pairs >> 32).astype(np.int64), (pairs & 0xFFFFFFFF).astype(np.int32)
    found, starts = np.unique(sorted_stems, return_index=True)
    parts = np.split(holders, starts[1:])
    return [(int(stem), part.tobytes()) for stem, part in zip(found, parts, strict=True) if stem != END]


def _joined(pieces: Sequence[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Join lists that came in several pieces."""
    found: dict[int, list[bytes]] = {}
    for stem, members in pieces:
        found.setdefault(stem, []).append(members)
    return ((stem, b"".join(parts)) for stem, parts in found.items())


def cluster(vectors: NDArray[np.int8]) -> tuple[Matrix, NDArray[np.intp]]:
    """Return centres for vectors, and the nearest centre of each. It is deterministic."""
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
    """Return the tail and what lies in cells already, without those that are gone."""
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


# Cells looked into. On 24,000 real texts this finds 0.97 of the true nearest 100; see docs/decisions.
PROBES = 24
FLOATS = 32_768  # memories of a place whose vectors are kept ready: 32 MB, and half of the time
_NO_ROWS = np.empty((0, 0), np.int8)
_MOST_BLOCKS = 16  # of new vectors, before they are joined: each costs a call


class Block:
    """Vectors in memory: ready to be computed with, or as 8-bit integers where there are many."""

    def __init__(self, members: Numbers, rows: NDArray[np.int8], floats: bool) -> None:
        if not members.all():  # what has been deleted has no number
            members, rows = members[members > 0], rows[members > 0]
        self.members = members
        self._rows: NDArray[Any] = unit(rows) if floats else rows
        self._lengths: Matrix | None = None

    def cosines(self, query: Matrix) -> Matrix:
        if self._rows.dtype == np.float32:
            return self._rows @ query
        matrix = self._rows.astype(np.float32)
        if self._lengths is None:
            self._lengths = np.maximum(np.sqrt(np.einsum("ij,ij->i", matrix, matrix)), 1e-9)
        return (matrix @ query) / self._lengths


class _Held:
    """A place's vectors in memory, and the state that they were read from."""

    def __init__(self, place: Place) -> None:
        self.state = _state(place)
        self.last = place.folded if place.centroids else 0
        self.seen = (-1, -1)  # how far it was folded, and how long its tail was, when that was last read
        self.blocks: list[Block] = []
        self.cells: dict[int, Block] = {}


class Nearest:
    def __init__(self, index: Index) -> None:
        self._index = index
        self._held: dict[int, _Held] = {}

    def search(self, place: Place, query: Matrix, k: int, only: Numbers | None = None) -> tuple[Numbers, Matrix]:
        """Return the k best of a place, or of those among `only`, in no order."""
        blocks = self._blocks(place, query, every=only is not None)
        if not blocks:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        if len(blocks) == 1:
            members, cosines = blocks[0].members, blocks[0].cosines(query)
        else:
            members = np.concatenate([block.members for block in blocks])
            cosines = np.concatenate([block.cosines(query) for block in blocks])
        if only is not None:
            wanted = np.isin(members, only)
            members, cosines = members[wanted], cosines[wanted]
        if len(members) <= k:
            return members, cosines
        best = np.argpartition(-cosines, k - 1)[:k]
        return members[best], cosines[best]

    def _blocks(self, place: Place, query: Matrix, every: bool) -> list[Block]:
        held = self._held.get(place.number)
        if held is None or held.state != _state(place):
            held = self._held[place.number] = _Held(place)
            if not place.centroids:
                self._take(held, [(cell.members, cell.vectors) for cell in self._index.cells(place.number)])
                held.last = place.folded
        if held.seen != (place.folded, place.tail):
            if tail := self._index.tail(place.number, held.last):
                members = np.array([number for number, _, _ in tail], np.int32)
                self._take(held, [(members.tobytes(), b"".join(vector for _, vector, _ in tail))])
                held.last = tail[-1][0]
            held.seen = (place.folded, place.tail)
        return [*held.blocks, *(self._near(held, place, query, every) if place.centroids else [])]

    def _take(self, held: _Held, pieces: list[tuple[bytes, bytes]]) -> None:
        listed = [np.frombuffer(members, np.int32) for members, vectors in pieces if vectors]
        if not listed:
            return
        rows = [rows_of(vectors, len(m)) for m, (_, vectors) in zip(listed, pieces, strict=False)]
        held.blocks.append(Block(np.concatenate(listed), np.concatenate(rows), floats=True))
        if len(held.blocks) > _MOST_BLOCKS:
            joined = Block(np.concatenate([block.members for block in held.blocks]), _NO_ROWS, floats=False)
            joined._rows = np.concatenate([block._rows for block in held.blocks])
            held.blocks = [joined]

    def _near(self, held: _Held, place: Place, query: Matrix, every: bool) -> list[Block]:
        centres = np.frombuffer(place.centroids, np.float32).reshape(-1, len(query))
        scores = centres @ query
        near = range(len(centres)) if every else np.argpartition(-scores, min(PROBES, len(centres) - 1))[:PROBES]
        wanted = [int(cell) for cell in near]
        if missing := [cell for cell in wanted if cell not in held.cells]:
            pieces: dict[int, list[Cell]] = {cell: [] for cell in missing}
            for piece in self._index.cells(place.number, missing):
                pieces[piece.cell].append(piece)
            floats = place.held <= FLOATS
            held.cells.update((cell, _block(found, floats)) for cell, found in pieces.items() if found)
        return [held.cells[cell] for cell in wanted if cell in held.cells]


def _block(pieces: list[Cell], floats: bool) -> Block:
    members = np.frombuffer(b"".join(piece.members for piece in pieces), np.int32)
    return Block(members, rows_of(b"".join(piece.vectors for piece in pieces), len(members)), floats)


def _state(place: Place) -> tuple[int, int]:
    """Return the state that vectors in memory depend on: stretches grow at their end only."""
    return (place.shape, place.folded if place.centroids else 0)
