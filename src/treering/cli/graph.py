"""Commands that look at the knowledge graph."""

from __future__ import annotations

import os

from treering.cli.render import Answer, Progress, columns, counted, line, safe, when
from treering.core.errors import InvalidInput
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.consolidation.graphing import Neighbourhood
    from treering.core.graphs import Entity, Relation


def show(memory: Treering, call: Call) -> Answer:
    found = memory.graph_show(call["entity"], project=call["project"] or None)
    return Answer([_around(one) for one in found], lambda page: (text for one in found for text in _shown(one, page)))


def path(memory: Treering, call: Call) -> Answer:
    entities, relations = memory.graph_path(call["a"], call["b"], project=call["project"] or None)
    value = {"entities": [_entity(one) for one in entities], "relations": [_relation(one) for one in relations]}
    return Answer(value, lambda page: _walked(entities, relations), empty="nothing leads from one to the other")


def prune(memory: Treering, call: Call) -> Answer:
    done = memory.graph_prune(dry_run=call["dry_run"])
    would = "would hide" if call["dry_run"] else "hid"
    told = f"{would} {counted(done.entities, 'entity', 'entities')} and {counted(done.relations, 'relation')}"
    undo = f"; `treering undo {done.event}` takes it back" if done.event else ""
    return Answer({**done._asdict(), "dry_run": call["dry_run"]}, lambda page: [told + undo])


def export(memory: Treering, call: Call) -> Answer:
    if call["out"] and not call["overwrite"] and os.path.lexists(call["out"]):
        raise InvalidInput(f"{call['out']} is there already: name another file, or say --overwrite")
    with Progress("read") as progress:
        text = memory.graph_export(
            call["format"] or "json", call["entity"], project=call["project"] or None, progress=progress
        )
    if not call["out"]:
        return Answer(_parsed(text, call["format"]), lambda page: map(safe, text.splitlines()))
    from treering.vault.folder import put

    put(call["out"], text)
    return Answer({"file": call["out"], "characters": len(text)}, lambda page: [f"wrote {line(call['out'])}"])


def _parsed(text: str, format: str) -> Any:
    """What stands in the answer for programs: the graph itself, or its text."""
    if format not in ("", "json"):
        return {"format": format, "text": text}
    import json

    return json.loads(text)


def _around(one: Neighbourhood) -> dict[str, Any]:
    return {
        **_entity(one.entity),
        "relations": [_relation(relation) for relation in one.relations],
        "related": [_entity(other) for other in one.entities[1:]],
    }


def _entity(one: Entity) -> dict[str, Any]:
    moments = {name: shown(getattr(one, name)) for name in ("first_seen", "last_seen")}
    return {**one._asdict(), **moments, "memories": [*one.memories]}


def _relation(one: Relation) -> dict[str, Any]:
    moments = {name: shown(getattr(one, name)) for name in ("valid_from", "learned", "last_seen")}
    ended = shown(one.invalid_at) if one.invalid_at is not None else None
    return {**one._asdict(), **moments, "invalid_at": ended, "evidence": [*one.evidence]}


def _shown(one: Neighbourhood, page: Page) -> Iterator[str]:
    entity = one.entity
    where = f", project {line(entity.project)}" if entity.project else ""
    yield page.bold(line(entity.name)) + f"  {entity.type}{where}"
    yield (
        f"  named by {counted(entity.mentions, 'memory', 'memories')}, confidence {entity.confidence:.2f}, "
        f"first {when(entity.first_seen)}, last {when(entity.last_seen)}"
    )
    names = {other.key: other.name for other in one.entities}
    rows = [_row(relation, names) for relation in one.relations]
    yield from (f"  {text}" for text in columns(rows, page.inset())) if rows else ("  no relations",)


def _row(one: Relation, names: dict[str, str]) -> tuple[str, ...]:
    """A relation as a line: what, how strong, how sure, since when it holds and is known, and who says so."""
    said = "not " if one.denied else ""
    told = f"{line(names.get(one.source, one.source))} —{said}{one.type}→ {line(names.get(one.target, one.target))}"
    until = f" until {when(one.invalid_at)}" if one.invalid_at is not None else ""
    return (
        told,
        f"weight {one.weight:.2f}",
        f"confidence {one.confidence:.2f}",
        f"since {when(one.valid_from)}{until}, known {when(one.learned)}",
        ", ".join(one.evidence),
    )


def _walked(entities: Sequence[Entity], relations: Sequence[Relation]) -> Iterator[str]:
    for at, relation in enumerate(relations):
        here, there = entities[at], entities[at + 1]
        forth = relation.source == here.key
        arrow = f"—{relation.type}→" if forth else f"←{relation.type}—"
        yield f"{line(here.name)} {arrow} {line(there.name)}  ({', '.join(relation.evidence)})"
    if entities and not relations:
        yield f"{line(entities[0].name)} is the same"
