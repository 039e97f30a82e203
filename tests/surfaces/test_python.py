"""The names that Python programs use: the package's, the everyday verbs of a memory, the fields of its answers."""

from __future__ import annotations

from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.ledger.frozen import copied
from tests.surfaces.shapes import gone, snapshot

KNOWN: dict[str, Any] = snapshot("python")
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def taken(function: Any) -> dict[str, list[str]]:
    """Return the names of a function's parameters, by how they are given: `name=` for one that may be left out."""
    found = [one for one in signature(function).parameters.values() if one.name != "self"]

    def names(*kinds: Any) -> list[str]:
        return [one.name + ("" if one.default is Parameter.empty else "=") for one in found if one.kind in kinds]

    more = [*names(Parameter.VAR_POSITIONAL), *names(Parameter.VAR_KEYWORD)]
    return {"positional": names(*POSITIONAL), "keyword": names(Parameter.KEYWORD_ONLY), "more": more}


def test_every_public_name_is_there() -> None:
    """What `from treering import` could bring is brought."""
    assert gone(KNOWN["names"], treering.__all__) == []
    assert all(hasattr(treering, name) for name in KNOWN["names"])


@pytest.mark.parametrize("verb", KNOWN["verbs"])
def test_a_call_that_worked_works(verb: str) -> None:
    """Parameters keep their names and places; a new one can be left out, and none is asked for that was not."""
    known, now = KNOWN["verbs"][verb], taken(treering.open if verb == "open" else getattr(treering.Treering, verb))
    assert now["positional"][: len(known["positional"])] == known["positional"]
    assert gone(known["more"], now["more"]) == []
    by_name = {*now["positional"], *now["keyword"]}
    assert gone(known["keyword"], by_name) == []
    fresh = by_name - {*known["positional"], *known["keyword"]}
    assert [name for name in fresh if not name.endswith("=")] == []


def test_answers_have_their_fields(tmp_path: Path) -> None:
    """A memory, a recall, its hits, events, and what an undoing tells."""
    with treering.open(copied(tmp_path)) as memory:
        made = memory.remember("The gate of the harbour opens at 5")
        recall = memory.recall("when does the gate of the harbour open", k=1)
        (event,) = memory.history(made.id)[:1]
        answers = {
            "Memory": memory.get(made.id),
            "Recall": recall,
            "Hit": recall.hits[0],
            "Event": event,
            "Undone": memory.undo(made.id),
        }
    for name, answer in answers.items():
        assert [field for field in KNOWN["fields"][name] if not hasattr(answer, field)] == [], name
