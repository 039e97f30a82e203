"""Every rule of proposals holds on every store, below a root and beside a home that nobody else has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proposing.desk import Desk
from treering.core.ports import Store
from treering.stores.memory import MemoryStore
from treering.stores.sqlite import SqliteStore


@pytest.fixture(params=("sqlite", "memory"))
def store(request: pytest.FixtureRequest) -> Store:
    return SqliteStore(":memory:") if request.param == "sqlite" else MemoryStore()


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder: skills that lie there are everybody's."""
    home = tmp_path / "user"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, where we stand."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
