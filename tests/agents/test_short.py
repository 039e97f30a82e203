"""The short part of `make agents` that every run of the tests has: the real Claude Code, with a scripted model."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.agents import packages

AGENT = "claude-code"
CHECKS = ("told → next session", "uninstall exact")
FETCH = 90  # seconds for npm; without a network it would go on trying
SECONDS = 240  # for all of it on a busy machine; it takes about ten


def test_claude_code_is_told_in_one_session_what_was_said_in_the_one_before() -> None:
    """Installed, told, shown in the next session, and taken out to the byte."""
    if problem := packages.missing():
        pytest.skip(f"the real agents cannot run here: {problem}")
    if problem := packages.install([AGENT], FETCH).get(AGENT, ""):
        pytest.skip(problem)
    words = [part for check in CHECKS for part in ("--only", check)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.agents", AGENT, "--json", *words],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    rows = json.loads(done.stdout.splitlines()[-1])
    assert [(row["check"], row["wrong"]) for row in rows] == [("install", ""), *((check, "") for check in CHECKS)]
