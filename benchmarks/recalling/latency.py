"""How long a recall takes in a process that is running, query by query in turn with bare search on the same notes.

Bare is one FTS5 query (every word of the question that is not a stop word, joined with OR, the best ten by bm25) and
one exact search (a product with all vectors in float32, the best ten), without making the question's vector; ours is
`memory.recall(question, 10)`, with everything. A round is 200 different questions after some to warm up; the ratio is
the median over the rounds. The processor's time, which other work on the machine changes less, is told beside that of
the FTS5 query alone: as a mean, since a clock that ticks coarsely is right on average.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from time import perf_counter, process_time
from typing import NamedTuple

import numpy

import treering
from benchmarks import bare
from benchmarks.figures import Figure, figure
from benchmarks.recall.baselines import Vectors, Words, fused
from benchmarks.recall.measures import DEPTH
from benchmarks.recall.vectors import Matrix
from benchmarks.recalling.notes import Question, notes, questions
from benchmarks.recalling.stock import Stock
from treering.models.embed.static import StaticEmbedder

GOALS = {10_000: 1.5, 100_000: 0.5}  # ours over bare, by size
PROCESSOR = {1_000: 4.0, 10_000: 2.0}  # of its time, ours over the FTS5 query alone
GROWTH = {1_000_000: 3.0}  # p95 over that at a tenth of the size
_WARM = 5  # questions before the clock is read
_MIDDLE, _TAIL = 50, 95


class Plan(NamedTuple):
    queries: int = 200  # of a round
    rounds: int = 3


class _Bare:
    """Plain search over a stock."""

    def __init__(self, stock: Stock) -> None:
        self._db = bare.connect(stock.words)
        self._words = Words(self._db)
        self._vectors = Vectors(numpy.load(stock.vectors))

    def find(self, question: str, vector: Matrix) -> list[int]:
        return fused(self._words.find(question), self._vectors.find(vector))[:DEPTH]

    def find_words(self, question: str) -> list[int]:
        return self._words.find(question)

    def close(self) -> None:
        self._db.close()


class _Round(NamedTuple):
    bare: list[float]  # milliseconds, question by question
    ours: list[float]
    found_bare: float  # the share of the questions whose note was among the ten
    found_ours: float
    worked_bare: float  # milliseconds of the processor for one, on average: for the FTS5 query alone
    worked_ours: float


def figures(stocks: Sequence[Stock], plan: Plan) -> Iterator[Figure]:
    """At every size; then how the slow ones grow."""
    tails: dict[int, float] = {}
    for stock in stocks:
        plain = _Bare(stock)
        rounds = _rounds(stock, stock.home, plain, plan, log=False)
        yield from _times("recall", stock.size, rounds, GOALS.get(stock.size))
        yield _work("recall", stock.size, rounds, PROCESSOR.get(stock.size))
        tails[stock.size] = _percentile([ms for each in rounds for ms in each.ours], _TAIL)
        if stock.size // 10 in tails:
            yield _growth(stock.size, tails)
        pairs = [(max(each.found_bare, 1e-9), each.found_ours) for each in rounds]
        yield figure("known note among the ten; bare: ranks fused 1 : 1", stock.size, "of 1", pairs)
        with tempfile.TemporaryDirectory(dir=os.path.dirname(stock.place), prefix="recall-logged-") as place:
            home = shutil.copytree(stock.home, os.path.join(place, "home"))  # the kept store is not to learn from this
            rounds = _rounds(stock, home, plain, plan, log=True)
            yield from _times("recall, logged", stock.size, rounds)
            yield _work("recall, logged", stock.size, rounds)
        plain.close()


def _rounds(stock: Stock, home: str, plain: _Bare, plan: Plan, log: bool) -> list[_Round]:
    asked = questions(_WARM + plan.queries * plan.rounds, stock.size)
    vectors = StaticEmbedder().embed([question.text for question in asked])
    pairs = list(zip(asked, vectors, strict=True))
    starts = range(_WARM, len(pairs), plan.queries)
    with treering.open(home) as memory:
        _round(memory, plain, pairs[:_WARM], log)
        return [_round(memory, plain, pairs[start : start + plan.queries], log) for start in starts]


def _round(memory: treering.Treering, plain: _Bare, pairs: Sequence[tuple[Question, Matrix]], log: bool) -> _Round:
    theirs, ours, found = [], [], []
    words, work = 0.0, 0.0
    for question, vector in pairs:
        idle = process_time()
        plain.find_words(question.text)
        words += process_time() - idle
        begin = perf_counter()
        places = plain.find(question.text, vector)
        middle = perf_counter()
        idle = process_time()
        hits = memory.recall(question.text, DEPTH, log=log).hits
        work += process_time() - idle
        end = perf_counter()
        theirs.append(1000 * (middle - begin))
        ours.append(1000 * (end - middle))
        (note,) = notes(question.note, 1)
        found.append((question.note in places, any(hit.memory.content == note.content for hit in hits)))
    found_bare, found_ours = (sum(each) / len(pairs) for each in zip(*found, strict=True))
    return _Round(theirs, ours, found_bare, found_ours, *(1000 * each / len(pairs) for each in (words, work)))


def _times(name: str, size: int, rounds: Sequence[_Round], goal: float | None = None) -> Iterator[Figure]:
    for percent in (_MIDDLE, _TAIL):
        pairs = [(_percentile(each.bare, percent), _percentile(each.ours, percent)) for each in rounds]
        yield figure(f"{name}, p{percent}", size, "ms", pairs, goal)


def _work(name: str, size: int, rounds: Sequence[_Round], goal: float | None = None) -> Figure:
    pairs = [(each.worked_bare, each.worked_ours) for each in rounds]
    return figure(f"{name}, processor; bare: FTS5 alone", size, "ms", pairs, goal)


def _growth(size: int, tails: dict[int, float]) -> Figure:
    """The slow ones beside those of a store a tenth as large."""
    pair = (tails[size // 10], tails[size])
    return figure("recall, p95, beside that at a tenth of the size", size, "ms", [pair], GROWTH.get(size))


def _percentile(times: Sequence[float], percent: int) -> float:
    return float(numpy.percentile(times, percent))
