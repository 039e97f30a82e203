"""A server over a pipe: it ends with its agent, and several on one store are normal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from time import sleep

import pytest

import treering
from tests.surfaces.mcp.agents import LEGACY, MODERN, PATIENCE, START, environment, over_stdio
from treering.ledger.verify import verify
from treering.surfaces.cli import run

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
STORE = {"content": "What is asked for just before the end is stored"}
LAST = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "store_memory", "arguments": STORE}}


def server(home: Path, *words: str, command: tuple[str, ...] = (START,), **more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", *command, "mcp", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home, **more),
        cwd=home.parent,
    )


def test_it_ends_with_its_input_and_loses_nothing(tmp_path: Path) -> None:
    """What was asked before is done; standard output has messages and nothing else."""
    process = server(tmp_path / "home")
    lines = [HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, LAST]
    out, err = process.communicate("".join(json.dumps(line) + "\n" for line in lines).encode(), timeout=PATIENCE)
    assert process.returncode == 0, err
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    with treering.open(tmp_path / "home") as memory:
        (stored,) = memory.list()
        assert stored.content == STORE["content"] and stored.origin == "agent"


def test_it_ends_when_its_parent_dies(tmp_path: Path) -> None:
    """Though the pipe stays open, as another process has it."""
    parent = textwrap.dedent(f"""
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", {START!r}, "mcp"], stdin=0, stdout=1)
        print(child.pid, file=sys.stderr, flush=True)
        time.sleep(600)
    """)
    process = server(tmp_path / "home", command=(parent,))
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    child = int(process.stderr.readline())
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    process.kill()
    process.wait(PATIENCE)
    assert _gone(child)
    process.stdin.close()


def test_it_ends_when_it_is_told_to_or_nobody_listens(tmp_path: Path) -> None:
    """By Ctrl-C, by a signal, or when its input ends while its output is closed: quietly, and as it should."""
    ends = [server(tmp_path / "home") for _ in range(3)]
    for process in ends:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
    for process in ends:
        assert process.stdout is not None and json.loads(process.stdout.readline())["id"] == 1
    ends[0].send_signal(signal.SIGINT)
    ends[1].send_signal(signal.SIGTERM)
    assert ends[2].stdin is not None and ends[2].stdout is not None
    ends[2].stdout.close()
    ends[2].stdin.write(json.dumps(LAST).encode() + b"\n")
    ends[2].stdin.close()
    for process in ends:
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None and process.stderr.read() == b""


def test_four_at_once_work_on_one_store(tmp_path: Path) -> None:
    """Of either era: what one stores the others recall, and nothing is lost."""
    home, (first, second) = tmp_path / "home", (MODERN, LEGACY)
    with ExitStack() as stack:
        agents = [stack.enter_context(over_stdio(home, mode=mode)) for mode in (first, second, first, second)]

        def work(number: int) -> list[str]:
            made = [
                agents[number].call("store_memory", content=f"Locker {number}{at} belongs to the fire brigade")["id"]
                for at in range(10)
            ]
            assert agents[number].call("recall_memories", query=f"locker {number}5", unsure=True)["found"]
            return made

        with ThreadPoolExecutor(4) as pool:
            made = [id for ids in pool.map(work, range(4)) for id in ids]
        assert len({*made}) == 40
        for agent in agents:
            assert "Locker 39" in agent.call("recall_memories", query="locker 39", unsure=True)["memories"]
    with treering.open(home) as memory:
        assert len([*memory.list()]) == 40
        assert verify(memory.ledger.store).clean


def test_where_the_agent_works_is_its_project(tmp_path: Path) -> None:
    """By the folder that it names, and its session by the name that it gives."""
    folder = tmp_path / "garden"
    (folder / ".git").mkdir(parents=True)
    more = {"CLAUDE_PROJECT_DIR": str(folder), "CLAUDE_CODE_SESSION_ID": "tuesday"}
    with over_stdio(tmp_path / "home", more=more) as agent:
        made = agent.call("store_memory", content="Tomatoes are watered at six", scope="project")["id"]
        shared = agent.call("store_memory", content="Beans are watered at seven", scope="session")["id"]
    with over_stdio(tmp_path / "home", "--project", "orchard") as agent:
        assert "no memory" in agent.refused("get_memory", memory_id=made)
    with treering.open(tmp_path / "home") as memory:
        assert (memory.get(made).project, memory.get(made).session) == ("garden", "tuesday")
        assert memory.get(shared).session == "tuesday"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--tools", "store_memory,dance"), "there is no tool 'dance'"),
        (("--compat", "mem0"), "--compat knows server-memory"),
        (("--compat", "server-memory", "--tools", "all"), "leave out --tools"),
        (("--port", "99"), "--port is for --http"),
        (("--allow-remote",), "--allow-remote is for --http"),
        (("--http", "--host", "0.0.0.0"), "can be reached from other machines"),
        (("--http", "--host", "example.org"), "can be reached from other machines"),
        (("--http", "--host", "::"), "can be reached from other machines"),
        (("--http", "--tls-cert", "a.pem"), "belong together"),
        (("--http", "--port", "99999"), "a port is a number up to 65535"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    """With a line on standard error, and nothing on standard output."""
    assert run(["mcp", *words]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == "" and told in err and err.startswith("error: ")


def test_standard_output_is_not_for_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "standard output belongs to the protocol" in err


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    """On standard error; standard output is the wire."""
    blocked = f"import sys; sys.modules['mcp_types'] = None; sys.modules['mcp'] = None; {START}"
    process = server(tmp_path / "home", command=(blocked,))
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, b"")
    assert "pip install 'treering[mcp]'" in err.decode()


def test_a_store_that_cannot_be_opened_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    process = server(tmp_path / "home")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, b"") and "is not a folder" in err.decode()


def _gone(pid: int) -> bool:
    """Whether a process ends by itself; if not, it is ended."""
    for _ in range(int(PATIENCE / 0.1)):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    return False
