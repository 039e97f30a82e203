"""What is kept without being asked for, as events."""

from __future__ import annotations

from treering.core.drafts import draft
from treering.core.events import CAPTURED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.events import Data, Draft
    from treering.core.types import Context, Memory


def captured(memory: Memory, kind: str, mark: str, context: Context, line: str = "") -> Draft:
    """A memory was made of what a session said or did. It rests on the memory, and goes with it."""
    data: Data = {"kind": kind, "mark": mark, **({"line": line} if line else {})}
    return draft(CAPTURED, data, context, memory.id, (memory.id,))
