"""The command that serves the memory to agents."""

from __future__ import annotations

from treering.cli.commands.words import PLUG, Command, flag, named, number

PORT = 8_765

SERVING = (
    Command(
        "mcp",
        PLUG,
        "serve the memory to an agent, as an MCP server",
        "serving:mcp",
        "Over standard input and output, until the agent ends. Offers a few tools for every day; --tools all adds "
        "those that improve the memory. No tool accepts, promotes, purges or undoes anything: that is for a person. "
        "With --http it serves several agents on this machine, each of which needs the token that lies in the home of "
        "the store, in mcp-token. Needs the extra: pip install 'treering[mcp]'.",
        (),
        (
            named("--tools", "all, or names with commas between them", "NAMES"),
            named("--project", "the project to stand in; . or nothing for that of the working folder"),
            named("--compat", "server-memory: its nine tools instead, on this store", "NAME"),
            flag("--http", "serve over HTTP, at /mcp"),
            named("--host", "with --http: the address to listen at (127.0.0.1)", "ADDRESS"),
            number("--port", "with --http: the port to listen at", PORT),
            named("--tls-cert", "with --http: the certificate, for an address that others reach", "FILE"),
            named("--tls-key", "with --http: its key", "FILE"),
            flag("--allow-remote", "with --http: listen beyond this machine, without TLS if none is given"),
        ),
        ("treering mcp", "treering mcp --tools all", "treering mcp --http --port 8765"),
        opens=False,
        past=False,
    ),
)
