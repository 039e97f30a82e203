"""The benchmark of the hooks runs. Whether its figures are good is for `make bench-hooks` to say."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import treering
from benchmarks import report
from benchmarks.hooks.payloads import KINDS
from benchmarks.recalling.notes import notes

hooks = importlib.import_module("benchmarks.hooks.__main__")

SIZE = 30


@pytest.fixture
def home(tmp_path: Path) -> str:
    place = tmp_path / "work" / "home"
    (tmp_path / "work" / ".git").mkdir(parents=True)
    with treering.open(str(place)) as memory:
        memory.remember_many([note._asdict() for note in notes(0, SIZE)])
    return str(place)


def test_every_hook_is_timed_and_answers_what_is_known(home: str) -> None:
    figures = list(hooks.measure(SIZE, 1, home))
    assert len(figures) == 2 * len(KINDS)
    assert all(found.ratio > 0 and report.line(found) for found in figures)
    spoke = [found.name for found in figures if "spoke" in found.name]
    assert any(name.startswith("UserPromptSubmit, of something known") for name in spoke)
    assert not any("small talk" in name for name in spoke)


def test_the_modules_of_a_prompt_are_listed(home: str) -> None:
    names = hooks.loaded(0, home, SIZE)
    assert "treering.surfaces.hook.look" in names
    assert "mcp" not in names
