"""`make bench-recalling`: how fast memories are recalled and what that takes, in a table and in a record.

python -m benchmarks.recalling [--sizes N …] [--queries N] [--rounds N] [--only NAME …] [--fresh] [--save]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from benchmarks import report
from benchmarks.figures import Figure, figure
from benchmarks.recalling import footprint, latency, notes, stock
from benchmarks.recalling.stock import Stock

SIZES = (1_000, 10_000, 100_000, 1_000_000)
FOOTPRINT = 100_000  # the size at which processes, bytes and memory are measured, or the largest below it
STARTS = 40  # processes of each kind
CASES = ("load", "latency", "cold", "disk", "resident")


def run(stocks: Sequence[Stock], only: Sequence[str], plan: latency.Plan, starts: int) -> Iterator[Figure]:
    """The figures of some stocks, smallest first."""
    usual = max((each for each in stocks if each.size <= FOOTPRINT), default=stocks[0], key=lambda each: each.size)
    if "load" in only:
        for each in stocks:
            pair = (1000 * each.bare / each.size, 1000 * each.ours / each.size)
            yield figure("load, for a memory; bare: the inserts and the vectors", each.size, "ms", [pair])
    if "latency" in only:
        yield from latency.figures(stocks, plan)
    if "cold" in only:
        yield from footprint.cold(usual, starts)
    if "disk" in only:
        yield from footprint.disk(usual)
    if "resident" in only:
        yield from footprint.resident(usual)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    stocks = [stock.stock(report.BUILD, size, options.fresh) for size in sorted(options.sizes)]
    print(report.HEADINGS, end="", flush=True)
    figures = []
    for found in run(stocks, options.only, latency.Plan(options.queries, options.rounds), STARTS):
        print(report.line(found), end="", flush=True)
        figures.append(found)
    if options.save:
        modules = (notes, stock, latency, footprint)
        method = {module.__name__.rpartition(".")[2]: (module.__doc__ or "").strip() for module in modules}
        record = {**report.heading(), "method": method, "figures": report.rows(figures)}
        print(f"\nrecorded in benchmarks/results/{report.write('recalling', record)}")
        report.show_in_readme("recalling", report.table(figures), record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recalling", description="How fast memories are recalled."
    )
    plan = latency.Plan()
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="memories in the stores")
    parser.add_argument("--queries", type=int, default=plan.queries, metavar="N", help="different questions to a round")
    parser.add_argument("--rounds", type=int, default=plan.rounds, metavar="N")
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES, help="some of the figures")
    parser.add_argument("--fresh", action="store_true", help="make the stores under build/ anew")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
