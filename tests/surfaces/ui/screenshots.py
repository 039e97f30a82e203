"""`make screenshots`: play a life through the hooks, and take a picture of each page for the docs.

    python -m tests.surfaces.ui.screenshots [--life NAME] [--into FOLDER]

The life has its own clock, and the pages are looked at an hour after its end, so that the pictures do not depend on
the day. What they look like depends on the fonts of the machine: Debian's fonts-noto-core and
fonts-noto-color-emoji were there for those in the docs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page

import treering
from benchmarks.lives.entry import Inside
from benchmarks.lives.life import OURS, read
from benchmarks.lives.play import Player
from benchmarks.lives.systems import SYSTEMS
from tests.surfaces.ui.browser import CHROMIUM, MISSING, browser
from tests.surfaces.ui.served import Served
from treering.surfaces.ui.pages import PAGES

DOCS = Path(__file__).parents[3] / "docs" / "ui"
LATER = timedelta(hours=1)
SIZE, NARROW = {"width": 1120, "height": 740}, {"width": 390, "height": 740}
ABOVE = {"health": 560}  # units: below it, a page names folders of this machine
SHOWN = {"Review": "/review?kind=proposals", "Memories": "/memories?as_of=2026-03-14"}
LARGEST = 150_000  # bytes of a picture


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.surfaces.ui.screenshots", description="Pictures of pages.")
    parser.add_argument("--life", default="shop-backend", help="a life of benchmarks/lives/data")
    parser.add_argument("--into", type=Path, default=DOCS, help="the folder of the pictures")
    options = parser.parse_args(arguments)
    if not CHROMIUM:
        print(MISSING)
        return 0
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        life, home = read(OURS / f"{options.life}.json"), Path(folder) / "home"
        home.mkdir()
        entry = Inside(home, {})
        player = Player(life, SYSTEMS["treering"](life, Path(folder), entry), home)
        player.play()
        root = Path(folder) / "work" / life.projects[0]
        seen = int((player.end + LATER).timestamp() * 1e9)
        time.time_ns, time.time = lambda: seen, lambda: seen / 1e9
        store = str(home / ".treering")
        with treering.open(store, actor="user") as memory:
            memory.proposals.analyze()
        os.chdir(root)
        with Served(store, str(root)) as served, browser() as chromium:
            _shoot(served, chromium, options.into)
    large = [path.name for path in options.into.glob("*.png") if path.stat().st_size > LARGEST]
    print(f"{len([*options.into.glob('*.png')])} pictures" + (f"; too large: {', '.join(large)}" if large else ""))
    return 1 if large else 0


def _shoot(served: Served, chromium: Browser, into: Path) -> None:
    context = chromium.new_context(base_url=served.base, viewport=SIZE)  # type: ignore[arg-type]
    tab = context.new_page()
    tab.goto(f"/open?token={served.token}")
    tab.wait_for_url("**/")
    for page in PAGES:
        if page.title == "Skills":  # of which there is one, once a proposal was accepted
            tab.goto("/review?kind=proposals")
            tab.get_by_role("button", name="Accept").first.click()
            tab.wait_for_selector(".notice")
        if page.key:
            _take(tab, SHOWN.get(page.title, page.path), into / f"{page.title.lower()}.png")
    used = max(served.app.desk.memory.list(), key=lambda one: one.accesses)
    _take(tab, f"/memories/{used.id}", into / "memory.png")
    shown = next(item for item in _items(tab) if item["what"] == "recall" and item["hits"])
    _take(tab, f"/?why={shown['id']}", into / "why.png")
    tab.emulate_media(color_scheme="dark")
    _take(tab, "/", into / "dark.png")
    tab.set_viewport_size(NARROW)  # type: ignore[arg-type]
    tab.emulate_media(color_scheme="light")
    _take(tab, "/", into / "narrow.png")
    context.close()


def _items(tab: Page) -> list[dict[str, object]]:
    told = tab.request.get("/now.json").json()
    return [item for session in told["sessions"] for item in session["items"]]


def _take(tab: Page, path: str, picture: Path) -> None:
    tab.goto(path)
    tab.wait_for_selector("[data-counting]", state="detached", timeout=120_000)
    height = ABOVE.get(picture.stem, 0)
    tab.screenshot(path=picture, clip={"x": 0, "y": 0, **SIZE, "height": height} if height else None)  # type: ignore[arg-type]
    print(picture.name, f"{picture.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    sys.exit(main())
