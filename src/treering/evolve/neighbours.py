"""The rows of a matrix that lie near each other, without comparing all with all.

Rows gather round centres, which are some of the rows themselves, and each is compared with those that have gathered at
the few centres nearest to it. The work for one row grows with the square root of their number. A crowd round one centre
is parted, so that rows that are all alike cost little more.
"""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from numpy.typing import NDArray

    from treering.core.ports import Matrix

    Rows = NDArray[np.int64]  # which rows, counted from 0

WHOLE = 2_048  # rows compared all with all, in a tenth of a second
CROWD = 4  # times as many as there are at a centre on average: more are parted
PROBES = 16  # centres, with whose rows each is compared: of pairs with a product of 0.8 this finds 99 in 100
_BLOCK = 4_096  # rows looked at together: bounds the memory
_SPARE = 1 << 20  # hits kept beyond those that are wanted, before the rest is thrown away
_HIT = np.dtype([("one", np.int32), ("other", np.int32), ("product", np.float32)])


def neighbours(
    rows: Matrix, floor: float, most: int, progress: Callable[[int], None] = lambda done: None
) -> tuple[Rows, Matrix]:
    """Pairs of rows with a product of at least `floor`, and their products. For each row its `most` greatest are there;
    a pair may come twice, once from either side. Progress is told how many rows are through."""
    found, held, done = [np.empty(0, _HIT)], 0, 0
    homes, visits = _gathered(rows)
    crowd = CROWD * len(rows) // max(len(np.unique(homes)), 1)
    for visitors, members in _meetings(homes, visits):
        for some, others in _parted(rows, visitors, members, crowd):
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
    """Of all hits of a row, its greatest."""
    hits = np.concatenate(found)
    hits = hits[np.lexsort((-hits["product"], hits["one"]))]
    _, starts, counts = np.unique(hits["one"], return_index=True, return_counts=True)
    return np.asarray(hits[np.arange(len(hits)) - np.repeat(starts, counts) < most])


def _gathered(rows: Matrix) -> tuple[Rows, Rows]:
    """The nearest centre of each row, and the few nearest."""
    count = len(rows)
    if count <= WHOLE:
        return np.zeros(count, np.int64), np.zeros((count, 1), np.int64)
    centres = rows[np.linspace(0, count - 1, round((PROBES * count) ** 0.5)).astype(int)]
    centres = centres / np.maximum(np.sqrt(np.einsum("ij,ij->i", centres, centres)), 1e-9)[:, None]
    homes, visits = np.empty(count, np.int64), np.empty((count, PROBES), np.int64)
    for at in range(0, count, _BLOCK):
        products = rows[at : at + _BLOCK] @ centres.T
        homes[at : at + _BLOCK] = products.argmax(axis=1)
        visits[at : at + _BLOCK] = np.argpartition(products, -PROBES, axis=1)[:, -PROBES:]
    return homes, visits


def _meetings(homes: Rows, visits: Rows) -> Iterator[tuple[Rows, Rows]]:
    """For each centre: who is compared there, and with whom."""
    order = np.argsort(visits, axis=None, kind="stable")
    guests, visited = order // visits.shape[1], visits.ravel()[order]
    members = np.argsort(homes, kind="stable")
    lived = homes[members]
    for centre in np.unique(homes):
        came = slice(*np.searchsorted(visited, (centre, centre + 1)))
        live = slice(*np.searchsorted(lived, (centre, centre + 1)))
        yield guests[came], members[live]


def _parted(rows: Matrix, visitors: Rows, members: Rows, crowd: int) -> Iterator[tuple[Rows, Rows]]:
    """Both in as many parts as make the members few enough, in the order in which they lie along one axis: what is
    near stays together, but for the ends of the parts."""
    parts = -(-len(members) // crowd)
    if parts > 1:
        start = rows[members[0]]
        axis = rows[members[(rows[members] @ start).argmin()]] - start
        visitors = visitors[np.argsort(rows[visitors] @ axis, kind="stable")]
        members = members[np.argsort(rows[members] @ axis, kind="stable")]
    for some, others in zip(np.array_split(visitors, parts), np.array_split(members, parts), strict=True):
        for at in range(0, len(some), _BLOCK):
            yield some[at : at + _BLOCK], others


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
