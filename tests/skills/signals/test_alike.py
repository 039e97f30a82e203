"""Which prompts ask for the same. The prompts below were written for this test; others are in tests/friction/cases."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.skills.signals.alike import clusters, counted, stem
from treering.text.words import tokens

CASES = Path(__file__).parent / "cases/prompts-train.jsonl"


def found(*texts: str) -> list[list[str]]:
    """The texts of each group."""
    return [[texts[at] for at in group] for group in clusters([tokens(text) for text in texts])]


@pytest.mark.parametrize(
    "texts",
    [
        ["please create another landing page for the new product", "ok now create a landing page for product"],
        ["add a test for the login form", "Now, add tests for our login forms please!"],
        ["deploy the app to staging", "can you deploy to staging again?"],
        ["rename Basket to Cart everywhere", "please rename Basket to Cart"],
        ["why is the checkout test flaky?", "the checkout test is flaky, find out why"],
        ["fill the db with sample data", "please fill our database with some sample data"],
        ["update the changelog", "changelog: add what we did today", "please update the CHANGELOG again"],
        ["don't mock the clock in tests", "please do not mock the clock in the tests"],
    ],
    ids=lambda texts: str(texts[0]),
)
def test_a_request_in_other_words_is_the_same(texts: list[str]) -> None:
    assert found(*texts) == [texts]


@pytest.mark.parametrize(
    "texts",
    [
        ["add a test for login", "add a test for logout"],
        ["deploy the app to staging", "deploy the app to production"],
        ["add rate limiting to the login route", "remove the rate limiting of the login route"],
        ["add a cron job that deletes old sessions", "remove the cron job that deletes old sessions"],
        ["raise the coverage of the billing module", "show the coverage of the billing module"],
        ["mock the clock in the tests", "don't mock the clock in the tests"],
        ["write the release notes of the version", "read the release notes of the version"],
        ["make the weekly sales report", "mail the weekly sales report"],
        ["the orders query is slow", "the orders query of the shop is slow since the upgrade to postgres"],
        ["yes please", "yes please", "try again", "try again"],
        ["deploy the web app", "deploy the web app to staging"],
        ["create it", "create it now please"],
    ],
    ids=lambda texts: str(texts[0]),
)
def test_another_object_another_act_and_another_direction_are_others(texts: list[str]) -> None:
    assert found(*texts) == []


def test_the_labelled_prompts_are_grouped_as_they_are_labelled() -> None:
    """How well the rules do on prompts that nobody looked at is measured by `make bench-friction`."""
    rows = [json.loads(row) for row in CASES.read_text("utf-8").splitlines()]
    labelled: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        if row["cluster"]:
            labelled.setdefault(row["cluster"], []).append(at)
    wanted = {pair for group in labelled.values() for pair in combinations(group, 2)}
    got = {pair for group in clusters([tokens(row["text"]) for row in rows]) for pair in combinations(group, 2)}
    assert len(got - wanted) <= len(got) / 20
    assert len(wanted - got) <= len(wanted) / 20


WORDS = "test login page order mail index query cache deploy staging remove rename show list add".split()


@settings(max_examples=200, deadline=None)
@given(prompts=st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=25), more=st.integers(0, 25))
def test_prompts_that_come_later_change_nothing_of_what_was(prompts: list[list[str]], more: int) -> None:
    earlier = clusters(prompts[:more])
    later = [[at for at in group if at < more] for group in clusters(prompts)]
    assert earlier == [group for group in later if len(group) > 1]
    assert all(group == sorted(group) for group in clusters(prompts))


@settings(max_examples=200, deadline=None)
@given(prompts=st.lists(st.lists(st.sampled_from(WORDS[:8]), max_size=6, unique=True), max_size=25))
def test_every_prompt_has_all_words_of_its_leader_or_the_other_way_round(prompts: list[list[str]]) -> None:
    """And no two leaders have the same words."""
    groups = clusters(prompts)
    leaders = [group[0] for group in groups]
    for group in groups:
        first = set(prompts[group[0]])
        assert all(first <= set(prompts[at]) or set(prompts[at]) <= first for at in group)
    assert all(set(prompts[one]) != set(prompts[other]) for one, other in combinations(leaders, 2))


def test_a_prompt_is_in_one_group_at_most_and_alone_in_none() -> None:
    chosen = random.Random(3)
    prompts = [chosen.sample(WORDS, chosen.randint(0, 5)) for _ in range(500)]
    groups = clusters(prompts)
    members = [at for group in groups for at in group]
    assert len(members) == len(set(members))
    assert all(len(group) > 1 for group in groups)
    assert [group[0] for group in groups] == sorted(group[0] for group in groups)


def test_copies_are_one_group_however_many() -> None:
    """And so are thousands of prompts that share a frame, each for itself."""
    same = [["create", "landing", "page", "product"]] * 5_000
    framed = [["test", "page", f"x{at}y"] for at in range(5_000)]
    (group,) = clusters([*same, *framed])
    assert group == [*range(5_000)]


def test_leaders_are_counted_by_how_many_sets_they_are_in() -> None:
    assert counted([0b011, 0b010, 0b110])[1:] == [0b111, 0b010, 0b010]
    assert counted([]) == [-1]


@pytest.mark.parametrize(
    "forms",
    [
        "test tests testing tested",
        "delete deletes deleted deleting remove removing",
        "query queries",
        "cache caches cached caching",
        "stop stopped stopping",
        "migration migrations migrate migrating",
        "summarise summarize summarised",
        "nav navigation",
        "class classes",
        "status",
    ],
)
def test_all_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize(
    "one, other",
    [("login", "logout"), ("string", "strong"), ("import", "export"), ("parser", "parse"), ("mode", "model")],
)
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)
