"""The inbox is this machine's, and no part of the ledger: what is done to the ledger leaves it alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.hook.driving import Agent, known, rows, taken_in
from tests.world import Clock, Dice
from treering.ledger.ledger import Ledger
from treering.ledger.transfer import export_file, import_file
from treering.ledger.verify import verify
from treering.stores.sqlite.store import SqliteStore

FACT = "The staging database of the harbour is read-only after 18:00"
TABLES = ("inbox", "shown", "roots", "briefs")


@pytest.fixture
def lived(agent: Agent, home: Path) -> Agent:
    """A session that goes on: letters taken in, and others that wait."""
    known(home, FACT)
    agent.starts()
    agent.asks("Remember that the harbour crane is painted yellow")
    with taken_in(home) as memory:
        memory.maintenance.run()
    agent.asks("now to the login page please")
    return agent


def picture(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {table: rows(home, f"SELECT * FROM {table}") for table in TABLES}


def test_a_rebuild_and_a_check_leave_it_alone(lived: Agent, home: Path) -> None:
    before = picture(home)
    assert all(before.values())
    store = SqliteStore(str(home / "treering.db"))
    assert verify(store).problems == ()
    Ledger(store, Clock(), Dice()).rebuild()
    assert verify(store).problems == ()
    store.close()
    assert picture(home) == before


def test_after_a_rebuild_nothing_is_told_twice(lived: Agent, home: Path) -> None:
    with taken_in(home) as memory:
        memory.ledger.rebuild()
    assert lived.starts("compact") == ""
    assert lived.asks(f"{FACT}, or is it?") == ""
    with taken_in(home) as memory:
        memory.maintenance.run()
        assert sorted(one.content for one in memory.list()) == ["The harbour crane is painted yellow.", FACT]


def test_an_export_has_what_was_captured_and_no_letter(lived: Agent, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    with taken_in(home) as memory:
        export_file(memory.store, str(path))
    text = path.read_text()
    assert "memory.captured.v1" in text and "transcript" not in text and str(lived.folder) not in text
    with treering.open(tmp_path / "other") as memory:
        import_file(memory.ledger, memory.context, str(path), limit=100_000, mine=True, progress=lambda count: None)
        assert [one.kind for one in memory.captured.list()] == ["told"]
        assert verify(memory.ledger.store).problems == ()
    assert picture(tmp_path / "other") == {table: [] for table in TABLES}


def test_what_came_with_an_import_is_not_captured_again(lived: Agent, home: Path, tmp_path: Path, shop: Path) -> None:
    path, other = tmp_path / "export.jsonl", tmp_path / "other"
    with taken_in(home) as memory:
        export_file(memory.store, str(path))
    with treering.open(other) as memory:
        import_file(memory.ledger, memory.context, str(path), limit=100_000, mine=True, progress=lambda count: None)
    Agent(other, shop, "s9").asks("Remember that the harbour crane is painted yellow")
    with taken_in(other) as memory:
        assert len(memory.captured.list()) == 1


def test_the_past_is_looked_at_without_taking_anything_in(lived: Agent, home: Path) -> None:
    before = picture(home)
    with treering.open(home, as_of="2100-01-01") as memory:
        assert [one.kind for one in memory.captured.list()] == ["told"]
        assert memory.workspace.inbox is None
    assert picture(home) == before


def test_an_older_store_gets_an_inbox_and_its_letters(agent: Agent, home: Path) -> None:
    """A store of version 5 had no such tables. Hooks leave their letters beside it, and whoever opens it brings both
    together."""
    (id,) = known(home, FACT)
    rows(home, "".join(f"DROP TABLE {table};" for table in TABLES) + "PRAGMA user_version = 5")
    assert agent.asks("Remember that the harbour crane is painted yellow") == ""
    with taken_in(home) as memory:
        assert [one.memory.content for one in memory.captured.list()] == ["The harbour crane is painted yellow."]
        assert memory.get(id).content == FACT and verify(memory.ledger.store).problems == ()
