"""A team's server in a thread, with agents and browsers that come to it."""

from __future__ import annotations

import http.client
import json
import re
from functools import partial
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import uvicorn

import treering
from tests.surfaces.ui.served import Reply
from treering.compose import open, open_for
from treering.ledger import people
from treering.surfaces.mcp.http import Address, listening_at, settings_for
from treering.surfaces.mcp.offer import memory_offer
from treering.surfaces.mcp.tools import chosen
from treering.surfaces.team.members import Members
from treering.surfaces.team.server import TeamServer

HOST = "127.0.0.1"
_JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class Team:
    """The server of a space, and what its people would send."""

    def __init__(self, home: Path, store: str, space: str, public: str = "") -> None:
        self.given: dict[str, Any] = {"store": store, "space": space}
        self.home = home
        (home / "accepted").mkdir()
        self._listening = listening_at(Address(HOST, 0))
        self.port: int = self._listening.getsockname()[1]
        address = Address(HOST, self.port)
        opening, looking = partial(open_for, home=str(home), **self.given), partial(open, home, **self.given)
        self.members = Members(opening, looking, str(home / "accepted"))
        app = TeamServer(memory_offer(chosen("all")), self.members, address, public, str(home / "accepted"))
        self._server = uvicorn.Server(settings_for(app, address))
        self._thread = Thread(target=lambda: self._server.run(sockets=[self._listening]))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()
        self.members.close()

    def open(self) -> treering.Treering:
        """Open the memory as whoever runs the server."""
        return open(self.home, actor="user", **self.given)

    def admit(self, person: str, role: str) -> str:
        token = people.new_token()
        with self.open() as memory:
            memory.ledger.commit(lambda: [people.admit(person, role, token, memory.context)])
        return token

    def revoke(self, person: str) -> None:
        with self.open() as memory:
            gone = people.standing(memory.store, memory.context.space, person)
            memory.ledger.commit(lambda: [people.dismiss(one, memory.context) for one in gone])

    def send(self, method: str, path: str, body: str = "", **headers: str | None) -> Reply:
        """Send a request; a header that is None is left out."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True)
        given = {name.replace("_", "-").title(): value for name, value in headers.items()}
        wanted = {"Host": f"{HOST}:{self.port}", "Content-Length": str(len(body.encode())), **given}
        for name, value in wanted.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body.encode())
        answer = connection.getresponse()
        text = answer.read().decode()
        found = {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return Reply(answer.status, text, found)


class Agent:
    """An agent of a person, who speaks MCP."""

    def __init__(self, team: Team, token: str, project: str = "web") -> None:
        self.team, self.token, self.project = team, token, project

    def post(self, method: str, **params: Any) -> Reply:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        sent = {"authorization": f"Bearer {self.token}", "mcp_protocol_version": "2025-06-18"}
        headers = {name.lower().replace("-", "_"): value for name, value in _JSON.items()}
        return self.team.send("POST", f"/mcp?project={self.project}", body, **sent, **headers)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return what a tool answers: with isError, or with what it is."""
        reply = self.post("tools/call", name=tool, arguments=arguments)
        assert reply.status == 200, reply
        found: dict[str, Any] = reply.json["result"]
        return found

    def done(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found = self.call(tool, **arguments)
        assert not found.get("isError"), found
        told: dict[str, Any] = found["structuredContent"]
        return told


class Browser:
    """A browser of a person, who has signed in."""

    def __init__(self, team: Team, token: str) -> None:
        self.team, self.cookie = team, ""
        signed = self.send("POST", "/open", urlencode({"token": token}))
        if found := re.match(r"(treering-\d+=[^;]+)", signed.headers.get("set-cookie", "")):
            self.cookie = found[1]
        self.signed = signed

    def send(self, method: str, path: str, body: str = "", **more: str | None) -> Reply:
        headers: dict[str, str | None] = {"cookie": self.cookie or None, **more}
        if method == "POST":
            headers |= {
                "origin": f"http://{HOST}:{self.team.port}",
                "content_type": "application/x-www-form-urlencoded",
            }
        return self.team.send(method, path, body, **headers)

    def act(self, path: str, **fields: str) -> Reply:
        """Send the form of a page."""
        page = self.send("GET", "/memories")
        found = re.search(r'name="token" value="([0-9a-f]+)"', page.text)
        token = found[1] if found else self.team.members.form_token(self.cookie.partition("=")[2])
        return self.send(
            "POST", path, urlencode({"token": token, "back": "/memories", **fields}), accept="application/json"
        )
