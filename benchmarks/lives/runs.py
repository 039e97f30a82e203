"""Play several lives, some at a time, each in a process of its own, and show how far it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.lives import folds
from benchmarks.lives.life import read

ROOT = Path(__file__).parents[2]


class Plan(NamedTuple):
    """How lives are played."""

    system: str = "treering"
    real: bool = False
    shipped: bool = False  # with the weights of the package, which have seen most lives
    crowd: tuple[Path, ...] = ()
    settings: Mapping[str, str] = {}
    jobs: int = 2
    model: str = ""  # that is asked


def play(paths: Sequence[Path], plan: Plan) -> list[dict[str, Any]]:
    """Play lives, and return what each gave, in their order."""
    return play_all([(path, plan) for path in paths], plan.jobs)


def play_all(wanted: Sequence[tuple[Path, Plan]], jobs: int) -> list[dict[str, Any]]:
    """Play lives, each by a plan of its own."""
    parts = [None if plan.shipped else folds.part_of(read(path).id) for path, plan in wanted]
    for said in folds.prepare(parts):
        print(said, file=sys.stderr, flush=True)
    bar = Progress(
        TextColumn("lives"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)
    )
    with folds.packages(parts) as packages, bar, ThreadPoolExecutor(jobs) as pool:
        task = bar.add_task("lives", total=len(wanted))

        def one(path: Path, plan: Plan, part: int | None) -> dict[str, Any]:
            found = _play(path, plan, packages[part])
            bar.advance(task)
            return found

        return [*pool.map(one, *zip(*wanted, strict=True), parts)]


def _play(path: Path, plan: Plan, package: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.lives.play", str(path.absolute()), "--system", plan.system]
    command += ["--real"] * plan.real + (["--model", plan.model] if plan.model else [])
    command += [word for name, value in plan.settings.items() for word in ("--set", f"{name}={value}")]
    command += ["--crowd", *map(str, plan.crowd)] if plan.crowd else []
    surroundings = {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, env=surroundings, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
