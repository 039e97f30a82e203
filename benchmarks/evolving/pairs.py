"""Which memories could be the same: how long that takes, what memory, and what of the planted doubles it finds.

Each run is a process of its own on a store that is made for it: notes with doubles among them, one text over and over,
or texts of one template that differ in a number. In turn with it, plain numpy compares all vectors of the store with
all (of a large one, a tenth of them with all, and ten times that is told). Peak memory is that of the whole process,
where the system tells it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

from benchmarks import report
from benchmarks.evolving import stores
from benchmarks.evolving.planted import KINDS, planted
from benchmarks.figures import Figure, figure

SIZES = (10_000, 100_000)
JUDGED = 100_000  # memories, in
GOAL = 60.0  # seconds at the most, and
ROOM = 1_024.0  # MiB at the most
GROWTH = 3.2  # times as long for a memory as at a tenth of the size: the square root of ten
REPEATS = 3
HEADINGS = ("store", "memories", "candidates", *(f"{kind} found" for kind in KINDS))
_WHOLE = 20_000  # memories of which all are compared with all
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

_OURS = """
import json, os, sys, time, treering
from treering.evolve.groups import similar_pairs
with treering.open(sys.argv[1]) as memory:
    index = memory.store.index
    start = time.perf_counter()
    found = [pair[:2] for pair in similar_pairs(index, index.places(memory.context))]
    seconds = time.perf_counter() - start
peak = 0.0
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status", encoding="ascii") as file:
        peak = next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM:"))
print(json.dumps({"seconds": seconds, "peak": peak, "found": found}))
"""
_BARE = """
import json, sys, time, numpy, treering
with treering.open(sys.argv[1]) as memory:
    index = memory.store.index
    start = time.perf_counter()
    held = [vector for place in index.places(memory.context) for _, vector, _ in index.tail(place.number, 0)]
    rows = numpy.frombuffer(b"".join(held), numpy.int8).reshape(len(held), -1).astype(numpy.float32)
    rows /= numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    every, near = int(sys.argv[2]), 0
    ready = time.perf_counter()
    for at in range(0, len(rows), 1024 * every):
        near += int((rows[at : at + 1024] @ rows.T > 0.95).sum())
    seconds = ready - start + every * (time.perf_counter() - ready)
print(json.dumps({"seconds": seconds, "near": near}))
"""


class Case(NamedTuple):
    texts: Callable[[int], list[str]]
    about: str


CASES = {
    "notes": Case(lambda size: planted(size).texts, "notes with doubles"),
    "copies": Case(lambda size: ["Always run the tests before a push."] * size, "one text over and over"),
    "template": Case(lambda size: [f"Ticket {number} was closed." for number in range(size)], "texts of one template"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--memories", type=int, nargs="+", default=SIZES, metavar="N", help="in the stores")
    parser.add_argument("--only", nargs="+", choices=list(CASES), default=list(CASES), help="some of the stores")
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N")


def measured(options: argparse.Namespace) -> tuple[list[Figure], dict[str, Any]]:
    """All figures, and what was found in each store."""
    figures: list[Figure] = []
    found: list[dict[str, Any]] = []
    print(report.HEADINGS, end="", flush=True)
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        for name in options.only:
            for one in _case(name, sorted(options.memories), options.repeats, folder, found):
                print(report.line(one), end="", flush=True)
                figures.append(one)
    print("\n" + table(found))
    return figures, {"found": found}


def table(found: Sequence[dict[str, Any]]) -> str:
    """What was found in each store; of planted doubles, which share."""
    rows = []
    for one in found:
        shares = ["" if one[kind] is None else f"{one[kind]:.3f}" for kind in KINDS]
        rows.append((one["store"], f"{one['memories']:,}", f"{one['candidates']:,}", *shares))
    return report.lines(HEADINGS, rows)


def _case(name: str, sizes: Sequence[int], repeats: int, folder: str, found: list[dict[str, Any]]) -> Iterator[Figure]:
    about, before = CASES[name].about, 0.0
    for size in sizes:
        home = os.path.join(folder, f"{name}-{size}")
        stores.fill(home, ({"content": text} for text in CASES[name].texts(size)))
        every = 10 if size > _WHOLE else 1
        runs = [(_run(_BARE, home, str(every)), _run(_OURS, home)) for _ in range(repeats)]
        found.append({"store": about, "memories": size, **_shares(name, size, runs[-1][1]["found"])})
        took = median(ours["seconds"] for _, ours in runs)
        pairs = [(bare["seconds"], ours["seconds"]) for bare, ours in runs]
        is_judged = size == JUDGED
        yield figure(f"{about}; bare: all with all", size, "s", pairs)
        yield figure(f"{about}; bare: the goal", size, "s", [(GOAL, took)], 1.0 if is_judged else None)
        peak = median(ours["peak"] for _, ours in runs)
        if peak:
            goal = 1.0 if is_judged else None
            yield figure(f"{about}, peak memory; bare: the goal", size, "MiB", [(ROOM, peak)], goal)
        each = took / size * 1e6
        if before:
            goal = GROWTH if is_judged else None
            yield figure(f"{about}, for a memory; bare: at the size before", size, "µs", [(before, each)], goal)
        before = each


def _run(program: str, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _shares(name: str, size: int, found: Sequence[Sequence[int]]) -> dict[str, Any]:
    """How many candidates there are, and which share of each kind of double is among them."""
    doubles = planted(size).doubles if name == "notes" else {}
    got = {(one - 1, other - 1) for one, other in found}
    shares = {kind: len(got.intersection(pairs)) / len(pairs) for kind, pairs in doubles.items() if pairs}
    return {"candidates": len(found), **{kind: shares.get(kind) for kind in KINDS}}
