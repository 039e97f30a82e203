"""The gate, piece by piece: names, numbers and the bucket."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treering.ledger.errors import StoreUnavailable
from treering.surfaces.mcp.gate import Bucket, is_loopback, places
from treering.surfaces.mcp.http import NAME, token_in

HERE = places("127.0.0.1", 8765, tls=False)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])
def test_a_server_on_this_machine_goes_by_its_names(host: str) -> None:
    assert HERE.host(host) and HERE.origin(f"http://{host.lower()}")


@pytest.mark.parametrize(
    "host",
    "127.0.0.1 127.0.0.1:80 127.0.0.1:87650 evil.example:8765 127.0.0.1.evil.example:8765 localhost.evil.example:8765 "
    "evil.example [::1]x:8765 [::1 127.0.0.1:8765:8765 127.1:8765 localhost:8765@evil.example 0.0.0.0:8765 ::1:8765 "
    "localhost:8765/ []:8765 :8765 :".split(),
)
def test_any_other_name_is_a_strangers(host: str) -> None:
    """That of another port too, and what only begins or ends like one of ours."""
    assert not HERE.host(host)


@pytest.mark.parametrize(
    "origin",
    "null : http://evil.example https://127.0.0.1:8765 http://127.0.0.1 http://127.0.0.1:8765/x file:// "
    "chrome-extension://abc http://127.0.0.1:8765.evil.example //127.0.0.1:8765 127.0.0.1:8765".split(),
)
def test_any_other_origin_is_foreign(origin: str) -> None:
    assert not HERE.origin(origin)


def test_a_server_for_others_goes_by_the_name_that_it_was_given() -> None:
    """One that listens everywhere, by any address in numbers: no name can be made to point there."""
    named = places("Memory.Example", 443, tls=True)
    assert named.host("memory.example") and named.host("memory.example:443") and not named.host("10.0.0.7")
    everywhere = places("0.0.0.0", 8765, tls=True)
    assert everywhere.host("10.0.0.7:8765") and everywhere.host("[fe80::1]:8765") and everywhere.host("localhost:8765")
    assert not everywhere.host("evil.example:8765")


@pytest.mark.parametrize(
    ("hosts", "local"),
    [("127.0.0.1 127.9.9.9 ::1 [::1] localhost", True), ("0.0.0.0 :: 10.0.0.7 localhost.evil.example shop", False)],
)
def test_what_others_reach_is_known(hosts: str, local: bool) -> None:
    assert {is_loopback(host) for host in hosts.split()} == {local}


def test_a_bucket_fills_up_again() -> None:
    """So many at once, so many each second, never more than it holds."""
    clock = [0.0]
    bucket = Bucket(3, 2.0, lambda: clock[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock[0] = 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    clock[0] = 1_000.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    """Whatever the umask."""
    before = os.umask(0)
    try:
        token, path = token_in(str(tmp_path))
    finally:
        os.umask(before)
    assert token_in(str(tmp_path)) == (token, path) and len(token) >= 43
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == [NAME]


def test_a_token_that_others_may_know_is_none(tmp_path: Path) -> None:
    """A file that others can read, a link to somewhere else, one that is too short, a folder."""
    path = tmp_path / NAME
    path.write_text("x" * 43)
    path.chmod(0o644)
    with pytest.raises(StoreUnavailable, match="can be read by others"):
        token_in(str(tmp_path))
    path.chmod(0o600)
    assert token_in(str(tmp_path))[0] == "x" * 43
    for text in ("", "short", "x" * 20 + " " + "x" * 20, "é" * 43):
        path.write_text(text)
        with pytest.raises(StoreUnavailable, match="holds no token"):
            token_in(str(tmp_path))
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreUnavailable, match="cannot be read or made"):
        token_in(str(tmp_path))
