"""When somebody is stuck: a tool that fails again and again at about the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.skills.signals.sessions import Session, loops
from treering.skills.signals.loops import Loop

IN_USE = "Exit code 1\nError: listen EADDRINUSE: address already in use :::3000"


def test_three_failures_of_the_same_are_a_loop_that_has_the_id_of_the_first(tmp_path: Path) -> None:
    session = Session()
    session.tries("Bash", command="ls")
    first = session.tries("Bash", IN_USE, command="npm run dev", description="Start")
    session.tries("Bash", IN_USE, command="npm run dev", description="Start again")
    session.tries("Bash", IN_USE, command="npm run dev", description="Once more")
    (loop,) = session.read(tmp_path).signals
    error = "Error: listen EADDRINUSE: address already in use :::3000"
    assert isinstance(loop, Loop)
    assert loop._replace(time=0) == Loop(first, "Bash", "npm run dev", error, 3, 0)
    assert loop.time > 0


def test_two_failures_are_none(tmp_path: Path) -> None:
    session = Session()
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    assert session.read(tmp_path).signals == []


@pytest.mark.parametrize(
    "commands",
    [
        ["npm install tiny", "npm install tiny@latest", "npm i tiny --no-audit"],
        ["pip install foo", "pip3 install foo==1.2 --user", "python -m pip install foo"],
        ["scp a.tgz host:/srv/", "sleep 30 && scp a.tgz host:/srv/", "scp -o ConnectTimeout=60 a.tgz host:/srv/"],
        ["bash run.sh", "./run.sh", "bash -c './run.sh --now'"],
        ["git commit -m 'one'", 'git commit -m "two; three"', "git commit --message='four five' -n"],
        ["cd web && make build", "make build V=1", "sudo make build"],
        ["msbuild App.sln", "msbuild .\\App.sln /m", "msbuild App.sln /p:Configuration=Release"],
        ["curl -s http://localhost/ping", "curl --retry 2 http://localhost/ping", "curl -sv http://localhost/ping"],
        ["pytest tests/a.py", "uv run pytest tests/a.py -x", "TZ=UTC pytest tests/a.py -vv 2>&1 | tail"],
    ],
    ids=lambda commands: str(commands[0]),
)
def test_a_command_with_other_options_is_the_same_try(tmp_path: Path, commands: list[str]) -> None:
    session = Session()
    first, *_ = [session.tries("Bash", "Exit code 1\nno", command=command) for command in commands]
    assert loops(session.read(tmp_path)) == [(first, 3)]


@pytest.mark.parametrize(
    "commands",
    [
        ["pytest tests/api", "pytest tests/cli", "pytest tests/web"],
        ["pip install foo", "pip install bar", "pip install baz"],
        ["ssh root@one ls", "ssh root@two ls", "ssh root@three ls"],
        ["git push origin main", "git fetch origin main", "git pull origin main"],
        ["grep -rE 'refund' src", "grep -rE 'charge back' src", "grep -rE 'money' src"],
        ["systemctl status queue", "supervisorctl status", "docker ps"],
    ],
    ids=lambda commands: str(commands[0]),
)
def test_another_command_is_another_try(tmp_path: Path, commands: list[str]) -> None:
    session = Session()
    for command in commands:
        session.tries("Bash", "Exit code 1\nno", command=command)
    assert session.read(tmp_path).signals == []


def test_edits_of_one_place_in_a_file_are_one_thing_and_of_others_are_not(tmp_path: Path) -> None:
    session = Session()
    error = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    for old in ("<td>{{ total }}</td>", "  <td>{{ total }}</td>", "<tr>\n  <td>{{ total }}</td>"):
        session.tries("Edit", error, file_path="a.html", old_string=old, new_string="")
    for old in ("def vat(rate):", "class Basket:", "import decimal"):
        session.tries("Edit", f"cannot edit: {old} is read only", file_path="b.py", old_string=old, new_string="")
    (loop,) = session.read(tmp_path).signals
    assert isinstance(loop, Loop)
    assert (loop.what, loop.error, loop.count) == ("a.html", "String to replace not found in file.", 3)


def test_another_spelling_of_a_query_is_the_same_try_and_another_table_is_not(tmp_path: Path) -> None:
    session = Session()
    for sql in ("select 1 from customer", "SELECT 1 FROM customer;", 'select 1 from "customer"'):
        session.tries("mcp__db__run", "no such relation", sql=sql)
    for table in ("a", "b", "c"):
        session.tries("mcp__db__run", f"no such relation: {table}", sql=f"select 1 from {table}")
    (loop,) = session.read(tmp_path).signals
    assert isinstance(loop, Loop)
    assert loop.what == 'select 1 from "customer"'


@pytest.mark.parametrize(
    "tool, given",
    [
        ("Read", {"file_path": "a.py"}),
        ("Grep", {"pattern": "TZ"}),
        ("Bash", {"command": "lsof -ti :3000 | head -3"}),
        ("Bash", {"command": "git status && git diff"}),
        ("Bash", {"command": "npm run --help"}),
        ("Bash", {"command": "docker compose ps"}),
        ("mcp__db__list_tables", {}),
    ],
)
def test_looking_around_does_not_end_a_run(tmp_path: Path, tool: str, given: dict[str, Any]) -> None:
    session = Session()
    first = session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries(tool, **given)
    session.tries("Bash", IN_USE, command="npm run dev")
    assert loops(session.read(tmp_path)) == [(first, 3)]


@pytest.mark.parametrize(
    "tool, given",
    [
        ("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}),
        ("Bash", {"command": "kill 4711"}),
        ("Bash", {"command": "npm install"}),
        ("Bash", {"command": "cat a > b"}),
        ("Bash", {"command": "ls && rm logs"}),
        ("Bash", {"command": "git branch -D old"}),
        ("Bash", {"command": "sed -i s/a/b/ c.py"}),
        ("Bash", {"command": "curl -X POST http://localhost/reset"}),
        ("mcp__db__migrate", {}),
        ("Task", {"prompt": "repair it"}),
    ],
)
def test_a_change_that_worked_ends_a_run(tmp_path: Path, tool: str, given: dict[str, Any]) -> None:
    session = Session()
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries(tool, **given)
    session.tries("Bash", IN_USE, command="npm run dev")
    assert session.read(tmp_path).signals == []


@pytest.mark.parametrize("message", ["", "both at once {}"])
def test_tests_that_fail_between_edits_are_no_loop(tmp_path: Path, message: str) -> None:
    session = Session()
    for count in range(4):
        test = session.calls("Bash", message=message.format(count), command="pytest -q")
        edit = session.calls("Edit", message=message.format(count), file_path="a.py", old_string=f"line {count}")
        session.answers(test, "1 failed", failed=True)
        session.answers(edit)
    assert session.read(tmp_path).signals == []


def test_a_look_that_worked_ends_a_run_of_looks_at_the_same(tmp_path: Path) -> None:
    session = Session()
    for error in ("refused", "refused", "", "refused", "refused"):
        session.tries("Bash", error, command="curl -s http://localhost/ping")
        session.tries("Read", "no such file" if error else "", file_path="a.py")
    assert session.read(tmp_path).signals == []


def test_what_an_agent_says_to_a_call_does_not_make_it_another(tmp_path: Path) -> None:
    session = Session()
    first, *_ = [
        session.tries("Agent", "overloaded", prompt="count the files", model="m", description=said)
        for said in ("Count", "Count again", "Once more")
    ]
    assert loops(session.read(tmp_path)) == [(first, 3)]


@pytest.mark.parametrize("said, counted", [("try again", 3), ("again!", 3), ("start redis on port 6380 first", 0)])
def test_guidance_ends_a_run_and_a_push_does_not(tmp_path: Path, said: str, counted: int) -> None:
    session = Session()
    for _ in range(3):
        session.tries("Bash", IN_USE, command="npm run dev")
        session.says(said)
    assert [count for _, count in loops(session.read(tmp_path))] == [counted] * bool(counted)


def test_a_refusal_ends_a_run_and_is_no_failure(tmp_path: Path) -> None:
    session = Session()
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    session.refuses(session.calls("Bash", command="npm run dev"), "not now")
    session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    assert loops(session.read(tmp_path)) == []


@pytest.mark.parametrize(
    "text", ["Permission to use Bash with command rm has been denied.", "Claude requested permissions"]
)
def test_what_a_rule_denies_is_no_failure(tmp_path: Path, text: str) -> None:
    session = Session()
    for _ in range(4):
        session.tries("Bash", text, command="rm a")
    assert session.read(tmp_path).signals == []


def test_calls_that_fail_at_once_are_one_try(tmp_path: Path) -> None:
    session = Session()
    firsts = []
    for turn in range(3):
        ids = [session.calls("Bash", message=f"m{turn}", command=f"curl http://host/{name}") for name in "abc"]
        for id in ids:
            session.answers(id, "could not resolve host", failed=True)
        firsts += ids
    assert loops(session.read(tmp_path)) == [(firsts[0], 3)]


def test_a_call_that_was_cancelled_for_another_neither_counts_nor_ends_a_run(tmp_path: Path) -> None:
    session = Session()
    cancelled = "<tool_use_error>Cancelled: parallel tool call Bash(du) errored</tool_use_error>"
    first = session.tries("Bash", "no", command="du -sh /var")
    for _ in range(2):
        session.tries("Bash", cancelled, command="du -sh /var")
        session.tries("Bash", "no", command="du -sh /var")
    assert loops(session.read(tmp_path)) == [(first, 3)]


def test_lines_that_are_written_again_count_once(tmp_path: Path) -> None:
    session = Session()
    session.says("start it")
    first = session.tries("Bash", IN_USE, command="npm run dev")
    session.tries("Bash", IN_USE, command="npm run dev")
    session.lines *= 2
    assert session.read(tmp_path).signals[1:] == []
    session.tries("Bash", IN_USE, command="npm run dev")
    assert loops(session.read(tmp_path)) == [(first, 3)]


def test_results_are_found_by_their_ids_and_not_by_their_order(tmp_path: Path) -> None:
    session = Session()
    for turn in range(3):
        good = session.calls("Read", message=f"m{turn}", file_path="a.py")
        bad = session.calls("Bash", message=f"m{turn}", command="make")
        session.answers(bad, "make: *** No rule", failed=True)
        session.answers(good)
    (loop,) = session.read(tmp_path).signals
    assert isinstance(loop, Loop)
    assert (loop.tool, loop.count) == ("Bash", 3)


def test_errors_in_the_output_of_what_worked_are_no_failures(tmp_path: Path) -> None:
    session = Session()
    for _ in range(4):
        session.answers(session.calls("Bash", command="tail log"), "ERROR: refused\nTraceback")
    assert session.read(tmp_path).signals == []


def test_a_sub_agent_is_not_looked_at(tmp_path: Path) -> None:
    session = Session()
    for _ in range(4):
        session.tries("Bash", IN_USE, command="npm run dev")
    session.lines = [line.replace('"isSidechain": false', '"isSidechain": true') for line in session.lines]
    assert session.read(tmp_path).signals == []


@pytest.mark.parametrize(
    "error, telling",
    [
        ("Exit code 1\n\nnpm warn old\nnpm error code ERESOLVE\nnpm error more", "npm error code ERESOLVE"),
        ("Traceback (most recent call last):\n  File error.py, line 3\nKeyError: 'sku'\n", "KeyError: 'sku'"),
        ("<tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
        ("Exit code 7\n", "Exit code 7"),
        ("one\ntwo", "two"),
        ("", "no message"),
        ("a\x1b[31merror\x1b[0m\tb", "a [31merror [0m b"),
        ("error " + "x" * 500, "error " + "x" * 193 + "…"),
    ],
)
def test_the_telling_line_of_an_error_is_told(tmp_path: Path, error: str, telling: str) -> None:
    session = Session()
    for _ in range(3):
        session.answers(session.calls("Bash", command="make"), error, failed=True)
    (loop,) = session.read(tmp_path).signals
    assert isinstance(loop, Loop)
    assert loop.error == telling
    assert len(loop.error) <= 200


def test_the_same_error_again_and_again_is_one_thing_whatever_was_tried(tmp_path: Path) -> None:
    session = Session()
    for tag in ("v1", "latest", "arm", "test"):
        session.tries("Bash", "ERROR: failed to solve: exec format error", command=f"docker build -t gw:{tag} {tag}")
    (loop,) = session.read(tmp_path).signals
    assert isinstance(loop, Loop)
    assert loop.count == 4


def test_an_error_that_tells_nothing_joins_nothing(tmp_path: Path) -> None:
    session = Session()
    for command in ("make docs", "git push", "npm audit"):
        session.tries("Bash", "Exit code 1", command=command)
    assert session.read(tmp_path).signals == []
