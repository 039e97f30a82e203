"""The things of a knowledge graph, entities, observations and relations, as memories and back."""

from __future__ import annotations

from treering.core.errors import InvalidInput
from treering.foreign.names import named, tag
from treering.guard import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from treering.core.types import Memory

    Row = dict[str, Any]
    Name = tuple[str, ...]  # what it is, and whose

TAG = "server-memory"
ORIGIN = f"agent:{TAG}"  # unless it was imported
ENTITY, OBSERVATION, RELATION = "entity", "observation", "relation"


def entity_row(name: str, type: str) -> Row:
    """The memory that an entity is, as an argument of `remember`."""
    content = f"{_plain(name)} ({type})" if type.strip() else _plain(name)
    return {"content": content or tag(ENTITY, name), "tags": (TAG, tag(ENTITY, name), tag("type", type))}


def observation_row(name: str, text: str) -> Row:
    """The memory that an observation is. What does not begin with the entity's name gets it: it is met alone."""
    return {"content": _told(_plain(name), text), "tags": (TAG, tag("about", name))}


def relation_row(row: Mapping[str, str]) -> Row:
    content = f"{_plain(row['from'])} {row['relationType']} {_plain(row['to'])}"
    tags = (tag("from", row["from"]), tag(RELATION, row["relationType"]), tag("to", row["to"]))
    return {"content": content, "tags": (TAG, *tags)}


def name_of(memory: Memory) -> Name | None:
    """What a memory is in the graph: an entity, an observation or a relation, and whose."""
    if (entity := named(memory, ENTITY)) is not None:
        return (ENTITY, entity)
    if (about := named(memory, "about")) is not None:
        return (OBSERVATION, about, _untold(_plain(about), memory.content))
    ends = [named(memory, label) for label in ("from", RELATION, "to")]
    return (RELATION, *(end or "" for end in ends)) if None not in ends else None


def relation_name(row: Mapping[str, str]) -> Name:
    return (RELATION, row["from"], row["relationType"], row["to"])


def observation_name(name: str, text: str) -> Name:
    return (OBSERVATION, name, text)


def entity_of(row: Mapping[str, Any]) -> Row:
    """An entity as it is kept: its observations without hidden signs and secrets, none of them twice."""
    name = _text(row, "name")
    return {"name": name, "entityType": _text(row, "entityType"), "observations": _kept(name, row, "observations")}


def relation_of(row: Mapping[str, Any]) -> Row:
    return {key: _text(row, key) for key in ("from", "to", "relationType")}


def observations_of(row: Mapping[str, Any], key: str) -> tuple[str, list[str]]:
    """The entity that a row names, and the observations that it has under a key."""
    name = _text(row, "entityName")
    return name, _kept(name, row, key)


def _kept(name: str, row: Mapping[str, Any], key: str) -> list[str]:
    plain = _plain(name)
    texts = (_untold(plain, clean(_told(plain, text)).text) for text in strings(key, row.get(key)) if text.strip())
    return [*dict.fromkeys(texts)]


def _plain(name: str) -> str:
    return clean(name).text


def _told(plain: str, text: str) -> str:
    return text if text.startswith(plain) and not text.startswith(f"{plain}: ") else f"{plain}: {text}"


def _untold(plain: str, content: str) -> str:
    return content.removeprefix(f"{plain}: ")


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key) if hasattr(row, "get") else None
    if not isinstance(value, str) or (not value and key != "entityType"):
        raise InvalidInput(f"{key} must be a text, not {value!r}")
    return value


def strings(key: str, value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise InvalidInput(f"{key} must be a list of texts, not {value!r}")
    return [*value]


def ends(name: Name) -> Sequence[str]:
    """The entities that a thing of the graph hangs on."""
    return (name[1], name[3]) if name[0] == RELATION else (name[1],)
