"""Tuning on a set: feedback on a fifth of the queries, and what that is worth on the others.

Beside it stands the best of some settings picked by hand, and picked with knowledge of those other queries: an oracle,
which nobody who has only the fifth could be. What tuning recovers of its gain is the figure.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean
from typing import NamedTuple

from benchmarks.recall.measures import Score, mean, score
from benchmarks.recall.sets import Corpus, Query
from benchmarks.tuning.stores import SHOWN, Store
from treering.ledger.clock import parse_time
from treering.ledger.types import Context
from treering.recall.candidates import Ask
from treering.recall.lessons.trials import Tuning
from treering.recall.lessons.tune import tune
from treering.recall.query.analysis import analyse
from treering.recall.scoring import Mix

FIFTH = 5
MOST = 400  # of the others, that are asked about some thirty settings
BUDGET = 600.0  # seconds: no search needs so many
ALONE = {"graph": 0.0, "neighbour": 0.0, "likeness": 0.0}  # no channel but words and vectors, and nothing beside
# Where tuning starts: from what is set everywhere, and from settings that others ship with.
STARTS: dict[str, dict[str, float | str]] = {
    "default": {},
    "vectors only": {"keyword": 0.0, "vector": 1.0, **ALONE},
    "words only": {"vector": 0.0, **ALONE},
    "plain fusion": {"fusion": "ranks", "vector": 1.0, **ALONE},
}
# What a person would try by hand: one thing otherwise, or the vectors and one more.
_PICKED: dict[str, tuple[float | str, ...]] = {
    "vector": (0.0, 0.15, 0.3, 0.45, 0.9, 1.3),
    "keyword": (0.0,),
    "neighbour": (0.0, 0.2, 0.6),
    "likeness": (0.0, 0.5, 2.0),
    "graph": (0.0, 0.1),
    "relation": (0.0,),
    "sentence": (0.0, 1.0),
    "strength": (0.1,),
    "fusion": ("ranks",),
}
_PAIRS: tuple[tuple[float, str, float], ...] = (
    (0.15, "likeness", 0.5),
    (0.3, "likeness", 0.5),
    (0.3, "neighbour", 0.2),
    (0.9, "likeness", 2.0),
    (0.9, "neighbour", 0.2),
    (1.3, "likeness", 2.0),
)


class Result(NamedTuple):
    """Of one start and one fifth."""

    set: str
    start: str
    fold: int
    judged: int
    queries: int  # the others
    before: Score
    after: Score  # with what was proposed
    chosen: Score  # with the best that was found, had it been proposed for certain
    oracle: Score
    picked: dict[str, float | str]  # by the oracle
    noise: float  # the standard error of what tuning gains in nDCG
    tuning: Tuning

    @property
    def recovered(self) -> float | None:
        """Of the oracle's gain in nDCG; nothing where that is less than a point."""
        gain = self.oracle.ndcg - self.before.ndcg
        return (self.after.ndcg - self.before.ndcg) / gain if gain > 0.01 else None


class Asked(NamedTuple):
    corpus: str
    query: Query


def hand_picked() -> list[Mix]:
    """The settings that the oracle chooses from."""
    single = [Mix()._replace(**{name: value}) for name, values in _PICKED.items() for value in values]  # type: ignore[arg-type]
    pairs = [Mix()._replace(**{"vector": vector, name: value}) for vector, name, value in _PAIRS]  # type: ignore[arg-type]
    return [Mix(), *single, *pairs]


def split(corpora: Sequence[Corpus], fold: int, seed: int) -> tuple[list[Asked], list[Asked]]:
    """A fifth of the queries in the order in which they are asked, and of the others as many as are asked."""
    asked = [Asked(corpus.name, query) for corpus in corpora for query in corpus.queries]
    Random(seed).shuffle(asked)
    return asked[fold::FIFTH], [one for place, one in enumerate(asked) if place % FIFTH != fold][:MOST]


class Trying:
    """One set; the store that holds it is filled once and copied for every run."""

    def __init__(self, data: str, name: str, corpora: list[Corpus], folder: str, seed: int) -> None:
        self.name, self.corpora, self.folder, self.seed = name, corpora, folder, seed
        self.filled = Store(os.path.join(folder, "filled"))
        self.ids = self.filled.fill(data, name, corpora)
        self.plain = self.filled.copy(os.path.join(folder, "plain"))  # where nobody judges: settings alone are compared
        self._picked: dict[int, tuple[Score, Mix]] = {}

    def run(self, start: str, fold: int) -> Result:
        judged, others = split(self.corpora, fold, self.seed)
        if fold not in self._picked:
            found = [(self._scores(others, mix), mix) for mix in hand_picked()]
            best = max(found, key=lambda pair: fmean(one.ndcg for one in pair[0]))
            self._picked[fold] = (mean(best[0]), best[1])
        copy = self.filled.copy(os.path.join(self.folder, f"{start}-{fold}".replace(" ", "-")))
        copy.weigh(STARTS[start])
        for one in judged:
            copy.judge(one.corpus, one.query, self.ids)
        tuning = tune(copy.memory.store, copy.recalling, Context(), BUDGET)
        copy.memory.close()
        mix = Mix()._replace(**STARTS[start])  # type: ignore[arg-type]
        before, after, chosen = (
            self._scores(others, mix._replace(**changed))  # type: ignore[arg-type]
            for changed in ({}, tuning.weights, tuning.best)
        )
        oracle, picked = self._picked[fold]
        changed = {name: value for name, value in picked._asdict().items() if value != getattr(Mix(), name)}
        noise = _error([new.ndcg - old.ndcg for new, old in zip(after, before, strict=True)])
        counts = (len(judged), len(before))
        return Result(
            self.name, start, fold, *counts, mean(before), mean(after), mean(chosen), oracle, changed, noise, tuning
        )

    def _scores(self, asked: Sequence[Asked], mix: Mix) -> list[Score]:
        """What each query that has an answer is answered with, or would be if silence were switched off."""
        wanted = [one for one in asked if one.query.relevant]
        asks = []
        for corpus, query in wanted:
            at = parse_time(query.at) if query.at else self.plain.clock()
            asks.append(Ask(analyse(query.text, at), Context(project=corpus), SHOWN, at, floor=0.0, mix=mix))
        answers = self.plain.recalling.replay(asks)
        found = ([self.ids[hit.memory.id] for hit in answer.hits] for answer in answers)
        return [score(ids, one.query.relevant) for ids, one in zip(found, wanted, strict=True)]


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean."""
    middle = fmean(values)
    return sqrt(sum((value - middle) ** 2 for value in values)) / len(values)
