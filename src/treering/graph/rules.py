"""Define the knowledge graph: what texts name, how they relate it, how that ends, and paths in it.

What one text names or tells is kept as it is; entities and relations are combined when read. So the
graph is a projection: forget a memory, and nothing that only it said is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from treering.ledger.ageing import DAY
from treering.ledger.codec import draft
from treering.ledger.events import GRAPHED, PRUNED, Data, Draft
from treering.ledger.types import Context
from treering.stores.port.graph import DENIED, ENDED, TOLD

ENTITY_TYPES = (
    "concept",
    "tool",
    "file",
    "pattern",
    "error",
    "library",
    "convention",
    "person",
    "project",
    "decision",
)
RELATION_TYPES = (
    "uses",
    "depends_on",
    "is_a",
    "part_of",
    "causes",
    "fixes",
    "contradicts",
    "replaces",
    "related_to",
    "tested_by",
    "configured_by",
    "imports",
)


# The figures of the design. A second text makes a thing surer, a tenth hardly.
_WEIGHT, _WEIGHT_STEP, _SURER = 0.5, 0.1, 0.05
_WEAK, _STALE = 0.3, 0.2  # confidences below which an entity, an edge is forgotten when nobody has named it for long
_LONG = 30 * DAY  # microseconds
_SCOPES = ("user", "project", "session")  # widest first
# What somebody does with a thing until another has replaced it.
_REPLACEABLE = frozenset(("uses", "depends_on", "imports", "tested_by", "configured_by"))
# Relations that cannot hold both ways round: what A replaced did not replace A.
_ONE_WAY = {"replaces": "replaced", "is_a": "is a kind of", "part_of": "is a part of"}
# Pairs of types that cannot both hold between the same two things.
_APART = {
    ("causes", "contradicts"): "one says that {0} causes {1}, the other that they exclude each other",
    ("uses", "replaces"): "one says that {0} uses {1}, the other that {0} replaced it",
}
_SAID = {
    "uses": "uses",
    "depends_on": "depends on",
    "is_a": "is a",
    "part_of": "is part of",
    "causes": "causes",
    "fixes": "fixes",
    "contradicts": "contradicts",
    "replaces": "replaces",
    "related_to": "is related to",
    "tested_by": "is tested by",
    "configured_by": "is configured by",
    "imports": "imports",
}


class Sighting(NamedTuple):
    """An entity that a memory names."""

    key: str
    name: str
    type: str
    confidence: float
    memory: str
    at: int  # when the memory happened, in microseconds
    scope: str = "user"
    project: str = ""


class Telling(NamedTuple):
    """A relation that a memory tells."""

    source: str
    type: str
    target: str
    confidence: float
    memory: str
    at: int  # when the memory happened, in microseconds
    learned: int  # when it was written down
    gone: int | None = None  # when the memory was superseded or forgotten
    how: str = TOLD


class Entity(NamedTuple):
    """Something that memories name."""

    key: str
    name: str
    type: str
    mentions: int  # memories
    confidence: float
    first_seen: int
    last_seen: int
    scope: str  # the widest in which it is named
    project: str  # of the widest scope; nothing if there are several
    memories: tuple[str, ...]


class Relation(NamedTuple):
    """A relation of two entities that memories tell: when it was true, and when we learned that."""

    source: str
    type: str
    target: str
    weight: float
    confidence: float
    evidence: tuple[str, ...]  # memories
    valid_from: int
    learned: int
    invalid_at: int | None = None  # since when it no longer holds
    last_seen: int = 0
    denied: bool = False  # what the memories tell is that it does not hold


def entity_of(sightings: Iterable[Sighting]) -> Entity:
    """Combine all that names an entity, in any order. It gets its most frequent name."""
    found = sorted(sightings, key=lambda one: (one.at, one.memory, one.name))
    memories = tuple(dict.fromkeys(one.memory for one in found))
    scope = min((one.scope for one in found), key=_SCOPES.index)
    projects = {one.project for one in found if one.scope == scope}
    return Entity(
        found[0].key,
        _most(one.name for one in found),
        _most_sure(found),
        len(memories),
        _surer(max(one.confidence for one in found), len(memories)),
        found[0].at,
        found[-1].at,
        scope,
        projects.pop() if len(projects) == 1 else "",
        memories,
    )


def relation_of(tellings: Iterable[Telling]) -> Relation:
    """Combine all that tell a relation, in any order; those that deny it make one by themselves.

    It ends with its last evidence, or when a text says that it ended and none says later that it
    holds.
    """
    found = sorted(tellings, key=lambda one: (one.at, one.memory, one.how))
    holding = [one for one in found if one.how != ENDED] or found
    living = [one for one in holding if one.gone is None] or holding
    memories = tuple(dict.fromkeys(one.memory for one in living))
    first = min(one.at for one in living)
    return Relation(
        found[0].source,
        found[0].type,
        found[0].target,
        min(1.0, round(_WEIGHT + _WEIGHT_STEP * (len(memories) - 1), 6)),
        _surer(max(one.confidence for one in living), len(memories)),
        memories,
        first,
        min(one.learned for one in living),
        _end(found, living),
        max(one.at for one in living),
        all(one.how == DENIED for one in found),
    )


def _end(found: Sequence[Telling], living: Sequence[Telling]) -> int | None:
    ended = [one.at for one in found if one.how == ENDED and one.gone is None]
    last = max(one.at for one in living)
    if ended and max(ended) >= last:
        return min(at for at in ended if at >= last)
    gone = [one.gone for one in living if one.gone is not None]
    return max(gone) if len(gone) == len(living) else None


def superseding(relations: Iterable[Relation]) -> list[Relation]:
    """Return the same relations, ended where a newer one took their place.

    Only what is sure: B replaced C, and A, which used C, uses B since then or later.
    """
    found = list(relations)
    valid = [one for one in found if one.invalid_at is None and not one.denied]
    successors: dict[str, list[Relation]] = {}
    for one in valid:
        if one.type == "replaces":
            successors.setdefault(one.target, []).append(one)
    latest = {(one.source, one.type, one.target): one.last_seen for one in valid}
    ends: dict[Relation, int] = {}
    for one in valid if successors else []:
        for newer in successors.get(one.target, ()) if one.type in _REPLACEABLE else ():
            since = latest.get((one.source, one.type, newer.source), -1)
            if since >= newer.valid_from >= one.last_seen:
                ends[one] = min(newer.valid_from, ends.get(one, newer.valid_from))
    return [one._replace(invalid_at=ends[one]) if one in ends else one for one in found]


def weak(entity: Entity, at: int) -> bool:
    """Tell whether a pruning at a moment hides an entity; being named later shows it again."""
    return entity.confidence < _WEAK and entity.mentions < 2 and at - entity.last_seen > _LONG


def stale(relation: Relation, at: int) -> bool:
    """Tell whether a pruning at a moment hides a relation; being told later shows it again."""
    return relation.confidence < _STALE and at - relation.last_seen > _LONG


def pruned(entities: Iterable[Entity], relations: Iterable[Relation], at: int) -> tuple[list[Entity], list[Relation]]:
    """Return what is left by a pruning at a moment: an edge is deleted with either of its ends."""
    named = list(entities)
    gone = {one.key for one in named if weak(one, at)}
    left = [one for one in relations if not stale(one, at) and gone.isdisjoint((one.source, one.target))]
    return [one for one in named if one.key not in gone], left


def contradictory(one: Relation, other: Relation) -> str:
    """Return a sentence on why two relations cannot both hold, in any order; empty if they can."""
    if one.invalid_at is not None or other.invalid_at is not None or (one.denied and other.denied):
        return ""
    if one.denied or other.denied:
        return _denial(one, other)
    source, target = one.source, one.target
    if (source, target) == (other.target, other.source) and source != target:
        said = _ONE_WAY.get(one.type) if one.type == other.type else None
        first, second = sorted((source, target))
        return f"one says that {first} {said} {second}, the other that {second} {said} {first}" if said else ""
    if (source, target) != (other.source, other.target):
        return ""
    why = _APART.get((one.type, other.type)) or _APART.get((other.type, one.type), "")
    return why.format(source, target)


def _denial(one: Relation, other: Relation) -> str:
    if one[:3] != other[:3]:
        return ""
    return f"one says that {one.source} {said(one.type)} {one.target}, the other that this is not so"


def said(type: str) -> str:
    """Return a type of relations as a verb."""
    return _SAID.get(type, type.replace("_", " "))


def _surer(confidence: float, memories: int) -> float:
    return min(1.0, round(confidence + _SURER * (memories - 1), 6))


def _most(names: Iterable[str]) -> str:
    """Return the most frequent name, the first of these in the alphabet."""
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name))


def _most_sure(found: Sequence[Sighting]) -> str:
    """Return the type with the most evidence."""
    votes: dict[str, float] = {}
    for one in found:
        votes[one.type] = votes.get(one.type, 0.0) + one.confidence
    return min(votes, key=lambda word: (-round(votes[word], 6), ENTITY_TYPES.index(word)))


def draft_reading(
    memory: str, entities: Sequence[Data], relations: Sequence[Data], model: str, context: Context
) -> Draft:
    """Record what a model has read in a memory."""
    data = {"entities": [*entities], "relations": [*relations], "model": model}
    return draft(GRAPHED, data, context, memory, (memory,))


def draft_pruning(entities: int, relations: int, context: Context) -> Draft:
    """Record a pruning. What it hides follows from the moment: no name is written down."""
    return draft(PRUNED, {"entities": entities, "relations": relations}, context)


MOST_STEPS = 6  # beyond that everything is connected with everything
_MOST_VISITED = 20_000  # entities: a hub has a neighbourhood that nobody waits for


class Step(NamedTuple):
    """From one entity to the next, by a relation that holds in one direction or the other."""

    start: str
    relation: Relation
    end: str


def path(
    start: str, end: str, neighbours: Callable[[str], Iterable[tuple[str, Relation]]], most: int = MOST_STEPS
) -> list[Step] | None:
    """Return the shortest path, the surest of those; None if there is none within `most` steps.

    The path from an entity to itself is empty.
    """
    if start == end:
        return []
    came: dict[str, Step | None] = {start: None}
    edge = [start]
    for _ in range(most):
        reached: dict[str, Step] = {}
        for here in edge:
            for there, relation in neighbours(here):
                if there not in came and (there not in reached or _order(relation) < _order(reached[there].relation)):
                    reached[there] = Step(here, relation, there)
        came.update(reached)
        if end in came:
            return _walked(came, end)
        edge = sorted(reached)
        if not edge or len(came) > _MOST_VISITED:
            return None
    return None


def _order(relation: Relation) -> tuple[float, float, tuple[str, str, str]]:
    """Return a sort key: still valid and surest first; then the alphabet, to be deterministic."""
    return (relation.invalid_at is not None, -relation.confidence, relation[:3])


def _walked(came: dict[str, Step | None], end: str) -> list[Step]:
    steps: list[Step] = []
    step = came[end]
    while step:
        steps.append(step)
        step = came[step.start]
    return steps[::-1]
