"""Every rule of proposals holds on every store, below a root and beside a home that nobody else has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.skills.proposals.desk import Desk
from tests.world import store_in_memory
from treering.stores.port.ledger import Store


@pytest.fixture
def store() -> Store:
    return store_in_memory()


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
