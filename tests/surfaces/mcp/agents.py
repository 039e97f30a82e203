"""Agents that speak with the server through the official client, in either era, over either way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.extension import advertise
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.types import CallToolResult, TextContent

START = "from treering.surfaces.cli import main; main()"
MODERN, LEGACY = "auto", "legacy"
PATIENCE = 60.0  # seconds


class Agent:
    """A client that is called from a test as if it were a function."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self.client = client

    def ask(self, name: str, *given: Any) -> Any:
        """Call a method of the client."""
        return self._portal.call(getattr(self.client, name), *given)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers that does its work."""
        result = self.result(tool, arguments)
        assert not result.is_error, text_of(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def refused(self, tool: str, **arguments: Any) -> str:
        """What a tool says that does not."""
        result = self.result(tool, arguments)
        assert result.is_error and result.structured_content is None
        return text_of(result)

    def result(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        found = self.ask("call_tool", tool, arguments)
        assert isinstance(found, CallToolResult)
        return found


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def environment(home: Path, **more: str) -> dict[str, str]:
    """That of an agent who has no other memory than this one."""
    known = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    person = {"HOME": str(home.parent / "person"), "TREERING_HOME": str(home), "TREERING_SWAP": "0"}
    return {**known, **person, **more}


@contextmanager
def over_stdio(
    home: Path,
    *words: str,
    mode: str = MODERN,
    folder: Path | None = None,
    more: Mapping[str, str] | None = None,
    apps: bool = False,
) -> Iterator[Agent]:
    """An agent with a server of its own, whose client may show apps."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", START, "mcp", *words],
        env=environment(home, **(more or {})),
        cwd=folder or home.parent,
    )
    with start_blocking_portal() as portal:
        shown = [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})] if apps else None
        client = Client(stdio_client(command), mode=mode, extensions=shown)
        with portal.wrap_async_context_manager(client):
            yield Agent(portal, client)


@contextmanager
def over_http(url: str, token: str, mode: str = MODERN) -> Iterator[Agent]:
    """An agent on a server that others use, too."""
    with start_blocking_portal() as portal:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)
        client = Client(streamable_http_client(url, http_client=http), mode=mode)
        with portal.wrap_async_context_manager(client):
            yield Agent(portal, client)


class Served:
    """A server over HTTP."""

    def __init__(self, url: str, token: str, process: subprocess.Popen[str], told: str) -> None:
        self.url = url
        self.token = token
        self.process = process
        self.told = told  # to whoever started it

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2].partition("/")[0])


@contextmanager
def served(home: Path, *words: str, folder: Path | None = None) -> Iterator[Served]:
    """A server on a port of its own choice, until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, "mcp", "--http", "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
        cwd=folder or home.parent,
    )
    assert process.stderr is not None and process.stdout is not None
    told = process.stderr.readline()
    try:
        assert told.startswith("serving at "), told + process.stderr.read()
        url = told.split()[2].rstrip(";")
        yield Served(url, (home / "mcp-token").read_text().strip(), process, told)
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=PATIENCE)
    assert out == "" and process.returncode == 0
