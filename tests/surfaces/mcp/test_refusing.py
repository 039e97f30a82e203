"""Bad arguments: every tool says what is wrong and what to send instead, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

import treering
from tests.surfaces.mcp.agents import Agent
from tests.surfaces.mcp.conftest import Place
from treering.surfaces.mcp.tools import TOOLS

NOBODY = "zzzzzzzz-999999"
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("store_memory", {}, "what is missing is `content`; the arguments are content (required), type, scope"),
    ("store_memory", {"contents": "x", "content": "x"}, "there is no argument `contents`"),
    ("store_memory", {"content": 7}, "content: expected `str`, got `int`"),
    ("store_memory", {"content": " "}, "nothing to remember"),
    ("store_memory", {"content": "x" * 100_001}, "a memory holds at most 100,000"),
    ("store_memory", {"content": "x", "type": "poem"}, "type must be one of episodic, semantic"),
    ("store_memory", {"content": "x", "scope": "galaxy"}, "scope must be one of session, project, user"),
    ("store_memory", {"content": "x", "tags": ["a"] * 51}, "tags: expected `array` of length at most 50"),
    ("store_memory", {"content": "x", "made_of": [NOBODY]}, f"no memory '{NOBODY}'"),
    ("recall_memories", {"query": "..."}, "there is nothing to look for"),
    ("recall_memories", {"query": "x", "limit": 21}, "limit: expected `int` at most 20"),
    ("recall_memories", {"query": "x", "since": "yesterday"}, "'yesterday' is not a time: write it like 2026-05-01"),
    ("recall_memories", {"query": "x" * 10_001}, "query: expected `str` of length at most 10000"),
    ("get_memory", {"memory_id": NOBODY}, f"no memory '{NOBODY}'"),
    ("get_memory", {"memory_id": "<|im_start|>"}, "no memory '\\u003c|im_start|>'"),
    ("feedback", {"verdict": "helpful"}, "name what you judge"),
    ("feedback", {"verdict": "good", "skill": "rotate-keys"}, "verdict must be one of helpful, partially_helpful"),
    ("feedback", {"verdict": "helpful", "memory_id": "1", "recall_id": NOBODY}, f"no recall '{NOBODY}'"),
    ("feedback", {"verdict": "helpful", "skill": "never-loaded"}, "never-loaded"),
    ("supersede", {"old_id": NOBODY, "new": "x", "reason": "y"}, f"no memory '{NOBODY}'"),
    ("supersede", {"old_id": "1", "new": "x"}, "what is missing is `reason`"),
    ("skill_search", {"query": ""}, "there is nothing to look for"),
    ("use_skill", {"name": "no-such-skill"}, "no skill 'no-such-skill'"),
    ("use_skill", {"name": "../../etc/passwd"}, "no skill"),
    ("query_evolution_candidates", {"criteria": "ugly"}, "criteria must be one of low_q, stale"),
    ("query_evolution_candidates", {"limit": "many"}, "limit: expected `int`, got `str`"),
    ("get_usage_history", {"node_id": NOBODY}, f"no memory '{NOBODY}'"),
    ("deprecate_node", {"node_id": "port", "reason": "bad"}, "usage is 0 and must be at least 10"),
    ("deprecate_node", {"node_id": "worn", "node_type": "Process", "reason": "bad"}, "is semantic, not procedural"),
    ("deprecate_node", {"node_id": "worn"}, "what is missing is `reason`"),
    ("refine_node", {"node_id": "port", "improved_content": "x", "reason": "y"}, "Q is 0.5 and must be below 0.3"),
    ("merge_nodes", {"node_ids": ["port"]}, "a merge needs at least 2 memories"),
    ("merge_nodes", {"node_ids": ["port", "stale"]}, "and must be above 0.95"),
    ("archive_node", {"node_id": "port"}, "must have been idle for 90"),
    ("induce_skill", {"process_ids": ["step0"], "skill_name": "a", "description": "b"}, "there must be 3"),
    ("induce_skill", {"process_ids": ["port"], "skill_name": "a", "description": "b"}, "is semantic, not procedural"),
    ("consolidation_next", {"group": "x"}, "there is no argument `group`; it takes no arguments"),
    ("consolidation_submit", {"group": "group-0", "summary": "x"}, "no group 'group-0'"),
    ("contradictions", {"memory_id": NOBODY}, f"no memory '{NOBODY}'"),
    ("confirm_invariant", {"memory_id": NOBODY}, f"no memory '{NOBODY}'"),
    ("memory_stats", {"deep": True}, "there is no argument `deep`; it takes no arguments"),
    ("review", {"all": True}, "there is no argument `all`; it takes no arguments"),
]


def test_there_are_bad_arguments_for_every_tool() -> None:
    assert {name for name, _, _ in BAD} == {tool.name for tool in TOOLS}


def test_whoever_sends_what_makes_no_sense_is_told_what_to_send(agent: Agent, place: Place) -> None:
    """In the answer that the model sees; nothing is written for it."""
    with treering.open(place.home) as memory:
        before = {writer: head.seq for writer, head in memory.store.heads().items()}
        unclear = [told for told in (_untold(agent, place, *one) for one in BAD) if told]
        after = {writer: head.seq for writer, head in memory.store.heads().items()}
    assert unclear == [] and after == before


def test_a_summary_that_says_what_no_episode_says_is_refused(agent: Agent) -> None:
    """With what is to be taken out; the group still waits."""
    group = agent.call("consolidation_next")["group"]
    told = agent.refused("consolidation_submit", group=group, summary="The nightly build fails on node 99 of Paris")
    assert "the summary says what no source says" in told
    assert agent.call("consolidation_next")["group"] == group


def test_what_is_protected_is_for_a_person(agent: Agent, place: Place) -> None:
    """An invariant that nobody has used is archived only with a justification, which no tool takes."""
    told = agent.refused("archive_node", node_id=place.known["invariant"], reason="old")
    assert "is an invariant" in told and "Only a person" in told
    changed = {"old_id": place.known["invariant"], "new": "Prices are stored in euros", "reason": "easier"}
    assert "which only a person changes" in agent.refused("supersede", **changed)


@pytest.mark.parametrize("tool", ["accept", "treering", "undo", "purge", "promote"])
def test_an_unknown_tool_names_those_that_there_are(agent: Agent, tool: str) -> None:
    assert "there is store_memory, recall_memories" in agent.refused(tool)


def test_what_models_write_otherwise_is_understood(agent: Agent, place: Place) -> None:
    """Numbers and lists as texts, nothing as null, and the other word for an id."""
    port = place.known["port"]
    assert agent.call("get_memory", node_id=port)["id"] == agent.call("get_memory", id=port)["id"] == port
    assert agent.call("get_usage_history", memory_id=port, limit="5")["uses"] == []
    assert agent.call("recall_memories", query="staging port", type=None, limit="3", unsure="true")["found"]
    made = agent.call("store_memory", content="Tags may come as a text", tags='["one", "two"]')
    assert '"one" "two"' in agent.call("get_memory", memory_id=made["id"])["memories"]


def _untold(agent: Agent, place: Place, tool: str, given: dict[str, Any], wanted: str) -> str:
    """What is said instead of what is wanted, if it is."""
    told = agent.refused(tool, **{name: _known(place, value) for name, value in given.items()})
    return "" if wanted in told else f"{tool} {str(given)[:80]}: {told}"


def _known(place: Place, value: Any) -> Any:
    """Ids for the names by which they are known."""
    if isinstance(value, list):
        return [_known(place, one) for one in value]
    return place.known.get(value, value) if isinstance(value, str) else value
