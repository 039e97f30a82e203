"""Who speaks for a memory that was merged or refined."""

from __future__ import annotations

from treering.core.evolving import REFINE
from treering.core.types import move_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.core.ports import Reader
    from treering.core.types import Memory

_FARTHEST = 100  # steps: two machines may have made a circle of it


def successors(store: Reader, memory: Memory) -> Iterator[Memory]:
    """The memories that say what this one said, one after the other: the last one says it now."""
    for _ in range(_FARTHEST):
        found = store.record(_next(memory)) if _next(memory) else None
        if found is None:
            return
        memory = found
        yield memory


def _next(memory: Memory) -> str:
    if memory.status == "merged":
        return memory.merged_into
    refined = memory.status == "superseded" and memory.moves and move_of(memory.moves[-1]).rule == REFINE
    return memory.superseded_by if refined else ""
