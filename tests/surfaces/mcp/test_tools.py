"""Every tool does its work, whichever way it is called."""

from __future__ import annotations

import treering
from tests.surfaces.mcp.agents import Agent
from tests.surfaces.mcp.conftest import Place
from tests.surfaces.mcp.living import SUMMED
from treering.recall.fence import find_fences


def test_an_agent_works_with_every_tool(anyone: tuple[Agent, Place]) -> None:
    """From the first recall to the last candidate, over either way and in either era; and the ledger is sound."""
    agent, place = anyone
    every_day(agent)
    skills(agent)
    evolution(agent, place.known)
    consolidation(agent)
    figures(agent, place.known)
    with treering.open(place.home) as memory:
        assert memory.get(place.known["worn"]).status == "deprecated"


def every_day(agent: Agent) -> None:
    asked = agent.call("recall_memories", query="which port does the staging database listen on?")
    ((_, inside),) = find_fences(asked["memories"])
    assert "5432" in inside and asked["found"] >= 1
    port = inside.split(" · ")[0].split()[-1]
    made = agent.call("store_memory", content="The staging database listens on port 5433", type="Fact", tags=["db"])
    assert made["contradicts"] == [port] and "5432" in made["memories"]
    judged = agent.call("feedback", recall_id=asked["recall_id"], memory_id=port, verdict="not_helpful", note="moved")
    assert judged["id"] == port and judged["q"] < 0.5
    one = agent.call("get_memory", memory_id=port)
    assert (one["status"], one["trust"], one["contradicts"]) == ("active", "user", [made["id"]])
    assert agent.call("contradictions")["contradictions"][0]["newer"] == made["id"]
    new = agent.call("supersede", old_id=port, new=made["id"], reason="it has moved")
    assert (new["id"], new["superseded"], new["contradicts"]) == (made["id"], "", [port])  # the user said it
    assert len(agent.call("contradictions")["contradictions"]) == 1
    newer = agent.call("supersede", old_id=made["id"], new="The staging database listens on port 5434", reason="again")
    assert newer["superseded"] == made["id"]
    assert agent.call("get_memory", memory_id=made["id"])["superseded_by"] == newer["id"]


def skills(agent: Agent) -> None:
    (found,) = agent.call("skill_search", query="a signing key has leaked")["skills"]
    assert found["name"] == "rotate-keys" and found["description"].startswith('"Rotate')
    assert "keys new" in agent.call("use_skill", name="rotate-keys")["text"]
    assert agent.call("feedback", skill="rotate-keys", verdict="helpful")["q"] > 0.5


def evolution(agent: Agent, known: dict[str, str]) -> None:
    cases = agent.call("query_evolution_candidates", limit=50)
    by_id = {id: case for case in cases["candidates"] for id in case["ids"]}
    assert (by_id[known["worn"]]["action"], by_id[known["stale"]]["action"]) == ("deprecate", "archive")
    assert "cron job of Ada" in cases["memories"]
    (only,) = agent.call("query_evolution_candidates", criteria="similar_pairs")["candidates"]
    assert {*only["ids"]} == {known["twin"], known["other"]}
    uses = agent.call("get_usage_history", node_id=known["worn"], limit=3)["uses"]
    assert [use["outcome"] for use in uses] == ["not_helpful"] * 3 and "cron job" in uses[0]["context"]
    gone = agent.call("deprecate_node", node_id=known["worn"], node_type="Fact", reason="12 uses, all bad")
    assert (gone["id"], gone["status"]) == (known["worn"], "deprecated")
    better = "Run `make cache-clear` after each upgrade of the shop"
    new = agent.call("refine_node", node_id=known["unclear"], improved_content=better, reason="names the command")
    assert (new["instead_of"], new["q"]) == ([known["unclear"]], 0.5)
    merged = agent.call("merge_nodes", node_ids=[known["twin"], known["other"]], node_type="Fact")
    assert merged["action"] == "merged" and merged["instead_of"]
    assert agent.call("archive_node", node_id=known["stale"], node_type="Fact")["status"] == "archived"
    skill = {"skill_name": "out-of-memory", "description": "Use when the build runs out of memory"}
    made = agent.call("induce_skill", process_ids=[known[f"step{n}"] for n in range(3)], content="# Steps", **skill)
    assert made["status"] == "pending" and "a person decides" in made["note"]


def consolidation(agent: Agent) -> None:
    work = agent.call("consolidation_next")
    assert work["memories"].count("node 7") == 3 and "Sum them up" in work["instructions"]
    agent.call("consolidation_submit", group=work["group"], summary=SUMMED)
    assert agent.call("consolidation_next") == {"note": "nothing waits to be summed up"}


def figures(agent: Agent, known: dict[str, str]) -> None:
    waiting = agent.call("confirm_invariant")
    assert waiting["waiting"] == [known["invariant"]] and "treering confirm" in waiting["note"]
    stats = agent.call("memory_stats")
    assert (stats["contradictions"], stats["proposals_waiting"], stats["invariants_to_confirm"]) == (1, 1, 1)
    assert stats["memories"]["deprecated"] == 1
