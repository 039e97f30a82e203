"""Hooks of a team's member never wait for the network: they queue and look here, and maintenance sends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from tests import postgres
from tests.surfaces.hook.driving import START, alone, context_in, repository
from treering.stores.files import FILE_NAME

pytestmark = postgres.needed

PLAIN = "Deploys of the shop happen on Tuesdays, after the nightly backup"
OWN = "My shingles medication makes me drowsy until noon"
KEPT = "The acquisition of Marlowe Cartography closes in June"


@pytest.fixture
def blackhole() -> Iterator[socket.socket]:
    """A server that takes connections and says nothing, ever."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def hook(folder: Path, event: str, store: str, space: str, **fields: object) -> str:
    """Return what a hook of Anna's machine tells her agent. It is a process of its own."""
    payload = {"session_id": "s1", "transcript_path": "", "cwd": str(folder), "hook_event_name": event, **fields}
    environment = {**os.environ, "TREERING_STORE": store, "TREERING_SPACE": space, "TREERING_PERSON": "anna"}
    done = subprocess.run(
        [sys.executable, "-c", START, event], input=json.dumps(payload), capture_output=True, text=True,
        env=environment, timeout=300, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return context_in(done.stdout)


def session(folder: Path, store: str, space: str, prompt: str) -> list[str]:
    told = [hook(folder, "SessionStart", store, space, source="startup")]
    told.append(hook(folder, "UserPromptSubmit", store, space, prompt=prompt, prompt_id="p1"))
    failed = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1", "error": "no rule"}
    told.append(hook(folder, "PostToolUseFailure", store, space, **failed))
    told.append(hook(folder, "Stop", store, space, last_assistant_message="Done.", stop_hook_active=False))
    told.append(hook(folder, "SessionEnd", store, space, reason="other"))
    return told


def test_a_member_works_without_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blackhole: socket.socket
) -> None:
    """No hook so much as asks for the server. When it is there again, maintenance sends what waited, once, and brings
    the copy up to date: with the team's part and her own, and not a byte of what is another's."""
    home, folder = alone(tmp_path, monkeypatch), repository(tmp_path / "shop")
    away = f"postgresql://treering@127.0.0.1:{blackhole.getsockname()[1]}/team"
    there, space = postgres.server().address, postgres.server().new_space()
    said = "Remember that the staging cluster of the shop lives in Frankfurt"
    assert session(folder, away, space, said) == [""] * 5
    with treering.open(tmp_path / "bob", store=there, space=f"bob@{space}", project="shop", actor="user") as bob:
        bob.remember(PLAIN, scope="project")
        bob.remember(OWN, scope="user")
        bob.remember(KEPT, scope="project", private=True)

    monkeypatch.setenv("TREERING_STORE", there)
    monkeypatch.setenv("TREERING_SPACE", space)
    monkeypatch.setenv("TREERING_PERSON", "anna")
    for _ in range(2):
        with treering.open(home, actor="hook") as anna:
            anna.maintenance.run(seconds=300)
            found = [one for one in anna.list() if "Frankfurt" in one.content]
            assert [anna.history(one.id)[0].actor for one in found] == ["hook:anna"]

    told = "".join(session(folder, away, space, "When do deploys of the shop happen, on which days?"))
    assert "Tuesdays" in told and "Frankfurt" in told
    assert not any(word in told for word in ("shingles", "Marlowe"))
    kept = b"".join(one.read_bytes() for one in home.iterdir() if one.name.startswith(FILE_NAME))
    assert b"Tuesdays" in kept and not any(word in kept for word in (b"shingles", b"drowsy", b"Marlowe"))
    with pytest.raises(BlockingIOError):
        blackhole.accept()
