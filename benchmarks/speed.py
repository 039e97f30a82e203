"""`make bench`: every speed figure, in a table and in a record.

python -m benchmarks.speed [--size N] [--quick] [--only NAME …] [--save]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence

from benchmarks import importing, machine, opening, rebuilding, remembering, report
from benchmarks.figures import Figure, Plan

CASES: dict[str, Callable[[Plan, str], Iterator[Figure]]] = {
    "remember": remembering.figures,
    "import": importing.figures,
    "rebuild": rebuilding.figures,
    "open": opening.figures,
}


def run(plan: Plan, names: Sequence[str], folder: str) -> Iterator[Figure]:
    for name in names:
        with tempfile.TemporaryDirectory(dir=folder, prefix=f"bench-{name}-") as place:
            yield from CASES[name](plan, place)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    plan = Plan(size=options.size, quick=options.quick, repeats=3 if options.quick else Plan().repeats)
    os.makedirs(report.BUILD, exist_ok=True)
    if machine.file_system(report.BUILD) == "tmpfs":
        print(
            "warning: build/ is in memory, where nothing is durable and a commit costs nothing",
            file=sys.stderr,
        )
    print(report.HEADINGS, end="", flush=True)
    figures = []
    for found in run(plan, options.only or list(CASES), report.BUILD):
        print(report.line(found), end="", flush=True)
        figures.append(found)
    whole = not (options.only or options.quick) and plan.size == Plan().size
    if whole or options.save:
        _record(figures)
    return 0 if all(found.met for found in figures) else 1


def _record(figures: list[Figure]) -> None:
    method = {name: (sys.modules[case.__module__].__doc__ or "").strip() for name, case in CASES.items()}
    record = {**report.heading(), "method": method, "figures": report.rows(figures)}
    print(f"\nrecorded in benchmarks/results/{report.write('speed', record)}")
    report.show_in_readme("speed", report.table(figures), record)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description="Speed, as ratios to bare SQLite.")
    parser.add_argument("--size", type=int, default=Plan().size, help="rows of the main measurements")
    parser.add_argument("--quick", action="store_true", help="without the largest sizes, and with fewer repeats")
    parser.add_argument("--only", nargs="+", choices=list(CASES), help="some of the figures")
    parser.add_argument("--save", action="store_true", help="record a run that is not the whole of it, too")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
