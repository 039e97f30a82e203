"""What became of the facts of a document since it was last read."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from treering.documents.harvest import Fact, Known, changes, facts

DOCUMENT = """# Shop

Orders are kept for ten years. The checkout service owns the orders table.

## Payments

Every POST needs an idempotency key. Keys are kept for 24 hours in Redis.

| setting | default | meaning |
|---|---|---|
| `timeout` | 5 | seconds until a request is given up |
| `retries` | 3 | how often a request is sent again |

## Deploys

- Deploys happen on Tuesdays, never on Fridays.
- Migrations run with a lock timeout of 5 seconds.
"""


def known(found: list[Fact]) -> list[Known]:
    return [Known(f"a-{number}", fact.text, fact.line) for number, fact in enumerate(found)]


def after(edited: str) -> tuple[list[str], list[str], list[tuple[str, str]], list[str]]:
    """Texts kept, added, changed and gone between the document and an edited one."""
    answer = changes(known(facts(DOCUMENT)), facts(edited))
    return (
        [fact.text for _, fact in answer.kept],
        [fact.text for fact in answer.added],
        [(one.text, fact.text) for one, fact in answer.changed],
        [one.text for one in answer.gone],
    )


def test_a_second_run_keeps_everything() -> None:
    kept, added, changed, gone = after(DOCUMENT)
    assert (len(kept), added, changed, gone) == (len(facts(DOCUMENT)), [], [], [])


def test_a_changed_sentence_changes_that_fact_alone() -> None:
    kept, added, changed, gone = after(DOCUMENT.replace("24 hours", "48 hours"))
    assert changed == [
        ("Shop, Payments: Keys are kept for 24 hours in Redis.", "Shop, Payments: Keys are kept for 48 hours in Redis.")
    ]
    assert (len(kept), added, gone) == (len(facts(DOCUMENT)) - 1, [], [])


def test_every_single_word_changed_changes_one_fact() -> None:
    """Whatever word of a sentence changes, the other facts stay as they are."""
    for word in ("ten", "owns", "idempotency", "Redis", "given", "sent", "Tuesdays", "Migrations", "lock"):
        kept, added, changed, gone = after(DOCUMENT.replace(word, "zebra", 1))
        assert (len(kept), added, len(changed), gone) == (len(facts(DOCUMENT)) - 1, [], 1, []), word


def test_a_changed_value_in_a_row_changes_that_row() -> None:
    _, added, changed, gone = after(DOCUMENT.replace("| 5 |", "| 30 |"))
    assert [new for _, new in changed] == [
        "Shop, Payments: setting `timeout`: default 30; seconds until a request is given up."
    ]
    assert (added, gone) == ([], [])


def test_a_section_at_the_top_changes_nothing_else() -> None:
    for edited in (
        DOCUMENT.replace("## Payments", "## Stock\n\nThe stock is counted every night at two.\n\n## Payments"),
        "## Stock\n\nThe stock is counted every night at two.\n\n" + DOCUMENT,
    ):
        kept, added, changed, gone = after(edited)
        assert (len(kept), len(added), changed, gone) == (len(facts(DOCUMENT)), 1, [], [])


def test_moved_sections_change_nothing() -> None:
    head, payments, deploys = DOCUMENT.split("## ")
    kept, added, changed, gone = after(f"{head}## {deploys}\n## {payments}")
    assert (len(kept), added, changed, gone) == (len(facts(DOCUMENT)), [], [], [])


def test_a_removed_item_is_gone() -> None:
    kept, added, changed, gone = after(DOCUMENT.replace("- Deploys happen on Tuesdays, never on Fridays.\n", ""))
    assert gone == ["Shop: Deploys happen on Tuesdays, never on Fridays."]
    assert (len(kept), added, changed) == (len(facts(DOCUMENT)) - 1, [], [])


def test_another_statement_in_the_same_place_is_no_change() -> None:
    """What shares only its headings says something else: the old one is gone and the new one is added."""
    line = "Migrations run with a lock timeout of 5 seconds."
    _, added, changed, gone = after(DOCUMENT.replace(line, "Feature flags live in the table `flags`."))
    assert changed == []
    assert gone == [f"Shop, Deploys: {line}"]
    assert added == ["Shop, Deploys: Feature flags live in the table `flags`."]


def test_a_plan_that_was_carried_out_supersedes_the_plan() -> None:
    plan = "# Roadmap\n\n## 2.0\n\n- [ ] Offline mode for the mobile client\n- [ ] Dark mode for the web shop\n"
    answer = changes(known(facts(plan)), facts(plan.replace("[ ] Offline", "[x] Offline")))
    assert [(one.text, fact.text) for one, fact in answer.changed] == [
        (
            "Roadmap, 2.0, open: Offline mode for the mobile client",
            "Roadmap, 2.0, done: Offline mode for the mobile client",
        )
    ]
    assert not answer.added and not answer.gone


def test_of_two_candidates_the_more_alike_is_the_successor() -> None:
    old = [Known("a", "The API limit is 100 requests a minute for a user.", 1)]
    new = [
        Fact("The API limit is 100 requests an hour for a guest.", 1, "semantic", ()),
        Fact("The API limit is 200 requests a minute for a user.", 2, "semantic", ()),
    ]
    answer = changes(old, new)
    assert [fact.line for _, fact in answer.changed] == [2]
    assert [fact.line for fact in answer.added] == [1]


TEXTS = st.lists(st.sampled_from(["a", "b", "c"]) | st.text(alphabet="ab 12.", max_size=12), max_size=8)


@given(TEXTS, TEXTS)
def test_each_known_and_each_fact_is_used_exactly_once(old: list[str], new: list[str]) -> None:
    one = [Known(str(number), text, number + 1) for number, text in enumerate(old)]
    two = [Fact(text, number + 1, "semantic", ()) for number, text in enumerate(new)]
    answer = changes(one, two)
    assert sorted([pair[0] for pair in answer.kept + answer.changed] + list(answer.gone)) == sorted(one)
    assert sorted([pair[1] for pair in answer.kept + answer.changed] + list(answer.added)) == sorted(two)
    assert all(pair[0].text == pair[1].text for pair in answer.kept)
    assert all(pair[0].text != pair[1].text for pair in answer.changed)


@given(TEXTS, st.randoms(use_true_random=False))
def test_the_same_facts_in_any_order_are_kept(texts: list[str], chance: random.Random) -> None:
    two = [Fact(text, number + 1, "semantic", ()) for number, text in enumerate(texts)]
    one = known(two)
    chance.shuffle(one)
    answer = changes(one, two)
    assert len(answer.kept) == len(texts)
    assert not answer.added and not answer.changed and not answer.gone
