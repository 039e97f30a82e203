"""What a Python program can do with a memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.world import NOON, SECOND, Clock, fresh, memory_on, store_in_memory
from treering.ledger.clock import format_time
from treering.ledger.errors import CannotUndo, IllegalMove, InvalidInput, NotFound, ReadOnly
from treering.ledger.types import Context
from treering.ledger.verify import verify


def test_the_example_of_the_readme_runs(tmp_path: Path) -> None:
    """Remember, look, forget, restore, undo."""
    with treering.open(tmp_path / "home") as memory:
        note = memory.remember("Run migrations with a lock timeout of 5 s", type="procedural", tags=["postgres"])
        assert memory.get(note.id) == note
        assert [event.kind for event in memory.history(note.id)] == ["memory.remembered.v1"]
        assert memory.forget(note.id).content == ""
        assert memory.restore(note.id) == note
        undone = memory.undo(note.id)
        assert undone.gone == (note.id,)
    with treering.open(tmp_path / "home") as memory:
        assert list(memory.list()) == []
        assert verify(memory.ledger.store).clean


def test_what_is_public_is_what_the_package_exports() -> None:
    """The list of public names is a promise; a change of it is a decision."""
    assert sorted(treering.__all__) == [
        "Event", "Hit", "InvalidInput", "Memory", "NotFound", "ReadOnly", "Recall", "Refused", "StoreError",
        "ToolResult", "Treering", "TreeringError", "Undone", "open",
    ]  # fmt: skip
    for name in treering.__all__:
        assert getattr(treering, name) is not None
    with pytest.raises(AttributeError):
        treering.nothing  # noqa: B018


def test_rows_come_back_in_their_order() -> None:
    """remember_many gives a record for each row, in order, of one transaction."""
    memory = fresh()
    rows = [{"content": f"row {number}", "tags": [f"t{number}"]} for number in range(100)]
    made = memory.remember_many(rows)
    assert [m.content for m in made] == [row["content"] for row in rows]
    assert [memory.get(m.id) for m in made] == made


def test_one_bad_row_spoils_them_all() -> None:
    """All or none, and the error says which row and what it may have meant."""
    memory = fresh()
    with pytest.raises(InvalidInput, match="row 2: remember has no option 'tgas': did you mean 'tags'"):
        memory.remember_many([{"content": "fine"}, {"content": "x", "tgas": []}])
    assert list(memory.list()) == []


@pytest.mark.parametrize(
    "options",
    [
        {"content": 5},
        {"content": "x", "tags": 5},
        {"content": "x", "tags": [5]},
        {"content": "x", "invariant": "yes"},
        {"content": "x", "at": "yesterday-ish"},
        {"content": "x", "at": float("nan")},
        {"content": "x", "at": 1e30},
        {"content": "x", "at": True},
        {"content": "x" * 100_001},
        {},
    ],
)
def test_arguments_of_the_wrong_kind_are_our_own_errors(options: dict[str, object]) -> None:
    """Every error of ours is a TreeringError, and nothing is written."""
    memory = fresh()
    with pytest.raises(treering.TreeringError):
        memory.remember_many([options])
    assert list(memory.store.events()) == []


def test_a_fact_of_the_past_keeps_its_date() -> None:
    """`at` is when it happened, as a text, a datetime or seconds."""
    memory = fresh()
    for at in ("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC), 1714521600):
        note = memory.remember("x", at=at)
        assert format_time(note.created) == "2024-05-01T00:00:00Z"
        assert note.updated == note.created


def test_a_secret_is_redacted_and_that_is_said(tmp_path: Path) -> None:
    """What the guard took out is named on the record, and the secret reaches no file."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with treering.open(tmp_path) as memory:
        note = memory.remember(f"the token is {token}", tags=["ci"])
        assert token not in note.content
        assert note.redacted == ("github-token",)
    assert all(token.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_short_ids_find_their_memory() -> None:
    """A number that one writer has; a part of the writer's name if no other begins like it."""
    memory = fresh()
    note = memory.remember("x")
    writer = note.id.partition("-")[0]
    assert memory.get("1") == memory.get(f"{writer[:3]}-1") == memory.get(note.id) == note
    other = fresh(seed=9)
    other.remember("y")
    other.remember("z")
    memory.ledger.take_in(list(other.store.events()))
    assert memory.get(f"{writer[:3]}-1") == note
    assert memory.get("2").content == "z"


def test_what_is_not_there_is_explained() -> None:
    """Undone, purged, or never there: the error says which, and what to do."""
    memory = fresh()
    undone, purged = memory.remember("x"), memory.remember("y")
    memory.undo(undone.id)
    memory.purge(purged.id)
    with pytest.raises(NotFound, match="brings it back"):
        memory.get(undone.id)
    with pytest.raises(NotFound, match="purged"):
        memory.get(purged.id)
    with pytest.raises(NotFound, match="treering list"):
        memory.get("nobody-77")
    for call in (memory.history, memory.forget, memory.restore, memory.purge, memory.undo):
        with pytest.raises(NotFound):
            call("nobody-77")


def test_undoing_an_undoing_brings_everything_back() -> None:
    """An undo is an event like any other, and so is its undo."""
    memory = fresh()
    note = memory.remember("x")
    undone = memory.undo(note.id, reason="a mistake")
    again = memory.undo(undone.event.id)
    assert again.back == (note.id,)
    assert memory.get(note.id) == note
    with pytest.raises(CannotUndo):
        memory.undo(undone.event.id)


def test_undoing_takes_all_that_rests_on_it() -> None:
    """Undoing a forgetting takes nothing else; undoing a memory takes all its history."""
    memory = fresh()
    note = memory.remember("x")
    memory.forget(note.id)
    forgetting = memory.history(note.id)[-1]
    assert memory.undo(forgetting.id).changed == (note.id,)
    assert memory.get(note.id) == note
    memory.forget(note.id)
    undone = memory.undo(note.id)
    assert len(undone.left_out) == 2
    assert undone.gone == (note.id,)


def test_a_rehearsal_changes_nothing() -> None:
    """A dry run tells exactly what would happen, and it does not happen."""
    memory = fresh()
    note = memory.remember("x")
    events = list(memory.store.events())
    rehearsed = memory.undo(note.id, dry_run=True)
    assert list(memory.store.events()) == events
    assert memory.get(note.id) == note
    done = memory.undo(note.id)
    assert (rehearsed.left_out, rehearsed.gone) == (done.left_out, done.gone)


def test_revoking_a_session_or_a_source_takes_what_it_brought() -> None:
    """And nothing else; what the same session does later counts again."""
    memory = fresh()
    memory.remember("good", session="good")
    memory.remember("bad 1", session="bad")
    memory.remember("bad 2", origin="document:evil.md:7")
    assert len(memory.revoke(session="bad").gone) == 1
    assert len(memory.revoke(source="evil.md").gone) == 1
    memory.remember("later", session="bad")
    assert {m.content for m in memory.list()} == {"good", "later"}
    with pytest.raises(NotFound, match="no session 'typo'"):
        memory.revoke(session="typo")
    with pytest.raises(NotFound, match=r"no source 'typo\.md'"):
        memory.revoke(source="typo.md")


def test_calls_made_together_are_one() -> None:
    """All or none, across several calls."""
    memory = fresh()
    note = memory.remember("x")
    with pytest.raises(IllegalMove):
        memory.together(lambda: [memory.forget(note.id), memory.forget(note.id)])
    assert memory.get(note.id) == note


def test_spaces_are_walls() -> None:
    """A memory of one space is not there in another, on any path."""
    store = store_in_memory()
    here, there = memory_on(store), memory_on(store, seed=2, context=Context("elsewhere"))
    note = here.remember("walled word")
    assert list(there.list()) == []
    assert there.recall("walled").abstained
    with pytest.raises(NotFound):
        there.get(note.id)
    for call in (there.forget, there.restore, there.purge, there.history, there.undo):
        with pytest.raises(NotFound):
            call(note.id)


def test_recall_finds_by_meaningful_words_and_abstains_otherwise() -> None:
    """Stop words find nothing; what is forgotten is not found; walls hold."""
    memory = fresh()
    note = memory.remember("The migration locked the orders table", project="shop")
    memory.remember("the cat sat on the mat")
    assert memory.recall("why did the migration lock", project="shop").hits[0].memory.id == note.id
    assert memory.recall("why did the migration lock").abstained
    assert memory.recall("what is it about").abstained
    memory.forget(note.id)
    assert memory.recall("migration", project="shop").abstained
    for query in ("", "  ", "?!"):
        with pytest.raises(InvalidInput):
            memory.recall(query)
    for k in (0, 10**20):
        with pytest.raises(InvalidInput):
            memory.recall("x", k=k)


def test_numbers_that_nobody_has_are_just_not_found() -> None:
    """However long they are."""
    memory = fresh()
    note = memory.remember("x", origin="document:a.md:" + "9" * 5_000)
    assert note.trust == "external"
    with pytest.raises(NotFound):
        memory.get("9" * 5_000)
    with pytest.raises(NotFound):
        memory.undo("abc-" + "9" * 5_000)


def test_the_past_can_be_seen_and_not_touched(tmp_path: Path) -> None:
    """A view of a moment shows what was believed then, and refuses every change."""
    with treering.open(tmp_path) as memory:
        note = memory.remember("then")
        moment = memory.history(note.id)[0].time / SECOND
        later = memory.remember("now")
        memory.forget(note.id)
    with treering.open(tmp_path, as_of=moment) as past:
        assert past.read_only
        assert [m.content for m in past.list()] == ["then"]
        assert past.store.several([note.id, later.id, "nobody-1"]) == {note.id: note}
        assert past.recall("then").hits[0].memory.content == "then"
        for change in (past.forget, past.purge, past.undo, past.restore, past.remember):
            with pytest.raises(ReadOnly):
                change(note.id)
    with treering.open(tmp_path, as_of="2001-01-01") as past:
        assert list(past.list()) == []


def test_a_clock_that_is_wrong_breaks_nothing() -> None:
    """Years ahead, then back: order holds, nothing is lost, and the view of a moment stays sensible."""
    clock = Clock()
    memory = fresh(clock)
    memory.remember("first")
    clock.time += 40 * 365 * 86_400 * SECOND
    ahead = memory.remember("ahead")
    clock.time = NOON - 86_400 * SECOND
    memory.forget(ahead.id)
    last = memory.remember("last")
    assert memory.get(ahead.id).status == "forgotten"
    assert last.created < NOON
    assert verify(memory.ledger.store).clean


def test_importing_the_package_costs_next_to_nothing() -> None:
    """What is public is loaded when it is first asked for."""
    code = (
        "import sys, treering;"
        "heavy = {'json', 're', 'typing', 'msgspec', 'enum', 'dataclasses', 'pathlib', 'datetime'};"
        "sys.exit(', '.join(heavy & set(sys.modules)) or None)"
    )
    # Without site, whose .pth files may load anything; where to find things is said by hand.
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr


def test_names_and_reasons_pass_the_guard_too(tmp_path: Path) -> None:
    """A secret in the name of where we stand, in a reason or in a revocation is refused, and reaches no file."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for place in ({"session": token}, {"project": token}, {"space": token}):
        with treering.open(tmp_path, **place) as memory, pytest.raises(InvalidInput, match="github-token"):
            memory.remember("x")
    with treering.open(tmp_path) as memory:
        note = memory.remember("x", project=token)
        assert note.redacted == ("github-token",)
        for change in (
            lambda: memory.forget(note.id, reason=token),
            lambda: memory.undo(note.id, reason=token),
            lambda: memory.purge(note.id, reason=token),
            lambda: memory.revoke(source=token),
        ):
            with pytest.raises(InvalidInput, match="github-token"):
                change()
        assert memory.get(note.id) == note
        memory.recall(token)
    assert all(token.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_only_what_can_be_exported_is_written() -> None:
    """Actors that there are, names of one line, and texts where texts are wanted."""
    store = store_in_memory()
    with pytest.raises(InvalidInput, match="actor"):
        memory_on(store, context=Context(actor="bogus")).remember("x")
    with pytest.raises(InvalidInput, match="one printable line"):
        memory_on(store, context=Context(session="a\nb")).revoke(session="x")
    with pytest.raises(InvalidInput, match="text"):
        memory_on(store).revoke(session=5)  # type: ignore[arg-type]
    assert list(store.events()) == []


def test_whatever_is_passed_in_the_error_is_ours(tmp_path: Path) -> None:
    """Arguments of the wrong kind, ids that cannot be, rows that are none: all are TreeringErrors."""
    memory: Any = fresh()
    memory.remember("x")
    calls: list[Callable[[], object]] = [
        lambda: memory.get(1),
        lambda: memory.get("\ud800"),
        lambda: memory.undo(5),
        lambda: memory.undo(["a"]),
        lambda: memory.purge(["1"]),
        lambda: memory.recall(5),
        lambda: memory.recall("x", k="5"),
        lambda: memory.recall("x", k=1.5),
        lambda: memory.list(limit="5"),
        lambda: memory.list(limit=-1),
        lambda: memory.list(project=5),
        lambda: memory.remember_many("abc"),
        lambda: memory.remember_many({"content": "x"}),
        lambda: memory.remember_many([None]),
        lambda: treering.open(5),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(treering.TreeringError):
            call()
    assert len(list(memory.store.events())) == 1


def test_a_closed_memory_stays_closed(tmp_path: Path) -> None:
    """Using it says so; closing it again is fine."""
    memory = treering.open(tmp_path)
    memory.close()
    memory.close()
    with pytest.raises(treering.TreeringError, match="closed"):
        memory.remember("x")


def test_a_number_that_two_machines_have_is_asked_back() -> None:
    """A short id never silently means another memory than it did before."""
    one, two = fresh(seed=1), fresh(seed=2)
    note = one.remember("x")
    two.remember("y")
    assert one.get("1") == note
    one.ledger.take_in(list(two.store.events()))
    with pytest.raises(InvalidInput, match="could be any of"):
        one.forget("1")


def test_names_are_found_as_they_were_given() -> None:
    """Blanks around a name, another spelling of its accents, a tag with a blank in it."""
    memory = fresh()
    note = memory.remember("x", project="cafe\u0301", session=" s1 ", tags=["lock timeout"])
    for where in ({"project": "cafe\u0301"}, {"project": "café"}, {"session": " s1 "}, {"tag": "lock timeout"}):
        assert [m.id for m in memory.list(**where)] == [note.id]  # type: ignore[arg-type]
