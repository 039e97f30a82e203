"""`make bench-sync`: what it costs to bring 100 new events to another machine, when both hold 100,000.

python -m benchmarks.syncing [--sizes N …] [--save]

Each sync is made by a process of its own, so that nothing of the store is in its memory. What it reads and writes
from the opening of the store to its close is what the kernel counts of its calls (/proc/self/io): the database, its
log, and the folder. Needs Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

import treering
from benchmarks import machine, report
from benchmarks.figures import Figure, figure
from benchmarks.rebuilding import fill
from treering.ledger.sync.keys import Key

SIZES = (1_000, 100_000)
NEW = 100
TIMES = 5
GROWTH = 2.0  # fold, from the smallest store to the largest: flat but for the depth of its trees
_WORK = """import json, os, sys, time
import treering

def counted():
    words = open("/proc/self/io").read().split()
    return int(words[1]), int(words[3])

def sync(home):
    with treering.open(home) as memory:
        (result,) = memory.sync.run()
    assert result.done, result.problem

sync(sys.argv[1])  # so that every module is loaded
before, start, cpu = counted(), time.perf_counter(), time.process_time()
sync(sys.argv[2])
took, after = (time.perf_counter() - start, time.process_time() - cpu), counted()
print(json.dumps([*took, *(late - early for early, late in zip(before, after))]))
"""


class Taken(NamedTuple):
    """What one process took."""

    seconds: float  # on the clock
    processor: float  # seconds
    read: float  # bytes
    written: float


class Costs(NamedTuple):
    """What bringing the new events to another machine took, at one size: the median of some times."""

    size: int
    out: Taken
    into: Taken
    nothing: Taken  # a sync without anything new


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.syncing", description="What a sync costs.")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="events that both machines hold")
    parser.add_argument("--save", action="store_true", help="record the run")
    options = parser.parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    if machine.file_system(report.BUILD) == "tmpfs":
        print("warning: build/ is in memory, where nothing is durable", file=sys.stderr)
    found = [*figures([measured(size) for size in options.sizes])]
    print(report.table(found), end="")
    if options.save:
        record = {**report.heading(), "method": (__doc__ or "").strip(), "figures": report.rows(found)}
        print(f"\nrecorded in benchmarks/results/{report.write('sync', record)}")
        report.show_in_readme("sync", report.table(found), record)
    return 0 if all(one.met for one in found) else 1


def figures(costs: Sequence[Costs]) -> Iterator[Figure]:
    """Return the largest store (ours) beside the smallest (bare)."""
    least, most = costs[0], costs[-1]
    for way, name in (("out", f"{NEW} new, sent"), ("into", f"{NEW} new, received"), ("nothing", "nothing new")):
        pairs = zip(getattr(least, way)._asdict().items(), getattr(most, way), strict=True)
        for (what, one), other in pairs:
            unit = "B" if what in ("read", "written") else "s"
            yield figure(f"{name}: {what}", most.size, unit, [(max(one, 1e-3), max(other, 1e-3))], GROWTH)


def measured(size: int) -> Costs:
    """Fill two machines with so many events, and sync some new ones a few times."""
    with tempfile.TemporaryDirectory(dir=report.BUILD, prefix="bench-sync-") as folder:
        one, two, tiny = (os.path.join(folder, name) for name in ("one", "two", "tiny"))
        _paired(one, two, os.path.join(folder, "shared"), size)
        _paired(tiny, os.path.join(folder, "other"), os.path.join(folder, "small"), 10)
        taken: dict[str, list[Taken]] = {"out": [], "into": [], "nothing": []}
        for _ in range(TIMES):
            with treering.open(one) as memory:
                fill(memory, NEW)
            for way, home in (("out", one), ("into", two), ("nothing", two)):
                taken[way].append(_run(tiny, home))
    return Costs(size, **{way: Taken(*map(median, zip(*rows, strict=True))) for way, rows in taken.items()})


def _paired(one: str, two: str, shared: str, size: int) -> None:
    with treering.open(one) as memory:
        fill(memory, size)
        key = Key(bytes.fromhex(memory.sync.add(shared).secret)).code
        memory.sync.run()
    with treering.open(two) as memory:
        memory.sync.add(shared, key=key)
        memory.sync.run()


def _run(tiny: str, home: str) -> Taken:
    done = subprocess.run([sys.executable, "-c", _WORK, tiny, home], check=True, capture_output=True, text=True)
    return Taken(*json.loads(done.stdout))


if __name__ == "__main__":
    raise SystemExit(main())
