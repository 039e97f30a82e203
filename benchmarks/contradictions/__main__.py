"""`python -m benchmarks.contradictions`: how well contradictions are found, in tables and in a record.

python -m benchmarks.contradictions [--data DIR] [--pairs FILE] [--show] [--save]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from benchmarks import report
from benchmarks.contradictions import alarms, facts, pairs, writing
from benchmarks.contradictions.alarms import Alarms
from benchmarks.contradictions.facts import Facts
from benchmarks.contradictions.goals import Goal, goals
from benchmarks.contradictions.pairs import Score

_PAIRS = ("pairs", "number", "raised rightly", "wrongly", "missed", "precision", "recall", "F1")
_FACTS = ("set", "memories", "raised", "right", "precision", "changed", "found", "recall")
_ALARMS = ("set", "memories", "raised", "for 1,000 memories")
_GOALS = ("what", "found", "goal", "")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    labelled = pairs.read(options.pairs)
    scores = pairs.scores(labelled)
    if options.show:
        for pair, raised in pairs.judged(labelled):
            if raised != pair.contradicts:
                print(f"{'raised' if raised else 'missed'}, {pair.kind}: {pair.a} | {pair.b}", file=sys.stderr)
    changed = facts.measure(options.data) if options.data and facts.is_there(options.data) else None
    quiet = alarms.measure(options.data) if options.data else []
    wanted = goals(scores, changed, quiet)
    table = written(scores, changed, quiet, wanted)
    print(table)
    if options.save:
        os.makedirs(report.BUILD, exist_ok=True)
        record = {**report.heading(), "method": _method(), **_record(scores, changed, quiet, wanted)}
        print(f"recorded in {report.write('contradictions', record)}", file=sys.stderr)
        report.show_in_readme("contradictions", table, record)
    return 0 if all(goal.met for goal in wanted) else 1


def written(scores: Sequence[Score], changed: Facts | None, quiet: Sequence[Alarms], wanted: Sequence[Goal]) -> str:
    """All of a run."""
    parts = [report.lines(_PAIRS, map(_score, scores))]
    if changed:
        figures = (changed.memories, changed.raised, changed.right, changed.precision, changed.changed, changed.found)
        parts.append(report.lines(_FACTS, [(facts.SET, *map(_figure, (*figures, changed.recall)))]))
    if quiet:
        rows = [(row.set, *map(_figure, (row.memories, row.raised)), f"{row.rate:.2f}") for row in quiet]
        parts.append(report.lines(_ALARMS, rows))
    verdicts = {True: "met", False: "**missed**"}
    parts.append(report.lines(_GOALS, [(g.what, _figure(g.found), g.asked, verdicts[g.met]) for g in wanted]))
    return "\n".join(parts)


def _score(row: Score) -> tuple[str, ...]:
    figures = (row.pairs, row.right, row.wrong, row.missed, row.precision, row.recall, row.f1)
    return (row.name, *map(_figure, figures))


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _record(
    scores: Sequence[Score], changed: Facts | None, quiet: Sequence[Alarms], wanted: Sequence[Goal]
) -> dict[str, Any]:
    return {
        "pairs": [{**row._asdict(), "precision": row.precision, "recall": row.recall, "f1": row.f1} for row in scores],
        "facts": {**changed._asdict(), "precision": changed.precision, "recall": changed.recall} if changed else None,
        "alarms": [{**row._asdict(), "rate": row.rate} for row in quiet],
        "goals": [goal._asdict() for goal in wanted],
    }


def _method() -> dict[str, str]:
    modules = {"pairs": pairs, "facts": facts, "alarms": alarms, "writing": writing}
    return {name: (module.__doc__ or "").strip() for name, module in modules.items()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.contradictions", description="How well contradictions are found."
    )
    parser.add_argument("--data", help="the folder with the sets; without it, only the labelled pairs")
    parser.add_argument("--pairs", default=pairs.PAIRS, metavar="FILE", help="labelled pairs, one a line")
    parser.add_argument("--show", action="store_true", help="print the pairs that were judged wrongly")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
