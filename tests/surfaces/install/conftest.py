from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from treering.surfaces.install import scripts
from treering.surfaces.install.scripts import Programs

VARIABLES = ("TREERING_", "CLAUDE_", "CODEX_", "GEMINI_", "COPILOT_", "CURSOR_")


@pytest.fixture(autouse=True)
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of somebody who has our programs, and nothing else that is known."""
    for name in [name for name in os.environ if name.startswith(VARIABLES)]:
        monkeypatch.delenv(name)
    home = tmp_path / "person"
    programs(home / ".local" / "bin")
    (home / "work").mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(home / ".local" / "bin"))
    monkeypatch.chdir(home / "work")
    found = Programs(str(home / ".local/bin/treering"), str(home / ".local/bin/treering-hook"))
    monkeypatch.setattr(scripts, "programs", lambda *_: found)
    return home


def programs(folder: Path) -> Path:
    """A folder in which both programs are."""
    folder.mkdir(parents=True)
    for name in ("treering", "treering-hook"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)
