"""The line at the foot of an agent tells what is true, and gets into nobody's way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Program

SESSION = json.dumps({"session_id": "monday", "cwd": "/"}).encode()


def test_it_says_what_a_session_was_shown(program: Program) -> None:
    """As the hooks noted it."""
    program("remember", "The API listens on port 8080")
    asked = '{"session_id": "monday", "prompt_id": "1", "prompt": "Which port does the API listen on?"}'
    program.shell(f"echo '{asked}' | treering-hook UserPromptSubmit")
    assert program("statusline", stdin=SESSION).out == "1 shown\n"
    assert program("statusline", "--json", stdin=b"{}").json == {"shown": 0, "to_review": 0}


def test_it_says_what_waits_for_a_person(program: Program) -> None:
    """As `review` lists it."""
    program("remember", "The API listens on port 8080")
    program("remember", "The API listens on port 9090")
    waiting = sum(map(len, program("review", "list", "--json").json.values()))
    assert waiting and program("statusline", stdin=SESSION).out == f"{waiting} to review\n"


@pytest.mark.parametrize("told", [b"", b"no JSON", b"[]", b'{"session_id": 7}', b"\xff"])
def test_anything_may_come_in(program: Program, told: bytes) -> None:
    """An agent of another version says something else."""
    said = program("statusline", stdin=told)
    assert (said.code, said.out) == (0, "nothing shown\n")


def test_it_makes_no_store(program: Program, tmp_path: Path) -> None:
    """Looking leaves no trace."""
    program("--home", str(tmp_path / "none"), "statusline")
    assert not (tmp_path / "none").exists()
