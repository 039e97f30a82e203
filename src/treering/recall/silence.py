"""Knowing when to stay silent: how sure it is that the answer is among the hits."""

from __future__ import annotations

from treering.recall.scoring import rarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HEARD = 3  # leading hits that are asked whether they mention what the query is about
# Memories. In a store of a few, a word that one of them holds is common; it is weighed as if there were this many.
YOUNG = 30


def weight(holding: int, size: int) -> float:
    """How much a word counts that so many memories hold."""
    return rarity(holding, max(size, YOUNG))


def confidence(topic: Mapping[str, float], mentioned: set[str], names: Sequence[str], unknown: set[str]) -> float:
    """Half of it: how much of what is asked the leading hits mention, by weight. Half: how many of the names that are
    asked about the memory has ever heard. A query about nothing is answered by nothing."""
    asked = sum(topic.values())
    if not asked:
        return 0.0
    told = sum(weight for word, weight in topic.items() if word in mentioned)
    named = sum(topic.get(name, 0.0) for name in names)
    strange = sum(topic.get(name, 0.0) for name in names if name in unknown)
    return 0.5 * told / asked + 0.5 * (1 - strange / named if named else 1.0)
