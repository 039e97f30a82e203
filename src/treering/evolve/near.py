"""Find texts that are near each other without comparing all with all.

Nearness counts vectors and stems; a rare stem counts for more. Each text gets a **sketch**, a row
of numbers whose products are about those nearnesses: its vector, and beside it its stems as random
signs at fixed places. `neighbours` assigns the rows to centres and compares each row only with
those at its nearest centres, so the work for a row grows with the square root of their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.evolve.rules import MERGE_LIKENESS
from treering.evolve.same import Likeness, likeness
from treering.ledger.types import Memory
from treering.recall.index.profiles import text_of
from treering.recall.recalls import Recalls
from treering.truth.compare import between

Rows = NDArray[np.int64]  # which rows, counted from 0
Matrix = NDArray[np.float32]

WHOLE = 2_048  # rows compared all with all, in a tenth of a second
CROWD = 4  # times as many as there are at a centre on average: more are parted
PROBES = 16  # centres, with whose rows each is compared: of pairs with a product of 0.8 this finds 99 in 100
_ROWS_AT_ONCE = 4_096  # rows looked at together: bounds the memory
_SPARE = 1 << 20  # hits kept beyond those that are wanted, before the rest is thrown away
_HIT = np.dtype([("one", np.int32), ("other", np.int32), ("product", np.float32)])


def neighbours(
    rows: Matrix, floor: float, most: int, progress: Callable[[int], None] = lambda done: None
) -> tuple[Rows, Matrix]:
    """Return pairs of rows with a product of at least `floor`, and their products: the `most`
    greatest of each row. A pair may come twice, once from either side. `progress` gets the count of
    rows done."""
    found, held, done = [np.empty(0, _HIT)], 0, 0
    homes, visits = _assign(rows)
    crowd = CROWD * len(rows) // max(len(np.unique(homes)), 1)
    for visitors, members in _meetings(homes, visits):
        for some, others in _split(rows, visitors, members, crowd):
            found.append(_hits(rows, some, others, floor, most))
            held += len(found[-1])
        if held > most * len(rows) + _SPARE:
            found = [_best(found, most)]
            held = len(found[0])
        done += len(members)
        progress(done)
    hits = _best(found, most)
    return np.stack([hits["one"], hits["other"]], axis=1).astype(np.int64), hits["product"]


def _best(found: list[NDArray[Any]], most: int) -> NDArray[Any]:
    """Return the greatest hits of each row."""
    hits = np.concatenate(found)
    hits = hits[np.lexsort((-hits["product"], hits["one"]))]
    _, starts, counts = np.unique(hits["one"], return_index=True, return_counts=True)
    return np.asarray(hits[np.arange(len(hits)) - np.repeat(starts, counts) < most])


def _assign(rows: Matrix) -> tuple[Rows, Rows]:
    """Return the nearest centre of each row, and its few nearest."""
    count = len(rows)
    if count <= WHOLE:
        return np.zeros(count, np.int64), np.zeros((count, 1), np.int64)
    centres = rows[np.linspace(0, count - 1, round((PROBES * count) ** 0.5)).astype(int)]
    centres = centres / np.maximum(np.sqrt(np.einsum("ij,ij->i", centres, centres)), 1e-9)[:, None]
    homes, visits = np.empty(count, np.int64), np.empty((count, PROBES), np.int64)
    for at in range(0, count, _ROWS_AT_ONCE):
        products = rows[at : at + _ROWS_AT_ONCE] @ centres.T
        homes[at : at + _ROWS_AT_ONCE] = products.argmax(axis=1)
        visits[at : at + _ROWS_AT_ONCE] = np.argpartition(products, -PROBES, axis=1)[:, -PROBES:]
    return homes, visits


def _meetings(homes: Rows, visits: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Yield for each centre the rows that visit it and the rows that belong to it."""
    order = np.argsort(visits, axis=None, kind="stable")
    guests, visited = order // visits.shape[1], visits.ravel()[order]
    members = np.argsort(homes, kind="stable")
    lived = homes[members]
    for centre in np.unique(homes):
        came = slice(*np.searchsorted(visited, (centre, centre + 1)))
        live = slice(*np.searchsorted(lived, (centre, centre + 1)))
        yield guests[came], members[live]


def _split(rows: Matrix, visitors: Rows, members: Rows, crowd: int) -> Iterator[tuple[Rows, Rows]]:
    """Split visitors and members along one axis into parts with few enough members. Near rows stay
    together, except at the ends of the parts."""
    parts = -(-len(members) // crowd)
    if parts > 1:
        start = rows[members[0]]
        axis = rows[members[(rows[members] @ start).argmin()]] - start
        visitors = visitors[np.argsort(rows[visitors] @ axis, kind="stable")]
        members = members[np.argsort(rows[members] @ axis, kind="stable")]
    for some, others in zip(np.array_split(visitors, parts), np.array_split(members, parts), strict=True):
        for at in range(0, len(some), _ROWS_AT_ONCE):
            yield some[at : at + _ROWS_AT_ONCE], others


def _hits(rows: Matrix, some: Rows, others: Rows, floor: float, most: int) -> NDArray[Any]:
    products = rows[some] @ rows[others].T
    near = products >= floor
    crowded = np.flatnonzero(near.sum(axis=1) > most + 1)  # one of them may be itself
    if len(crowded):
        best = np.argpartition(products[crowded], -most - 1, axis=1)[:, -most - 1 :]
        near[crowded] = False
        near[crowded[:, None], best] = True
    one, other = np.nonzero(near)
    found = np.empty(len(one), _HIT)
    found["one"], found["other"], found["product"] = some[one], others[other], products[one, other]
    return np.asarray(found[found["one"] != found["other"]])


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
    """The vectors and stems of some texts, as columns."""

    vectors: NDArray[Any]  # a row for each; of no width where there are none
    keys: NDArray[np.uint64]  # whose, and which stem: each once, in order
    starts: Rows  # where the keys of each begin, and where the last ones end
    squares: NDArray[np.float64]  # of the weight of each stem
    own: NDArray[np.bool_]  # whether no other text has the stem
    lengths: NDArray[np.float64]  # of the stems of each, as a vector
    said: NDArray[np.uint64]  # one number for all stems of each; 0 for none

    @property
    def worth(self) -> float:
        """The share of the stems in a nearness."""
        return WORDS if self.vectors.size else 1.0


def texts(stems: Sequence[bytes], vectors: NDArray[Any]) -> Texts:
    """Build the columns from the stems of each text, 32 bits each, and a row of vectors for each or none."""
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
        _sums(_mix(keys & _STEM), starts),
    )


def _sums(values: NDArray[Any], starts: Rows) -> NDArray[Any]:
    """Return the sum of each stretch; 0 for an empty one."""
    total = np.concatenate([np.zeros(1, values.dtype), np.cumsum(values)])
    return np.asarray(total[starts[1:]] - total[starts[:-1]])


def _mix(stems: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread stems widely, so that two sets of them with the same sum are one set."""
    mixed = stems * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(mixed ^ mixed >> _HALF)


def same(held: Texts, most: int) -> Rows:
    """Return pairs with the same stems as two columns; no text has more than `most` partners."""
    order = np.argsort(held.said, kind="stable")
    said = held.said[order]
    found = [np.empty((0, 2), np.int64)]
    for step in range(1, most // 2 + 1):  # as many come before it
        alike = (said[step:] == said[:-step]) & (said[step:] != 0)
        found.append(np.stack([order[:-step][alike], order[step:][alike]], axis=1))
    return np.concatenate(found)


def near(held: Texts, floor: float, most: int, progress: Callable[[int], None] = lambda done: None) -> Rows:
    """Return pairs about as near as `floor` or nearer as two columns: of each text, some `most` of
    the nearest. One text stands for all that have its stems."""
    _, rows = np.unique(held.said, return_index=True)
    shared = np.sqrt(_sums(np.where(held.own, 0, held.squares), held.starts)) / held.lengths
    # However near another is, its nearness is no more than this: a template's texts often share nothing that counts.
    reach = 1 - held.worth + held.worth * shared
    rows = np.sort(rows[(reach[rows] >= floor) & (held.said[rows] != 0)])
    passed = len(held.said) - len(rows)
    found, _ = neighbours(sketches(held, rows), floor - _SLACK, most, lambda done: progress(passed + done))
    return rows[found]


def sketches(held: Texts, rows: Rows, signs: int = SIGNS) -> Matrix:
    """Return a row for each of some texts. Stems that no other text has count in the length alone."""
    spots, drawn = _draw(signs)
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
def _draw(signs: int) -> tuple[Rows, Matrix]:
    """Return the places and the signs of each kind of stem."""
    dice = np.random.default_rng(_SEED)
    spots = dice.integers(0, signs // _EACH, (_KINDS, _EACH)) + np.arange(0, signs, signs // _EACH)
    return spots, np.asarray((2 * dice.integers(0, 2, spots.shape) - 1) / _EACH**0.5, np.float32)


def measure(held: Texts, pairs: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the nearness of each pair, 0 to 1, and the cosine of its vectors (without vectors, of its stems)."""
    blocks = [pairs[at : at + _BLOCK] for at in range(0, len(pairs), _BLOCK)]
    words = np.concatenate([np.empty(0), *(_agreement(held, block) for block in blocks)])
    if not held.vectors.size:
        return words, words
    cosines = np.concatenate([np.empty(0), *(_cosines(held, block) for block in blocks)])
    return held.worth * words + (1 - held.worth) * cosines, cosines


def _stretches(held: Texts, rows: Rows) -> tuple[Rows, Rows]:
    """Return the places of the keys of some texts in a row, and where those of each begin."""
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
    """Return the cosine of the stems of each pair."""
    one, other = pairs.T
    places, starts = _stretches(held, one)
    wanted = np.repeat(other, np.diff(starts)).astype(np.uint64) << _HALF | held.keys[places] & _STEM
    at = np.minimum(np.searchsorted(held.keys, wanted), len(held.keys) - 1)
    shared = np.where(held.keys[at] == wanted, held.squares[places], 0)
    return np.asarray(_sums(shared, starts) / (held.lengths[one] * held.lengths[other]))


def alike(recalling: Recalls, one: Memory, other: Memory) -> bool:
    """Tell whether two memories say the same."""
    return one.content == other.content or least_alike(recalling, [one, other])[0] > MERGE_LIKENESS


def least_alike(recalling: Recalls, memories: Sequence[Memory]) -> tuple[float, str]:
    """Return the likeness of the two that are least alike, and what differs in them."""
    texts = [text_of(memory) for memory in memories]
    vectors = recalling.vectors(texts)
    found = []
    for one, other in combinations(range(len(texts)), 2):
        cosine = float(vectors[one] @ vectors[other]) if vectors is not None else 0.0
        found.append(compare(texts[one], texts[other], cosine))
    least = min(found, key=lambda pair: pair.score)
    return least.score, ", ".join(least.differs)


def compare(one: str, other: str, cosine: float) -> Likeness:
    """Return the likeness of two texts; it is never high for texts that contradict each other."""
    found = likeness(one, other, cosine)
    if found.score > MERGE_LIKENESS and (conflict := between(one, other)):
        return found._replace(score=MERGE_LIKENESS, differs=(f"they contradict each other: {conflict.kind}",))
    return found
