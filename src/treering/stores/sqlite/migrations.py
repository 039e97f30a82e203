"""Bring an older store to the schema of today, in one transaction.

Every schema had the same ledger, so that no step for each version is needed: what was made of the ledger is made anew.
What recall searches and the graph are read again when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from treering.ledger.events import REMEMBERED
from treering.ledger.fold import fold
from treering.ledger.types import Memory
from treering.stores.port.ledger import EventQuery
from treering.stores.sqlite import schema
from treering.stores.sqlite.rows import event_clause, event_of, memory_row, texts_of
from treering.stores.sqlite.store import ADD_MEMORY, ADD_TEXTS, FORGET


def migrate(db: apsw.Connection) -> None:
    """Make what older schemas had otherwise anew. Whoever comes second finds nothing to do."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if db.pragma("user_version") < schema.VERSION:
            _run(db, schema.DROP_MEMORIES + schema.MEMORIES + schema.INBOX + FORGET)
            _fill(db)
            _run(db, f"PRAGMA user_version = {schema.VERSION}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _fill(db: apsw.Connection) -> None:
    """Put in every memory, as its events tell."""
    for number, memory in enumerate(_memories(db), 1):
        texts = texts_of(memory)
        db.execute(ADD_MEMORY, memory_row(memory, texts[-1] if texts else "", number))
        if texts:
            db.execute(ADD_TEXTS, (number, *texts))


def _memories(db: apsw.Connection) -> Iterator[Memory]:
    made = f"SELECT writer || '-' || seq FROM events WHERE kind = '{REMEMBERED}' ORDER BY clock, writer, seq"
    for (id,) in db.execute(made):
        about = event_clause(EventQuery(subjects=(id,), live=True))
        sql = f"SELECT {schema.EVENT_COLUMNS} FROM events WHERE {about} ORDER BY clock, writer, seq"
        if memory := fold(map(event_of, db.execute(sql, about.values))):
            yield memory


def _run(db: apsw.Connection, sql: str) -> None:
    for _ in db.execute(sql):
        pass
