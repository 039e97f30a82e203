"""Whatever an address or a form says, and whatever happens to the store meanwhile: an answer, and no fault of ours."""

from __future__ import annotations

import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

import apsw
import pytest

import treering
from tests.surfaces.hook.driving import hook
from tests.surfaces.ui.hostile import HOSTILE
from tests.surfaces.ui.served import Served
from treering.surfaces.ui.acts import ACTS
from treering.surfaces.ui.gate import HOST
from treering.surfaces.ui.pages import PAGES

FIELDS = {
    "/": ("before", "why", "done"),
    "/memories": (
        "q",
        "type",
        "scope",
        "status",
        "trust",
        "project",
        "session",
        "tag",
        "as_of",
        "after",
        "view",
        "done",
    ),
    "/memories/{id}": ("as_of",),
    "/review": ("kind",),
    "/graph": ("entity", "type", "until", "project"),
    "/learning": (),
    "/health": ("verify",),
    "/ledger": ("kind", "session", "source", "event", "after"),
    "/skills": (),
    "/settings": (),
}
ODD = (
    *("", " ", "0", "-1", "1.5", "NaN", "inf", "1e400", "9" * 15, "9" * 18, "9" * 19, "-" + "9" * 18, "9" * 5_000),
    *(
        "٣",
        "²",
        "\x00",
        "\ud800",
        "\u202e",
        "a" * 9_000,
        "日" * 2_000,
        "'",
        '"',
        "%",
        "%s",
        "{}",
        "{{7*7}}",
        "../../etc",
    ),
    *("none-1", "-1", "1-", "a-b-c", "a-1.b-2", "a-99999999999999999999", "5.none-3", "9999999999.x-1", ".", "..x"),
    *("0001-01-01", "9999-12-31", "2026-02-30", "2026-13-01", "10000-01-01", "yesterday", "1969-12-31T23:59:59Z"),
    *(
        "true",
        "null",
        "[]",
        "*",
        "NOT",
        "AND OR",
        '"a',
        "NEAR(a b)",
        "a*",
        "SELECT 1",
        "-",
        "--",
        "\\",
        "\r\nX: y",
        "🐍",
    ),
)
FINE = (200, 303, 400, 403, 404, 405, 409)
MANY = int(os.environ.get("CASES", "150"))


def paths(many: int, seed: int = 7) -> list[str]:
    """Return addresses: each odd value in each field of each page, or a sample; and mixtures."""
    random = Random(seed)
    single = [
        (page, {field: value}) for page in PAGES for field, value in product(FIELDS[page.path], (*ODD, *HOSTILE[::40]))
    ]
    mixed = [
        (page, {field: random.choice(ODD) for field in FIELDS[page.path]}) for page in PAGES for _ in range(many // 20)
    ]
    chosen = [*random.sample(single, min(many, len(single))), *mixed]
    found = []
    for page, query in chosen:
        id = quote(random.choice(ODD[:-1]), safe="", errors="surrogatepass") or "x"
        path = (page.json if random.random() < 0.3 else page.path).replace("{id}", id)
        found.append(f"{path}?{urlencode(query, errors='surrogatepass')}")
    return found


def test_every_field_is_listed_here() -> None:
    assert [*FIELDS] == [page.path for page in PAGES]


def test_no_address_breaks_or_holds_up_a_page(visitor: Served) -> None:
    for path in paths(MANY):
        answer = visitor.get(path)
        assert answer.status in FINE, (path, answer.status, answer.text[:300])


@pytest.mark.long
def test_no_address_of_all_breaks_or_holds_up_a_page(visitor: Served) -> None:
    for path in paths(5_000):
        answer = visitor.get(path)
        assert answer.status in FINE, (path, answer.status, answer.text[:300])


def test_no_form_breaks_a_page(visitor: Served) -> None:
    random = Random(3)
    fields = ("text", "reason", "sure", "event", "session", "source", "recall", "verdict", "keep", "answer", "value")
    for path, _ in product(ACTS, range(max(2, MANY // 50))):
        id = quote(random.choice(ODD), safe="", errors="surrogatepass") or "x"
        given = {name: random.choice(ODD).encode("utf-8", "replace").decode() for name in random.sample(fields, 4)}
        answer = visitor.post(path.replace("{id}", id), **given)
        assert answer.status in FINE, (path, given, answer.status, answer.text[:300])


def test_twenty_at_once_are_all_answered(visitor: Served) -> None:
    wanted = [page.path for page in PAGES if page.key] * 2 + ["/learning.json", "/memories?q=deploys"]
    with ThreadPoolExecutor(20) as pool:
        assert {answer.status for answer in pool.map(visitor.get, wanted)} == {200}


def test_who_sends_half_a_request_holds_nobody_up(visitor: Served) -> None:
    halves = [b"GET / HT", b"POST /undo HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nabc", b"\x16\x03\x01", b""]
    for half in halves * 5:
        hanging = socket.create_connection((HOST, visitor.port))
        hanging.sendall(half)
        assert visitor.get("/").status == 200
        hanging.close()


def test_a_store_that_somebody_else_writes_to_is_read_on(home: Path, visitor: Served) -> None:
    """Also while hooks have queued something; and whoever changes anything is told to try again."""
    (one, *_) = visitor.get("/memories.json").json["memories"]
    prompt = {"session_id": "tuesday", "cwd": str(home), "prompt": "what of deploys"}
    assert hook("UserPromptSubmit", prompt, home).code == 0
    with closing(apsw.Connection(str(home / "treering.db"))) as other:
        other.execute("BEGIN IMMEDIATE")
        for page in PAGES:
            assert visitor.get(page.path.replace("{id}", one["id"])).status == 200
        assert visitor.post(f"/memories/{one['id']}/forget").status == 409
        other.execute("ROLLBACK")
    assert visitor.post(f"/memories/{one['id']}/forget").status == 200


def test_a_memory_that_another_process_purges_is_gone_from_an_open_page(home: Path, visitor: Served) -> None:
    (one, *_) = visitor.get("/memories.json?tag=deploy").json["memories"]
    with treering.open(home, actor="user") as memory:
        memory.purge(one["id"])
    for path in ("/", "/memories", "/review", "/ledger", "/learning", f"/memories/{one['id']}"):
        answer = visitor.get(path)
        assert answer.status == 200 and "Fridays" not in answer.text
    assert visitor.post(f"/memories/{one['id']}/forget").status in (404, 409)


def test_a_store_that_is_deleted_while_pages_are_open_says_so(home: Path, visitor: Served) -> None:
    for file in home.glob("treering.db*"):
        file.unlink()
    for path in ("/", "/memories", "/ledger", "/health", "/pulse.json"):
        assert visitor.get(path).status in (*FINE, 500)
