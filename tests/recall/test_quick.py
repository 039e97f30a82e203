"""What a hook makes of a prompt by its words alone: rare words that are shared, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.ledger.types import Memory
from treering.recall import quick

SIZE = 1_000


def sure(
    prompt: str, content: str, common: dict[str, int] | None = None, size: int = SIZE, type: str = "semantic"
) -> float:
    """How sure it is of one memory in a store where every word is in one memory, but for those that are common."""
    terms = quick.terms(prompt)
    counts = [(common or {}).get(term, 1 if term in content.lower() else 0) for term in terms]
    weights = quick.weights(terms, counts, size)
    shared = [term for term in terms if term in content.lower()]
    return quick.certainty(weights, shared, Memory("a", content, type=type), size)


def test_words_that_say_nothing_are_not_looked_for() -> None:
    assert quick.terms("Could you please fix the error in the checkout of the Harbour?") == ["checkout", "harbour"]


def test_each_word_is_looked_for_once_and_only_so_many() -> None:
    assert quick.terms("quay Quay QUAY ferry") == ["quay", "ferry"]
    many = quick.terms(" ".join(f"word{number}" for number in range(100)))
    assert len(many) == quick.MOST_TERMS and many[0] == "word0"


def test_what_is_far_behind_is_pasted_and_not_looked_for() -> None:
    assert "ferry" not in quick.terms("quay " * quick.READ + "ferry")


def test_a_prompt_of_common_words_only_asks_for_nothing() -> None:
    """A command may."""
    assert quick.terms("please check the test") == []
    assert quick.terms("check test", every=True) == ["check", "test"]


def test_a_prompt_without_words_has_none() -> None:
    assert quick.terms("") == quick.terms("?!… -- ()") == quick.terms("the of and") == []


def test_scripts_without_blanks_are_looked_for_by_two_letters() -> None:
    assert quick.terms("東京駅はどこ") == ["東京", "京駅", "駅は", "はど", "どこ"]


def test_the_rarer_a_word_the_more_it_tells() -> None:
    weights = quick.weights(["rare", "common", "unknown"], [1, 300, 0], SIZE)
    assert weights["rare"] == weights["unknown"] > weights["common"] > 0


def test_only_words_that_some_memory_has_are_looked_for_the_rarest_first() -> None:
    counts = [20, 0, 1, 2]
    weights = quick.weights(["fair", "unknown", "rare", "scarce"], counts, SIZE)
    assert quick.sought(weights, counts, SIZE)[:2] == ["rare", "scarce"]
    many = {f"w{number}": 9.0 for number in range(30)}
    assert len(quick.sought(many, [1] * 30, SIZE)) == quick.SOUGHT


def test_words_that_could_never_be_enough_are_not_looked_for() -> None:
    counts = [300, 400]
    assert quick.sought(quick.weights(["common", "often"], counts, SIZE), counts, SIZE) == []
    counts = [1, 1, 1, 900]
    assert "often" not in quick.sought(quick.weights(["a", "b", "c", "often"], counts, SIZE), counts, SIZE)


@given(st.lists(st.integers(0, SIZE), min_size=1, max_size=20))
def test_no_memory_is_missed_by_a_word_that_is_left_out(counts: list[int]) -> None:
    """What shares only words that are not looked for would have been passed over anyway."""
    terms = [f"w{number}" for number in range(len(counts))]
    weights = quick.weights(terms, counts, SIZE)
    kept = quick.sought(weights, counts, SIZE)
    spare = [term for term, count in zip(terms, counts, strict=True) if count and term not in kept]
    if len(spare) + len(kept) <= quick.SOUGHT:
        assert quick.certainty(weights, spare, Memory("a", " ".join(spare)), SIZE) == 0


def test_several_rare_words_that_are_shared_are_enough() -> None:
    assert sure("when is the staging database read-only?", "The staging database is read-only after 18:00") > 0.5


@pytest.mark.parametrize("size", [1, 100, 1_000, 100_000])
def test_one_word_is_enough_only_if_it_is_rare_and_the_prompt_has_little_else_to_say(size: int) -> None:
    content = "Deploys go through the zanzibar gateway"
    assert sure("what is zanzibar?", content, size=size) >= quick.SINGLE
    assert sure("how do I paint the wooden fence of zanzibar in green?", content, size=size) == 0
    assert sure("what is zanzibar?", content, {"zanzibar": 10}, size) == 0


def test_a_story_must_be_meant() -> None:
    """An episode has words of all kinds: it is told when more of the prompt is about it."""
    content = "The staging database was moved to another rack, and the lights went out over Malmö"
    prompt = "when is the staging database vacuumed and analysed by cron?"
    assert sure(prompt, content) > 0 == sure(prompt, content, type="episodic")
    assert sure("the staging database, moved to another rack?", content, type="episodic") > 0


def test_common_words_that_are_shared_are_not_enough() -> None:
    common = dict.fromkeys(("database", "server", "user"), 400)
    assert sure("does the database server know the user?", "The database server has a user", common) == 0


def test_the_larger_the_store_the_more_must_be_shared() -> None:
    """By chance some memory of very many shares a word or two with any prompt."""
    prompt, content = "rotate certificates gateway", "certificates of the gateway last a year"
    assert sure(prompt, content, {"certificates": 2, "gateway": 2}, 100) > 0
    many = {"certificates": 2_000, "gateway": 2_000}
    assert sure(prompt, content, many, 100_000) == 0


def test_nothing_shared_is_never_sure() -> None:
    nothing = Memory("a", "text")
    assert quick.certainty({"a": 9.0}, [], nothing, SIZE) == 0 == quick.certainty({}, [], nothing, SIZE)


@given(st.text(), st.text(), st.integers(0, 10**6))
def test_any_texts_have_a_certainty_between_none_and_all(prompt: str, content: str, size: int) -> None:
    terms = quick.terms(prompt)
    counts = [min(len(term), size) for term in terms]
    weights = quick.weights(terms, counts, size)
    assert all(weight >= 0 for weight in weights.values())
    assert {*quick.sought(weights, counts, size)} <= {*terms}
    assert 0 <= quick.certainty(weights, terms, Memory("a", content), size) <= 1.000_001


def found(*rows: tuple[str, float, int]) -> list[tuple[Memory, float, float]]:
    return [(Memory(name, name, created=created), score, 0.9) for name, score, created in rows]


def test_the_best_is_told_with_what_is_about_as_good_and_no_more_than_a_few() -> None:
    ranked = found(("a", 10.0, 9), ("b", 8.0, 9), ("c", 7.0, 9), ("d", 1.0, 9))
    assert [memory.id for memory, _, _ in quick.best(ranked)] == ["a", "b"]
    equal = found(*((name, 5.0, 1) for name in "abcdefgh"))
    assert len(quick.best(equal)) == quick.SHOWN and quick.best([]) == []


def test_what_says_the_same_is_told_once() -> None:
    text = "the staging database of the harbour is read-only after six {}"
    alike = [(Memory(name, text.format(name), created=1), 5.0, 0.9) for name in ("pm", "sharp")]
    assert len(quick.best(alike)) == 1


def test_a_long_memory_is_worth_less_for_the_same_words() -> None:
    weights = {"staging": 5.0, "database": 5.0}
    short = Memory("a", "staging database")
    long = Memory("b", "staging database " + " ".join(f"word{number}" for number in range(200)))
    assert quick.merit(weights, [*weights], short) > quick.merit(weights, [*weights], long) > 0


def test_of_those_that_are_equally_good_the_newest_leads() -> None:
    assert [memory.id for memory, _, _ in quick.best(found(("old", 10.0, 1), ("new", 9.9, 2), ("far", 8.0, 3)))] == [
        "new",
        "old",
        "far",
    ]


@pytest.mark.parametrize(
    ("trigger", "command", "error", "is_known"),
    [
        ("`pytest tests/quay` fails with ModuleNotFoundError", "pytest tests/quay", "ModuleNotFoundError: x", True),
        ("`pytest tests/quay` fails with ModuleNotFoundError", "pytest  tests/quay", "modulenotfounderror: x", True),
        ("`pytest tests/quay` fails with ModuleNotFoundError", "pytest tests/quay", "AssertionError", False),
        ("`pytest tests/quay` fails", "pytest tests/quay", "anything", True),
        ("`pytest tests/quay` fails", "pytest tests/qua", "anything", False),
        ("pytest tests/quay fails", "pytest tests/quay", "anything", False),
        ("`` fails", " ", "anything", False),
        ("", "pytest", "anything", False),
    ],
)
def test_a_fix_is_known_by_its_command_and_its_error(trigger: str, command: str, error: str, is_known: bool) -> None:
    memory = Memory("a", "", type="procedural", trigger=trigger)
    assert quick.solved(memory, command, error) == (quick.SOLVED if is_known else 0.0)
