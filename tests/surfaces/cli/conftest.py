from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import idle, worn
from tests.surfaces.cli.signals import signalled


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store that is not there yet."""
    for name in [
        name
        for name in os.environ
        if name.startswith(("TREERING_", "CLAUDE_", "CODEX_", "GEMINI_", "COPILOT_", "CURSOR_"))
    ]:
        monkeypatch.delenv(name)
    path = tmp_path / "home"
    monkeypatch.setenv("HOME", str(tmp_path / "person"))  # who has no skills and no transcripts yet
    monkeypatch.setenv("TREERING_HOME", str(path))
    monkeypatch.chdir(tmp_path)  # a folder of no project
    monkeypatch.setenv("TREERING_SWAP", "0")  # chance has a say only in the tests that are about it
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, where one stands."""
    path = tmp_path / "root"
    path.mkdir()
    monkeypatch.chdir(path)
    return path


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


@pytest.fixture
def program(home: Path, tmp_path: Path) -> Program:
    return Program(home, tmp_path)


@pytest.fixture
def shop(cli: Cli, home: Path) -> Cli:
    """A store in which memory 3 keeps failing, 7 says the same, and recall 41 showed 3."""
    worn(home)
    return cli


@pytest.fixture
def attic(cli: Cli, home: Path) -> Cli:
    """A store of things that nobody has used for years; 3, 7 and 9 are one skill, and 41 proposes it."""
    idle(home)
    return cli


@pytest.fixture
def desk(cli: Cli, home: Path, root: Path) -> Cli:
    """A store with a skill and an entry for the routing that wait for somebody, who stands in an empty folder."""
    signalled(home)
    assert len(cli.fine("evolve", "analyze", "--json").json["added"]) == 2
    return cli
