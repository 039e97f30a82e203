"""Sync: what it costs to bring 100 new events to another machine, when both hold 100,000.

python -m benchmarks.syncing [SIZE]
"""

from __future__ import annotations

import os
import sys
import tempfile
from time import process_time

import treering
from benchmarks.rebuilding import fill
from treering.ledger.sync.keys import Key

SIZE = 100_000
NEW = 100


def main(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder, treering.open(f"{folder}/one") as one:
        shared = f"{folder}/shared"
        fill(one, size)
        key = Key(bytes.fromhex(one.sync.add(shared).secret)).code
        told("the first time, out", shared, one)
        with treering.open(f"{folder}/two") as two:
            two.sync.add(shared, key=key)
            told("the first time, in", shared, two)
            fill(one, NEW)
            told(f"{NEW} new, out", shared, one)
            told(f"{NEW} new, in", shared, two)
            told("nothing new", shared, two)


def told(name: str, shared: str, memory: treering.Treering) -> None:
    before, start = _bytes(shared), process_time()
    (result,) = memory.sync.run()
    took = process_time() - start
    assert result.done is not None, result.problem
    counts = f"{result.done.received:,} received, {result.done.sent:,} sent"
    print(f"{name:22} {took:8.3f} s of CPU   {_bytes(shared) - before:12,} bytes more there   {counts}")


def _bytes(folder: str) -> int:
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZE)
