"""A dashboard that is really served, and a visitor who speaks HTTP to it."""

from __future__ import annotations

import http.client
import json
import re
import socket
from functools import partial
from threading import Thread
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode

from treering.compose import open
from treering.surfaces.ui.app import App
from treering.surfaces.ui.desk import Desk
from treering.surfaces.ui.gate import HOST, OnePerson
from treering.surfaces.ui.server import server_for


class Reply(NamedTuple):
    status: int
    text: str
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Served:
    """A server on a store, in a thread, and what a browser would do."""

    def __init__(self, home: str, root: str) -> None:
        self._listening = socket.create_server((HOST, 0))
        self.port: int = self._listening.getsockname()[1]
        self.auth = OnePerson()
        self.token = self.auth.token
        self.app = App(Desk(partial(open, home, actor="user"), root), self.auth, self.port)
        self._server = server_for(self.app)
        self._thread = Thread(target=lambda: self._server.run(sockets=[self._listening]))
        self.cookie = ""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()
        self.app.desk.close()

    @property
    def base(self) -> str:
        return f"http://{HOST}:{self.port}"

    def ask(self, method: str, path: str, body: str = "", **headers: str | None) -> Reply:
        """Send a request as our own page would; a header that is None is left out."""
        sent = {"Host": f"{HOST}:{self.port}", "Cookie": f"{self.app.gate.cookie}={self.cookie}"}
        if method == "POST":
            sent |= {"Origin": self.base, "Content-Type": "application/x-www-form-urlencoded"}
        given = {name.replace("_", "-").title(): value for name, value in headers.items()}
        wanted = {name: value for name, value in {**sent, **given}.items() if value is not None}
        connection = http.client.HTTPConnection(HOST, self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True)
        for name, value in {**wanted, "Content-Length": str(len(body.encode()))}.items():
            connection.putheader(name, value)
        connection.endheaders(body.encode())
        answer = connection.getresponse()
        text = answer.read().decode()
        found = {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return Reply(answer.status, text, found)

    def enter(self) -> Reply:
        """Come in by the address that was printed."""
        answer = self.ask("GET", f"/open?token={self.token}")
        found = re.search(r"=([^;]+)", answer.headers.get("set-cookie", ""))
        self.cookie = found[1] if found else self.cookie
        return answer

    def get(self, path: str, **headers: str | None) -> Reply:
        return self.ask("GET", path, "", **headers)

    def post(self, path: str, **fields: str) -> Reply:
        """Send a form as a page of ours has it, and follow where it leads."""
        body = urlencode({"token": self.auth.form_token(self.cookie), "back": "/memories", **fields})
        answer = self.ask("POST", path, body)
        return self.get(answer.headers["location"]) if answer.status == 303 else answer
