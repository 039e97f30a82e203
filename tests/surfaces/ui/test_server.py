"""The command: one line, one visit, and an end."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.ui.served import Served
from treering.compose import open as open_memory
from treering.surfaces.ui import server
from treering.surfaces.ui.gate import HOST

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/open\?token=[\w-]{43}\n")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home", tmp_path)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_one_line_serves_and_ends_when_told(program: Program, tmp_path: Path, number: int) -> None:
    """The browser is opened with a file that nobody else can read, and that is deleted in the end."""
    seen = tmp_path / "seen"
    # Written by the stand-in for a browser: the mode of the file, and what it says. The token is no argument.
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\nf="${{1#file://}}"; stat -c %a "$f" > {seen}; cat "$f" >> {seen}; echo "$@" >> {seen}\n'
    )
    browser.chmod(0o755)
    environment = {**program.environment, "BROWSER": f"{browser} %s"}
    command = program.command("ui")
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, cwd=tmp_path, env=environment, text=True) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        assert ADDRESS.fullmatch(line)
        deadline = time.monotonic() + 10
        while not (seen.exists() and seen.read_text().count("\n") >= 3) and time.monotonic() < deadline:
            time.sleep(0.05)
        with half_a_form(line):  # from a page that was closed in the middle of it
            running.send_signal(number)
            rest, said = running.communicate(timeout=20)
        assert running.returncode in (0, 130) and said == ""
    mode, page, arguments, *_ = seen.read_text().splitlines()
    assert mode == "600" and line.strip() in page and "token" not in arguments
    assert rest == "" and not [*(tmp_path / "home").glob("ui-*")]


def half_a_form(address: str) -> socket.socket:
    """Come in, and begin to send a form."""
    port, _, token = address.strip().removeprefix("http://127.0.0.1:").partition("/open?token=")
    visitor = http.client.HTTPConnection("127.0.0.1", int(port))
    visitor.request("GET", f"/open?token={token}")
    answer = visitor.getresponse()
    cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
    visitor.close()
    name = f"127.0.0.1:{port}"
    sending = socket.create_connection(("127.0.0.1", int(port)))
    head = f"POST /undo HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\nCookie: {cookie}\r\nContent-Length: 9"
    sending.sendall(f"{head}\r\n\r\ntok".encode())
    return sending


def test_it_ends_when_nobody_looks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    home = str(tmp_path / "home")
    server.serve(partial(open_memory, home, actor="user"), str(tmp_path), home, 0, False, idle=0.2)
    signal.signal(signal.SIGTERM, before)
    assert ADDRESS.fullmatch(capsys.readouterr().out)


def test_a_redirect_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = server._redirect_file("http://127.0.0.1:1/open?token=x", str(tmp_path))
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_connections_that_say_nothing_keep_nobody_out(visitor: Served) -> None:
    """More of them at once than there may be."""
    with ExitStack() as held:
        for said in (b"", b"GET / HTTP/1.1\r\nHost: x") * server.MOST_CONNECTIONS:
            wire = held.enter_context(socket.create_connection((HOST, visitor.port), timeout=60))
            wire.sendall(said)
        assert [visitor.ask("GET", "/").status for _ in range(5)] == [200] * 5


def test_a_port_that_is_taken_is_named(cli: Cli, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli("ui", "--port", str(port), "--no-browser", "--home", str(tmp_path))
    assert done.code == 1 and "choose another --port" in done.err


@pytest.mark.parametrize("words", [("--json",), ("--as-of", "2026-01-01"), ("--port", "70000")])
def test_what_makes_no_sense_is_refused(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli("ui", *words).code == 2


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('no', name='starlette')\n")
    done = subprocess.run(
        [sys.executable, "-m", "treering", "ui", "--no-browser"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "TREERING_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "pip install 'treering[ui]'" in done.stderr
