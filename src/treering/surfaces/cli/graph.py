"""Graph: show, path, export."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from treering.ledger.clock import format_time
from treering.ledger.errors import InvalidInput
from treering.surfaces.cli.app import KNOWLEDGE, Words, argument, command, flag, group, option
from treering.surfaces.cli.complete import Known
from treering.surfaces.cli.everyday import project_option
from treering.surfaces.cli.render import Answer, columns, counted, line, safe, when
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.graph.rules import Entity, Relation
    from treering.graph.view import Neighbourhood
    from treering.memory import Treering
    from treering.surfaces.cli.render import Page

FORMATS = ("json", "graphml", "svg")
_ENTITY = Known("entity")
_NAME = "a name: a file, a library, an error, a person …"

GRAPH = group(
    "graph",
    "Look at what memories name, and how they relate it.",
    section=KNOWLEDGE,
    aliases={"prune": "maintain --only prune"},
)


@command(GRAPH, "show", examples=("treering graph show redis", "treering graph show src/auth.py --json"))
@argument("entity", _NAME, type=_ENTITY)
@project_option
def show(memory: Treering, entity: str, project: str) -> Answer:
    """Show what is known of a name, and what it is related to.

    What memories name is read from their texts: files, tools, libraries, errors, people, decisions …; and how they
    relate it. Each relation says since when it holds, since when that is known, and which memories say so. The same
    name in two projects is two things.
    """
    found = memory.graph.show(entity, project=project or None)
    return Answer([_around(one) for one in found], lambda page: (text for one in found for text in _shown(one, page)))


@command(GRAPH, "path", examples=("treering graph path checkout redis",))
@argument("a", _NAME, type=_ENTITY)
@argument("b", _NAME, type=_ENTITY)
@project_option
def path(memory: Treering, a: str, b: str, project: str) -> Answer:
    """Show how two names are related, over how many steps."""
    entities, relations = memory.graph.path(a, b, project=project or None)
    value = {"entities": [_entity(one) for one in entities], "relations": [_relation(one) for one in relations]}
    return Answer(value, lambda page: _walked(entities, relations), empty="nothing leads from one to the other")


@command(
    GRAPH,
    "export",
    examples=("treering graph export --format graphml --out graph.graphml", "treering graph export redis --format svg"),
)
@argument("entity", _NAME, required=False, type=_ENTITY)
@option("--format", about="json (the default), graphml, or svg: a picture", type=Words(*FORMATS), metavar="FORMAT")
@option("--out", about="write it to this file", metavar="FILE")
@flag("--overwrite", "even if the file is there")
@project_option
def export(memory: Treering, entity: str, format: str, out: str, overwrite: bool, project: str) -> Answer:
    """Write the graph as JSON or GraphML, or a picture of a neighbourhood."""
    if out and not overwrite and os.path.lexists(out):
        raise InvalidInput(f"{out} is there already: name another file, or say --overwrite")
    with bar("read") as progress:
        text = memory.graph.export(format or "json", entity, project=project or None, progress=progress)
    if not out:
        return Answer(_parsed(text, format), lambda page: map(safe, text.splitlines()))
    from treering.documents.vault.folder import put

    put(out, text)
    return Answer({"file": out, "characters": len(text)}, lambda page: [f"wrote {line(out)}"])


def _parsed(text: str, format: str) -> Any:
    """Return what stands in the answer for programs: the graph itself, or its text."""
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
    moments = {name: format_time(getattr(one, name)) for name in ("first_seen", "last_seen")}
    return {**one._asdict(), **moments, "memories": [*one.memories]}


def _relation(one: Relation) -> dict[str, Any]:
    moments = {name: format_time(getattr(one, name)) for name in ("valid_from", "learned", "last_seen")}
    ended = format_time(one.invalid_at) if one.invalid_at is not None else None
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
    """Return a relation as a line: what, how strong, how sure, since when it holds and is known, and who says so."""
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
