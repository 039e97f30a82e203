"""How a conversation begins is answered before the SDK is there, and just as the SDK answers it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import anyio
import mcp_types
import pytest
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

import treering
from treering.surfaces.mcp.compat import compat_offer
from treering.surfaces.mcp.offer import (
    APPS,
    MODERN,
    Offer,
    client_of,
    discovery,
    greeting,
    listings,
    memory_offer,
    modern,
    shows_apps,
)
from treering.surfaces.mcp.server import server
from treering.surfaces.mcp.stdio import VERSIONS
from treering.surfaces.mcp.tools import chosen
from treering.surfaces.mcp.tools.review import MIME
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
SLOW = ("mcp", "mcp_types", "pydantic", "numpy", "apsw", "asyncio", "treering.memory", "treering.compose")


def test_the_versions_are_those_of_the_sdk() -> None:
    assert VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("offer", "client"), OFFERS.values(), ids=OFFERS)
def test_the_sdk_says_the_same(version: str, offer: Offer, client: dict[str, Any]) -> None:
    who = {"protocolVersion": version, "capabilities": client, "clientInfo": WHO}
    begun, *listed = anyio.run(_by_the_sdk, offer, "initialize", who, {})
    assert greeting(offer, version) == begun
    assert [*listings(offer, shows_apps(client)).values()] == listed


@pytest.mark.parametrize(("offer", "client"), OFFERS.values(), ids=OFFERS)
def test_the_sdk_says_the_same_without_a_handshake(offer: Offer, client: dict[str, Any]) -> None:
    meta = {"_meta": {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": client, f"{META}clientInfo": WHO}}
    assert client_of(meta) == client
    begun, *listed = anyio.run(_by_the_sdk, offer, "server/discover", meta, meta)
    assert discovery(offer) == begun
    assert [*map(modern, listings(offer, shows_apps(client)).values())] == listed


def test_nothing_slow_is_loaded_before() -> None:
    """Neither the SDK, nor the store, nor numpy: an agent does not wait for its tools."""
    program = (
        "import sys; from treering.surfaces.cli import serve; from treering.surfaces.mcp import stdio; "
        "from treering.surfaces.mcp.offer import greeting; "
        "offer = serve._offer({'compat': '', 'tools': 'all'}); "
        "greeting(offer, '2025-11-25'); [tool.listed for tool in offer.told(True)]; "
        f"print([name for name in {SLOW!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


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
        for number, name in enumerate(listings(offer, False), 2):
            await ask({"id": number, "method": name, "params": more})
            found.append(await answer())
        group.cancel_scope.cancel()
    return found
