"""Keep a ledger and its projections in one space of a PostgreSQL database, which a team shares."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import TypeVar

from treering.ledger.events import PURGED, Event, Head
from treering.ledger.types import Filter, Memory, comes_from
from treering.stores.port.ledger import EVERYTHING, Change, EventQuery, Key
from treering.stores.postgres import schema
from treering.stores.postgres.connection import Row
from treering.stores.postgres.erase import scrub
from treering.stores.postgres.rows import event_clause, memory_clause
from treering.stores.postgres.search import PostgresIndex
from treering.stores.postgres.space import Space
from treering.stores.postgres.words import Indexed, indexed
from treering.stores.sqlite.rows import (
    STATE,
    event_of,
    event_row,
    memory_of,
    memory_row,
    only_aged,
    state_row,
    texts_of,
)

T = TypeVar("T")

_PAGE = 1_000  # rows read at a time
_WORDS = 20_000  # rows of words written at a time
_INVARIANT = Memory._fields.index("invariant")
_WIDTH = len(Memory._fields)
_EVENTS = f"INSERT INTO treering.events (space, {schema.EVENT_COLUMNS}) VALUES *"
_HEADS = """INSERT INTO treering.heads VALUES *
    ON CONFLICT (space, writer) DO UPDATE SET seq = excluded.seq, chain = excluded.chain"""
_MEMORIES = f"INSERT INTO treering.memories (space, {schema.MEMORY_COLUMNS}, terms, number, length) VALUES *"
_AGED = f"""UPDATE treering.memories m SET ({", ".join(STATE)}) = ({", ".join(f"v.{name}" for name in STATE)})
    FROM (VALUES *) AS v (space, {", ".join(STATE)}, id) WHERE m.space = v.space AND m.id = v.id"""
_LINKS = """SELECT space, cause, writer || '-' || seq AS effect
    FROM treering.events, unnest(string_to_array(causes, ' ')) AS cause WHERE space = %s AND causes <> ''"""
_KEYS = """SELECT space, (payload::json ->> 'key')::bigint AS key, writer || '-' || seq AS event
    FROM treering.events WHERE space = %s AND strpos(payload, '"key":') > 0 AND payload::json ->> 'key' IS NOT NULL"""
_META = "INSERT INTO treering.meta VALUES (%s, %s, %s) ON CONFLICT (space, name) DO UPDATE SET value = excluded.value"
_PROJECTIONS = ("causes", "keys", "left_out", "memories", "words", *schema.INDEX_TABLES, *schema.GRAPH_TABLES)


class PostgresStore:
    """Implement `stores.port.ledger.Store`."""

    def __init__(self, dsn: str, space: str, stays: bool = False) -> None:
        self.space = Space(dsn, space, stays)
        self.index = PostgresIndex(self.space)

    @property
    def place(self) -> str:
        """Where it is, for people: the host and the database, without a password."""
        return self.space.db.place

    @property
    def writer(self) -> str:
        if row := self.space.locked:
            writer, place = row.writer, row.place
        else:
            rows = self._rows("SELECT writer, place FROM treering.spaces WHERE space = %s")
            writer, place = rows[0] if rows else ("", "")
        return str(writer) if place == self.space.place else ""  # a copy on another server gets a name of its own

    def adopt(self, writer: str) -> None:
        self.space.row.writer, self.space.row.place = writer, self.space.place

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        return self.space.hurried(seconds)

    def write(self, work: Callable[[], T]) -> T:
        return self.space.write(work)

    def version(self) -> Hashable:
        return self.space.version()

    def view(self, work: Callable[[], T]) -> T:
        return self.space.view(work)

    def clock(self) -> int:
        ((clock,),) = self._rows("SELECT coalesce(max(clock), 0) FROM treering.events WHERE space = %s")
        return int(clock)

    def heads(self) -> dict[str, Head]:
        found = self._rows("SELECT writer, seq, chain FROM treering.heads WHERE space = %s")
        return {writer: Head(seq, chain) for writer, seq, chain in found}

    def append(self, events: Sequence[Event], keys: Iterable[Key] = ()) -> None:
        db = self.space.db
        db.many(_EVENTS, map(event_row, events))
        heads = {event.writer: Head(event.seq, event.chain) for event in events}
        db.many(_HEADS, [(name, *head) for name, head in heads.items()])
        links = {(cause, event.id): None for event in events for cause in event.causes}
        db.many("INSERT INTO treering.causes VALUES * ON CONFLICT DO NOTHING", links)
        db.many("INSERT INTO treering.keys VALUES * ON CONFLICT DO NOTHING", keys)
        if events:
            self.space.row.last = events[-1]

    def retract(self, ids: Collection[str]) -> None:
        first: dict[str, int] = {}
        for writer, _, number in (id.rpartition("-") for id in ids):
            first[writer] = min(int(number), first.get(writer, int(number)))
        for writer, seq in first.items():
            self._rows("DELETE FROM treering.events WHERE space = %s AND writer = %s AND seq >= %s", (writer, seq))
            self._rows("DELETE FROM treering.heads WHERE space = %s AND writer = %s", (writer,))
            last = """INSERT INTO treering.heads SELECT space, writer, seq, chain FROM treering.events
                WHERE space = %s AND writer = %s AND seq = %s"""
            self._rows(last, (writer, seq - 1))
            looked = """UPDATE treering.meta SET value = least(value::bigint, v.last)
                FROM (VALUES *) v (space, name, last) WHERE (meta.space, meta.name) = (v.space, v.name)"""
            self.space.db.many(looked, [(f"looked:{writer}", seq - 1)])

    def looked(self) -> dict[str, int]:
        sql = """SELECT substr(name, 8), value FROM treering.meta
            WHERE space = %s AND name >= 'looked:' AND name < 'looked;'"""
        return {writer: int(value) for writer, value in self._rows(sql)}

    def look_on(self, writer: str, seq: int) -> None:
        self._rows(_META, (f"looked:{writer}", str(seq)))

    def learned(self, space: str) -> str:
        rows = self._rows("SELECT value FROM treering.meta WHERE space = %s AND name = %s", (f"learned:{space}",))
        return str(rows[0][0]) if rows else ""

    def keep_learned(self, space: str, told: str) -> None:
        self._rows(_META, (f"learned:{space}", told))

    def erase(self, subject: str) -> None:
        about = event_clause(EventQuery(subjects=(subject,)))
        sql = f"UPDATE treering.events SET payload = NULL, salt = NULL WHERE {about} AND kind <> '{PURGED}'"
        self._rows(sql, about.values)
        self._rows("DELETE FROM treering.keys WHERE space = %s AND event = %s", (subject,))
        self._unlearn()  # its words may weigh in what was learned
        ((now,),) = self.space.db.run("SELECT pg_current_xact_id()::text")
        self._rows(_META, ("erasing", now))

    def scrub(self) -> bool:
        return scrub(self.space)

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        found = map(event_of, self._event_rows(query))
        if not query.source:
            return found
        told = (event for event in found if comes_from(_origin(event), query.source))
        return islice(told, query.limit or None)

    def effects(self, ids: Collection[str]) -> set[str]:
        sql = "SELECT effect FROM treering.causes WHERE space = %s AND cause = ANY(%s)"
        return {effect for (effect,) in self._rows(sql, ([*ids],))}

    def known(self, keys: Sequence[int]) -> set[int]:
        sql = "SELECT key FROM treering.keys WHERE space = %s AND key = ANY(%s)"
        return {key for (key,) in self._rows(sql, ([*keys],))}

    def left_out(self) -> set[str]:
        return {id for (id,) in self._rows("SELECT id FROM treering.left_out WHERE space = %s")}

    def leave_out(self, ids: Iterable[str], back: Iterable[str]) -> None:
        self._rows("DELETE FROM treering.left_out WHERE space = %s AND id = ANY(%s)", ([*back],))
        self.space.db.many("INSERT INTO treering.left_out VALUES * ON CONFLICT DO NOTHING", ((id,) for id in ids))

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        sql = f"SELECT {schema.MEMORY_COLUMNS} FROM treering.memories WHERE space = %s AND id = ANY(%s)"
        found = {row[0]: memory_of(row) for row in self._rows(sql, ([*ids],))} if ids else {}
        return {id: found[id] for id in ids if id in found}

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        clause = memory_clause(where) if where else None
        keys = ("created", "id") if where else ("number",)
        sql = f"SELECT {schema.MEMORY_COLUMNS}, number FROM treering.memories m WHERE space = %s"
        sql += f" AND {clause}" if clause else ""
        columns = (*Memory._fields, "number")
        places = [columns.index(key) for key in keys]
        return map(memory_of, self._pages(sql, clause.values if clause else [], keys, places, where is not None))

    def save(self, changes: Iterable[Change]) -> None:
        made, aged = [], []
        for old, new in changes:
            if old is None:
                made += [new] if new is not None else []
            elif new is not None and only_aged(old, new):
                aged += [state_row(new)] if old != new else []
            else:
                self._replace(old, new)
        self.space.db.many(_AGED, aged)
        self._insert(made)

    def reset(self) -> None:
        for table in _PROJECTIONS:
            self._rows(f"DELETE FROM treering.{table} WHERE space = %s")
        self._rows(f"INSERT INTO treering.causes {_LINKS} ON CONFLICT DO NOTHING")
        self._rows(f"INSERT INTO treering.keys {_KEYS} ON CONFLICT DO NOTHING")
        gone = ["embedder", "read_up_to", "strands"]
        self._rows("DELETE FROM treering.meta WHERE space = %s AND name = ANY(%s)", (gone,))
        self._unlearn()
        row = self.space.row
        row.number = row.texts = row.length = 0

    def missing(self) -> Iterator[str]:
        """Yield nothing: whoever restores an older state of a database does it on the server, and says so."""
        return iter(())

    def accept_loss(self) -> None:
        self.space.row.place = ""  # the numbers of what is lost are not used again

    def problems(self) -> Iterator[str]:
        for table, truth in (("causes", _LINKS), ("keys", _KEYS)):
            here = f"SELECT * FROM treering.{table} WHERE space = %s"
            for one, other in ((truth, here), (here, truth)):
                for row in self.space.rows(f"{one} EXCEPT {other}", (self.space.db.space,)):
                    yield f"the index of {table} is wrong about {row[1]} and {row[2]}: run `treering rebuild`"
        yield from self.index.problems()

    def hold(self, parts: Iterable[str]) -> None:
        """Let these spaces be opened too, as parts of this one: they came with it in one file."""
        for part in parts:
            self.space.hold(part)

    @property
    def moved_to(self) -> str:
        """Where the space lies now, if it has left this database."""
        return self.space.moved_to

    def leave(self, address: str) -> None:
        """Send whoever writes here to another database, from the commit of this transaction on; nowhere if empty."""
        self.space.leave(address)

    def close(self) -> None:
        self.space.db.close()

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        return self.space.rows(sql, values)

    def _unlearn(self) -> None:
        self._rows("DELETE FROM treering.meta WHERE space = %s AND name >= 'learned:' AND name < 'learned;'")

    def _event_rows(self, query: EventQuery) -> Iterator[Row]:
        clause = event_clause(query)
        sql = f"SELECT {schema.EVENT_COLUMNS} FROM treering.events WHERE {clause}"
        limit = 0 if query.source else query.limit
        places = [Event._fields.index(name) for name in ("clock", "writer", "seq")]
        if query.ids is None and query.subjects is None:
            return self._pages(sql, clause.values, ("clock", "writer", "seq"), places, query.newest, limit)
        # A few events by name: found first and put in order then, not sought along the order of all.
        turn = "DESC" if query.newest else "ASC"
        sql = f"WITH found AS MATERIALIZED ({sql}) SELECT * FROM found ORDER BY clock {turn}, writer {turn}, seq {turn}"
        return iter(self._rows(f"{sql} LIMIT {limit}" if limit else sql, clause.values))

    def _pages(
        self,
        sql: str,
        values: Sequence[object],
        keys: Sequence[str],
        places: Sequence[int],
        newest: bool,
        limit: int = 0,
    ) -> Iterator[Row]:
        """Yield rows in the order of their keys, page by page, so that nothing stays open on the server."""
        direction, beyond = ("DESC", "<") if newest else ("ASC", ">")
        order = ", ".join(f"{key} {direction}" for key in keys)
        after = f"AND ({', '.join(keys)}) {beyond} ({', '.join(['%s'] * len(keys))})"
        last: Row = ()
        left = limit
        while True:
            size = min(left or _PAGE, _PAGE)
            page = self._rows(f"{sql} {after if last else ''} ORDER BY {order} LIMIT {size}", (*values, *last))
            yield from page
            left -= min(left, size)
            if len(page) < size or (limit and not left):
                return
            last = tuple(page[-1][place] for place in places)

    def _insert(self, memories: Sequence[Memory]) -> None:
        if not memories:
            return
        row = self.space.row
        rows = []
        words: list[Row] = []
        for number, memory in enumerate(memories, row.number + 1):
            made = _indexed(memory)
            rows.append(_memory_row(memory, made, number))
            words += self._counted(made, number)
        row.number += len(memories)
        self.space.db.many(_MEMORIES, rows)
        self._add_words(words)

    def _replace(self, old: Memory, new: Memory | None) -> None:
        sql = "SELECT number, length FROM treering.memories WHERE space = %s AND id = %s"
        ((number, length),) = self._rows(sql, (old.id,))
        before, after = texts_of(old), texts_of(new)
        if before is not None and before != after:
            gone = "DELETE FROM treering.words WHERE space = %s AND number = %s AND stem = ANY(%s)"
            self._rows(gone, (number, [*indexed(before).hits]))
            self.space.row.texts -= 1
            self.space.row.length -= length
            self.index.remove([number])
        self._rows("DELETE FROM treering.memories WHERE space = %s AND number = %s", (number,))
        if new is None:
            return
        made = indexed(after) if after is not None else None
        if made is not None and after != before:
            # Another text is another number, so that whoever keeps something made of the old text can tell.
            number = self.space.row.number = self.space.row.number + 1
            self._add_words(self._counted(made, number))
        self.space.db.many(_MEMORIES, [_memory_row(new, made, number)])

    def _counted(self, made: Indexed | None, number: int) -> list[Row]:
        """Count a text that is new in the index, and return its rows of words."""
        if made is None:
            return []
        self.space.row.texts += 1
        self.space.row.length += made.length
        return [(stem, number, hits, made.length) for stem, hits in made.hits.items()]

    def _add_words(self, words: Sequence[Row]) -> None:
        """Add rows of words, column by column: they are most of what a memory writes."""
        for at in range(0, len(words), _WORDS):
            columns = zip(*words[at : at + _WORDS], strict=True)
            sql = """INSERT INTO treering.words SELECT space, stem, number, hits, length FROM (VALUES (%s)) v (space),
                unnest(%s::text[], %s::bigint[], %s::real[], %s::integer[]) u (stem, number, hits, length)"""
            self._rows(sql, [[*column] for column in columns])


def _indexed(memory: Memory) -> Indexed | None:
    texts = texts_of(memory)
    return indexed(texts) if texts is not None else None


def _memory_row(memory: Memory, made: Indexed | None, number: int) -> list[object]:
    row = memory_row(memory, "", number)
    row[_INVARIANT] = bool(row[_INVARIANT])
    row[_WIDTH] = made.terms if made is not None else None
    return [*row, made.length if made is not None else 0]


def _origin(event: Event) -> str | None:
    found = json.loads(event.payload or "{}").get("origin")
    return found if isinstance(found, str) else None
