"""An agent that was talked into storing it, over MCP, with the official client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.attacks.corpus import ATTACKS
from tests.attacks.ways import PROJECT, quoted, shown, tainted
from tests.surfaces.hook.driving import repository
from tests.surfaces.mcp.agents import Agent, over_stdio

PAGE = "http://page.example/poison"


@pytest.fixture(scope="module")
def fooled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Agent, Path]]:
    """An agent that has stored every text: one half as the page's, one half as its own."""
    folder = tmp_path_factory.mktemp("mcp")
    home, shop = folder / "home", repository(folder / PROJECT)
    session = {"CLAUDE_CODE_SESSION_ID": "fooled"}
    with over_stdio(home, "--tools", "all", folder=shop, more=session) as agent:
        for number, attack in enumerate(ATTACKS):
            _sound(agent.call("store_memory", content=attack.text, **({"source": PAGE} if number % 2 else {})))
        yield agent, home


def _sound(answer: dict[str, Any]) -> int:
    """Whether an answer has poison in its fence, and nowhere else."""
    assert not any(tainted(str(value)) for name, value in answer.items() if name != "memories")
    return shown(quoted(answer.get("memories", "")))


def test_every_answer_quotes_it(fooled: tuple[Agent, Path]) -> None:
    """Recall, a single memory, candidates, contradictions; statistics have none of it."""
    agent, home = fooled
    reached = sum(bool(_sound(agent.call("recall_memories", query=attack.text))) for attack in ATTACKS[::4])
    assert reached > len(ATTACKS) // 8
    with treering.open(home) as memory:
        ids = [one.id for one in memory.list(project=PROJECT)][::20]
    assert sum(_sound(agent.call("get_memory", node_id=id)) for id in ids) > len(ids) // 2
    for tool in ("query_evolution_candidates", "contradictions"):
        _sound(agent.call(tool))
    assert not tainted(str(agent.call("memory_stats")))


def test_it_is_the_word_of_an_agent_or_of_a_page(fooled: tuple[Agent, Path]) -> None:
    """Never of the user, never for ever; and revoking the page, and the session, takes all of it."""
    _, home = fooled
    with treering.open(home, project=PROJECT) as memory:
        found = [*memory.list()]
        assert len(found) > len(ATTACKS) * 3 // 4
        assert {one.trust for one in found} == {"agent", "external"}
        assert {(one.scope, one.project, one.session, one.invariant) for one in found} == {
            ("project", PROJECT, "fooled", False)
        }
        memory.revoke(source=PAGE)
        assert {one.trust for one in memory.list()} == {"agent"}
        memory.revoke(session="fooled")
        assert not any(memory.list())
