"""Keep in SQLite what the graph is read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treering.ledger.types import Filter, Memory
from treering.stores.port.graph import Alias, Extract, Mention, SourceMemory, Statement, believed, gone_since
from treering.stores.sqlite import schema
from treering.stores.sqlite.connection import Connections, Row
from treering.stores.sqlite.rows import as_json, memory_clause, memory_of

_LISTED = "(SELECT value FROM json_each(?))"
_PAGE = 20_000  # rows read at a time: an open cursor would hold the whole store back
_SOURCE = "id, scope, project, created, status, moves, confidence, trust"


class SqliteGraphRows:
    """Implement `stores.port.graph.GraphRows`."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def unread(self, limit: int) -> list[tuple[int, Memory]]:
        sql = (
            f"SELECT number, {schema.MEMORY_COLUMNS} FROM memories WHERE number > ? AND status <> 'forgotten' "
            "ORDER BY number LIMIT ?"
        )
        return [(row[0], memory_of(row[1:])) for row in self._db.rows(sql, (self._last(), limit))]

    def add(self, read: Iterable[Extract], last: int, by_model: bool = False) -> None:
        found = list(read)
        sql = f"SELECT number FROM memories WHERE status <> 'forgotten' AND number IN {_LISTED}"
        there = {number for (number,) in self._db.rows(sql, (as_json([number for number, _, _ in found]),))}
        kept = [one for one in found if one[0] in there]
        named = (
            (seen.key, seen.type, number, seen.name, seen.confidence, by_model)
            for number, all, _ in kept
            for seen in all
        )
        self._db.many("INSERT OR IGNORE INTO named VALUES (?, ?, ?, ?, ?, ?)", named)
        told = ((*one, number, by_model) for number, _, all in kept for one in all)
        columns = "source, relation, target, sure, start, stop, how, number, model"
        self._db.many(f"INSERT OR IGNORE INTO told ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", told)
        if last > self._last():
            self._keep("read_up_to", last)

    def remove(self, numbers: Sequence[int]) -> None:
        """Delete the rows of memories whose text is gone."""
        gone = (as_json(list(numbers)),)
        keys = self._db.rows(f"SELECT DISTINCT key FROM named WHERE number IN {_LISTED}", gone)
        for table in ("named", "told"):
            self._db.rows(f"DELETE FROM {table} WHERE number IN {_LISTED}", gone)
        for end in ("key", "speaks"):  # a name that nobody says any more is nobody's alias
            unnamed = f"{end} = ? AND NOT EXISTS (SELECT 1 FROM named WHERE named.key = aliases.{end})"
            self._db.many(f"DELETE FROM aliases WHERE {unnamed}", keys)

    def replace_model_rows(self, read: Iterable[Extract], state: str) -> None:
        for table in ("named", "told"):
            self._db.rows(f"DELETE FROM {table} WHERE model")
        self.add(read, 0, by_model=True)
        self._keep("strands", state)

    def model_state(self) -> str:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'strands'")
        return str(rows[0][0]) if rows else ""

    def mentions(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Mention, SourceMemory]]:
        for row in self._pages("named", "key, name, sort, sure", where, ("key",), keys):
            yield Mention(*row[:4]), _source(*row[4:])

    def statements(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Statement, SourceMemory]]:
        columns = "source, relation, target, sure, start, stop, how"
        for row in self._pages("told", columns, where, ("source", "target"), keys):
            yield Statement(*row[:7]), _source(*row[7:])

    def related(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, str, float]]:
        here = ", ".join(map(str, places))
        # CROSS JOIN keeps this order: from the few keys to their rows. Left alone, SQLite begins with all profiles.
        sql = (
            f"SELECT {{0}}, {{1}}, sure FROM {_LISTED} AS asked CROSS JOIN told ON told.{{0}} = asked.value "
            "CROSS JOIN profiles ON profiles.number = told.number CROSS JOIN memories ON memories.number = told.number "
            f"WHERE place IN ({here}) AND how = 'told' "
            "AND memories.status IN ('created', 'active', 'consolidated', 'archived') LIMIT ?"
        )
        wanted = (as_json(list(keys)), k)
        ways = (sql.format("source", "target"), sql.format("target", "source"))
        return [(one, other, sure) for way in ways for one, other, sure in self._db.rows(way, wanted)]

    def state(self) -> tuple[int, str]:
        sql = "SELECT name, value FROM meta WHERE name IN ('read_up_to', 'strands')"
        found: dict[str, str] = dict(self._db.rows(sql))
        return int(found.get("read_up_to", 0)), str(found.get("strands", ""))

    def ends(self, after: int, most: int) -> list[str]:
        sql = "SELECT source, target FROM told INDEXED BY told_number WHERE number > ? AND how = 'told' LIMIT ?"
        found = {key for row in self._db.rows(sql, (after, most)) for key in row}
        return [*found][:most]

    def aliases(self) -> list[Alias]:
        return self._db.rows("SELECT project, sort, key, speaks FROM aliases")

    def set_aliases(self, known: Iterable[Alias]) -> None:
        self._db.rows("DELETE FROM aliases")
        self._db.many("INSERT INTO aliases VALUES (?, ?, ?, ?)", known)

    def _last(self) -> int:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'read_up_to'")
        return int(rows[0][0]) if rows else 0

    def _keep(self, name: str, value: int | str) -> None:
        self._db.rows("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def _pages(
        self, table: str, columns: str, where: Filter, ends: tuple[str, ...], keys: Sequence[str] | None
    ) -> Iterator[Row]:
        """Yield rows with their memories, in the order in which they were added, page by page."""
        clause = memory_clause(where)
        # CROSS JOIN goes from a few keys to their memories. Left alone, SQLite begins with all memories.
        join = "JOIN" if keys is None else "CROSS JOIN"
        sql = f"SELECT {table}.rowid, {columns}, {_SOURCE} FROM {table} {join} memories USING (number) WHERE {clause}"
        wanted: tuple[str, ...] = ()
        after = f"{table}.rowid"
        if keys is not None:
            after = f"+{after}"
            listed = as_json(list(keys))
            sql += " AND (" + " OR ".join(f"{end} IN {_LISTED}" for end in ends) + ")"
            wanted = (listed,) * len(ends)
        last = 0
        while True:
            page = self._db.rows(
                f"{sql} AND {after} > ? ORDER BY {after} LIMIT ?", (*clause.values, *wanted, last, _PAGE)
            )
            yield from (row[1:] for row in page)
            if len(page) < _PAGE:
                return
            last = page[-1][0]


def _source(
    id: str, scope: str, project: str, created: int, status: str, moves: str, confidence: float, trust: str
) -> SourceMemory:
    gone = gone_since(status, tuple(moves.split()), created)
    return SourceMemory(id, scope, project, created, gone, believed(confidence, trust))
