"""The pages: each has an address, a template, the same as JSON, and a command that says the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from treering.surfaces.ui.desk import Asked
from treering.surfaces.ui.pages import graph, health, learning, ledger, memories, memory, now, review, settings, skills


class Page(NamedTuple):
    """One page. Those with a key stand in the menu."""

    title: str
    path: str
    template: str
    command: str  # of the command line, that says the same
    read: Callable[[Asked], dict[str, Any]]
    key: str = ""  # pressed after g
    dated: bool = False  # it can be seen as of a day
    live: bool = False  # it shows what happens while it is looked at
    machine: bool = False  # it tells of the machine that serves it

    @property
    def json(self) -> str:
        return "/now.json" if self.path == "/" else f"{self.path}.json"


PAGES = (
    Page("Now", "/", "now.html", "treering log --sessions", now.read, "n", live=True),
    Page("Memories", "/memories", "memories.html", "treering list", memories.read, "m", dated=True),
    Page("Memory", "/memories/{id}", "memory.html", "treering show", memory.read, dated=True),
    Page("Review", "/review", "review.html", "treering review", review.read, "r"),
    Page("Graph", "/graph", "graph.html", "treering graph show NAME", graph.read, "g"),
    Page("Learning", "/learning", "learning.html", "treering stats", learning.read, "l"),
    Page("Health", "/health", "health.html", "treering doctor", health.read, "h", machine=True),
    Page("Ledger", "/ledger", "ledger.html", "treering log", ledger.read, "e"),
    Page("Skills", "/skills", "skills.html", "treering skills list", skills.read, "s", machine=True),
    Page("Settings", "/settings", "settings.html", "treering config list", settings.read, "t", machine=True),
)
