"""What was kept without being asked, on the command line: shown, taken back; and all that is due, done."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import BELL, refused
from tests.surfaces.hook.driving import Agent, beside, repository, taken_in
from treering.stores import files as lock
from treering.stores.files import TENDING

CRANE, TOWER, QUAY = "harbour crane is painted yellow", "airport tower is painted green", "quay is closed on Sundays"
FIELDS = {"id", "kind", "content", "type", "scope", "project", "session", "time", "origin", "event", "why"}


@pytest.fixture
def caught(heard: Cli, home: Path) -> Cli:
    """The same, and all letters have been taken in."""
    taken_in(home).close()
    return heard


@pytest.fixture
def heard(cli: Cli, home: Path, tmp_path: Path) -> Cli:
    """Two sessions that told what to remember: one in `shop`, two things, and a later one in `bank`."""
    treering.open(home).close()
    first = Agent(home, repository(tmp_path / "shop"), "s1")
    first.asks(f"Remember that the {CRANE}")
    first.asks(f"Remember that the {TOWER}")
    second = Agent(home, repository(tmp_path / "bank"), "s2")
    second.now = first.now + 60_000_000
    second.asks(f"Remember that the {QUAY}")
    return cli


class TestCaptured:
    def test_nothing_was_yet(self, cli: Cli) -> None:
        assert cli.fine("captured", "--json").json == []
        assert cli.fine("captured").err == "nothing has been captured yet\n"

    def test_it_is_listed_by_session_the_last_one_first(self, caught: Cli) -> None:
        lines = caught.fine("captured").out.splitlines()
        assert lines[0].startswith("session s2, project bank, ") and QUAY in lines[1]
        assert lines[2].startswith("session s1, project shop, ") and len(lines) == 5
        assert {line.split()[1] for line in (lines[1], *lines[3:])} == {"told"}

    def test_programs_get_all_of_it(self, caught: Cli) -> None:
        found = caught.fine("captured", "--json").json
        assert all({*one} == FIELDS for one in found) and len(found) == 3
        assert {(one["session"], one["project"], one["kind"], one["origin"]) for one in found} == {
            ("s1", "shop", "told", "user"),
            ("s2", "bank", "told", "user"),
        }
        assert {one["content"].lower() for one in found} == {f"the {text.lower()}." for text in (CRANE, TOWER, QUAY)}
        for one in found:
            assert caught.fine("show", one["id"], "--json").json["content"] == one["content"]

    def test_one_session_or_only_the_last_ones(self, caught: Cli) -> None:
        of = caught.fine("captured", "--session", "s1", "--json").json
        assert {one["session"] for one in of} == {"s1"} and len(of) == 2
        assert {one["session"] for one in caught.fine("captured", "--limit", "1", "--json").json} == {"s2"}
        assert caught.fine("captured", "--session", "nobody", "--json").json == []

    def test_what_was_said_is_shown_as_data(self, cli: Cli, home: Path, tmp_path: Path) -> None:
        """Nothing in it reaches the terminal as more than letters on its line."""
        treering.open(home).close()
        agent = Agent(home, repository(tmp_path / "shop"))
        agent.asks("Remember that the harbour \x1b[31mcrane\x1b[0m is called \u202eevil\u202c by all")
        out = cli.fine("captured").out
        assert "\x1b" not in out and "\u202e" not in out and len(out.splitlines()) == 2

    def test_the_past_is_looked_at(self, caught: Cli) -> None:
        caught.fine("captured")
        assert caught.fine("captured", "--as-of", "2020-01-01", "--json").json == []
        assert len(caught.fine("captured", "--as-of", "2100-01-01", "--json").json) == 3


class TestUndo:
    def test_one_is_taken_back_and_can_be_brought_back(self, caught: Cli) -> None:
        (one,) = caught.fine("captured", "--session", "s2", "--json").json
        result = caught.fine("captured", "undo", one["id"], "--reason", "not wanted")
        assert result.out.startswith("took back 1 memory\n")
        assert caught.fine("captured", "--session", "s2", "--json").json == []
        assert caught("show", one["id"]).code == 1
        words = result.out.splitlines()[1].split("`")[1].split()[1:]
        caught.fine(*words)
        assert caught.fine("captured", "--session", "s2", "--json").json == [one]

    def test_the_number_at_the_end_of_an_id_is_enough(self, caught: Cli) -> None:
        (one,) = caught.fine("captured", "--session", "s2", "--json").json
        told = caught.fine("captured", "undo", one["id"].rpartition("-")[2], "--json").json
        assert told["released"] == [one["id"]] and len(told["events"]) == 1

    def test_all_of_a_session_is_taken_back(self, caught: Cli) -> None:
        assert caught.fine("captured", "undo", "--session", "s1").out.startswith("took back 2 memories\n")
        assert {one["session"] for one in caught.fine("captured", "--json").json} == {"s2"}
        assert caught.fine("captured", "undo", "--session", "s1").err == "nothing was captured there\n"

    def test_what_was_taken_back_is_not_captured_again(self, caught: Cli, home: Path, tmp_path: Path) -> None:
        """However often its session is read. Who tells it anew, another day, means it."""
        caught.fine("captured", "undo", "--session", "s1")
        Agent(home, tmp_path / "shop", "s1").asks("now to the login page please")
        caught.fine("tend")
        assert {one["session"] for one in caught.fine("captured", "--json").json} == {"s2"}
        Agent(home, tmp_path / "shop", "s3").asks(f"Remember that the {CRANE}")
        caught.fine("tend")
        assert {one["session"] for one in caught.fine("captured", "--json").json} == {"s2", "s3"}

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            ((), 1, "name memories, or a session with --session"),
            (("99",), 1, "no captured memory '99'"),
            (("nobody-1",), 1, "no captured memory 'nobody-1'"),
            ((BELL,), 1, "an id is a text like"),
            (("1", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("--what",), 2, "--what"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, caught: Cli, words: tuple[str, ...], code: int, message: str) -> None:
        caught.fine("captured")
        refused(caught, ("captured", "undo", *words), code, message)

    def test_what_somebody_remembered_is_not_taken_back_here(self, caught: Cli) -> None:
        id = caught.remember("The quay is long")
        refused(caught, ("captured", "undo", id), 1, f"no captured memory '{id}'")


class TestTend:
    def test_it_says_what_was_done(self, heard: Cli) -> None:
        assert heard.fine("tend").out.startswith("took in 3 queued events, read on in 2 sessions, kept 0 memories")
        assert heard.fine("tend").out.startswith("took in 0 queued events, read on in 2 sessions, kept 0 memories")
        told = heard.fine("tend", "--seconds", "5", "--json").json
        assert {*told} >= {"letters", "sessions", "caught", "consolidated", "evolved", "busy"} and not told["busy"]

    def test_another_process_is_at_it(self, caught: Cli, home: Path) -> None:
        with beside(lambda ready: lock.take(str(home / TENDING))):
            assert caught.fine("tend").out == "another process is at it\n"
            assert caught.fine("tend", "--json").json["busy"]

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("--seconds", "0"), 1, "seconds must be"),
            (("--seconds", "9999"), 1, "seconds must be"),
            (("--seconds", "soon"), 2, "--seconds takes a whole number"),
            (("--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("now",), 2, "now"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, caught: Cli, words: tuple[str, ...], code: int, message: str) -> None:
        caught.fine("captured")
        refused(caught, ("tend", *words), code, message)


class TestHere:
    """`--project .`: the project of the folder that one stands in."""

    def test_it_is_the_one_that_hooks_mean(self, caught: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "shop" / "src").mkdir()
        monkeypatch.chdir(tmp_path / "shop" / "src")
        found = caught.fine("list", "--project", ".", "--json").json
        assert {one["project"] for one in found} == {"shop"} and len(found) == 2
        id = caught.remember("The quay is long", "--project", ".")
        assert caught.fine("show", id, "--json").json["project"] == "shop"
        assert caught.fine("recall", "colour of the harbour crane", "--project", ".", "--json").json["hits"]
        monkeypatch.chdir(tmp_path / "bank")
        assert [one["project"] for one in caught.fine("list", "--project", ".", "--json").json] == ["bank"]

    def test_as_a_setting_too(self, caught: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path / "shop")
        monkeypatch.setenv("TREERING_PROJECT", ".")
        id = caught.remember("The quay is long")
        assert caught.fine("show", id, "--json").json["project"] == "shop"

    def test_folders_of_one_name_are_two(self, caught: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(repository(tmp_path / "other" / "shop"))
        assert caught.fine("list", "--project", ".", "--json").json == []

    def test_looking_at_the_past_works_too(self, caught: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        caught.fine("captured")
        monkeypatch.chdir(tmp_path / "shop")
        found = caught.fine("list", "--project", ".", "--as-of", "2100-01-01", "--json").json
        assert {one["project"] for one in found} == {"shop"}


def test_letters_are_taken_in_by_whatever_is_run_next(program: Program, home: Path, tmp_path: Path) -> None:
    """As a process of its own: `treering list` after a session shows what the session brought. It has a fraction of a
    second for that, which may be too little where many run at once: then the next one does it."""
    treering.open(home).close()
    Agent(home, repository(tmp_path / "shop")).asks(f"Remember that the {CRANE}")
    assert any(CRANE in program("list").out for _ in range(10))
