"""What a process holds of the ledger is what the ledger says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from treering import Memory, Treering
from treering.consolidate.rules import promoted
from treering.documents.foreign import mirror as mirrors
from treering.documents.foreign.mirror import Mirror
from treering.documents.foreign.things import named, tag
from treering.ledger import transfer
from treering.ledger.errors import InvalidInput


@pytest.fixture
def mirror(memory: Treering) -> Mirror:
    made = Mirror(memory, "box", _name)
    assert texts(made) == {}
    return made


def _name(memory: Memory) -> tuple[str, ...] | None:
    name = named(memory, "name")
    return None if name is None else (name,)


def texts(mirror: Mirror) -> dict[str, list[str]]:
    return mirror.read(lambda held: {name: [one.content for one in found] for (name,), found in held.items()})


def put(memory: Treering, name: str, text: str) -> Memory:
    return memory.remember(text, tags=("box", tag("name", name)), anyway=True)


def test_an_older_event_of_another_machine_is_seen(memory: Treering, mirror: Mirror, tmp_path: Path) -> None:
    """Though it comes in behind events that are newer."""
    with treering.open(tmp_path / "other") as other:
        put(other, "a", "old")
        transfer.export_file(other.store, str(tmp_path / "out.jsonl"))
    put(memory, "a", "new")
    assert texts(mirror) == {"a": ["new"]}
    transfer.import_file(memory.ledger, memory.context, str(tmp_path / "out.jsonl"), limit=1000, mine=True)
    assert texts(mirror) == {"a": ["old", "new"]}


def test_what_is_undone_or_purged_is_gone(memory: Treering, mirror: Mirror) -> None:
    one, two, three = (put(memory, "a", text) for text in ("one", "two", "three"))
    assert texts(mirror) == {"a": ["one", "two", "three"]}
    memory.undo(one.id)
    memory.purge(two.id)
    assert texts(mirror) == {"a": ["three"]}
    memory.supersede(three.id, "four")
    assert texts(mirror) == {"a": ["four"]}


def test_what_evolution_has_merged_is_still_there(memory: Treering, mirror: Mirror) -> None:
    """And can be replaced by whoever put it there."""
    first, second = put(memory, "a", "We deploy on Tuesdays"), put(memory, "b", "We deploy on Tuesdays.")
    memory.ledger.commit(lambda: [promoted(second, first.id, {"uses": 5}, memory.context)])
    assert memory.get(second.id).status == "merged"
    assert set(texts(mirror)) == {"a", "b"}
    row = {"content": "We deploy on Fridays", "tags": ("box", tag("name", "b"))}
    mirror.write(lambda held: mirror.put(row, held["b",], "changed"))
    assert texts(mirror)["b"] == ["We deploy on Fridays"]


def test_many_new_events_are_read_at_once(memory: Treering, mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirrors, "CATCHING_UP", 5)
    for number in range(12):
        put(memory, str(number % 3), str(number))
    assert texts(mirror) == {str(name): [str(name + 3 * step) for step in range(4)] for name in range(3)}


def test_a_transaction_that_is_tried_again_starts_anew(memory: Treering, mirror: Mirror) -> None:
    """What the first attempt has read of its own was taken back."""
    rounds: Iterator[int] = iter(range(2))

    class Twice(Treering):
        def together(self, work):  # type: ignore[no-untyped-def]
            def attempt() -> None:
                work()
                put(self, "a", "never")
                mirror.read(len)
                raise InterruptedError

            with pytest.raises(InterruptedError):
                super().together(attempt)
            return super().together(work)

    memory.__class__ = Twice
    seen = mirror.write(lambda held: (next(rounds), dict(held)))
    assert seen == (1, {}) and texts(mirror) == {}


@pytest.mark.parametrize(
    "name", ["", "plain", "two words", "100%", "%41", "ä", "a\u0308", "\u200bx", "tab\there", "\n"]
)
def test_a_name_comes_back_as_it_was(memory: Treering, name: str) -> None:
    """Through the guard, which changes texts."""
    made = memory.remember("x", tags=("box", tag("name", name)), anyway=True)
    assert named(memory.get(made.id), "name") == name


def test_half_a_character_is_no_name() -> None:
    with pytest.raises(InvalidInput, match="half of a character"):
        tag("name", "\ud800")
