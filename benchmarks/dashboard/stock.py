"""A store that has grown for two years: notes, recalls, judgements and maintenance, each at its time."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from datetime import datetime

import treering
from benchmarks.recalling.notes import Note, notes, questions
from treering.memory import Treering

PORTION = 1_000  # notes that come at a time
RECALLS, AGED = 5, 25  # recalls after each portion, and portions between two passes of hygiene
PROJECT, TAG = "shop", "deploy"  # of every tenth note


def stock(folder: str, size: int, fresh: bool = False) -> str:
    """Return the home of a store of a size: as it was left, or made now."""
    place = os.path.join(folder, f"dashboard-{size}")
    home, mark = os.path.join(place, "home"), os.path.join(place, "made")
    if fresh or not os.path.exists(mark):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        _make(home, size)
        with open(mark, "w", encoding="utf-8") as file:
            file.write(treering.__version__)
    return home


def _make(home: str, size: int) -> None:
    set_clock, usual = _clock()
    asked = questions(RECALLS * (size // PORTION + 1), size)
    try:
        with treering.open(home) as memory:
            for start in range(0, size, PORTION):
                portion = [*notes(start, min(PORTION, size - start))]
                set_clock(portion[-1].at)
                memory.remember_many(_row(note, number) for number, note in enumerate(portion))
                for question in asked[start // PORTION * RECALLS :][:RECALLS]:
                    _ask(memory, question.text, portion[-1].session)
                if start % (AGED * PORTION) == 0:
                    memory.maintenance.hygiene()
                    print(f"{start:,} of {size:,} notes", file=sys.stderr, flush=True)
            memory.maintenance.prepare()
    finally:
        time.time_ns, time.time = usual


def _row(note: Note, number: int) -> dict[str, object]:
    row = note._asdict()
    return row if number % 10 else {**row, "project": PROJECT, "tags": [TAG]}


def _ask(memory: Treering, text: str, session: str) -> None:
    found = memory.recall(text, 3, session=session)
    if found.hits:
        memory.feedback(found.id, found.hits[0].memory.id, "helpful")


def _clock() -> tuple[Callable[[str], None], tuple[Callable[[], int], Callable[[], float]]]:
    """Return what sets the clock of this process, and its own functions."""
    usual = (time.time_ns, time.time)
    now = [0]

    def set_clock(at: str) -> None:
        now[0] = int(datetime.fromisoformat(at).timestamp() * 1e9)

    time.time_ns, time.time = lambda: now[0], lambda: now[0] / 1e9
    return set_clock, usual
