"""How long a run of evolution takes over a large store, and how much memory: with something of everything to do.

Of the notes, one in a hundred is said again in the same words and a few of those are asked for, a few others are judged
bad in ten recalls, and nearly all have not been used for 90 days, so that they are archived: an event for each. Each
measurement is a process of its own on a fresh copy of the store. The yardstick is bare SQLite that reads every memory,
and writes as many events and changes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

import treering
from benchmarks import report
from benchmarks.ageing.speed import yardstick
from benchmarks.figures import Figure, figure
from benchmarks.recalling.notes import notes, questions
from benchmarks.recalling.stock import stock
from treering.stores.files import FILE_NAME

SIZES = (10_000, 100_000)
JUDGED = 100_000  # memories, in
GOAL = 60.0  # seconds at the most
LINEAR = 1.5  # and for one memory at the most so often what it takes at a tenth of that
REPEATS = 2
AGAIN = 100  # one note in so many is said again
FAILING = 5  # memories that are judged bad, each
USES = 10  # times


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--memories", type=int, nargs="+", default=SIZES, help="sizes of the stores")
    parser.add_argument("--repeats", type=int, default=REPEATS)


def measured(options: argparse.Namespace) -> tuple[list[Figure], Mapping[str, Sequence[Mapping[str, Any]]]]:
    print(report.HEADINGS, end="", flush=True)
    figures: list[Figure] = []
    told: list[dict[str, Any]] = []
    for size in options.memories:
        with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
            home = _prepared(os.path.join(folder, "home"), size)
            runs = [_run(home, folder) for _ in range(options.repeats)]
            bare = [yardstick(os.path.join(home, FILE_NAME), sum(one["actions"].values())) for one in runs]
        for found in _figures(size, runs, bare, figures):
            print(report.line(found), end="", flush=True)
            figures.append(found)
        told.append({"memories": size, "peak_mib": max(one["peak_mib"] for one in runs), **runs[-1]["actions"]})
    print("\n" + table(told))
    return figures, {"runs": told}


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    heads = list(rows[0])
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(f"{row[head]:,}" for head in heads) + " |" for row in rows)]) + "\n"


def _prepared(home: str, size: int) -> str:
    """A store with something of everything to do."""
    shutil.copytree(stock(report.BUILD, size).home, home)
    with treering.open(home) as memory:
        again = [*notes(0, size // AGAIN)]
        memory.remember_many({"content": note.content, "at": note.at} for note in again)
        for note in again[:FAILING]:
            for use in range(USES):
                memory.recall(note.content, k=1, silent=False, session=f"{note.at}-{use}")
        for question in questions(FAILING, size):
            for use in range(USES):
                found = memory.recall(question.text, k=2, silent=False, session=f"{question.note}-{use}")
                memory.feedback(found.id, found.hits[0].memory.id, "not_helpful")
    return home


def _run(home: str, folder: str) -> dict[str, Any]:
    copy = shutil.copytree(home, os.path.join(folder, "copy"))
    words = [sys.executable, "-m", "benchmarks.evolving.run", copy]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    shutil.rmtree(copy)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _figures(
    size: int, runs: Sequence[dict[str, Any]], bare: Sequence[float], before: Sequence[Figure]
) -> Iterator[Figure]:
    ours = figure("a run", size, "s", [(one, run["seconds"]) for one, run in zip(bare, runs, strict=True)])
    yield ours
    if size == JUDGED:
        yield figure("a run; bare: the goal", size, "s", [(GOAL, ours.ours)], 1.0)
    smaller = [found for found in before if found.name == "a run" and found.size < size]
    if smaller:
        each = [found.ours / found.size * 1e6 for found in (smaller[-1], ours)]
        yield figure("a run, for a memory; bare: at the size before", size, "µs", [(each[0], each[1])], LINEAR)


def _measure(home: str) -> dict[str, Any]:
    with treering.open(home) as memory:
        start = perf_counter()
        done = memory.evolve.run()
        seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"seconds": seconds, "actions": done.actions, "peak_mib": peak}


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1])))
