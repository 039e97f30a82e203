"""Which prompts ask for something, and the words that say what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.text.words import FILLER, NOT, STOP_WORDS, TOP_TOKENS, substantive, tokens


@pytest.mark.parametrize(
    "prompt, asks",
    (
        ("deploy shops", True),  # 12 characters
        ("deploy shop", False),  # 11
        ("  deploy shop  ", False),  # of which only those count that say something
        ("deploy it again", False),  # one token
        ("deploy it to the shop", True),  # two
        ("do not deploy it again", False),  # that something is denied is no second one
        ("could you please do this for me again", False),
        ("/deploy the shop", False),
        ("  /deploy the shop", False),
        ("deploy /the/shop", True),
        ("", False),
        ("1234 5678 9012", False),
        ("配置 部署 流程 說明 文件", True),
        ("怎么部署商店", True),  # six characters, as many as eighteen letters
        ("谢谢", False),
    ),
)
def test_a_prompt_asks_for_something_from_here_on(prompt: str, asks: bool) -> None:
    """Twelve characters, two tokens that mean something, and no slash command."""
    assert substantive(prompt) is asks


def test_filler_does_not_make_another_prompt() -> None:
    """Nor do capitals, the order of stop words or saying a word twice."""
    assert (
        tokens("Please deploy another new shop, deploy it!")
        == tokens("could you deploy the shop")
        == ["deploy", "shop"]
    )


def test_a_script_without_blanks_has_a_word_in_every_two_letters() -> None:
    """So that prompts which share a part of a sentence share words."""
    assert tokens("怎么部署商店") == ["怎么", "么部", "部署", "署商", "商店"]
    assert {"部署", "商店"} <= {*tokens("请再部署一次商店")}


@pytest.mark.parametrize("prompt", ("do not deploy the shop", "don't deploy the shop", "never deploy the shop"))
def test_what_is_denied_is_another_prompt(prompt: str) -> None:
    assert tokens(prompt) == ["deploy", "shop", NOT]


def test_what_is_not_the_users_gives_no_tokens() -> None:
    """The mark of a secret, and a traceback but for its last line."""
    assert tokens("deploy with [redacted: github-token] to the shop") == ["deploy", "shop"]
    pasted = 'Traceback (most recent call last):\n  File "app.py", line 3, in main\nKeyError: cluster'
    assert tokens(f"deploy the shop\n{pasted}") == ["deploy", "shop", "keyerror", "cluster"]


@given(st.text(max_size=200))
def test_tokens_of_any_text_are_few_words_each_once(prompt: str) -> None:
    """Folded, and none of them filler."""
    found = [word for word in tokens(prompt) if word != NOT]
    assert len(found) == len(set(found)) <= TOP_TOKENS
    assert not (STOP_WORDS | FILLER).intersection(found)
    assert tokens(prompt) == tokens(prompt)


@given(st.lists(st.sampled_from(["deploy", "shop", "cluster", "queue"]), min_size=1, max_size=6))
def test_tokens_stand_in_the_order_in_which_they_were_said(said: list[str]) -> None:
    assert tokens(" ".join(said)) == list(dict.fromkeys(said))
