"""Finish erasures in PostgreSQL: leave no byte of what was erased in tables and indexes."""

from __future__ import annotations

from treering.stores.postgres.schema import TABLES
from treering.stores.postgres.space import Space

# What an erasure has taken something from. The others hold no text of a memory.
_HOLDING = tuple(
    table for table in TABLES if table not in ("spaces", "heads", "causes", "taken", "left_out", "learnt", "places")
)
# Whoever began before the erasure may still see what it took, so that PostgreSQL keeps it for them: other
# sessions, readers on standbys that tell their leader (of no database, or by a slot), prepared transactions.
_SEEING = """SELECT EXISTS (SELECT 1 FROM pg_stat_activity
        WHERE coalesce(datname, current_database()) = current_database()
        AND pid <> pg_backend_pid() AND greatest(age(backend_xid), age(backend_xmin)) >= age('{0}'::xid))
    OR EXISTS (SELECT 1 FROM pg_replication_slots WHERE age(xmin) >= age('{0}'::xid))
    OR EXISTS (SELECT 1 FROM pg_prepared_xacts
        WHERE database = current_database() AND age(transaction) >= age('{0}'::xid))"""


def scrub(space: Space) -> bool:
    """Write the tables anew without what was erased. Return False if somebody may still see it."""
    mark = space.rows("SELECT value FROM treering.meta WHERE space = %s AND name = 'erasing'")
    if not mark:
        return True
    erased = int(mark[0][0])
    ((seeing,),) = space.db.run(_SEEING.format(erased % 2**32))
    if seeing:
        return False
    for table in _HOLDING:
        space.db.run(f"VACUUM (FULL) treering.{table}")
    gone = "DELETE FROM treering.meta WHERE space = %s AND name = 'erasing' AND value = %s"
    space.rows(gone, (str(erased),))
    return True
