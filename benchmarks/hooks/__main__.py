"""`python -m benchmarks.hooks`: how long each hook keeps an agent waiting, as a ratio to a bare interpreter.

Whole processes, from start to end, as an agent starts them: the console script `treering-hook EVENT` with a payload on
its standard input. Before each one a bare interpreter is timed (`python -c ""`), so that what else the machine does
falls on both alike. The ratio is the median over these pairs; the one at the 95th percentile is that percentile of
ours over the median of the bare ones. Every firing is a session of its own, of notes that the store has or has not.

Beside it, in the same run: a bare Node process, if there is Node, and a Python hook that does nothing but read its
payload and import the MCP SDK.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter

import treering
from benchmarks import report
from benchmarks.figures import Figure, figure
from benchmarks.hooks.payloads import KINDS, QUESTION, Firing, firings
from benchmarks.recalling.stock import stock

SIZES = (1_000, 100_000)
STARTS = 60  # of each hook: three of them lie above the 95th percentile
FEWER = 20  # of what takes a second
GOAL = 4.0  # times a bare interpreter, for a prompt; an agent waits for nothing else as often
GOAL_95 = 6.0
SLOW = 0.95

BARE = [sys.executable, "-c", ""]
_SDK = "import sys, json; payload = json.load(sys.stdin); import mcp; print('{}')"
_LOADED = """
import sys
before = set(sys.modules)
from treering.surfaces.hook import answer
answer([{event!r}, "--home", {home!r}], {{}}, {now}, 0)
print(*sorted(set(sys.modules) - before))
"""


def script() -> str:
    """The command as `treering install` writes it."""
    return os.path.join(os.path.dirname(sys.executable), "treering-hook")


def run(command: Sequence[str], payload: bytes = b"{}") -> tuple[float, bytes]:
    """Milliseconds from start to end of a process, and what it said."""
    start = perf_counter()
    done = subprocess.run(command, input=payload, stdout=subprocess.PIPE, check=True)
    return 1000 * (perf_counter() - start), done.stdout


def measure(size: int, starts: int, home: str) -> Iterator[Figure]:
    """The figures of every hook on a store."""
    pairs: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    said = dict.fromkeys(KINDS, 0)
    for turn in range(starts):
        for firing in firings(turn, size, os.path.dirname(home)):
            bare, _ = run(BARE)
            ours, words = run(hook(firing, home), firing.payload)
            pairs[firing.kind].append((bare, ours))
            said[firing.kind] += bool(words)
    for kind, times in pairs.items():
        asked = kind.startswith("UserPromptSubmit")
        spoke = f" ({said[kind]} of {starts} spoke)" if said[kind] else ""
        yield figure(kind + spoke, size, "ms", times, GOAL if asked else None)
        yield slow(f"{kind}, 95th percentile", size, times, GOAL_95 if asked else None)


def hook(firing: Firing, home: str) -> list[str]:
    return [script(), firing.event, "--home", home]


def slow(name: str, size: int, times: Sequence[tuple[float, float]], goal: float | None) -> Figure:
    """The slowest but some, over the median of the bare ones."""
    bare = median(bare for bare, _ in times)
    ours = sorted(ours for _, ours in times)[min(len(times) - 1, int(SLOW * len(times)))]
    return Figure(name, size, "ms", ours, bare, ours / bare, ours / bare, ours / bare, 1, goal)


def others(starts: int) -> Iterator[Figure]:
    """What other hooks are made of."""
    ways = {"a Python hook that imports the MCP SDK": [sys.executable, "-c", _SDK]}
    if node := shutil.which("node"):
        ways["a bare Node process"] = [node, "-e", ""]
    for name, command in ways.items():
        run(command)  # the first start compiles
        times = [(run(BARE)[0], run(command)[0]) for _ in range(starts)]
        yield figure(name, 0, "ms", times)
        yield slow(f"{name}, 95th percentile", 0, times, None)


def loaded(turn: int, home: str, size: int) -> list[str]:
    """The modules that a prompt brings into the hook's process, beyond those of a bare interpreter."""
    firing = next(one for one in firings(turn, size, os.path.dirname(home)) if one.kind == QUESTION)
    _, names = run([sys.executable, "-c", _LOADED.format(event=firing.event, home=home, now=10**15)], firing.payload)
    return names.decode().split()


def store(size: int, folder: str) -> str:
    """A copy of the store of a size, as hooks write into it; its home."""
    place = os.path.join(folder, str(size))
    home = os.path.join(place, "home")
    os.makedirs(os.path.join(place, ".git"))
    shutil.copytree(stock(report.BUILD, size).home, home)
    with treering.open(home) as memory:
        memory.maintenance.prepare()
    return home


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    compileall.compile_dir(os.path.dirname(treering.__file__), quiet=1)
    print(report.HEADINGS, end="", flush=True)
    figures: list[Figure] = []
    names: list[str] = []
    with tempfile.TemporaryDirectory(dir=report.BUILD, prefix="hooks-") as folder:
        for size in options.sizes:
            home = store(size, folder)
            for found in measure(size, options.starts, home):
                print(report.line(found), end="", flush=True)
                figures.append(found)
            names = loaded(options.starts, home, size)
        for found in others(min(options.starts, FEWER)):
            print(report.line(found), end="", flush=True)
            figures.append(found)
    imports = f"A prompt loads {len(names)} modules beyond a bare interpreter's: {', '.join(names)}.\n"
    print("\n" + imports)
    if options.save:
        method = (__doc__ or "").strip()
        record = {**report.heading(), "method": method, "figures": report.rows(figures), "modules": names}
        print(f"recorded in {report.write('hooks', record)}", file=sys.stderr)
        report.show_in_readme("hooks", f"{report.table(figures)}\n{imports}", record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hooks", description="How long a hook takes.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="memories in the stores")
    parser.add_argument("--starts", type=int, default=STARTS, metavar="N", help="processes of each kind")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
