"""The dashboard in a real browser. `make test` looks at every page once; `make browser` does all of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

import treering
from tests.surfaces.cli.signals import surface
from tests.surfaces.hook.driving import hook
from tests.surfaces.ui.browser import CHROMIUM, MISSING, browser
from tests.surfaces.ui.hostile import HOSTILE
from tests.surfaces.ui.served import Served
from treering.ledger.events import RECALLED
from treering.stores.port.ledger import EventQuery
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


def opened(chromium: Browser, served: Served, quiet: tuple[str, ...] = (), **options: object) -> Iterator[Page]:
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
    assert [line for line in said if not any(word in line for word in quiet)] == []


def counted(tab: Page) -> None:
    """Wait until no figure is being counted."""
    expect(tab.locator("[data-counting]")).to_have_count(0, timeout=20_000)


def press(tab: Page, key: str) -> None:
    """Press a key once the page hears keys."""
    tab.wait_for_selector("html[data-ready]")
    tab.keyboard.press(key)


def findings(tab: Page, path: str) -> list[tuple[str, str, str]]:
    """Open a page, and return what axe finds wrong with it, and whether anything of it is cut off."""
    tab.goto(path)
    counted(tab)
    expect(tab.locator("h1")).to_be_visible()
    found = Axe().run(tab).response["violations"]
    wrong = [(path, one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS]
    if not tab.evaluate("document.scrollingElement.scrollWidth <= innerWidth"):
        wrong.append((path, "wider than the screen", ""))
    return wrong


def test_every_page_opens_and_axe_finds_nothing_serious(page: Page) -> None:
    assert [wrong for path in MENU for wrong in findings(page, path)] == []


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A store that has something to show on every page, seen from a folder with a skill and a draft."""
    for folder in (".claude/skills/deploying", ".treering/drafts/releasing"):
        (tmp_path / folder).mkdir(parents=True)
        text = f"---\nname: {folder.rpartition('/')[2]}\ndescription: How it is done here\n---\n\nRun `make it`.\n"
        (tmp_path / folder / "SKILL.md").write_text(text)
    home = tmp_path / "home"
    then = datetime(2026, 4, 20, tzinfo=UTC).timestamp()
    with monkeypatch.context() as early, treering.open(home, actor="user") as memory:
        early.setattr(time, "time_ns", lambda: int(then * 1e9))
        memory.remember("Reviews need one approval", project="shop")
    with treering.open(home, actor="user") as memory:
        for text in ("Deploys go out on Fridays", "The staging database listens on port 5433"):
            memory.remember(text, type="semantic", project="shop")
        surface(memory, "Upgrade tailwind in two steps with a lock", "monday", "tuesday", "friday")
        for text in ("checkout depends on redis", "redis depends on Docker", "checkout uses PostgreSQL"):
            memory.remember(text, project="shop")
        memory.remember("The staging database listens on port 5434", type="semantic", project="shop")
        found = memory.recall("when do deploys go out", 1, project="shop", session="monday")
        memory.feedback(found.id, found.hits[0].memory.id, "helpful")
        memory.maintenance.hygiene()
        memory.proposals.analyze()
    with Served(str(home), str(tmp_path)) as served:
        yield served


def places(served: Served) -> list[str]:
    """Return the address of every page, and of each thing that a page can show."""
    memory = served.app.desk.memory
    one = max(memory.list(), key=lambda one: one.accesses).id
    recall = next(iter(memory.store.events(EventQuery(kinds=(RECALLED,), newest=True)))).id
    more = (
        f"/memories/{one}",
        f"/memories/{one}?as_of=2999-01-01",
        f"/?why={recall}",
        f"/ledger?event={one}",
        "/nothing",
    )
    views = ("view=timeline", "q=deploys", "as_of=2026-05-01", "q=deploys&as_of=2999-01-01", "tag=none")
    return [*MENU, *more, *(f"/memories?{view}" for view in views), "/ledger?session=monday", "/health?verify=1", "/no"]


LOOKS: dict[str, dict[str, Any]] = {
    "by day": {"viewport": {"width": 1280, "height": 800}},
    "in the dark": {"color_scheme": "dark"},
    "on a narrow screen": {"viewport": {"width": 360, "height": 740}},
    "narrow and dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}


@pytest.mark.long
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious_and_nothing_is_cut_off(chromium: Browser, full: Served, look: str) -> None:
    for tab in opened(chromium, full, quiet=("404",), **LOOKS[look]):
        assert [wrong for path in places(full) for wrong in findings(tab, path)] == []


class Person:
    """Somebody who sees the dashboard for the first time: they click what can be seen."""

    def __init__(self, tab: Page) -> None:
        self.tab, self.steps = tab, 0
        tab.goto("/")

    def click(self, one: Locator) -> None:
        one.first.click()  # playwright waits until it can be seen and nothing lies above it
        self.steps += 1

    def search(self, text: str) -> None:
        self.tab.get_by_role("searchbox").first.fill(text)
        self.tab.keyboard.press("Enter")
        self.steps += 1


@pytest.mark.long
class TestInAMinute:
    """What a new user wants to know or do, in a few steps and by what is visible alone."""

    @pytest.fixture
    def tab(self, chromium: Browser, full: Served) -> Iterator[Page]:
        yield from opened(chromium, full)

    def test_what_was_shown_and_why(self, tab: Page) -> None:
        person = Person(tab)
        person.click(tab.get_by_role("link", name="Why, and why not the next best"))
        expect(tab.locator("#why")).to_contain_text("score")
        assert person.steps == 1

    def test_undo_a_wrong_fact(self, tab: Page) -> None:
        person = Person(tab)
        person.search("deploys fridays")
        person.click(tab.get_by_role("link", name="Deploys go out on Fridays"))
        person.click(tab.get_by_role("button", name="Forget"))
        expect(tab.get_by_role("status")).to_contain_text("forgot")
        assert person.steps == 3

    def test_accept_a_skill(self, tab: Page) -> None:
        person = Person(tab)
        person.click(tab.get_by_role("link", name="wait for you"))
        person.click(tab.get_by_role("button", name="Accept"))
        expect(tab.locator(".notice")).to_contain_text("accepted")
        assert person.steps == 2

    def test_who_said_that_and_when(self, tab: Page) -> None:
        person = Person(tab)
        person.search("staging database port")
        person.click(tab.get_by_role("link", name="The staging database listens on port 5433"))
        expect(tab.locator("main")).to_contain_text("Said by user")
        assert person.steps == 2

    def test_what_it_believed_on_a_day(self, tab: Page) -> None:
        person = Person(tab)
        person.click(tab.get_by_role("link", name="Memories", exact=True))
        tab.get_by_label("As of", exact=True).evaluate("one => { one.value = '2026-05-01'; }")
        person.click(tab.get_by_role("button", name="Show"))
        expect(tab.locator("main")).to_contain_text("the memory as of 2026-05-01")
        expect(tab.locator(".list")).to_contain_text("Reviews need one approval")
        expect(tab.locator(".list tbody tr")).to_have_count(1)
        assert person.steps == 2


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
def test_what_hooks_do_is_seen_while_they_do_it_in_two_tabs(home: Path, page: Page, tmp_path: Path) -> None:
    page.goto("/")
    other = page.context.new_page()
    other.goto("/")
    page.wait_for_timeout(500)
    prompt = {"session_id": "tuesday", "cwd": str(tmp_path), "prompt": "which port has the staging database"}
    assert hook("UserPromptSubmit", prompt, home).code == 0
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
