"""`python -m benchmarks.day`: a whole day of an agent with hooks, pressed into minutes, with kill -9 at random.

50 sessions in three projects, 8 at once, on one store. Every event is a real process of `treering-hook`, with the
payload that Claude Code sends, beside a transcript that is written as the session goes on; work in the background is
started as an agent starts it. One hook of ten and one process in the background of four are killed at a random moment,
and one event of twenty fires twice at once. At noon all rest, and the work in the background comes to an end. Before
each prompt a bare interpreter is timed. At the end everything is taken in, and the store is looked at: `treering
verify` and `treering doctor`, what of each prompt is there, what was kept without being asked, and whether what was
learned in session 3 was told in session 40.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from time import perf_counter

from benchmarks import report
from benchmarks.day.living import Finding, Plan, delays, findings, live

COMMAND = os.path.join(os.path.dirname(sys.executable), "treering")


def looked_at(home: str) -> Iterator[Finding]:
    """What the product says of the store."""
    for name in ("verify", "doctor"):
        environment = {**os.environ, "HOME": os.path.dirname(home)}
        done = subprocess.run([COMMAND, name, "--home", home], capture_output=True, text=True, env=environment)
        warned = [line for line in done.stdout.splitlines() if line.startswith(("warn", "fail"))]
        well = done.returncode == 0 and not warned
        yield Finding(f"`treering {name}`", "quiet" if well else "; ".join(warned) or done.stdout[-300:], "quiet", well)


def table(found: Sequence[Finding]) -> str:
    rows = [
        (one.what, one.found, one.goal, "" if not one.goal else "met" if one.met else "**missed**") for one in found
    ]
    return report.lines(("what", "found", "goal", ""), rows, 4)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    half, late = options.sessions // 2 + 1, min(Plan().asked, options.sessions)
    plan = Plan(options.sessions, options.at_once, asked=late, seed=options.seed, noon=half)
    os.makedirs(report.BUILD, exist_ok=True)
    folder = tempfile.mkdtemp(dir=report.BUILD, prefix="day-")
    try:
        start = perf_counter()
        day = live(plan, folder)
        took = perf_counter() - start
        found = [*findings(day), *delays(day), *looked_at(day.home)]
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    print(table(found))
    print(f"{plan.sessions} sessions, {plan.at_once} at once, in {took:.0f} s", file=sys.stderr)
    if options.save:
        record = {**report.heading(), "method": (__doc__ or "").strip(), "plan": plan._asdict()}
        record["findings"] = [one._asdict() for one in found]
        print(f"recorded in {report.write('day', record)}", file=sys.stderr)
        report.show_in_readme("day", table(found), record)
    return 0 if all(one.met for one in found) else 1


def _parser() -> argparse.ArgumentParser:
    plan = Plan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.day", description="A day of an agent with hooks.")
    parser.add_argument("--sessions", type=int, default=plan.sessions, metavar="N")
    parser.add_argument("--at-once", type=int, default=plan.at_once, metavar="N")
    parser.add_argument("--seed", type=int, default=plan.seed, metavar="N")
    parser.add_argument("--keep", action="store_true", help="leave the store under build/, to look at it")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
