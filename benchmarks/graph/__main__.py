"""`python -m benchmarks.graph`: how well entities and relations are read, and what the graph is worth to recall.

python -m benchmarks.graph [--json] [--show] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks import report
from benchmarks.graph import extraction, hops
from benchmarks.graph.extraction import ALL, ENTITIES, RELATIONS, Score, tallied
from benchmarks.graph.hops import HOP, ORDINARY, Finding, gain
from benchmarks.graph.labels import HERE, notes

SETS = ("train", "held")
HELD = "held"
PRECISION = {ENTITIES: 0.9, RELATIONS: 0.85}  # of held: a wrong one leads recall astray, a missed one costs a detour

_SCORES = ("notes", "what", "type", "labelled", "found", "right", "precision", "recall", "neither way")
_HOPS = ("questions", "kind", "recall", "number", "R@5", "R@10")
_GOALS = ("what", "found", "goal", "")


class Goal(NamedTuple):
    what: str
    found: float | None  # nothing if it could not be measured
    asked: str
    met: bool


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    scores = measured(SETS if options.notes is None else options.notes, options.show)
    findings = hops.measure() if options.hops else []
    wanted = goals(scores, findings)
    table = written(scores, findings, wanted)
    record = {**report.heading(), **_record(scores, findings, wanted)} if options.save or options.json else {}
    print(json.dumps(record, indent=1, ensure_ascii=False) if options.json else table)
    if options.save:
        print(f"recorded in {report.write('graph', record)}", file=sys.stderr)
        report.show_in_readme("graph", table, record)
    return 0 if all(goal.met for goal in wanted) else 1


def measured(sets: Sequence[str], show: bool = False) -> list[Score]:
    """Every set of notes that is there."""
    scores = []
    for name in sets:
        path = os.path.join(HERE, f"{name}.jsonl")
        if not os.path.exists(path):
            print(f"{name}.jsonl is not there: nothing is said about it", file=sys.stderr)
            continue
        for tally in tallied(notes(path)):
            scores += tally.scores(name)
            if show:
                print(*tally.errors, sep="\n", file=sys.stderr)
    return scores


def goals(scores: Sequence[Score], findings: Sequence[Finding]) -> list[Goal]:
    """What is asked of notes and questions that nobody saw; ordinary questions may lose nothing in either part."""
    wanted = []
    for what, least in PRECISION.items():
        row = next((row for row in scores if (row.cases, row.what, row.type) == (HELD, what, ALL)), None)
        if row is not None:
            met = row.precision is not None and row.precision >= least
            wanted.append(Goal(f"held, {what}: precision", row.precision, f"≥ {least:g}", met))
    if findings:
        better, worse = gain(findings, HOP, (HELD,)), gain(findings, ORDINARY, hops.PARTS)
        wanted.append(Goal("held, hop: gain of R@10 by the graph", better, "> 0", better > 0))
        wanted.append(Goal("ordinary: gain of R@10 by the graph", worse, "≥ 0", worse >= 0))
    return wanted


def written(scores: Sequence[Score], findings: Sequence[Finding], wanted: Sequence[Goal]) -> str:
    """All of a run."""
    verdicts = {True: "met", False: "**missed**"}
    parts = [
        report.lines(_SCORES, map(_score, scores), texts=3),
        report.lines(_HOPS, map(_finding, findings), texts=3),
        report.lines(_GOALS, [(goal.what, _share(goal.found), goal.asked, verdicts[goal.met]) for goal in wanted]),
    ]
    return "\n".join(parts)


def _score(row: Score) -> tuple[str, ...]:
    counts = (f"{count:,}" for count in (row.labelled, row.found, row.right))
    return (row.cases, row.what, row.type, *counts, _share(row.precision), _share(row.recall), str(row.neither))


def _finding(row: Finding) -> tuple[str, ...]:
    return (row.part, row.kind, row.mix, str(row.questions), _share(row.r5), _share(row.r10))


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _record(scores: Sequence[Score], findings: Sequence[Finding], wanted: Sequence[Goal]) -> dict[str, Any]:
    return {
        "method": {"extraction": (extraction.__doc__ or "").strip(), "hops": (hops.__doc__ or "").strip()},
        "scores": [{**row._asdict(), "precision": row.precision, "recall": row.recall} for row in scores],
        "hops": [row._asdict() for row in findings],
        "goals": [goal._asdict() for goal in wanted],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.graph", description="How well the graph is read out of notes, and what it is worth."
    )
    parser.add_argument("--notes", nargs="*", choices=SETS, help="only these notes")
    parser.add_argument("--no-hops", dest="hops", action="store_false", help="leave out the questions")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was wrong")
    parser.add_argument("--json", action="store_true", help="the record instead of the tables")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
