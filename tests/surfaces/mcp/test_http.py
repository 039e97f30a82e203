"""A server over HTTP: who does not belong there is turned away, on every route, and changes nothing."""

from __future__ import annotations

import json
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.mcp.agents import LEGACY, MODERN, Served, over_http, served
from tests.surfaces.mcp.conftest import Place
from treering.surfaces.mcp.gate import BURST, LARGEST
from treering.surfaces.mcp.http import MOST_CONNECTIONS

ROUTES = ("/mcp", "/", "/mcp/", "/sse", "/messages", "/.well-known/oauth-protected-resource", "/mcp/../mcp", "//mcp")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE")
STORE = {"name": "store_memory", "arguments": {"content": "A stranger was here"}}
BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": STORE}).encode()
GOOD = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
VERSION = {"MCP-Protocol-Version": "2025-06-18"}
Headers = dict[str, str | None]


def ask(server: Served, method: str, path: str, headers: Headers, body: bytes = BODY) -> tuple[int, dict[str, str]]:
    """The code and the headers of an answer. A header that is None is not sent."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        own = {"Host": f"127.0.0.1:{server.port}", "Content-Length": str(len(body)), **GOOD, **VERSION}
        for name, value in {**own, **headers}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


@pytest.fixture(scope="module")
def known(web: Served, place: Place) -> Iterator[Headers]:
    """What somebody sends who belongs there; and in the end no stranger has left anything."""
    yield {"Authorization": f"Bearer {web.token}"}
    with treering.open(place.home) as memory:
        assert not [one for one in memory.list() if "stranger" in one.content]


def test_who_knows_the_token_is_let_in(web: Served) -> None:
    """In either era, as others are on the same server."""
    with over_http(web.url, web.token, MODERN) as one, over_http(web.url, web.token, LEGACY) as other:
        made = one.call("store_memory", content="The kettle is on the second floor")["id"]
        assert other.call("get_memory", memory_id=made)["id"] == made
        assert (one.client.protocol_version, other.client.protocol_version) == ("2026-07-28", "2025-11-25")


@pytest.mark.parametrize("path", ROUTES)
def test_a_stranger_is_turned_away_on_every_route(web: Served, known: Headers, path: str) -> None:
    """Without a token, with a wrong one, under a wrong name, from a web page: by every method, and no page may read
    the answer."""
    token = known["Authorization"]
    strangers: dict[str, Headers] = {
        "no token": {},
        "empty": {"Authorization": ""},
        "bare": {"Authorization": web.token},
        "basic": {"Authorization": f"Basic {web.token}"},
        "wrong": {"Authorization": f"Bearer {web.token[:-1]}"},
        "longer": {"Authorization": f"Bearer {web.token}x"},
        "another case": {"Authorization": f"Bearer {web.token.swapcase()}"},
        "wrong host": {"Authorization": token, "Host": f"evil.example:{web.port}"},
        "no host": {"Authorization": token, "Host": None},
        "foreign origin": {"Authorization": token, "Origin": "http://evil.example"},
        "no origin": {"Authorization": token, "Origin": "null"},
        "another port": {"Authorization": token, "Origin": "http://127.0.0.1:1"},
    }
    for name, headers in strangers.items():
        for method in METHODS if name in ("no token", "foreign origin") else ("POST", "OPTIONS"):
            status, told = ask(web, method, path, headers, b"" if method in ("GET", "HEAD", "TRACE") else BODY)
            assert status in (400, 401, 403, 421), (name, method)
            assert not [header for header in told if header.startswith("access-control")]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/mcp", {}, 405),
        ("DELETE", "/mcp", {}, 405),
        ("OPTIONS", "/mcp", {}, 405),
        ("PUT", "/mcp", {}, 405),
        ("POST", "/", {}, 404),
        ("GET", "/", {}, 404),
        ("POST", "/mcp/", {}, 404),
        ("POST", "/mcp", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ("POST", "/mcp", {"Content-Type": "multipart/form-data; boundary=x"}, 415),
        ("POST", "/mcp", {"Content-Type": "text/plain"}, 415),
        ("POST", "/mcp", {"Content-Type": "application/json-patch+json"}, 415),
        ("POST", "/mcp", {"Content-Type": None}, 415),
        ("POST", "/mcp", {"Content-Encoding": "gzip"}, 415),
        ("POST", "/mcp", {"Content-Length": str(LARGEST + 1)}, 413),
    ],
)
def test_what_is_no_message_is_refused(
    web: Served, known: Headers, method: str, path: str, headers: Headers, status: int
) -> None:
    """Even from somebody who knows the token, by its head alone."""
    found, told = ask(web, method, path, {**known, **headers}, b"" if method == "GET" else BODY)
    assert found == status and not [header for header in told if header.startswith("access-control")]


def test_a_body_that_is_too_large_is_not_read_to_its_end(web: Served, known: Headers) -> None:
    """Sent in pieces, without a length: it is counted as it comes, and the answer is there before the end of it."""
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: {known['Authorization']}\r\n"
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        "MCP-Protocol-Version: 2025-06-18\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    piece = b"10000\r\n" + b"x" * 0x1_0000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as wire:
        wire.sendall(head.encode())
        for _ in range(LARGEST // 0x1_0000 + 1):
            wire.sendall(piece)  # the last piece, which says that it is the last, is never sent
        assert wire.recv(1_000).startswith(b"HTTP/1.1 413")


def test_a_header_that_comes_twice_is_none(web: Served) -> None:
    """Readers would differ about which one holds."""
    for twice in ("Authorization: Bearer wrong", "Host: evil.example", "Origin: http://evil.example"):
        lines = [
            "POST /mcp HTTP/1.1",
            f"Host: 127.0.0.1:{web.port}",
            f"Authorization: Bearer {web.token}",
            f"Origin: http://127.0.0.1:{web.port}",
            "Content-Type: application/json",
            f"Content-Length: {len(BODY)}",
            twice,
        ]
        with socket.create_connection(("127.0.0.1", web.port), timeout=60) as wire:
            wire.sendall("\r\n".join([*lines, "", ""]).encode() + BODY)
            assert wire.recv(1_000).split()[1] in (b"400", b"401", b"403", b"421")


def test_who_sends_too_much_waits(lived: Place, tmp_path: Path) -> None:
    """Only from somebody who knows the token: others cannot use up what is theirs."""
    with served(lived.copy(tmp_path).home) as server:
        for _ in range(BURST + 50):
            assert ask(server, "POST", "/mcp", {})[0] == 401
        token: Headers = {"Authorization": f"Bearer {server.token}"}
        answers = (ask(server, "POST", "/mcp", token, b"{}")[0] for _ in range(BURST * 50))
        assert next(number for number, status in enumerate(answers) if status == 429) >= BURST


def test_half_open_requests_shut_nobody_out(lived: Place, tmp_path: Path) -> None:
    """More at once than there may be connections: with nothing said, half a head, or a head whose body never comes."""
    with served(lived.copy(tmp_path).home) as server, ExitStack() as held:
        whole = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 9\r\n\r\n"
        for said in ("", "POST /mcp HTTP/1.1\r\nHost: x", whole) * (MOST_CONNECTIONS // 2):
            wire = held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            wire.sendall(said.encode())
        token: Headers = {"Authorization": f"Bearer {server.token}"}
        assert [ask(server, "POST", "/mcp", token)[0] for _ in range(10)] == [200] * 10


def test_who_does_not_say_what_he_wants_is_let_go(lived: Place, tmp_path: Path) -> None:
    """Before a first request, and before a second one on the same connection."""
    with served(lived.copy(tmp_path).home) as server:
        token = f"Authorization: Bearer {server.token}\r\n"
        fields = f"Host: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n{token}"
        fields += "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n"
        whole = f"POST /mcp HTTP/1.1\r\n{fields}Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY
        with (
            socket.create_connection(("127.0.0.1", server.port), timeout=60) as first,
            socket.create_connection(("127.0.0.1", server.port), timeout=60) as second,
        ):
            first.sendall(b"POST /mcp HT")
            second.sendall(whole)
            answer = second.recv(65_536)
            second.sendall(b"POST /m")
            assert (answer + _until_closed(second)).startswith(b"HTTP/1.1 200")
            assert _until_closed(first) == b""


def _until_closed(wire: socket.socket) -> bytes:
    """Return what still comes until the other side closes; a wire that stays open is a timeout."""
    said = b""
    try:
        while piece := wire.recv(65_536):
            said += piece
    except ConnectionResetError:
        pass
    return said


def test_the_token_is_not_told(web: Served, place: Place) -> None:
    """Only where it lies, to whoever starts the server; the file is for its owner alone."""
    assert web.token not in web.told and str(place.home / "mcp-token") in web.told
    assert os.stat(place.home / "mcp-token").st_mode & 0o777 == 0o600
    assert web.told.startswith("serving at http://127.0.0.1:")


def test_a_port_that_is_taken_is_told(web: Served, place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    from treering.surfaces.cli import run

    assert run(["--home", str(place.home), "mcp", "--http", "--port", str(web.port)]) == 1
    out, err = capfd.readouterr()
    assert out == "" and "choose another --host or --port" in err


def test_beyond_this_machine_it_speaks_tls(lived: Place, tmp_path: Path) -> None:
    """With a certificate it may listen everywhere, and still asks for the token and for its own name."""
    certificate, key = _certificate(tmp_path)
    words = ("--host", "0.0.0.0", "--tls-cert", str(certificate), "--tls-key", str(key))
    with served(lived.copy(tmp_path).home, *words) as server:
        assert server.url.startswith("https://0.0.0.0:")
        trusted = ssl.create_default_context(cafile=str(certificate))

        def status(**headers: str) -> int:
            connection = HTTPSConnection("127.0.0.1", server.port, context=trusted, timeout=60)
            connection.request("POST", "/mcp", BODY, {**GOOD, **VERSION, **headers})
            return connection.getresponse().status

        token = {"Authorization": f"Bearer {server.token}"}
        assert (status(), status(**token)) == (401, 200)
        assert status(**token, Host=f"evil.example:{server.port}") == 421


def _certificate(folder: Path) -> tuple[Path, Path]:
    """One of our own making, for 127.0.0.1."""
    from datetime import UTC, datetime, timedelta
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name: Any = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    files[1].write_bytes(key.private_bytes(*plain))
    return files
