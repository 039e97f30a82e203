"""`make bench-tuning`: what a memory finds by testing itself.

python -m benchmarks.tuning --data DIR [--only SET …] [--starts START …] [--folds N] [--json] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from benchmarks import report
from benchmarks.recall.sets import NoData, chosen, read
from benchmarks.tuning import trying
from benchmarks.tuning.trying import FIFTH, STARTS, Result, Trying

SEED = 1
POINT = 0.01


def run(data: str, names: Sequence[str], starts: Sequence[str], folds: int, folder: str) -> Iterator[Result]:
    for name in names:
        with tempfile.TemporaryDirectory(dir=folder, prefix=f"tuning-{name}-") as place:
            tried = Trying(data, name, read(data, name), place, SEED)
            for fold in range(folds):
                for start in starts:
                    found = tried.run(start, fold)
                    print(_line(found), file=sys.stderr, flush=True)
                    yield found


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        names = chosen(options.data, options.only)
    except NoData as error:
        print(error, file=sys.stderr)
        return 2
    os.makedirs(report.BUILD, exist_ok=True)
    found = list(run(options.data, names, options.starts, options.folds, report.BUILD))
    record = {**report.heading(), "method": (trying.__doc__ or "").strip(), "runs": [_row(one) for one in found]}
    shown = table(found)
    print(json.dumps(record, indent=1, ensure_ascii=False) if options.json else shown)
    if options.save:
        print(f"recorded in {report.write('tuning', record)}", file=sys.stderr)
        report.show_in_readme("tuning", shown, record)
    return 0


def table(found: Sequence[Result]) -> str:
    """By set and start, the mean over the fifths."""
    headings = (
        *("set", "start", "judged", "proposed", "nDCG before", "after", "had it been sure", "oracle", "recovered"),
        *("R@10 before", "after", "had it been sure", "oracle", "noise", "seconds"),
    )
    groups: dict[tuple[str, str], list[Result]] = {}
    for one in found:
        groups.setdefault((one.set, one.start), []).append(one)
    return report.lines(headings, [_cells(*key, runs) for key, runs in groups.items()], 2)


def _cells(name: str, start: str, runs: Sequence[Result]) -> list[str]:
    names = ("before", "after", "chosen", "oracle")
    before, after, chosen, oracle = (fmean(getattr(one, what).ndcg for one in runs) for what in names)
    recalls = (fmean(getattr(one, what).r10 for one in runs) for what in names)
    share = f"{(after - before) / (oracle - before):.0%}" if oracle - before > POINT else "-"
    return [
        name,
        start,
        f"{fmean(one.judged for one in runs):.0f}",
        f"{sum(bool(one.tuning.weights) for one in runs)} of {len(runs)}",
        *(f"{value:.3f}" for value in (before, after, chosen, oracle)),
        share,
        *(f"{value:.3f}" for value in recalls),
        f"± {fmean(one.noise for one in runs):.3f}",
        f"{fmean(one.tuning.took for one in runs):.0f}",
    ]


def _row(one: Result) -> dict[str, Any]:
    told = {**one._asdict(), "tuning": one.tuning.data, "recovered": one.recovered}
    return {**told, **{what: getattr(one, what)._asdict() for what in ("before", "after", "chosen", "oracle")}}


def _line(one: Result) -> str:
    found = one.tuning
    return (
        f"{one.set}, {one.start}, fifth {one.fold + 1}: {one.before.ndcg:.3f} → {one.after.ndcg:.3f} "
        f"(oracle {one.oracle.ndcg:.3f}), {found.tried} tried in {found.took:.0f} s on {found.fit} and {found.held}, "
        f"gain {found.gain:+.3f} ({found.low:+.3f} to {found.high:+.3f}): "
        f"{dict(found.best)} {found.nothing or 'proposed'}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tuning", description="What a memory finds by testing itself."
    )
    parser.add_argument("--data", required=True, help="the folder with the sets")
    parser.add_argument("--only", nargs="+", metavar="SET", help="some of the sets")
    parser.add_argument("--starts", nargs="+", choices=list(STARTS), default=list(STARTS), help="from where it starts")
    parser.add_argument("--folds", type=int, default=1, choices=range(1, FIFTH + 1), help="how many of the fifths")
    parser.add_argument("--json", action="store_true", help="the record instead of the table")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
