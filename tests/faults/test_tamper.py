"""Whoever changes the stored events, by a byte or by a row, is found out by `verify`."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

import treering
from tests.faults.harness import database, verified
from treering.ledger.events import Event
from treering.ledger.verify import Report

FLIPS = [150, pytest.param(1_000, marks=pytest.mark.long)]  # of each way: through SQL, and in the bytes of the file
PAGE = 4_096


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with every kind of event, payloads short and long, and some of them erased."""
    home = tmp_path_factory.mktemp("tamper") / "home"
    with treering.open(home) as memory:
        for number in range(12):
            text = f"memory {number} " + "wörd " * (number * 90)
            origin = f"document:docs/{number}.md:7"
            named = {"project": "rocket", "session": f"s{number % 3}", "tags": ["a", f"t{number}"]}
            memory.remember_many([{"content": text, "origin": origin, **named}])
        ids = [record.id for record in memory.list()]
        memory.forget(ids[0], reason="old")
        memory.restore(ids[0])
        memory.forget(ids[1])
        memory.undo(ids[2], reason="wrong")
        memory.purge(ids[3], reason="asked")
        memory.revoke(session="s1")
        assert verified(memory).clean
    return home


@pytest.fixture
def home(pristine: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(pristine, copy)
    return copy


def test_the_untouched_store_is_clean(home: Path) -> None:
    """What is not tampered with is not accused."""
    assert _verified(home).clean


@pytest.mark.parametrize("flips", FLIPS)
def test_every_flipped_byte_of_a_stored_value_is_found(
    flips: int, pristine: Path, memory_disk: Path, tell: Callable[[str], None]
) -> None:
    """Many times, one byte of one value of one event is changed through SQL; verify finds every one."""
    random = Random(1)
    data = Path(database(str(pristine))).read_bytes()
    tried: Counter[str] = Counter()
    missed = []
    while tried.total() < flips:
        home = _fresh(memory_disk, data)
        column = random.choice(Event._fields)
        what = _flip_value(home, column, random)
        tried[column] += bool(what)
        if what and _verified(home).clean:
            missed.append(what)
    tell(f"tamper: {tried.total():,} values flipped through SQL, {len(missed)} not found")
    assert not missed
    assert set(tried) == set(Event._fields)


@pytest.mark.parametrize("flips", FLIPS)
def test_every_flipped_byte_of_the_file_is_found(
    flips: int, pristine: Path, memory_disk: Path, tell: Callable[[str], None]
) -> None:
    """Many times, one byte of the file where events are stored is changed; verify finds every one."""
    random = Random(2)
    data = Path(database(str(pristine))).read_bytes()
    places = [*_stored(pristine, data)]
    missed = []
    for _ in range(flips):
        start, end = random.choice(places)
        place = random.randrange(start, end)
        flipped = bytearray(data)
        flipped[place] ^= random.randrange(1, 256)
        if _verified(_fresh(memory_disk, bytes(flipped))).clean:
            missed.append((place, data[place], flipped[place]))
    tell(f"tamper: {flips:,} bytes of the file flipped, {len(missed)} not found")
    assert not missed


def _fresh(folder: Path, data: bytes) -> Path:
    home = folder / "work"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    Path(database(str(home))).write_bytes(data)
    return home


def _verified(home: Path) -> Report:
    """The report of the store as it is, whatever it is."""
    try:
        with treering.open(home) as memory:
            return verified(memory)
    except treering.TreeringError as error:
        return Report(0, 0, 0, 0, (str(error),))


def _sql(home: Path, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
    db = apsw.Connection(database(str(home)))
    try:
        return list(db.execute(sql, values))
    finally:
        db.close()


def _flip_value(home: Path, column: str, random: Random) -> str:
    """Change one byte of one value, keeping its type. What was changed, unless it cannot be."""
    db = apsw.Connection(database(str(home)))
    db.execute("PRAGMA synchronous = OFF")
    try:
        return _flip(db, column, random)
    except apsw.Error:  # a payload that is no JSON any more does not fit the indexes on it
        return ""
    finally:
        db.close()


def _flip(db: apsw.Connection, column: str, random: Random) -> str:
    rowid = random.choice([rowid for (rowid,) in db.execute("SELECT rowid FROM events")])
    sql = f"SELECT CAST({column} AS BLOB), {column}, typeof({column}) FROM events WHERE rowid = ?"
    ((data, value, kind),) = db.execute(sql, (rowid,))
    place = random.randrange(len(data or b"") or 1)
    if kind == "integer":
        changed: Any = value ^ (random.randrange(1, 256) << 8 * random.randrange(6))
    elif not data:
        return ""
    else:
        changed = bytearray(data)
        changed[place] ^= random.randrange(1, 256)
    stored = "CAST(? AS TEXT)" if kind == "text" else "?"
    db.execute(f"UPDATE OR REPLACE events SET {column} = {stored} WHERE rowid = ?", (changed, rowid))
    return f"{column} of row {rowid}: {value!r} -> {changed!r}"


def _stored(home: Path, data: bytes) -> Iterator[tuple[int, int]]:
    """Where in the file the values of events lie: as they are stored, whole or up to the end of a page."""
    for payload, salt, digest, chain in _sql(home, "SELECT payload, salt, digest, chain FROM events"):
        for value in (salt, digest, chain):
            if value and (place := data.find(value)) >= 0:
                yield place, place + len(value)
        if payload is not None:
            yield from _pieces(payload.encode(), data)


def _pieces(value: bytes, data: bytes) -> Iterator[tuple[int, int]]:
    """A long value runs over several pages: its beginning, and any whole page of it that can be told."""
    head = value[:60]
    place = data.find(head)
    while place >= 0:
        end = place
        while end < len(data) and end - place < len(value) and data[end] == value[end - place]:
            end += 1
        yield place, end
        place = data.find(head, end)


def test_a_missing_last_event_is_found(home: Path) -> None:
    """Deleting the newest event leaves a chain that does not end where it should."""
    _sql(home, "DELETE FROM events WHERE clock = (SELECT max(clock) FROM events)")
    assert not _verified(home).clean


def test_a_missing_event_in_the_middle_is_found(home: Path) -> None:
    """Deleting any other event leaves a gap."""
    _sql(home, "DELETE FROM events WHERE seq = 5")
    assert not _verified(home).clean


def test_swapped_events_are_found(home: Path) -> None:
    """Two events that changed places do not fit the chain."""
    _sql(home, "UPDATE events SET seq = -1 WHERE seq = 3")
    _sql(home, "UPDATE events SET seq = 3 WHERE seq = 4")
    _sql(home, "UPDATE events SET seq = 4 WHERE seq = -1")
    assert not _verified(home).clean


def test_swapped_payloads_are_found(home: Path) -> None:
    """Two events that exchanged what they say, salt and all, do not match their digests."""
    rows = dict(_sql(home, "SELECT seq, payload FROM events WHERE seq IN (3, 4)"))
    salts = dict(_sql(home, "SELECT seq, salt FROM events WHERE seq IN (3, 4)"))
    for seq, other in ((3, 4), (4, 3)):
        _sql(home, "UPDATE events SET payload = ?, salt = ? WHERE seq = ?", (rows[other], salts[other], seq))
    assert not _verified(home).clean


def test_an_added_event_is_found(home: Path) -> None:
    """An event that was put in without its link does not fit the chain."""
    columns = ", ".join(name for name in Event._fields if name not in ("seq", "clock"))
    sql = f"INSERT INTO events (seq, clock, {columns}) SELECT seq + 1, clock + 1, {columns} FROM events "
    _sql(home, sql + "ORDER BY seq DESC LIMIT 1")
    assert not _verified(home).clean


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE heads SET seq = seq + 1",
        "UPDATE heads SET seq = seq - 1",
        "UPDATE heads SET chain = zeroblob(32)",
        "DELETE FROM heads",
        "INSERT INTO heads VALUES ('stranger', 1, zeroblob(32))",
    ],
)
def test_edited_heads_are_found(sql: str, home: Path) -> None:
    """Where a chain should end cannot be changed without the chain."""
    _sql(home, sql)
    assert not _verified(home).clean


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE memories SET content = 'something else' WHERE number = 4",
        "UPDATE memories SET trust = 'user' WHERE number = 4",
        "UPDATE memories SET tags = '' WHERE number = 4",
        "DELETE FROM memories WHERE number = 4",
        "DELETE FROM left_out",
        "INSERT INTO left_out SELECT writer || '-' || seq FROM events WHERE seq = 1",
        "DELETE FROM causes",
        "INSERT INTO causes SELECT writer || '-1', writer || '-2' FROM events WHERE seq = 1",
    ],
)
def test_an_edited_projection_is_found(sql: str, home: Path) -> None:
    """In every table that is made from the events, what they do not say is found, and rebuild mends it."""
    _sql(home, sql)
    assert not _verified(home).clean
    with treering.open(home) as memory:
        memory.ledger.rebuild()
    assert _verified(home).clean


def test_a_missing_entry_of_the_text_index_is_found(home: Path) -> None:
    """A memory that search could not find any more is told of, and rebuild mends it."""
    ((number, *texts),) = _sql(home, "SELECT number, content, details, tags, compounds FROM texts LIMIT 1")
    columns = "words, rowid, content, details, tags, compounds"
    _sql(home, f"INSERT INTO words ({columns}) VALUES ('delete', ?, ?, ?, ?, ?)", (number, *texts))
    assert not _verified(home).clean
    with treering.open(home) as memory:
        memory.ledger.rebuild()
    assert _verified(home).clean


def test_a_purge_that_did_not_erase_is_found(home: Path) -> None:
    """A payload that was put back behind a purge is told of."""
    ((subject,),) = _sql(home, "SELECT subject FROM events WHERE kind = 'memory.purged.v1'")
    payload, salt = '{"content":"back again"}', bytes(16)
    sql = "UPDATE events SET payload = ?, salt = ? WHERE writer || '-' || seq = ?"
    _sql(home, sql, (payload, salt, subject))
    assert not _verified(home).clean
