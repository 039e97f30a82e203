"""`python -m benchmarks.duplicates`: which how-tos that mean the same are recognised, beside a cosine of the vectors.

python -m benchmarks.duplicates --data FILE [--show] [--save]

The file has a pair a line: `a`, `b`, and whether they mean the `same`. In the set of near-duplicates two how-tos are
the same if they were written for the same command, so some that differ in a detail count as the same, and some that
say the same count as different.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from time import process_time
from typing import Any, NamedTuple

from benchmarks import report
from treering.evolve.same import SAME, Likeness, likeness
from treering.models.embed.static import StaticEmbedder

_HEADINGS = ("by", "pairs", "taken for the same", "rightly", "wrongly", "missed", "precision", "recall", "µs a pair")
_GOALS = ("what", "found", "goal", "")
PRECISION = 0.95  # of what is taken for the same: a wrong merge loses a memory
OURS, COSINE = f"likeness > {SAME:g}", f"cosine ≥ {SAME:g}"


class Pair(NamedTuple):
    a: str
    b: str
    same: bool


class Score(NamedTuple):
    by: str
    pairs: int
    right: int  # taken for the same, and the same
    wrong: int
    missed: int
    time: float  # microseconds of the processor for a pair, reading it included

    @property
    def precision(self) -> float | None:
        taken = self.right + self.wrong
        return self.right / taken if taken else None

    @property
    def recall(self) -> float | None:
        there = self.right + self.missed
        return self.right / there if there else None


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if not os.path.isfile(options.data):
        print(f"There is no file {options.data}: say with --data where the pairs are.", file=sys.stderr)
        return 2
    pairs = read(options.data)
    cosines = cosines_of(pairs)
    start = process_time()
    found = [likeness(pair.a, pair.b, cosine) for pair, cosine in zip(pairs, cosines, strict=True)]
    took = 1e6 * (process_time() - start) / max(1, len(pairs))
    scores = [
        score(OURS, pairs, [each.score > SAME for each in found], took),
        score(COSINE, pairs, [cosine >= SAME for cosine in cosines], 0.0),
    ]
    if options.show:
        _show(pairs, found)
    table = written(scores)
    print(table)
    if options.save:
        os.makedirs(report.BUILD, exist_ok=True)
        record = {**report.heading(), "method": (__doc__ or "").strip(), "scores": [_row(each) for each in scores]}
        print(f"recorded in {report.write('duplicates', record)}", file=sys.stderr)
        report.show_in_readme("duplicates", table, record)
    return 0 if (scores[0].precision or 0.0) >= PRECISION else 1


def read(path: str) -> list[Pair]:
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    return [Pair(row["a"], row["b"], row["same"]) for row in rows]


def cosines_of(pairs: Sequence[Pair]) -> list[float]:
    embedder = StaticEmbedder()
    ours, theirs = embedder.embed([pair.a for pair in pairs]), embedder.embed([pair.b for pair in pairs])
    return [float(one @ other) for one, other in zip(ours, theirs, strict=True)]


def score(by: str, pairs: Sequence[Pair], taken: Iterable[bool], time: float) -> Score:
    both = list(zip((pair.same for pair in pairs), taken, strict=True))
    return Score(by, len(both), both.count((True, True)), both.count((False, True)), both.count((True, False)), time)


def written(scores: Sequence[Score]) -> str:
    """All of a run."""
    precision = scores[0].precision or 0.0
    goal = (
        f"precision of {OURS}",
        f"{precision:.3f}",
        f"≥ {PRECISION:g}",
        "met" if precision >= PRECISION else "**missed**",
    )
    return report.lines(_HEADINGS, map(_cells, scores)) + "\n" + report.lines(_GOALS, [goal])


def _cells(row: Score) -> tuple[str, ...]:
    counts = (row.pairs, row.right + row.wrong, row.right, row.wrong, row.missed)
    shares = ("" if share is None else f"{share:.3f}" for share in (row.precision, row.recall))
    return (row.by, *(f"{count:,}" for count in counts), *shares, f"{row.time:.0f}" if row.time else "")


def _row(row: Score) -> dict[str, Any]:
    return {**row._asdict(), "precision": row.precision, "recall": row.recall}


def _show(pairs: Sequence[Pair], found: Sequence[Likeness]) -> None:
    for pair, each in zip(pairs, found, strict=True):
        taken = each.score > SAME
        if taken != pair.same:
            why = "; ".join(each.differs)
            print(f"{'taken' if taken else 'missed'}: {pair.a} | {pair.b} | {why}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.duplicates", description="Which how-tos that mean the same are recognised."
    )
    parser.add_argument("--data", required=True, metavar="FILE", help="labelled pairs, one a line")
    parser.add_argument("--show", action="store_true", help="print the pairs that were judged wrongly")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
