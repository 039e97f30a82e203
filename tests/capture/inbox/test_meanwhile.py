"""What others do while a session is read or a purge is under way changes nothing that was promised."""

from __future__ import annotations

import os
from collections.abc import Sequence
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.hook.driving import Agent, writing
from treering.capture import api as capture
from treering.capture import sift
from treering.capture.turns import Catch, Turn
from treering.judge.learned import Learned
from treering.stores.files import SPOOL
from treering.stores.sqlite import queue
from treering.stores.sqlite.connection import Connections

TOLD = "Remember: the depot zanzibar opens at 9 o'clock."


def test_what_is_purged_while_its_session_is_read_is_not_captured_again(
    agent: Agent, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that read the session before the purge does not bring the statement back."""
    agent.asks(TOLD)
    caught = sift.catch

    def purged_meanwhile(turns: Sequence[Turn], learned: Learned) -> list[Catch]:
        found = caught(turns, learned)
        if len(turns) and found:
            monkeypatch.setattr(sift, "catch", caught)
            with treering.open(home) as other:
                other.purge(*(memory.id for memory in other.list()))
        return found

    with treering.open(home) as memory:
        assert [one.memory.content for one in memory.captured.list()] == ["The depot zanzibar opens at 9 o'clock."]
        monkeypatch.setattr(sift, "catch", purged_meanwhile)
        memory.maintenance.run()
        assert [*memory.list()] == []


def test_sessions_of_one_name_in_two_spaces_are_two_sessions(agent: Agent, home: Path) -> None:
    """What was said in one space is not captured into another."""
    agent.asks("Fix the gate of the zanzibar depot, please.")
    agent.environment = {"TREERING_SPACE": "other"}
    agent.asks("Change the door of the mombasa hall, please.")
    agent.edits("hall.py")
    agent.ends()
    for space in ("default", "other"):
        with treering.open(home, space=space) as memory:
            memory.maintenance.run()
    with treering.open(home, space="other") as memory:
        (story,) = memory.list()
        assert "mombasa" in story.content and "zanzibar" not in story.content


def test_two_purges_at_once_both_reach_the_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of one erasure does not take the mark of another that began meanwhile."""
    with treering.open(home) as memory, treering.open(home) as other:
        first, second = (
            memory.remember(f"The depot {word} opens at 9", anyway=True) for word in ("zanzibar", "mombasa")
        )
        rows = Connections.rows

        def erased_meanwhile(self: Connections, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
            found = rows(self, sql, values)
            if "wal_checkpoint" in sql:
                monkeypatch.setattr(Connections, "rows", rows)
                monkeypatch.setattr(type(other.ledger.store), "scrub", lambda store: True)
                other.purge(second.id)
                monkeypatch.undo()
            return found

        monkeypatch.setattr(Connections, "rows", erased_meanwhile)
        memory.purge(first.id)
        assert other.ledger.store.scrub()
    assert b"mombasa" not in b"".join(path.read_bytes() for path in home.iterdir() if path.is_file())


def test_a_recall_that_cannot_be_logged_is_answered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk costs the log, and not the answer."""

    def full(home: str, name: str, text: str) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr(capture, "spool", full)
    with treering.open(home) as memory:
        memory.remember("The depot zanzibar opens at 9")
        found = memory.recall("depot zanzibar", log=False)
        with writing(home):
            assert memory.recall("depot zanzibar").hits[0].memory == found.hits[0].memory


def test_a_queued_file_that_was_taken_in_is_gone_for_good(
    agent: Agent, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is synced after a file of it is deleted: a power cut does not bring back what it said."""
    with treering.open(home), writing(home):
        agent.asks(TOLD)
    synced: list[str] = []
    monkeypatch.setattr(queue, "sync_folder", synced.append)
    with treering.open(home) as memory:
        assert memory.captured.list()
    assert synced == [str(home / SPOOL)] and not [*(home / SPOOL).iterdir()]


def test_an_episode_that_quotes_what_is_purged_is_purged_with_it(agent: Agent, home: Path) -> None:
    """Of two sessions, the one that asked for something else is left."""
    agent.asks("Open the zanzibar depot at 9 o'clock, and let the gate follow.")
    agent.edits("gate.py")
    agent.ends()
    other = Agent(home, agent.folder, "s2")
    other.asks("Change the door of the mombasa hall, please.")
    other.edits("hall.py")
    other.ends()
    with treering.open(home, project="shop", actor="user") as memory:
        memory.maintenance.run()
        assert any(one.type == "episodic" and "zanzibar" in one.content for one in memory.list())
        made = memory.remember("open the zanzibar depot at 9 o'clock")
        memory.purge(made.id)
        left = [one.content for one in memory.list()]
        assert left and all("mombasa" in text for text in left)
    assert not any(b"zanzibar" in path.read_bytes() for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize("hide", ["forget", "undo"])
def test_an_episode_that_nobody_sees_any_more_is_purged_with_what_it_quotes(
    agent: Agent, home: Path, hide: str
) -> None:
    """One that was forgotten or undone still has its text in the ledger."""
    agent.asks("Open the zanzibar depot at 9 o'clock, and let the gate follow.")
    agent.edits("gate.py")
    agent.ends()
    with treering.open(home, project="shop", actor="user") as memory:
        memory.maintenance.run()
        for story in [one for one in memory.list() if "zanzibar" in one.content]:
            getattr(memory, hide)(story.id)
        memory.purge(memory.remember("open the zanzibar depot at 9 o'clock", anyway=True).id)
    assert not any(b"zanzibar" in path.read_bytes() for path in home.rglob("*") if path.is_file())
