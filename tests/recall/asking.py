"""What the tests of recall say often."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from treering.ledger.types import Hit, Memory, Recall, Why


def told(recall: Recall) -> list[str]:
    """The texts of an answer, in order."""
    return [hit.memory.content for hit in recall.hits]


def names(recall: Recall) -> list[str]:
    """The ids of an answer, in order."""
    return [hit.memory.id for hit in recall.hits]


def explained(hit: Hit) -> float:
    """The score that the reasons of a hit amount to."""
    return sum(hit.why.parts.values()) * prod(hit.why.factors.values())


def hit(content: str, score: float = 1.0, parts: Iterable[float] = (), **fields: object) -> Hit:
    """A hit by hand."""
    memory = Memory(str(fields.pop("id", content)), content)._replace(**fields)  # type: ignore[arg-type]
    given = {f"part {place}": part for place, part in enumerate(parts or [score])}
    return Hit(memory, score, Why({}, given, {}))
