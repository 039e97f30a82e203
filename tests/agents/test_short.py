"""The short part of `make agents` that every run of the tests has: the real Claude Code, with a scripted model.

It fails only if what it sees is wrong twice. Where there is no npm, npm is slow, or the machine is, it is skipped.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.agents import packages

AGENT = "claude-code"
CHECKS = ("told → next session", "uninstall exact")
FETCH = 40  # seconds for npm; without a network it would go on trying
SECONDS = 50  # for one attempt, which takes about ten
ATTEMPTS = 2  # a hook that takes five seconds is ended by the agent, as on a machine that is very busy
_STUCK = 200  # seconds after which something is wrong with the checks themselves


def test_claude_code_is_told_in_one_session_what_was_said_in_the_one_before() -> None:
    """Installed, told, shown in the next session, and taken out to the byte."""
    if problem := packages.missing():
        pytest.skip(f"the real agents cannot run here: {problem}")
    if problem := packages.install([AGENT], FETCH).get(AGENT, ""):
        pytest.skip(problem)
    seen = []
    for _ in range(ATTEMPTS):
        rows = _rows()
        if any(row["late"] for row in rows):
            pytest.skip(f"this machine is too busy: no {SECONDS} s were enough")
        seen.append([(row["check"], row["wrong"]) for row in rows if row["wrong"]])
        assert [row["check"] for row in rows] == ["install", *CHECKS]
        if not seen[-1]:
            return
    pytest.fail(f"wrong each time: {seen}")


def _rows() -> list[dict[str, Any]]:
    words = [part for check in CHECKS for part in ("--only", check)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.agents", AGENT, "--json", "--seconds", str(SECONDS), *words],
        capture_output=True,
        text=True,
        timeout=_STUCK,
        check=False,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found
