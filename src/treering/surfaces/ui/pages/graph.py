"""Graph: what surrounds one name, two steps far; never all of it."""

from __future__ import annotations

from typing import Any

from treering.graph.rules import ENTITY_TYPES, Entity, Relation
from treering.graph.view import Neighbourhood
from treering.ledger.clock import format_time
from treering.ledger.errors import NotFound
from treering.ledger.types import one_of
from treering.memory import Treering
from treering.surfaces.ui.desk import Asked

NEAR, FAR = 10, 3  # names one step away, and of each of these two steps away: more is a hairball
STARTS = 30  # names that are offered to begin with, those with the most relations


def read(asked: Asked) -> dict[str, Any]:
    name = asked.get("entity")
    starts = asked.desk.figures("hubs", _starts, asked)
    if starts is None:  # what is new is being read: a page does not wait for that
        return {"entity": name, "around": None, "starts": None, "types": [*ENTITY_TYPES]}
    if not name and starts:
        name = starts[0]["name"]
    found = None
    if name:
        key = "\n".join((name, *(asked.get(one) for one in ("project", "type", "until"))))
        found = asked.desk.figures("around", lambda memory: _around(memory, asked, name), asked, key)
    return {"entity": name, "around": found, "starts": starts, "types": [*ENTITY_TYPES]}


def _starts(memory: Treering) -> list[dict[str, Any]]:
    return [one._asdict() for one in memory.graph.hubs(STARTS)]


def _around(memory: Treering, asked: Asked, name: str) -> dict[str, Any]:
    project = asked.get("project")
    shown = memory.graph.show(name, project=project or None)
    first = max(shown, key=lambda one: len(one.relations))
    kind = one_of("type", asked.get("type"), ENTITY_TYPES) if asked.get("type") else ""
    until = asked.get("until")
    entities = {first.entity.key: first.entity}
    relations: dict[tuple[str, str, str], Relation] = {}
    near = _take(first, first.entity.key, NEAR, kind, until, entities, relations)
    for other in near:
        try:
            around = memory.graph.show(entities[other].name, project=first.entity.project or None)
        except NotFound:
            continue
        beside = next((one for one in around if one.entity.key == other), None)
        if beside is not None:
            _take(beside, other, FAR, kind, until, entities, relations)
    return {
        "centre": first.entity.key,
        "near": near,
        "entities": [_entity(one) for one in entities.values()],
        "relations": [_relation(one) for one in relations.values()],
        "elsewhere": sorted({one.entity.project for one in shown} - {first.entity.project}),
    }


def _take(
    one: Neighbourhood,
    key: str,
    most: int,
    kind: str,
    until: str,
    entities: dict[str, Entity],
    relations: dict[tuple[str, str, str], Relation],
) -> list[str]:
    """Take the strongest relations of a name, and what is at their other ends. Return the names that are new."""
    known = {entity.key: entity for entity in one.entities}
    new: list[str] = []
    for relation in one.relations:
        other = relation.target if relation.source == key else relation.source
        wanted = other in known and (not kind or known[other].type == kind)
        if not wanted or (until and format_time(relation.valid_from)[: len(until)] > until):
            continue
        if other not in entities:
            if len(new) == most:
                continue
            entities[other] = known[other]
            new.append(other)
        relations[relation.source, relation.type, relation.target] = relation
    return new


def _entity(one: Entity) -> dict[str, Any]:
    return {**one._asdict(), "first_seen": format_time(one.first_seen), "last_seen": format_time(one.last_seen)}


def _relation(one: Relation) -> dict[str, Any]:
    ended = format_time(one.invalid_at) if one.invalid_at is not None else None
    moments = {name: format_time(getattr(one, name)) for name in ("valid_from", "learned", "last_seen")}
    return {**one._asdict(), **moments, "invalid_at": ended}
