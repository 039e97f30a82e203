"""`make bench-learning`: learning curves on held-out queries, in tables, a record and a picture.

python -m benchmarks.learning --data DIR [--only SET …] [--seeds N] [--json] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks import report
from benchmarks.learning import learners, tables
from benchmarks.learning.findings import Point, goals, points
from benchmarks.learning.learners import Filled, Taken
from benchmarks.recall.sets import Corpus, NoData, chosen, read

SEEDS = 3  # splits of each corpus: with one, a point of R@10 more or less is chance
PICTURE = os.path.join(report.RESULTS, "learning.svg")


def run(data: str, names: Sequence[str], seeds: int, workers: int) -> list[Point]:
    """The curves of all sets. Each corpus is a store of its own, filled once and copied for every learner."""
    corpora = [(name, corpus) for name in names for corpus in read(data, name) if _teaches(corpus)]
    corpora.sort(key=lambda one: -len(one[1].queries) * len(one[1].rows))  # the longest first, so that no worker waits
    found: dict[str, list[tuple[int, Taken]]] = {name: [] for name in names}
    tasks = [(name, corpus, seed) for seed in range(seeds) for name, corpus in corpora]
    with (
        tempfile.TemporaryDirectory(dir=report.BUILD, prefix="learning-") as folder,
        ProcessPoolExecutor(workers) as pool,
    ):
        homes = [os.path.join(folder, str(place)) for place in range(len(corpora))]
        filled = list(pool.map(learners.fill, [corpus for _, corpus in corpora], homes))
        told = pool.map(_taught, [corpus for _, corpus, _ in tasks], filled * seeds, [seed for _, _, seed in tasks])
        for done, ((name, _, seed), taken) in enumerate(zip(tasks, told, strict=True), 1):
            found[name] += [(seed, test) for test in taken]
            _tell(done, len(tasks))
    return [point for name in names if found[name] for point in points(name, found[name])]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        names = chosen(options.data, options.only)
    except NoData as error:
        print(error, file=sys.stderr)
        return 2
    os.makedirs(report.BUILD, exist_ok=True)
    found = run(options.data, names, options.seeds, options.workers)
    wanted = goals(found)
    record = {**report.heading(), "method": (learners.__doc__ or "").strip(), **tables.record(found, wanted)}
    table = tables.written(found, wanted)
    print(json.dumps(record, indent=1, ensure_ascii=False) if options.json else table)
    if options.save:
        print(f"recorded in {report.write('learning-curves', record)}", file=sys.stderr)
        report.show_in_readme("learning-curves", table, record)
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(tables.svg(found))
    return 0 if all(goal.met for goal in wanted) else 1


def _teaches(corpus: Corpus) -> bool:
    """A store of which one thing is asked has nothing to learn from."""
    return len({query.text for query in corpus.queries}) > 1


def _taught(corpus: Corpus, filled: Filled, seed: int) -> list[Taken]:
    with tempfile.TemporaryDirectory(dir=report.BUILD, prefix="learner-") as folder:
        return list(learners.curves(corpus, filled, seed, folder))


def _tell(done: int, of: int) -> None:
    end = "\n" if done == of else "\r"
    if end == "\n" or sys.stderr.isatty():
        print(f"{done} of {of} corpora", end=end, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description="What recall learns.")
    parser.add_argument("--data", required=True, help="the folder with the sets")
    parser.add_argument("--only", nargs="+", metavar="SET", help="some of the sets")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="splits into train and test queries")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--json", action="store_true", help="the record instead of the tables")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
