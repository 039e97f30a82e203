"""Who gets in, and what a page may do."""

from __future__ import annotations

import pytest

from tests.surfaces.ui.served import Served
from treering.surfaces.ui.pages import PAGES

PATHS = ("/", "/memories", "/memories.json", "/review", "/pulse.json", "/static/style.css", "/nothing")


@pytest.mark.parametrize("path", PATHS)
def test_nobody_sees_a_page_without_the_cookie(stranger: Served, path: str) -> None:
    for cookie in (None, "", f"{stranger.app.gate.cookie}=guessed", "%$;;=", f"{stranger.app.gate.cookie}="):
        answer = stranger.get(path, cookie=cookie)
        assert answer.status == 403 and "treering ui" in answer.text


def test_the_token_is_good_once(stranger: Served) -> None:
    first = stranger.enter()
    assert first.status == 200 and "HttpOnly" in first.headers["set-cookie"]
    assert "SameSite=strict" in first.headers["set-cookie"]
    assert stranger.get("/").status == 200
    assert stranger.get(f"/open?token={stranger.token}", cookie=None).status == 403
    assert stranger.get("/open?token=", cookie=None).status == 403
    assert stranger.get(f"/open?token={stranger.token}").status == 200  # whoever is in already goes on


HOSTS = ("evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", "")


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_name_is_refused_even_with_the_cookie(visitor: Served, host: str) -> None:
    """A page can make its own name point to this machine."""
    assert visitor.get("/", host=host.format(port=visitor.port)).status in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
def test_a_foreign_origin_is_refused_even_with_the_cookie(visitor: Served, origin: str) -> None:
    given = origin.format(port=visitor.port)
    assert visitor.get("/memories", origin=given).status == 403
    assert visitor.ask("POST", "/undo", "event=1", origin=given).status == 403
    assert visitor.ask("POST", "/undo", "event=1", origin=None).status == 403


def test_a_change_needs_the_token_of_the_visit(visitor: Served) -> None:
    (one, *_) = visitor.get("/memories.json").json["memories"]
    for body in ("", "token=", "token=guessed", f"token={visitor.cookie}"):
        answer = visitor.ask("POST", f"/memories/{one['id']}/forget", body)
        assert answer.status == 403 and "load the page again" in answer.text
    assert visitor.get(f"/memories/{one['id']}/forget").status in (404, 405)
    assert visitor.get(f"/memories/{one['id']}.json").json["memory"]["status"] != "forgotten"


@pytest.mark.parametrize("path", [*PATHS, "/open"])
def test_every_answer_has_a_strict_policy(visitor: Served, path: str) -> None:
    for answer in (visitor.get(path), visitor.get(path, cookie=None)):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers


def test_a_form_leads_back_to_our_own_pages_alone(visitor: Served) -> None:
    (one, *_) = visitor.get("/memories.json").json["memories"]
    token = visitor.auth.form_token(visitor.cookie)
    for back in ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        for act in ("forget", "restore"):
            answer = visitor.ask("POST", f"/memories/{one['id']}/{act}", f"token={token}&back={back}")
            assert answer.status == 303 and answer.headers["location"].startswith("/?done=")


def test_a_form_that_is_too_large_is_refused(visitor: Served) -> None:
    token = visitor.auth.form_token(visitor.cookie)
    assert visitor.ask("POST", "/undo", f"token={token}&event={'x' * 2_000_000}").status == 400


def test_no_page_holds_script_or_style_inline(visitor: Served) -> None:
    for path in (page.path for page in PAGES if page.key):
        page = visitor.get(path).text
        assert "<style" not in page and " style=" not in page and " onclick" not in page
        assert page.count("<script") == page.count('<script type="module" src="/static/')
