"""What texts mention."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.text.mentions import MOST_ENTITIES, entities

ANY_TEXT = st.text(st.characters(codec=None))
SIZE = 100_000  # characters: as large as a memory may be


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Call getUserName() first.", ["getusername"]),
        ("It is in src/api/Users.py:12, I think.", ["src/api/users.py", "users.py"]),
        ("Set FOO_BAR=1 and run os.path.join.", ["foo_bar", "os.path.join"]),
        ("Fails with TS2345, then E0308.", ["ts2345", "e0308"]),
        ("We got HTTP 404 and exit code 137.", ["http 404", "code 137"]),
        ("Look at https://www.Example.com:8080/a?b=c now.", ["example.com"]),
        ("Asked @Bob about #123.", ["#123", "@bob"]),
        ("It needs Python 3.11 or later.", ["python 3.11", "python"]),
        ("Upgrade to 3.11.4, it took 3.5 seconds.", []),
        ("Use `git rebase` there.", ["git rebase"]),
        ("We met Ada Lovelace in the Sierra Nevada.", ["ada lovelace", "sierra nevada"]),
        ("The data moved to PostgreSQL, Redis and an iPhone.", ["postgresql", "redis", "iphone"]),
        ("I asked Ada's team; IBM's Watson too.", ["ada", "ibm", "watson"]),
        ("AWS is down, e.g. Route53.", ["aws", "route53"]),
    ],
)
def test_what_another_text_may_mention_too(text: str, found: list[str]) -> None:
    """In lower case, without what surrounds it."""
    assert list(entities(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        *("Yesterday it rained. Nobody came: Perhaps next time.", "On Monday in March I'm off.", "I think I know."),
        *("DO NOT PUSH TO MAIN", "NEVER do this, it is IMPORTANT.", "- Wrote the notes\n- Sent them"),
        *("The Quick Brown Fox Jumps Over", "", " ", "...", "A", "`", "``", "-- - --- / @ #", "and/or 24/7 2023-08-15"),
    ],
)
def test_what_is_capitalised_anyway_is_nothing(text: str) -> None:
    """Beginnings of sentences and of lines, days, months, "I", headings and shouting."""
    assert entities(text) == ()


def test_a_name_that_begins_a_sentence_counts_if_it_stands_elsewhere_too() -> None:
    """Within a sentence only a name has a capital."""
    assert entities("Ada Lovelace wrote it. We thank Ada.") == ("ada lovelace", "ada")
    assert entities("Ada wrote it. We thank her.") == ()


def test_a_title_ends_no_sentence() -> None:
    """What follows "Dr." is still within one."""
    assert entities("we saw Dr. Smith and J. Doe") == ("smith", "doe")


def test_the_most_telling_come_first() -> None:
    """An error code means one thing; a capitalised word may mean many."""
    text = "We saw Ada run --fast on `x y` in src/a.py of api.example.com, with load_users and E0308"
    assert entities(text) == ("e0308", "src/a.py", "a.py", "api.example.com", "load_users", "--fast", "x y", "ada")


def test_two_texts_agree_on_what_they_mention() -> None:
    """However it is quoted, and whatever stands behind it."""
    forms = (
        "about getUserName.",
        "(getUserName)",
        '"getUserName",',
        "`getUserName`",
        "getUserName(id)",
        "getUserName:",
    )
    assert {entities(form)[0] for form in forms} == {"getusername"}


def test_a_list_of_names_does_not_link_to_everything() -> None:
    """At most so many, each once."""
    found = entities(" ".join(f"name_{number % 50}" for number in range(1_000)))
    assert len(found) == len(set(found)) == MOST_ENTITIES


@given(ANY_TEXT)
def test_every_text_has_entities_or_none(text: str) -> None:
    """Nothing raises, and what is found is in its normal form."""
    found = entities(text)
    assert len(set(found)) == len(found) <= MOST_ENTITIES
    assert all(entity and entity == entity.lower() for entity in found)


@given(st.text(st.sampled_from("aB1 \n._-/@#:'`\"()=$\\")))
def test_no_mixture_of_marks_raises(text: str) -> None:
    """Nor do the marks that names are told by, in any order."""
    assert all(entities(text))


@pytest.mark.parametrize(
    "unit",
    [
        *("A ", "Aa ", "aB ", "aB", "a.b.", "a/b/", "`", "`a", "_", "-a", "--a ", "@a ", "#1 ", "A.", "(A", "((", "\n"),
        *("a=", "a:1", ":1", "A-", "'s", "E0308 ", "http://a ", "://", "v1.2.3 ", "1.", "\ud800", "é", "\u0130"),
    ],
)
def test_repetition_costs_no_more_than_its_length(unit: str) -> None:
    """A hundred thousand characters of one thing are read to the end."""
    assert len(entities(unit * (SIZE // len(unit)))) <= MOST_ENTITIES
