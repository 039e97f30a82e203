"""`make bench-recall`: how well memories are found, in tables and in a record.

python -m benchmarks.recall --data DIR [--only SET …] [--limit N] [--json] [--save] [--store ADDRESS]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks import report
from benchmarks.recall import baselines, measures, tables
from benchmarks.recall.asking import ask
from benchmarks.recall.findings import Finding, Goal, findings, goals
from benchmarks.recall.sets import NoData, chosen, read


def run(data: str, names: Sequence[str], limit: int, folder: str, store: str = "") -> list[Finding]:
    """Every system on every set; each corpus is a store of its own, thrown away after its set if it is on disk."""
    found = []
    for name in names:
        corpora = read(data, name, limit)
        with tempfile.TemporaryDirectory(dir=folder, prefix=f"recall-{name}-") as place:
            asked = list(ask(corpora, place, partial(_tell, name, len(corpora)), store))
        _tell(name, len(corpora), len(corpora))
        found += findings(name, asked)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        names = chosen(options.data, options.only)
    except NoData as error:
        print(error, file=sys.stderr)
        return 2
    os.makedirs(report.BUILD, exist_ok=True)
    found = run(options.data, names, options.limit, report.BUILD, options.store)
    wanted = [] if options.limit else _goals(found)  # the goals are about whole sets
    record = {**report.heading(), "method": _method(), **tables.record(found, wanted)}
    table = tables.written(found, wanted)
    print(json.dumps(record, indent=1, ensure_ascii=False) if options.json else table)
    if options.save:
        print(f"recorded in {report.write('recall', record)}", file=sys.stderr)
        report.show_in_readme("recall", table, record)
    return 0 if all(goal.met for goal in wanted) else 1


def _goals(found: Sequence[Finding]) -> list[Goal]:
    sets = dict.fromkeys(row.set for row in found)
    return [goal for name in sets for goal in goals([row for row in found if row.set == name])]


def _method() -> dict[str, Any]:
    modules = {"baselines": baselines, "measures": measures}
    return {name: (module.__doc__ or "").strip() for name, module in modules.items()}


def _tell(name: str, count: int, done: int) -> None:
    """How far we are; on a terminal, in one line."""
    end = "\n" if done == count else "\r"
    if end == "\n" or sys.stderr.isatty():
        print(f"{name}: {done} of {count} corpora", end=end, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description="How well memories are found.")
    parser.add_argument("--data", required=True, help="the folder with the sets")
    parser.add_argument("--only", nargs="+", metavar="SET", help="some of the sets")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="the first queries of a set; no goals then")
    parser.add_argument("--store", default="", metavar="ADDRESS", help="a database, in place of files")
    parser.add_argument("--json", action="store_true", help="the record instead of the tables")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
