"""The knowledge graph of `@modelcontextprotocol/server-memory`, kept as memories of ours.

An entity, an observation and a relation are each one memory: found by recall like any other, and forgotten, not lost,
when somebody deletes it. Their names stand in its tags, exactly as they were given; what is told of them is its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treering.documents.foreign.mirror import Mirror
from treering.documents.foreign.things import (
    ENTITY,
    OBSERVATION,
    ORIGIN,
    RELATION,
    TAG,
    ends,
    entity_of,
    entity_row,
    name_of,
    named,
    observation_name,
    observation_row,
    observations_of,
    relation_name,
    relation_of,
    relation_row,
    strings,
)
from treering.ledger.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from treering.documents.foreign.mirror import Held, Name
    from treering.memory import Treering

    Row = dict[str, Any]
    Graph = dict[str, list[Row]]

LONGEST_QUERY = 2_048  # characters, as there
_FOUND = 5  # memories that recall may answer a search with, when the words that were searched stand nowhere


class NoEntity(NotFound):
    """What somebody wants to add to is not there. The words are those of that server: agents know them."""

    def __init__(self, name: str) -> None:
        Exception.__init__(self, f"Entity with name {name} not found")


class Knowledge:
    """The nine tools, over an open memory. Rows have the keys that they have there."""

    def __init__(self, memory: Treering, project: str | None = None) -> None:
        self._memory = memory
        self._mirror = Mirror(memory, TAG, name_of, project)

    def create_entities(self, entities: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Return those of the entities that are new, with their observations."""
        given = {row["name"]: row for row in reversed([entity_of(row) for row in entities])}  # of two, the first

        def work(held: Held) -> list[Row]:
            new = [row for name, row in reversed(given.items()) if (ENTITY, name) not in held]
            return [self._created(row) for row in new]

        return self._mirror.write(work)

    def create_relations(self, relations: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Return those of the relations that are new. Both of its ends must be there."""
        given = {relation_name(row): row for row in map(relation_of, relations)}

        def work(held: Held) -> list[Row]:
            for row in given.values():
                _check(held, row["from"])
                _check(held, row["to"])
            new = {name: row for name, row in given.items() if name not in held}
            for row in new.values():
                self._remember(relation_row(row))
            return [*new.values()]

        return self._mirror.write(work)

    def add_observations(self, observations: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Return what of the observations is new, for each entity that is named."""
        given = [observations_of(row, "contents") for row in observations]

        def work(held: Held) -> list[Row]:
            told: list[Row] = []
            added: set[Name] = set()
            for name, texts in given:
                _check(held, name)
                new = [text for text in texts if (one := observation_name(name, text)) not in held and one not in added]
                added.update(observation_name(name, text) for text in new)
                for text in new:
                    self._remember(observation_row(name, text))
                told.append({"entityName": name, "addedObservations": new})
            return told

        return self._mirror.write(work)

    def delete_entities(self, names: Sequence[str]) -> Row:
        """Delete entities with their observations and relations."""
        gone = {*strings("entityNames", names)}

        def work(held: Held) -> Row:
            known = [name for name in gone if (ENTITY, name) in held]
            self._forget(held, lambda name: bool(gone.intersection(ends(name))), "the entity was deleted")
            missing = [name for name in names if name not in known]
            told = f"Deleted {len(known)} of {len(names)} entities. Not found: {', '.join(missing)}"
            return _done(told if missing else "Entities deleted successfully")

        return self._mirror.write(work)

    def delete_observations(self, deletions: Sequence[Mapping[str, Any]]) -> Row:
        given = [observations_of(row, "observations") for row in deletions]
        gone = {observation_name(name, text) for name, texts in given for text in texts}

        def work(held: Held) -> Row:
            count = self._forget(held, gone.__contains__, "the observation was deleted")
            missing = [name for name, _ in given if (ENTITY, name) not in held]
            told = f"Deleted {count} of {len(gone)} observations."
            told += f" Entities not found: {', '.join(missing)}" if missing else ""
            return _done("Observations deleted successfully" if count == len(gone) else told)

        return self._mirror.write(work)

    def delete_relations(self, relations: Sequence[Mapping[str, Any]]) -> Row:
        gone = {relation_name(relation_of(row)) for row in relations}

        def work(held: Held) -> Row:
            count = self._forget(held, gone.__contains__, "the relation was deleted")
            told = f"Deleted {count} of {len(relations)} relations. The rest matched nothing."
            return _done("Relations deleted successfully" if count == len(relations) else told)

        return self._mirror.write(work)

    def read_graph(self) -> Graph:
        return self._mirror.read(_graph)

    def search_nodes(self, query: str) -> Graph:
        """Return entities in whose name, type or observations the query stands; if it stands
        nowhere, those that recall finds.

        With the relations of these, wherever they lead.
        """
        if not isinstance(query, str) or len(query) > LONGEST_QUERY:
            raise InvalidInput(f"a query is a text of at most {LONGEST_QUERY:,} characters")
        looked_for = query.lower()
        found = self._mirror.read(lambda held: _graph(held, lambda entity: _holds(entity, looked_for)))
        if found["entities"] or not any(map(str.isalnum, query)):
            return found
        return self.open_nodes([*self._recalled(query)])

    def open_nodes(self, names: Sequence[str]) -> Graph:
        wanted = {*strings("names", names)}
        return self._mirror.read(lambda held: _graph(held, lambda entity: entity["name"] in wanted))

    def lacks(self, names: Iterable[Name]) -> set[Name]:
        """Return which of these entities, observations and relations are not there."""
        return self._mirror.read(lambda held: {name for name in names if name not in held})

    def _recalled(self, query: str) -> Iterator[str]:
        for hit in self._memory.recall(query, _FOUND, tag=TAG).hits:
            if (name := name_of(hit.memory)) is not None:
                yield from ends(name)

    def _created(self, entity: Row) -> Row:
        self._remember(entity_row(entity["name"], entity["entityType"]))
        for text in entity["observations"]:
            self._remember(observation_row(entity["name"], text))
        return entity

    def _remember(self, row: Row) -> None:
        self._memory.remember(**row, origin=ORIGIN, anyway=True)

    def _forget(self, held: Held, wanted: Callable[[Name], bool], reason: str) -> int:
        """Forget what has such a name, and return how many names there were."""
        found = [memories for name, memories in held.items() if wanted(name)]
        for memories in found:
            for memory in memories:
                self._memory.forget(memory.id, reason=reason)
        return len(found)


def _check(held: Held, name: str) -> None:
    if (ENTITY, name) not in held:
        raise NoEntity(name)


def _graph(held: Held, wanted: Callable[[Row], bool] | None = None) -> Graph:
    """Return all there is; or the entities that are wanted, and every relation that one of them has."""
    entities: dict[str, Row] = {}
    for name, memories in held.items():
        if name[0] == ENTITY:
            type = named(memories[-1], "type") or ""
            entities[name[1]] = {"name": name[1], "entityType": type, "observations": []}
    for name in held:
        if name[0] == OBSERVATION and name[1] in entities:
            entities[name[1]]["observations"].append(name[2])
    found = {name: entity for name, entity in entities.items() if wanted is None or wanted(entity)}
    relations = [
        {"from": name[1], "to": name[3], "relationType": name[2]}
        for name in held
        if name[0] == RELATION and (wanted is None or name[1] in found or name[3] in found)
    ]
    return {"entities": [*found.values()], "relations": relations}


def _holds(entity: Row, lower: str) -> bool:
    texts = (entity["name"], entity["entityType"], *entity["observations"])
    return any(lower in text.lower() for text in texts)


def _done(message: str) -> Row:
    return {"success": True, "message": message}
