"""Knowing when to stay silent: how sure it is that the answer is among the hits."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# At or below this nothing is said. Read off the curve of questions without an answer that are met with silence, over
# answers that are lost by it: half of them, at less than two points (docs/decisions/0011-recall.md).
SILENT = 0.6
HEARD = 3  # leading hits that are asked whether they mention what the query is about


def confidence(topic: Mapping[str, float], mentioned: set[str], names: Sequence[str], unknown: set[str]) -> float:
    """Half of it: how much of what is asked the leading hits mention, by weight. Half: how many of the names that are
    asked about the memory has ever heard."""
    asked = sum(topic.values())
    told = sum(weight for word, weight in topic.items() if word in mentioned)
    named = sum(topic.get(name, 0.0) for name in names)
    strange = sum(topic.get(name, 0.0) for name in names if name in unknown)
    return 0.5 * (told / asked if asked else 1.0) + 0.5 * (1 - strange / named if named else 1.0)
