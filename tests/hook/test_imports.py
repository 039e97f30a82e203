"""A hook is a new process at every event: what it imports is most of what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hook.driving import Agent, environment_of, known

# Each of them costs a fresh process more than all that the hook does.
DEAR = """re typing json dataclasses pathlib msgspec numpy datetime enum logging threading subprocess inspect asyncio
mcp anthropic""".split()
ENGINE = ("treering.api", "treering.ledger", "treering.guard", "treering.config", "treering.core.decide")
PROGRAM = """
import sys
from treering.hook import answer
out = answer([sys.argv[1]], {"TREERING_HOME": sys.argv[2]}, 1_795_000_000_000_000, 0)
print(out)
print(*sys.modules)
"""
FACT = "The staging database of the harbour is read-only after 18:00"


def imported(home: Path, event: str, payload: dict[str, Any]) -> tuple[str, set[str]]:
    """What a hook said, and every module that is loaded then. A site of this machine's has no say in it."""
    command = [sys.executable, "-I", "-S", "-c", PATHS + PROGRAM, event, str(home)]
    done = subprocess.run(
        command, input=json.dumps(payload).encode(), capture_output=True, env=environment_of(home), check=True
    )
    *said, modules = done.stdout.decode().splitlines()
    return "\n".join(said), {*modules.split()}


PATHS = f"import sys; sys.path[:] = {sys.path!r}\n"


EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "is the staging database of the harbour writable at 19:00?"},
    "PostToolUseFailure": {
        "tool_name": "Bash",
        "tool_input": {"command": "psql harbour staging"},
        "error": "Exit code 1\nERROR: the staging database of the harbour is in read only mode",
    },
}


@pytest.mark.parametrize("event", EVENTS)
def test_what_answers_imports_next_to_nothing(event: str, home: Path, agent: Agent) -> None:
    known(home, FACT)
    said, modules = imported(home, event, agent.payload(event, **EVENTS[event]))
    assert FACT in said and "apsw" in modules
    assert modules & {*DEAR} == set()
    assert modules & {*ENGINE} == set()


@pytest.mark.parametrize("event", ["PostToolUse", "Stop", "SubagentStop", "SessionEnd", "PostCompact"])
def test_what_only_leaves_a_letter_imports_no_more(event: str, home: Path, agent: Agent) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "last_assistant_message": "done", "reason": "other"}
    said, modules = imported(home, event, agent.payload(event, **given))
    assert said == "" and modules & {*DEAR, *ENGINE} == set()
