"""A person decides in a chat client: on a page of ours, by tools that no model may call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.mcp.agents import LEGACY, Agent, over_stdio
from tests.surfaces.mcp.conftest import Place
from tests.surfaces.mcp.living import PROJECT
from tests.surfaces.ui.browser import CHROMIUM, MISSING, browser
from treering.surfaces.mcp.front import MIME
from treering.surfaces.mcp.tools.nonces import MOST, Nonces
from treering.surfaces.mcp.tools.review import APP, VIEW, page

HOST = """
<iframe id="view" sandbox="allow-scripts" style="width: 600px; height: 600px"></iframe>
<script>
window.addEventListener("message", async (event) => {
  const { id, method, params } = event.data;
  const say = (result) => event.source.postMessage({ jsonrpc: "2.0", id, result }, "*");
  if (method === "ui/initialize") say({ protocolVersion: "2026-01-26", hostCapabilities: {}, hostContext: {} });
  if (method === "tools/call") say(JSON.parse(await window.toServer(JSON.stringify(params))));
});
</script>
"""


@pytest.fixture
def host(place: Place, tmp_path: Path) -> Iterator[Agent]:
    """A client that shows apps, on a store of its own in which three kinds of things wait."""
    own = place.copy(tmp_path)
    waits(own.home)
    with over_stdio(own.home, "--project", PROJECT, mode=LEGACY, folder=tmp_path, apps=True) as found:
        yield found


def waits(home: Path) -> None:
    with treering.open(home, actor="user", project=PROJECT) as memory:
        memory.remember("The staging database listens on port 6543")
        memory.truth.look()
        steps = [one.id for one in memory.list() if one.type == "procedural"]
        memory.proposals.induce(steps, name="bake-bread", description="Bake the bread. Use in the morning.")


def items(host: Agent) -> dict[str, dict[str, Any]]:
    """What the page is given, by kind."""
    result = host.result("review_items", {})
    assert result.meta is not None and not result.is_error
    return {one["kind"]: one for one in result.meta["treering/items"]}


def test_a_client_that_shows_apps_is_offered_the_page(host: Agent) -> None:
    """A tool for the model, two for the page alone, and the page as a resource of its own kind."""
    listed = {tool.name: tool.meta["ui"] for tool in host.ask("list_tools").tools if tool.meta and "ui" in tool.meta}
    assert listed == {
        "review": {"resourceUri": VIEW, "visibility": ["model", "app"]},
        "review_items": {"resourceUri": VIEW, "visibility": ["app"]},
        "review_decide": {"resourceUri": VIEW, "visibility": ["app"]},
    }
    (shown,) = host.ask("read_resource", VIEW).contents
    assert (shown.mime_type, shown.text) == (MIME, page())
    assert VIEW in [str(one.uri) for one in host.ask("list_resources").resources]
    nothing_for_a_model(host)


def nothing_for_a_model(host: Agent) -> None:
    """What decides is neither in the text nor in the JSON of an answer, so that a model cannot take it from there."""
    result = host.result("review_items", {})
    assert result.meta is not None
    seen = json.dumps([part.model_dump() for part in result.content]) + json.dumps(result.structured_content)
    assert result.structured_content == {"waiting": len(result.meta["treering/items"])}
    for one in result.meta["treering/items"]:
        assert one["nonce"] not in seen and one["id"] not in seen


def test_the_page_loads_nothing_and_writes_no_html() -> None:
    """What memories say is shown as text."""
    assert page().startswith("<!doctype html>")
    for word in ("http:", "https:", "src=", "href=", "innerHTML", "insertAdjacentHTML", "eval("):
        assert word not in page()


def test_another_client_has_the_text_alone(place: Place) -> None:
    """And cannot call what is for the page."""
    with over_stdio(place.home, "--tools", "all", "--project", PROJECT, folder=place.folder) as agent:
        names = {tool.name for tool in agent.ask("list_tools").tools}
        assert {tool.name for tool in APP} & names == {"review"}
        told = agent.call("review")
        assert {row["kind"] for row in told["waiting"]} >= {"invariant"} and "treering review" in told["note"]
        for name in ("review_items", "review_decide"):
            assert "there is no tool" in agent.refused(name, id="x", answer="accept", nonce="x")


def test_a_person_decides_and_it_is_theirs(host: Agent, tmp_path: Path) -> None:
    """Of each kind one; what was decided waits no more, and counts as said by the user."""
    waiting = items(host)
    assert {*waiting} == {"contradiction", "invariant", "proposal"}
    answers = {"contradiction": "B", "invariant": "yes", "proposal": "reject"}
    for kind, answer in answers.items():
        one = waiting[kind]
        done = host.call("review_decide", id=one["id"], answer=answer, nonce=one["nonce"])
        assert "treering undo" in done["note"]
        assert "it no longer waits" in host.refused("review_decide", id=one["id"], answer=answer, nonce=one["nonce"])
    with treering.open(tmp_path / "home") as memory:
        newest = [*memory.store.events()][-3:]
        assert {event.actor for event in newest} == {"user"}
        assert all(one.id != waiting["contradiction"]["id"] for one in memory.truth.contradictions())


def test_a_word_decides_once_and_only_what_was_shown_with_it(host: Agent) -> None:
    """Without it, with that of another thing, and after what was shown has changed, nothing is decided."""
    waiting = items(host)
    proposal, invariant = waiting["proposal"], waiting["invariant"]
    for nonce in ("", "x" * 22, invariant["nonce"]):
        said = host.refused("review_decide", id=proposal["id"], answer="accept", nonce=nonce)
        assert "open the page again" in said
    assert "open the page again" in host.refused(  # that word was spent on the wrong thing
        "review_decide", id=invariant["id"], answer="no", nonce=invariant["nonce"]
    )
    assert items(host)["proposal"]["id"] == proposal["id"]


def test_words_are_let_go() -> None:
    """The oldest first, so that nobody fills the server with them."""
    nonces = Nonces()
    first = nonces.give("a")
    for _ in range(MOST):
        last = nonces.give("b")
    assert not nonces.take(first, "a") and nonces.take(last, "b") and not nonces.take(last, "b")


@pytest.mark.long
@pytest.mark.skipif(not CHROMIUM, reason=MISSING)
def test_the_page_in_a_real_browser(host: Agent) -> None:
    """In a frame that may do nothing but run its own script: each button decides, and says what came of it."""

    def call(params: str) -> str:
        asked = json.loads(params)
        return host.result(asked["name"], asked["arguments"]).model_dump_json(by_alias=True, exclude_none=True)

    with browser() as launched:
        tab = launched.new_page()
        tab.set_default_timeout(120_000)
        tab.expose_function("toServer", call)  # in every frame: the page has a function "call" of its own
        tab.set_content(HOST)
        tab.evaluate("text => { document.getElementById('view').srcdoc = text }", page())
        view = tab.frame_locator("#view")
        view.locator("article").first.wait_for()
        for button in ("B holds", "It still holds", "Reject"):
            view.get_by_role("button", name=button).first.click()
        view.locator(".done").nth(2).wait_for()
        assert view.locator(".wrong").count() == 0
