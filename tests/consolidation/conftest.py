"""What holds of the slow loop holds on every store."""

from __future__ import annotations

import pytest

from tests.consolidation.living import World
from treering.core.ports import Store
from treering.stores.memory import MemoryStore
from treering.stores.sqlite import SqliteStore


@pytest.fixture(params=("sqlite", "memory"))
def store(request: pytest.FixtureRequest) -> Store:
    return SqliteStore(":memory:") if request.param == "sqlite" else MemoryStore()


@pytest.fixture
def world(store: Store) -> World:
    return World(store)
