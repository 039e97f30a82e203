"""Hygiene and the end of a session: as commands, and as processes that meet each other."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli, Program
from treering.ledger.events import MOVED, RAN
from treering.ledger.verify import verify
from treering.stores.port.ledger import EventQuery

LONG_AGO = ("--at", "2020-01-01")
MANY = 3_000  # memories to move: several portions


def status(cli: Cli, id: str) -> str:
    return str(cli.fine("show", id, "--json").json["status"])


def events(cli: Cli) -> int:
    return len(cli.fine("log", "--limit", "0", "--json").json)


def stocked(home: Path, count: int) -> None:
    """A store with many memories whose time has come."""
    with treering.open(home, actor="user") as memory:
        memory.remember_many({"content": f"fact {n} of {n * n}", "at": "2020-01-01"} for n in range(count))


class TestHygiene:
    def test_the_rehearsal_says_what_the_run_then_does(self, cli: Cli) -> None:
        """Each move with its reason; nothing is written before it is done."""
        cli.remember("old fact", *LONG_AGO)
        cli.remember("young fact")
        plan = cli.fine("hygiene", "--dry-run", "--json").json
        assert (plan["dry_run"], plan["event"], plan["counts"]) == (True, "", {"archived": 1})
        text = cli.fine("hygiene", "--dry-run").out
        assert "created → archived" in text and "its strength has faded" in text and "would move 1 of 2" in text
        assert events(cli) == 2
        done = cli.fine("hygiene", "--json").json
        assert [(move["id"], move["to"]) for move in done["moves"]] == [
            (move["id"], move["to"]) for move in plan["moves"]
        ]

    def test_twice_is_once_and_undoing_the_run_takes_all_of_it_back(self, cli: Cli) -> None:
        """The text says how, and by which event."""
        cli.remember("old fact", *LONG_AGO)
        said = cli.fine("memory", "hygiene").out
        before = events(cli)
        assert cli.fine("hygiene").out == "moved 0 of 1 memory, by half-life\n"
        assert events(cli) == before
        run = said.split("treering undo ")[1].split("`")[0]
        cli.fine("undo", run)
        assert status(cli, "1") == "created"

    def test_the_archive_is_still_found_below_what_is_in_use(self, cli: Cli) -> None:
        """And its history is on the card."""
        cli.remember("the oak is old", *LONG_AGO)
        cli.fine("hygiene")
        assert "archived" in cli.fine("show", "1").out
        assert [row["status"] for row in cli.fine("show", "1", "--json").json["status_history"]][-1] == "archived"
        assert "the oak is old" in cli.fine("recall", "oak", "--unsure").out
        assert status(cli, "1") == "active"

    def test_an_invariant_stays(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """Under any policy."""
        cli.remember("a rule", "--invariant", *LONG_AGO)
        for policy in ("half-life", "age", "sessions"):
            monkeypatch.setenv("TREERING_DECAY", policy)
            moved = cli.fine("hygiene", "--json").json
            assert moved["policy"] == policy and moved["counts"].keys() <= {"active"}

    def test_the_past_can_be_rehearsed_and_not_changed(self, cli: Cli) -> None:
        """It says how to change something."""
        cli.remember("old fact", *LONG_AGO)
        assert cli.fine("hygiene", "--dry-run", "--as-of", "2020-01-01", "--json").json["looked_at"] == 0
        result = cli("hygiene", "--as-of", "2020-01-01")
        assert result.code == 1 and "leave out --as-of" in result.err

    def test_a_policy_that_is_none_is_told(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """With those that there are."""
        monkeypatch.setenv("TREERING_DECAY", "never")
        result = cli("hygiene")
        assert result.code == 1 and "half-life, age, sessions" in result.err


class TestSessionEnd:
    def test_it_is_recorded_and_moves_what_is_due(self, cli: Cli) -> None:
        """As hygiene does."""
        cli.remember("old fact", *LONG_AGO)
        assert cli.fine("session", "end", "monday", "--json").json["counts"] == {"archived": 1}
        assert "session ended: monday" in cli.fine("log").out
        assert "moved 0" in cli.fine("session", "end", "monday").out

    def test_the_session_of_the_settings_is_meant_without_a_name(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And without that, nothing is written."""
        result = cli("session", "end")
        assert result.code == 1 and "name it" in result.err and events(cli) == 0
        monkeypatch.setenv("TREERING_SESSION", "tuesday")
        cli.fine("session", "end")
        assert "session ended: tuesday" in cli.fine("log").out

    @pytest.mark.parametrize("name", ["x" * 501, "two\nlines", "ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq"])
    def test_a_name_that_is_none_is_refused(self, cli: Cli, name: str) -> None:
        """As everywhere."""
        assert cli("session", "end", name).code == 1
        assert events(cli) == 0

    def test_the_past_has_ended_already(self, cli: Cli) -> None:
        """With --as-of nothing can be ended."""
        assert cli("session", "end", "x", "--as-of", "2026-01-01").code == 2


class TestProcesses:
    def test_two_that_do_hygiene_at_once_move_everything_once(self, program: Program, home: Path) -> None:
        """Neither fails, no memory is moved twice, and the store verifies."""
        stocked(home, MANY)
        command = program.command("hygiene", "--json")
        both = [subprocess.Popen(command, env=program.environment, stdout=subprocess.DEVNULL) for _ in range(2)]
        assert [one.wait(60) for one in both] == [0, 0]
        self._all_moved_once(home)

    def test_hygiene_goes_on_beside_one_who_remembers(self, program: Program, home: Path) -> None:
        """Nobody is turned away."""
        stocked(home, MANY)
        command = program.command("hygiene", "--json")
        cleaning = subprocess.Popen(command, env=program.environment, stdout=subprocess.DEVNULL)
        written = 0
        while cleaning.poll() is None or not written:
            with treering.open(home) as memory:
                memory.remember(f"written meanwhile {written}")
            written += 1
        assert cleaning.returncode == 0
        with treering.open(home) as memory:
            assert sum(one.status == "created" for one in memory.list()) == written
        self._all_moved_once(home)

    def test_a_run_that_is_killed_is_taken_up_by_the_next(self, program: Program, home: Path) -> None:
        """Between its portions: what was moved is moved, the rest follows, and nothing twice."""
        stocked(home, MANY)
        for _ in range(2):
            began = _moves(home)
            child = subprocess.Popen(program.command("hygiene"), env=program.environment, stdout=subprocess.DEVNULL)
            while child.poll() is None and _moves(home) == began:
                time.sleep(0.002)
            child.kill()
            child.wait()
            with treering.open(home) as memory:
                assert verify(memory.ledger.store).clean
        assert program("hygiene").code == 0
        self._all_moved_once(home)
        assert "moved 0" in program("hygiene").out

    def _all_moved_once(self, home: Path) -> None:
        with treering.open(home) as memory:
            moved = [event.subject for event in memory.store.events(EventQuery(kinds=(MOVED,)))]
            assert len(moved) == len(set(moved)) == MANY
            assert sum(1 for _ in memory.list(status="archived")) == MANY
            assert verify(memory.ledger.store).clean
            assert any(memory.store.events(EventQuery(kinds=(RAN,))))


def _moves(home: Path) -> int:
    with treering.open(home) as memory:
        return sum(1 for _ in memory.store.events(EventQuery(kinds=(MOVED,))))
