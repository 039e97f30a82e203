"""The dashboard in a real browser. `make test` looks at every page once; `make browser` does all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import treering
from tests.surfaces.cli.signals import surface
from tests.surfaces.ui.browser import CHROMIUM, MISSING, browser
from tests.surfaces.ui.hostile import HOSTILE
from tests.surfaces.ui.served import Served
from treering.surfaces.ui import server
from treering.surfaces.ui.pages import PAGES

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=MISSING)

MENU = [page.path for page in PAGES if page.key]
SERIOUS = ("serious", "critical")
SUBJECTS = "tailwind kafka vault terraform grafana pytest webpack redis docker ansible".split()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as launched:
        yield launched


@pytest.fixture
def page(chromium: Browser, stranger: Served) -> Iterator[Page]:
    """A tab that came in by the printed address. What its console says against us fails the test."""
    yield from opened(chromium, stranger)


def opened(chromium: Browser, served: Served, **options: object) -> Iterator[Page]:
    context = chromium.new_context(base_url=served.base, **options)  # type: ignore[arg-type]
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.goto(f"/open?token={served.token}")
    tab.wait_for_url("**/")
    yield tab
    context.close()
    assert said == []


def counted(tab: Page) -> None:
    """Wait until no figure is being counted."""
    expect(tab.locator("[data-counting]")).to_have_count(0, timeout=20_000)


def press(tab: Page, key: str) -> None:
    """Press a key once the page hears keys."""
    tab.wait_for_selector("html[data-ready]")
    tab.keyboard.press(key)


def test_every_page_opens_and_axe_finds_nothing_serious(page: Page) -> None:
    for path in MENU:
        page.goto(path)
        counted(page)
        expect(page.locator("h1")).to_be_visible()
        found = Axe().run(page).response["violations"]
        assert [(path, one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS] == []


@pytest.mark.long
def test_in_the_dark_axe_finds_nothing_serious(chromium: Browser, stranger: Served) -> None:
    for tab in opened(chromium, stranger, color_scheme="dark"):
        for path in MENU:
            tab.goto(path)
            counted(tab)
            found = Axe().run(tab).response["violations"]
            assert [(path, one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS] == []


@pytest.mark.long
def test_on_a_narrow_screen_nothing_is_cut_off(chromium: Browser, stranger: Served) -> None:
    for tab in opened(chromium, stranger, viewport={"width": 360, "height": 740}):
        for path in MENU:
            tab.goto(path)
            counted(tab)
            assert tab.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), path


@pytest.mark.long
def test_ten_proposals_are_reviewed_by_keys_and_each_decision_undone(home: Path, page: Page) -> None:
    with treering.open(home, actor="user") as memory:
        for subject in SUBJECTS:
            surface(memory, f"Upgrade {subject} in two steps with a lock", "monday", "tuesday", "friday")
        memory.proposals.analyze()
        waiting = len(memory.proposals.list("pending"))
    assert waiting >= len(SUBJECTS)
    page.goto("/review?kind=proposals")
    for place in range(len(SUBJECTS)):
        key, word = ("r", "rejected") if place % 2 else ("a", "accepted")
        expect(page.locator(".card")).to_have_count(waiting)
        press(page, key)
        expect(page.locator(".notice")).to_contain_text(word)
        expect(page.locator(".card")).to_have_count(waiting - 1)
        press(page, "u")
        expect(page.locator(".notice")).to_contain_text("undone")
    for place in range(len(SUBJECTS)):
        expect(page.locator(".card")).to_have_count(waiting - place)
        press(page, "r")
        expect(page.locator(".notice")).to_contain_text("rejected")


@pytest.mark.long
def test_a_wrong_fact_is_edited_by_keys_and_the_edit_undone(page: Page) -> None:
    page.goto("/memories?q=deploys+fridays&project=shop")
    press(page, "j")
    press(page, "Enter")
    expect(page.locator("h1")).to_contain_text("Deploys go out on Fridays")
    press(page, "e")
    press(page, "ControlOrMeta+a")
    page.keyboard.type("Deploys go out on Tuesdays")
    page.get_by_role("button", name="Supersede with this text").click()
    expect(page.locator(".notice")).to_contain_text("supersedes")
    press(page, "u")
    expect(page.locator(".notice")).to_contain_text("undone")
    expect(page.locator("h1")).to_contain_text("Deploys go out on Fridays")


@pytest.mark.long
def test_what_happens_is_seen_while_it_happens_in_two_tabs(home: Path, page: Page) -> None:
    page.goto("/")
    other = page.context.new_page()
    other.goto("/")
    page.wait_for_timeout(500)
    with treering.open(home, actor="agent") as memory:
        memory.recall("which port has the staging database", project="shop", session="tuesday")
    other.bring_to_front()
    expect(other.locator("main")).to_contain_text("which port has the staging database", timeout=15_000)
    page.bring_to_front()
    expect(page.locator("main")).to_contain_text("which port has the staging database", timeout=15_000)


@pytest.mark.long
def test_the_slider_shows_an_earlier_day(home: Path, chromium: Browser, tmp_path: Path) -> None:
    with treering.open(home, actor="user") as memory:
        memory.remember("an old note", at="2025-01-01")
    with Served(str(home), str(tmp_path)) as served:
        for tab in opened(chromium, served):
            tab.goto("/memories")
            day = tab.locator("input[name=as_of]")
            day.evaluate("one => { one.removeAttribute('min'); one.value = '2025-06-01'; }")
            tab.get_by_role("button", name="Show").click()
            expect(tab.locator(".past")).to_contain_text("2025-06-01")
            expect(tab.get_by_role("button", name="Forget")).to_have_count(0)


@pytest.mark.long
def test_without_javascript_pages_are_read_and_forms_sent(chromium: Browser, stranger: Served) -> None:
    for tab in opened(chromium, stranger, java_script_enabled=False):
        for path in MENU:
            tab.goto(path)
            assert tab.locator("h1").count() == 1
        tab.goto("/memories")
        tab.locator(".memory").first.click()
        tab.get_by_role("button", name="Forget").click()
        assert "forgot" in (tab.locator(".notice").text_content() or "")


@pytest.mark.long
def test_hostile_contents_do_nothing(home: Path, chromium: Browser, tmp_path: Path) -> None:
    with treering.open(home, actor="user") as memory:
        memory.remember_many({"content": text} for text in HOSTILE)
    with Served(str(home), str(tmp_path)) as served:
        for tab in opened(chromium, served):
            pages, link = 0, "/memories"
            while link:
                tab.goto(link)
                assert tab.evaluate("window.hurt") is None
                assert tab.locator("main iframe, main script, main object, main style, main math").count() == 0
                older = tab.locator("a[rel=next]")
                link = f"/memories{older.get_attribute('href')}" if older.count() else ""
                pages += 1
            assert pages > len(HOSTILE) // 50


@pytest.mark.long
def test_the_file_that_opens_the_browser_leads_in(chromium: Browser, stranger: Served, tmp_path: Path) -> None:
    """From a file to our server is from one site to another: a strict cookie must not be lost on the way."""
    path = server._redirect_file(f"{stranger.base}/open?token={stranger.token}", str(tmp_path))
    tab = chromium.new_page()
    tab.goto(f"file://{path}")
    tab.wait_for_url(f"{stranger.base}/", timeout=20_000)
    expect(tab.locator("h1")).to_have_text("Now")
    tab.close()
