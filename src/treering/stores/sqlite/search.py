"""Keep in SQLite what recall searches: words, profiles, and vectors in cells."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from treering.ledger.types import EVERYWHERE, Context, Filter, Memory, seen_from
from treering.stores.port.search import SHARERS, SPARE, Cell, Place, Profile, sharers
from treering.stores.sqlite import schema
from treering.stores.sqlite.connection import Connections
from treering.stores.sqlite.graph import SqliteGraphRows
from treering.stores.sqlite.lessons import SqliteLessons
from treering.stores.sqlite.rows import as_json, memory_clause, memory_of
from treering.stores.sums import emptied, summed, without

T = TypeVar("T")

# Rows looked at to tell how common a term is. Beyond it, how far they lie apart tells it well
# enough: an error of a twentieth in the count is one of a hundredth in the weight.
_COUNTED = 500
_MOST_STEMS = 2_000  # of the vocabulary, for one prefix: a slip of the pen is looked for among no more
_AGE = 1 << 32  # the shapes that a place may go through until the index is made anew
_LISTED = "(SELECT value FROM json_each(?))"
_TAIL = "(SELECT count(*) FROM profiles WHERE profiles.place = places.place AND number > folded)"
_PLACE = ", ".join(("place", "count", *Place._fields[2:])).replace("tail", f"{_TAIL} AS tail")
_BESIDE = """(SELECT b.number FROM profiles b WHERE b.place = p.place AND b.session = p.session AND b.session <> ''
    AND (b.created, b.number) {0} (p.created, p.number) ORDER BY b.created {1}, b.number {1} LIMIT 1)"""


class SqliteIndex:
    """Implement `stores.port.search.Index`."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections
        self.graph = SqliteGraphRows(connections)
        self.lessons = SqliteLessons(connections)

    @property
    def embedder(self) -> str:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'embedder'")
        return str(rows[0][0]) if rows else ""

    @property
    def size(self) -> int:
        ((last,),) = self._db.rows("SELECT coalesce(max(number), 0) FROM memories")
        return int(last)

    @property
    def profiled(self) -> int:
        ((last,),) = self._db.rows("SELECT coalesce(max(number), 0) FROM profiles")
        return int(last)

    @property
    def in_transaction(self) -> bool:
        return self._db.writing

    def write(self, work: Callable[[], T]) -> T:
        return self._db.transaction(work)

    def pending(self, limit: int) -> list[tuple[int, Memory]]:
        sql = (
            f"SELECT number, {schema.MEMORY_COLUMNS} FROM memories "
            "WHERE number > (SELECT coalesce(max(number), 0) FROM profiles) AND status <> 'forgotten' "
            "ORDER BY number LIMIT ?"
        )
        return [(row[0], memory_of(row[1:])) for row in self._db.rows(sql, (limit,))]

    def add(self, made: Iterable[tuple[Memory, Profile]]) -> None:
        ids = {profile.number: (memory, profile) for memory, profile in made}
        sql = f"SELECT number, id FROM memories WHERE status <> 'forgotten' AND number IN {_LISTED}"
        there: dict[int, str] = dict(self._db.rows(sql, (as_json(list(ids)),)))
        sql = f"SELECT number FROM profiles WHERE number IN {_LISTED}"
        done = {number for (number,) in self._db.rows(sql, (as_json(list(ids)),))}
        kept: dict[int, list[Profile]] = {}
        rows, mentions = [], []
        for number, (memory, profile) in ids.items():
            if there.get(number) != memory.id or number in done:
                continue  # another process was quicker, or the memory has changed since
            place = self._place(memory)
            kept.setdefault(place, []).append(profile)
            row = (number, place, memory.session, profile.created, profile.words, "\n".join(profile.entities))
            rows.append((*row, profile.stems, profile.vector, profile.sentences, profile.kind))
            mentions += [(entity, place, number) for entity in profile.entities]
        self._db.many("INSERT INTO profiles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._db.many("INSERT OR IGNORE INTO mentions VALUES (?, ?, ?)", mentions)
        for place, profiles in kept.items():
            self._change(place, profiles, 1)

    def remove(self, numbers: Sequence[int]) -> None:
        """Delete all that was made of memories, down to the last byte of their vectors."""
        self.graph.remove(numbers)
        self.lessons.remove(numbers)
        sql = f"SELECT number, place, words, stems, vector, entities FROM profiles WHERE number IN {_LISTED}"
        rows = self._db.rows(sql, (_listed(numbers),))
        gone = [
            Profile(number, place, 0, words, stems, vector, entities=tuple(entities.split("\n")))
            for number, place, words, stems, vector, entities in rows
        ]
        if not gone:
            return
        self._db.rows(f"DELETE FROM profiles WHERE number IN {_LISTED}", (_listed(numbers),))
        mentions = [(entity, one.place, one.number) for one in gone for entity in one.entities if entity]
        self._db.many("DELETE FROM mentions WHERE entity = ? AND place = ? AND number = ?", mentions)
        for place in {one.place for one in gone}:
            mine = [one for one in gone if one.place == place]
            self._change(place, mine, -1)
            self._empty(place, {one.number for one in mine})
            self._unpost(place, mine)

    def clear(self, embedder: str) -> None:
        self._db.rows(schema.DROP_INDEX + schema.INDEX)
        self._db.many("INSERT OR REPLACE INTO meta VALUES (?, ?)", [("embedder", embedder), ("age", self._age() + 1)])

    def places(self, seen_by: Context) -> list[Place]:
        space, project, session, _ = seen_by
        if project == EVERYWHERE:
            return self.all_places(space)
        walls = [("user", "", ""), ("project", project, "")]
        walls += [("session", one, session) for one in dict.fromkeys(("", project)) if session]
        names = [(seen, *wall) for wall in walls for seen in seen_from(space)]
        found = f"SELECT {_PLACE} FROM places WHERE (space, scope, project, session) = (?, ?, ?, ?) AND count > 0"
        return [Place._make(row) for name in names for row in self._db.rows(found, name)]

    def all_places(self, space: str) -> list[Place]:
        found = f"SELECT {_PLACE} FROM places WHERE space = ? AND count > 0"
        return [Place._make(row) for seen in seen_from(space) for row in self._db.rows(found, (seen,))]

    def tail(self, place: int, after: int) -> list[tuple[int, bytes, bytes]]:
        sql = "SELECT number, vector, stems FROM profiles WHERE place = ? AND number > ? ORDER BY number"
        return self._db.rows(sql, (place, after))

    def cells(self, place: int) -> list[Cell]:
        sql = "SELECT cell, members, vectors FROM cells WHERE place = ?"
        return [Cell._make(row) for row in self._db.rows(sql, (place,))]

    def postings(self, place: int, stems: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        sql = "SELECT stem, members FROM postings WHERE place = ?"
        if stems is None:
            return [(stem, members) for stem, members in self._db.rows(sql, (place,))]
        rows = self._db.rows(f"{sql} AND stem IN {_LISTED}", (place, _listed(stems)))
        return [(stem, members) for stem, members in rows]

    def fold(self, place: Place, cells: Iterable[Cell], postings: Iterable[tuple[int, bytes]], anew: bool) -> None:
        if anew:
            self._db.rows("DELETE FROM cells WHERE place = ?", (place.number,))
            self._db.rows("DELETE FROM postings WHERE place = ?", (place.number,))
        lists = ((place.number, stem, members) for stem, members in postings)
        self._db.many("INSERT INTO postings (place, stem, members) VALUES (?, ?, ?)", lists)
        rows = ((place.number, *cell) for cell in cells)
        self._db.many("INSERT INTO cells (place, cell, members, vectors) VALUES (?, ?, ?, ?)", rows)
        self._db.rows(
            "UPDATE places SET folded = ?, centroids = ?, shape = shape + ? WHERE place = ?",
            (place.folded, place.centroids, int(anew), place.number),
        )

    def stems(self, words: Sequence[str]) -> list[str]:
        plain = [word for word in words if word.isascii() and word.isalnum()]  # one word for the tokenizer too
        known = dict(zip(plain, self._db.stems(" ".join(plain)), strict=True)) if plain else {}
        return [known[word] if word in known else next(iter(self._db.stems(word)), "") for word in words]

    def counts(self, terms: Sequence[str]) -> list[int]:
        sql = f"""SELECT count(*), min(rowid) FROM
            (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT {_COUNTED})"""
        size = self.size
        found = []
        for term in terms:
            ((count, lowest),) = self._db.rows(sql, (_phrase(term),))
            found.append(count if count < _COUNTED else round(count * size / max(size - lowest + 1, count)))
        return found

    def match(
        self, terms: Sequence[str], places: Sequence[int], narrow: Filter | None, k: int
    ) -> list[tuple[int, float]]:
        if not terms:
            return []
        match = " OR ".join(map(_phrase, terms))
        here = ", ".join(map(str, places))
        sql = (
            f"SELECT words.rowid, -bm25(words, {', '.join(map(str, schema.FIELD_WEIGHTS))}) AS score FROM words "
            "{0} WHERE words MATCH ? AND EXISTS (SELECT 1 FROM profiles INDEXED BY profiles_place "
            f"WHERE place IN ({here}) AND number = words.rowid) {{1}} ORDER BY score DESC, words.rowid DESC LIMIT ?"
        )
        if narrow is None:
            return self._db.rows(sql.format("", ""), (match, k))
        clause = memory_clause(narrow)
        sql = sql.format("JOIN memories ON memories.number = words.rowid", f"AND {clause}")
        return self._db.rows(sql, (match, *clause.values, k))

    def waiting(self, terms: Sequence[str], where: Filter, after: int, k: int) -> list[tuple[int, Memory]]:
        if not terms:
            return []
        clause = memory_clause(where)
        sql = (
            "SELECT words.rowid FROM words JOIN memories ON memories.number = words.rowid "
            f"WHERE words MATCH ? AND words.rowid > ? AND {clause} "
            f"ORDER BY bm25(words, {', '.join(map(str, schema.FIELD_WEIGHTS))}), words.rowid DESC LIMIT ?"
        )
        values = (" OR ".join(map(_phrase, terms)), after, *clause.values, k)
        return [*self.found([number for (number,) in self._db.rows(sql, values)]).items()]

    def sharing(self, terms: Sequence[str], where: Filter, k: int, stored: bool = True) -> list[Memory]:
        sql = f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT {SHARERS}"
        found = sharers([[number for (number,) in self._db.rows(sql, (_phrase(term),))] for term in terms], stored)
        if not found:
            return []
        clause = memory_clause(where)
        best = ", ".join(map(str, found[: SPARE * k]))
        sql = f"SELECT number, {schema.MEMORY_COLUMNS} FROM memories WHERE number IN ({best}) AND {clause}"
        there = {row[0]: memory_of(row[1:]) for row in self._db.rows(sql, clause.values)}
        return [there[number] for number in found if number in there][:k]

    def vocabulary(self, prefix: str) -> list[str]:
        self._db.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)")
        sql = "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?"
        beyond = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else chr(0x10FFFF)
        return [term for (term,) in self._db.rows(sql, (prefix, beyond, _MOST_STEMS))]

    def mentions(self, entities: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        here = ", ".join(map(str, places))
        sql = f"SELECT entity, number FROM mentions WHERE entity IN {_LISTED} AND place IN ({here}) LIMIT ?"
        return [(entity, number) for entity, number in self._db.rows(sql, (as_json(list(entities)), k))]

    def numbers(self, narrow: Filter) -> list[int]:
        clause = memory_clause(narrow)
        rows = self._db.rows(f"SELECT number FROM memories WHERE {clause}", clause.values)
        return [number for (number,) in rows]

    def profiles(self, numbers: Sequence[int]) -> list[Profile]:
        columns = "number, place, created, words, stems, vector, sentences, kind"
        sql = f"SELECT {columns} FROM profiles WHERE number IN {_LISTED}"
        return [Profile._make((*row[:7], "", (), row[7])) for row in self._db.rows(sql, (_listed(numbers),))]

    def beside(self, numbers: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        sql = (
            f"SELECT p.number, {_BESIDE.format('<', 'DESC')}, {_BESIDE.format('>', 'ASC')} "
            "FROM json_each(?) JOIN profiles p ON p.number = value WHERE p.session <> ''"
        )
        return [(number, before, behind) for number, before, behind in self._db.rows(sql, (_listed(numbers),))]

    def named(self, ids: Sequence[str]) -> dict[str, int]:
        return dict(self._db.rows(f"SELECT id, number FROM memories WHERE id IN {_LISTED}", (as_json(list(ids)),)))

    def found(self, numbers: Sequence[int]) -> dict[int, Memory]:
        sql = f"SELECT number, {schema.MEMORY_COLUMNS} FROM memories WHERE number IN {_LISTED}"
        return {row[0]: memory_of(row[1:]) for row in self._db.rows(sql, (_listed(numbers),))}

    def problems(self) -> Iterator[str]:
        """Yield where the index does not agree with the memories, or with itself."""
        ((lost,),) = self._db.rows("SELECT count(*) FROM profiles WHERE number NOT IN (SELECT number FROM memories)")
        if lost:
            yield f"recall's index holds {lost:,} memories that are not there: run `treering rebuild`"
        counted = "SELECT place, count(*) AS held FROM profiles GROUP BY place"
        wrong = f"SELECT count(*) FROM places LEFT JOIN ({counted}) USING (place) WHERE count <> coalesce(held, 0)"
        ((wrong_places,),) = self._db.rows(wrong)
        if wrong_places:
            yield f"recall's index has miscounted {wrong_places:,} places: run `treering rebuild`"

    def _place(self, memory: Memory) -> int:
        """Return the number of the place where a memory lies; only what its walls are made of
        counts."""
        project = memory.project if memory.scope != "user" else ""
        session = memory.session if memory.scope == "session" else ""
        name = (memory.space, memory.scope, project, session)
        known = "SELECT place FROM places WHERE (space, scope, project, session) = (?, ?, ?, ?)"
        rows = self._db.rows(known, name) or self._db.rows(
            "INSERT INTO places (space, scope, project, session, count, length, total, norms, folded, shape, centroids)"
            " VALUES (?, ?, ?, ?, 0, 0, x'', 0, 0, ?, x'') RETURNING place",
            (*name, self._age() * _AGE),
        )
        return int(rows[0][0])

    def _age(self) -> int:
        """Return how often the index was made anew. Its places and their numbers then begin again,
        and none of them may look unchanged to a process that holds the vectors of an earlier
        one."""
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'age'")
        return int(rows[0][0]) if rows else 0

    def _change(self, place: int, profiles: Sequence[Profile], sign: int) -> None:
        """Add profiles to the sums of their place, or take them out."""
        ((total, norms),) = self._db.rows("SELECT total, norms FROM places WHERE place = ?", (place,))
        self._db.rows(
            "UPDATE places SET count = count + ?, length = length + ?, total = ?, norms = ?, shape = shape + ? "
            "WHERE place = ?",
            (*summed(total, norms, profiles, sign), int(sign < 0), place),
        )

    def _empty(self, place: int, numbers: set[int]) -> None:
        """Overwrite vectors where they lie in cells."""
        for row, members in self._db.rows("SELECT number, members FROM cells WHERE place = ?", (place,)):
            if numbers.isdisjoint(array("i", members)):
                continue
            ((vectors,),) = self._db.rows("SELECT vectors FROM cells WHERE number = ?", (row,))
            left = emptied(members, vectors, numbers)
            self._db.rows("UPDATE cells SET members = ?, vectors = ? WHERE number = ?", (*left, row))

    def _unpost(self, place: int, gone: Sequence[Profile]) -> None:
        """Take memories out of the lists of those that hold their stems."""
        numbers = {one.number for one in gone}
        stems = {stem for one in gone for stem in array("I", one.stems)}
        sql = f"SELECT number, members FROM postings WHERE place = ? AND stem IN {_LISTED}"
        for row, members in self._db.rows(sql, (place, _listed(stems))):
            if not numbers.isdisjoint(array("i", members)):
                self._db.rows("UPDATE postings SET members = ? WHERE number = ?", (without(members, numbers), row))


def _phrase(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _listed(numbers: Iterable[int]) -> str:
    """Return whole numbers as a JSON list, as fast as can be."""
    return str([*numbers])
