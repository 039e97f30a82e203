"""Keep in PostgreSQL what recall searches: words, profiles, and vectors in cells."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from treering.ledger.types import EVERYWHERE, Context, Filter, Memory, seen_from
from treering.stores.port.search import SHARERS, SPARE, Cell, Place, Profile, sharers
from treering.stores.postgres import schema
from treering.stores.postgres.connection import Row
from treering.stores.postgres.graph import PostgresGraphRows
from treering.stores.postgres.lessons import PostgresLessons
from treering.stores.postgres.rows import memory_clause
from treering.stores.postgres.space import Space
from treering.stores.postgres.words import Hits, frequency, phrase, relevance, scores, tsquery
from treering.stores.sqlite.rows import memory_of
from treering.stores.sums import emptied, summed, without

T = TypeVar("T")

_COUNTED = 500  # rows looked at to tell how common a stem is; beyond it, how far they lie apart tells it
_RANKED = 5_000  # memories that each of several words adds, the best: more tell nothing apart
_MOST_STEMS = 2_000  # of the vocabulary, for one prefix
_AGE = 1 << 32  # the shapes that a place may go through until the index is made anew
_TAIL = """(SELECT count(*) FROM treering.profiles f
    WHERE f.space = places.space AND f.place = places.place AND f.number > folded)"""
_PLACE = ", ".join(("place", "count", *Place._fields[2:])).replace("tail", f"{_TAIL} AS tail")
_BESIDE = """(SELECT b.number FROM treering.profiles b WHERE b.space = p.space AND b.place = p.place
    AND b.session = p.session AND b.session <> '' AND (b.created, b.number) {0} (p.created, p.number)
    ORDER BY b.created {1}, b.number {1} LIMIT 1)"""
_PROFILE = "number, place, created, words, stems, vector, sentences, kind"
_HIGHEST = "SELECT coalesce(max(number), 0) FROM treering.{0} WHERE space = %s"
_OF_PLACES = (
    "EXISTS (SELECT 1 FROM treering.profiles p WHERE (p.space, p.number) = (m.space, m.number) AND p.place = ANY(%s))"
)
# Memories that hold several stems side by side: of all memories only those are read that hold each of them.
_HELD = "SELECT space, number FROM treering.words WHERE space = %s AND stem = %s"
_HOLDING = """WITH held AS ({0}), m AS MATERIALIZED (SELECT m.* FROM held h CROSS JOIN LATERAL (SELECT *
    FROM treering.memories WHERE space = h.space AND number = h.number AND terms @@ %s::tsquery OFFSET 0) m)"""


class PostgresIndex:
    """Implement `stores.port.search.Index`."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self.graph = PostgresGraphRows(space)
        self.lessons = PostgresLessons(space)

    @property
    def embedder(self) -> str:
        rows = self._rows("SELECT value FROM treering.meta WHERE space = %s AND name = 'embedder'")
        return str(rows[0][0]) if rows else ""

    @property
    def size(self) -> int:
        ((last,),) = self._rows(_HIGHEST.format("memories"))
        return int(last)

    @property
    def profiled(self) -> int:
        ((last,),) = self._rows(_HIGHEST.format("profiles"))
        return int(last)

    @property
    def in_transaction(self) -> bool:
        return self._space.db.in_transaction

    def write(self, work: Callable[[], T]) -> T:
        return self._space.write(work)

    def pending(self, limit: int) -> list[tuple[int, Memory]]:
        sql = f"""SELECT number, {schema.MEMORY_COLUMNS} FROM treering.memories
            WHERE space = %s AND number > %s AND status <> 'forgotten' ORDER BY number LIMIT %s"""
        return [(row[0], memory_of(row[1:])) for row in self._rows(sql, (self.profiled, limit))]

    def add(self, made: Iterable[tuple[Memory, Profile]]) -> None:
        given = {profile.number: (memory, profile) for memory, profile in made}
        sql = """SELECT number, id FROM treering.memories m WHERE space = %s AND status <> 'forgotten'
            AND number = ANY(%s) AND NOT EXISTS (SELECT 1 FROM treering.profiles p
            WHERE (p.space, p.number) = (m.space, m.number))"""
        waiting: dict[int, str] = dict(self._rows(sql, ([*given],)))
        kept: dict[int, list[Profile]] = {}
        rows = []
        mentions: dict[tuple[str, int, int], None] = {}
        for number, (memory, profile) in given.items():
            if waiting.get(number) != memory.id:
                continue  # another process was quicker, or the memory has changed since
            place = self._place(memory)
            kept.setdefault(place, []).append(profile)
            row = (number, place, memory.session, profile.created, profile.words, "\n".join(profile.entities))
            rows.append((*row, profile.stems, profile.vector, profile.sentences, profile.kind))
            mentions.update({(entity, place, number): None for entity in profile.entities})
        self._space.db.many("INSERT INTO treering.profiles VALUES *", rows)
        self._space.db.many("INSERT INTO treering.mentions VALUES * ON CONFLICT DO NOTHING", mentions)
        for place, profiles in kept.items():
            self._change(place, profiles, 1)

    def remove(self, numbers: Sequence[int]) -> None:
        """Delete all that was made of memories."""
        self.graph.remove(numbers)
        self.lessons.remove(numbers)
        sql = """DELETE FROM treering.profiles WHERE space = %s AND number = ANY(%s)
            RETURNING number, place, words, stems, vector, entities"""
        gone = [
            Profile(number, place, 0, words, stems, vector, entities=tuple(entities.split("\n")))
            for number, place, words, stems, vector, entities in self._rows(sql, ([*numbers],))
        ]
        for place in {one.place for one in gone}:
            mine = [one for one in gone if one.place == place]
            entities = [entity for one in mine for entity in one.entities]
            sql = """DELETE FROM treering.mentions
                WHERE space = %s AND entity = ANY(%s) AND place = %s AND number = ANY(%s)"""
            self._rows(sql, (entities, place, [one.number for one in mine]))
            self._change(place, mine, -1)
            self._empty(place, {one.number for one in mine})
            self._unpost(place, mine)

    def clear(self, embedder: str) -> None:
        for table in schema.INDEX_TABLES:
            self._rows(f"DELETE FROM treering.{table} WHERE space = %s")
        sql = "INSERT INTO treering.meta VALUES * ON CONFLICT (space, name) DO UPDATE SET value = excluded.value"
        self._space.db.many(sql, [("embedder", embedder), ("age", str(self._age() + 1))])

    def places(self, seen_by: Context) -> list[Place]:
        space, project, session, _ = seen_by
        if project == EVERYWHERE:
            return self.all_places(space)
        names = [("user", "", ""), ("project", project, "")]
        names += [("session", one, session) for one in dict.fromkeys(("", project)) if session]
        wanted = " OR ".join(["(scope, project, session) = (%s, %s, %s)"] * len(names))
        sql = f"""SELECT {_PLACE} FROM treering.places
            WHERE space = %s AND part = ANY(%s) AND ({wanted}) AND count > 0
            ORDER BY scope = 'session', scope DESC, project, part = %s"""
        values = ([*seen_from(space)], *(value for name in names for value in name), space)
        return [Place._make(row) for row in self._rows(sql, values)]

    def all_places(self, space: str) -> list[Place]:
        sql = f"SELECT {_PLACE} FROM treering.places WHERE space = %s AND part = ANY(%s) AND count > 0"
        return [Place._make(row) for row in self._rows(sql, ([*seen_from(space)],))]

    def tail(self, place: int, after: int) -> list[tuple[int, bytes, bytes]]:
        sql = """SELECT number, vector, stems FROM treering.profiles
            WHERE space = %s AND place = %s AND number > %s ORDER BY number"""
        return [(number, vector, stems) for number, vector, stems in self._rows(sql, (place, after))]

    def cells(self, place: int) -> list[Cell]:
        sql = "SELECT cell, members, vectors FROM treering.cells WHERE space = %s AND place = %s ORDER BY piece"
        return [Cell._make(row) for row in self._rows(sql, (place,))]

    def postings(self, place: int, stems: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        sql = "SELECT stem, members FROM treering.postings WHERE space = %s AND place = %s"
        narrow, values = _among("stem", stems)
        return [(stem, members) for stem, members in self._rows(f"{sql}{narrow} ORDER BY piece", (place, *values))]

    def fold(self, place: Place, cells: Iterable[Cell], postings: Iterable[tuple[int, bytes]], anew: bool) -> None:
        if anew:
            self._rows("DELETE FROM treering.cells WHERE space = %s AND place = %s", (place.number,))
            self._rows("DELETE FROM treering.postings WHERE space = %s AND place = %s", (place.number,))
        lists = ((place.number, stem, members) for stem, members in postings)
        self._space.db.many("INSERT INTO treering.postings (space, place, stem, members) VALUES *", lists)
        rows = ((place.number, *cell) for cell in cells)
        self._space.db.many("INSERT INTO treering.cells (space, place, cell, members, vectors) VALUES *", rows)
        sql = """UPDATE treering.places SET folded = v.folded, centroids = v.centroids, shape = shape + v.anew
            FROM (VALUES *) AS v (space, folded, centroids, anew, place)
            WHERE places.space = v.space AND places.place = v.place"""
        self._space.db.many(sql, [(place.folded, place.centroids, int(anew), place.number)])

    def stems(self, words: Sequence[str]) -> list[str]:
        return [next(iter(phrase(word)), "") for word in words]

    def counts(self, terms: Sequence[str]) -> list[int]:
        return [self._count(phrase(term)) for term in terms]

    def match(
        self, terms: Sequence[str], places: Sequence[int], narrow: Filter | None, k: int
    ) -> list[tuple[int, float]]:
        wanted, values = _OF_PLACES, [[*places]]
        if narrow is not None:
            clause = memory_clause(narrow)
            wanted, values = f"{wanted} AND {clause}", [*values, *clause.values]
        return self._ranked(terms, wanted, values, k)

    def waiting(self, terms: Sequence[str], where: Filter, after: int, k: int) -> list[tuple[int, Memory]]:
        clause = memory_clause(where)
        best = self._ranked(terms, str(clause), clause.values, k, after)
        return [*self.found([number for number, _ in best]).items()]

    def sharing(self, terms: Sequence[str], where: Filter, k: int, stored: bool = True) -> list[Memory]:
        found = sharers([self._holders(stems, SHARERS) for term in terms if (stems := phrase(term))], stored)
        clause = memory_clause(where)
        sql = f"""SELECT number, {schema.MEMORY_COLUMNS} FROM treering.memories m
            WHERE space = %s AND number = ANY(%s) AND {clause}"""
        rows = self._rows(sql, (found[: SPARE * k], *clause.values)) if found else []
        there = {row[0]: memory_of(row[1:]) for row in rows}
        return [there[number] for number in found if number in there][:k]

    def vocabulary(self, prefix: str) -> list[str]:
        sql = """SELECT DISTINCT stem FROM treering.words
            WHERE space = %s AND stem >= %s AND stem < %s ORDER BY stem LIMIT %s"""
        beyond = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else chr(0x10FFFF)
        return [stem for (stem,) in self._rows(sql, (prefix, beyond, _MOST_STEMS))]

    def mentions(self, entities: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        sql = """SELECT entity, number FROM treering.mentions
            WHERE space = %s AND entity = ANY(%s) AND place = ANY(%s) LIMIT %s"""
        return [(entity, number) for entity, number in self._rows(sql, ([*entities], [*places], k))]

    def numbers(self, narrow: Filter) -> list[int]:
        clause = memory_clause(narrow)
        sql = f"SELECT number FROM treering.memories m WHERE space = %s AND {clause}"
        return [number for (number,) in self._rows(sql, clause.values)]

    def profiles(self, numbers: Sequence[int]) -> list[Profile]:
        sql = f"SELECT {_PROFILE} FROM treering.profiles WHERE space = %s AND number = ANY(%s)"
        return [Profile._make((*row[:7], "", (), row[7])) for row in self._rows(sql, ([*numbers],))]

    def beside(self, numbers: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        sql = f"""SELECT p.number, {_BESIDE.format("<", "DESC")}, {_BESIDE.format(">", "ASC")}
            FROM treering.profiles p WHERE p.space = %s AND p.number = ANY(%s) AND p.session <> ''"""
        return [(number, before, behind) for number, before, behind in self._rows(sql, ([*numbers],))]

    def named(self, ids: Sequence[str]) -> dict[str, int]:
        sql = "SELECT id, number FROM treering.memories WHERE space = %s AND id = ANY(%s)"
        return dict(self._rows(sql, ([*ids],)))

    def found(self, numbers: Sequence[int]) -> dict[int, Memory]:
        sql = f"SELECT number, {schema.MEMORY_COLUMNS} FROM treering.memories WHERE space = %s AND number = ANY(%s)"
        return {row[0]: memory_of(row[1:]) for row in self._rows(sql, ([*numbers],))}

    def problems(self) -> Iterator[str]:
        """Yield where the index does not agree with the memories, or with itself."""
        for problem, sql in _PROBLEMS:
            ((wrong,),) = self._rows(sql)
            if wrong:
                yield f"{problem.format(wrong)}: run `treering rebuild`"

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._space.rows(sql, values)

    def _place(self, memory: Memory) -> int:
        """Return the number of the place where a memory lies; only what its walls are made of counts."""
        project = memory.project if memory.scope != "user" else ""
        session = memory.session if memory.scope == "session" else ""
        name = (memory.space, memory.scope, project, session)
        sql = (
            "SELECT place FROM treering.places WHERE space = %s AND (part, scope, project, session) = (%s, %s, %s, %s)"
        )
        if rows := self._rows(sql, name):
            return int(rows[0][0])
        ((last,),) = self._rows("SELECT coalesce(max(place), 0) FROM treering.places WHERE space = %s")
        row = (last + 1, *name, 0, 0, b"", 0, 0, self._age() * _AGE, b"")
        self._space.db.many("INSERT INTO treering.places VALUES *", [row])
        return int(last + 1)

    def _age(self) -> int:
        """Return how often the index was made anew: no place may look like one of an earlier index."""
        rows = self._rows("SELECT value FROM treering.meta WHERE space = %s AND name = 'age'")
        return int(rows[0][0]) if rows else 0

    def _change(self, place: int, profiles: Sequence[Profile], sign: int) -> None:
        """Add profiles to the sums of their place, or take them out."""
        sql = "SELECT total, norms FROM treering.places WHERE space = %s AND place = %s"
        ((total, norms),) = self._rows(sql, (place,))
        sql = """UPDATE treering.places SET count = count + v.more, length = places.length + v.length,
            total = v.total, norms = v.norms, shape = shape + v.gone
            FROM (VALUES *) AS v (space, more, length, total, norms, gone, place)
            WHERE places.space = v.space AND places.place = v.place"""
        self._space.db.many(sql, [(*summed(total, norms, profiles, sign), int(sign < 0), place)])

    def _empty(self, place: int, numbers: set[int]) -> None:
        """Overwrite vectors where they lie in cells."""
        sql = "SELECT cell, piece, members FROM treering.cells WHERE space = %s AND place = %s"
        for cell, piece, members in self._rows(sql, (place,)):
            if numbers.isdisjoint(array("i", members)):
                continue
            key = "WHERE space = %s AND place = %s AND cell = %s AND piece = %s"
            ((vectors,),) = self._rows(f"SELECT vectors FROM treering.cells {key}", (place, cell, piece))
            self._rows(f"DELETE FROM treering.cells {key}", (place, cell, piece))
            sql = "INSERT INTO treering.cells (space, place, cell, members, vectors) VALUES *"
            self._space.db.many(sql, [(place, cell, *emptied(members, vectors, numbers))])

    def _unpost(self, place: int, gone: Sequence[Profile]) -> None:
        """Take memories out of the lists of those that hold their stems."""
        numbers = {one.number for one in gone}
        stems = {stem for one in gone for stem in array("I", one.stems)}
        sql = "SELECT stem, piece, members FROM treering.postings WHERE space = %s AND place = %s AND stem = ANY(%s)"
        changed = [
            (place, stem, piece, without(members, numbers))
            for stem, piece, members in self._rows(sql, (place, [*stems]))
            if not numbers.isdisjoint(array("i", members))
        ]
        sql = """UPDATE treering.postings p SET members = v.members
            FROM (VALUES *) AS v (space, place, stem, piece, members)
            WHERE (p.space, p.place, p.stem, p.piece) = (v.space, v.place, v.stem, v.piece)"""
        self._space.db.many(sql, changed)

    def _holders(self, stems: Sequence[str], most: int) -> list[int]:
        """Return the newest memories that hold stems side by side."""
        if len(stems) == 1:
            sql = "SELECT number FROM treering.words WHERE space = %s AND stem = %s ORDER BY number DESC LIMIT %s"
            return [number for (number,) in self._rows(sql, (stems[0], most))]
        holding, values = self._holding(stems)
        sql = f"{holding} SELECT number FROM m ORDER BY number DESC LIMIT %s"
        return [number for (number,) in self._rows(sql, (*values, most))]

    def _holding(self, stems: Sequence[str]) -> tuple[str, list[Any]]:
        """Return the beginning of a statement about the memories that hold stems side by side, and its values."""
        unique = [*dict.fromkeys(stems)]
        _, *values = [value for stem in unique for value in (self._space.db.space, stem)]
        return _HOLDING.format(" INTERSECT ".join([_HELD] * len(unique))), [*values, tsquery(stems)]

    def _count(self, stems: Sequence[str]) -> int:
        found = self._holders(stems, _COUNTED) if stems else []
        if len(found) < _COUNTED:
            return len(found)
        size = self.size
        return round(len(found) * size / max(size - found[-1] + 1, len(found)))

    def _ranked(
        self, terms: Sequence[str], wanted: str, values: Sequence[Any], k: int, after: int = 0
    ) -> list[tuple[int, float]]:
        """Return the best memories by BM25 of those that are wanted, and of equals the newest first."""
        asked = [stems for term in terms if (stems := phrase(term))]
        if not asked:
            return []
        if row := self._space.locked:
            texts, length = row.texts, row.length
        else:
            ((texts, length),) = self._rows("SELECT texts, length FROM treering.spaces WHERE space = %s") or [(0, 0)]
        found = [
            self._phrase(stems, f"m.number > {after} AND {wanted}", values)
            if len(stems) > 1
            else self._word(stems[0], wanted, values, k if len(asked) == 1 else _RANKED, after, length / max(texts, 1))
            for stems in asked
        ]
        ranked = scores(found, texts, length)
        return sorted(ranked.items(), key=lambda pair: (-pair[1], -pair[0]))[:k]

    def _word(self, stem: str, wanted: str, values: Sequence[Any], k: int, after: int, mean: float) -> tuple[int, Hits]:
        """Return how many memories hold a stem, and the best of those that are wanted, which are looked at in turn."""
        ranked = f"""SELECT *, {relevance(mean)} AS score FROM treering.words
            WHERE space = %s AND stem = %s AND number > %s ORDER BY score DESC, number DESC"""
        sql = f"""SELECT w.number, hits, length, (SELECT count(*) FROM treering.words WHERE space = %s AND stem = %s)
            FROM ({ranked}) w
            CROSS JOIN LATERAL (SELECT FROM treering.memories m
            WHERE (m.space, m.number) = (w.space, w.number) AND {wanted} OFFSET 0) m
            ORDER BY w.score DESC, w.number DESC LIMIT %s"""
        rows = self._rows(sql, (stem, self._space.db.space, stem, after, *values, k))
        return (rows[0][3] if rows else 0), {number: (often, length) for number, often, length, _ in rows}

    def _phrase(self, stems: Sequence[str], wanted: str, values: Sequence[Any]) -> tuple[int, Hits]:
        """Return the same of stems side by side."""
        sql, given = self._holding(stems)
        sql += f"""SELECT number, length, (SELECT count(*) FROM m), lexeme, positions, weights FROM m, unnest(terms)
            WHERE lexeme = ANY(%s) AND {wanted}"""
        where: dict[int, dict[str, tuple[list[int], list[str]]]] = {}
        lengths: dict[int, int] = {}
        rows = self._rows(sql, (*given, [*stems], *values))
        for number, lengths[number], _, stem, places, labels in rows:
            where.setdefault(number, {})[stem] = (places, labels)
        return (rows[0][2] if rows else 0), {
            number: (frequency(stems, one), lengths[number]) for number, one in where.items()
        }


def _among(column: str, wanted: Sequence[int] | None) -> tuple[str, tuple[Any, ...]]:
    return ("", ()) if wanted is None else (f" AND {column} = ANY(%s)", ([*wanted],))


_PROBLEMS = (
    (
        "recall's index holds {0:,} memories that are not there",
        """SELECT count(*) FROM treering.profiles p WHERE p.space = %s AND NOT EXISTS
        (SELECT 1 FROM treering.memories m WHERE (m.space, m.number) = (p.space, p.number))""",
    ),
    (
        "recall's index has miscounted {0:,} places",
        """SELECT count(*) FROM treering.places WHERE space = %s AND count <> (SELECT count(*)
        FROM treering.profiles p WHERE (p.space, p.place) = (places.space, places.place))""",
    ),
    (
        "the full-text index misses {0:,} memories, or holds too many",
        """SELECT abs(texts - (SELECT count(*) FROM treering.memories m WHERE m.space = spaces.space
        AND m.terms IS NOT NULL)) FROM treering.spaces WHERE space = %s UNION ALL SELECT 0 LIMIT 1""",
    ),
    (
        "the full-text index does not match {0:,} memories",
        """SELECT count(*) FROM (SELECT number, stem FROM treering.words WHERE space = %s) w
        FULL JOIN (SELECT number, unnest(tsvector_to_array(terms)) AS stem FROM treering.memories m
        WHERE m.space = current_setting('treering.space')) t USING (number, stem)
        WHERE t.number IS NULL AND NOT EXISTS (SELECT 1 FROM treering.memories long
        WHERE long.space = current_setting('treering.space') AND long.number = w.number
        AND (long.length > 16000 OR length(long.terms::text) > 700000)) OR w.number IS NULL""",
    ),
)
