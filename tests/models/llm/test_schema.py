"""An answer has the shape that was asked for, or it is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.llm.words import FINE, SCHEMA
from treering.models.llm import LONGEST_TEXT, MOST_ITEMS, misfit, texts


def test_what_fits_has_nothing_wrong() -> None:
    """And all of its texts can be looked at."""
    assert misfit(FINE, SCHEMA) == ""
    assert list(texts(FINE)) == ["migrate-on-a-copy", "Try migrations on a copy.", "before a migration"]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([FINE], "the answer is no object"),
        ("name", "the answer is no object"),
        (None, "the answer is no object"),
        ({}, "the answer lacks name, description, triggers"),
        ({**FINE, "root": "/"}, "the answer has fields beyond name, description, triggers"),
        ({**FINE, "name": None}, "name is no text"),
        ({**FINE, "name": 7}, "name is no text"),
        ({**FINE, "name": ["a"]}, "name is no text"),
        ({**FINE, "name": ""}, "name says too little"),
        ({**FINE, "name": "   "}, "name says too little"),
        ({**FINE, "name": "x" * 65}, "name has 65 characters, which is too many"),
        ({**FINE, "name": "a\n---\nb"}, "name has more than one line"),
        ({**FINE, "name": "a\u2028b"}, "name has more than one line"),
        ({**FINE, "name": "a\u202eb"}, "characters that cannot be seen"),
        ({**FINE, "name": "a\u200bb"}, "characters that cannot be seen"),
        ({**FINE, "name": "a\x1b[31m"}, "characters that cannot be seen"),
        ({**FINE, "name": "a\ud800"}, "characters that cannot be seen"),
        ({**FINE, "triggers": "x"}, "triggers is no list"),
        ({**FINE, "triggers": []}, "triggers has 0 items"),
        ({**FINE, "triggers": ["x"] * 4}, "triggers has 4 items"),
        ({**FINE, "triggers": ["x", {}]}, "an item of triggers is no text"),
        ({**FINE, "triggers": [["x"]]}, "an item of triggers is no text"),
        ({**FINE, "triggers": ["x" * 81]}, "an item of triggers has 81 characters"),
    ],
)
def test_what_does_not_fit_is_told_from_what_does(value: object, problem: str) -> None:
    """In words that say where."""
    assert problem in misfit(value, SCHEMA)


def test_one_of_several_words_may_be_asked_for() -> None:
    """Any other is wrong, also in other capitals."""
    choice = {"type": "string", "enum": ["yes", "no"]}
    assert misfit("yes", choice) == ""
    assert misfit("Yes", choice) == "the answer is none of yes, no"


def test_what_has_no_bound_has_one_all_the_same() -> None:
    """A schema that was written in a hurry is no licence."""
    listing = {"type": "array", "items": {"type": "string"}}
    assert misfit(["x" * LONGEST_TEXT] * MOST_ITEMS, listing) == ""
    assert "too many" in misfit(["x" * (LONGEST_TEXT + 1)], listing)
    assert "items" in misfit([""] * (MOST_ITEMS + 1), listing)


_ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=100),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from([*FINE, "other"]) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=15,
)


@given(_ANY)
def test_whatever_fits_is_of_bounded_printable_texts(value: Any) -> None:
    """For any value there is."""
    if not misfit(value, SCHEMA):
        assert value.keys() == FINE.keys()
        assert 1 <= len(value["triggers"]) <= 3
        assert all(text.isprintable() and 1 <= len(text) <= 200 for text in texts(value))
