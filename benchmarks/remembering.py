"""Durable remember: one memory at a time, each on disk before the next, against a bare commit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter

import apsw

import treering
from benchmarks import bare
from benchmarks.figures import Figure, Plan, figure
from benchmarks.texts import SEED, Notes

GOAL = 3.0
_BLOCK = 500  # writes; SQLite moves its log into the file every few hundred, and a block must hold some of that


def figures(plan: Plan, folder: str) -> Iterator[Figure]:
    """Write by write in turn; each block of writes is a pair."""
    notes = Notes(SEED + 1)
    with treering.open(os.path.join(folder, "remember")) as memory:
        memory.remember_many({"content": text} for text in notes.take(plan.small))
        plain = bare.ledger(os.path.join(folder, "remember.db"))
        block = min(_BLOCK, plan.small)
        pairs = [_block(memory, plain, list(notes.take(block))) for _ in range(plan.repeats)]
        plain.close()
    yield figure("durable remember", plan.small, "ms", pairs, GOAL)


def _block(memory: treering.Treering, plain: apsw.Connection, texts: list[str]) -> tuple[float, float]:
    """Milliseconds for one write, bare and ours, checkpoints included."""
    theirs = ours = 0.0
    for text in texts:
        start = perf_counter()
        made = memory.remember(text)
        ours += perf_counter() - start
        (event,) = memory.history(made.id)
        theirs += bare.commit(plain, event.payload or "")
    return 1000 * theirs / len(texts), 1000 * ours / len(texts)
