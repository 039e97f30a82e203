"""Hold the episodes of one place for grouping: the worth of each term, vectors and times."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treering.consolidate.summaries.terms import TAG, terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Scores = NDArray[np.float64]
    Marks = NDArray[np.bool_]
    Vector = NDArray[np.float32]

# A place with fewer episodes is looked at as if others of it spoke of other things: in a place with one matter only,
# its words are as telling as elsewhere.
FEWEST = 32
_BITS = 9.0  # that a term of one episode is worth in a place of 512: there it counts 1, in a larger place more
RARE = 0.02  # of the episodes of a place that may have a term which still tells something
LEAST_RARE = 32  # episodes that may have it in any place
NAMED = 1.0  # what a name counts for against a word as rare
_LULL = 35 * 86_400_000_000  # microseconds: what is spoken of in more than two such stretches is no single story
TAGGED = 0.4  # and a tag: whoever tags names a wide field
LENGTH = 0.15  # how much the length of a text counts against what it shares by chance: 0 not at all, 1 as in a cosine
TYPICAL = 8.0  # rare terms of a note for which its length makes no difference


class Held(NamedTuple):
    """Episodes of one place, in the order of time."""

    keys: Rows  # the terms of all, one episode after the other, those of each in order
    starts: Rows  # where those of each begin, and where the last end
    weights: Scores  # what each of them counts for where it stands
    listed: Rows  # one number for each of them and whose it is, in order, so that it can be searched for
    worth: Scores  # of each term: 1 for one that a single episode has, 0 for one that all have
    rare: Marks  # whether a term tells something
    named: Marks  # whether it is a name
    shown: list[str]  # the word of each
    scales: Scores  # what the worths of each episode are multiplied with, for its length
    vectors: list[Vector | None]
    times: list[int]
    firsts: list[int]  # how many episodes are older than each,
    lasts: list[int]  # and how many are not younger

    def between(self, one: int, other: int) -> int:
        """Return how many others lie between two episodes in time, or at their moments."""
        return max(self.lasts[one], self.lasts[other]) - min(self.firsts[one], self.firsts[other]) - 2

    def of(self, at: int) -> list[int]:
        """Return the terms of an episode."""
        found: list[int] = self.keys[self.starts[at] : self.starts[at + 1]].tolist()
        return found


class _Read(NamedTuple):
    """The terms of texts as numbers."""

    keys: Rows
    starts: Rows
    weights: Scores
    shown: list[str]
    tagged: Marks
    named: Rows  # how many texts have each term as a name


def held(texts: Iterable[tuple[str, tuple[str, ...]]], vectors: Sequence[Vector | None], times: Sequence[int]) -> Held:
    """Return what texts with tags hold."""
    read = _read(texts)
    counts = np.bincount(read.keys, minlength=len(read.shown))
    some = max(FEWEST, 1 << max(len(times) - 1, 0).bit_length())  # a step: one more episode changes no worth
    is_name = 2 * read.named >= counts
    worth = np.log2(np.maximum(some / np.maximum(counts, 1), 1)) / _BITS
    worth *= np.where(read.tagged, TAGGED, np.where(is_name, NAMED, 1.0))
    worth /= np.sqrt(np.maximum(_stretches(read, times) / 2, 1))
    rare = (counts <= max(LEAST_RARE, RARE * some)) & ~read.tagged
    scales = _scales(read.weights * worth[read.keys], read.starts)
    # What nobody else has counts in the length alone.
    owners = np.repeat(np.arange(len(times)), np.diff(read.starts))
    shared = counts[read.keys] > 1
    keys, owners, weights = read.keys[shared], owners[shared], read.weights[shared]
    starts = np.searchsorted(owners, np.arange(len(times) + 1))
    listed = owners * len(read.shown) + keys
    ordered = np.array(times, np.int64)
    return Held(
        keys,
        starts,
        weights,
        listed,
        worth,
        rare,
        is_name,
        read.shown,
        scales,
        _of_one_width(vectors),
        list(times),
        np.searchsorted(ordered, ordered, side="left").tolist(),
        np.searchsorted(ordered, ordered, side="right").tolist(),
    )


def _read(texts: Iterable[tuple[str, tuple[str, ...]]]) -> _Read:
    numbers: dict[str, int] = {}
    shown: list[str] = []
    named: list[int] = []
    keys, weights, starts = array("q"), array("d"), array("q", [0])
    for text, tags in texts:
        found = []
        for term in terms(text, tags):
            number = numbers.setdefault(term.key, len(shown))
            if number == len(shown):
                shown.append(term.word)
                named.append(0)
            named[number] += term.is_name
            found.append((number, term.weight))
        found.sort()
        keys.extend(number for number, _ in found)
        weights.extend(weight for _, weight in found)
        starts.append(len(keys))
    return _Read(
        np.array(keys, np.int64),
        np.array(starts, np.int64),
        np.array(weights, np.float64),
        shown,
        np.array([term[0] == TAG for term in numbers], bool),
        np.array(named, np.int64),
    )


def _stretches(read: _Read, times: Sequence[int]) -> Scores:
    """Return in how many stretches of time each term comes up; a person is in all of them."""
    when = np.repeat(np.array(times, np.int64) // _LULL, np.diff(read.starts))
    _, once = np.unique(np.stack([read.keys, when], axis=1), axis=0, return_index=True)
    return np.bincount(read.keys[once], minlength=len(read.shown)).astype(np.float64)


def _scales(worths: Scores, starts: Rows) -> Scores:
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    lengths = np.bincount(owners, worths, len(starts) - 1)
    return np.asarray((TYPICAL / np.maximum(lengths, TYPICAL / 2)) ** (LENGTH / 2))


def _of_one_width(vectors: Sequence[Vector | None]) -> list[Vector | None]:
    """Return the vectors of one embedder, without those of no length."""
    widths = Counter(len(vector) for vector in vectors if vector is not None)
    width = min(widths, key=lambda width: (-widths[width], width), default=0)
    return [vector if vector is not None and len(vector) == width and vector.any() else None for vector in vectors]
