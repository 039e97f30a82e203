"""`python -m benchmarks.ageing`: what a policy does to a year of memories."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from benchmarks import report
from benchmarks.ageing import lives, year
from benchmarks.ageing.picture import png
from benchmarks.ageing.plot import plot
from benchmarks.ageing.year import ABOUT, TIERS, Year

MEMORIES, SESSIONS = 10_000, 365


def run(memories: int, sessions: int, policies: Sequence[str], folder: str) -> list[Year]:
    """The same year under each policy."""
    held = lives.sessions(sessions)
    known = lives.lives(memories, held)
    return [_lived(policy, held, known, folder) for policy in policies]


def _lived(policy: str, held: Sequence[lives.Session], known: Sequence[lives.Life], folder: str) -> Year:
    start = perf_counter()

    def progress(done: int) -> None:
        print(f"\r{policy}: {done} of {len(held)} sessions", end="", file=sys.stderr, flush=True)

    found = year.run(os.path.join(folder, f"{policy}.db"), policy, held, known, progress)
    print(f", {perf_counter() - start:.0f} s", file=sys.stderr)
    return found


def table(years: Sequence[Year]) -> str:
    """What is left of the year, and what was missed, as Markdown."""
    statuses = sorted({status for found in years for status in found.statuses})
    headings = ("policy", *statuses, "wanted", "reactivated", "missed", "wrongly forgotten")
    cells = [
        [found.policy, *(f"{found.statuses.get(status, 0):,}" for status in statuses), *_uses(found)] for found in years
    ]
    rules = sorted({rule for found in years for rule in found.moves})
    moves = [[rule, *(f"{found.moves.get(rule, 0):,}" for found in years)] for rule in rules]
    about = "".join(f"- **{found.policy}**: {ABOUT[found.policy]}\n" for found in years)
    made = report.lines(("moves by hygiene", *(found.policy for found in years)), moves)
    return f"{report.lines(headings, cells)}\n{made}\n{about}"


def _uses(found: Year) -> tuple[str, ...]:
    missed = f"{found.missed:,} ({100 * found.missed / max(1, found.wanted):.1f} %)"
    return (f"{found.wanted:,}", f"{found.reactivated:,}", missed, f"{found.retired:,}")


def save(years: Sequence[Year]) -> str:
    """Record the run, and draw it; the name of its file."""
    modules = (lives, year)
    method = {module.__name__.rpartition(".")[2]: (module.__doc__ or "").strip() for module in modules}
    record: dict[str, Any] = {**report.heading(), "method": method, "years": [_row(found) for found in years]}
    name = report.write("ageing", record)
    for found in years:
        with open(os.path.join(report.RESULTS, f"ageing-{found.policy}.png"), "wb") as file:
            file.write(png(found))
    pictures = "\n".join(f"![{found.policy}](results/ageing-{found.policy}.png)\n" for found in years)
    report.show_in_readme("ageing", f"{table(years)}\n{pictures}", record)
    return name


def _row(found: Year) -> dict[str, Any]:
    samples = [{"day": sample.day, **sample.sizes} for sample in found.samples]
    return {**found._asdict(), "samples": samples}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        years = run(options.memories, options.sessions, options.only, folder)
    for found in years:
        print(f"\n{plot(found)}")
    print(table(years))
    if options.save:
        print(f"recorded in benchmarks/results/{save(years)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ageing", description="A year under each policy.")
    parser.add_argument("--memories", type=int, default=MEMORIES, metavar="N")
    parser.add_argument("--sessions", type=int, default=SESSIONS, metavar="N")
    parser.add_argument("--only", nargs="+", choices=list(TIERS), default=list(TIERS), help="some of the policies")
    parser.add_argument("--save", action="store_true", help="record the run and its plots under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
