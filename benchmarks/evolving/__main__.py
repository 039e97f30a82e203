"""`python -m benchmarks.evolving pairs|gate|run [--memories N …] [--repeats N] [--save]`.

Each command is a module with `arguments(parser)`, which says what it takes, and `measured(options)`, which prints its
tables as it goes and returns them with its figures.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from benchmarks import report
from benchmarks.evolving import gate, pairs, run

COMMANDS = {"pairs": pairs, "gate": gate, "run": run}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    command = COMMANDS[options.command]
    figures, tables = command.measured(options)
    if options.save:
        method = {options.command: (command.__doc__ or "").strip()}
        rows = {"figures": report.rows(figures), **tables}
        record = {**report.heading(), "method": method, **rows}
        name = f"evolving-{options.command}"
        print(f"\nrecorded in benchmarks/results/{report.write(name, record)}")
        shown = "\n".join([report.table(figures), *map(command.table, tables.values())])
        report.show_in_readme(name, shown, record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evolving", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        one = commands.add_parser(name, help=(command.__doc__ or "").splitlines()[0])
        one.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
        command.arguments(one)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
