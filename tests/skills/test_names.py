"""What a skill may be called."""

from __future__ import annotations

import pytest

from treering.ledger.errors import InvalidInput
from treering.skills.rules import LONGEST_DESCRIPTION, LONGEST_SKILL, RESERVED, check_skill, is_skill_name, slug


@pytest.mark.parametrize("name", ["a", "7", "a-b", "tailwind-v4-arbitrary-values", "x" * LONGEST_SKILL])
def test_names_of_the_specification_are_names(name: str) -> None:
    assert is_skill_name(name)
    check_skill(name, "Does a thing.")


@pytest.mark.parametrize(
    "name",
    ["", "-", "--", "-a", "a-", "a--b", "a---b", "A", "a b", "a_b", "a.b", "a/b", "ä", "²", "\u0661", "x" * 65, "a\n"],
)
def test_others_are_not(name: str) -> None:
    assert not is_skill_name(name)
    with pytest.raises(InvalidInput, match="name"):
        check_skill(name, "Does a thing.")


@pytest.mark.parametrize("description", ["", " \n", "x" * (LONGEST_DESCRIPTION + 1)])
def test_a_description_says_something_and_not_too_much(description: str) -> None:
    with pytest.raises(InvalidInput, match="description"):
        check_skill("a", description)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The deploy of the Payments service needs a canary", "deploy-payments-service-needs-canary"),
        ("Tailwind v4: arbitrary values!", "tailwind-v4-arbitrary-values"),
        ("../../etc/passwd", "etc-passwd"),
        ("---\nname: evil", "name-evil"),
        ("日本語", "skill"),
        ("NUL", "nul-skill"),
        ("", "skill"),
        ("x" * 200, "x" * LONGEST_SKILL),
    ],
)
def test_a_name_is_made_of_any_text(text: str, name: str) -> None:
    assert slug(text) == name
    assert is_skill_name(slug(text))


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_skill_is_called_like_what_nobody_takes_for_one(name: str) -> None:
    """A README, a folder of drafts, a device of Windows."""
    with pytest.raises(InvalidInput, match="another name"):
        check_skill(name, "Does a thing.")
    assert slug(name) == f"{name}-skill"
