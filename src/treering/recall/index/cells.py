"""Search vectors: all of a small place; of a large one those whose signs are most like the question's.

Vectors lie in cells, each a run of them. In memory each also has one bit for each of its numbers: whether it is above
the mean. Counting the bits that differ takes little time, and among the few per cent with the fewest are nearly all
of the nearest: these alone are compared in full. See docs/decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treering.recall.index.postings import END
from treering.stores.port.search import Cell, Index, Place

if TYPE_CHECKING:
    from treering.models.port import Matrix


Numbers = NDArray[np.int32]
Bits = NDArray[np.uint64]

EXACT = 4_096  # memories of a place that are searched whole, in a third of a millisecond
SIFTED = (1_000, 25)  # vectors compared in full: so many, and beyond that this part of all; see docs/decisions
_WIDER = 16  # or so many times as many as are wanted
LONGEST_TAIL = (2_048, 8_192)  # vectors outside of cells, which are read one by one: the least and the most allowed
_TAIL_SHARE = 32  # between the two, a tail may be this part of its place
_CELL = 1_024  # vectors in a cell: whichever holds one that is purged is written anew
_BLOCK = 8_192  # vectors made ready at a time: bounds the memory


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
    """Put the tail of a place into cells. Inside a transaction."""
    tail = index.tail(place.number, place.folded)
    if not tail:
        return
    members = np.array([number for number, _, _ in tail], np.int32)
    vectors = rows_of(b"".join(vector for _, vector, _ in tail), len(tail))
    cells = [
        Cell(0, members[at : at + _CELL].tobytes(), vectors[at : at + _CELL].tobytes())
        for at in range(0, len(tail) if vectors.size else 0, _CELL)
    ]
    posted = lists([(number, stems) for number, _, stems in tail])
    index.fold(place._replace(folded=int(members[-1]), centroids=b""), cells, posted, anew=False)


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


class Vectors:
    """The vectors of a place in memory, as they come."""

    def __init__(self, place: Place) -> None:
        self.shape = place.shape
        self.last = 0  # the highest number that has come
        self.seen = (-1, -1)  # how far the place was folded, and how long its tail was, when that was last read
        total = np.frombuffer(place.total, np.int32).astype(np.float32)
        self._mean = total / max(place.norms, 1)
        self.count = 0
        self._members: Numbers = np.empty(0, np.int32)
        self._rows: NDArray[np.int8] = np.empty((0, len(total)), np.int8)
        self._lengths: Matrix = np.empty(0, np.float32)
        self._bits: Bits = np.empty((0, 0), np.uint64)
        self._floats: Matrix | None = None  # of a place that is searched whole

    def add(self, members: Numbers, rows: NDArray[np.int8]) -> None:
        if not members.all():  # what has been deleted has no number
            members, rows = members[members > 0], rows[members > 0]
        start, self.count = self.count, self.count + len(members)
        if self.count > len(self._members):
            self._grow(rows.shape[1])
        here = slice(start, self.count)
        self._members[here], self._rows[here] = members, rows
        for at in range(start, self.count, _BLOCK):
            block = slice(at, min(at + _BLOCK, self.count))
            matrix = self._rows[block].astype(np.float32)
            self._lengths[block] = np.maximum(np.sqrt(np.einsum("ij,ij->i", matrix, matrix)), 1e-9)
            self._bits[block] = self._signs(matrix / self._lengths[block, None])
        self._floats = None

    def nearest(self, query: Matrix, k: int, only: Numbers | None) -> tuple[Numbers, Matrix]:
        """Return the k best, or the k best among `only`, in no order."""
        at = self._sifted(query, k, only)
        if at is None:
            if self._floats is None:
                self._floats = unit(self._rows[: self.count])
            members, cosines = self._members[: self.count], self._floats @ query
        else:
            members, cosines = self._members[at], (self._rows[at].astype(np.float32) @ query) / self._lengths[at]
        if len(members) <= k:
            return members, cosines
        best = np.argpartition(-cosines, k - 1)[:k]
        return members[best], cosines[best]

    def _sifted(self, query: Matrix, k: int, only: Numbers | None) -> NDArray[np.intp] | None:
        """Return the places of the vectors that may be among the nearest; nothing if that may be any."""
        among = None if only is None else np.isin(self._members[: self.count], only).nonzero()[0]
        count = self.count if among is None else len(among)
        least, part = SIFTED
        most = max(least, count // part, _WIDER * k)
        if count <= max(EXACT, most):
            return among
        bits = self._bits[: self.count] if among is None else self._bits[among]
        differing = np.bitwise_count(bits ^ self._signs(query[None]))
        far = differing[:, 0].astype(np.uint16)
        for column in range(1, differing.shape[1]):
            far += differing[:, column]
        chosen = np.argpartition(far, most - 1)[:most]
        return chosen if among is None else among[chosen]

    def _signs(self, rows: Matrix) -> Bits:
        """Return a bit for each number of each vector, in whole words."""
        packed = np.packbits(rows > self._mean, axis=1)
        return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)

    def _grow(self, width: int) -> None:
        room = max(2 * len(self._members), self.count)
        words = -(-width // 64)
        for name, shape in (("_members", ()), ("_rows", (width,)), ("_lengths", ()), ("_bits", (words,))):
            old = getattr(self, name)
            grown = np.zeros((room, *shape), old.dtype)
            if len(old):
                grown[: len(old)] = old
            setattr(self, name, grown)


class Nearest:
    def __init__(self, index: Index) -> None:
        self._index = index
        self._held: dict[int, Vectors] = {}

    def search(self, place: Place, query: Matrix, k: int, only: Numbers | None = None) -> tuple[Numbers, Matrix]:
        """Return the k best of a place, or of those among `only`, in no order."""
        held = self._vectors(place)
        return held.nearest(query, k, only) if held.count else (np.empty(0, np.int32), np.empty(0, np.float32))

    def _vectors(self, place: Place) -> Vectors:
        held = self._held.get(place.number)
        if held is None or held.shape != place.shape:
            held = self._held[place.number] = Vectors(place)
            for cell in self._index.cells(place.number):
                if cell.vectors:
                    members = np.frombuffer(cell.members, np.int32)
                    held.add(members, rows_of(cell.vectors, len(members)))
            held.last = place.folded
        if held.seen != (place.folded, place.tail):
            if tail := self._index.tail(place.number, held.last):
                vectors = b"".join(vector for _, vector, _ in tail)
                if vectors:
                    held.add(np.array([number for number, _, _ in tail], np.int32), rows_of(vectors, len(tail)))
                held.last = tail[-1][0]
            held.seen = (place.folded, place.tail)
        return held
