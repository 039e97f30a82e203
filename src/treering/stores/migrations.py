"""Bringing an older store to the schema of today: one named step for each version, all in one transaction."""

from __future__ import annotations

from treering.core.words import compounds
from treering.stores import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import apsw


def with_index(db: apsw.Connection) -> None:
    """1 to 2: memories count their uses, the parts of CamelCase names are indexed, and recall has profiles."""
    db.create_scalar_function("compounds", _compounds, 1, deterministic=True)
    _run(
        db,
        f"""
        ALTER TABLE memories ADD COLUMN q DEFAULT 0.5;
        ALTER TABLE memories ADD COLUMN accesses DEFAULT 0;
        ALTER TABLE memories ADD COLUMN accessed DEFAULT 0;
        ALTER TABLE memories ADD COLUMN compounds DEFAULT '';
        UPDATE memories SET compounds = compounds(concat_ws(' ', content,
            concat_ws(' ', nullif(problem, ''), nullif(approach, ''), nullif(gotchas, ''),
                           nullif(trigger, ''), nullif(action, ''), nullif(outcome, ''))));
        DROP TABLE words;
        DROP VIEW texts;
        {schema.TEXTS}
        INSERT INTO words (words) VALUES ('rebuild');
        {schema.INDEX}
        """,
    )


STEPS: dict[int, Callable[[apsw.Connection], None]] = {1: with_index}


def migrate(db: apsw.Connection) -> None:
    """Take every step from the version of the store to ours. Whoever comes second finds nothing to do."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version: int = db.pragma("user_version")
        for step in range(version, schema.VERSION):
            STEPS[step](db)
        _run(db, f"PRAGMA user_version = {max(version, schema.VERSION)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _compounds(*texts: Any) -> str:
    return compounds(*texts)


def _run(db: apsw.Connection, sql: str) -> None:
    for _ in db.execute(sql):
        pass
