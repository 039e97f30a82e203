"""What most sources have and a summary has not is told; and what no source has."""

from __future__ import annotations

import pytest

from tests.consolidate.summaries.stories import STORIES
from treering.consolidate.summaries.extract import summary
from treering.consolidate.summaries.facts import Dropped, dropped, invented, numbers, same

SOURCES = [
    "The webhook worker does not retry on a conflict and times out after 30 seconds, see payment_worker.py.",
    "payment_worker.py: the webhook worker must not retry; its timeout is 30s.",
    "Ada saw that the webhook worker doesn't retry, with a timeout of 30 sec. and Redis.",
]


def kinds(found: list[Dropped]) -> set[tuple[str, str]]:
    return {(one.kind, one.what) for one in found}


def test_a_number_a_name_and_a_denial_of_most_sources_are_missed() -> None:
    found = dropped(SOURCES, "The webhook worker retries when there is a conflict.")
    assert [one.kind for one in found] == ["number", "name", "negation"]
    assert kinds(found) >= {("number", "30 seconds"), ("name", "payment_worker.py")}
    assert [one.sources for one in found] == [3, 2, 3]


@pytest.mark.parametrize(
    "kept",
    [
        "The webhook worker in payment_worker.py never retries and times out after 30 seconds.",
        "Payment worker: webhook retries are disabled; timeout is thirty seconds.",
        "payment_worker.py doesn't retry a webhook. Timeout: 0.5 minutes.",
        "The payment worker refuses to retry webhooks after 30 s.",
    ],
)
def test_what_is_kept_in_another_form_is_not_missed(kept: str) -> None:
    assert dropped(SOURCES, kept) == []


def test_what_only_half_of_the_sources_have_is_not_missed() -> None:
    texts = ["Kiln 4 reached 1,240 degrees.", "Kiln 4 reached 1240 degrees.", "The kiln is cold.", "The kiln is clean."]
    assert dropped(texts, "A kiln was fired and cleaned.") == []
    assert kinds(dropped(texts[:3], "A kiln was fired.")) == {("number", "1,240 degrees"), ("number", "Kiln 4")}


def test_small_counts_of_different_things_are_no_number_that_sources_share() -> None:
    texts = ["Two boats came in.", "The two cranes work.", "We waited two days for the pilot."]
    assert dropped(texts, "Boats came in, cranes work, and we waited for the pilot.") == []


def test_an_older_value_that_most_sources_have_is_still_told() -> None:
    texts = ["Limit is 60 per minute.", "The limit of 60 per minute holds.", "The limit is 120 per minute now."]
    assert kinds(dropped(texts, "The limit is 120 per minute.")) == {("number", "60")}


def test_questions_and_what_is_said_only_in_passing_deny_nothing() -> None:
    texts = [
        "No problem with the crane, it lifts boats.",
        "Not only the crane lifts boats.",
        "Why does the crane not lift?",
    ]
    assert dropped(texts, "The crane lifts boats.") == []


@pytest.mark.parametrize("name", STORIES)
def test_a_summary_of_the_sources_own_words_invents_nothing(name: str) -> None:
    texts = [text for _, text, _ in STORIES[name][1]]
    assert invented(texts, summary(texts)) == []


def test_numbers_and_names_that_no_source_has_are_inventions() -> None:
    made = "We heard from Bruno that webhook_worker2.py times out after 45 seconds with ECONNRESET in 97% of the cases."
    found = " ".join(invented(SOURCES, made)).lower()
    for strange in ("45 seconds", "webhook_worker2.py", "econnreset", "97%", "bruno"):
        assert strange in found


@pytest.mark.parametrize(
    "sound",
    [
        "Three notes agree: the webhook worker does not retry.",
        "The worker waits half as long as a minute: thirty seconds.",
        "The PaymentWorker uses Redis, says Ada.",
    ],
)
def test_what_sources_say_in_another_form_is_no_invention(sound: str) -> None:
    assert invented(SOURCES, sound) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000 rows", "1000 rows"),
        ("5 min", "five minutes"),
        ("5 minutes", "300 seconds"),
        ("0.2 s", "200ms"),
        ("a 5-minute wait", "5 minutes"),
        ("10k requests", "10,000 requests"),
        ("two hundred users", "200 users"),
        ("$1,200", "1200 dollars"),
        ("99.9%", "99.9 percent"),
        ("an hour", "60 minutes"),
        ("v2.3.1", "2.3.1"),
        ("1.5 GB", "1500 MB"),
    ],
)
def test_one_amount_in_two_forms_is_the_same(one: str, other: str) -> None:
    assert same(numbers(one)[0], numbers(other)[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [("5 minutes", "5 seconds"), ("5 MB", "5 GB"), ("12:30", "12.30"), ("2.3.1", "2.3.2"), ("19%", "19 euros")],
)
def test_two_amounts_are_not_the_same(one: str, other: str) -> None:
    assert not same(numbers(one)[0], numbers(other)[0])


def test_both_ends_of_a_range_are_numbers_and_so_are_two_side_by_side() -> None:
    assert [one.raw for one in numbers("It takes 5-10 minutes on 3 4-core machines since 2026-03-04.")] == [
        5,
        10,
        3,
        4,
        0,
    ]


def test_digits_in_names_and_words_that_only_look_like_numbers_are_none() -> None:
    assert numbers("utf-8 sha256 #12 mod_3 h2o one of them, zero in on it, and/or") == ()


@pytest.mark.parametrize(
    ("texts", "made", "what"),
    [
        (["Pump P-204 stopped at noon.", "P-204 runs again.", "Oil for P-204 came."], "A pump stopped.", "p-204"),
        (["Fire in hall 3.", "We cleaned hall 3 today.", "Hall 3 is open."], "A hall burned and is open.", "hall 3"),
        (
            ["test_geofence_exit failed.", "Froze the clock in test_geofence_exit."],
            "A test failed.",
            "test_geofence_exit",
        ),
        (
            ["Lag of position-ingest grows.", "position-ingest has 12 parts."],
            "The lag grows, 12 parts.",
            "position-ingest",
        ),
        (["The CAMT.053 import fails.", "CAMT.053 has a mark."], "The import fails on a mark.", "camt.053"),
    ],
)
def test_identifiers_of_all_sorts_are_missed(texts: list[str], made: str, what: str) -> None:
    assert what in {one.what.lower() for one in dropped(texts, made)}


@pytest.mark.parametrize(
    "made",
    [
        "The webhook worker is restarted with rm -rf after 30 seconds.",
        "Kafka feeds the webhook worker.",
        "The webhook worker times out after 30 MB.",
    ],
)
def test_commands_products_and_other_units_are_inventions(made: str) -> None:
    assert invented(SOURCES, made)


def test_a_denial_of_what_the_sources_say_is_an_invention() -> None:
    texts = ["The lag reached 48000 messages.", "Lag of 48000 messages at noon."]
    assert invented(texts, "The lag did not reach 48000 messages.")
    assert invented(texts, "The lag reached 48 000 messages.") == []
