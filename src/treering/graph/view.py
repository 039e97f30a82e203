"""Show the knowledge graph: entities and relations combined from what memories name and tell.

Projects are kept apart here too: what one calls `api` is not what another calls so. An entity is
known by its project and its key; what belongs to the user alone has no project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from json import dumps
from typing import TYPE_CHECKING, NamedTuple

from treering.graph import rules
from treering.graph.export import graph_json, graphml, svg
from treering.graph.rules import (
    ENTITY_TYPES,
    Entity,
    Relation,
    Sighting,
    Telling,
    contradictory,
    entity_of,
    path,
    relation_of,
    stale,
    superseding,
    weak,
)
from treering.graph.same import key, merged
from treering.ledger import decide
from treering.ledger.clock import format_time
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import PRUNED, RAISED, Event
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context, Filter
from treering.stores.port.graph import DENIED, SourceMemory
from treering.stores.port.ledger import EventQuery, Reader

if TYPE_CHECKING:
    from treering.models.port import Matrix


Node = tuple[str, str]  # project and key

MOST_NEIGHBOURS = 200  # of an entity that are told: what joins more is a hub, and a list of it helps nobody
MOST_NAMES = 20_000  # names of one type and place that are compared: beyond it they stay apart
RELATION = "relation"  # a kind of contradiction
_MOMENTS = ("first_seen", "last_seen", "valid_from", "learned", "invalid_at")
_ONE_PAIR = 50  # relations between the same two things that are compared


class Neighbourhood(NamedTuple):
    """An entity, what it is related to, and how."""

    entity: Entity
    entities: tuple[Entity, ...]  # itself, and those at the other ends
    relations: tuple[Relation, ...]


class Hub(NamedTuple):
    """An entity by how many others it is related to."""

    key: str
    name: str
    scope: str  # its project; nothing for the user's own
    degree: int
    memories: tuple[str, ...]


class Pruning(NamedTuple):
    """The entities and relations that a pruning hides."""

    entities: int
    relations: int
    event: str = ""


class Graph:
    """The graph of a space, or of what can be seen from one project."""

    def __init__(self, store: Reader, space: str, project: str | None = None) -> None:
        """Take a project to see its own entities and the user's; without one, all, kept apart."""
        self._store = store
        self._graph_rows = store.index.graph
        self._project = project
        self._where = Filter(space)
        self._space = space
        self._pruned = self._last_pruning()
        self._speaks = {(project, name): into for project, _, name, into in self._graph_rows.aliases()}

    def show(self, name: str) -> list[Neighbourhood]:
        """Return what is known of a name: one answer for each project that has it."""
        found = self._entities(self._named(name))
        if not found:
            raise NotFound("entity", name, "`treering graph export` lists all entities")
        return [self._around(node, entity) for node, entity in found.items()]

    def path(self, start: str, end: str, most: int = 6) -> tuple[list[Entity], list[Relation]]:
        """Return the shortest path between two entities through relations that hold, in any direction."""
        starts, ends = self._entities(self._named(start)), self._entities(self._named(end))
        for name, known in ((start, starts), (end, ends)):
            if not known:
                raise NotFound("entity", name, "`treering graph export` lists all entities")
        best: tuple[list[Entity], list[Relation]] = ([], [])
        for project, first in starts:
            for _, last in (node for node in ends if node[0] == project):
                steps = path(first, last, lambda at, project=project: self._steps(project, at), most)  # type: ignore[misc]
                if steps is not None and (not best[0] or len(steps) < len(best[1])):
                    best = self._walked((project, first), [(step.end, step.relation) for step in steps])
        return best

    def whole(self) -> tuple[list[Entity], list[Relation]]:
        """Return all that is not pruned. A name that several projects have gets a key for each."""
        entities = self._entities(None)
        walls: dict[str, set[str]] = {}
        for project, name in entities:
            walls.setdefault(name, set()).add(project)
        own = {
            (project, name): f"{project}:{name}" if project and len(walls[name]) > 1 else name
            for project, name in entities
        }
        relations = [
            one._replace(source=own[project, one.source], target=own[project, one.target])
            for project, one in self._relations(None, dated=True)
            if (project, one.source) in own and (project, one.target) in own
        ]
        return [entity._replace(key=own[node]) for node, entity in entities.items()], relations

    def hubs(self) -> list[Hub]:
        """Return entities by the number of others that they are related to, the most first."""
        ends: dict[Node, set[str]] = {}
        for project, one in self._relations(None):
            if one.invalid_at is None:
                ends.setdefault((project, one.source), set()).add(one.target)
                ends.setdefault((project, one.target), set()).add(one.source)
        known = self._entities([name for _, name in ends])
        found = [
            Hub(node[1], known[node].name, node[0], len(others), known[node].memories)
            for node, others in ends.items()
            if node in known
        ]
        return sorted(found, key=lambda hub: (-hub.degree, hub.scope, hub.key))

    def weak(self, now: int) -> Pruning:
        """Return what a pruning at this moment would hide."""
        entities = [one for one in self._entities(None).values() if weak(one, now)]
        relations = [one for _, one in self._relations(None) if one.invalid_at is None and stale(one, now)]
        return Pruning(len(entities), len(relations))

    def contradictions(self) -> list[tuple[Relation, Relation, str]]:
        """Return relations that cannot both hold, the older first, and why."""
        pairs: dict[tuple[str, ...], list[Relation]] = {}
        for project, one in self._relations(None):
            if one.invalid_at is None:
                pairs.setdefault((project, *sorted((one.source, one.target))), []).append(one)
        found = []
        for relations in pairs.values():
            for at, one in enumerate(relations[:_ONE_PAIR]):
                for other in relations[at + 1 : _ONE_PAIR]:
                    if (why := contradictory(one, other)) and not {*one.evidence} & {*other.evidence}:
                        older, newer = sorted((one, other), key=lambda each: (each.last_seen, each.evidence[-1]))
                        found.append((older, newer, why))
        return found

    def span(self, relation: Relation) -> tuple[int, int]:
        """Return where the last memory that tells a relation tells it."""
        for statement, memory in self._graph_rows.statements(self._where, self._with_aliases([relation.source])):
            ends = (self._root(self._wall(memory), statement.source), self._root(self._wall(memory), statement.target))
            if memory.id == relation.evidence[-1] and (ends, statement.type) == (relation[0:3:2], relation.type):
                return statement.start, statement.end
        return 0, 0

    def _last_pruning(self) -> int:
        query = EventQuery(kinds=(PRUNED,), space=self._space, live=True, newest=True, limit=1)
        return next((event.time for event in self._store.events(query)), 0)

    def _named(self, name: str) -> list[str]:
        """Return the keys that a name may have, with those of other names of the same thing."""
        keys = {key(name, sort) for sort in ENTITY_TYPES} | {name}
        keys |= {into for one, into in self._pairs() if one in keys}
        return self._with_aliases(filter(None, keys))

    def _pairs(self) -> list[tuple[str, str]]:
        return [(name, into) for (_, name), into in self._speaks.items()]

    def _root(self, project: str, name: str) -> str:
        """Return the key that speaks for a key, whatever its type."""
        return self._speaks.get((project, name), name)

    def _wall(self, memory: SourceMemory) -> str:
        return "" if memory.scope == "user" else memory.project

    def _seen(self, project: str) -> bool:
        return self._project is None or project in ("", self._project)

    def _entities(self, keys: Sequence[str] | None) -> dict[Node, Entity]:
        found: dict[Node, list[Sighting]] = {}
        for seen, memory in self._graph_rows.mentions(self._where, keys):
            project = self._wall(memory)
            if self._seen(project):
                node = (project, self._root(project, seen.key))
                sure = seen.confidence * memory.sure
                one = Sighting(node[1], seen.name, seen.type, sure, memory.id, memory.created, memory.scope, project)
                found.setdefault(node, []).append(one)
        entities = {node: entity_of(sightings) for node, sightings in found.items()}
        return {node: one for node, one in entities.items() if not (self._pruned and weak(one, self._pruned))}

    def _relations(self, keys: Sequence[str] | None, dated: bool = False) -> list[tuple[str, Relation]]:
        """Return the relations of all projects, each with its project.

        When each was learned is looked up only for a few or on request; else it is when it
        happened.
        """
        found: dict[tuple[str, str, str, str, bool], list[Telling]] = {}
        rows = self._graph_rows.statements(self._where, keys)
        learned: dict[str, int] = {}
        if keys is not None or dated:
            rows = iter(few := list(rows))
            learned = self._learned([memory for _, memory in few])
        for statement, memory in rows:
            project = self._wall(memory)
            if self._seen(project):
                source, target = self._root(project, statement.source), self._root(project, statement.target)
                if source != target:
                    telling = Telling(
                        *(
                            source,
                            statement.type,
                            target,
                            statement.confidence * memory.sure,
                            memory.id,
                            memory.created,
                        ),
                        *(learned.get(memory.id, memory.created), memory.gone, statement.how),
                    )
                    found.setdefault((project, source, statement.type, target, statement.how == DENIED), []).append(
                        telling
                    )
        projects: dict[str, list[Relation]] = {}
        for (project, *_), tellings in found.items():
            projects.setdefault(project, []).append(relation_of(tellings))
        return [
            (project, one)
            for project, relations in projects.items()
            for one in superseding(relations)
            if not (self._pruned and stale(one, self._pruned))
        ]

    def _learned(self, memories: Iterable[SourceMemory]) -> dict[str, int]:
        """Return when each memory was written down, which may be long after what it tells of."""
        ids = tuple({memory.id for memory in memories})
        return {event.id: event.time for event in self._store.events(EventQuery(ids=ids))}

    def _around(self, node: Node, entity: Entity) -> Neighbourhood:
        project, name = node
        keys = {name, *(one for one, into in self._pairs() if into == name)}
        relations = [one for wall, one in self._relations(sorted(keys)) if wall == project]
        relations.sort(key=lambda one: (one.invalid_at is not None, -one.weight, -one.confidence, one.type, one.target))
        relations = relations[:MOST_NEIGHBOURS]
        ends = {end for one in relations for end in (one.source, one.target)}
        around = self._entities(self._with_aliases(ends))
        others = [around[project, end] for end in sorted(ends - {name}) if (project, end) in around]
        known = {name, *(one.key for one in others)}
        return Neighbourhood(
            entity, (entity, *others), tuple(one for one in relations if {one.source, one.target} <= known)
        )

    def _with_aliases(self, keys: Iterable[str]) -> list[str]:
        wanted = set(keys)
        return sorted(wanted | {one for one, into in self._pairs() if into in wanted})

    def _steps(self, project: str, at: str) -> list[tuple[str, Relation]]:
        found = []
        for wall, one in self._relations(self._with_aliases([at])):
            if wall == project and one.invalid_at is None and not one.denied and at in (one.source, one.target):
                found.append((one.target if one.source == at else one.source, one))
        return sorted(found, key=lambda step: (-step[1].weight, step[0]))

    def _walked(self, start: Node, steps: Sequence[tuple[str, Relation]]) -> tuple[list[Entity], list[Relation]]:
        keys = [start[1], *(at for at, _ in steps)]
        known = self._entities(self._with_aliases(keys))
        return [known[start[0], at] for at in keys if (start[0], at) in known], [one for _, one in steps]


def prune(ledger: Ledger, context: Context, now: int, dry_run: bool = False) -> Pruning:
    """Hide what is weak and stale, until it is seen again."""
    found = Graph(ledger.store, context.space).weak(now)
    if dry_run or not (found.entities or found.relations):
        return found
    (event,) = ledger.commit(lambda: [rules.draft_pruning(found.entities, found.relations, context)])
    return found._replace(event=event.id)


def raise_contradictions(ledger: Ledger, context: Context) -> list[Event]:
    """Put relations that cannot both hold into the queue of contradictions; a pair is raised once."""
    graph = Graph(ledger.store, context.space)
    known = {frozenset(event.causes) for event in ledger.store.events(EventQuery(kinds=(RAISED,)))}
    raised: list[Event] = []
    for one, other, _ in graph.contradictions():
        older, newer = one.evidence[-1], other.evidence[-1]
        there = ledger.store.several((older, newer))
        if frozenset((older, newer)) in known or len(there) < 2:
            continue
        if {memory.scope for memory in there.values()} == {"session"} and there[older].session != there[newer].session:
            continue  # two sessions, each of which speaks for itself
        known.add(frozenset((older, newer)))
        spans = (*graph.span(one), *graph.span(other))
        draft = decide.raise_contradiction(there[older], there[newer], RELATION, spans, context)
        raised += ledger.commit(lambda draft=draft: [draft])  # type: ignore[misc]
    return raised


def join_names(store: Reader, space: str, vectors: Callable[[Sequence[str]], Matrix | None]) -> int:
    """Find names that are the same thing's, within each project and type. How many there are."""
    graph_rows = store.index.graph
    places: dict[tuple[str, str], dict[str, str]] = {}
    for seen, memory in graph_rows.mentions(Filter(space)):
        project = "" if memory.scope == "user" else memory.project
        places.setdefault((project, seen.type), {}).setdefault(seen.key, seen.name)
    known = []
    for (project, sort), names in sorted(places.items()):
        if 1 < len(names) <= MOST_NAMES and (rows := vectors(list(names.values()))) is not None:
            joined = merged([(name, sort, row) for name, row in zip(names, rows, strict=True)])
            known += [(project, sort, one, into) for one, into in sorted(joined.items()) if one != into]
    if sorted(known) != sorted(graph_rows.aliases()):
        store.index.write(lambda: graph_rows.set_aliases(known))
    return len(known)


def export(graph: Graph, format: str, name: str) -> str:
    """Return the graph in a format, whole or around one entity. A picture needs a centre."""
    if format == "svg":
        around = _around(graph, name)
        return svg(around.entity.key, around.entities, around.relations)
    entities, relations = _shown(graph, name) if name else graph.whole()
    if format == "graphml":
        return graphml(entities, relations)
    data = graph_json(entities, relations)
    for one in (*data["entities"], *data["relations"]):
        one.update((moment, format_time(one[moment])) for moment in _MOMENTS if one.get(moment) is not None)
    return dumps(data, ensure_ascii=False, indent=2) + "\n"


def _shown(graph: Graph, name: str) -> tuple[list[Entity], list[Relation]]:
    found = graph.show(name)
    return [one for around in found for one in around.entities], [one for around in found for one in around.relations]


def _around(graph: Graph, name: str) -> Neighbourhood:
    if not name:
        hub = next(iter(graph.hubs()), None)
        if hub is None:
            raise InvalidInput("there is no relation in the graph yet, so there is nothing to draw: name an entity")
        name = hub.key
    return max(graph.show(name), key=lambda one: len(one.relations))
