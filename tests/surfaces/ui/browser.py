"""A real browser: Debian's chromium, driven by playwright. Nothing is downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
MISSING = "no chromium on this machine: `apt-get install chromium` for the tests of the dashboard in a browser"


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser; as root it has no sandbox of its own."""
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield launched
        finally:
            launched.close()
