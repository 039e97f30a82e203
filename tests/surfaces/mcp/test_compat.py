"""The nine tools of server-memory: an agent that knows them finds everything as it was there."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.surfaces.mcp.agents import LEGACY, MODERN, Agent, over_stdio, text_of

ADA = {"name": "Ada", "entityType": "person", "observations": ["Likes tea", "Works <nights>"]}
SHOP = {"name": "Shop", "entityType": "project", "observations": []}
WORKS = {"from": "Ada", "to": "Shop", "relationType": "works on"}


@pytest.fixture(scope="module", params=[MODERN, LEGACY])
def agent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    home = tmp_path_factory.mktemp("graph") / "home"
    with over_stdio(home, "--compat", "server-memory", mode=request.param) as found:
        yield found


def test_the_nine_tools_answer_as_they_do_there(agent: Agent) -> None:
    """In their shapes: what is made is told if it is new, what is deleted is gone, and a program can read the text."""
    names = {tool.name: {*tool.input_schema["properties"]} for tool in agent.ask("list_tools").tools}
    assert names == {
        "create_entities": {"entities"},
        "create_relations": {"relations"},
        "add_observations": {"observations"},
        "delete_entities": {"entityNames"},
        "delete_observations": {"deletions"},
        "delete_relations": {"relations"},
        "read_graph": set(),
        "search_nodes": {"query"},
        "open_nodes": {"names"},
    }
    assert agent.call("create_entities", entities=[ADA, SHOP]) == {"entities": [ADA, SHOP]}
    assert agent.call("create_entities", entities=[ADA]) == {"entities": []}
    assert agent.call("create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    more = [{"entityName": "Ada", "contents": ["Likes tea", "Speaks Welsh"]}]
    added = {"entityName": "Ada", "addedObservations": ["Speaks Welsh"]}
    assert agent.call("add_observations", observations=more) == {"results": [added]}
    graph = agent.result("read_graph", {})
    assert graph.structured_content is not None and "<" not in text_of(graph)
    assert json.loads(text_of(graph)) == graph.structured_content
    assert json.loads(agent.ask("read_resource", "memory://knowledge-graph").contents[0].text)["relations"] == [WORKS]
    assert [one["name"] for one in agent.call("search_nodes", query="welsh")["entities"]] == ["Ada"]
    opened = agent.call("open_nodes", names=["Shop", "Nobody"])
    assert [one["name"] for one in opened["entities"]] == ["Shop"]
    gone = agent.call("delete_observations", deletions=[{"entityName": "Ada", "observations": ["Likes tea"]}])
    assert gone["success"] and "deleted" in gone["message"]
    assert agent.call("delete_relations", relations=[WORKS])["success"]
    assert agent.call("delete_entities", entityNames=["Shop"])["success"]
    left = {"name": "Ada", "entityType": "person", "observations": ["Works <nights>", "Speaks Welsh"]}
    assert agent.call("read_graph") == {"entities": [left], "relations": []}


def test_bad_arguments_are_told_there_too(agent: Agent) -> None:
    """With the words of that server where it has some."""
    unknown = [{"entityName": "Nobody", "contents": ["x"]}]
    assert "Entity with name Nobody not found" in agent.refused("add_observations", observations=unknown)
    for tool, given, told in (
        ("create_entities", {}, "what is missing is `entities`"),
        ("create_entities", {"entities": [{"name": "x"}]}, "entities[0]"),
        ("create_relations", {"relations": [{"from": "x"}]}, "relations[0]"),
        ("delete_entities", {"names": ["x"]}, "entityNames"),
        ("delete_observations", {"deletions": "x"}, "deletions[0]: expected `object`"),
        ("delete_relations", {"relations": [5]}, "relations[0]"),
        ("read_graph", {"all": True}, "it takes no arguments"),
        ("search_nodes", {"query": "x" * 2_049}, "length at most 2048"),
        ("open_nodes", {"names": [7]}, "names[0]: expected `str`"),
    ):
        assert told in agent.refused(tool, **given), tool
