"""`python -m benchmarks.lives`: weeks of real use, played through the installed hooks.

Each life is five to nine weeks of one person's work with an agent, labelled with what is worth keeping and with what
should be before the agent at which prompt. It is played under a clock of its own, with weights that have not seen it
(unless `--shipped`). `help` is the share of wanted facts that are before the agent, by the briefing or at a prompt;
`stale` the share of replaced facts that are shown without the new one; `quiet` the share of prompts that want nothing
at which the hook says nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.judgement import labels
from benchmarks.lives import loops, runs
from benchmarks.lives.life import OURS, find
from benchmarks.lives.score import COLUMNS, figures
from benchmarks.lives.scripted import MODELS
from benchmarks.lives.systems import SYSTEMS

_FRACTIONS = {"characters a prompt": 0, "a briefing": 0}  # digits after the point, where they are not three


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    paths = _chosen(options)
    settings = dict(one.split("=", 1) for one in options.set)
    others = [path for path in OURS.glob("*.json") if path.stem not in labels.LAST] if options.crowd else []
    plan = runs.Plan(
        options.system, options.real, options.shipped, tuple(sorted(others)), settings, options.jobs, options.model
    )
    if options.loops is not None:
        print(loops.table(paths, plan, options.loops))
        return 0
    played = runs.play(paths, plan)
    if options.json:
        json.dump([{**one, "figures": figures(one["counts"])} for one in played], sys.stdout, ensure_ascii=False)
        return 0
    print(table(played))
    print(_causes(played))
    if options.model:
        asked = Counter[str]()
        for one in played:
            asked.update(one["asked"])
        print(f"the model was asked {asked['calls']:,} times, {asked['tokens']:,} tokens")
    if options.missing:
        print(*_missing(played), sep="\n")
    return 0


def _chosen(options: argparse.Namespace) -> list[Path]:
    if options.last:
        return sorted(path for path in OURS.glob("*.json") if path.stem in labels.LAST)
    if options.all:
        return sorted(path for path in OURS.glob("*.json") if path.stem not in labels.LAST)
    return [path for path in find(options.data, options.lives) if options.lives or path.stem not in labels.LAST]


def table(played: Sequence[dict[str, Any]]) -> str:
    """Return the figures of each life and of all together."""
    together: Counter[str] = Counter()
    for one in played:
        together.update(one["counts"])
    rows = [(one["life"], one["counts"]) for one in played] + [("all", together)]
    cells = [[name, *(_cell(column, value) for column, value in figures(counts).items())] for name, counts in rows]
    return report.lines(["life", *(name for name, _, _ in COLUMNS)], cells)


def _cell(column: str, value: float | None) -> str:
    return "-" if value is None else f"{value:,.{_FRACTIONS.get(column, 3)}f}"


def _causes(played: Sequence[dict[str, Any]]) -> str:
    """Return how many wanted facts were missing, by cause."""
    wanted = sum(one["counts"].get("wanted", 0) for one in played)
    causes = Counter(missing["why"] for one in played for missing in one["missing"])
    rows = [[why, str(count), f"{count / wanted:.3f}"] for why, count in causes.most_common()]
    return report.lines(["why a wanted fact was missing", "facts", "of all wanted"], rows)


def _missing(played: Sequence[dict[str, Any]]) -> list[str]:
    return [
        f"{one['life']} {what} {fact['session']} {fact['fact']} ({fact['why']}): "
        f"{fact['gist']!r} at {fact['prompt'][:80]!r}"
        for one in played
        for what in ("missing", "stale")
        for fact in one[what]
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lives", description="Play weeks of real use.")
    add = parser.add_argument
    add("lives", nargs="*", help="names or files of lives; those of the data folder if none is given")
    add("--data", type=Path, default=Path("../shared/data"), help="a folder with lives/*.json")
    add("--all", action="store_true", help="all lives of the repository but those of the last measurement")
    add("--last", action="store_true", help="the lives that no weights were ever made or chosen from")
    add("--system", default="treering", choices=SYSTEMS, help="told: the labelled facts are told; prompts: a floor")
    add("--crowd", action="store_true", help="with the facts of the other lives, older, in the same projects")
    add("--real", action="store_true", help="start real processes under faketime")
    add("--shipped", action="store_true", help="with the weights that come with the package: no claim")
    add("--loops", nargs="*", metavar="LOOP", help="each loop, or these, switched off in turn")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of Treering")
    add(
        "--model",
        default="",
        choices=["", *MODELS],
        help="scripted answers from the labels, as a capable model would; lying says what the checks may let through",
    )
    add("--jobs", type=int, default=2, help="lives at a time")
    add("--missing", action="store_true", help="list wanted facts that were not there, and stale ones")
    add("--json", action="store_true", help="print everything that was counted, as JSON")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
