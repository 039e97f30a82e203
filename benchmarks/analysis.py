"""How long it takes to make proposals of all signals, as a whole process, beside one that only reads the same events.

The store has a memory for every twenty recalls. Each recall shows three of them, the common ones more often, and each
session has twenty recalls; for every five recalls there is a prompt that nothing answered, on one of so many matters
that some ten prompts fall on each, in their own words. `analyze` reads all of it, clusters the prompts and writes the
proposals; analysing again finds nothing new. Bare is a process that reads the same rows with SQLite, and no more.
"""

from __future__ import annotations

import argparse
import compileall
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple

import treering
from benchmarks import report
from benchmarks.figures import Figure, figure
from benchmarks.texts import SEED, Notes
from treering.ledger import decide
from treering.ledger.events import RECALLED, SURFACED, Draft, Event
from treering.ledger.types import Context, Hit, Memory, Recall, Why
from treering.stores.files import FILE_NAME

SIZES = (10_000, 100_000)  # recalls with an answer
JUDGED = 100_000
GOAL = 10.0  # seconds at the most there
LINEAR = 1.5  # and for a recall at the most so often what it takes at a tenth of that
REPEATS = 3
MISSES = 5  # one prompt without an answer for so many recalls
TO_A_MEMORY = 20  # recalls
TO_A_SESSION = 20
TO_A_MATTER = 10  # prompts
SHOWN = 3  # memories, by each recall
PORTION = 2_000  # recalls that are written at once

_WHY = Why({}, {}, {})
_FILLER = ("please", "how do I", "can you", "again:", "we need", "what about", "help me with", "let's")
_BARE = """
import apsw
db = apsw.Connection({path!r}, flags=apsw.SQLITE_OPEN_READONLY)
print(sum(1 for _ in db.execute("SELECT * FROM events WHERE kind IN {kinds} ORDER BY clock")))
"""


class Took(NamedTuple):
    """What a process took, and what it said."""

    seconds: float
    peak: float  # MiB
    out: str


def make(home: str, size: int) -> None:
    """A store with so many recalls, and the prompts that nothing answered."""
    source = random.Random(SEED)
    with treering.open(home) as memory:
        texts = Notes().take(max(SHOWN, size // TO_A_MEMORY))
        made = [*memory.remember_many({"content": text} for text in texts)]
        for start in range(0, size, PORTION):
            recalls = [*_recalls(source, made, range(start, min(size, start + PORTION)))]
            written = _commit(memory, [recall for recall, _ in recalls])
            shown = zip(written, (hits for _, hits in recalls), strict=True)
            _commit(memory, [one for event, hits in shown for one in _surfacings(event, hits)])
        prompts = [*_misses(source, size // MISSES)]
        for start in range(0, len(prompts), PORTION):
            _commit(memory, prompts[start : start + PORTION])


def _commit(memory: treering.Treering, drafts: Sequence[Draft]) -> list[Event]:
    return memory.ledger.commit(lambda: drafts)


def _surfacings(recall: Event, hits: Sequence[Memory]) -> Iterator[Draft]:
    for rank, shown in enumerate(hits, 1):
        yield decide.surfaced(shown, rank, recall.id, Context(session=recall.session))


def _recalls(source: random.Random, made: Sequence[Memory], numbers: range) -> Iterator[tuple[Draft, list[Memory]]]:
    """Recalls, with the memories that their session has not seen yet."""
    seen: set[str] = set()
    for number in numbers:
        session = f"session-{number // TO_A_SESSION}"
        if number % TO_A_SESSION == 0:
            seen.clear()
        places = {int(len(made) * source.random() ** 2) for _ in range(SHOWN)}
        shown = [made[place] for place in sorted(places)]
        hits = tuple(Hit(one, 1.0, _WHY) for one in shown)
        found = Recall("", shown[0].content[:80], hits, confidence=0.9)
        yield (
            decide.recalled(found, SHOWN, 1_000, Context(session=session)),
            [one for one in shown if one.id not in seen],
        )
        seen.update(one.id for one in shown)


def _misses(source: random.Random, count: int) -> Iterator[Draft]:
    """Prompts that nothing answered: a few words of a matter each, and others around them."""
    words = [word for word in " ".join(Notes(SEED + 1).take(max(40, count // 4))).split() if word.isalpha()]
    matters = [source.sample(words, 5) for _ in range(max(1, count // TO_A_MATTER))]
    for number in range(count):
        said = [*source.sample(source.choice(matters), 4), *source.sample(words, source.randint(0, 2))]
        source.shuffle(said)
        prompt = f"{source.choice(_FILLER)} {' '.join(said)}"
        context = Context(session=f"session-{number // MISSES}")
        yield decide.recalled(Recall("", prompt, ()), SHOWN, 1_000, context, missed=True)


def run(sizes: Sequence[int], repeats: int, folder: str) -> Iterator[tuple[Figure, int]]:
    """The figures of each size, with how many proposals were made."""
    each = 0.0
    for size in sizes:
        home = os.path.join(folder, str(size))
        # In a process of its own: what a process has held at the most counts for its children too.
        _process("-c", f"from benchmarks.analysis import make; make({home!r}, {size})")
        pairs, again, peaks, made = _measured(home, repeats)
        shutil.rmtree(home)
        took = median(ours for _, ours in pairs)
        yield figure("analyze", size, "s", pairs), made
        yield figure("analyze again, when nothing is new", size, "s", again), 0
        yield figure("peak memory of analyze", size, "MiB", peaks), made
        if size == JUDGED:
            yield figure("analyze; bare: the goal", size, "s", [(GOAL, took)], 1.0), made
        now = took / size * 1e6
        if each:
            yield figure("analyze, for a recall; bare: at the size before", size, "µs", [(each, now)], LINEAR), made
        each = now


Pairs = list[tuple[float, float]]


def _measured(home: str, repeats: int) -> tuple[Pairs, Pairs, Pairs, int]:
    """Seconds of bare and ours in turn, the first time and when nothing is new; and the most that each held."""
    first: Pairs = []
    again: Pairs = []
    peaks: Pairs = []
    made = 0
    kinds = (RECALLED, SURFACED)
    for _ in range(repeats):
        copy = shutil.copytree(home, f"{home}-copy")
        bare = _process("-c", _BARE.format(path=os.path.join(copy, FILE_NAME), kinds=kinds))
        words = ("-m", "treering", "--home", copy, "evolve", "analyze")
        ours, twice = _process(*words), _process(*words)
        shutil.rmtree(copy)
        made = _added(ours.out)
        if not made or _added(twice.out):
            raise RuntimeError("the first analysis adds proposals, and the second none")
        first.append((bare.seconds, ours.seconds))
        again.append((bare.seconds, twice.seconds))
        peaks.append((bare.peak, ours.peak))
    return first, again, peaks, made


def _added(out: str) -> int:
    return int(out.partition("new proposals (added): ")[2].split()[0].replace(",", ""))


def _process(*words: str) -> Took:
    """A process of its own, from start to end."""
    with tempfile.TemporaryFile() as out:
        start = perf_counter()
        process = subprocess.Popen([sys.executable, *words], stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"a process ended with {process.returncode}")
        out.seek(0)
        return Took(seconds, used.ru_maxrss / 1024, out.read().decode())


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    compileall.compile_dir(os.path.dirname(treering.__file__), quiet=1)
    print(report.HEADINGS, end="", flush=True)
    figures: list[Figure] = []
    proposals: dict[str, int] = {}
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        for found, made in run(options.recalls, options.repeats, folder):
            print(report.line(found), end="", flush=True)
            figures.append(found)
            proposals[f"{found.size:,}"] = max(made, proposals.get(f"{found.size:,}", 0))
    print(f"proposals: {proposals}", file=sys.stderr)
    if options.save:
        told = {"method": (__doc__ or "").strip(), "proposals": proposals, "figures": report.rows(figures)}
        record = {**report.heading(), **told}
        print(f"recorded in {report.write('analysis', record)}", file=sys.stderr)
        report.show_in_readme("analysis", report.table(figures), record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.analysis", description="How long it takes to make proposals of all signals."
    )
    parser.add_argument("--recalls", type=int, nargs="+", default=SIZES, help="sizes of the stores")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
