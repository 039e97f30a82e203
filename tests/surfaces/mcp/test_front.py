"""How a conversation begins is answered before the SDK is there, and just as the SDK answers it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types
import pytest
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

import treering
from tests.surfaces.mcp.agents import START, environment
from treering.surfaces.cli.reference import offered
from treering.surfaces.mcp import front
from treering.surfaces.mcp.compat import compat_offer
from treering.surfaces.mcp.front import (
    APPS,
    MIME,
    MODERN,
    OFFERED,
    VERSIONS,
    client_of,
    discovery,
    greeting,
    lists,
    modern,
    shows_apps,
)
from treering.surfaces.mcp.offer import Offer, memory_offer, said
from treering.surfaces.mcp.server import server
from treering.surfaces.mcp.tools import chosen
from treering.surfaces.mcp.worker import Worker

WHO = {"name": "test", "version": "1"}
META = "io.modelcontextprotocol/"
SHOWS = {"extensions": {APPS: {"mimeTypes": [MIME]}}}
OFFERS: dict[str, tuple[Offer, dict[str, Any]]] = {
    "default": (memory_offer(chosen("")), {}),
    "all": (memory_offer(chosen("all")), {}),
    "apps": (memory_offer(chosen("")), SHOWS),
    "compat": (compat_offer(), {}),
}
SLOW = frozenset("mcp mcp_types pydantic numpy apsw asyncio click msgspec json typing inspect dataclasses".split())
OURS = frozenset(  # all that is loaded of ours
    """treering treering.surfaces treering.surfaces.cli treering.ledger treering.ledger.errors treering.surfaces.mcp
    treering.surfaces.mcp.front treering.text treering.text.json""".split()
)
HELLO = {"protocolVersion": VERSIONS[0], "capabilities": {}, "clientInfo": WHO}


def test_what_is_said_is_written_down() -> None:
    """`make docs` writes it anew."""
    assert Path(OFFERED).read_text(encoding="utf-8") == offered()
    assert {*json.loads(offered())} == {*front.OFFERS}


def test_the_versions_are_those_of_the_sdk() -> None:
    assert VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("offer", "client"), OFFERS.values(), ids=OFFERS)
def test_the_sdk_says_the_same(version: str, offer: Offer, client: dict[str, Any]) -> None:
    who = {"protocolVersion": version, "capabilities": client, "clientInfo": WHO}
    begun, *listed = anyio.run(_by_the_sdk, offer, "initialize", who, {})
    assert greeting(said(offer), version) == begun
    assert [*lists(said(offer), shows_apps(client)).values(), {}] == listed


@pytest.mark.parametrize(("offer", "client"), OFFERS.values(), ids=OFFERS)
def test_the_sdk_says_the_same_without_a_handshake(offer: Offer, client: dict[str, Any]) -> None:
    meta = {"_meta": {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": client, f"{META}clientInfo": WHO}}
    assert client_of(meta) == client
    begun, *listed = anyio.run(_by_the_sdk, offer, "server/discover", meta, meta)
    assert discovery(said(offer)) == begun
    assert [*map(modern, lists(said(offer), shows_apps(client)).values())] == listed


def test_nothing_slow_is_loaded_before(tmp_path: Path) -> None:
    """Neither the SDK, nor the store, nor the command line: an agent does not wait for its tools."""
    with _begun(tmp_path, "-X", "importtime") as ask:
        assert ask("initialize", **HELLO)["result"]["serverInfo"]["name"] == "treering"
        for name in ("ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list"):
            assert ask(name)["result"] is not None
    lines = (tmp_path / "stderr").read_text().splitlines()
    loaded = {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}
    assert "treering.surfaces.mcp.front" in loaded and not loaded & SLOW
    assert {name for name in loaded if name.startswith("treering")} <= OURS


@pytest.mark.parametrize("line", ["{", "[]", "7", '{"id": [1], "method": "ping"}', '{"id": 0, "method": "tools/list"}'])
def test_what_begins_no_conversation_is_for_the_sdk(tmp_path: Path, line: str) -> None:
    """It answers with an error or not at all, and whoever begins after that is served."""
    with _begun(tmp_path) as ask:
        ask.send(line)
        assert ask("initialize", **HELLO)["result"]["protocolVersion"] == VERSIONS[0]


def test_each_request_is_answered_once(tmp_path: Path) -> None:
    """Also while the SDK is being loaded, and by a name for its progress; what else it is asked, the SDK answers."""
    with _begun(tmp_path) as ask:
        ask("initialize", **HELLO)
        ask.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        first = ask("tools/list", _meta={"progressToken": 3})
        assert first == ask("tools/list", cursor="")  # not known to the front
        called = ask("tools/call", name="recall_memories", arguments={"query": "a port"})
        assert called["result"]["structuredContent"]["found"] == 0
        assert ask("ping")["result"] == {}


class _Client:
    """A server, and what is said to it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process, self._id = process, 0

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the answer to a request, without its id."""
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while (found := self._heard()).pop("id", None) != self._id:
            assert "error" in found
        return found

    def send(self, message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self._process.stdin.flush()

    def _heard(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found


@contextmanager
def _begun(path: Path, *options: str) -> Iterator[_Client]:
    """Yield a server in a Python of its own, but for the `site` of this machine, which may load anything."""
    patient = f"import sys; sys.path[:] = {sys.path!r}\nfrom treering.surfaces.mcp import front; front._QUIET = 600"
    words = [sys.executable, "-I", "-S", *options, "-c", f"{patient}\n{START}", "mcp", "--tools", "all"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with (
        (path / "stderr").open("wb") as stderr,
        subprocess.Popen(words, text=True, cwd=path, env=environment(path / "home"), stderr=stderr, **pipes) as process,
    ):
        try:
            yield _Client(process)
        finally:
            process.kill()


async def _by_the_sdk(offer: Offer, method: str, params: dict[str, Any], more: dict[str, Any]) -> list[Any]:
    """What the SDK answers to what begins a conversation, and to each request for a list."""
    made = server(offer, Worker(treering.open), ".")
    to_server, incoming = create_context_streams[SessionMessage | Exception](1)
    outgoing, from_server = create_context_streams[SessionMessage](1)

    async def ask(message: dict[str, Any]) -> None:
        read = mcp_types.jsonrpc_message_adapter.validate_json(json.dumps({"jsonrpc": "2.0", **message}), by_name=False)
        await to_server.send(SessionMessage(read))

    async def answer() -> Any:
        found = await from_server.receive()
        return json.loads(found.message.model_dump_json(by_alias=True, exclude_unset=True))["result"]

    async with anyio.create_task_group() as group:
        group.start_soon(made.run, incoming, outgoing, made.create_initialization_options())
        await ask({"id": 1, "method": method, "params": params})
        found = [await answer()]
        if method == "initialize":
            await ask({"method": "notifications/initialized"})
        for number, name in enumerate([*lists(said(offer), False), *(["ping"] if method == "initialize" else [])], 2):
            await ask({"id": number, "method": name, "params": more})
            found.append(await answer())
        group.cancel_scope.cancel()
    return found
