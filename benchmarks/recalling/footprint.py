"""What recall takes: a cold process, bytes on disk, and resident memory.

A cold process is `treering recall "…"` from the shell, in turn with `python -c "import numpy"`. Bytes on disk are all
files of the store without the notes themselves, for one memory; bare is the full-text table and the vectors in float32.
Resident memory is that of a process that has recalled, beyond one that has only imported numpy; bare is one that has
made the same searches over the table and the vectors. Modules are compiled before processes are timed.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from collections.abc import Iterator

import treering
from benchmarks.figures import Figure, figure
from benchmarks.opening import run, script
from benchmarks.recalling.notes import questions
from benchmarks.recalling.stock import Stock

COLD_GOAL = 2.0
_ASKED = 20  # questions before the memory is read
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

_RESIDENT = """
def resident():
    with open("/proc/self/status", encoding="ascii") as file:
        print(next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS:")))
"""
_NUMPY = "import numpy; resident()"
_OURS = """
import sys, treering
with treering.open(sys.argv[1]) as memory:
    for question in sys.argv[2:]:
        memory.recall(question, 10, log=False)
    resident()
"""
_BARE = """
import sys, numpy
from benchmarks import bare
from benchmarks.recall.baselines import Vectors, Words
from treering.models.embed.static import StaticEmbedder
words, vectors, embedder = Words(bare.connect(sys.argv[1])), Vectors(numpy.load(sys.argv[2])), StaticEmbedder()
for question in sys.argv[3:]:
    words.find(question)
    vectors.find(embedder.embed([question])[0])
resident()
"""


def cold(stock: Stock, starts: int) -> Iterator[Figure]:
    """A process from its start to its end."""
    compileall.compile_dir(os.path.dirname(treering.__file__), quiet=1)
    nothing = [sys.executable, "-c", "import numpy"]
    asked = [question.text for question in questions(starts + 1, stock.size)]
    commands = [[script(), "recall", text, "--home", stock.home] for text in asked]
    run(nothing), run(commands.pop())
    pairs = [(run(nothing), run(command)) for command in commands]
    yield figure("recall from the shell; bare: import numpy", stock.size, "ms", pairs, COLD_GOAL)


def disk(stock: Stock) -> Iterator[Figure]:
    theirs = os.path.getsize(stock.words) + os.path.getsize(stock.vectors)
    pair = tuple((size - stock.text) / stock.size for size in (theirs, _size(stock.home)))
    yield figure("bytes on disk for a memory, beyond its text", stock.size, "B", [(pair[0], pair[1])])


def resident(stock: Stock) -> Iterator[Figure]:
    """Only on Linux, which tells."""
    if not os.path.exists("/proc/self/status"):
        return
    asked = [question.text for question in questions(_ASKED, stock.size)]
    nothing = _measured(_NUMPY)
    ours = _measured(_OURS, stock.home, *asked) - nothing
    theirs = _measured(_BARE, stock.words, stock.vectors, *asked) - nothing
    yield figure("resident memory after recalls, beyond numpy", stock.size, "MiB", [(theirs, ours)])


def _size(folder: str) -> int:
    return sum(os.path.getsize(os.path.join(place, file)) for place, _, files in os.walk(folder) for file in files)


def _measured(program: str, *arguments: str) -> float:
    """Mebibytes, as a process of its own reports them at its end."""
    command = [sys.executable, "-c", _RESIDENT + program, *arguments]
    return float(subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout)
