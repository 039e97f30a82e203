"""The vector channel: the memories of a place whose vectors point most nearly where the query does."""

from __future__ import annotations

import numpy as np

from treering.recall.profile.cells import rows_of, unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from treering.core.index import Cell, Index, Place
    from treering.core.ports import Matrix

    Numbers = NDArray[np.int32]

# Cells looked into. On 24,000 real texts this finds 0.97 of the true nearest 100; see docs/decisions.
PROBES = 24
FLOATS = 32_768  # memories of a place whose vectors are kept ready: 32 MB, and half of the time
_MOST_BLOCKS = 16  # of new vectors, before they are joined: each costs a call


class Block:
    """Vectors in memory: ready to be computed with, or as 8-bit integers where there are many."""

    def __init__(self, members: Numbers, rows: NDArray[np.int8], floats: bool) -> None:
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
    """What is kept in memory of a place, and which state of it that is."""

    def __init__(self, place: Place) -> None:
        self.state = _state(place)
        self.last = place.folded if place.centroids else 0
        self.blocks: list[Block] = []
        self.cells: dict[int, Block] = {}


class Nearest:
    def __init__(self, index: Index) -> None:
        self._index = index
        self._held: dict[int, _Held] = {}

    def search(self, place: Place, query: Matrix, k: int, only: Numbers | None = None) -> tuple[Numbers, Matrix]:
        """The k best of a place, or of those among `only`, in no order."""
        blocks = self._blocks(place, query, every=only is not None)
        if not blocks:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        members = np.concatenate([block.members for block in blocks])
        cosines = np.concatenate([block.cosines(query) for block in blocks])
        wanted = members > 0 if only is None else np.isin(members, only)
        if not wanted.all():
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
        if tail := self._index.tail(place.number, held.last):
            members = np.array([number for number, _ in tail], np.int32)
            self._take(held, [(members.tobytes(), b"".join(vector for _, vector in tail))])
            held.last = tail[-1][0]
        return [*held.blocks, *(self._near(held, place, query, every) if place.centroids else [])]

    def _take(self, held: _Held, pieces: list[tuple[bytes, bytes]]) -> None:
        listed = [np.frombuffer(members, np.int32) for members, vectors in pieces if vectors]
        if not listed:
            return
        rows = [rows_of(vectors, len(m)) for m, (_, vectors) in zip(listed, pieces, strict=False)]
        held.blocks.append(Block(np.concatenate(listed), np.concatenate(rows), floats=True))
        if len(held.blocks) > _MOST_BLOCKS:
            joined = Block(
                np.concatenate([block.members for block in held.blocks]), np.empty((0, 0), np.int8), floats=False
            )
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
            held.cells.update((cell, _joined(found, floats)) for cell, found in pieces.items() if found)
        return [held.cells[cell] for cell in wanted if cell in held.cells]


def _joined(pieces: list[Cell], floats: bool) -> Block:
    members = np.frombuffer(b"".join(piece.members for piece in pieces), np.int32)
    return Block(members, rows_of(b"".join(piece.vectors for piece in pieces), len(members)), floats)


def _state(place: Place) -> tuple[int, int]:
    """What must be the same for what is in memory to be true: stretches grow at their end only, cells do not."""
    return (place.shape, place.folded if place.centroids else 0)
