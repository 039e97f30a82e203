"""The command line with a team's memory: every command takes its address, and a memory moves there and back."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import postgres
from tests.surfaces.cli.driving import Cli
from treering.ledger.ledger import Ledger

pytestmark = postgres.needed


@pytest.fixture
def team(cli: Cli) -> tuple[str, ...]:
    """The options that name a database and a space of it."""
    return ("--store", postgres.server().address, "--space", postgres.server().new_space())


def test_every_command_takes_an_address(cli: Cli, team: tuple[str, ...]) -> None:
    """What one remembers another finds; nothing of it is in the file."""
    assert cli.fine("remember", "Deploys happen on Tuesdays", *team).code == 0
    assert "Deploys happen on Tuesdays" in cli.fine("recall", "when are deploys", *team).out
    assert cli.fine("verify", *team).out.endswith("all is well\n")
    assert cli.fine("rebuild", *team).out.startswith("rebuilt from ")
    assert cli.fine("list", "--json").json == []


def test_doctor_looks_at_the_database(cli: Cli, team: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is, what it holds, and whether the role can get round the walls; without a password."""
    cli.fine("remember", "Deploys happen on Tuesdays", *team)
    found = {one["name"]: one for one in cli("doctor", "--json", *team).json}
    assert found["store"]["found"].startswith(f"{postgres.server().folder}/team, space {team[3]}, PostgreSQL 18")
    assert found["contents"]["found"] == "1 events, 1 memories"
    assert found["walls"]["level"] == found["erasure"]["level"] == "ok"
    root = postgres.server().address.replace("treering@", "postgres:hush@")
    said = cli("doctor", "--store", root, *team[2:]).out
    assert "the role can see every space" in said and "hush" not in said


def test_a_database_that_is_away_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do, and doctor goes on with the rest."""
    monkeypatch.setattr("treering.stores.postgres.space.OPENING", 0.1)
    away = ("--store", "postgresql://me:hush@/team?host=/nowhere")
    told = cli("list", *away)
    assert told.code == 1 and "check that the server runs" in told.err and "hush" not in told.err
    found = cli("doctor", "--json", *away)
    assert found.code == 1 and {one["name"] for one in found.json} > {"store", "hooks"} and "hush" not in found.out
    assert cli("list", "--store", "mysql://x").err.startswith("error: the address of the store")


def test_a_memory_moves_there_and_back(cli: Cli, tmp_path: Path) -> None:
    """With the same ids, histories and bytes, and every space of the file; twice adds nothing."""
    server = postgres.Server(18)
    try:
        for text in ("Deploys happen on Tuesdays", "The canary sings", "The checkout service owns the orders table"):
            cli.fine("remember", text, "--project", "shop")
        cli.fine("forget", "3")
        cli.fine("purge", "2", "--yes")
        cli.fine("remember", "In another space", "--space", "other")
        home, back = str(tmp_path / "home"), str(tmp_path / "back")
        first = cli.fine("move", home, server.address, "--json").json
        assert (first["events"], first["new"], first["space"]) == (6, 6, "default")
        assert cli.fine("move", home, server.address, "--json").json["new"] == 0
        assert cli.fine("move", server.address, back, "--json").json["events"] == 6
        places = ((), ("--store", server.address), ("--home", back))
        for asked in (("list", "--json"), ("show", "3", "--json"), ("list", "--space", "other", "--json")):
            said = [cli(*asked, *place) for place in places]
            assert {one.out for one in said} == {said[0].out}
        files = [tmp_path / f"{at}.jsonl" for at, _ in enumerate(places)]
        for file, place in zip(files, places, strict=True):
            cli.fine("export", str(file), *place)
        assert {file.read_bytes() for file in files} == {files[0].read_bytes()}
        there = cli.fine("remember", "Written there", *places[1], "--json").json["id"]
        assert there.rpartition("-")[0] != first_writer(cli)
    finally:
        server.close()


def first_writer(cli: Cli) -> str:
    return str(cli.fine("list", "--json").json[0]["id"].rpartition("-")[0])


ROOT = Path(__file__).parents[3]
NOT_HERE = ("pip install", "claude mcp", "treering_…", " serve ", '--header "')  # nor what a command answers


def commands(page: str) -> list[str]:
    """Return the commands of a page, those of people and those of shells."""
    text = (ROOT / "docs" / page).read_text()
    lines = [
        line for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.S | re.M) for line in block.splitlines()
    ]
    return [line.removeprefix("$ ") for line in lines if not any(word in line for word in NOT_HERE)]


def test_the_commands_of_the_pages_work(tmp_path: Path) -> None:
    """One after the other, as somebody would who reads them; the addresses are those of two databases here."""
    server = postgres.Server(18)
    try:
        server.run(f"CREATE DATABASE other OWNER {postgres.ROLE}")
        team = server.address
        script = "\n".join([*commands("postgres.md"), "unset TREERING_STORE TREERING_SPACE", *commands("team.md")])
        script = script.replace(
            "treering --space shop leave", f"rm ~/.treering/config.toml; treering --store '{team}' --space shop leave"
        )
        script = script.replace("postgresql://treering@db4.example.org/team", team.replace("/team?", "/other?"))
        named = "treering config set person anna"
        script = script.replace(named, f"{named}\ntreering remember 'I like tea' --private")
        script = re.sub(r"postgresql://treering@db1?\.example\.org/team", team, script)
        script = script.replace(f"move ~/.treering {team}", f"--space default move ~/.treering {team}")
        program = f'treering() {{ "{sys.executable}" -m treering "$@"; }}\n'
        first = "treering remember 'In the file' --project shop\n"
        home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(
            ["bash", "-ec", program + first + script],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=home,
            timeout=600,
        )
        assert done.returncode == 0, (done.stdout, done.stderr)
        assert "Deploys happen on Tuesdays" in done.stdout and "moved" in done.stdout and "admin" not in done.stdout
        assert (tmp_path / "anna" / "treering.db").exists() and (tmp_path / "mine" / "treering.db").exists()
    finally:
        server.close()


def test_a_move_that_was_interrupted_carries_on(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the last portion that arrived whole."""
    for number in range(7):
        cli.fine("remember", f"note {number}", "--space", "apart")
    monkeypatch.setattr("treering.ledger.move.batches", lambda events: ([event] for event in events))
    take_in = Ledger.take_in
    taken: list[object] = []

    def interrupted(self: Ledger, events: list[object]) -> int:
        if len(taken) == 3:
            raise KeyboardInterrupt
        taken.append(events)
        return take_in(self, events)  # type: ignore[arg-type]

    words = ("move", str(tmp_path / "home"), str(tmp_path / "there"), "--space", "apart", "--json")
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "take_in", interrupted)
        assert cli(*words).code != 0
    assert cli.fine(*words).json["new"] == 4
    assert len(cli.fine("list", "--space", "apart", "--home", str(tmp_path / "there"), "--json").json) == 7


def test_a_move_into_what_is_in_use_is_refused(cli: Cli, team: tuple[str, ...], tmp_path: Path) -> None:
    """And says what to do; nothing is changed there."""
    cli.fine("remember", "here", "--space", team[3])
    cli.fine("remember", "there", *team)
    told = cli("move", str(tmp_path / "home"), team[1], "--space", team[3])
    assert told.code == 1 and "name an empty space or folder" in told.err
    assert len(cli.fine("list", "--json", *team).json) == 1
    told = cli("move", str(tmp_path / "home"), team[1], "--space", "another")
    assert told.code == 1 and f"say --space {team[3]}" in told.err
    told = cli("move", str(tmp_path / "nowhere"), team[1])
    assert told.code == 1 and "holds no memory" in told.err and not (tmp_path / "nowhere").exists()
