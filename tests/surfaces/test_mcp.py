"""What an MCP server offers keeps its names: tools with their arguments and answers, resources, prompts."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.ledger.frozen import copied
from tests.surfaces.shapes import gone, snapshot

KNOWN: dict[str, Any] = snapshot("mcp")
WORDS = {"default": (), "all": ("--tools", "all"), "server-memory": ("--compat", "server-memory")}


def offered(home: Path, *words: str) -> dict[str, Any]:
    """Return what a server lists, without what it says about it."""
    environment = {**os.environ, "HOME": str(home.parent), "TREERING_HOME": str(home)}
    arguments = ["-m", "treering", "mcp", "--project", "shop", *words]
    command = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=home.parent)
    client = Client(stdio_client(command))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        able = client.server_capabilities
        return {
            "tools": {tool.name: _tool(tool) for tool in portal.call(client.list_tools).tools},
            "prompts": {
                prompt.name: sorted(argument.name for argument in prompt.arguments or ())
                for prompt in (portal.call(client.list_prompts).prompts if able.prompts else ())
            },
            "resources": sorted(str(one.uri) for one in portal.call(client.list_resources).resources)
            if able.resources
            else [],
            "templates": sorted(
                one.uri_template for one in portal.call(client.list_resource_templates).resource_templates
            )
            if able.resources
            else [],
        }


def _tool(tool: Any) -> dict[str, list[str]]:
    answer = tool.output_schema or {}
    return {
        "takes": sorted(tool.input_schema.get("properties", {})),
        "requires": sorted(tool.input_schema.get("required", [])),
        "answers": sorted(answer.get("properties", {})),
    }


@pytest.mark.parametrize("which", WORDS)
def test_what_was_offered_is_offered(which: str, tmp_path: Path) -> None:
    """More tools and arguments may come, none goes, and no argument is required that was not."""
    known, now = KNOWN[which], offered(copied(tmp_path), *WORDS[which])
    for kind in ("tools", "prompts", "resources", "templates"):
        assert gone(known[kind], now[kind]) == [], kind
    for name, tool in known["tools"].items():
        assert gone(tool["takes"], now["tools"][name]["takes"]) == [], name
        assert gone(tool["answers"], now["tools"][name]["answers"]) == [], name
        assert gone(now["tools"][name]["requires"], tool["requires"]) == [], name
    for name, arguments in known["prompts"].items():
        assert gone(arguments, now["prompts"][name]) == [], name
