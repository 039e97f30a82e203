"""`python -m benchmarks.pipeline`: how long each step of looking after a large memory takes, and how much it holds.

`memory.maintenance.consolidate()` in a process of its own on a fresh copy of the store, from reading everything for
the first time (`prepare`) to reflection. The yardstick is a process that reads every row of memories and events with
bare SQLite. What a step holds at the most and how long it keeps a processor busy is sampled while it runs; the
growth from size to size is that of the latter, as the machine may be shared. A second copy is looked after
in runs with a budget, one process after the other, until one finishes or there were eight.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple

import treering
from benchmarks import report
from benchmarks.figures import Figure, figure
from benchmarks.pipeline import stores
from treering.stores.files import FILE_NAME

SIZES = (10_000, 100_000)
JUDGED = 100_000  # memories, in
GOAL = 300.0  # seconds at the most,
ROOM = 1024.0  # and so many MiB
LINEAR = 1.5  # and for one memory at the most so often what it takes at a tenth of that,
LONG = 1.0  # where a step takes seconds enough to tell
BUDGET = 30  # seconds, as at the end of a session
OVER = 1.2  # by which a run may go beyond it: no portion of work is cut in two
MOST_RUNS = 8  # with a budget, that are looked at
BETWEEN = 0.02  # seconds between two samples
WHOLE = "the whole"

_BARE = """
import apsw
db = apsw.Connection({path!r}, flags=apsw.SQLITE_OPEN_READONLY)
print(sum(1 for table in ("memories", "events") for _ in db.execute(f"SELECT * FROM {{table}}")))
"""


class Taken(NamedTuple):
    """A step, as it was taken."""

    step: str
    seconds: float
    busy: float  # seconds of a processor: what else the machine does changes these little
    peak: float  # MiB
    counts: Mapping[str, int]


class Run(NamedTuple):
    """A whole run."""

    seconds: float
    finished: bool
    steps: tuple[Taken, ...]


class Sampler(threading.Thread):
    """What this process holds and how busy it was, from moment to moment."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._page = os.sysconf("SC_PAGE_SIZE") / 2**20
        self.samples: list[tuple[float, float, float]] = []
        self.going = True

    def run(self) -> None:
        with open("/proc/self/statm", encoding="ascii") as file:
            while self.going:
                file.seek(0)
                self.samples.append((perf_counter(), int(file.read().split()[1]) * self._page, process_time()))
                sleep(BETWEEN)

    def peak(self, start: float, end: float) -> float:
        """The most between two moments; of a moment too short to be seen, what was held before it."""
        within = [held for at, held, _ in self.samples if start - BETWEEN * 2 <= at <= end]
        return round(max(within, default=0.0), 1)

    def busy(self, start: float, end: float) -> float:
        """Seconds of a processor between two moments."""
        times = [at for at, _, _ in self.samples]
        begin, to = (self.samples[min(bisect(times, moment), len(times) - 1)][2] for moment in (start, end))
        return round(to - begin, 3)


def measure(home: str, budget: float | None) -> None:
    """Look after a store in this process, and print what came of it."""
    with treering.open(home) as memory:
        sampler = Sampler()
        sampler.start()
        start = perf_counter()
        done = memory.maintenance.consolidate(budget=budget)
        end = perf_counter()
        sampler.going = False
        sampler.join()
    seconds = [step.took / 1e6 for step in done.steps]
    ends = pairwise(accumulate((end - sum(seconds), *seconds)))
    steps = [
        Taken(step.step, to - begin, sampler.busy(begin, to), sampler.peak(begin, to), dict(step.counts))._asdict()
        for step, (begin, to) in zip(done.steps, ends, strict=True)
    ]
    print(json.dumps({"seconds": end - start, "finished": done.finished, "steps": steps}))


def run(sizes: Sequence[int], budget: int, folder: str) -> Iterator[tuple[Figure, dict[str, Any]]]:
    """The figures of each size, with the numbers behind them."""
    smaller: Run | None = None
    last = 0
    for size in sizes:
        home = os.path.join(folder, str(size))
        _process(f"from benchmarks.pipeline import stores; stores.make({home!r}, {size})")
        path = os.path.join(home, FILE_NAME)
        start = perf_counter()
        rows = int(_process(_BARE.format(path=path)))
        bare = perf_counter() - start
        whole = _looked_after(home, None)
        told = {"memories": size, "rows": rows, **_told(whole)}
        for found in _figures(size, whole, bare, smaller, last):
            yield found, told
        yield from ((found, told) for found in _budgeted(home, size, budget))
        shutil.rmtree(home)
        smaller, last = whole, size


def _figures(size: int, whole: Run, bare: float, smaller: Run | None, last: int) -> Iterator[Figure]:
    yield figure(WHOLE, size, "s", [(bare, whole.seconds)])
    for one in whole.steps:
        yield figure(one.step, size, "s", [(bare, one.seconds)])
    peak = max(one.peak for one in whole.steps)
    yield figure("peak memory; bare: the goal", size, "MiB", [(ROOM, peak)], 1.0 if size == JUDGED else None)
    if size == JUDGED:
        yield figure(f"{WHOLE}; bare: the goal", size, "s", [(GOAL, whole.seconds)], 1.0)
    known = {one.step: one for one in smaller.steps} if smaller else {}
    for one, before in ((one, known[one.step]) for one in whole.steps if one.step in known):
        if min(one.busy, before.busy * 10) > LONG:
            each = (before.busy / last * 1e6, one.busy / size * 1e6)
            yield figure(f"{one.step}, for a memory, busy; bare: at the size before", size, "µs", [each], LINEAR)


def _budgeted(home: str, size: int, budget: int) -> Iterator[Figure]:
    """Runs with a budget, one after the other: each goes on where the last one stopped."""
    copy = shutil.copytree(home, f"{home}-budget")
    runs = [_in(copy, budget)]
    while not runs[-1].finished and len(runs) < MOST_RUNS:
        runs.append(_in(copy, budget))
    verified = subprocess.run([sys.executable, "-m", "treering", "--home", copy, "verify"], capture_output=True)
    if verified.returncode:
        raise RuntimeError("a run that was stopped left a store that does not verify")
    shutil.rmtree(copy)
    longest = max(one.seconds for one in runs)
    goal = OVER if size == JUDGED else None
    all = f"{len(runs)} runs" + ("" if runs[-1].finished else ", and it is not done")
    yield figure(f"with a budget, the longest of {all}; bare: the budget", size, "s", [(budget, longest)], goal)
    if not runs[-1].finished and _left(runs[-1]) >= _left(runs[-2]) > 0:
        raise RuntimeError("a run with a budget did not go on where the last one stopped")


def _left(run: Run) -> int:
    """What a run knows that it has left for the next one."""
    return sum(step.counts.get("left", 0) for step in run.steps)


def _looked_after(home: str, budget: int | None) -> Run:
    copy = shutil.copytree(home, f"{home}-copy")
    found = _in(copy, budget)
    shutil.rmtree(copy)
    return found


def _in(home: str, budget: int | None) -> Run:
    found = json.loads(_process(f"from benchmarks.pipeline.__main__ import measure; measure({home!r}, {budget})"))
    return Run(found["seconds"], found["finished"], tuple(Taken(**step) for step in found["steps"]))


def _told(whole: Run) -> dict[str, Any]:
    return {"seconds": round(whole.seconds, 2), "steps": [one._asdict() for one in whole.steps]}


def _process(code: str) -> str:
    """What a process of its own prints: what one has held at the most counts for its children too."""
    return subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout


def counted(told: Sequence[Mapping[str, Any]]) -> str:
    """What each step held and did."""
    rows = [
        (
            f"{one['memories']:,}",
            step["step"],
            f"{step['seconds']:.1f}",
            f"{step['busy']:.1f}",
            f"{step['peak']:,.0f}",
            ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in step["counts"].items() if value),
        )
        for one in told
        for step in one["steps"]
    ]
    return report.lines(("memories", "step", "seconds", "of them busy", "MiB at the most", "what came of it"), rows, 2)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    print(report.HEADINGS, end="", flush=True)
    figures: list[Figure] = []
    told: dict[int, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        for found, one in run(options.memories, options.budget, folder):
            print(report.line(found), end="", flush=True)
            figures.append(found)
            told[one["memories"]] = one
    steps = counted([*told.values()])
    print("\n" + steps)
    if options.save:
        method = {"pipeline": (__doc__ or "").strip(), "store": (stores.__doc__ or "").strip()}
        record = {**report.heading(), "method": method, "figures": report.rows(figures), "runs": [*told.values()]}
        print(f"recorded in {report.write('pipeline', record)}", file=sys.stderr)
        report.show_in_readme("pipeline", f"{report.table(figures)}\n{steps}", record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pipeline", description="How long it takes to look after a large memory."
    )
    parser.add_argument("--memories", type=int, nargs="+", default=SIZES, help="sizes of the stores")
    parser.add_argument("--budget", type=int, default=BUDGET, help="seconds of a run that is cut short")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
