"""Keep a ledger and its projections in SQLite: in one file that many short-lived processes share,
or in memory."""

from __future__ import annotations

from _thread import _local
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from treering.ledger.errors import StoreDamaged, StoreError
from treering.ledger.events import PURGED, Event, Head
from treering.ledger.types import Filter, Memory
from treering.stores.files import place
from treering.stores.port.ledger import EVERYTHING, Change, EventQuery, Key
from treering.stores.sqlite import schema
from treering.stores.sqlite.connection import Row, connections
from treering.stores.sqlite.heads import Acknowledged
from treering.stores.sqlite.rows import (
    STATE,
    Clause,
    as_json,
    event_clause,
    event_of,
    event_row,
    memory_clause,
    memory_of,
    memory_row,
    only_aged,
    state_row,
    texts_of,
)
from treering.stores.sqlite.search import SqliteIndex

T = TypeVar("T")

_FIRST, _PAGE = 100, 1_000  # rows read at a time: few to begin with, as many readers want no more


def _marks(count: int) -> str:
    return ", ".join("?" * count)


_WIDTH = len(Memory._fields)
_ADD_EVENT = f"INSERT INTO events ({schema.EVENT_COLUMNS}) VALUES ({_marks(15)})"
ADD_MEMORY = f"INSERT INTO memories ({schema.MEMORY_COLUMNS}, compounds, number) VALUES ({_marks(_WIDTH)}, ?, ?)"
_SET_MEMORY = (
    f"UPDATE memories SET ({schema.MEMORY_COLUMNS}, compounds, number) = ({_marks(_WIDTH)}, ?, ?) WHERE id = ?"
)
_AGE = f"UPDATE memories SET ({', '.join(STATE)}) = ({_marks(len(STATE))}) WHERE id = ?"
ADD_TEXTS = "INSERT INTO words (rowid, content, details, tags, compounds) VALUES (?, ?, ?, ?, ?)"
_UNINDEX = "INSERT INTO words (words, rowid, content, details, tags, compounds) VALUES ('delete', ?, ?, ?, ?, ?)"
# A number is never given twice, so that what somebody keeps of a memory is never taken for
# another's.
_LAST = """SELECT max(coalesce((SELECT max(number) FROM memories), 0),
    coalesce((SELECT value FROM meta WHERE name = 'numbered'), 0))"""
_LINKS = """SELECT value AS cause, writer || '-' || seq AS effect
FROM events, json_each('["' || replace(causes, ' ', '","') || '"]') WHERE causes <> ''"""
_KEYS = """SELECT payload ->> 'key' AS key, writer || '-' || seq AS event FROM events
WHERE instr(payload, '"key":') AND payload ->> 'key' IS NOT NULL"""
_UNLEARN = "DELETE FROM meta WHERE name >= 'learned:' AND name < 'learned;'"
FORGET = f"DELETE FROM meta WHERE name IN ('embedder', 'numbered', 'read_up_to', 'strands'); {_UNLEARN};"
_REFILL = f"INSERT OR IGNORE INTO causes {_LINKS}; INSERT OR IGNORE INTO keys {_KEYS};"


def _differing(table: str, truth: str) -> str:
    """Return a query for the rows that a table has and should not, or should have and has not."""
    return f"""WITH truth AS ({truth})
    SELECT * FROM (SELECT * FROM truth EXCEPT SELECT * FROM {table})
    UNION ALL SELECT * FROM (SELECT * FROM {table} EXCEPT SELECT * FROM truth)"""


_GONE = (
    "the log was lost, or an older copy put in place; restore a newer backup or import an export that has them, or "
    "give them up with `treering verify --accept-loss`"
)


class SqliteStore:
    """Implement `stores.port.ledger.Store`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._db = self.connections = connections(path)
        self.index = SqliteIndex(self._db)
        self.acknowledged = Acknowledged(path)
        self._appended = _local()  # by each thread, in its transaction: the new heads of writers

    @property
    def writer(self) -> str:
        acknowledged, put_back = self.acknowledged.look()  # first, as others may write between the two
        meta: dict[str, str] = dict(self._db.rows("SELECT name, value FROM meta WHERE name IN ('writer', 'place')"))
        writer = meta["writer"] if meta.get("place") == place(self.path) else ""
        behind = self.heads().get(writer, Head()).seq < acknowledged.get(writer, Head()).seq
        return "" if behind or put_back else writer  # an older copy is in its place: its next numbers have been used

    @property
    def has_queued_events(self) -> bool:
        """True if hooks have queued anything that nobody has taken in."""
        return bool(self._db.rows("SELECT 1 FROM inbox WHERE taken = 0 LIMIT 1"))

    @property
    def idle(self) -> bool:
        """True if nobody is writing just now."""
        return self._db.idle()

    def adopt(self, writer: str) -> None:
        rows = [("writer", writer), ("place", place(self.path))]
        self._db.many("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        return self._db.hurried(seconds)

    def write(self, work: Callable[[], T]) -> T:
        if self._db.writing:
            return work()
        self._appended.heads, self._appended.retracted = {}, set()
        done = self._db.transaction(work)
        if self._appended.retracted:
            self.acknowledged.drop(self._appended.retracted)
        self.acknowledged.note(self._appended.heads)
        return done

    def version(self) -> Hashable:
        return self._db.version()

    def view(self, work: Callable[[], T]) -> T:
        return self._db.view(work)

    def clock(self) -> int:
        ((clock,),) = self._db.rows("SELECT coalesce(max(clock), 0) FROM events")
        return int(clock)

    def heads(self) -> dict[str, Head]:
        return {writer: Head(seq, chain) for writer, seq, chain in self._db.rows("SELECT * FROM heads")}

    def append(self, events: Sequence[Event], keys: Iterable[Key] = ()) -> None:
        self._db.many(_ADD_EVENT, map(event_row, events))
        heads = {event.writer: Head(event.seq, event.chain) for event in events}
        self._db.many("INSERT OR REPLACE INTO heads VALUES (?, ?, ?)", [(name, *head) for name, head in heads.items()])
        self._appended.heads = {**getattr(self._appended, "heads", {}), **heads}
        links = [(cause, event.id) for event in events for cause in event.causes]
        self._db.many("INSERT OR IGNORE INTO causes VALUES (?, ?)", links)
        self._db.many("INSERT OR IGNORE INTO keys VALUES (?, ?)", keys)

    def retract(self, ids: Collection[str]) -> None:
        first: dict[str, int] = {}
        for writer, _, number in (id.rpartition("-") for id in ids):
            first[writer] = min(int(number), first.get(writer, int(number)))
        for writer, seq in first.items():
            self._db.rows("DELETE FROM events WHERE writer = ? AND seq >= ?", (writer, seq))
            self._db.rows("DELETE FROM heads WHERE writer = ?", (writer,))
            last = "INSERT INTO heads SELECT writer, seq, chain FROM events WHERE writer = ? AND seq = ?"
            self._db.rows(last, (writer, seq - 1))
            looked = "UPDATE meta SET value = min(value, ?) WHERE name = 'looked:' || ?"
            self._db.rows(looked, (seq - 1, writer))
        self._appended.retracted = {*getattr(self._appended, "retracted", ()), *first}

    def looked(self) -> dict[str, int]:
        sql = "SELECT substr(name, 8), value FROM meta WHERE name >= 'looked:' AND name < 'looked;'"
        return dict(self._db.rows(sql))

    def look_on(self, writer: str, seq: int) -> None:
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('looked:' || ?, ?)", (writer, seq))

    def learned(self, space: str) -> str:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'learned:' || ?", (space,))
        return str(rows[0][0]) if rows else ""

    def keep_learned(self, space: str, told: str) -> None:
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('learned:' || ?, ?)", (space, told))

    def erase(self, subject: str) -> None:
        about = event_clause(EventQuery(subjects=(subject,)))
        sql = f"UPDATE events SET payload = NULL, salt = NULL WHERE {about} AND kind <> '{PURGED}'"
        self._db.rows(sql, about.values)
        self._db.rows("DELETE FROM keys WHERE event = ?", (subject,))
        self._db.rows(_UNLEARN)  # its words may weigh in what was learned
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('erasing', abs(random()))")

    def scrub(self) -> bool:
        mark = self._db.rows("SELECT value FROM meta WHERE name = 'erasing'")
        if not mark:
            return True
        # The index only marks what was deleted from it, until it is merged into one piece; and a
        # row that moved to another page may have left a copy in the gap, until every page is
        # written anew.
        self._db.rows("INSERT INTO words (words) VALUES ('optimize')")
        self._db.rows("VACUUM")
        ((busy, _, _),) = self._db.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        if not busy:
            # What another process has erased since may lie in the pages as it did: its mark is another.
            self._db.rows("DELETE FROM meta WHERE name = 'erasing' AND value = ?", mark[0])
        return not busy

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        rows = self._pages(
            "events",
            Event._fields,
            event_clause(query),
            ("clock", "writer", "seq"),
            query.newest,
            query.limit,
        )
        return self._sound(event_of, rows)

    def effects(self, ids: Collection[str]) -> set[str]:
        sql = "SELECT effect FROM causes WHERE cause IN (SELECT value FROM json_each(?))"
        return {effect for (effect,) in self._db.rows(sql, (as_json(list(ids)),))}

    def known(self, keys: Sequence[int]) -> set[int]:
        sql = "SELECT key FROM keys WHERE key IN (SELECT value FROM json_each(?))"
        return {key for (key,) in self._db.rows(sql, (as_json(list(keys)),))}

    def left_out(self) -> set[str]:
        return {id for (id,) in self._db.rows("SELECT id FROM left_out")}

    def leave_out(self, ids: Iterable[str], back: Iterable[str]) -> None:
        self._db.many("DELETE FROM left_out WHERE id = ?", ((id,) for id in back))
        self._db.many("INSERT OR IGNORE INTO left_out VALUES (?)", ((id,) for id in ids))

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        sql = f"SELECT {schema.MEMORY_COLUMNS} FROM memories WHERE id IN (SELECT value FROM json_each(?))"
        rows = self._db.rows(sql, (as_json(list(ids)),)) if ids else []
        found = {memory.id: memory for memory in self._sound(memory_of, rows)}
        return {id: found[id] for id in ids if id in found}

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        clause, keys = (memory_clause(where), ("created", "id")) if where else (Clause(), ("number",))
        rows = self._pages("memories", (*Memory._fields, "number"), clause, keys, newest=where is not None)
        return self._sound(memory_of, rows)

    def save(self, changes: Iterable[Change]) -> None:
        made, aged = [], []
        for old, new in changes:
            if old is None:
                made += [new] if new is not None else []
            elif new is not None and only_aged(old, new):
                aged += [state_row(new)] if old != new else []
            else:
                self._replace(old, new)
        self._db.many(_AGE, aged)
        if made:
            self._insert(made)

    def _insert(self, memories: list[Memory]) -> None:
        ((last,),) = self._db.rows(_LAST)
        numbered = [(number, memory, texts_of(memory)) for number, memory in enumerate(memories, last + 1)]
        rows = (memory_row(memory, texts[-1] if texts else "", number) for number, memory, texts in numbered)
        self._db.many(ADD_MEMORY, rows)
        self._db.many(ADD_TEXTS, ((number, *texts) for number, _, texts in numbered if texts is not None))

    def _replace(self, old: Memory, new: Memory | None) -> None:
        ((number,),) = self._db.rows("SELECT number FROM memories WHERE id = ?", (old.id,))
        before, after = texts_of(old), texts_of(new)
        if before is not None and before != after:
            self._db.rows(_UNINDEX, (number, *before))
            self.index.remove([number])
        if new is None:
            self._db.rows("INSERT OR REPLACE INTO meta SELECT 'numbered', * FROM (" + _LAST + ")")
            self._db.rows("DELETE FROM memories WHERE number = ?", (number,))
            return
        if after is not None and after != before:
            # Another text is another number, so that whoever keeps something made of the old text
            # can tell.
            number = max(number, *self._db.rows(_LAST)[0]) + 1
            self._db.rows(ADD_TEXTS, (number, *after))
        self._db.rows(_SET_MEMORY, (*memory_row(new, after[-1] if after else "", number), new.id))

    def reset(self) -> None:
        self._db.rows(schema.DROP_PROJECTIONS + schema.PROJECTIONS + _REFILL)
        self._db.rows(FORGET)

    def missing(self) -> Iterator[str]:
        """Yield which acknowledged events are not there any more, and what to do."""
        acknowledged = self.acknowledged.read()  # first, as others may write between the two
        here = self.heads()
        for writer, head in sorted(acknowledged.items()):
            last = here.get(writer, Head()).seq
            if last < head.seq:
                events = f"{writer}-{last + 1}" + (f" to {writer}-{head.seq}" if head.seq > last + 1 else "")
                yield f"{head.seq - last:,} acknowledged events are missing ({events}): {_GONE}"
            elif last == head.seq and here[writer].chain != head.chain:
                yield f"the chain of writer {writer} does not end as it was acknowledged: events were replaced"

    def accept_loss(self) -> None:
        self._db.rows("DELETE FROM meta WHERE name = 'place'")  # the numbers of what is lost are not used again
        self.acknowledged.forget()

    def problems(self) -> Iterator[str]:
        yield from self.missing()
        for (text,) in self._db.rows("PRAGMA integrity_check"):
            if text != "ok":
                yield f"the file is damaged: {text}"
        for table, truth in (("causes", _LINKS), ("keys", _KEYS)):
            for row in self._db.rows(_differing(table, truth)):
                yield f"the index of {table} is wrong about {row[0]} and {row[1]}: run `treering rebuild`"
        yield from self.index.problems()
        try:
            self._db.rows("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
        except StoreError as error:
            yield f"the full-text index does not match the memories ({error.__cause__}): run `treering rebuild`"

    def close(self) -> None:
        self._db.close()

    def _pages(
        self,
        table: str,
        columns: tuple[str, ...],
        clause: Clause,
        keys: tuple[str, ...],
        newest: bool = False,
        limit: int = 0,
    ) -> Iterator[Row]:
        """Yield rows in the order of their keys, page by page: an open cursor would hold the whole
        store back."""
        direction, beyond = ("DESC", "<") if newest else ("ASC", ">")
        order = ", ".join(f"{key} {direction}" for key in keys)
        after = f"AND ({', '.join(keys)}) {beyond} ({_marks(len(keys))})"
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE {clause} {{}} ORDER BY {order} LIMIT ?"
        places = [columns.index(key) for key in keys]
        last: Row = ()
        left, most = limit, _FIRST
        while True:
            size, most = min(left or most, most), _PAGE
            page = self._db.rows(sql.format(after if last else ""), (*clause.values, *last, size))
            yield from page
            left -= min(left, size)
            if len(page) < size or (limit and not left):
                return
            last = tuple(page[-1][place] for place in places)

    def _sound(self, make: Callable[[Row], T], rows: Iterable[Row]) -> Iterator[T]:
        try:
            for row in rows:
                yield make(row)
        except (TypeError, AttributeError) as error:
            raise StoreDamaged(f"{self.path} is damaged: a row of it makes no sense ({error})") from error
