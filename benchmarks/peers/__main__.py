"""`make bench-peers`: Treering beside others in one run, in tables and in a record.

python -m benchmarks.peers [--data DIR] [--only SET …] [--limit N] [--sizes N …] [--queries N] [--patience S] [--save]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from benchmarks import report
from benchmarks.peers import measuring, others
from benchmarks.peers.measuring import Quality, Speed
from benchmarks.peers.ours import Bare, Ours
from benchmarks.peers.peer import MISSING, Kind
from benchmarks.recall import sets

BARE = Kind("bare FTS5", ("apsw",), Bare)
KINDS = (
    BARE,
    Kind("treering", ("treering",), Ours),
    Kind("chromadb", ("chromadb",), others.Chroma),
    Kind("mem0", ("mem0ai", "qdrant-client"), others.Mem0),
    Kind("langgraph", ("langgraph", "langgraph-checkpoint-sqlite", *others.PYSQLITE), others.LangGraph),
)
SIZES = (1_000, 10_000, 100_000)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        names = sets.chosen(options.data, options.only) if options.data else []
    except sets.NoData as error:
        print(error, file=sys.stderr)
        return 2
    os.makedirs(report.BUILD, exist_ok=True)
    present = [kind for kind in KINDS if kind.version]
    found: list[Quality] = []
    times: list[Speed] = []
    with tempfile.TemporaryDirectory(dir=report.BUILD, prefix="peers-") as folder:
        for name in names:
            found += measuring.quality(present, options.data, name, options.limit, folder)
        for size in sorted(options.sizes):
            times += measuring.speed(present, size, options.queries, options.patience, folder)
    table = "\n".join(part for part in (_qualities(found), _speeds(times), _versions()) if part)
    print(table)
    if options.save:
        record = {**report.heading(), "method": {"others": (others.__doc__ or "").strip()}, **_record(found, times)}
        print(f"recorded in benchmarks/results/{report.write('peers', record)}")
        report.show_in_readme("peers", table, record)
    return 0


def _qualities(found: Sequence[Quality]) -> str:
    """R@10 and nDCG@10, a row for each of us."""
    if not found:
        return ""
    names = list(dict.fromkeys(row.set for row in found))
    cells = {(row.peer, row.set): f"{row.score.r10:.3f} / {row.score.ndcg:.3f}" for row in found}
    rows = [
        (kind.name, *(cells[kind.name, name] for name in names)) if kind.version else (kind.name, MISSING)
        for kind in KINDS
    ]
    return report.lines(("R@10 / nDCG@10", *names), rows)


def _speeds(times: Sequence[Speed]) -> str:
    """Milliseconds, and multiples of bare FTS5 at the same size."""
    bare = {row.size: row for row in times if row.peer == BARE.name}
    headings = ("peer", "size", "add, ms a memory", "/ bare", "search p50, ms", "/ bare", "p95, ms", "/ bare")
    rows = [_speed(row, bare[row.size]) for row in times]
    missing = [(kind.name, MISSING) for kind in KINDS if not kind.version]
    return report.lines(headings, [*rows, *missing]) if times else ""


def _speed(row: Speed, bare: Speed) -> tuple[str, ...]:
    size = f"{row.size:,}" if row.added == row.size else f"{row.added:,} of {row.size:,}"
    pairs = ((row.add, bare.add), (row.p50, bare.p50), (row.p95, bare.p95))
    cells = [("", "") if not (own and plain) else (f"{own:.3g}", f"{own / plain:.2g}") for own, plain in pairs]
    return (row.peer, size, *(cell for pair in cells for cell in pair))


def _versions() -> str:
    told = [f"{kind.name} {kind.version or f'({MISSING})'}" for kind in KINDS[1:]]
    return f"{', '.join(told)}.\n"


def _record(found: Sequence[Quality], times: Sequence[Speed]) -> dict[str, Any]:
    return {
        "versions": {kind.name: kind.version or MISSING for kind in KINDS},
        "quality": [{**row._asdict(), "score": row.score._asdict()} for row in found],
        "speed": [row._asdict() for row in times],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description="Treering beside others.")
    parser.add_argument("--data", help="the folder with the sets of questions; without it, only speed is measured")
    parser.add_argument("--only", nargs="+", metavar="SET", help="some of the sets")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="the first queries of a set")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, metavar="N", help="notes to search, for speed")
    parser.add_argument("--queries", type=int, default=200, metavar="N", help="different questions at each size")
    parser.add_argument("--patience", type=float, default=300, metavar="S", help="seconds for one of us at one size")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
