"""Turn events and memories into rows of SQLite tables and back, and queries into clauses."""

from __future__ import annotations

from operator import itemgetter

from treering.ledger.events import PURGED, REMEMBERED, Event
from treering.ledger.types import EVERYWHERE, Memory, number_in, seen_from
from treering.text.words import compounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from treering.ledger.types import Context, Filter
    from treering.stores.port.ledger import EventQuery

    Row = tuple[Any, ...]

_WIDTH = len(Memory._fields)
_CAUSES = Event._fields.index("causes")
_INVARIANT = Memory._fields.index("invariant")
# Each is words, so a row has them as one text.
_LISTS = tuple(Memory._fields.index(name) for name in ("tags", "redacted", "moves", "supersedes", "merged"))

# What changes as a memory ages; the rest of it stays as it was made, unless it is forgotten.
STATE = ("status", "updated", "q", *Memory._fields[Memory._fields.index("accesses") :])
_state = itemgetter(*map(Memory._fields.index, STATE))
_made = itemgetter(*(place for place, name in enumerate(Memory._fields) if name not in STATE))

# The terms by which the partial indexes of the schema are found.
_NOT_A_MEMORY = f"kind <> '{REMEMBERED}'"
_IDS = "(writer, seq) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))"


class Clause:
    """A condition that grows term by term, with its values."""

    def __init__(self) -> None:
        self.terms: list[str] = []
        self.values: list[Any] = []

    def add(self, term: str, *values: Any) -> None:
        self.terms.append(term)
        self.values.extend(values)

    def among(self, column: str, space: str, mark: str = "?") -> None:
        """Add that a column names a space which can be seen from another."""
        seen = seen_from(space)
        self.add(f"{column} IN ({', '.join([mark] * len(seen))})" if len(seen) > 1 else f"{column} = {mark}", *seen)

    def __str__(self) -> str:
        return " AND ".join(self.terms) or "true"


def event_row(event: Event) -> Row:
    """Return the columns of an event."""
    return (*event[:_CAUSES], " ".join(event.causes), *event[_CAUSES + 1 :])


def event_of(row: Row) -> Event:
    """Return the event of a row."""
    return Event._make((*row[:_CAUSES], tuple(row[_CAUSES].split()), *row[_CAUSES + 1 :]))


def memory_row(memory: Memory, compounds: str, number: int) -> list[Any]:
    """Return the columns of a memory, and the two that only the index has."""
    row: list[Any] = [*memory, compounds, number]
    for place in _LISTS:
        row[place] = " ".join(row[place])
    return row


def state_row(memory: Memory) -> list[Any]:
    """Return the columns that change as a memory ages, and its id."""
    return [" ".join(value) if type(value) is tuple else value for value in _state(memory)] + [memory.id]


def only_aged(old: Memory, new: Memory | None) -> bool:
    """Return whether a change leaves alone all that is made of the text."""
    if new is None or (old.status == "forgotten") != (new.status == "forgotten"):
        return False
    return bool(_made(old) == _made(new))


def memory_of(row: Row) -> Memory:
    """Return the memory of a row, whatever columns follow its own."""
    fields = list(row[:_WIDTH])
    for place in _LISTS:
        fields[place] = tuple(fields[place].split()) if fields[place] else ()
    fields[_INVARIANT] = bool(fields[_INVARIANT])
    return Memory._make(fields)


def texts_of(memory: Memory | None) -> tuple[str, str, str, str] | None:
    """Return what the full-text index holds of a memory; None for one that is gone or forgotten."""
    if memory is None or memory.status == "forgotten":
        return None
    details = memory.details
    return (memory.content, details, " ".join(memory.tags), compounds(f"{memory.content} {details}"))


def pairs(ids: Iterable[str]) -> str:
    """Return event ids as a JSON list of [writer, seq]; what cannot be an id has no seq, and finds
    nothing."""
    split = (id.rpartition("-") for id in ids)
    return as_json([[writer, number_in(seq)] for writer, _, seq in split])


def as_json(value: object) -> str:
    """Return a value as JSON, as it stands in payloads."""
    import json  # here, as a process that only shows a memory never needs it

    return json.dumps(value, ensure_ascii=False)


def event_clause(query: EventQuery) -> Clause:
    """Return the condition for the events that a query asks for."""
    clause = Clause()
    if query.ids is not None:
        clause.add(_IDS, pairs(query.ids))
    if query.subjects is not None:
        others = f"{_NOT_A_MEMORY} AND subject IN (SELECT value FROM json_each(?))"
        clause.add(f"(({others}) OR {_IDS})", as_json(query.subjects), pairs(query.subjects))
    if query.space:
        # No index has it. The plus says so: where one event is asked for, SQLite would sort all of them.
        clause.among("+space", query.space)
    if query.session:
        clause.add("session = ? AND session <> ''", query.session)
    if query.kinds:
        # A plus keeps an index out: a few events by name are found at once, those of a kind may be
        # most of the ledger.
        column = "kind" if query.ids is None and query.subjects is None else "+kind"
        clause.add(f"{column} IN ({', '.join('?' * len(query.kinds))})", *query.kinds)
        if REMEMBERED not in query.kinds:
            clause.add(_NOT_A_MEMORY)
    if query.source:
        written = as_json(query.source.rpartition(":")[0] or query.source)[1:-1]  # as it stands in a payload
        clause.add("instr(payload, ?)", written)
        clause.add("comes_from(payload ->> 'origin', ?)", query.source)
    if query.naming:
        clause.add("instr(payload, ?)", as_json(query.naming))
    if query.since:
        clause.add("clock > ?", query.since)
    if query.until:
        clause.add("clock <= ?", query.until)
    if query.live:
        clause.add("writer || '-' || seq NOT IN left_out")
        clause.add(f"(payload IS NOT NULL OR kind = '{PURGED}')")
    return clause


def memory_clause(where: Filter) -> Clause:
    """Return the condition for the memories that a filter lets through."""
    clause = Clause()
    clause.among("space", where.space)
    for column in ("type", "scope", "project", "session", "trust"):
        if value := getattr(where, column):
            clause.add(f"{column} = ?", value)
    if where.statuses:
        clause.add(f"status IN ({', '.join('?' * len(where.statuses))})", *where.statuses)
    if where.since is not None:
        clause.add("created >= ?", where.since)
    if where.until is not None:
        clause.add("created <= ?", where.until)
    if where.tag:
        clause.add("instr(' ' || memories.tags || ' ', ?)", f" {where.tag} ")
    if where.invariant:
        clause.add("invariant")
    if where.visible_to is not None:
        _wall(clause, where.visible_to)
    return clause


def _wall(clause: Clause, context: Context) -> None:
    """Add `types.visible`, as SQL; the contract suite holds the two together."""
    clause.among("space", context.space)
    if context.project == EVERYWHERE:
        return
    clause.add(
        "(scope = 'user' OR (scope = 'project' AND project = ?)"
        " OR (scope = 'session' AND session = ? AND project IN ('', ?)))",
        context.project,
        context.session,
        context.project,
    )
