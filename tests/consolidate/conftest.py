"""What holds of the slow loop holds on every store."""

from __future__ import annotations

import pytest

from tests.consolidate.living import World
from tests.world import store_in_memory
from treering.stores.port.ledger import Store


@pytest.fixture
def store() -> Store:
    return store_in_memory()


@pytest.fixture
def world(store: Store) -> World:
    return World(store)
