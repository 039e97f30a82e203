"""`python -m benchmarks.implicit`: how often implicit feedback is right, kind by kind.

Labelled cases: what was shown, the answer, the results of tools and the user's reply, and what a reader says of each
memory that was shown; the prompt is not part of them. A signal is right if its kind is the reader's. Precision comes
first: what is not certain is `ignored`, credits nothing, and costs only recall. The weights are made of `train`, so its
figures only show the fit. No weights or floors are made of `held`.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks import report
from treering.evolve.implicit import KINDS, Signal, ToolResult, signals
from treering.ledger.types import Memory

CASES = os.path.join(os.path.dirname(report.HERE), "tests", "evolve", "cases")
PRECISION = 0.9  # of all signals that credit something
QUIET = "ignored"

_HEADINGS = ("cases", "kind", "labelled", "signalled", "right", "precision", "recall")
_CONFUSION = ("labelled", *KINDS)


class Judged(NamedTuple):
    """A memory of a case: what a reader says of it, and what was found."""

    case: str
    label: str
    found: Signal


class Score(NamedTuple):
    cases: str
    kind: str
    labelled: int
    signalled: int
    right: int

    @property
    def precision(self) -> float | None:
        return self.right / self.signalled if self.signalled else None

    @property
    def recall(self) -> float | None:
        return self.right / self.labelled if self.labelled else None


def judged(path: str) -> Iterator[Judged]:
    """Every memory of every case of a file."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                row = json.loads(line)
                yield from _case(row)


def _case(row: dict[str, Any]) -> Iterator[Judged]:
    shown = [Memory(memory["id"], memory["content"]) for memory in row["shown"]]
    results = [ToolResult(result["text"], result["failed"]) for result in row["results"]]
    for found in signals(shown, row["answer"], results, row["reply"]):
        yield Judged(row["id"], row["labels"][found.memory], found)


def score(cases: str, kind: str, rows: Iterable[Judged]) -> Score:
    """Of one kind; "" is every kind that credits something."""
    kinds = [kind] if kind else [each for each in KINDS if each != QUIET]
    pairs = [(row.label, row.found.kind) for row in rows]
    return Score(
        cases,
        kind or "all that credit",
        sum(label in kinds for label, _ in pairs),
        sum(found in kinds for _, found in pairs),
        sum(found in kinds and label == found for label, found in pairs),
    )


def scores(cases: str, rows: Sequence[Judged]) -> list[Score]:
    return [score(cases, kind, rows) for kind in ("", *KINDS)]


def written(found: Sequence[Score], rows: Iterable[Judged]) -> str:
    """All of a run: the scores, and what was taken for what."""
    table = report.lines(_HEADINGS, map(_cells, found), texts=2)
    counts = Counter((row.label, row.found.kind) for row in rows)
    confusion = [(label, *(str(counts[label, kind]) for kind in KINDS)) for label in KINDS]
    return f"{table}\n{report.lines(_CONFUSION, confusion)}"


def _cells(row: Score) -> tuple[str, ...]:
    shares = ("" if share is None else f"{share:.3f}" for share in (row.precision, row.recall))
    return (row.cases, row.kind, str(row.labelled), str(row.signalled), str(row.right), *shares)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    paths = options.cases or sorted(glob.glob(os.path.join(CASES, "*.jsonl")))
    found, every = [], []
    for path in paths:
        rows = list(judged(path))
        found += scores(os.path.splitext(os.path.basename(path))[0], rows)
        every += rows
    if options.show:
        for row in every:
            if row.label != row.found.kind:
                print(f"{row.case}: {row.label}, not {row.found}", file=sys.stderr)
    table = written(found, every)
    print(table)
    if options.save:
        os.makedirs(report.BUILD, exist_ok=True)
        shares = [{**row._asdict(), "precision": row.precision, "recall": row.recall} for row in found]
        record = {**report.heading(), "method": (__doc__ or "").strip(), "scores": shares}
        print(f"recorded in {report.write('implicit', record)}", file=sys.stderr)
        report.show_in_readme("implicit", table, record)
    precision = score("all", "", every).precision
    return 0 if precision is not None and precision >= PRECISION else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.implicit", description="How often implicit feedback is right."
    )
    parser.add_argument("cases", nargs="*", metavar="CASES.jsonl", help="labelled cases; those of the tests if none")
    parser.add_argument("--show", action="store_true", help="print the memories that were judged otherwise")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
