"""What is written runs: each entry is started as its agent would start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.install.test_scripts import FIND
from treering.surfaces.install import scripts
from treering.surfaces.install.entries import ours
from treering.surfaces.install.scripts import HOOK, TREERING, Started

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
FILES = {
    "claude-code": (".claude/settings.json", ".claude.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json"),
    "cursor": (".cursor/hooks.json", ".cursor/mcp.json"),
    "copilot": (".copilot/hooks/treering.json", ".copilot/mcp-config.json"),
}


@pytest.fixture(params=FILES)
def agent(request: pytest.FixtureRequest, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> str:
    """An agent that was given the programs which belong to this Python."""
    folder = Path(sys.executable).parent
    assert all((folder / name).is_file() for name in (TREERING, HOOK))
    monkeypatch.setattr(
        scripts, "programs", lambda user, environment, _: FIND(user, environment, Started("", sys.executable))
    )
    cli.fine("install", request.param)
    return str(request.param)


def environment(person: Path) -> dict[str, str]:
    """As poor as that of a program with windows."""
    return {"HOME": str(person), "PATH": os.defpath}


def test_every_hook_runs_and_is_content(agent: str, person: Path) -> None:
    """Whatever it says is JSON, and it never fails."""
    for event, _, entry in ours((person / FILES[agent][0]).read_text()):
        line: Any = [entry["command"], *entry["args"]] if "args" in entry else entry.get("command") or entry["bash"]
        payload = {"session_id": "s", "sessionId": "s", "conversation_id": "s", "hook_event_name": event, "cwd": "/"}
        done = subprocess.run(
            line,
            shell=isinstance(line, str),
            input=json.dumps({**payload, "prompt": "how do we run migrations"}),
            capture_output=True,
            text=True,
            env=environment(person),
            cwd=person / "work",
            timeout=300,
        )
        assert (done.returncode, done.stderr) == (0, ""), (event, done)
        assert not done.stdout.strip() or isinstance(json.loads(done.stdout), dict)


def test_the_server_answers(agent: str, person: Path) -> None:
    """It says who it is, and ends with its input."""
    text = (person / FILES[agent][1]).read_text()
    servers = tomllib.loads(text)["mcp_servers"] if agent == "codex" else json.loads(text)["mcpServers"]
    server = servers["treering"]
    done = subprocess.run(
        [server["command"], *server["args"]],
        input=json.dumps(HELLO) + "\n",
        capture_output=True,
        text=True,
        env=environment(person),
        cwd=person / "work",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "treering"
