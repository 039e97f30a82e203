"""A team's server: each token opens one person's view, by every tool and page, and no more than their role."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import postgres
from tests.surfaces.mcp.agents import LEGACY, MODERN, over_http
from tests.surfaces.team.served import HOST, Agent, Browser, Team
from treering.ledger.events import ADMITTED
from treering.surfaces.mcp.tools import chosen
from treering.surfaces.ui.acts import ACTS
from treering.surfaces.ui.pages import PAGES

PLAIN = "Deploys happen on Tuesdays, after the nightly backup"
OWN = "My shingles medication makes me drowsy until noon"
KEPT = "The acquisition of Marlowe Cartography closes in June"
WORDS = ("shingles", "drowsy", "Marlowe", "acquisition")


@pytest.fixture(scope="module", params=["file", pytest.param("postgres", marks=postgres.needed)])
def team(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    store, space = ("", "shop")
    if request.param == "postgres":
        store, space = postgres.server().address, postgres.server().new_space()
    with Team(tmp_path_factory.mktemp("team"), store, space) as served:
        yield served


@pytest.fixture(scope="module")
def tokens(team: Team) -> dict[str, str]:
    """Return a token of each role; Anna's agent and browser have been there."""
    roles = {"anna": "admin", "bob": "writer", "rita": "reader", "vera": "reviewer"}
    made = {person: team.admit(person, role) for person, role in roles.items()}
    Agent(team, made["anna"]).done("store_memory", content=KEPT, private=True)
    Agent(team, made["anna"]).done("store_memory", content=PLAIN)
    with team.open() as memory, ExitStack() as stack:
        from treering.compose import open_for
        from treering.ledger.people import Member

        anna = stack.enter_context(open_for(Member("admin", "anna"), str(team.home), **team.given))
        anna.remember(OWN, scope="user")
        assert memory.context.space == team.given["space"]
    Agent(team, made["anna"]).done("recall_memories", query="shingles medication, the acquisition of Marlowe")
    return made


def ids(team: Team) -> dict[str, str]:
    with team.open() as memory:
        return {one.content: one.id for one in memory.ledger.store.records()}


@pytest.mark.parametrize("era", [MODERN, LEGACY])
def test_an_official_client_comes_in_with_a_token(team: Team, tokens: dict[str, str], era: str) -> None:
    """In either era, and in the project that the address names."""
    url = f"http://{HOST}:{team.port}/mcp?project=kitchen"
    with over_http(url, tokens["bob"], era) as bob, over_http(url, tokens["vera"], era) as vera:
        made = bob.call("store_memory", content=f"The kettle is on floor two ({era})")["id"]
        assert vera.call("get_memory", memory_id=made)["id"] == made
    with team.open() as memory:
        assert memory.get(made).project == "kitchen"
        assert memory.history(made)[0].actor == "agent:bob"


def test_each_agent_sees_its_own_persons_view(team: Team, tokens: dict[str, str]) -> None:
    """By every tool that is given what it asks for, and by the resources."""
    known = ids(team)
    assert WORDS[2] in str(Agent(team, tokens["anna"]).call("recall_memories", query="when does the acquisition close"))
    for person in ("bob", "rita", "vera"):
        agent = Agent(team, tokens[person])
        for tool in chosen("all"):
            for id in (known[KEPT], known[OWN]):
                fields = tool.input_schema["properties"]
                given = {name: id for name in fields if name.endswith("id")}
                given |= {name: [id] for name in fields if name in ("memory_ids", "made_of", "ids")}
                given |= {name: "what do you know" for name in ("query", "content", "reason", "text") if name in fields}
                reply = agent.post("tools/call", name=tool.name, arguments=given)
                assert not any(word in reply.text for word in WORDS), (tool.name, reply.text)
        for uri in ("treering://MEMORY.md", f"treering://memory/{known[KEPT]}"):
            assert not any(word in agent.post("resources/read", uri=uri).text for word in WORDS)
        found = agent.done("recall_memories", query="when do deploys happen")
        assert "Tuesdays" in str(found)


def test_what_an_agent_says_of_its_user_stays_with_the_user(team: Team, tokens: dict[str, str]) -> None:
    """Though it is kept for this project alone, as not every project is told on an agent's word."""
    said = "The user is allergic to penicillin and carries a card"
    made = Agent(team, tokens["anna"]).done("store_memory", content=said, scope="user")["id"]
    assert said in str(Agent(team, tokens["anna"]).done("get_memory", memory_id=made))
    assert Agent(team, tokens["bob"]).call("get_memory", memory_id=made)["isError"]
    assert "penicillin" not in Browser(team, tokens["bob"]).send("GET", "/memories").text


def test_each_browser_sees_its_own_persons_view(team: Team, tokens: dict[str, str]) -> None:
    """By every page, as it is and as it was, and as JSON."""
    known = ids(team)
    for person in ("bob", "rita", "vera"):
        browser = Browser(team, tokens[person])
        assert browser.signed.status == 303
        for page in PAGES:
            addresses = [one.replace("{id}", id) for one in (page.path, page.json) for id in (known[KEPT], known[OWN])]
            for path in dict.fromkeys(addresses):
                for query in ("", "?as_of=2030-01-01", "?project=web", "?limit=1000"):
                    reply = browser.send("GET", path + query)
                    assert not any(word in reply.text for word in WORDS), (path, query)
                    assert reply.status == (404 if "{id}" in page.path else 403 if page.machine else 200), path
            for asked in WORDS:  # what was asked for is told again, and nothing of what it is in
                text = browser.send("GET", f"{page.json}?q={asked}&name={asked}&entity={asked}").text
                assert not any(word in text for word in WORDS if word != asked), (page.json, asked)
        assert "Tuesdays" in browser.send("GET", "/memories").text
    assert "Marlowe" in Browser(team, tokens["anna"]).send("GET", "/memories").text


def test_a_machine_is_shown_to_an_admin_alone(team: Team, tokens: dict[str, str]) -> None:
    """Settings may hold the address of the database."""
    for person, status in {"bob": 403, "rita": 403, "vera": 403, "anna": 200}.items():
        browser = Browser(team, tokens[person])
        for path in ("/settings", "/health", "/skills", "/settings.json"):
            assert browser.send("GET", path).status == status, (person, path)


def test_a_reader_changes_nothing(team: Team, tokens: dict[str, str]) -> None:
    """By no tool and no form."""
    known = ids(team)
    with team.open() as memory:
        before = memory.ledger.store.heads()
    agent, browser = Agent(team, tokens["rita"]), Browser(team, tokens["rita"])
    assert agent.call("store_memory", content="A reader was here")["isError"]
    agent.call("recall_memories", query="when do deploys happen")
    for path in ACTS:
        fields = {"text": "otherwise", "verdict": "helpful", "recall": "last", "sure": "purge", "keep": "older"}
        fields |= {"answer": "yes", "event": known[PLAIN], "session": "x", "value": "0"}
        reply = browser.act(path.replace("{id}", known[PLAIN]), **fields)
        assert reply.status >= 400, (path, reply)
    with team.open() as memory:
        assert memory.ledger.store.heads() == before


def test_a_writer_does_not_review_and_a_reviewer_does_not_purge(team: Team, tokens: dict[str, str]) -> None:
    """And an edit is open to both, and names them."""
    known = ids(team)
    for person, path, fields in (
        ("bob", "/undo", {"event": known[PLAIN]}),
        ("bob", "/settings/decay", {"value": "age"}),
        ("bob", f"/memories/{known[PLAIN]}/purge", {"sure": "purge"}),
        ("vera", f"/memories/{known[PLAIN]}/purge", {"sure": "purge"}),
        ("vera", "/settings/decay", {"value": "age"}),
        ("bob", f"/memories/{known[OWN]}/forget", {}),
        ("anna", "/memories/nobody-1/forget", {}),
    ):
        assert Browser(team, tokens[person]).act(path, **fields).status in (403, 404), (person, path)
    made = Browser(team, tokens["bob"]).act(f"/memories/{known[PLAIN]}/feedback", recall="last", verdict="helpful")
    assert made.status in (200, 400, 404)
    assert not (team.home / "config.toml").exists()


def test_a_token_that_was_taken_back_opens_nothing(team: Team, tokens: dict[str, str]) -> None:
    """Neither a new request nor a browser that had signed in."""
    token = team.admit("mallory", "admin")
    agent, browser = Agent(team, token), Browser(team, token)
    assert agent.post("tools/list").status == 200
    assert browser.send("GET", "/memories").status == 200
    team.revoke("mallory")
    assert agent.post("tools/list").status == 401
    assert browser.send("GET", "/memories").status == 403
    assert Browser(team, token).signed.status == 403


def test_strangers_stay_outside(team: Team, tokens: dict[str, str]) -> None:
    """Without a token, with a wrong one, under another name, or from another page."""
    url = {"origin": "http://evil.example"}
    for path in ("/", "/memories", "/memories.json", "/pulse.json", "/settings"):
        assert team.send("GET", path).status == 403
        assert team.send("GET", path, cookie=f"treering-{team.port}={tokens['anna']}").status == 403
        assert team.send("GET", path, host="evil.example").status == 421
    for wrong in ("", "x", tokens["anna"][:-1], tokens["anna"].swapcase()):
        assert Agent(team, wrong).post("tools/list").status == 401
        assert Browser(team, wrong).signed.status == 403
    assert team.send("POST", "/open", f"token={tokens['anna']}", **url).status == 403
    assert team.send("POST", "/open", f"token={tokens['anna']}").status == 403
    assert team.send("POST", "/mcp", "{}", authorization=f"Bearer {tokens['anna']}", **url).status == 403
    browser = Browser(team, tokens["anna"])
    assert browser.send("POST", "/memories/x-1/forget", "token=", origin="http://evil.example").status == 403


def test_no_token_is_in_the_store(team: Team, tokens: dict[str, str]) -> None:
    """Its hash is, and who gave it."""
    with team.open() as memory:
        text = str([*memory.ledger.store.events()])
    assert ADMITTED in text
    assert not any(token in text for token in tokens.values())
    files = [one for one in team.home.rglob("*") if one.is_file()]
    assert not any(token.encode() in one.read_bytes() for one in files for token in tokens.values())


def test_a_proxy_brings_another_name(tmp_path: Path) -> None:
    """Requests under it are let in, cookies go over TLS alone, and no other name is taken."""
    with Team(tmp_path, "", "shop", "https://memory.example.org") as team:
        token = team.admit("anna", "writer")
        here = {"host": "memory.example.org", "origin": "https://memory.example.org"}
        signed = team.send("POST", "/open", f"token={token}", **here)
        assert signed.status == 303 and "secure" in signed.headers["set-cookie"].lower()
        plain = {**here, "origin": "http://memory.example.org"}
        assert team.send("POST", "/open", f"token={token}", **plain).status == 403
        assert team.send("GET", "/", host="memory.example.com").status == 421


def test_the_command_serves_until_it_is_ended(tmp_path: Path) -> None:
    """It prints where, and ends when it is told to."""
    words = [sys.executable, "-m", "treering", "--home", str(tmp_path), "serve", "--port", "0", "--space", "shop"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert line.startswith("serving at http://127.0.0.1:"), line
        server.terminate()
        assert server.wait(60) in (0, 130, -15)
