"""For their owner's eyes only; and what a person had erased is nowhere on the disk."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

import treering
from tests.faults.harness import SLOWEST, contents, database, files_of, verified
from treering.ledger.errors import InvalidInput, StoreUnavailable
from treering.ledger.transfer import export_file
from treering.ledger.types import Memory
from treering.stores.files import LOG_NAME, SPOOL, TENDING, make_home, note, release, spool, take
from treering.surfaces.hook.act import act

CANARIES, CANARIES_LONG = 300, 1_000


@contextmanager
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def _modes(folder: Path) -> dict[str, int]:
    return {name: stat.S_IMODE(os.stat(folder / name).st_mode) for name in os.listdir(folder)}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o777], ids=oct)
def test_every_file_is_for_its_owner_only(mask: int, tmp_path: Path) -> None:
    """Whatever the umask: the folder 0700, the database, its log, its index and exports 0600."""
    home = tmp_path / "home"
    with _umask(mask), treering.open(home) as memory:
        memory.remember("private")
        export_file(memory.store, str(home / "export.jsonl"))
        modes = _modes(home)
    assert stat.S_IMODE(os.stat(home).st_mode) == 0o700
    assert modes.keys() == {"treering.db", "treering.db-wal", "treering.db-shm", "treering.db.heads", "export.jsonl"}
    assert set(modes.values()) == {0o600}


def test_an_export_over_an_open_file_is_for_its_owner_only(tmp_path: Path) -> None:
    """A file that the world could read, and that an export replaces, can be read by its owner only."""
    path = tmp_path / "export.jsonl"
    path.write_text('{"treering":1}')
    path.chmod(0o644)
    with treering.open(tmp_path / "home") as memory:
        memory.remember("private")
        export_file(memory.store, str(path))
    assert _modes(tmp_path)["export.jsonl"] == 0o600


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o777], ids=oct)
def test_what_hooks_leave_is_for_its_owner_only(mask: int, tmp_path: Path) -> None:
    """Before there is a store, and with the lock and the log of maintenance."""
    home = tmp_path / "home"
    with _umask(mask):
        note_of = {"session_id": "s1", "cwd": str(tmp_path), "prompt": "Remember that the crane is yellow"}
        act("UserPromptSubmit", note_of, "claude-code", str(home), {}, 1_795_000_000_000_000)
        note(str(home), 1, "UserPromptSubmit", "claude-code", 1)
        assert take(str(home / TENDING))
        release(str(home / TENDING))
    (queued,) = (home / SPOOL).iterdir()
    folders, files = (home, home / SPOOL), (queued, home / LOG_NAME, home / TENDING)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in files} == {0}
    assert all(path.stat().st_mode & 0o600 == 0o600 for path in files)


def test_a_home_that_others_could_write_in_is_shut(tmp_path: Path) -> None:
    """What they put there would be the user's word."""
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    treering.open(home).close()
    assert stat.S_IMODE(home.stat().st_mode) == 0o755


def test_a_queue_that_others_could_write_in_is_shut(tmp_path: Path) -> None:
    """Who can write there can delete what waits to be taken in."""
    home = tmp_path / "home"
    make_home(str(home))
    spool(str(home), "1-1", "[]")
    (home / SPOOL).chmod(0o777)
    treering.open(home).close()
    assert (home / SPOOL).stat().st_mode & 0o777 == 0o755


def test_a_link_that_leads_nowhere_is_no_place_for_a_store(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "treering.db").symlink_to(tmp_path / "missing.db")
    with pytest.raises(StoreUnavailable, match="a link to a file that is not there"):
        treering.open(home)
    assert not (tmp_path / "missing.db").exists()


def test_an_export_replaces_no_other_file(tmp_path: Path) -> None:
    """Neither settings nor anything else that a slip of the hand names; what killed exports left is removed."""
    settings = tmp_path / "home" / "config.toml"
    with treering.open(tmp_path / "home") as memory:
        memory.remember("private")
        settings.write_text("k = 3\n")
        with pytest.raises(InvalidInput, match="a file that a store needs"):
            export_file(memory.store, str(settings))
        notes = tmp_path / "notes.txt"
        notes.write_text("k = 3\n")
        with pytest.raises(InvalidInput, match="is no export"):
            export_file(memory.store, str(notes))
        left = tmp_path / "all.jsonl.99999999.part"
        left.write_text("half")
        running = tmp_path / f"all.jsonl.{os.getppid()}.part"
        running.write_text("half")
        assert (
            export_file(memory.store, str(tmp_path / "all.jsonl"))
            == 1
            == export_file(memory.store, str(tmp_path / "all.jsonl"))
        )
    assert settings.read_text() == notes.read_text() == "k = 3\n" and not left.exists() and running.exists()


@pytest.mark.parametrize(
    ("seed", "most"), [(0, CANARIES), *(pytest.param(n, CANARIES_LONG, marks=pytest.mark.long) for n in range(3))]
)
def test_what_was_purged_is_nowhere_on_the_disk(
    seed: int, most: int, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """Memories with hundreds of words of their own are purged, some of them forgotten, restored or undone before:
    no byte of any such word is in a file of the home or in an export, and all else is as it was."""
    random = Random(seed)
    home = tmp_path / "home"
    canaries, purged, kept = _Words("canary", random), [], []
    with treering.open(home) as memory:
        while len(canaries.made) < most:
            doomed = memory.remember_many(_row(canaries, random) for _ in range(random.randrange(1, 9)))
            purged += [record.id for record in doomed]
            _change(memory, doomed, random)
            rows = [_row(_Words("kept", random), random) for _ in range(random.randrange(1, 5))]
            kept += [record.id for record in memory.remember_many(rows)]
            if random.random() < 0.1:  # some are purged while others are still to come
                _purge(memory, purged, random, len(purged) // 2)
        before = {id: text for id, text in contents(memory).items() if id in set(kept)}
        _purge(memory, purged, random, 0)
        assert contents(memory) == before
        _assert_none(canaries.made, "the log", _log(home))
        export_file(memory.store, str(home / "export.jsonl"))
        assert verified(memory).clean
    _assert_gone(home, canaries.made)
    with treering.open(home) as memory:
        assert contents(memory) == before and len(before) == len(kept)
        memory.ledger.rebuild()
        assert verified(memory).clean and contents(memory) == before
    _assert_gone(home, canaries.made)
    size = sum(map(len, files_of(str(home)).values()))
    tell(f"privacy: {len(canaries.made):,} words purged, 0 left in {size:,} bytes")


def test_what_is_only_forgotten_is_still_on_the_disk(tmp_path: Path) -> None:
    """Forgetting keeps the words in the ledger: looking for them as above does find what is there."""
    with treering.open(tmp_path) as memory:
        memory.forget(memory.remember("a canaryword that stays").id)
    assert b"canaryword" in files_of(str(tmp_path))["treering.db"]


def test_a_purge_reaches_a_log_that_others_hold_open(tmp_path: Path) -> None:
    """Others have the store open, idle: the log is emptied all the same, so no copy outlives the purge."""
    with treering.open(tmp_path) as memory, treering.open(tmp_path) as other:
        note = memory.remember("a canaryword for a while")
        assert [*other.list()]
        memory.purge(note.id)
        assert b"canaryword" not in _log(tmp_path)
    assert not any(b"canaryword" in data for data in files_of(str(tmp_path)).values())


class _Words:
    """Words that occur nowhere else."""

    def __init__(self, kind: str, random: Random) -> None:
        self.kind, self.random = kind, random
        self.made: list[str] = []

    def __call__(self) -> str:
        letters = "".join(self.random.choices("bcdfghjklmnpqrstvwxz", k=14))
        self.made.append(f"{self.kind}{letters}")
        return self.made[-1]


def _row(word: _Words, random: Random) -> dict[str, object]:
    """A memory of any shape and size, with such words in every place that takes a text."""
    filler = " ".join(["filler"] * random.choice((0, 3, 40, 400, 3_000)))
    row: dict[str, object] = {
        "content": f"{word()} {filler} {word()}",
        "tags": [word(), "common"],
        "origin": random.choice(("user", f"document:{word()}.md:3", f"tool:{word()}")),
        "language": "en",
    }
    if random.random() < 0.5:
        row |= {"problem": f"{word()} {filler}", "approach": word(), "gotchas": word()}
    elif random.random() < 0.3:
        row |= {"trigger": word(), "action": word(), "outcome": f"{filler} {word()}"}
    return row


def _change(memory: treering.Treering, records: list[Memory], random: Random) -> None:
    """Give some of them a history before their end."""
    for record in records:
        fate = random.randrange(6)
        if fate == 0:
            memory.forget(record.id)
        elif fate == 1:
            memory.undo(record.id)
        elif fate == 2:
            memory.forget(record.id)
            memory.restore(record.id)
        elif fate == 3:
            memory.undo(memory.undo(record.id).event.id)


def _purge(memory: treering.Treering, ids: list[str], random: Random, leave: int) -> None:
    """Purge all but some of them, in any order and in portions."""
    random.shuffle(ids)
    while len(ids) > leave:
        portion = [ids.pop() for _ in range(min(len(ids) - leave, random.randrange(1, 60)))]
        memory.purge(*portion)


def _log(home: Path) -> bytes:
    """The log of an open store. There are no locks on this one of its files that reading it could drop."""
    return Path(database(str(home)) + "-wal").read_bytes()


def _assert_gone(home: Path, words: list[str]) -> None:
    for name, data in files_of(str(home)).items():
        _assert_none(words, name, data)


def _assert_none(words: list[str], name: str, data: bytes) -> None:
    """Nor the end of a word alone: the index may hold one without the part that it shares with another."""
    found = [word for word in words if word[-12:].encode() in data]
    assert not found, f"{len(found)} of {len(words)} words are still in {name}, such as {found[:3]}"


@pytest.mark.parametrize("name", ["config.toml", "treering.db.heads", LOG_NAME, TENDING, "sync.json", "installed.json"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(name: str, tmp_path: Path) -> None:
    """A command and a hook end; one that needs the file says what stands in its place."""
    home = tmp_path / "home"
    with treering.open(home) as memory:
        memory.remember("The depot opens at 9")
    (home / name).unlink(missing_ok=True)
    os.mkfifo(home / name)
    for words in (["treering", "recall", "depot"], ["treering", "maintain"], ["treering", "doctor"]):
        done = program(home, words)
        assert done.returncode == 0 or name in done.stdout + done.stderr, (words, done.stderr)
        assert "report it" not in done.stderr
    assert program(home, ["treering-hook", "UserPromptSubmit", "--agent", "claude-code"]).returncode == 0


def program(home: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program of ours on a home; one that hangs fails."""
    given = '{"session_id": "s1", "prompt": "When does the depot open?"}'
    command = [str(Path(sys.executable).with_name(words[0])), *words[1:], "--home", str(home)]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=SLOWEST)


def test_a_queued_event_that_is_nested_too_deeply_is_set_aside(tmp_path: Path) -> None:
    """It holds up no command, and `doctor` tells where it is."""
    home = tmp_path / "home"
    with treering.open(home) as memory:
        memory.remember("The depot opens at 9")
    (home / SPOOL).mkdir()
    (home / SPOOL / "1.json").write_text("[" * 100_000)
    with treering.open(home) as memory:
        assert memory.recall("depot").hits
        memory.captured.receive()
    assert [path.name for path in (home / SPOOL).iterdir()] == ["1.json.bad"]
