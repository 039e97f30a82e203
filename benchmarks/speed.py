"""`make bench`: every speed figure, in a table and in a record.

python -m benchmarks.speed [--size N] [--quick] [--only NAME …] [--save]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from benchmarks import importing, machine, opening, rebuilding, remembering, report
from benchmarks.figures import Figure, Plan

CASES: dict[str, Callable[[Plan, str], Iterator[Figure]]] = {
    "remember": remembering.figures,
    "import": importing.figures,
    "rebuild": rebuilding.figures,
    "open": opening.figures,
}
BUILD = os.path.join(os.path.dirname(report.HERE), "build")  # on an ordinary disk, like the stores of users


def run(plan: Plan, names: Sequence[str], folder: str) -> Iterator[Figure]:
    for name in names:
        with tempfile.TemporaryDirectory(dir=folder, prefix=f"bench-{name}-") as place:
            yield from CASES[name](plan, place)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    plan = Plan(size=options.size, quick=options.quick, repeats=3 if options.quick else Plan().repeats)
    os.makedirs(BUILD, exist_ok=True)
    if machine.file_system(BUILD) == "tmpfs":
        print(
            "warning: build/ is in memory, where nothing is durable and a commit costs nothing",
            file=sys.stderr,
        )
    print(report.HEADINGS, end="", flush=True)
    figures = []
    for found in run(plan, options.only or list(CASES), BUILD):
        print(report.line(found), end="", flush=True)
        figures.append(found)
    whole = not (options.only or options.quick) and plan.size == Plan().size
    if whole or options.save:
        _record(figures)
    return 0 if all(found.met for found in figures) else 1


def _record(figures: list[Figure]) -> None:
    date = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    about = machine.described(BUILD)
    method = {name: (sys.modules[case.__module__].__doc__ or "").strip() for name, case in CASES.items()}
    print(f"\nrecorded in benchmarks/results/{report.save(figures, about, method, date)}")
    report.show_in_readme(figures, about, date)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description="Speed, as ratios to bare SQLite.")
    parser.add_argument("--size", type=int, default=Plan().size, help="rows of the main measurements")
    parser.add_argument("--quick", action="store_true", help="without the largest sizes, and with fewer repeats")
    parser.add_argument("--only", nargs="+", choices=list(CASES), help="some of the figures")
    parser.add_argument("--save", action="store_true", help="record a run that is not the whole of it, too")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
