"""Open: a whole process that opens a store and shows one memory, against one that only imports apsw."""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

import treering
from benchmarks.figures import Figure, Plan, figure
from benchmarks.rebuilding import fill

GOAL = 2.0


def figures(plan: Plan, folder: str) -> Iterator[Figure]:
    home = os.path.join(folder, "open")
    with treering.open(home) as memory:
        fill(memory, plan.size)
        id = next(iter(memory.list(limit=1))).id
    compileall.compile_dir(os.path.dirname(treering.__file__), quiet=1)
    program = f"import treering; m = treering.open({home!r}); m.get({id!r})"
    nothing = [sys.executable, "-c", "import apsw"]
    ways = {
        "open and get, from Python": [sys.executable, "-c", program],
        "open and show, from the shell": [script(), "show", id, "--home", home],
    }
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(plan.starts):
        for name, command in ways.items():
            pairs[name].append((run(nothing), run(command)))
    for name, times in pairs.items():
        yield figure(name, plan.size, "ms", times, GOAL)


def script() -> str:
    """The command as a shell finds it."""
    return os.path.join(os.path.dirname(sys.executable), "treering")


def run(command: list[str]) -> float:
    """Milliseconds from start to end of a process."""
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (perf_counter() - start)
