"""Play each life with weights that have not seen it.

The weights that come with the package are trained on most lives, so a figure with them is no claim. Here the lives are
dealt into parts. For each part there is a copy of the package whose weights are trained without the lives of that part.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path

import treering
from benchmarks import report
from benchmarks.judgement import labels
from benchmarks.judgement.train import MODELS
from benchmarks.lives.life import OURS, read
from treering.judge.use import USE

PARTS = 4  # each part takes a minute to train; with more parts, weights have seen a little more
PACKAGE = Path(treering.__file__).parent
ROOT = Path(__file__).parents[2]
FOLDS = Path(report.BUILD) / "lives"
_FROM_LIVES = [name for name in MODELS if name != USE]  # which reads no life
_DONE = "trained"


def trained_on() -> list[str]:
    """Return the ids of the lives that the shipped weights have seen: the labels name their source so."""
    return [read(path).id for path in sorted(OURS.glob("*.json")) if path.stem not in labels.LAST]


def part_of(life: str) -> int | None:
    """Return the part that a life is in, or None for one that no weights have seen."""
    seen = trained_on()
    return seen.index(life) % PARTS if life in seen else None


@contextmanager
def packages(parts: Iterable[int | None]) -> Iterator[dict[int | None, Path]]:
    """Give folders to import the package from, one for each part: the code as it is now, with weights of its own."""
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        found = {}
        for part in set(parts):
            found[part] = Path(folder) / str(part)
            shutil.copytree(PACKAGE, found[part] / "treering", ignore=shutil.ignore_patterns("__pycache__"))
            if part is not None:
                _lay_over(FOLDS / _key() / str(part) / "treering", found[part] / "treering")
        yield found


def _lay_over(trained: Path, package: Path) -> None:
    for weights in trained.rglob("*.weights"):
        shutil.copyfile(weights, package / weights.relative_to(trained))


def prepare(parts: Iterable[int | None]) -> Iterator[str]:
    """Train the weights of some parts, unless that was done before, and say what is being done."""
    for part in sorted({part for part in parts if part is not None}):
        folder = FOLDS / _key() / str(part)
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            _link(folder / "treering")
            if not (folder / _DONE).exists():
                yield f"training weights without part {part + 1} of {PARTS} of the lives"
                _train(folder, trained_on()[part::PARTS])
                (folder / _DONE).touch()


def _key() -> str:
    """Return a name for what the weights are trained on: the shipped ones follow from that, byte for byte."""
    found = hashlib.sha256("\n".join([str(PARTS), *trained_on()]).encode())
    for path in sorted(PACKAGE.rglob("*.weights")):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _link(folder: Path) -> None:
    """Make a package to train in: links to the modules, and files for all else."""
    for path in PACKAGE.rglob("*"):
        copy = folder / path.relative_to(PACKAGE)
        if path.is_dir() or "__pycache__" in path.parts or copy.exists():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".py":
            copy.unlink(missing_ok=True)
            copy.symlink_to(path)
        else:
            shutil.copyfile(path, copy)
    for copy in [*folder.rglob("*.py")]:
        if not copy.exists():  # its module is gone
            copy.unlink()


def _train(folder: Path, without: list[str]) -> None:
    command = [sys.executable, "-m", "benchmarks.judgement.train", *_FROM_LIVES, "--without", ",".join(without)]
    surroundings = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    subprocess.run(command, env=surroundings, cwd=folder, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other runs from making the same copy."""
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield
