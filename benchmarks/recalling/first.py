"""`python -m benchmarks.recalling.first [--size N]`: what the first recalls after many writes cost, in CPU time.

Once the memories were written with `remember_many`, and once in a transaction, so that nothing of them is indexed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from time import process_time

import treering
from benchmarks import report
from benchmarks.recalling.notes import notes, questions

SIZE = 5_000  # memories
ASKED = 5  # questions, each once: what the first leaves behind, the others find


def figures(size: int) -> Iterator[list[str]]:
    """Yield a row for each way to write: seconds of writing, and milliseconds of the first and of a later recall."""
    rows = [{"content": note.content} for note in notes(0, size)]
    for way in ("remember_many", "nothing indexed"):
        with tempfile.TemporaryDirectory() as home:
            with treering.open(home) as memory:
                began = process_time()
                if way == "remember_many":
                    memory.remember_many(rows)
                else:
                    memory.together(lambda memory=memory: memory.remember_many(rows))  # type: ignore[misc]
                wrote = process_time() - began
            first, *later = _recalls(home, size)
        yield [way, f"{wrote:.2f}", f"{first:.0f}", f"{sorted(later)[len(later) // 2]:.0f}"]


def _recalls(home: str, size: int) -> list[float]:
    """Return the milliseconds of each recall in a process that has made none in this store."""
    took = []
    with treering.open(home) as memory:
        for question in questions(ASKED, size):
            began = process_time()
            memory.recall(question.text, log=False)
            took.append(1_000 * (process_time() - began))
    return took


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recalling.first", description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="memories")
    found = [*figures(parser.parse_args().size)]
    print(report.lines(["written by", "s to write", "ms of the first recall", "ms of a later one"], found))


if __name__ == "__main__":
    main()
