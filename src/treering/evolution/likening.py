"""How alike memories are, by all that they say."""

from __future__ import annotations

from itertools import combinations

from treering.conflict import between
from treering.core.evidence import MERGE_LIKENESS
from treering.evolve.likeness import Likeness, likeness
from treering.recall.profile.making import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.types import Memory
    from treering.recalling import Recalling


def alike(recalling: Recalling, one: Memory, other: Memory) -> bool:
    """Whether two memories say the same."""
    return one.content == other.content or least_alike(recalling, [one, other])[0] > MERGE_LIKENESS


def least_alike(recalling: Recalling, memories: Sequence[Memory]) -> tuple[float, str]:
    """How alike the two are that are least alike, and what differs in them. Without vectors, only the same is alike."""
    texts = [text_of(memory) for memory in memories]
    vectors = recalling.vectors(texts)
    found = []
    for one, other in combinations(range(len(texts)), 2):
        cosine = float(vectors[one] @ vectors[other]) if vectors is not None else 0.0
        found.append(compared(texts[one], texts[other], cosine))
    least = min(found, key=lambda pair: pair.score)
    return least.score, ", ".join(least.differs)


def compared(one: str, other: str, cosine: float) -> Likeness:
    """The likeness of two texts. What contradicts is never the same, however alike its words are."""
    found = likeness(one, other, cosine)
    if found.score > MERGE_LIKENESS and (conflict := between(one, other)):
        return found._replace(score=MERGE_LIKENESS, differs=(f"they contradict each other: {conflict.kind}",))
    return found
