"""The command that serves the memory to agents."""

from __future__ import annotations

import os
from functools import partial

from treering.cli.commands.serving import PORT
from treering.cli.parse import UsageError
from treering.cli.render import Answer
from treering.core.errors import MissingExtra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.mcp.server import Offer

SERVER_MEMORY = "server-memory"
LOCAL = "127.0.0.1"
MOST_PORT = 65_535
_CHANCE = 5  # bytes of a name: no two sessions have one


def mcp(call: Call) -> Answer:
    """Serve until the agent is gone. Standard output belongs to the protocol, so there is no answer."""
    _check(call)
    try:
        from treering.mcp.server import server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("treering"):
            raise
        raise MissingExtra("mcp, the official SDK of the server,", "mcp") from None
    from treering.mcp.worker import Worker

    offer = _offer(call)
    worker = Worker(partial(_open, call))
    worker.start()
    worker.opened.result()  # a store that cannot be opened is told now
    made = server(offer, worker, _root())
    try:
        if call["http"]:
            from treering.config import home_of
            from treering.mcp import http

            where = http.Address(call["host"].strip("[]") or LOCAL, call["port"], call["tls_cert"], call["tls_key"])
            http.serve(made, where, home_of(call["home"] or None, os.environ))
        else:
            from treering.mcp import stdio

            stdio.serve(made, worker)
    finally:
        worker.stop()
    return Answer((), lambda page: ())


def _check(call: Call) -> None:
    if call["compat"] not in ("", SERVER_MEMORY):
        raise UsageError(f"--compat knows {SERVER_MEMORY}, not {call['compat']!r}")
    if call["compat"] and call["tools"]:
        raise UsageError(f"--compat {SERVER_MEMORY} has its own nine tools: leave out --tools")
    if not call["compat"]:
        from treering.mcp.tools import chosen

        chosen(call["tools"])  # before anything slow
    if call["json"]:
        raise UsageError("standard output belongs to the protocol: leave out --json")
    given = [name for name in ("host", "tls_cert", "tls_key", "allow_remote") if call[name]]
    if not call["http"]:
        if given or call["port"] != PORT:
            raise UsageError(f"--{(given or ['port'])[0].replace('_', '-')} is for --http")
        return
    from treering.mcp.gate import is_loopback

    if bool(call["tls_cert"]) != bool(call["tls_key"]):
        raise UsageError("--tls-cert and --tls-key belong together")
    if call["port"] > MOST_PORT:
        raise UsageError(f"a port is a number up to {MOST_PORT}, not {call['port']}")
    if not (is_loopback(call["host"] or LOCAL) or call["tls_cert"] or call["allow_remote"]):
        raise UsageError(
            f"{call['host']} can be reached from other machines, and the token would cross the network as it is: give "
            "--tls-cert and --tls-key, or say --allow-remote if something else encrypts it"
        )


def _offer(call: Call) -> Offer:
    if call["compat"]:
        from treering.mcp.compat import compat_offer

        return compat_offer()
    from treering.mcp.server import memory_offer
    from treering.mcp.tools import chosen

    return memory_offer(chosen(call["tools"]))


def _open(call: Call) -> Treering:
    """The memory, seen from where the agent works. What it says is the agent's word."""
    from treering.wiring import open

    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    memory = open(call["home"] or None, space=call["space"], session=session, actor="agent")
    here = memory.context
    project = call["project"] or here.project or ("" if call["compat"] else ".")  # that server has one graph for all
    memory.context = here._replace(
        project=memory.project_of(_root()) if project == "." else project,
        # Over a pipe one agent is served, once: that is a session, whether it has a name or not.
        session=here.session or ("" if call["http"] else f"mcp-{os.urandom(_CHANCE).hex()}"),
    )
    return memory


def _root() -> str:
    """The folder that the agent works in."""
    return os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
