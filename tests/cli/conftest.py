from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.driving import Cli, Program


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store that is not there yet."""
    for name in [name for name in os.environ if name.startswith("TREERING_")]:
        monkeypatch.delenv(name)
    path = tmp_path / "home"
    monkeypatch.setenv("TREERING_HOME", str(path))
    return path


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


@pytest.fixture
def program(home: Path, tmp_path: Path) -> Program:
    return Program(home, tmp_path)
