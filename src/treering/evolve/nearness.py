"""How near texts are to each other: by their vectors, and by their stems.

A rare stem counts for more than a common one. So that not all texts are compared with all, each gets a **sketch**, a
row of numbers whose products are those nearnesses, or nearly: its vector, and beside it its stems, each as a few random
signs at fixed spots. `neighbours` finds sketches that are near.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from treering.core.tuples import NamedTuple
from treering.evolve.neighbours import neighbours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from treering.core.ports import Matrix
    from treering.evolve.neighbours import Rows

WORDS = 0.5  # how much of a nearness is the stems'; the rest is the vectors'
SIGNS = 256  # numbers for the stems of a sketch
_SLACK = 0.05  # nearness that so many signs may miss; what they find is measured again
_EACH = 8  # signs of a stem: as good as one for every number, and quick
_KINDS = 1 << 16  # ways to take part: two stems have the same one by chance once in 65,536 times
_SEED = 5  # the same texts have the same sketches
_BLOCK = 1_024  # texts, or pairs, whose stems are looked at together: bounds the memory to some 50 MB
_STEM = np.uint64(0xFFFFFFFF)  # the lower half of a key; the upper is whose it is
_HALF = np.uint64(32)


class Texts(NamedTuple):
    """What some texts hold, side by side."""

    vectors: NDArray[Any]  # a row for each; of no width where there are none
    keys: NDArray[np.uint64]  # whose, and which stem: each once, in order
    starts: Rows  # where the keys of each begin, and where the last ones end
    squares: NDArray[np.float64]  # of the weight of each stem
    own: NDArray[np.bool_]  # whether no other text has the stem
    lengths: NDArray[np.float64]  # of the stems of each, as a vector
    said: NDArray[np.uint64]  # one number for all stems of each; 0 for none

    @property
    def worth(self) -> float:
        """How much the stems count for."""
        return WORDS if self.vectors.size else 1.0


def texts(stems: Sequence[bytes], vectors: NDArray[Any]) -> Texts:
    """Texts of the stems that each has, 32 bits each, and a row of vectors for each or none at all."""
    count = len(stems)
    owners = np.repeat(np.arange(count, dtype=np.uint64), [len(each) // 4 for each in stems])
    keys = np.sort(owners << _HALF | np.frombuffer(b"".join(stems), np.uint32))
    # Each once; and 0, which stands between a memory's text and its tags, is no stem.
    keys = keys[(np.diff(keys, prepend=np.uint64(0)) > 0) & (keys & _STEM > 0)]
    starts = np.searchsorted(keys, np.arange(count + 1, dtype=np.uint64) << _HALF)
    _, which, holders = np.unique(keys & _STEM, return_inverse=True, return_counts=True)
    squares = (np.log1p(count / holders) ** 2)[which]
    return Texts(
        vectors,
        keys,
        starts,
        squares,
        (holders == 1)[which],
        np.maximum(np.sqrt(_sums(squares, starts)), 1e-9),
        _sums(_mixed(keys & _STEM), starts),
    )


def _sums(values: NDArray[Any], starts: Rows) -> NDArray[Any]:
    """The sum of each stretch; of an empty one, 0."""
    total = np.concatenate([np.zeros(1, values.dtype), np.cumsum(values)])
    return np.asarray(total[starts[1:]] - total[starts[:-1]])


def _mixed(stems: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers spread so widely that two sets of stems with the same sum are one set."""
    mixed = stems * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(mixed ^ mixed >> _HALF)


def same(held: Texts, most: int) -> Rows:
    """Pairs with the same stems, as two columns: each text and the next few that have them, so that none has more than
    `most` partners."""
    order = np.argsort(held.said, kind="stable")
    said = held.said[order]
    found = [np.empty((0, 2), np.int64)]
    for step in range(1, most // 2 + 1):  # as many come before it
        alike = (said[step:] == said[:-step]) & (said[step:] != 0)
        found.append(np.stack([order[:-step][alike], order[step:][alike]], axis=1))
    return np.concatenate(found)


def near(held: Texts, floor: float, most: int, progress: Callable[[int], None] = lambda done: None) -> Rows:
    """Pairs that are about as near as `floor` or nearer, as two columns: of each text, some `most` of the nearest. One
    text stands for all that have its stems."""
    _, rows = np.unique(held.said, return_index=True)
    shared = np.sqrt(_sums(np.where(held.own, 0, held.squares), held.starts)) / held.lengths
    # However near another is, its nearness is no more than this: a template's texts often share nothing that counts.
    reach = 1 - held.worth + held.worth * shared
    rows = np.sort(rows[(reach[rows] >= floor) & (held.said[rows] != 0)])
    passed = len(held.said) - len(rows)
    found, _ = neighbours(sketches(held, rows), floor - _SLACK, most, lambda done: progress(passed + done))
    return rows[found]


def sketches(held: Texts, rows: Rows, signs: int = SIGNS) -> Matrix:
    """A row for each of some texts. Stems that no other has are left out: they count in the length alone."""
    spots, drawn = _drawn(signs)
    width = held.vectors.shape[1]
    made = np.empty((len(rows), width + signs), np.float32)
    for at in range(0, len(rows), _BLOCK):
        some, here = rows[at : at + _BLOCK], slice(at, at + _BLOCK)
        places, starts = _stretches(held, some)
        whose = np.repeat(np.arange(len(some)), np.diff(starts))
        weights = np.where(held.own[places], 0, np.sqrt(held.squares[places]))
        kinds = held.keys[places] % _KINDS
        into = (whose[:, None] * signs + spots[kinds]).ravel()
        summed = np.bincount(into, (drawn[kinds] * weights[:, None]).ravel(), len(some) * signs)
        made[here, :width] = _unit(held.vectors[some]) * (1 - held.worth) ** 0.5
        made[here, width:] = summed.reshape(-1, signs) * (held.worth**0.5 / held.lengths[some])[:, None]
    return made


@lru_cache(2)
def _drawn(signs: int) -> tuple[Rows, Matrix]:
    """Where each way to take part has its signs, and which."""
    dice = np.random.default_rng(_SEED)
    spots = dice.integers(0, signs // _EACH, (_KINDS, _EACH)) + np.arange(0, signs, signs // _EACH)
    return spots, np.asarray((2 * dice.integers(0, 2, spots.shape) - 1) / _EACH**0.5, np.float32)


def measured(held: Texts, pairs: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How near the two of each pair are, 0 to 1, and the cosine of their vectors; without vectors, of their stems."""
    blocks = [pairs[at : at + _BLOCK] for at in range(0, len(pairs), _BLOCK)]
    words = np.concatenate([np.empty(0), *(_agreement(held, block) for block in blocks)])
    if not held.vectors.size:
        return words, words
    cosines = np.concatenate([np.empty(0), *(_cosines(held, block) for block in blocks)])
    return held.worth * words + (1 - held.worth) * cosines, cosines


def _stretches(held: Texts, rows: Rows) -> tuple[Rows, Rows]:
    """Where the keys of some texts are, one after the other; and where those of each begin in that."""
    counts = held.starts[rows + 1] - held.starts[rows]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return np.repeat(held.starts[rows] - starts[:-1], counts) + np.arange(starts[-1]), starts


def _unit(rows: NDArray[Any]) -> Matrix:
    matrix = rows.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    return np.asarray(matrix / np.maximum(lengths, 1e-9)[:, None], np.float32)


def _cosines(held: Texts, pairs: Rows) -> NDArray[np.float64]:
    one, other = (_unit(held.vectors[side]) for side in pairs.T)
    return np.asarray(np.einsum("ij,ij->i", one, other), np.float64)


def _agreement(held: Texts, pairs: Rows) -> NDArray[np.float64]:
    """The cosine of the stems of each pair."""
    one, other = pairs.T
    places, starts = _stretches(held, one)
    wanted = np.repeat(other, np.diff(starts)).astype(np.uint64) << _HALF | held.keys[places] & _STEM
    at = np.minimum(np.searchsorted(held.keys, wanted), len(held.keys) - 1)
    shared = np.where(held.keys[at] == wanted, held.squares[places], 0)
    return np.asarray(_sums(shared, starts) / (held.lengths[one] * held.lengths[other]))
