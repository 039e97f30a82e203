"""Labelled pairs: half of them contradict each other, half only look like it.

Precision, recall and F1 of `treering.truth.compare.between`; by split and by kind. Each split was written
before anybody had seen it and measured once; then it was read, to make the rules more general. So the figures say
how well known pairs are judged; benchmarks/README.md has what was seen first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treering.truth.compare import between

PAIRS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pairs.jsonl")
DEV, HELD = "dev", "held"


class Pair(NamedTuple):
    a: str
    b: str
    contradicts: bool
    kind: str  # of the contradiction, or of the trap
    split: str


class Score(NamedTuple):
    """What was raised of some pairs."""

    name: str
    pairs: int
    right: int  # raised, and contradictions
    wrong: int  # raised, and none
    missed: int

    @property
    def precision(self) -> float | None:
        raised = self.right + self.wrong
        return self.right / raised if raised else None

    @property
    def recall(self) -> float | None:
        there = self.right + self.missed
        return self.right / there if there else None

    @property
    def f1(self) -> float | None:
        all = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / all if self.right + self.missed else None


def read(path: str = PAIRS) -> list[Pair]:
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    return [Pair(row["a"], row["b"], row["contradicts"], row["kind"], row.get("split", DEV)) for row in rows]


def judged(pairs: Sequence[Pair]) -> list[tuple[Pair, bool]]:
    """Each pair, and whether it was raised."""
    return [(pair, between(pair.a, pair.b) is not None) for pair in pairs]


def score(name: str, found: Iterable[tuple[Pair, bool]]) -> Score:
    rows = list(found)
    return Score(
        name,
        len(rows),
        sum(raised and pair.contradicts for pair, raised in rows),
        sum(raised and not pair.contradicts for pair, raised in rows),
        sum(not raised and pair.contradicts for pair, raised in rows),
    )


def scores(pairs: Sequence[Pair]) -> list[Score]:
    """All of them, then each split, then each kind of each split."""
    found = judged(pairs)
    made = [score("all pairs", found)]
    for split in dict.fromkeys(pair.split for pair in pairs):
        part = [row for row in found if row[0].split == split]
        made.append(score(split, part))
        kinds = dict.fromkeys(pair.kind for pair, _ in sorted(part, key=lambda row: not row[0].contradicts))
        made += [score(f"{split}, {kind}", [row for row in part if row[0].kind == kind]) for kind in kinds]
    return made
