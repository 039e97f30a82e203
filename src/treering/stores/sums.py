"""Count what places, cells and postings hold, whatever store keeps them."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from typing import NamedTuple

from treering.stores.port.search import PASSAGE, Profile


class Sums(NamedTuple):
    """What profiles add to their place, or take from it."""

    held: int
    length: int
    total: bytes
    norms: int


def summed(total: bytes, norms: int, profiles: Sequence[Profile], sign: int) -> Sums:
    """Return the change of a place's counts, and its new sums, when profiles come (1) or go (-1)."""
    added, lengths = _added([profile.vector for profile in profiles])
    now = array("i", total or bytes(4 * len(added)))
    for axis, value in enumerate(added):
        now[axis] += sign * value
    length = sum(max(profile.words, PASSAGE) for profile in profiles)
    return Sums(sign * len(profiles), sign * length, now.tobytes(), norms + sign * lengths)


def emptied(members: bytes, vectors: bytes, gone: Collection[int]) -> tuple[bytes, bytes]:
    """Return a cell in which the vectors of some members are overwritten."""
    listed = array("i", members)
    width = len(vectors) // len(listed)
    left = bytearray(vectors)
    for at, number in enumerate(listed):
        if number in gone:
            listed[at] = 0
            left[at * width : (at + 1) * width] = bytes(width)
    return listed.tobytes(), bytes(left)


def without(members: bytes, gone: Collection[int]) -> bytes:
    """Return a list of numbers without some."""
    return array("i", (number for number in array("i", members) if number not in gone)).tobytes()


def _added(vectors: Sequence[bytes]) -> tuple[list[int], int]:
    """Return the sum of vectors, and of their lengths in whole numbers."""
    if len(vectors) == 1:  # without numpy, which costs a process that forgets one memory more than all the rest
        one = array("b", vectors[0])
        return list(one), round(sum(value * value for value in one) ** 0.5)
    import numpy

    # Whole numbers: what is added with others and taken out alone must come to nothing.
    matrix = numpy.frombuffer(b"".join(vectors), numpy.int8).reshape(len(vectors), -1).astype(numpy.int32)
    lengths = numpy.sqrt(numpy.einsum("ij,ij->i", matrix, matrix))
    return [int(value) for value in matrix.sum(0)], int(numpy.rint(lengths).sum())
