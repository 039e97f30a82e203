"""The consolidator's loop, end to end: a real language model of 135 million parameters does the agent's part, through
the MCP server, as the official client speaks to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treering
from tests.models.llm.served import MODEL
from tests.surfaces.mcp.agents import Agent, over_stdio, text_of
from treering.consolidate.rules import BY_AGENT
from treering.ledger.codec import data_of
from treering.ledger.events import SUMMARISED
from treering.ledger.verify import verify
from treering.models.llm import EndpointLLM
from treering.models.port import LLMFailed, Question

STORIES = (
    (
        "The nightly build failed on node 7 because the disk cache was full.",
        "The nightly build failed on node 7 again: the disk cache was full.",
        "Cleared the full disk cache on node 7, and the nightly build passed.",
    ),
    (
        "The parcel printer in the harbour office printed blank labels.",
        "The parcel printer in the harbour office printed blank labels once more.",
        "A new ribbon in the parcel printer of the harbour office ended the blank labels.",
    ),
)
SCHEMA = {"type": "object", "properties": {"summary": {"type": "string"}}, "required": ["summary"]}
TRIES = 1  # the agent's instructions allow two; a model of this size takes seconds for each


@pytest.mark.long
def test_a_real_model_empties_the_queue_through_the_server(smollm: str, tmp_path: Path) -> None:
    """It takes each group, writes, is refused what no episode says, and hands back at last what it may say: the first
    episode's own words, if its own are never sound. Then nothing waits, and every summary rests on its episodes."""
    home = tmp_path / "home"
    with treering.open(home, project="harbour") as memory:
        memory.remember_many([{"content": text, "type": "episodic"} for story in STORIES for text in story])
    model = EndpointLLM(smollm, MODEL, "", "", 300.0)
    with over_stdio(home, "--tools", "all", "--project", "harbour") as agent:
        groups = []
        while (work := agent.call("consolidation_next")).get("group"):
            groups.append(work["group"])
            assert len(groups) <= len(STORIES), "the same group came twice"
            _sum_up(agent, model, work)
        assert work["note"] == "nothing waits to be summed up"
        assert len(groups) == len(STORIES)
    with treering.open(home, project="harbour") as memory:
        told = [data_of(event)[1] for event in memory.store.events() if event.kind == SUMMARISED]
        assert [one["by"] for one in told] == [BY_AGENT] * len(STORIES)
        episodes = {one.id: one for one in memory.list(type="episodic")}
        assert {id for one in told for id in one["sources"]} == {*episodes}
        assert {one.status for one in episodes.values()} == {"consolidated"}
        assert verify(memory.ledger.store).problems == ()


def _sum_up(agent: Agent, model: EndpointLLM, work: dict[str, Any]) -> None:
    for text in (*(_written(model, work) for _ in range(TRIES)), _first(work)):
        if text:
            result = agent.result("consolidation_submit", {"group": work["group"], "summary": text})
            if not result.is_error:
                return
            assert text_of(result)  # what to do instead
    raise AssertionError("not even an episode's own words were taken")


def _written(model: EndpointLLM, work: dict[str, Any]) -> str:
    """What the model makes of the task, as the server words it."""
    question = Question("summary", work["instructions"], work["memories"], SCHEMA, most_tokens=60)
    try:
        return str(model.ask(question).value["summary"])
    except LLMFailed:
        return ""


def _first(work: dict[str, Any]) -> str:
    """The first episode, out of the fence."""
    return str(next(line.strip('"') for line in work["memories"].splitlines() if line.startswith('"')))
