"""Answers, plans that were dropped, rows of tables, quotes and licences: what a fact needs to be understood alone."""

from __future__ import annotations

import pytest

from treering.documents.harvest import facts

SENTENCE = "The orders table is owned by checkout."


def texts(document: str, name: str = "") -> list[str]:
    return [fact.text for fact in facts(document, name)]


# Quotes


@pytest.mark.parametrize(
    "quote",
    [
        f"> > {SENTENCE}",
        f">>>>>> {SENTENCE}",
        f"1. Run the server.\n\n> {SENTENCE}",
        f"- Run the server.\n\n  > {SENTENCE}",
        f"- Run the server.\n  > > {SENTENCE}",
        f"> - Run the server.\n> - {SENTENCE}",
        f"> - Run the server.\n>\n> {SENTENCE}",
        f"> The server runs\n> > {SENTENCE}",
    ],
)
def test_no_mark_of_a_quote_is_left_in_a_fact(quote: str) -> None:
    found = texts(f"# Shop\n\n{quote}\n")
    assert any(SENTENCE in text for text in found) and not any(">" in text for text in found)


def test_a_quote_beside_a_list_is_no_part_of_it() -> None:
    assert texts(f"# Shop\n\n- Deploys happen on Tuesdays only.\n> {SENTENCE}\n") == [
        "Shop: Deploys happen on Tuesdays only.",
        f"Shop: {SENTENCE}",
    ]


# Plans


def test_an_entry_of_a_plan_stands_below_its_headings_and_says_whether_it_is_done() -> None:
    assert texts("# Roadmap\n\n## Q1 2026\n\n- [x] Login with passkeys\n- [ ] Invoice export as CSV\n") == [
        "Roadmap, Q1 2026, done: Login with passkeys",
        "Roadmap, Q1 2026, open: Invoice export as CSV",
    ]


@pytest.mark.parametrize("entry", ["Dark mode dropped", "Dark mode: cancelled", "Dropped: dark mode"])
def test_what_was_dropped_from_a_plan_says_so_in_its_own_words(entry: str) -> None:
    assert texts(f"# Shop\n\n## Roadmap\n\n### Q2\n\n- {entry}\n") == [f"Shop, Roadmap, Q2: {entry}"]


def test_entries_below_a_heading_of_what_was_dropped_say_so() -> None:
    assert texts("# Shop roadmap\n\n## Dropped\n\n- Dark mode for readers\n") == [
        "Shop roadmap, Dropped: Dark mode for readers"
    ]


def test_a_struck_entry_of_a_plan_says_nothing() -> None:
    assert texts("# Shop roadmap\n\n## Q2\n\n- ~~Dark mode for all readers~~\n") == []


def test_a_row_of_a_plan_says_for_when_it_is() -> None:
    table = "| Feature | Owner |\n|---|---|\n| Multi-currency | Tom and Ana |\n"
    assert texts(f"# Roadmap\n\n## Q2 2026\n\n{table}") == [
        "Roadmap, Q2 2026: Feature Multi-currency: Owner Tom and Ana."
    ]


# Tables


def test_who_does_what_in_a_team_is_kept() -> None:
    table = "| Name | Role |\n|---|---|\n| Mika | lead |\n| Sanna | hardware |\n"
    assert texts(f"# Orbit\n\n## Team\n\n{table}\n- Ana: payments\n") == [
        "Orbit, Team: Name Mika: Role lead.",
        "Orbit, Team: Name Sanna: Role hardware.",
        "Orbit, Team: Ana: payments",
    ]


def test_a_table_about_the_document_is_no_fact() -> None:
    assert texts(f"# Shop\n\n| Owner | Ana Li |\n|---|---|\n| Status | Accepted |\n\n{SENTENCE}\n") == [
        f"Shop: {SENTENCE}"
    ]


# Questions

ANSWER = "Can I run it locally? Yes, with `make up`."


@pytest.mark.parametrize(
    "pair",
    [
        "**Q: Can I run it locally?** A: Yes, with `make up`.",
        "**Q: Can I run it locally?**\nA: Yes, with `make up`.",
        "**Q:** Can I run it locally?\n\n**A:** Yes, with `make up`.",
        "Q: Can I run it locally?\nA: Yes, with `make up`.",
        "Q1: Can I run it locally?\n\nA1: Yes, with `make up`.",
        "**Can I run it locally?**\n\nYes, with `make up`.",
        "**Can I run it locally?** Yes, with `make up`.",
        "- **Can I run it locally?** Yes, with `make up`.",
        "- Q: Can I run it locally?\n- A: Yes, with `make up`.",
        "### Can I run it locally?\n\nYes, with `make up`.",
    ],
)
def test_an_answer_has_its_question_in_front(pair: str) -> None:
    assert texts(f"# Orbit\n\n## FAQ\n\n{pair}\n") == [f"Orbit, {ANSWER}"]


def test_a_question_in_the_text_goes_with_the_sentence_that_answers_it() -> None:
    answer = "Why not MQTT? Because rotctl is what the hardware has."
    assert texts(f"# Orbit\n\nDrivers speak rotctl over TCP. {answer} {SENTENCE}\n") == [
        "Orbit: Drivers speak rotctl over TCP.",
        f"Orbit: {answer}",
        f"Orbit: {SENTENCE}",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "A: Only with the local profile.",
        "Because rotctl is what it has.",
        "No, only with the local profile.",
        "- A: Only with the local profile.",
    ],
)
def test_an_answer_without_its_question_is_left_out(answer: str) -> None:
    assert texts(f"# Orbit\n\n{answer}\n\n{SENTENCE}\n") == [f"Orbit: {SENTENCE}"]


def test_a_question_that_was_answered_at_once_does_not_stand_before_the_next_paragraph() -> None:
    assert texts(f"# Orbit\n\n**Does it scale?** Yes, to 500 passes.\n\n{SENTENCE}\n")[-1] == f"Orbit: {SENTENCE}"


def test_a_reason_that_comes_first_is_a_statement() -> None:
    reason = "Because messages may come twice, consumers are idempotent."
    assert texts(f"# Orbit\n\n{reason}\n") == [f"Orbit: {reason}"]


# Licences


@pytest.mark.parametrize("words", ["MIT", "Apache License, Version 2.0", "MIT or Apache-2.0 at your choice."])
def test_the_licence_is_a_fact_if_a_section_of_its_own_names_it_in_a_few_words(words: str) -> None:
    found = texts(f"# Orbit\n\n{SENTENCE}\n\n## License\n\n{words}\n")
    assert found[0] == f"Orbit: {SENTENCE}"
    assert found[1].startswith("Orbit") and found[1].endswith(words)


@pytest.mark.parametrize(
    "words",
    [
        "The icons are licensed under CC BY 4.0.",
        "## License\n\nSee the file LICENSE.",
        "## License\n\n" + "You may copy and change this work as you like, and " * 3 + "sell it.",
    ],
)
def test_other_words_about_licences_are_no_fact(words: str) -> None:
    assert texts(f"# Orbit\n\n{SENTENCE}\n\n{words}\n") == [f"Orbit: {SENTENCE}"]
