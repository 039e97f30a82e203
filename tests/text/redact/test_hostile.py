"""Texts made to keep the guard busy. Each test ends, or the guard takes the square of their size."""

from __future__ import annotations

import pytest

from treering.text.redact import RULES, clean

SIZE = 100_000  # characters: as large as a memory may be
NO_LIMIT = 100 * SIZE  # marks may be longer than what they replace

UNITS = (
    *("password=", "password= ", "password: ", "password\n", "password:\n", "password is ", "password for a ", "pass`"),
    *('password="', "password='", "password=`", '\\"password\\":\\"', "password 'a", "password=a1 ", "password=a,"),
    *("password=(", "password=-ab( ", 'password= xkeysib-($"', "token=ab12cd::ef ", "token=/a", "key=", "key=a-"),
    *("eyJ", "-eyJ", "eyJ.", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "Private-Lines: 1\naaaaaaaaaaaaaaaa"),
    *("a:b@", "://a:", "://a:b@", "sk-", "-sk-", "sk-xxxxxx-", "ask-", "=a", "==", "SG..", "EAAA1-"),
    *("sbp_" + "01234567" * 5, "curl -u a:", " -pa", "authorization: ", "identified by '"),
    *("[redacted: jwt]", "[redacted: ", "password=[redacted: jwt]", "datadog=a1b2c3d4e5f6a7b8 ", "a1" * 8 + " "),
    *("${password:", "| password |\n", "insert into a (password) values (a", "echo a:", "'password', '", " /pass:x"),
    *("\x1b[0", "\u200b", "a\u0301", "\u0130", "\ud83d", "\ufe0f"),
)


def filled(unit: str) -> str:
    return (unit * (SIZE // len(unit) + 1))[:SIZE]


def check(text: str) -> None:
    cleaned = clean(text, limit=NO_LIMIT)
    assert clean(cleaned.text, limit=NO_LIMIT) == (cleaned.text, ())


@pytest.mark.parametrize("unit", UNITS)
def test_repetition_costs_no_more_than_its_length(unit: str) -> None:
    """A hundred thousand characters of one thing are cleaned, and cleaned for good."""
    check(filled(unit))


@pytest.mark.long
@pytest.mark.parametrize("unit", sorted({part for rule in RULES for part in (*rule.markers, rule.example)}))
def test_no_marker_and_no_example_is_a_way_to_slow_the_guard(unit: str) -> None:
    """Neither what starts a rule nor what it looks for."""
    check(filled(unit))


def test_secrets_that_touch_are_redacted_in_one_round() -> None:
    """Otherwise a text of a thousand tokens without a gap would be read a thousand times."""
    text = filled("shpat_" + "0123456789abcdef" * 2)
    assert clean(text) == ("[redacted: shopify-token]", ("shopify-token",))
