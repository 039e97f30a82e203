"""What does not hold is not taken as if it did: documents out of force, options not chosen, what will not come."""

from __future__ import annotations

import pytest

from treering.documents.harvest import facts

DECISION = "## Decision\n\nWe will build the tools with Pants.\n"
SENTENCE = "The orders table is owned by checkout."


def texts(document: str, name: str = "") -> list[str]:
    return [fact.text for fact in facts(document, name)]


HEADS = [
    "Status: {}",
    "**Status**: {}",
    "**Status:** {}",
    "* Status: {}",
    "- **Status**: {}",
    "> Status: {}",
    "Status \u2013 {}",
    "Author: Ana  \nStatus: {}",
    "Date: 2026-01-01 | Status: {}",
    "**Status:** {} \u00b7 **Author:** Ana",
    "Decision status: {}",
    "| Status | {} |",
    "| Status | {} |\n|---|---|\n| Date | 2026-01-01 |",
    "| Date | 2026-01-01 |\n|---|---|\n| **Status** | {} |",
    "| | |\n|---|---|\n| Status | {} |",
    "| Field | Value |\n|---|---|\n| Status | {} |",
    "| Status | Date |\n|---|---|\n| {} | 2026-01-01 |",
    "## Status: {}",
    "## Status\n\n{}",
    "## Status\n\n- [ ] Accepted\n- [x] {}",
    "## Date\n\n2026-01-01\n\n## Status\n\n{}",
]


@pytest.mark.parametrize("below", [DECISION, f"## Orders\n\n{SENTENCE}\n"])
@pytest.mark.parametrize("head", HEADS)
def test_a_document_that_was_given_up_tells_only_that(head: str, below: str) -> None:
    for state in ("rejected", "Deprecated", "Superseded by [ADR 9](9.md)", "Withdrawn on 2026-02-03"):
        found = texts(f"# Adopt Pants\n\n{head.format(state)}\n\n{below}", "0010-adopt-pants.md")
        assert len(found) == 1 and "in force; its status is: " in found[0]


@pytest.mark.parametrize("below", [DECISION, f"## Orders\n\n{SENTENCE}\n"])
@pytest.mark.parametrize("head", HEADS)
def test_a_document_that_is_not_decided_gives_nothing(head: str, below: str) -> None:
    for state in ("Draft", "proposed", "In review", "Draft (2026-01-01)"):
        assert texts(f"# Adopt Pants\n\n{head.format(state)}\n\n{below}", "notes/pants.md") == []


@pytest.mark.parametrize("head", HEADS)
def test_a_document_in_force_is_taken(head: str) -> None:
    found = texts(f"# Adopt Pants\n\n{head.format('Accepted')}\n\n{DECISION}", "0010-adopt-pants.md")
    assert found == ["Adopt Pants, Decision: We will build the tools with Pants."]


@pytest.mark.parametrize(
    "head",
    [
        "---\nstatus: rejected\n---\n\n# Adopt Pants",
        "# Adopt Pants (rejected)",
        "# [Draft] Adopt Pants",
        "# Adopt Pants\n\n> **Note:** This document is superseded by the plan for Bazel.",
        "# Adopt Pants\n\nThis proposal was withdrawn.",
        "# Adopt Pants\n\nStatus: Accepted, later superseded by ADR 9",
        "# Adopt Pants\n\nStatus: ~~Accepted~~ Deprecated",
    ],
)
def test_a_status_may_be_told_otherwise(head: str) -> None:
    assert not any("build the tools" in text for text in texts(f"{head}\n\n{DECISION}", "pants.md"))


@pytest.mark.parametrize(
    "other",
    [
        "# API\n\n## Status\n\nRejected requests get 403.",
        "# API\n\n## Limits\n\nNone yet.\n\n## Jobs\n\nStatus: rejected",
        "# API\n\n## Limits\n\nNone yet.\n\n## Jobs\n\nNone.\n\n## Status\n\nRejected",
        "# API\n\n| Setting | Status |\n|---|---|\n| `legacy` | deprecated |",
        "# API\n\n| Field | Default |\n|---|---|\n| status | draft |",
        "# API\n\n| Status | Meaning |\n|---|---|\n| draft | not yet shown to anybody |",
        "# API\n\n- `status`: draft",
        '# API\n\n- "status": "draft"',
        "# API\n\n- status: draft or published",
        "# API\n\n- status: draft | published",
        "# API\n\nStatus: draft orders are never shipped.",
        "# API\n\nStatus: stable",
        "# API\n\n```\nStatus: rejected\n```",
    ],
)
def test_a_status_of_something_else_means_nothing(other: str) -> None:
    assert any(text.endswith(SENTENCE) for text in texts(f"{other}\n\n## Owner\n\n{SENTENCE}\n"))


NOT_CHOSEN = [
    "Alternatives considered",
    "Rejected options",
    "Rejected alternatives",
    "Options considered",
    "Considered options",
    "Other options",
    "Alternatives",
    "Alternative designs",
    "4.2 Approaches we considered",
    "Considered and rejected solutions",
    "Pros and cons of the options",
    "What we rejected",
    "Open questions",
]


@pytest.mark.parametrize("heading", NOT_CHOSEN)
def test_what_was_not_chosen_is_left_out_of_any_document(heading: str) -> None:
    option = "We will use CMake everywhere.\n\n### Waf\n\n- Waf builds the docs of every team.\n"
    assert texts(f"# Builds\n\n## {heading}\n\n{option}\n## Owner\n\n{SENTENCE}\n") == [f"Builds, Owner: {SENTENCE}"]


@pytest.mark.parametrize(
    "options",
    [
        "Alternatives considered:\n\n- We will use CMake everywhere.",
        "**Rejected options**\n\nWe will use CMake everywhere.\n\n- Waf builds the docs of every team.",
        "**Rejected options:** We will use CMake everywhere.",
        "- Rejected alternatives\n  - We will use CMake everywhere.",
        "Options considered:\n\n| Tool | Verdict |\n|---|---|\n| CMake | builds everything for us |",
    ],
)
def test_what_was_not_chosen_is_left_out_under_words_that_stand_for_a_heading(options: str) -> None:
    assert texts(f"# Builds\n\n{SENTENCE}\n\n{options}\n") == [f"Builds: {SENTENCE}"]


@pytest.mark.parametrize("heading", ["Options", "Solutions", "Rejected requests", "Options for the server"])
def test_options_of_a_program_are_taken(heading: str) -> None:
    assert len(texts(f"# Builds\n\n## {heading}\n\n{SENTENCE}\n")) == 1


@pytest.mark.parametrize("heading", ["Out of scope", "Non-goals", "Won't do", "No longer supported"])
def test_what_will_not_come_keeps_the_heading_that_says_so(heading: str) -> None:
    for above in (f"## {heading}", f"{heading}:"):
        assert texts(f"# Shop\n\n{above}\n\n- The scope of a token spans two tenants\n") == [
            f"Shop, {heading}: The scope of a token spans two tenants"
        ]


def test_what_will_not_come_says_so_however_deep_it_stands() -> None:
    assert texts(f"# Shop\n\n## Non-goals\n\n### Data\n\n#### Owners\n\n{SENTENCE}\n") == [
        f"Shop, Non-goals, Data, Owners: {SENTENCE}"
    ]


def test_what_will_not_come_may_be_told_in_few_words() -> None:
    assert texts("# Shop\n\n## Won't do\n\n- Refunds by cheque\n") == ["Shop, Won't do: Refunds by cheque"]


def test_a_neighbour_does_not_change_what_is_told_of_options_answers_and_licences() -> None:
    document = (
        "# Shop\n\n## Non-goals\n\n- Refunds by cheque of any bank\n- Orders by telephone or fax\n\n"
        "## FAQ\n\n**Can I pay later?** Yes, within 30 days.\n\n## License\n\nMIT\n"
    )
    before = set(texts(document))
    assert len(before) == 4
    for old, new in (("cheque", "cash"), ("fax", "mail"), ("30", "60"), ("MIT", "ISC"), ("## FAQ", "## Questions")):
        assert len(before - set(texts(document.replace(old, new)))) <= 1
