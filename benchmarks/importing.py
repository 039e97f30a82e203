"""Bulk import: rows of a file, or in memory, against a bare insert into FTS5; and the memory it takes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

import treering
from benchmarks import bare
from benchmarks.figures import Figure, Plan, compare, figure
from benchmarks.texts import write_rows
from treering.ledger.transfer import import_file

GOAL = 3.0
FLAT = 1.25  # of the peak at the smallest size, which does not fill the page cache; beyond that it is level
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class _Places:
    """A new place for every store, so that each repeat starts from nothing."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._count = 0

    def next(self) -> str:
        self._count += 1
        return os.path.join(self._folder, f"import-{self._count}")


def figures(plan: Plan, folder: str) -> Iterator[Figure]:
    places = _Places(folder)
    file = os.path.join(folder, "rows.jsonl")
    for size in (plan.small, plan.size):
        write_rows(file, size)
        times = compare(
            lambda: bare.index(places.next(), bare.read(file)),
            lambda: _import(places.next(), file),
            plan.repeats,
        )
        yield figure("bulk import", size, "s", times, GOAL)
    texts = list(bare.read(file))
    times = compare(
        lambda: bare.index(places.next(), texts), lambda: _remember_many(places.next(), texts), plan.repeats
    )
    yield figure("remember_many in one call", plan.size, "s", times)
    yield from _peaks(plan, places, file)


def _import(home: str, file: str) -> float:
    with treering.open(home) as memory:
        start = perf_counter()
        done = import_file(memory.ledger, memory.context, file, limit=memory.config.content_limit)
        seconds = perf_counter() - start
    assert done.added and not done.known
    return seconds


def _remember_many(home: str, texts: list[str]) -> float:
    rows = [{"content": text} for text in texts]
    with treering.open(home) as memory:
        start = perf_counter()
        memory.remember_many(rows)
        return perf_counter() - start


def _peaks(plan: Plan, places: _Places, file: str) -> Iterator[Figure]:
    """The most memory that an import held, beside that of the smallest."""
    sizes = (plan.small, plan.size) if plan.quick else (plan.small, plan.size, 4 * plan.size)
    least = 0.0
    for size in sizes:
        write_rows(file, size)
        peak = _peak(places.next(), file)
        least = least or peak
        yield figure("peak memory of an import", size, "MiB", [(least, peak)], FLAT)


def _peak(home: str, file: str) -> float:
    """Mebibytes, as a process of its own reports them."""
    command = [sys.executable, "-m", "benchmarks.importing", home, file]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def _own_peak() -> int:
    """Kibibytes. `ru_maxrss` would do, but on Linux it begins with what the parent held."""
    if os.path.exists("/proc/self/status"):
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    from resource import RUSAGE_SELF, getrusage

    return getrusage(RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    _import(*sys.argv[1:])
    print(_own_peak())
