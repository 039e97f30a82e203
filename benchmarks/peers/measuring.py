"""How well and how fast each of them finds: the sets of questions, and made-up notes at several sizes."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from time import perf_counter
from typing import NamedTuple

import numpy

from benchmarks.peers.peer import Kind, Peer
from benchmarks.recall import sets
from benchmarks.recall.measures import DEPTH, Score, mean, score
from benchmarks.recalling.notes import Question, notes, questions

PORTION = 1_000  # rows to one add
_LEAST = 20  # questions for a percentile to be told
_WARM = 3


class Quality(NamedTuple):
    set: str
    peer: str
    score: Score


class Speed(NamedTuple):
    size: int  # that was meant
    peer: str
    added: int  # that it got to before patience ran out
    add: float  # milliseconds for one
    asked: int
    p50: float | None  # milliseconds
    p95: float | None


class _Running(NamedTuple):
    kind: Kind
    peer: Peer
    added: int
    add: float
    times: list[float]


def quality(kinds: Sequence[Kind], data: str, name: str, limit: int, folder: str) -> Iterator[Quality]:
    """Everybody on one set; each corpus is a store of its own."""
    corpora = sets.read(data, name, limit)
    for kind in kinds:
        print(f"{name}: {kind.name}", file=sys.stderr, flush=True)
        scores = [found for corpus in corpora for found in _scores(kind, corpus, folder)]
        yield Quality(name, kind.name, mean(scores))


def speed(kinds: Sequence[Kind], size: int, queries: int, patience: float, folder: str) -> Iterator[Speed]:
    """Everybody at one size: first all add, then each question goes to all in turn."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=f"peers-{size}-") as place:
        running = [_added(kind, size, patience, os.path.join(place, kind.name)) for kind in kinds]
        asked = questions(_WARM + queries, size)
        for question in asked[:_WARM]:
            for each in running:
                each.peer.search(question.text, DEPTH)
        for question in asked[_WARM:]:
            for each in running:
                _ask(each, question, patience)
        for each in running:
            each.peer.close()
    for each in running:
        told = len(each.times) >= min(_LEAST, queries)
        p50, p95 = (float(numpy.percentile(each.times, share)) if told else None for share in (50, 95))
        yield Speed(size, each.kind.name, each.added, each.add, len(each.times), p50, p95)


def _scores(kind: Kind, corpus: sets.Corpus, folder: str) -> Iterator[Score]:
    with tempfile.TemporaryDirectory(dir=folder, prefix="peers-") as place, closing(kind.open(place)) as peer:
        for start in range(0, len(corpus.rows), PORTION):
            peer.add(corpus.rows[start : start + PORTION])
        for query in corpus.queries:
            if query.relevant:
                yield score(peer.search(query.text, DEPTH), query.relevant)


def _added(kind: Kind, size: int, patience: float, folder: str) -> _Running:
    """Portion by portion, until all are in or patience runs out."""
    os.makedirs(folder)
    peer, seconds, added = kind.open(folder), 0.0, 0
    while added < size and seconds < patience:
        made = enumerate(notes(added, min(PORTION, size - added)), added)
        rows = [sets.Row(str(number), *note) for number, note in made]
        begin = perf_counter()
        peer.add(rows)
        seconds, added = seconds + perf_counter() - begin, added + len(rows)
    begin = perf_counter()
    peer.ready()
    seconds += perf_counter() - begin
    print(f"{size:,}: {kind.name} took {added:,} in {seconds:.0f} s", file=sys.stderr, flush=True)
    return _Running(kind, peer, added, 1000 * seconds / added, [])


def _ask(each: _Running, question: Question, patience: float) -> None:
    """One that did not take all in, or takes too long, is not asked."""
    if each.added <= question.note or sum(each.times) > 1000 * patience:
        return
    begin = perf_counter()
    each.peer.search(question.text, DEPTH)
    each.times.append(1000 * (perf_counter() - begin))
