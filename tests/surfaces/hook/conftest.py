from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from tests.surfaces.hook.driving import Agent, alone, repository


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store that is there and empty."""
    path = alone(tmp_path, monkeypatch)
    treering.open(path).close()
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository."""
    return repository(tmp_path / "shop")


@pytest.fixture
def agent(home: Path, shop: Path) -> Agent:
    """A session in the repository `shop`."""
    return Agent(home, shop)


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line, on that store."""
    return Cli(capsys)
