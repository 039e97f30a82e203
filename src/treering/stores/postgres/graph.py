"""Keep in PostgreSQL what the graph is read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treering.ledger.types import RECALLABLE, Filter, Memory
from treering.stores.port.graph import TOLD, Alias, Extract, Mention, SourceMemory, Statement, believed, gone_since
from treering.stores.postgres import schema
from treering.stores.postgres.connection import Row
from treering.stores.postgres.rows import memory_clause
from treering.stores.postgres.space import Space
from treering.stores.sqlite.rows import memory_of

_PAGE = 20_000  # rows read at a time
_SOURCE = "m.id, m.scope, m.project, m.created, m.status, m.moves, m.confidence, m.trust"
_KEPT = """INSERT INTO treering.meta VALUES (%s, %s, %s)
    ON CONFLICT (space, name) DO UPDATE SET value = excluded.value"""


class PostgresGraphRows:
    """Implement `stores.port.graph.GraphRows`."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def unread(self, limit: int) -> list[tuple[int, Memory]]:
        sql = f"""SELECT number, {schema.MEMORY_COLUMNS} FROM treering.memories
            WHERE space = %s AND number > %s AND status <> 'forgotten' ORDER BY number LIMIT %s"""
        return [(row[0], memory_of(row[1:])) for row in self._space.rows(sql, (self._last(), limit))]

    def add(self, read: Iterable[Extract], last: int, by_model: bool = False) -> None:
        found = list(read)
        sql = "SELECT number FROM treering.memories WHERE space = %s AND status <> 'forgotten' AND number = ANY(%s)"
        there = {number for (number,) in self._space.rows(sql, ([number for number, _, _ in found],))}
        kept = [one for one in found if one[0] in there]
        named = (
            (seen.key, seen.type, number, seen.name, seen.confidence, by_model)
            for number, all, _ in kept
            for seen in all
        )
        columns = "space, key, sort, number, name, sure, model"
        self._space.db.many(f"INSERT INTO treering.named ({columns}) VALUES * ON CONFLICT DO NOTHING", named)
        told = ((*one, number, by_model) for number, _, all in kept for one in all)
        columns = "space, source, relation, target, sure, start, stop, how, number, model"
        self._space.db.many(f"INSERT INTO treering.told ({columns}) VALUES * ON CONFLICT DO NOTHING", told)
        if last > self._last():
            self._space.rows(_KEPT, ("read_up_to", str(last)))

    def remove(self, numbers: Sequence[int]) -> None:
        """Delete the rows of memories whose text is gone."""
        gone = "DELETE FROM treering.{0} WHERE space = %s AND number = ANY(%s)"
        self._space.rows(gone.format("told"), ([*numbers],))
        keys = {key for (key,) in self._space.rows(f"{gone.format('named')} RETURNING key", ([*numbers],))}
        for end in ("key", "speaks") if keys else ():  # a name that nobody says any more is nobody's alias
            sql = f"""DELETE FROM treering.aliases a WHERE space = %s AND {end} = ANY(%s)
                AND NOT EXISTS (SELECT 1 FROM treering.named n WHERE (n.space, n.key) = (a.space, a.{end}))"""
            self._space.rows(sql, ([*keys],))

    def replace_model_rows(self, read: Iterable[Extract], state: str) -> None:
        for table in ("named", "told"):
            self._space.rows(f"DELETE FROM treering.{table} WHERE space = %s AND model")
        self.add(read, 0, by_model=True)
        self._space.rows(_KEPT, ("strands", state))

    def model_state(self) -> str:
        rows = self._space.rows("SELECT value FROM treering.meta WHERE space = %s AND name = 'strands'")
        return str(rows[0][0]) if rows else ""

    def mentions(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Mention, SourceMemory]]:
        for row in self._pages("named", "key, name, sort, sure", where, ("key",), keys):
            yield Mention(*row[:4]), _source(*row[4:])

    def statements(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Statement, SourceMemory]]:
        columns = "source, relation, target, sure, start, stop, how"
        for row in self._pages("told", columns, where, ("source", "target"), keys):
            yield Statement(*row[:7]), _source(*row[7:])

    def related(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, str, float]]:
        found: list[tuple[str, str, float]] = []
        for one, other in (("source", "target"), ("target", "source")):
            sql = f"""SELECT t.{one}, t.{other}, t.sure FROM treering.told t
                JOIN treering.profiles p USING (space, number) JOIN treering.memories m USING (space, number)
                WHERE space = %s AND t.{one} = ANY(%s) AND p.place = ANY(%s)
                AND t.how = '{TOLD}' AND m.status = ANY(%s) LIMIT %s"""
            rows = self._space.rows(sql, ([*keys], [*places], [*RECALLABLE], k))
            found += [(near, far, sure) for near, far, sure in rows]
        return found

    def state(self) -> tuple[int, str]:
        sql = "SELECT name, value FROM treering.meta WHERE space = %s AND name IN ('read_up_to', 'strands')"
        found = dict(self._space.rows(sql))
        return int(found.get("read_up_to", 0)), str(found.get("strands", ""))

    def ends(self, after: int, most: int) -> list[str]:
        sql = f"SELECT source, target FROM treering.told WHERE space = %s AND number > %s AND how = '{TOLD}' LIMIT %s"
        found = {key for row in self._space.rows(sql, (after, most)) for key in row}
        return [*found][:most]

    def aliases(self) -> list[Alias]:
        rows = self._space.rows("SELECT project, sort, key, speaks FROM treering.aliases WHERE space = %s")
        return [(project, sort, key, speaks) for project, sort, key, speaks in rows]

    def set_aliases(self, known: Iterable[Alias]) -> None:
        self._space.rows("DELETE FROM treering.aliases WHERE space = %s")
        self._space.db.many("INSERT INTO treering.aliases VALUES *", known)

    def _last(self) -> int:
        rows = self._space.rows("SELECT value FROM treering.meta WHERE space = %s AND name = 'read_up_to'")
        return int(rows[0][0]) if rows else 0

    def _pages(
        self, table: str, columns: str, where: Filter, ends: tuple[str, ...], keys: Sequence[str] | None
    ) -> Iterator[Row]:
        """Yield rows with their memories, in the order in which they were added, page by page."""
        clause = memory_clause(where)
        sql = f"""SELECT t.row, {", ".join(f"t.{name}" for name in columns.split(", "))}, {_SOURCE}
            FROM treering.{table} t JOIN treering.memories m USING (space, number) WHERE space = %s AND {clause}"""
        wanted: tuple[object, ...] = ()
        if keys is not None:
            sql += " AND (" + " OR ".join(f"t.{end} = ANY(%s)" for end in ends) + ")"
            wanted = ([*keys],) * len(ends)
        last = 0
        while True:
            values = (*clause.values, *wanted, last, _PAGE)
            page = self._space.rows(f"{sql} AND t.row > %s ORDER BY t.row LIMIT %s", values)
            yield from (row[1:] for row in page)
            if len(page) < _PAGE:
                return
            last = page[-1][0]


def _source(
    id: str, scope: str, project: str, created: int, status: str, moves: str, confidence: float, trust: str
) -> SourceMemory:
    gone = gone_since(status, tuple(moves.split()), created)
    return SourceMemory(id, scope, project, created, gone, believed(confidence, trust))
