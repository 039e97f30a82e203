"""A store with a little in it, and a visitor who has come in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from tests.surfaces.ui.served import Served


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    with treering.open(home, actor="user") as memory:
        memory.remember("Deploys go out on Fridays", tags=["deploy"], project="shop")
        memory.remember("Deploys need a green build", project="shop")
        memory.remember("The staging database listens on port 5433", type="semantic", project="shop")
        memory.remember("Reviews need two approvals", invariant=True, at="2025-01-01")
        memory.recall("when do deploys go out", 1, project="shop", session="monday")
    return home


@pytest.fixture
def stranger(home: Path, tmp_path: Path) -> Iterator[Served]:
    """Somebody who has not shown the token."""
    with Served(str(home), str(tmp_path)) as served:
        yield served


@pytest.fixture
def visitor(stranger: Served) -> Served:
    stranger.enter()
    return stranger
