"""Turn queries and filters into conditions of PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from treering.ledger.events import PURGED, REMEMBERED
from treering.ledger.types import EVERYWHERE, Context, Filter, number_in
from treering.stores.port.ledger import EventQuery
from treering.stores.sqlite.rows import Clause, as_json

_NOT_A_MEMORY = f"kind <> '{REMEMBERED}'"
_LARGEST = 2**63 - 1


def event_clause(query: EventQuery) -> Clause:
    """Return the condition for the events of a space that a query asks for."""
    clause = Clause()
    clause.add("space = %s")
    if query.ids is not None:
        clause.add(*_named(query.ids))
    if query.subjects is not None:
        named, *values = _named(query.subjects)
        about = f"({_NOT_A_MEMORY} AND subject = ANY(%s))"
        clause.add(f"({about} OR {named})", [*query.subjects], *values)
    if query.space:
        clause.among("part", query.space, "%s")
    if query.session:
        clause.add("session = %s AND session <> ''", query.session)
    if query.kinds:
        clause.add("kind = ANY(%s)", [*query.kinds])
        if REMEMBERED not in query.kinds:
            clause.add(_NOT_A_MEMORY)
    if query.source:  # narrowed here; whoever reads the rows asks `types.comes_from`
        clause.add("strpos(payload, %s) > 0", as_json(query.source.rpartition(":")[0] or query.source)[1:-1])
    if query.naming:
        clause.add("strpos(payload, %s) > 0", as_json(query.naming))
    if query.since:
        clause.add("clock > %s", query.since)
    if query.until:
        clause.add("clock <= %s", query.until)
    if query.live:
        clause.add("NOT EXISTS (SELECT 1 FROM treering.left_out o WHERE o.space = events.space "
                   "AND o.id = events.writer || '-' || events.seq)")  # fmt: skip
        clause.add(f"(payload IS NOT NULL OR kind = '{PURGED}')")
    return clause


def _named(ids: Collection[str]) -> list[Any]:
    """Return a condition for events with these ids, and its values: by constants, so that an index serves it."""
    numbers: dict[str, list[int]] = {}
    for writer, _, number in (id.rpartition("-") for id in ids):
        seq = number_in(number)
        if seq is not None and seq <= _LARGEST:
            numbers.setdefault(writer, []).append(seq)
    terms = ["(writer = %s AND seq = ANY(%s))"] * len(numbers)
    return [f"({' OR '.join(terms) or 'false'})", *(value for pair in numbers.items() for value in pair)]


def memory_clause(where: Filter) -> Clause:
    """Return the condition for the memories of a space that a filter lets through, behind one for the space."""
    clause = Clause()
    clause.among("part", where.space, "%s")
    for column in ("type", "scope", "project", "session", "trust"):
        if value := getattr(where, column):
            clause.add(f"m.{column} = %s", value)
    if where.statuses:
        clause.add("status = ANY(%s)", [*where.statuses])
    if where.since is not None:
        clause.add("m.created >= %s", where.since)
    if where.until is not None:
        clause.add("m.created <= %s", where.until)
    if where.tag:
        clause.add("strpos(' ' || tags || ' ', %s) > 0", f" {where.tag} ")
    if where.invariant:
        clause.add("invariant")
    if where.visible_to is not None:
        _wall(clause, where.visible_to)
    return clause


def _wall(clause: Clause, context: Context) -> None:
    """Add `types.visible`, as SQL; the contract suite holds the two together."""
    clause.among("part", context.space, "%s")
    if context.project == EVERYWHERE:
        return
    clause.add(
        "(m.scope = 'user' OR (m.scope = 'project' AND m.project = %s)"
        " OR (m.scope = 'session' AND m.session = %s AND m.project IN ('', %s)))",
        context.project,
        context.session,
        context.project,
    )
