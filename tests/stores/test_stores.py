"""The store keeps its promises in a file and in memory; what only one of the two has to keep is here too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stores.contract import StoreContract
from tests.world import memory_on, store_in_memory
from treering.ledger.verify import verify
from treering.stores.port.ledger import Store
from treering.stores.sqlite.store import SqliteStore


class TestInMemory(StoreContract):
    def make(self) -> Store:
        return store_in_memory()


class TestFile(StoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = str(tmp_path / "treering.db")

    def make(self) -> Store:
        return SqliteStore(self.path)


def test_a_copied_store_writes_under_a_name_of_its_own(tmp_path: Path) -> None:
    """Two copies never give one id to two events, so they can be merged."""
    original = SqliteStore(str(tmp_path / "a.db"))
    memory_on(original, seed=1).remember("before the copy")
    original.close()
    (tmp_path / "b.db").write_bytes((tmp_path / "a.db").read_bytes())
    one, two = (memory_on(SqliteStore(str(tmp_path / name)), seed=2) for name in ("a.db", "b.db"))
    assert one.remember("in the original").id != two.remember("in the copy").id
    one.ledger.take_in(list(two.store.events()))
    assert {m.content for m in one.list()} == {"before the copy", "in the original", "in the copy"}
    assert verify(one.ledger.store).clean
    one.close()
    two.close()


def test_how_far_was_looked_is_known_to_whoever_opens_the_store(tmp_path: Path) -> None:
    """It is kept on disk, and goes along with a copy."""
    path = tmp_path / "treering.db"
    first = SqliteStore(str(path))
    memory_on(first).remember("x")
    first.write(lambda: first.look_on("a", 4))
    first.close()
    (tmp_path / "copy.db").write_bytes(path.read_bytes())
    for name in ("treering.db", "copy.db"):
        again = SqliteStore(str(tmp_path / name))
        assert again.looked() == {"a": 4}
        again.close()
