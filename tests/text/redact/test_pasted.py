"""What people paste: secrets in the places that they come from, and what only looks like them."""

from __future__ import annotations

import random

import pytest

from tests.text.redact.pasted import LOOKALIKES, SECRETS
from tests.text.redact.unusual import LATER, LATER_LOOKALIKES, UNUSUAL, UNUSUAL_LOOKALIKES
from treering.text.redact import clean
from treering.text.redact.rule import spelled
from treering.text.secrets import suspicious

FEWEST_CAUGHT, MOST_FALSE = 105, 2
PART = 2 / 3  # of a secret: who sees so much of it can guess the rest


def pasted(row: str) -> tuple[str, str]:
    """Return a text as it is pasted, and the secret in it."""
    chance = random.Random(row)
    text = spelled(row, lambda alphabet, length: "".join(chance.choices(alphabet, k=length)))
    before, _, rest = text.partition("«")
    secret, _, after = rest.partition("»")
    return before + secret + after, secret


def is_caught(row: str) -> bool:
    text, secret = pasted(row)
    shown, size = clean(text).text, max(4, int(PART * len(secret)))
    return not any(secret[at : at + size] in shown for at in range(len(secret) - size + 1))


def test_nearly_all_of_them_are_caught() -> None:
    missed = [row for row in SECRETS if not is_caught(row)]
    assert (len(SECRETS), len({*SECRETS})) == (110, 110)
    assert len(SECRETS) - len(missed) >= FEWEST_CAUGHT, missed


def test_what_looks_like_them_is_left_alone() -> None:
    eaten = [text for text in LOOKALIKES if clean(text).changes]
    assert (len(LOOKALIKES), len({*LOOKALIKES})) == (100, 100)
    assert len(eaten) <= MOST_FALSE, eaten


def test_secrets_in_unusual_places_are_caught_too() -> None:
    missed = [row for row in UNUSUAL if not is_caught(row)]
    eaten = [text for text in UNUSUAL_LOOKALIKES if clean(text).changes]
    assert len(missed) <= 0.05 * len(UNUSUAL), missed
    assert len(eaten) <= 0.02 * len(UNUSUAL_LOOKALIKES), eaten


def test_what_a_later_attack_showed_is_caught_and_nothing_like_it() -> None:
    assert [row for row in LATER if not is_caught(row)] == []
    assert [text for text in LATER_LOOKALIKES if clean(text).changes] == []


@pytest.mark.parametrize("row", [*SECRETS, *LATER, *filter(is_caught, UNUSUAL)])
def test_a_hook_takes_a_closer_look_at_each(row: str) -> None:
    assert suspicious(pasted(row)[0])


@pytest.mark.parametrize("row", SECRETS)
def test_what_stands_around_it_is_kept(row: str) -> None:
    """A text is worth keeping without its secret."""
    text, secret = pasted(row)
    words = [word for word in text.replace(secret, " ").split() if word.isalpha() and word.isascii()]
    assert [word for word in words if word not in clean(text).text] == []
