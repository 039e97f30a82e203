"""How long hygiene takes, beside bare SQLite on as many rows: reading them all, and writing one event and one change
for each that moves, in one transaction.

A tenth of the memories is an hour older than the others, and of an earlier session: at first only those move. Looking
again at once finds nothing to move. In a fresh copy of the store three hours have passed and a session has begun, as
after a large import: every memory moves. The `age` policy makes no room here, as that is never more than a handful.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from statistics import median
from time import perf_counter

from benchmarks import bare, report
from benchmarks.ageing.year import HOUR, MIDNIGHT
from benchmarks.figures import Figure, figure
from benchmarks.texts import Notes
from treering.consolidate import hygiene
from treering.ledger import decide
from treering.ledger.ageing import POLICIES, Limits
from treering.ledger.events import Draft
from treering.ledger.ledger import Ledger, batches
from treering.ledger.types import Context
from treering.stores.sqlite.heads import SUFFIX
from treering.stores.sqlite.store import SqliteStore

SIZES, LARGE = (10_000, 100_000), 1_000_000
JUDGED = 100_000  # memories, in
GOAL = 5.0  # seconds at the most
LINEAR = 1.5  # and for one memory at the most so often what it takes at a tenth of that
REPEATS = 3
CASES = ("one in ten moves", "nothing moves", "every one moves")
_EARLY, _LATE, _LOOKED, _LATER = (MIDNIGHT + hours * HOUR // 2 for hours in (0, 2, 3, 6))
_PAYLOAD = "x" * 150  # characters, about those of a move


def store(folder: str, size: int) -> str:
    """A store of so many memories, made in two sessions; its file."""
    path = os.path.join(folder, f"{size}.db")
    made, texts = SqliteStore(path), Notes().take(size)
    for session, start, count in (("early", _EARLY, size // 10), ("late", _LATE, size - size // 10)):
        ledger, here = Ledger(made, _ticking(start), os.urandom), Context(session=session)
        for batch in batches(islice(texts, count)):
            ledger.commit(partial(_remembered, batch, here))
    made.close()
    return path


def _remembered(texts: Sequence[str], here: Context) -> list[Draft]:
    return [decide.remember(decide.Remember(text), here) for text in texts]


def ours(path: str, policy: str) -> dict[str, tuple[float, int]]:
    """The seconds that each case took, and how many moved."""
    found = {}
    for later in (False, True):
        copy = shutil.copy(path, path + "-copy")
        opened = SqliteStore(copy)
        ledger = Ledger(opened, _ticking(_LATER if later else _LOOKED), os.urandom)
        if later:
            ledger.commit(lambda: [decide.remember(decide.Remember("a new session"), Context(session="later"))])
        for case in CASES[2:] if later else CASES[:2]:
            found[case] = _timed(ledger, policy, _LATER if later else _LOOKED)
        opened.close()
        _remove(copy)
    return found


def _timed(ledger: Ledger, policy: str, now: int) -> tuple[float, int]:
    limits = Limits(age_hot=LARGE * 10)
    start = perf_counter()
    done = hygiene.run(ledger, Context(), policy, limits, now)
    return perf_counter() - start, len(done.moves)


def yardstick(path: str, moves: int) -> float:
    """The seconds that bare SQLite takes to read every row, and to write as many."""
    copy = shutil.copy(path, path + "-bare")
    db = bare.connect(copy)
    db.execute("CREATE TABLE payloads (payload TEXT)")
    start = perf_counter()
    ids = [row[1] for row in db.execute("SELECT * FROM memories")][:moves]
    if ids:
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO payloads VALUES (?)", ((_PAYLOAD,) for _ in ids))
        db.executemany("UPDATE memories SET status = 'active' WHERE id = ?", ((id,) for id in ids))
        db.execute("COMMIT")
    seconds = perf_counter() - start
    db.close()
    _remove(copy)
    return seconds


def run(sizes: Sequence[int], policies: Sequence[str], repeats: int, folder: str) -> Iterator[Figure]:
    """Figures of each size, policy and case; at the size that is judged, the goals too."""
    each: dict[tuple[str, str], float] = {}  # seconds for a memory, at the last size
    for size in sizes:
        path = store(folder, size)
        for policy in policies:
            pairs = _pairs(path, policy, repeats)
            for case in CASES:
                name, took = f"{policy}, {case}", median(ours for _, ours in pairs[case])
                yield figure(name, size, "s", pairs[case])
                if size == JUDGED:
                    yield figure(f"{name}; bare: the goal", size, "s", [(GOAL, took)], 1.0)
                now, before = took / size * 1e6, each.get((policy, case))
                if before is not None:
                    goal = LINEAR if size == JUDGED else None
                    yield figure(f"{name}, for a memory; bare: at the size before", size, "µs", [(before, now)], goal)
                each[policy, case] = now
        _remove(path)


def _remove(store: str) -> None:
    """Delete a store, with what lies beside it."""
    for path in (store, store + SUFFIX):
        if os.path.exists(path):
            os.remove(path)


def _pairs(path: str, policy: str, repeats: int) -> dict[str, list[tuple[float, float]]]:
    """What bare and ours took, in turn."""
    pairs: dict[str, list[tuple[float, float]]] = {case: [] for case in CASES}
    for _ in range(repeats):
        for case, (seconds, moves) in ours(path, policy).items():
            pairs[case].append((yardstick(path, moves), seconds))
    return pairs


def _ticking(start: int) -> Callable[[], int]:
    """A clock that goes on by a microsecond whenever it is read."""
    return iter(range(start, start + HOUR)).__next__


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    sizes = (*SIZES, LARGE) if options.large else SIZES
    print(report.HEADINGS, end="", flush=True)
    figures = []
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        for found in run(sizes, options.only, options.repeats, folder):
            print(report.line(found), end="", flush=True)
            figures.append(found)
    if options.save:
        record = {**report.heading(), "method": {"speed": (__doc__ or "").strip()}, "figures": report.rows(figures)}
        print(f"\nrecorded in benchmarks/results/{report.write('hygiene', record)}")
        report.show_in_readme("hygiene", report.table(figures), record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ageing.speed", description="How long hygiene takes.")
    parser.add_argument(
        "--only", nargs="+", choices=list(POLICIES), default=list(POLICIES), help="some of the policies"
    )
    parser.add_argument("--large", action="store_true", help=f"{LARGE:,} memories too; takes many minutes")
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
