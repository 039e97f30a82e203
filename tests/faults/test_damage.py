"""A file that is damaged, foreign, or newer than us: it is said so, and the file stays as it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import apsw
import pytest

import treering
from tests.faults.harness import contents, database, done, files_of, fork, verified
from treering.ledger.errors import ForeignFile, NewerStore, StoreDamaged

PAGE = 4_096


def _foreign_text(path: Path) -> None:
    path.write_text("Dear diary, " * 500)


def _foreign_note(path: Path) -> None:
    path.write_bytes(b"a short note")


def _foreign_database(path: Path) -> None:
    with apsw.Connection(str(path)) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org')")
    db.close()


def _foreign_version(path: Path) -> None:
    with apsw.Connection(str(path)) as db:
        db.execute("PRAGMA user_version = 1")
    db.close()


def _foreign_log(path: Path) -> None:
    """A database of another program that was killed: its last writes are in the log."""

    def victim() -> None:
        db = apsw.Connection(str(path))
        db.execute("PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT)").fetchall()
        os._exit(0)

    assert done(fork(victim))


@pytest.mark.parametrize("make", [_foreign_text, _foreign_note, _foreign_database, _foreign_version, _foreign_log])
def test_a_file_of_another_program_is_left_as_it_is(make: Callable[[Path], None], tmp_path: Path) -> None:
    """A file that is not ours is refused, and not one byte of it changes."""
    make(Path(database(str(tmp_path))))
    before = _told_by(tmp_path)
    with pytest.raises(ForeignFile) as told:
        treering.open(tmp_path)
    assert str(tmp_path) in str(told.value)
    assert _told_by(tmp_path) == before


@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_a_store_of_a_newer_treering_is_left_as_it_is(killed: bool, tmp_path: Path) -> None:
    """A newer schema is refused, and not one byte of it changes, nor of a log that its last writer left."""

    def newer() -> None:
        memory = treering.open(tmp_path)
        memory.remember("from the future")
        memory.ledger.store.write(lambda: apsw_of(memory).execute("PRAGMA user_version = 99"))
        if killed:
            os._exit(0)
        memory.close()

    assert done(fork(newer))
    before = _told_by(tmp_path)
    assert killed == any(name.endswith("-wal") for name in before)
    with pytest.raises(NewerStore, match="pip install -U treering"):
        treering.open(tmp_path)
    assert _told_by(tmp_path) == before


def _told_by(home: Path) -> dict[str, bytes]:
    """The files that hold anything of their own: the index of a log does not, nor does an empty log."""
    return {name: data for name, data in files_of(str(home)).items() if data and "-shm" not in name}


def apsw_of(memory: treering.Treering) -> apsw.Connection:
    from treering.stores.sqlite.store import SqliteStore

    assert isinstance(memory.store, SqliteStore)
    return memory.store._db.get()


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
def test_a_damaged_file_is_told_and_left_as_it_is(every: int, memory_disk: Path, tell: Callable[[str], None]) -> None:
    """Any page of a store is overwritten with garbage: reading gives what was there or an error of ours,
    never another one, and the file stays as it is for whoever can mend it."""
    home = memory_disk / "home"
    whole = _long_store(home)
    data = Path(database(str(home))).read_bytes()
    silent = []
    pages = range(0, len(data) // PAGE, every)
    for number in pages:
        damaged = bytearray(data)
        damaged[number * PAGE : (number + 1) * PAGE] = Random(number).randbytes(PAGE)
        Path(database(str(home))).write_bytes(damaged)
        told = _read_all(home, whole)
        if not told:
            silent.append(number)
        assert Path(database(str(home))).read_bytes() == damaged, f"page {number + 1} was touched"
    tell(f"damage: {len(pages)} pages, {len(silent)} of them not told of ({silent[:5]})")
    assert not silent


def test_a_file_that_was_cut_short_is_told(memory_disk: Path) -> None:
    """Half a store is damaged or foreign, and is not taken for a new one."""
    home = memory_disk / "home"
    whole = _long_store(home)
    data = Path(database(str(home))).read_bytes()
    for length in (len(data) // 2, PAGE, 600, 100, 10):
        Path(database(str(home))).write_bytes(data[:length])
        assert _read_all(home, whole)
        assert Path(database(str(home))).read_bytes() == data[:length]


def _long_store(home: Path) -> dict[str, str]:
    """A store of many pages, none of them free: damage to a free page would be none."""
    with treering.open(home) as memory:
        rows = [{"content": f"{n} " + "word " * (n * 15), "tags": [f"t{n}"]} for n in range(60)]
        for record in memory.remember_many(rows)[::7]:
            memory.forget(record.id)
        memory.undo(memory.remember("undone", origin="document:a.md").id)
        memory.maintenance.prepare()
        apsw_of(memory).execute("VACUUM")
        return contents(memory)


def _read_all(home: Path, whole: dict[str, str]) -> bool:
    """Whether the damage is told. What is read is right, or is not given."""
    try:
        memory = treering.open(home)
    except (StoreDamaged, ForeignFile):
        return True
    told = False
    with memory:
        reads: list[Callable[[], object]] = [lambda: [*memory.list()]]
        reads += [lambda: memory.recall("word", 60, log=False, silent=False)]
        reads += [partial(memory.history, id) for id in whole]
        for read in reads:
            try:
                read()
            except treering.TreeringError:
                told = True
        for id, text in whole.items():
            try:
                assert memory.get(id).content == text
            except treering.TreeringError:
                told = True
        return bool(verified(memory).problems) or told
