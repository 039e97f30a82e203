"""Text of memories is text: whatever stands in it, in every field and on every page."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest

import treering
from tests.surfaces.ui.hostile import HOSTILE
from tests.surfaces.ui.served import Served
from treering.surfaces.cli.render import safe

# Tags that a page of ours has; of the dangerous ones, as often as the frame has them.
ONCE = {"script": 1, "meta": 3, "body": 1, "link": 2, "title": 1, "main": 1}
NEVER = {"iframe", "object", "base", "style", "math", "embed"}
NAMES = ("tags", "project", "session", "language")
FIELDS = ("problem", "approach", "gotchas", "trigger", "action", "outcome")


class Tags(HTMLParser):
    """Count the tags of a page, and gather its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.attributes: set[str] = set()
        self.targets: set[str] = set()
        self._pictures = 0  # that are open: a column has a title of its own
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._pictures += tag == "svg"
        self.counts[tag] = self.counts.get(tag, 0) + (tag != "title" or not self._pictures)
        self.attributes |= {name for name, _ in attrs}
        self.targets |= {str(value) for name, value in attrs if name in ("href", "src", "action", "formaction")}

    def handle_endtag(self, tag: str) -> None:
        self._pictures -= tag == "svg"


def row(place: int, text: str) -> dict[str, object]:
    """Return a memory with the text as its content, and in one other field."""
    field = (*NAMES, *FIELDS)[place % len(NAMES + FIELDS)]
    name = "".join(filter(str.isprintable, text))  # nothing else can be a name
    return {"content": text, field: [name] if field == "tags" else name if field in NAMES else text}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("hostile") / "home"
    with treering.open(home, actor="user") as memory:
        memory.remember_many(row(place, text) for place, text in enumerate(HOSTILE))
        for text in HOSTILE[::50]:
            memory.recall(f"window hurt {text}", 3)
    return home


def check(page: str) -> None:
    tags = Tags(page)
    assert not NEVER & {*tags.counts}
    assert all(tags.counts.get(tag, 0) == count for tag, count in ONCE.items()), tags.counts
    assert not [name for name in tags.attributes if name.startswith("on") or name in ("style", "srcdoc")]
    assert all(target.startswith(("/", "?", "#")) for target in tags.targets)
    assert "\u202e" not in page and "\x00" not in page and "\x1b" not in page


def test_a_thousand_contents_are_text_on_every_page(home: Path, tmp_path: Path) -> None:
    assert len(HOSTILE) >= 1_000
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        seen, after = 0, ""
        while True:
            page, data = served.get(f"/memories?after={after}").text, served.get(f"/memories.json?after={after}").json
            check(page)
            shown = unescape(page)
            assert all(safe(one["content"]).splitlines()[0] in shown for one in data["memories"])
            seen += len(data["memories"])
            if not (after := data["next"]):
                break
        assert seen == len(HOSTILE)
        for path in (
            "/",
            "/review",
            "/memories?view=timeline",
            "/memories?q=window+hurt",
            "/memories?project=%3Cb%3E",
            "/ledger",
            "/skills",
            "/settings",
        ):
            check(served.get(path).text)


def test_one_memory_is_text_in_every_field(home: Path, tmp_path: Path) -> None:
    with treering.open(home) as memory:
        ids = [one.id for one in memory.list()][::40]
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        for id in ids:
            check(served.get(f"/memories/{id}").text)


def test_what_a_visitor_types_is_text_too(home: Path, tmp_path: Path) -> None:
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        for text in HOSTILE[::25]:
            for path in (
                f"/memories?tag={quote(text)}",
                f"/memories?type={quote(text)}",
                f"/memories/{quote(text, '')}",
            ):
                answer = served.get(path)
                assert answer.status in (200, 400, 404)
                check(answer.text)
