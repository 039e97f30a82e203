"""What plain search finds: FTS5, exact cosines of static vectors, and the two fused by their ranks.

FTS5 is `porter unicode61`; the words of the query that are not English stop words are joined with OR and ranked by
bm25. A vector is the plain mean of the wordllama vectors of a text's tokens. Fusion is reciprocal rank, 1 : 1,
over the whole of both rankings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import apsw
import numpy

from benchmarks.recall.measures import DEPTH
from benchmarks.recall.vectors import Matrix, Means

_STEEP = 60  # the constant of reciprocal-rank fusion, as it was published
_WORD = re.compile(r"[a-z0-9]+")  # as the figures of the data page were made

STOP_WORDS = frozenset(
    """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves what which who whom this that these those am is are was were be
    been being have has had having do does did doing a an the and but if or because as until while of at by for with
    about against between into through during before after above below to from up down in out on off over under again
    further then once here there when where why how all any both each few more most other some such no nor not only
    own same so than too very s t can could will would just don should now d ll m o re ve y ain aren couldn didn
    doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn""".split()
)


def match(query: str) -> str:
    """A query as FTS5 reads it. One of stop words alone is taken at its word."""
    words = list(dict.fromkeys(_WORD.findall(query.lower())))
    return " OR ".join(f'"{word}"' for word in [word for word in words if word not in STOP_WORDS] or words)


class Words:
    """Bare FTS5, over a database with a table `words (content)` whose row ids count from 1."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        db = apsw.Connection(":memory:")
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (content, tokenize = 'porter unicode61')")
        with db:
            db.executemany("INSERT INTO words (content) VALUES (?)", ((text,) for text in texts))
        return cls(db)

    def find(self, query: str, count: int = DEPTH) -> list[int]:
        """The places of the best texts, counted from 0."""
        sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return [rowid - 1 for (rowid,) in self._db.execute(sql, (match(query), count))]


class Vectors:
    """Exact search: one product with every vector, and the best of them."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix

    def find(self, vector: Matrix, count: int = DEPTH) -> list[int]:
        likeness = self._matrix @ vector
        if count >= len(likeness):
            return [int(place) for place in numpy.argsort(-likeness, kind="stable")]
        best = numpy.argpartition(-likeness, count)[:count]
        return [int(place) for place in best[numpy.argsort(-likeness[best], kind="stable")]]


def fused(*rankings: Sequence[int]) -> list[int]:
    """Reciprocal-rank fusion of equals."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, place in enumerate(ranking, 1):
            scores[place] = scores.get(place, 0.0) + 1 / (_STEEP + rank)
    return sorted(scores, key=lambda place: -scores[place])


class Plain:
    """The three of them over some texts."""

    def __init__(self, texts: Sequence[str], means: Means) -> None:
        self._count = len(texts)
        self._words = Words.of(texts)
        self._vectors = Vectors(means.embed(texts))
        self._means = means

    def find(self, query: str) -> dict[str, list[int]]:
        words = self._words.find(query, self._count)
        vectors = self._vectors.find(self._means.embed([query])[0], self._count)
        return {"FTS5": words[:DEPTH], "vectors": vectors[:DEPTH], "RRF": fused(words, vectors)[:DEPTH]}


BASELINES = ("FTS5", "vectors", "RRF")
