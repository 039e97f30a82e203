"""Every query of a set, asked of every system: plain search, and each strategy of Treering."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

import treering
from benchmarks.recall.baselines import Plain
from benchmarks.recall.measures import DEPTH
from benchmarks.recall.sets import Corpus, Query
from benchmarks.recall.vectors import Means

HYBRID = "hybrid"
CHANNELS = ("keyword", "vector")  # each of them alone
STRATEGIES = (*CHANNELS, "graph_vector", HYBRID)


class Answer(NamedTuple):
    found: tuple[str, ...]  # ids, best first: as many as are asked for
    given: tuple[str, ...]  # what of these is shown


class Asked(NamedTuple):
    query: Query
    answers: dict[str, Answer]  # by system


def ask(corpora: list[Corpus], folder: str, tell: Callable[[int], object], store: str = "") -> Iterator[Asked]:
    """All queries of a set; `tell` hears how many corpora are done. Each is a file, or a space of a database."""
    means = Means()
    for done, corpus in enumerate(corpora):
        tell(done)
        home = os.path.join(folder, str(done))
        with treering.open(home, store=store, space=home if store else "") as memory:
            yield from _ask_corpus(corpus, memory, Plain([row.content for row in corpus.rows], means))


def fill(memory: treering.Treering, corpus: Corpus) -> dict[str, str]:
    """Remember a corpus; the ids of its rows, by those of the memories."""
    rows = [{"content": row.content, "at": row.at, "session": row.session} for row in corpus.rows]
    made = memory.remember_many(rows)
    return {memory.id: row.id for memory, row in zip(made, corpus.rows, strict=True)}


def _ask_corpus(corpus: Corpus, memory: treering.Treering, plain: Plain) -> Iterator[Asked]:
    ids = fill(memory, corpus)
    memory.maintenance.prepare()  # the graph, too: a recall reads no more than a thousand new memories into it
    for query in corpus.queries:
        answers = {
            name: Answer(ranking, ranking)
            for name, places in plain.find(query.text).items()
            for ranking in [tuple(corpus.rows[place].id for place in places)]
        }
        for strategy in STRATEGIES:
            answers[strategy] = _recalled(memory, query, strategy, ids)
        yield Asked(query, answers)


def _recalled(memory: treering.Treering, query: Query, strategy: str, ids: dict[str, str]) -> Answer:
    """Asked for all that there is, and as a user asks."""
    every, given = (
        memory.recall(query.text, DEPTH, log=False, strategy=strategy, at=query.at, floor=floor)
        for floor in (0.0, None)
    )
    return Answer(*(tuple(ids[hit.memory.id] for hit in said.hits) for said in (every, given)))
