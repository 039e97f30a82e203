"""`make bench-postgres`: a memory in PostgreSQL beside the same one in a file, asked in turn in one run.

python -m benchmarks.postgres --store ADDRESS [--sizes 10000 100000] [--queries 100]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from time import perf_counter

import numpy

import treering
from benchmarks import report
from benchmarks.recalling.notes import notes, questions

PORTION = 1_000  # notes remembered at a time
_WARM = 20  # questions before the clock runs: what is read once is kept
DEPTH = 10


def compare(address: str, size: int, queries: int, folder: str) -> None:
    """Fill both with the same notes, and ask both the same questions; print the figures."""
    with ExitStack() as stack:
        file = stack.enter_context(treering.open(folder))
        team = stack.enter_context(treering.open(folder, store=address, space=f"bench-{size}-{perf_counter()}"))
        took = {memory: _filled(memory, size) for memory in (file, team)}
        asked = questions(_WARM + queries, size)
        times: dict[treering.Treering, list[float]] = {file: [], team: []}
        same = 0
        for question in asked:
            said = []
            for memory in (file, team):
                begin = perf_counter()
                hits = memory.recall(question.text, DEPTH, log=False).hits
                times[memory].append(1_000 * (perf_counter() - begin))
                said.append([hit.memory.content for hit in hits])
            same += said[0] == said[1]
    print(f"{size:,} memories; {same} of {len(asked)} answers are the same in the same order")
    print(f"  to remember one and get it ready: {_ratio([took[file] / size], [took[team] / size])}")
    for percent in (50, 95):
        pair = [[float(numpy.percentile(times[one][_WARM:], percent))] for one in (file, team)]
        print(f"  recall, p{percent}: {_ratio(*pair)}")


def _filled(memory: treering.Treering, size: int) -> float:
    begin = perf_counter()
    for start in range(0, size, PORTION):
        memory.remember_many([note._asdict() for note in notes(start, min(PORTION, size - start))])
    memory.maintenance.prepare()
    return 1_000 * (perf_counter() - begin)


def _ratio(file: Sequence[float], team: Sequence[float]) -> str:
    return f"{file[0]:.3g} ms in a file, {team[0]:.3g} ms in PostgreSQL, {team[0] / file[0]:.2f} times"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.postgres")
    parser.add_argument("--store", required=True, metavar="ADDRESS", help="a database")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], metavar="N")
    parser.add_argument("--queries", type=int, default=100, metavar="N")
    options = parser.parse_args(arguments)
    print(report.heading(), file=sys.stderr)
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="bench-postgres-") as folder:
            compare(options.store, size, options.queries, folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
