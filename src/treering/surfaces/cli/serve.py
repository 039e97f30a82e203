"""The commands that serve the memory: to agents, and to a person in a browser."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.errors import MissingExtra
from treering.surfaces.cli.app import AGENTS, EVERYDAY, ROOT, SHARED, command, flag, number, option, shared
from treering.surfaces.cli.complete import PROJECT
from treering.surfaces.cli.render import Answer

if TYPE_CHECKING:
    from treering.memory import Treering
    from treering.surfaces.mcp.offer import Offer

PORT = 8_765
SERVER_MEMORY = "server-memory"
LOCAL = "127.0.0.1"
MOST_PORT = 65_535
ACCEPTED = "accepted"  # the folder in the home where a team's server writes what a reviewer accepts
_CHANCE = 5  # bytes of a name: no two sessions have one


@command(
    ROOT,
    "mcp",
    section=AGENTS,
    examples=("treering mcp", "treering mcp --tools all", "treering mcp --http --port 8765"),
    opens=False,
    past=False,
)
@option("--tools", about="all, or names with commas between them", metavar="NAMES")
@option("--project", about="the project to stand in; . or nothing for that of the working folder", type=PROJECT)
@option("--compat", about="server-memory: its nine tools instead, on this store", metavar="NAME")
@flag("--http", "serve over HTTP, at /mcp")
@option("--host", about="with --http: the address to listen at (127.0.0.1)", metavar="ADDRESS")
@number("--port", "with --http: the port to listen at", PORT)
@option("--tls-cert", about="with --http: the certificate, for an address that others reach", metavar="FILE")
@option("--tls-key", about="with --http: its key", metavar="FILE")
@flag("--allow-remote", "with --http: listen beyond this machine, without TLS if none is given")
def mcp(**call: Any) -> Answer:
    """Serve the memory to an agent, as an MCP server.

    Over standard input and output, until the agent ends. Offers a few tools for every day; --tools all adds those that
    improve the memory. No tool accepts, promotes, purges or undoes anything: that is for a person. With --http it
    serves several agents on this machine, each of which needs the token in the file mcp-token in the home of the store.
    Needs the extra: pip install 'treering[mcp]'.
    """
    call |= shared()
    _check(call)
    from treering.surfaces.mcp.front import has_sdk

    if not has_sdk():
        raise MissingExtra("mcp, the official SDK of the server,", "mcp")
    from treering.surfaces.mcp.worker import Worker

    offer = _offer(call)
    worker = Worker(partial(_open, call))
    try:
        if call["http"]:
            from treering.ledger.config import home_of
            from treering.surfaces.mcp import http

            where = http.Address(call["host"].strip("[]") or LOCAL, call["port"], call["tls_cert"], call["tls_key"])
            http.serve(offer, worker, _root(), where, home_of(call["home"] or None, os.environ))
        else:
            from treering.surfaces.mcp.stdio import serve

            serve(offer, worker, _root())
    finally:
        worker.stop()
    return Answer((), lambda page: ())


@command(ROOT, "ui", section=EVERYDAY, examples=("treering ui", "treering ui --port 8800 --no-browser"), opens=False)
@number("--port", "the port to listen at; 0 for a free one", 0)
@flag("--no-browser", "only print the address")
def ui(port: int, no_browser: bool) -> Answer:
    """Open a dashboard on the memory, in your browser.

    What your agents were told and why, what waits for you, what happened: to look at, and to correct. Prints one line,
    an address that is good for one visit, and opens it. Only this machine can reach it, and only who has that line.
    Ends by Ctrl-C, or after ten minutes in which nobody looked at it. Needs the extra: pip install 'treering[ui]'.
    """
    given = shared()
    if given["json"]:
        raise click.UsageError("a page is for a person: leave out --json; each page has its own address in JSON")
    if given["as_of"]:
        raise click.UsageError("the pages have a date of their own: leave out --as-of")
    if port > MOST_PORT:
        raise click.UsageError(f"a port is a number up to {MOST_PORT}, not {port}")
    try:
        from treering.surfaces.ui.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("treering"):
            raise
        raise MissingExtra("starlette, uvicorn and jinja2, which the dashboard is made with,", "ui") from None
    from treering.compose import open
    from treering.ledger.config import home_of

    opening = partial(open, given["home"] or None, store=given["store"], space=given["space"], actor="user")
    serve(opening, os.getcwd(), home_of(given["home"] or None, os.environ), port, not no_browser)
    return Answer((), lambda page: ())


@command(
    ROOT,
    "serve",
    section=SHARED,
    examples=("treering serve", "treering serve --port 8800 --url https://memory.example.org"),
    opens=False,
    past=False,
)
@option("--host", about="the address to listen at (127.0.0.1)", metavar="ADDRESS")
@number("--port", "the port to listen at; 0 for a free one", PORT)
@option("--url", about="the address that people know, where a proxy stands before it", metavar="ADDRESS")
@option("--tls-cert", about="the certificate, if there is no proxy", metavar="FILE")
@option("--tls-key", about="its key", metavar="FILE")
@option("--tools", about="for agents: all, or names with commas between them", metavar="NAMES")
def serve(**call: Any) -> Answer:
    """Serve a team: agents by MCP at /mcp, people by the dashboard, each with a token of their own.

    `treering token add NAME` makes one. Whoever shows it sees what is the team's and what is theirs, and may do what
    their role says. Listens on this machine alone unless --host says otherwise; a proxy before it brings TLS, and
    --url says by which name. Needs the extras: pip install 'treering[mcp,ui]'.
    """
    call |= shared()
    _check_served(call)
    try:
        from treering.surfaces.team import server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("treering"):
            raise
        raise MissingExtra("what the server is made with", "mcp,ui") from None
    from treering.compose import open, open_for
    from treering.ledger.config import home_of, load
    from treering.ledger.types import person_in
    from treering.surfaces.mcp.http import Address
    from treering.surfaces.mcp.offer import memory_offer
    from treering.surfaces.mcp.tools import chosen

    home = home_of(call["home"] or None, os.environ)
    space = call["space"] or load(home, os.environ).space
    if person_in(space):
        raise click.UsageError(f"a server is nobody's: unset the person {person_in(space)} where it runs")
    root = os.path.join(home, ACCEPTED)
    os.makedirs(root, mode=0o700, exist_ok=True)
    given = {"store": call["store"], "space": space}
    server.serve(
        memory_offer(chosen(call["tools"])),
        partial(open_for, home=home, **given),
        partial(open, home, actor="system", **given),
        Address(call["host"].strip("[]") or LOCAL, call["port"], call["tls_cert"], call["tls_key"]),
        call["url"].rstrip("/"),
        root,
    )
    return Answer((), lambda page: ())


def _check_served(call: dict[str, Any]) -> None:
    from treering.surfaces.mcp.gate import is_loopback
    from treering.surfaces.mcp.tools import chosen

    chosen(call["tools"])
    if call["json"]:
        raise click.UsageError("a server answers nobody here: leave out --json")
    if bool(call["tls_cert"]) != bool(call["tls_key"]):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    if call["port"] > MOST_PORT:
        raise click.UsageError(f"a port is a number up to {MOST_PORT}, not {call['port']}")
    scheme, _, host = call["url"].rstrip("/").partition("://")
    if call["url"] and (scheme not in ("http", "https") or not host or "/" in host):
        raise click.UsageError(f"--url is an address like https://memory.example.org, not {call['url']}")
    if not is_loopback(call["host"] or LOCAL) and not (call["tls_cert"] or scheme == "https"):
        raise click.UsageError(
            f"{call['host']} can be reached from other machines, and tokens would cross the network as they are: give "
            "--tls-cert and --tls-key, or the --url of the proxy that encrypts"
        )


def _check(call: dict[str, Any]) -> None:
    if call["compat"] not in ("", SERVER_MEMORY):
        raise click.UsageError(f"--compat knows {SERVER_MEMORY}, not {call['compat']!r}")
    if call["compat"] and call["tools"]:
        raise click.UsageError(f"--compat {SERVER_MEMORY} has its own nine tools: leave out --tools")
    if not call["compat"]:
        from treering.surfaces.mcp.tools import chosen

        chosen(call["tools"])  # before anything slow
    if call["json"]:
        raise click.UsageError("standard output belongs to the protocol: leave out --json")
    given = [name for name in ("host", "tls_cert", "tls_key", "allow_remote") if call[name]]
    if not call["http"]:
        if given or call["port"] != PORT:
            raise click.UsageError(f"--{(given or ['port'])[0].replace('_', '-')} is for --http")
        return
    from treering.surfaces.mcp.gate import is_loopback

    if bool(call["tls_cert"]) != bool(call["tls_key"]):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    if call["port"] > MOST_PORT:
        raise click.UsageError(f"a port is a number up to {MOST_PORT}, not {call['port']}")
    if not (is_loopback(call["host"] or LOCAL) or call["tls_cert"] or call["allow_remote"]):
        raise click.UsageError(
            f"{call['host']} can be reached from other machines, and the token would cross the network as it is: give "
            "--tls-cert and --tls-key, or say --allow-remote if something else encrypts it"
        )


def _offer(call: dict[str, Any]) -> Offer:
    if call["compat"]:
        from treering.surfaces.mcp.compat import compat_offer

        return compat_offer()
    from treering.surfaces.mcp.offer import memory_offer
    from treering.surfaces.mcp.tools import chosen

    return memory_offer(chosen(call["tools"]))


def _open(call: dict[str, Any]) -> Treering:
    """The memory, seen from where the agent works. What it says is the agent's word."""
    from treering.compose import open

    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    memory = open(call["home"] or None, store=call["store"], space=call["space"], session=session, actor="agent")
    here = memory.context
    project = call["project"] or here.project or ("" if call["compat"] else ".")  # that server has one graph for all
    memory.workspace.context = here._replace(
        project=memory.workspace.project_of(_root()) if project == "." else project,
        # Over a pipe one agent is served, once: that is a session, whether it has a name or not.
        session=here.session or ("" if call["http"] else f"mcp-{os.urandom(_CHANCE).hex()}"),
    )
    return memory


def _root() -> str:
    """The folder that the agent works in."""
    return os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
