"""A hook is a new process at every event: what it imports is most of what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.surfaces.hook.driving import START, Agent, environment_of, known
from treering.stores.port.queue import TEXTS
from treering.surfaces.hook.agents import AGENTS, parse
from treering.text.secrets import suspicious

FACT = "The staging database of the harbour is read-only after 18:00"
PAYLOADS = Path(__file__).parent / "payloads"
GUARD = "treering.text.redact"  # redacts secrets: loaded when a text may hold one
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


class Ran(NamedTuple):
    """The reply of a hook, and every module that it loaded."""

    reply: str
    modules: set[str]


def contract() -> dict[str, Any]:
    """Return the contract of pyproject.toml that names the modules a hook may load."""
    path = next(folder / "pyproject.toml" for folder in Path(__file__).parents if (folder / "pyproject.toml").exists())
    contracts = tomllib.loads(path.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (found,) = (one for one in contracts if one["name"] == "the hook's corridor")
    return dict(found)


CORRIDOR = frozenset(contract()["source_modules"])
DEAR = frozenset(name for name in contract()["forbidden_modules"] if not name.startswith("treering."))


def run(home: Path, event: str, payload: object, agent: str = "claude-code") -> Ran:
    """Run a hook as an agent does, but for the `site` of this machine, which may load anything."""
    command = [sys.executable, "-I", "-S", "-X", "importtime", "-c", PATHS + START, event, "--agent", agent]
    done = subprocess.run(
        command, input=json.dumps(payload).encode(), capture_output=True, env=environment_of(home), check=True
    )
    lines = [line.rpartition("|") for line in done.stderr.decode().splitlines()]
    assert all(before.startswith("import time:") for before, _, _ in lines)
    return Ran(done.stdout.decode(), {module.strip() for _, _, module in lines})


def outside(modules: set[str]) -> list[str]:
    """Return what a hook loaded and should not have: modules beside the corridor, and dear ones."""
    ours = {name for name in modules if name.partition(".")[0] == "treering"}
    return sorted((modules & DEAR) | {name for name in ours if not within(name, CORRIDOR) and not leads(name)})


def may_hold_secret(agent: str, case: dict[str, Any]) -> bool:
    event = parse(case["event"], case["payload"], agent, {})
    return event is not None and any(suspicious(getattr(event, name)) for name in TEXTS)


def within(module: str, packages: frozenset[str]) -> bool:
    return any(module == one or module.startswith(one + ".") for one in packages)


def leads(module: str) -> bool:
    """Tell whether a module is a package on the way to one of the corridor."""
    return any(one.startswith(module + ".") for one in CORRIDOR)


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_that_replies_stays_in_its_corridor(event: str, home: Path, agent: Agent) -> None:
    known(home, FACT)
    ran = run(home, event, agent.payload(event, **EVENTS[event]))
    assert FACT in ran.reply and "apsw" in ran.modules
    assert outside(ran.modules) == []


@pytest.mark.parametrize("prompt", ["which port does the harbour use?", "Remember that the harbour uses port 7777."])
def test_what_waits_of_another_session_loads_no_model(prompt: str, home: Path, agent: Agent) -> None:
    """What somebody asked to be kept is found by a rule; a prompt that asks for nothing does not even load that."""
    known(home, FACT)
    run(home, "UserPromptSubmit", {**agent.payload("UserPromptSubmit", prompt=prompt), "session_id": "another"})
    ran = run(home, "UserPromptSubmit", agent.payload("UserPromptSubmit", **EVENTS["UserPromptSubmit"]))
    assert not ran.modules & {"numpy", "treering.judge", "treering.capture"}
    assert ("treering.text.wishes" in ran.modules) == ("7777" in prompt)
    assert prompt.startswith("Remember") or outside(ran.modules) == []


@pytest.mark.parametrize("agent", AGENTS)
def test_every_event_of_every_agent_stays_in_the_corridor(agent: str, home: Path) -> None:
    """And the contract names no module that no hook loads."""
    known(home, FACT)
    loaded: set[str] = set()
    for case in json.loads((PAYLOADS / f"{agent}.json").read_text(encoding="utf-8"))["cases"]:
        ran = run(home, case["event"], case["payload"], agent)
        loaded |= ran.modules
        if GUARD in ran.modules:
            assert may_hold_secret(agent, case), case["event"]
        else:
            assert outside(ran.modules) == [], case["event"]
    assert CORRIDOR - loaded == set()
