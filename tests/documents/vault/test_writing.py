"""Writing a vault, and proving that its session files alone amount to it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world import SECOND, Clock, Hashed, memory_on, store_in_memory
from treering.documents.vault.vault import Written, replay, write
from treering.ledger.ageing import ACTIVE, CANDIDATE, WORKING, session_tier
from treering.ledger.errors import InvalidInput, MalformedLine, StoreUnavailable
from treering.ledger.sessions import DAY, Starts
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Treering:
    return memory_on(store_in_memory(), clock, embedder=Hashed())


def written(memory: Treering, folder: Path) -> Written:
    return write(memory.store, str(folder), "default", memory.workspace.now())


def sessions(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted((folder / "sessions").glob("*.md"))}


def continuity(folder: Path) -> str:
    return (folder / "continuity.md").read_text()


def tier_of(folder: Path, id: str) -> str:
    rows = (continuity(folder) + (folder / "archive.md").read_text()).split("\n")
    (row,) = (row for row in rows if f"id: {id} |" in row)
    return row.partition("tier: ")[2].partition(" ")[0]


def test_a_fact_stands_in_continuity_with_its_footer(memory: Treering, tmp_path: Path) -> None:
    """Id, dates, uses and tier in a comment below it."""
    note = memory.remember("The proxy must stay protocol-agnostic.", session="monday")
    memory.recall("proxy protocol", session="tuesday", silent=False)
    written(memory, tmp_path / "vault")
    assert (
        "- The proxy must stay protocol-agnostic.\n"
        f"  <!-- id: {note.id} | created: 2026-01-01 | last_used: 2026-01-01 | uses: 1 | tier: working |"
    ) in continuity(tmp_path / "vault")


def test_each_session_has_a_file_that_says_what_it_did(memory: Treering, clock: Clock, tmp_path: Path) -> None:
    """One for each session and day, and one for each day outside any."""
    old = memory.remember("Deploys run on Friday", session="monday")
    memory.recall("deploys friday", session="tuesday", silent=False)
    new = memory.supersede(old.id, "Deploys run on Monday", reason="the client asked")
    assert written(memory, tmp_path).sessions == 3
    monday, tuesday, outside = sessions(tmp_path).values()
    assert "### Created\n\n- Deploys run on Friday\n" in monday
    assert f"### Referenced\n\n- {old.id} <!-- at: " in tuesday
    assert f"### Superseded\n\n- {old.id} → {new.id}: the client asked\n" in outside
    assert "# Outside any session, 2026-01-01" in outside
    clock.time += DAY
    memory.remember("A new day", session="monday")
    assert written(memory, tmp_path).sessions == 4


def test_a_superseded_fact_is_in_the_archive_with_why(memory: Treering, tmp_path: Path) -> None:
    """One line, which says what took its place; and it is gone from continuity.md."""
    old = memory.remember("Deploys run\non Friday")
    new = memory.supersede(old.id, "Deploys run on Monday", reason="the client asked")
    assert written(memory, tmp_path)[2:] == (1, 1)
    (row,) = (row for row in (tmp_path / "archive.md").read_text().split("\n") if row.startswith("- "))
    assert row.startswith("- Deploys run&#10;on Friday <!-- id: ")
    assert f"why: superseded by {new.id} | reason: the client asked" in row
    assert "Friday" not in continuity(tmp_path)


@pytest.mark.parametrize(
    ("rings", "tier"),
    [
        (0, "working"),
        (WORKING, "working"),
        (WORKING + 1, "active"),
        (ACTIVE, "active"),
        (ACTIVE + 1, "archive-candidate"),
        (CANDIDATE, "archive-candidate"),
        (CANDIDATE + 1, "archived"),
    ],
)
def test_tiers_count_the_rings_since_the_last_use(memory: Treering, tmp_path: Path, rings: int, tier: str) -> None:
    """Distinct sessions, in whole numbers; several files of one session are one ring."""
    note = memory.remember("alpha", session="s", project="acme")
    for number in range(rings):
        memory.remember(f"beta {number}", session=f"s{number}", project="acme")
        memory.remember(f"gamma {number}", session=f"s{number}", project="acme")
        memory.remember(f"elsewhere {number}", session=f"t{number}", project="other")
    written(memory, tmp_path)
    assert tier_of(tmp_path, note.id) == tier


def test_facts_of_the_user_count_the_rings_of_every_project(memory: Treering, tmp_path: Path) -> None:
    """Where a fact could have been used and was not, it fades."""
    mine, theirs = memory.remember("alpha"), memory.remember("beta", project="acme")
    for number in range(WORKING + 1):
        memory.remember(f"gamma {number}", session=f"s{number}", project="other")
    written(memory, tmp_path)
    assert (tier_of(tmp_path, mine.id), tier_of(tmp_path, theirs.id)) == ("active", "working")


def test_tiers_are_those_of_the_sessions_policy(memory: Treering, clock: Clock, tmp_path: Path) -> None:
    """What `treering show` says under that policy stands in the vault, as long as every session found something."""
    words = ["alpha", "beta", "gamma", "delta"]
    for number in range(60):
        session, project = f"s{number}" if number % 5 else "", ("", "acme", "other")[number % 3]
        clock.time += DAY // 3
        memory.remember(f"{words[number % 4]} {number}", session=session, project=project)
        memory.recall(words[number * 7 % 4], session=session, project=project, silent=False, k=2)
    written(memory, tmp_path)
    starts = Starts(memory.store.events(EventQuery(live=True)))
    tiers = {one.id: session_tier(starts.since(one)) for one in memory.store.records()}
    assert {id: tier_of(tmp_path, id) for id in tiers} == tiers
    assert len(set(tiers.values())) == 4


def test_invariants_stay_active(memory: Treering, tmp_path: Path) -> None:
    """Whatever happens since, they are at hand."""
    note = memory.remember("alpha", invariant=True)
    for number in range(CANDIDATE + 5):
        memory.remember(f"beta {number}", session=f"s{number}")
    written(memory, tmp_path)
    assert tier_of(tmp_path, note.id) == "active"


def test_what_had_faded_and_is_used_again_is_reactivated(memory: Treering, tmp_path: Path) -> None:
    """The session that used it says so, and it is at hand again."""
    note = memory.remember("alpha", session="first")
    for number in range(CANDIDATE + 1):
        memory.remember(f"beta {number}", session=f"s{number}")
    written(memory, tmp_path)
    assert tier_of(tmp_path, note.id) == "archived"
    memory.recall("alpha", session="last", silent=False, k=1)
    written(memory, tmp_path)
    assert f"### Reactivated\n\n- {note.id} " in [*sessions(tmp_path).values()][-1]
    assert tier_of(tmp_path, note.id) == "working"


def test_session_files_are_never_changed(memory: Treering, tmp_path: Path) -> None:
    """More events of a session, an undoing and a forgetting make further files."""
    notes = [memory.remember(f"note {number}", session="monday") for number in range(3)]
    written(memory, tmp_path)
    before = sessions(tmp_path)
    memory.remember("more", session="monday")
    memory.forget(notes[0].id)
    memory.undo(notes[1].id)
    assert written(memory, tmp_path).sessions == 4
    after = sessions(tmp_path)
    assert {name: after[name] for name in before} == before
    assert f"### Forgotten\n\n- {notes[1].id}: undone\n" in after[max(after)]
    assert replay(str(tmp_path)).equal
    memory.restore(notes[0].id)
    assert [os.path.basename(name) for name in written(memory, tmp_path).files][1:] == ["continuity.md"]
    assert "note 0" in continuity(tmp_path) and "note 1" not in continuity(tmp_path)


def test_writing_again_writes_nothing(memory: Treering, tmp_path: Path) -> None:
    """There is no time of writing in any file."""
    memory.remember("alpha")
    assert len(written(memory, tmp_path).files) == 3
    assert written(memory, tmp_path).files == ()


def test_what_was_purged_is_in_no_file(memory: Treering, tmp_path: Path) -> None:
    """Its text and tags and the reasons given for it are blanked; every other line stays as it was."""
    kept = memory.remember("kept", session="monday")
    note = memory.remember("the code is 1234", session="monday", tags=["door"], problem="locked\nout")
    memory.supersede(note.id, kept.id, reason="the code changed")
    written(memory, tmp_path)
    before = sessions(tmp_path)
    memory.purge(note.id)
    written(memory, tmp_path)
    everything = "".join(path.read_text() for path in tmp_path.rglob("*.md"))
    for word in ("1234", "door", "locked", "the code changed"):
        assert word not in everything
    monday = min(before)
    lost = set(before[monday].split("\n")) - set(sessions(tmp_path)[monday].split("\n"))
    assert all("kept" not in row and kept.id not in row for row in lost)
    assert replay(str(tmp_path)).equal
    assert not list(tmp_path.rglob("*.part"))


def test_what_was_forgotten_before_it_was_told_is_never_told(memory: Treering, tmp_path: Path) -> None:
    """And told once it is restored."""
    note = memory.remember("alpha")
    memory.forget(note.id)
    written(memory, tmp_path)
    assert "alpha" not in "".join(path.read_text() for path in tmp_path.rglob("*.md"))
    memory.restore(note.id)
    written(memory, tmp_path)
    assert "alpha" in continuity(tmp_path)


def test_an_interrupted_write_is_finished_by_the_next(
    memory: Treering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Session files come first and continuity.md last, so that what it says is always told."""
    for number in range(3):
        memory.remember(f"note {number}", session=f"s{number}")
    whole = tmp_path / "whole"
    written(memory, whole)
    for count in range(5):
        folder, left = tmp_path / str(count), iter(range(count))

        def replaced(source: str, target: str, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise OSError(errno.EIO, "the power went")
            os.rename(source, target)

        monkeypatch.setattr("treering.documents.vault.folder.os.replace", replaced)
        with pytest.raises(StoreUnavailable, match="the power went"):
            written(memory, folder)
        monkeypatch.undo()
        assert len(sessions(folder)) == min(count, 3)
        assert not list(folder.rglob("*.part"))
        written(memory, folder)
        assert sessions(folder) == sessions(whole)
        assert continuity(folder) == continuity(whole)


def test_a_lost_session_file_is_written_again(memory: Treering, tmp_path: Path) -> None:
    """The ledger is the truth; what no file covers is told."""
    memory.remember("alpha", session="monday")
    written(memory, tmp_path)
    (name,) = before = sessions(tmp_path)
    (tmp_path / "sessions" / name).unlink()
    assert not replay(str(tmp_path)).equal
    written(memory, tmp_path)
    assert sessions(tmp_path) == before


@pytest.mark.parametrize(
    ("old", "new", "file", "line", "message"),
    [
        ("- alpha\n", "- alfa\n", "continuity.md", 7, "the text of"),
        ("uses: 0", "uses: 1", "continuity.md", 8, "uses of .* is 0 by the session files, not 1"),
        ("tier: working", "tier: active", "continuity.md", 8, "tier of"),
        ("created: 2026-01-01", "created: 2026-01-02", "continuity.md", 8, "created of"),
        ("last_used: 2026-01-01 | ", "", "continuity.md", 8, "not as it was written"),
        ("## User", "## Loser", "continuity.md", 5, "not as it was written"),
        ("- alpha", "- alpha <!-- id: x -->\n- alpha", "continuity.md", 7, "x does not belong here"),
    ],
)
def test_replay_says_the_first_difference_with_file_and_line(
    memory: Treering, tmp_path: Path, old: str, new: str, file: str, line: int, message: str
) -> None:
    """Whatever somebody changed in continuity.md."""
    memory.remember("alpha")
    written(memory, tmp_path)
    assert replay(str(tmp_path)).equal
    path = tmp_path / file
    path.write_text(path.read_text().replace(old, new, 1))
    first = replay(str(tmp_path)).differences[0]
    assert (first.file, first.line) == (file, line)
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(first.message)


def test_replay_finds_what_is_missing(memory: Treering, tmp_path: Path) -> None:
    """A fact, a file, or the session that created what another one mentions."""
    note = memory.remember("alpha", session="a")
    memory.recall("alpha", session="b", silent=False)
    written(memory, tmp_path)
    path = tmp_path / "continuity.md"
    whole = path.read_text()
    path.write_text(
        "".join(row for row in whole.splitlines(keepends=True) if "alpha" not in row and note.id not in row)
    )
    assert f"{note.id} is missing" in str(replay(str(tmp_path)).differences[0])
    path.unlink()
    assert [str(one) for one in replay(str(tmp_path)).differences] == ["continuity.md, line 1: the file is missing"]
    path.write_text(whole)
    (tmp_path / "sessions" / min(sessions(tmp_path))).unlink()
    first = replay(str(tmp_path)).differences[0]
    assert (first.file, first.message) == (f"sessions/{min(sessions(tmp_path))}", f"no session created {note.id}")


def test_a_file_that_somebody_wrote_is_not_written_over(memory: Treering, tmp_path: Path) -> None:
    """Unless that is asked for; and then nothing else was written before the refusal."""
    memory.remember("alpha")
    (tmp_path / "continuity.md").write_text("# My own notes\n")
    with pytest.raises(InvalidInput, match="not generated by treering"):
        written(memory, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["continuity.md"]
    write(memory.store, str(tmp_path), "default", memory.workspace.now(), overwrite=True)
    assert replay(str(tmp_path)).equal


def test_a_vault_of_another_store_is_not_written_to(memory: Treering, tmp_path: Path) -> None:
    """All that it tells would have to be taken back."""
    other = memory_on(store_in_memory(), Clock(), seed=9, embedder=Hashed())
    other.remember("theirs")
    written(other, tmp_path)
    memory.remember("ours")
    before = sessions(tmp_path)
    with pytest.raises(InvalidInput, match="1 facts that this store does not know"):
        written(memory, tmp_path)
    assert sessions(tmp_path) == before


def test_a_malformed_session_file_is_named_with_its_line(memory: Treering, tmp_path: Path) -> None:
    """By write and by replay; nothing is written."""
    memory.remember("alpha")
    written(memory, tmp_path)
    path = tmp_path / "sessions" / "2026-01-02-x.md"
    path.write_bytes(b"## Memory References\n\xff\n")
    memory.remember("beta")
    for act in (lambda: written(memory, tmp_path), lambda: replay(str(tmp_path))):
        with pytest.raises(MalformedLine, match=r"2026-01-02-x.md, line 2: not UTF-8"):
            act()
    assert "beta" not in continuity(tmp_path)


def test_line_ends_of_windows_change_nothing(memory: Treering, tmp_path: Path) -> None:
    """A vault in git may come back with other line ends."""
    memory.remember("alpha\n\n  beta ")
    written(memory, tmp_path)
    for path in tmp_path.rglob("*.md"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert replay(str(tmp_path)).equal
    assert written(memory, tmp_path).files == ()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(memory: Treering, tmp_path: Path) -> None:
    """With its name, and why."""
    memory.remember("alpha")
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        written(memory, tmp_path / "vault")


def test_a_file_in_place_of_the_folder_is_said(memory: Treering, tmp_path: Path) -> None:
    """It is neither written to nor taken for a vault."""
    (tmp_path / "vault").write_text("x")
    memory.remember("alpha")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        written(memory, tmp_path / "vault")
    with pytest.raises(InvalidInput, match="not a folder"):
        replay(str(tmp_path / "vault"))
    with pytest.raises(InvalidInput, match="no vault"):
        replay(str(tmp_path))


def test_a_session_over_midnight_has_a_file_a_day(memory: Treering, clock: Clock, tmp_path: Path) -> None:
    """Dates of facts are those of their files; it is one ring all the same."""
    memory.remember("before midnight", session="night")
    clock.time += DAY
    memory.remember("after midnight", session="night")
    memory.recall("midnight", session="next", silent=False, k=1)
    clock.time += SECOND
    assert written(memory, tmp_path).sessions == 3
    assert [name[:10] for name in sessions(tmp_path)] == ["2026-01-01", "2026-01-02", "2026-01-02"]
