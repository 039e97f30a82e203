"""Offer tools, resources and prompts through the official SDK."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

import mcp_types as wire
import msgspec
from mcp.server.apps import client_supports_apps
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

import treering
from treering.ledger.errors import TreeringError
from treering.memory import Treering
from treering.surfaces.mcp.front import APPS, NAME, TITLE
from treering.surfaces.mcp.offer import Offer, said
from treering.surfaces.mcp.tools.nonces import Nonces
from treering.surfaces.mcp.tools.tool import Answer, Here, Tool, explain
from treering.surfaces.mcp.worker import Worker

T = TypeVar("T")
# For the context of a request: who asks the memory, and what a tool is given beside it.
Desk = Callable[[Any], tuple[Callable[[Callable[[Treering], Any]], "Future[Any]"], Here]]


def server(offer: Offer, worker: Worker, root: str) -> Server[Any]:
    """Return a server that hands every request to the worker."""
    nonces = Nonces()
    return server_for(offer, lambda ctx: (worker.ask, Here(root=root, nonces=nonces)))


def server_for(offer: Offer, desk: Desk) -> Server[Any]:
    """Return a server that hands each request to whoever has the memory that it is for."""
    handlers = _Handlers(offer, desk)
    made: Server[Any] = Server(
        NAME,
        version=treering.__version__,
        title=TITLE,
        instructions=offer.instructions,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources if offer.resources else None,
        on_list_resource_templates=handlers.list_templates if offer.resources else None,
        on_read_resource=handlers.read_resource if offer.resources else None,
        on_list_prompts=handlers.list_prompts if offer.prompts else None,
        on_get_prompt=handlers.get_prompt if offer.prompts else None,
    )
    made.extensions = {APPS: {}} if offer.app else {}
    made.middleware.clear()  # the SDK's telemetry: what an agent remembers is nobody else's business
    return made


class _Handlers:
    """The handlers of requests."""

    def __init__(self, offer: Offer, desk: Desk) -> None:
        self._offer = offer
        self._desk = desk
        told = said(offer)
        tools, more = ([wire.Tool(**one) for one in told[name]] for name in ("tools", "app"))
        self._listed = {False: tools, True: [*tools, *more]}
        self._lists = told["lists"]
        self._prompts = {prompt.name: prompt for prompt in offer.prompts}

    async def list_tools(self, ctx: Any, params: object) -> wire.ListToolsResult:
        return wire.ListToolsResult(tools=self._listed[client_supports_apps(ctx)])

    async def call_tool(self, ctx: Any, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        tools = {tool.name: tool for tool in self._offer.told(client_supports_apps(ctx))}
        tool = tools.get(params.name)
        if tool is None:
            return _failed(f"there is no tool {params.name[:80]!r} here: there is {', '.join(tools)}")
        try:
            answer = await self._done(ctx, partial(_call, tool, params.arguments or {}))
        except TreeringError as error:
            return _failed(explain(error))
        except Exception as error:  # noqa: BLE001  (the outer edge: a bug is told in a line, and the server goes on)
            return _failed(_bug(error))
        built = msgspec.to_builtins(answer)
        aside = {f"{NAME}/{name}": built.pop(name, None) for name in answer.ASIDE}
        text = wire.TextContent(text=self._offer.as_text(built))
        return wire.CallToolResult(content=[text], structured_content=built, _meta=aside or None)

    async def list_resources(self, ctx: object, params: object) -> wire.ListResourcesResult:
        return wire.ListResourcesResult.model_validate(self._lists["resources/list"])

    async def list_templates(self, ctx: object, params: object) -> wire.ListResourceTemplatesResult:
        return wire.ListResourceTemplatesResult.model_validate(self._lists["resources/templates/list"])

    async def read_resource(self, ctx: Any, params: wire.ReadResourceRequestParams) -> wire.ReadResourceResult:
        uri = str(params.uri)
        text, mime = await self._asked(ctx, lambda here: self._offer.read(here, uri))
        return wire.ReadResourceResult(contents=[wire.TextResourceContents(uri=uri, mime_type=mime, text=text)])

    async def list_prompts(self, ctx: object, params: object) -> wire.ListPromptsResult:
        return wire.ListPromptsResult.model_validate(self._lists["prompts/list"])

    async def get_prompt(self, ctx: object, params: wire.GetPromptRequestParams) -> wire.GetPromptResult:
        prompt = self._prompts.get(params.name)
        if prompt is None:
            raise MCPError(wire.INVALID_PARAMS, f"there is no prompt of that name: there is {', '.join(self._prompts)}")
        try:
            text = prompt.fill(params.arguments or {})
        except TreeringError as error:
            raise MCPError(wire.INVALID_PARAMS, explain(error)) from None
        message = wire.PromptMessage(role="user", content=wire.TextContent(text=text))
        return wire.GetPromptResult(description=prompt.description, messages=[message])

    async def _asked(self, ctx: Any, job: Callable[[Here], T]) -> T:
        """Do a job whose errors the protocol reports, as no model sees its answer."""
        try:
            return await self._done(ctx, job)
        except TreeringError as error:
            raise MCPError(wire.INVALID_PARAMS, explain(error)) from None
        except Exception as error:  # noqa: BLE001  (the outer edge)
            raise MCPError(wire.INTERNAL_ERROR, _bug(error)) from None

    async def _done(self, ctx: Any, job: Callable[[Here], T]) -> T:
        ask, here = self._desk(ctx)
        # Who hangs up has asked all the same: what is to be stored is stored.
        return await asyncio.shield(asyncio.wrap_future(ask(lambda memory: job(here._replace(memory=memory)))))


def _call(tool: Tool, arguments: dict[str, Any], here: Here) -> Answer:
    return tool(here, arguments)


def _failed(text: str) -> wire.CallToolResult:
    return wire.CallToolResult(content=[wire.TextContent(text=text)], is_error=True)


def _bug(error: Exception) -> str:
    traceback.print_exception(error, file=sys.stderr)
    return (
        f"this is a bug in Treering {treering.__version__} ({type(error).__name__}), and nobody knows whether it "
        "was done: go on without it and tell the user, the log of the server has more"
    )
