"""What may be seen from where the server stands: no tool shows or changes a memory of another project."""

from __future__ import annotations

from treering.core.errors import NotFound
from treering.core.types import Memory, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.api import Treering
    from treering.mcp.tools.tool import Here

__all__ = ["fetched", "seen"]


def seen(memory: Treering, found: Iterable[Memory]) -> bool:
    """Whether all of these may be seen from here."""
    return all(visible(one, memory.context) for one in found)


def fetched(here: Here, id: str) -> Memory:
    """A memory by its id. One that may not be seen from here might as well not be there."""
    found = here.memory.get(id)
    if not seen(here.memory, [found]):
        raise NotFound("memory", id, "none of this project has that id")
    return found
