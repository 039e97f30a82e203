"""What asks for something, and what only goes on, thanks or states."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from tests.surfaces.hook.driving import Agent, known
from treering.text.words import joined, pairs

ROTATING = (
    "how do I rotate the signing keys?",
    "where are the signing keys rotated?",
    "signing keys: who rotates them?",
)


@pytest.mark.parametrize("prompt", ["go on, please", "yes please do that now", "ok, do it like that then"])
def test_what_only_goes_on_brings_nothing_up(agent: Agent, home: Path, prompt: str) -> None:
    """Whatever words a memory shares with it."""
    known(home, "A yes from Anna is needed before we go on with a please-review, so do that like it is now")
    assert agent.asks(prompt) == ""


def test_words_of_every_day_are_not_rare_in_a_small_store(agent: Agent, home: Path) -> None:
    big = "Big change requests go through the international company account of Anna"
    known(home, big)
    assert agent.asks("Which company is Big Mac produced by?") == ""
    assert big in agent.asks("through which account do big change requests go?")


def test_scripts_without_blanks_ask_in_few_letters(agent: Agent, home: Path) -> None:
    known(home, "支付回调失败后重试三次")
    assert "三次" in agent.asks("支付回调重试几次?")
    assert joined([*pairs("本番環境"), "staging", "ab", "bc"]) == ["本番環境", "staging", "ab", "bc"]


def test_prompts_may_be_told_nothing(agent: Agent, home: Path) -> None:
    """The briefing still tells."""
    fact = "The staging database of the harbour is read-only after 18:00"
    known(home, fact)
    agent.environment = {"TREERING_PROMPT_TOKENS": "0"}
    assert agent.asks("is the staging database of the harbour writable at 19:00?") == ""
    assert fact in agent.starts()


def test_after_five_sessions_signals_become_proposals_and_the_next_one_is_told(home: Path, shop: Path) -> None:
    """Nobody has called anything: the maintenance that hooks start does it."""
    for number in range(5):
        agent = Agent(home, shop, f"s{number}")
        assert "Waiting" not in agent.starts()
        agent.asks(ROTATING[number % 3])
        agent.asks("thanks a lot, that was great")
        agent.answers("I do not know.")
        agent.ends()
        with treering.open(home) as memory:
            memory.maintenance.run()
    with treering.open(home) as memory:
        (proposal,) = memory.proposals.list("pending")
        assert {"signing", "keys"} <= {*proposal.tokens} and proposal.evidence["count"] == 5
    assert "Waiting for a person's review: 1 proposal" in Agent(home, shop, "next").starts()


def test_topics_of_scripts_without_blanks_are_told_as_they_are_written(home: Path, shop: Path, cli: Cli) -> None:
    for number, prompt in enumerate(("支付回调怎么重试?", "支付回调重试几次?")):
        Agent(home, shop, f"s{number}").asks(prompt)
        with treering.open(home) as memory:
            memory.maintenance.run()
    assert "tokens=[支付回调怎么重试]" in cli.fine("evolve", "stats").out
