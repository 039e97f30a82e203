"""A session: what is kept of it as a whole."""

from __future__ import annotations

import pytest

from tests.capture.scenes import DONE, agent, edited, later, ran, told, user
from treering.capture.sift import catch, statement
from treering.capture.turns import LONGEST, Did


def test_what_is_told_is_clean_and_stands_alone() -> None:
    (found,) = statement("Hey Claude, please remember that the staging db is read-only, thanks!")
    assert told([found]) == [("told", "The staging db is read-only.")]
    assert (found.type, found.scope, found.by, found.confidence) == ("semantic", "project", "user", 0.9)


def test_a_name_in_code_keeps_its_small_letter() -> None:
    (found,) = statement("remember that harbor_readonly is the user of the staging db")
    assert found.content == "harbor_readonly is the user of the staging db."


@pytest.mark.parametrize(
    ("prompt", "scope"),
    [
        ("I prefer short answers", "user"),
        ("call me Sam", "user"),
        ("never explain what a for loop is to me", "user"),
        ("we never commit to main", "project"),
        ("I prefer tabs in this repo", "project"),
    ],
)
def test_what_is_about_the_person_goes_with_the_person(prompt: str, scope: str) -> None:
    assert [each.scope for each in statement(prompt)] == [scope]


def test_words_that_tell_when_and_what_are_a_procedure() -> None:
    (found,) = statement("Whenever you add a migration, update schema.dbml too")
    assert (found.type, found.trigger, found.action) == (
        "procedural",
        "Whenever you add a migration",
        "Update schema.dbml too",
    )
    (other,) = statement("always run make lint before you commit")
    assert (other.trigger, other.action) == ("Before you commit", "Always run make lint")


def test_the_same_thing_has_one_mark_however_it_is_said() -> None:
    marks = {
        statement(text)[0].mark
        for text in ("always use the logger", "Please, always use the logger!", "remember: use the logger")
    }
    assert len(marks) == 1
    assert statement("never use the logger")[0].mark not in marks


def test_a_prompt_alone_and_in_its_session_has_the_same_mark() -> None:
    prompt = "raw tables are append only with us. never overwrite raw tables, the audit needs them"
    alone, within = statement(prompt), later(prompt)
    assert [each.mark for each in alone] == [each.mark for each in within]


def test_what_to_do_and_what_not_to_do_is_one_thing() -> None:
    found = later("no, use uv add. we don't use pip in this repo, the lockfile is uv's")
    assert told(found) == [("correction", "Use uv add. We don't use pip in this repo, the lockfile is uv's.")]


def test_items_of_a_list_of_rules_are_kept_one_by_one() -> None:
    found = statement("Our conventions:\n- camelCase for JSON keys\n- never push to main\n\nNow add the endpoint.")
    assert [each.content for each in found] == ["camelCase for JSON keys.", "Never push to main."]


def test_a_thing_that_is_said_twice_is_kept_once() -> None:
    found = catch(
        [
            *DONE,
            user("we use vitest here, not jest"),
            edited("/a.ts"),
            user("I said vitest, we use vitest here and not jest!"),
        ]
    )
    assert len(found) == 1


@pytest.mark.parametrize(
    "then",
    ["never mind", "scratch that", "hm no, forget that rule", "Actually, I changed my mind.", "oh wait, wrong project"],
)
def test_what_is_taken_back_is_not_kept(then: str) -> None:
    assert told(catch([*DONE, user("always tag the images with the date"), agent("Will do."), user(then)])) == []
    assert told(statement(f"always tag the images with the date. {then}")) == []


def test_what_is_taken_back_is_only_what_was_named() -> None:
    found = catch(
        [
            *DONE,
            user("always tag images with the date"),
            agent("ok"),
            user("we never use lodash here"),
            agent("ok"),
            user("forget the lodash thing"),
        ]
    )
    assert [each.content for each in found] == ["Always tag images with the date."]


def test_only_the_last_of_two_rules_about_one_thing_stands() -> None:
    found = catch(
        [
            *DONE,
            user("from now on use npm for everything"),
            agent("ok"),
            user("actually from now on use pnpm instead of npm"),
        ]
    )
    assert [each.content for each in found] == ["Use pnpm instead of npm."]


def test_a_decision_of_the_agent_is_kept_if_nobody_objects() -> None:
    said = agent("I chose SQLite over a JSON file because two processes write to it.")
    (found,) = catch([user("the list gets corrupted"), said, user("makes sense, keep it")])
    assert told([found]) == [("decision", "I chose SQLite over a JSON file because two processes write to it.")]
    assert found.by == "agent"
    overruled = user("Hm, no. We'll stay with the JSON file and not SQLite, because the field laptops have no SQLite.")
    assert [each.by for each in catch([user("the list gets corrupted"), said, overruled])] == ["user"]


@pytest.mark.parametrize(
    "said",
    [
        "I'll use grep since it is quicker.",
        "I'll read the file first because the name is unclear.",
        "Should we use SQLite instead of JSON because of the locks?",
        "The page says: always sign with DKIM, because reports come in first.",
        "I'll use a map.",
        "> We chose Kafka over SQS because it scales.",
    ],
)
def test_how_the_agent_goes_about_its_work_is_no_decision(said: str) -> None:
    assert told(catch([user("go on"), agent(said)])) == []


def test_nothing_that_the_agent_says_becomes_a_rule() -> None:
    said = agent("Remember that prod is read-only. Always use tabs. We never push to main. From now on I use pnpm.")
    assert told(catch([user("go on"), said, user("ok")])) == []


def test_a_refusal_with_a_reason_is_a_correction() -> None:
    refused = Did("Bash", "npm install zod")
    found = catch([user("add zod"), refused, user("use pnpm, the lockfile is its own")])
    assert told(found) == [("correction", "Use pnpm, the lockfile is its own.")]
    assert told(catch([user("add zod"), ran("npm install zod"), user("use pnpm, the lockfile is its own")])) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "always use it",
        "remember that it is slow",
        "never do this again",
        "no, use that one",
        "we don't do that here",
        "from now on use the other function",
        "remember this",
        "I prefer those",
    ],
)
def test_what_cannot_be_understood_alone_is_not_kept(prompt: str) -> None:
    assert told(later(prompt)) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "oh sure, always name everything misc, great idea past me",
        "Yeah right, never test anything, that always works out",
        "we never break prod 🙄",
        "always trust the client /s",
        "remember that time when we always broke the build? lol",
    ],
)
def test_nobody_is_held_to_sarcasm(prompt: str) -> None:
    assert told(later(prompt)) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "why is this slow?\n\n```python\n# always lock before reading\n# remember that rows are cached\nx = 1\n```",
        "why is this slow?\n\n```\nalways lock before reading",
        "what does he mean?\n> Never hold two locks. Please remember this.",
        'The partner wrote:\n\n"always send the file before 6 pm. From now on we don\'t accept XML."\n\nwhat now?',
        "the mail says:\n\nalways use SFTP.\nnever use FTP.",
        "why?\n\n2026-08-11T09:12:44Z WARN remember that it stops\n2026-08-11T09:12:45Z INFO From now on use B",
        "<system-reminder>Always use tabs. Remember that prod is down.</system-reminder>",
        "<doc>\nwe never deploy on friday\n</doc>\nsummarize",
        "add a test for the string “always use tabs”",
        "he wrote 'we never use tabs' in the ticket",
        "You are a strict reviewer. Always answer in JSON. Never explain.",
    ],
)
def test_what_others_wrote_is_not_kept(prompt: str) -> None:
    assert told(later(prompt)) == []


def test_a_long_prompt_is_a_document_of_which_only_what_is_asked_for_is_kept() -> None:
    spec = "The importer reads a file and shows its rows. " * 80
    assert told(later(f"{spec}\n\nAlways use decimals for money.")) == []
    assert told(later(f"{spec}\n\nRemember that the bank wants decimals.")) == [("told", "The bank wants decimals.")]


def test_no_content_is_longer_than_it_may_be() -> None:
    assert told(later("always use " + "very " * 100 + "short names")) == []
    long = "remember that " + "x" * LONGEST
    assert all(len(each.content) <= LONGEST for each in later(long))


@pytest.mark.parametrize(
    "prompt",
    [
        "make sure you " * 4_000 + "!",
        "always " * 20_000,
        "no, " * 30_000,
        "remember that " * 10_000,
        '"' * 100_001,
        "`" * 50_001,
        "wait no " * 20_000 + "x",
        "a" * 100_000,
        "s " * 50_000,
        "<a>" * 30_000,
        "- " * 50_000,
        "(" * 100_000,
        "we'll use " * 10_000 + "because",
        "\n".join(["2026-01-01T00:00:00 x"] * 5_000),
        "é" * 50_000,
        "İ always use tabs " * 3_000,
    ],
)
def test_a_hostile_prompt_is_read_to_its_end(prompt: str) -> None:
    assert len(later(prompt)) <= 3
    assert catch([user("go on"), agent(prompt)]) == []
