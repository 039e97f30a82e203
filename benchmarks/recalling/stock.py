"""Stores of many notes: ours, and the same notes in a bare full-text table and a bare matrix of vectors.

They are kept under `build/` between runs, as the largest take many minutes to make. A million notes are remembered in
portions of 10,000, each of them durable before the next, and made ready for recall, with the graph indexed; the bare
ones are written in one transaction.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

import numpy

import treering
from benchmarks import bare
from benchmarks.recall.vectors import Matrix
from benchmarks.recalling.notes import SEED, Note, notes
from treering.models.embed.static import DIMENSIONS, StaticEmbedder

PORTION = 10_000  # memories to one remember_many


class Stock(NamedTuple):
    size: int
    place: str
    text: int  # bytes of the notes themselves
    ours: float  # seconds that remembering and making ready took
    bare: float  # seconds that the inserts and the vectors took

    @property
    def home(self) -> str:
        return os.path.join(self.place, "home")

    @property
    def words(self) -> str:
        return os.path.join(self.place, "words.db")

    @property
    def vectors(self) -> str:
        return os.path.join(self.place, "vectors.npy")


def stock(folder: str, size: int, fresh: bool = False) -> Stock:
    """The one of a size: as it was left, or made now."""
    place = os.path.join(folder, f"recall-{size}")
    mark = os.path.join(place, "made.json")  # written last: without it, something was interrupted
    about = {"seed": SEED, "treering": treering.__version__, "graph": True}
    if os.path.exists(mark) and not fresh:
        with open(mark, encoding="utf-8") as file:
            made = json.load(file)
        if made.items() >= about.items():
            return Stock(size, place, made["text"], made["ours"], made["bare"])
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    found = _make(Stock(size, place, 0, 0.0, 0.0))
    with open(mark, "w", encoding="utf-8") as file:
        json.dump({**about, "text": found.text, "ours": found.ours, "bare": found.bare}, file)
    return found


def _make(empty: Stock) -> Stock:
    """Portion by portion in turn, so that what else the machine does falls on both alike."""
    text, ours, theirs = 0, 0.0, 0.0
    embedder = StaticEmbedder()
    matrix: Matrix = numpy.zeros((empty.size, DIMENSIONS), numpy.float32)
    db = bare.connect(empty.words)
    bare.create_words(db)
    db.execute("BEGIN IMMEDIATE")
    with treering.open(empty.home) as memory:
        for start, portion in _portions(empty.size):
            text += sum(len(note.content.encode()) for note in portion)
            rows = [note._asdict() for note in portion]
            begin = perf_counter()
            memory.remember_many(rows)
            middle = perf_counter()
            contents = [note.content for note in portion]
            db.executemany(bare.INSERT_TEXT, ((content,) for content in contents))
            matrix[start : start + len(portion)] = embedder.embed(contents)
            ours, theirs = ours + middle - begin, theirs + perf_counter() - middle
            _tell(empty.size, start + len(portion), ours)
        begin = perf_counter()
        memory.maintenance.prepare()
        ours += perf_counter() - begin
    begin = perf_counter()
    db.execute("COMMIT")
    numpy.save(empty.vectors, matrix)
    db.close()
    return empty._replace(text=text, ours=ours, bare=theirs + perf_counter() - begin)


def _portions(size: int) -> Iterator[tuple[int, list[Note]]]:
    for start in range(0, size, PORTION):
        yield start, list(notes(start, min(PORTION, size - start)))


def _tell(size: int, done: int, seconds: float) -> None:
    if done == size or done % (10 * PORTION) == 0:
        print(f"{done:,} of {size:,} notes remembered in {seconds:,.0f} s", file=sys.stderr, flush=True)
