"""Serve a scripted model on loopback: it keeps every request, and answers by a script."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

from tests.agents.wire import GEMINI, Answer, Call, Offered, encode, offered, protocol

DONE = "Done."  # what the model says when its script is over
# Names that agents give to the same tool.
SHELLS = ("Bash", "exec_command", "shell_command", "shell", "run_shell_command", "bash")
WRITERS = {"Write": "file_path", "write_file": "file_path", "write": "filePath", "create": "path"}
_CONTENT = {"create": "file_text"}
# Answers to what agents ask beside a session: a title, or which model should be used.
_ASIDE = {"title": "A session", "isNewTopic": False, "reasoning": "simple", "model_choice": "flash"}


class Step(NamedTuple):
    """What the model does when it is asked: it speaks, or calls a tool."""

    say: str = ""
    shell: str = ""
    write: tuple[str, str] = ("", "")  # path and content
    mcp: tuple[str, Mapping[str, Any]] = ("", {})  # a tool of our server, and its arguments
    tool: tuple[str, Mapping[str, Any]] = ("", {})  # a tool by the agent's own name
    status: int = 200  # of HTTP
    seconds: float = 0.0  # to wait before


class Request(NamedTuple):
    at: float  # on the monotonic clock
    api: str
    path: str
    body: Mapping[str, Any]
    tools: Mapping[str, Offered]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def messages(self) -> str:
        """The request without its instructions and tools: what was said in the session."""
        kept = {key: value for key, value in self.body.items() if key in ("messages", "input", "contents")}
        return json.dumps(kept, ensure_ascii=False)


class Model:
    """A scripted model that listens. A request with tools belongs to a session, and takes the next step."""

    def __init__(self, cwd: str) -> None:
        self.requests: list[Request] = []
        self.cwd = cwd
        self.aside: Callable[[Request], Step | None] | None = None  # answers requests that offer no tools
        self._steps: list[Step] = []
        self._lock = Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.port: int = self._server.server_address[1]
        Thread(target=self._server.serve_forever, daemon=True).start()

    def play(self, steps: Sequence[Step] = ()) -> None:
        """Forget earlier requests, and answer by these steps from now on."""
        with self._lock:
            self.requests, self._steps = [], [*steps]

    @property
    def sessions(self) -> list[Request]:
        """Return the requests that offered tools."""
        return [request for request in self.requests if request.tools]

    def step(self, request: Request) -> Step:
        """Return what to do, and keep the request."""
        with self._lock:
            self.requests.append(request)
            if self.aside is not None and (step := self.aside(request)):
                return step
            if not request.tools:
                return Step(json.dumps(_ASIDE) if "json" in request.text.lower() else "ok")
            return self._steps.pop(0) if self._steps else Step(DONE)


def answer(step: Step, request: Request, cwd: str) -> Answer:
    """Return the words or the call of a tool that a step means to this agent."""
    tools = request.tools
    if step.tool[0] in tools:
        return Answer(step.say, Call(tools[step.tool[0]], step.tool[1]))
    if (code := tools.get("exec")) and code.custom and not any(name in tools for name in SHELLS):
        return _in_javascript(step, code)
    if step.shell:
        name = next((name for name in SHELLS if name in tools), SHELLS[0])
        key = "cmd" if name == "exec_command" else "command"
        return Answer(step.say, Call(tools.get(name, Offered(name)), {key: step.shell, **_described(name)}))
    if step.write[0]:
        return Answer(step.say, _written(step.write, tools, cwd))
    if step.mcp[0]:
        name = next((name for name in tools if name.endswith(step.mcp[0])), step.mcp[0])
        return Answer(step.say, Call(tools.get(name, Offered(name)), step.mcp[1]))
    if step.tool[0]:
        return Answer(step.say, Call(tools.get(step.tool[0], Offered(step.tool[0])), step.tool[1]))
    return Answer(step.say)


def _described(shell: str) -> dict[str, str]:
    return {} if shell == "exec_command" else {"description": "Run it"}


def _written(write: tuple[str, str], tools: Mapping[str, Offered], cwd: str) -> Call:
    name = next((name for name in WRITERS if name in tools), "")
    if not name:
        return Call(tools.get("apply_patch", Offered("apply_patch", True)), _patch(*write))
    content = _CONTENT.get(name, "content")
    return Call(tools[name], {WRITERS[name]: f"{cwd}/{write[0]}", content: write[1]})


def _patch(path: str, text: str) -> str:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch"


def _in_javascript(step: Step, tool: Offered) -> Answer:
    """Return a step for an agent whose only tool runs JavaScript, in which the others are functions."""
    called = ""
    if step.shell:
        called = f"tools.exec_command({json.dumps({'cmd': step.shell})})"
    elif step.write[0]:
        called = f"tools.apply_patch({json.dumps(_patch(*step.write))})"
    elif step.mcp[0]:
        called = f"tools.mcp__treering__{step.mcp[0]}({json.dumps(step.mcp[1])})"
    return Answer(step.say, Call(tool, f"const found = await {called};\ntext(found);") if called else None)


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            one = {"id": "scripted", "slug": "scripted", "object": "model", "display_name": "scripted"}
            self._send(200, json.dumps({"object": "list", "data": [one], "models": [one]}).encode())

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_POST(self) -> None:
            body, api = self._body(), protocol(self.path)
            if not api:
                self._send(200 if "ount" in self.path else 404, b'{"input_tokens": 100, "totalTokens": 100}')
                return
            request = Request(monotonic(), api, self.path, body, offered(api, body))
            step = model.step(request)
            sleep(step.seconds)
            if step.status != 200:
                problem = {"type": "error", "error": {"type": "scripted", "message": step.say}}
                self._send(step.status, json.dumps(problem).encode())
                return
            self._send(200, *encode(api, answer(step, request, model.cwd), body, self.path))

        def _send(self, status: int, data: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                with suppress(ConnectionError):  # whoever asked has given up
                    self.wfile.write(data)

        def _body(self) -> dict[str, Any]:
            if "chunked" in (self.headers.get("transfer-encoding") or ""):
                raw = b"".join(iter(self._chunk, b""))
            else:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.headers.get("content-encoding") == "gzip":
                raw = gzip.decompress(raw)
            try:
                found = json.loads(raw or b"{}")
            except ValueError:
                return {}
            return found if isinstance(found, dict) else {}

        def _chunk(self) -> bytes:
            size = int(self.rfile.readline().split(b";")[0] or b"0", 16)
            data = self.rfile.read(size)
            self.rfile.readline()
            return data

    return Handler


__all__ = ["DONE", "GEMINI", "Model", "Request", "Step"]
