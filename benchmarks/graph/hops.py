"""Questions to a store of short notes, with the graph as a channel of recall and without it.

Half of the questions need a hop: they name one thing, a note says how it belongs to another, and the answer speaks only
of that other one. The rest are ordinary and guard against loss. All notes are seen by all questions, whatever their
project: the others are what may be confused with the answer.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

import treering
from benchmarks import report
from benchmarks.graph.labels import HERE, rows
from benchmarks.recall.measures import DEPTH, Score, mean, score
from treering.ledger.clock import now
from treering.recall.candidates import Ask
from treering.recall.query.analysis import analyse
from treering.recall.scoring import Mix

HOPS = os.path.join(HERE, "hops.jsonl")
WITH, WITHOUT = "with the graph", "without it"
MIXES = {WITHOUT: Mix(graph=0.0, relation=0.0), WITH: Mix()}
HOP, ORDINARY = "hop", "ordinary"
PARTS = ("train", "held")


class Question(NamedTuple):
    query: str
    relevant: frozenset[str]
    kind: str  # a hop or not
    part: str  # whether it may be read while rules are made


class Finding(NamedTuple):
    part: str
    kind: str
    questions: int
    mix: str
    r5: float
    r10: float


def measure(path: str = HOPS) -> list[Finding]:
    """Every question by every mix, on a store on disk that is thrown away."""
    every = list(rows(path))
    notes = [row for row in every if row["kind"] == "note"]
    asked = [_question(row) for row in every if row["kind"] == "question"]
    with tempfile.TemporaryDirectory(dir=report.BUILD, prefix="hops-") as folder, treering.open(folder) as memory:
        made = memory.remember_many({"content": row["text"], "scope": "user"} for row in notes)
        ids = {one.id: row["id"] for one, row in zip(made, notes, strict=True)}
        memory.maintenance.prepare()
        scores = {name: _scores(memory, asked, mix, ids) for name, mix in MIXES.items()}
    return [
        _finding(part, kind, name, asked, scores[name]) for part in PARTS for kind in (HOP, ORDINARY) for name in MIXES
    ]


def _question(row: dict[str, object]) -> Question:
    relevant = row["relevant"]
    assert isinstance(relevant, list)
    return Question(str(row["query"]), frozenset(relevant), HOP if row["hop"] else ORDINARY, str(row["part"]))


def _scores(memory: treering.Treering, asked: Sequence[Question], mix: Mix, ids: dict[str, str]) -> list[Score]:
    moment = now()
    asks = [Ask(analyse(each.query, moment), memory.context, DEPTH, moment, floor=0.0, mix=mix) for each in asked]
    answers = memory.workspace.recalls.replay(asks)
    found = ([ids[hit.memory.id] for hit in answer.hits] for answer in answers)
    return [score(places, each.relevant) for places, each in zip(found, asked, strict=True)]


def _finding(part: str, kind: str, mix: str, asked: Sequence[Question], scores: Sequence[Score]) -> Finding:
    chosen = [got for each, got in zip(asked, scores, strict=True) if (each.part, each.kind) == (part, kind)]
    whole = mean(chosen)
    return Finding(part, kind, len(chosen), mix, whole.r5, whole.r10)


def gain(findings: Sequence[Finding], kind: str, parts: Sequence[str]) -> float:
    """By how much R@10 is better with the graph, over all questions of a kind."""
    rows = [row for row in findings if row.kind == kind and row.part in parts]
    total = sum(row.questions for row in rows if row.mix == WITH)
    return sum((1 if row.mix == WITH else -1) * row.r10 * row.questions for row in rows) / total if total else 0.0
