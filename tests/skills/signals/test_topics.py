"""Prompts on one matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.skills.signals.alike import topics
from treering.text.words import tokens


def grouped(*prompts: str) -> list[list[int]]:
    return topics([tokens(prompt) for prompt in prompts])


@pytest.mark.parametrize(
    ("one", "other"),
    (
        ("how do we roll out a feature flag gradually?", "feature flag: gradual rollout"),
        ("zero downtime postgres migration", "migrate postgres without any downtime: which migration order?"),
        ("why is the checkout webhook of stripe failing", "stripe webhook signatures"),
        ("do not rotate the signing keys", "please rotate our signing keys"),  # who knows the one knows the other
    ),
)
def test_prompts_on_one_matter_are_together(one: str, other: str) -> None:
    assert grouped(one, other) == [[0, 1]]


@pytest.mark.parametrize(
    ("one", "other"),
    (
        ("add a test for login", "add a test for logout"),
        ("deploy to staging", "deploy to production"),
        ("write a readme", "update the readme"),  # one word is shared, beside what is said of everything
        ("zero downtime postgres migration", "tailwind arbitrary values"),
    ),
)
def test_one_shared_word_makes_no_matter(one: str, other: str) -> None:
    assert grouped(one, other) == [[0], [1]]


def test_a_prompt_goes_to_the_leader_that_shares_most_with_it() -> None:
    assert grouped(
        "redis cache eviction", "postgres index bloat", "the bloat of a postgres index, in the redis cache"
    ) == [
        [0],
        [1, 2],
    ]


def test_the_same_prompt_again_and_again_is_one_matter() -> None:
    assert grouped(*["rotate the signing keys"] * 50) == [[*range(50)]]


@settings(deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("postgres redis cache index flag rollout tls ingress".split()), max_size=5)),
    st.integers(0, 50),
)
def test_what_comes_later_changes_nothing_before_it(prompts: list[list[str]], cut: int) -> None:
    """So the first prompt of a matter can give it its name."""
    before = topics(prompts[:cut])
    after = [[place for place in group if place < cut] for group in topics(prompts)]
    assert before == [group for group in after if group]


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("postgres redis cache index flag rollout".split()), max_size=5)))
def test_every_prompt_is_in_one_group(prompts: list[list[str]]) -> None:
    assert sorted(place for group in topics(prompts) for place in group) == [*range(len(prompts))]
