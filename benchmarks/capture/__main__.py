"""`python -m benchmarks.capture`: what is kept of a session without being asked, against what a reader would keep.

Labelled transcripts, read as capture reads them. Precision comes first: what is in doubt is left out, and costs only
recall. `train`, `second`, `third` and `fourth` were read while the rules were made; `held` was not.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from benchmarks import report
from benchmarks.capture.measuring import ALL, CASES, LABELS, Score, judged, mistakes, scores, table

PRECISION = 0.9  # of all but episodes, in every folder of cases


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    rows: list[Score] = []
    for folder in options.cases or folders():
        sessions = judged(folder)
        rows += scores(os.path.basename(os.path.normpath(folder)), sessions)
        if options.verbose:
            print(*mistakes(sessions), sep="\n", file=sys.stderr)
    written = table(rows)
    print(written)
    if options.save:
        _save(rows, written)
    shares = [row.counted.precision for row in rows if row.kind == ALL]
    return 0 if shares and all(share is not None and share >= PRECISION for share in shares) else 1


def folders() -> list[str]:
    """Those of ours that are labelled."""
    named = sorted(os.path.join(CASES, name) for name in os.listdir(CASES))
    return [folder for folder in named if os.path.isfile(os.path.join(folder, LABELS))]


def _save(rows: Sequence[Score], written: str) -> None:
    os.makedirs(report.BUILD, exist_ok=True)
    shares = [
        {"cases": row.cases, "kind": row.kind, **row.counted._asdict(), "precision": row.counted.precision}
        | {"recall": row.counted.recall}
        for row in rows
    ]
    record = {**report.heading(), "method": (__doc__ or "").strip(), "scores": shares}
    print(f"recorded in {report.write('capture', record)}", file=sys.stderr)
    report.show_in_readme("capture", written, record)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.capture", description="What is kept without being asked."
    )
    parser.add_argument(
        "--cases", action="append", metavar="DIR", help="a folder of labelled sessions; all of ours if none"
    )
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    parser.add_argument("--verbose", action="store_true", help="list what was wrong and what was missed")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
