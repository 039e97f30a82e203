"""The baselines: what SQLite needs for the same bytes when nobody asks for more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any

import apsw

from treering.ledger.events import Event

Row = tuple[Any, ...]

_CACHE_KIB = 16_384  # at least as much as a store gives its connections

_COLUMNS = ", ".join(Event._fields)
_EVENT = f"INSERT INTO events VALUES ({', '.join('?' * len(Event._fields))})"
INSERT_TEXT = "INSERT INTO words (content) VALUES (?)"


def connect(path: str) -> apsw.Connection:
    """As durable as ours, and with as much memory: only the work differs."""
    db = apsw.Connection(path)
    for setting in ("journal_mode = WAL", "synchronous = FULL", f"cache_size = -{_CACHE_KIB}"):
        db.execute("PRAGMA " + setting).fetchall()
    return db


def ledger(path: str) -> apsw.Connection:
    """A table to append payloads to."""
    db = connect(path)
    db.execute("CREATE TABLE payloads (payload TEXT)")
    return db


def commit(db: apsw.Connection, payload: str) -> float:
    """One durable row; the seconds that it took."""
    start = perf_counter()
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO payloads VALUES (?)", (payload,))
    db.execute("COMMIT")
    return perf_counter() - start


def index(path: str, texts: Iterable[str]) -> float:
    """All the texts into a fresh full-text table in one transaction; the seconds that it took."""
    db = connect(path)
    create_words(db)
    start = perf_counter()
    db.execute("BEGIN IMMEDIATE")
    db.executemany(INSERT_TEXT, ((text,) for text in texts))
    db.execute("COMMIT")
    seconds = perf_counter() - start
    db.close()
    return seconds


def read(path: str) -> Iterator[str]:
    """The texts of a file of {"content": …} lines."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["content"]


def copy(path: str, batches: Iterable[list[Row]]) -> float:
    """Event rows into a plain table and their texts into a full-text one, in one transaction.

    The seconds that the inserts took: making the rows, which come in batches to spare memory, is not counted.
    """
    db = connect(path)
    create_words(db)
    db.execute(f"CREATE TABLE events ({_COLUMNS})")
    db.execute("CREATE UNIQUE INDEX events_id ON events (writer, seq)")
    db.execute("BEGIN IMMEDIATE")
    seconds = 0.0
    for rows in batches:
        texts = [(json.loads(row[-1])["content"],) for row in rows]
        start = perf_counter()
        db.executemany(_EVENT, rows)
        db.executemany(INSERT_TEXT, texts)
        seconds += perf_counter() - start
    start = perf_counter()
    db.execute("COMMIT")
    seconds += perf_counter() - start
    db.close()
    return seconds


def create_words(db: apsw.Connection) -> None:
    """A full-text table."""
    db.execute("CREATE VIRTUAL TABLE words USING fts5 (content, tokenize = 'porter unicode61')")
