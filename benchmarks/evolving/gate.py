"""How long the replay gate takes: the last 300 logged recalls, answered with an action and without it.

The yardstick is the same 300 questions, asked once and not logged, in the same process. A deprecation leaves the memory
out of the answers that it was looked at for; a refinement makes the new text and asks every question again.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import treering
from benchmarks import report
from benchmarks.figures import Figure, figure
from benchmarks.recalling.notes import questions
from benchmarks.recalling.stock import stock

SIZES = (10_000, 100_000)
JUDGED = 100_000  # memories, in
GOAL = 30.0  # seconds at the most
RECALLS = 300
REPEATS = 3
_TEXT = "The kitchen invoice is settled before noon, with the second ledger beside it"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--memories", type=int, nargs="+", default=SIZES, help="sizes of the stores")
    parser.add_argument("--repeats", type=int, default=REPEATS)


def measured(options: argparse.Namespace) -> tuple[list[Figure], Mapping[str, Sequence[Mapping[str, Any]]]]:
    print(report.HEADINGS, end="", flush=True)
    figures = []
    for size in options.memories:
        with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
            home = shutil.copytree(stock(report.BUILD, size).home, os.path.join(folder, "home"))
            for found in _gates(home, size, options.repeats):
                print(report.line(found), end="", flush=True)
                figures.append(found)
    return figures, {}


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    return "" if not rows else str(rows)


def _gates(home: str, size: int, repeats: int) -> list[Figure]:
    asked = [question.text for question in questions(RECALLS, size)]
    with treering.open(home) as memory:
        shown = [memory.recall(question, silent=False) for question in asked]
        target = shown[-1].hits[-1].memory.id
        tries: dict[str, Callable[[], object]] = {
            "deprecate": lambda: memory.evolve.attempt("deprecate", target),
            "refine": lambda: memory.evolve.attempt("refine", target, text=_TEXT, reason="says it better"),
        }
        found = []
        for name, attempt in tries.items():
            pairs = [(_timed(lambda: _asked(memory, asked)), _timed(attempt)) for _ in range(repeats)]
            found.append(figure(f"gate, {name}; bare: the questions asked once", size, "s", pairs))
            if size == JUDGED:
                found.append(figure(f"gate, {name}; bare: the goal", size, "s", [(GOAL, found[-1].ours)], 1.0))
    return found


def _asked(memory: treering.Treering, asked: Sequence[str]) -> None:
    for question in asked:
        memory.recall(question, silent=False, log=False)


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
