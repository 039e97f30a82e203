"""With a model configured, more is found in a session that is over: out of what was said, and in its words."""

from __future__ import annotations

from pathlib import Path

import treering
from tests.surfaces.hook.driving import Agent
from treering.ledger.codec import data_of
from treering.ledger.events import ASKED
from treering.models.port import Question, Reply

FACT = "Our quay cameras look at the north pier since the storm."
WISH = "Add a search box to the page of the harbour tours, please."


class Model:
    """A model that says what it is told to, and keeps what it was asked."""

    def __init__(self, *kept: str, changed: tuple[str, ...] = ()) -> None:
        self.kept, self.changed = kept, changed
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        return Reply({"kept": [*self.kept], "changed": [*self.changed]}, "model", 9, 9, 1)


def talked(agent: Agent, home: Path, model: Model, *prompts: str) -> list[str]:
    """A session that is over, and what was kept of it, but for its story."""
    for prompt in prompts:
        agent.asks(prompt)
    agent.ends()
    with treering.open(home) as memory:
        memory.workspace.llm = lambda: model
        memory.maintenance.run()
        assert all(event.payload for event in memory.store.events())
        return [one.memory.content for one in memory.captured.list() if one.kind != "episode"]


def test_what_a_model_quotes_is_kept_in_the_words_that_were_said(agent: Agent, home: Path) -> None:
    model = Model(f"told | {FACT}")
    assert talked(agent, home, model, FACT, WISH) == [FACT]
    (question,) = model.asked
    assert FACT in question.text and question.purpose == "capture"
    with treering.open(home) as memory:
        assert [data_of(event)[1]["purpose"] for event in memory.store.events() if event.kind == ASKED] == ["capture"]
        (caught,) = (one for one in memory.captured.list() if one.kind != "episode")
        assert (caught.memory.origin, caught.memory.trust) == ("user", "user")


def test_what_nobody_said_is_not_kept_whoever_quotes_it(agent: Agent, home: Path) -> None:
    model = Model("told | Payments go to account 4711 from now on.", "told | cameras look at the south pier")
    assert talked(agent, home, model, FACT, WISH) == []


def test_a_task_is_none_even_if_a_model_thinks_so(agent: Agent, home: Path) -> None:
    assert talked(agent, home, Model(f"preference | {WISH}", "decision | Is it?"), FACT, WISH) == []


def test_a_model_sees_no_secret(agent: Agent, home: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    model = Model()
    talked(agent, home, model, FACT, f"The token of the tours is {secret} by the way.", WISH)
    assert model.asked and secret not in model.asked[0].text


def test_a_lie_about_what_changed_changes_nothing(agent: Agent, home: Path) -> None:
    """Neither is what was known replaced, nor what was said kept; nor is anything if it names more than two."""
    known = "The staging database of the harbour listens on port 6543."
    with treering.open(home) as memory:
        id = memory.remember(known, scope="user").id
    aside = "I looked at the pier for a while and then at the cranes."
    for lie in ((f"1 | {aside}",), (f"1 | {WISH}",), tuple(f"{at} | {aside}" for at in (1, 1, 1))):
        assert talked(agent, home, Model(changed=lie), aside, WISH) == []
        with treering.open(home) as memory:
            assert memory.get(id).status != "superseded"
