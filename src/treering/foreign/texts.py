"""Texts that have to come back as they were given, blanks at their ends and all, as memories."""

from __future__ import annotations

from treering.foreign.names import named, tag
from treering.guard.visible import reveal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.core.types import Memory

LONGEST_MARGIN = 100  # blanks at an end of a text: more are not kept


def row(text: str, title: str, *tags: str) -> dict[str, Any]:
    """A text as arguments of `remember`. Of one in which nothing can be seen, a memory says just that."""
    bare = text.strip()
    if not reveal(bare)[0]:
        return {"content": f"{title} is empty", "tags": (*tags, tag("blank", text[:LONGEST_MARGIN]))}
    start, end = text.find(bare), text.find(bare) + len(bare)
    margins = (("before", text[:start][-LONGEST_MARGIN:]), ("after", text[end:][:LONGEST_MARGIN]))
    return {"content": bare, "tags": (*tags, *(tag(label, blanks) for label, blanks in margins if blanks))}


def text_of(memory: Memory) -> str:
    """What was given: without secrets and hidden signs, which are never stored."""
    blank = named(memory, "blank")
    if blank is not None:
        return blank
    return f"{named(memory, 'before') or ''}{memory.content}{named(memory, 'after') or ''}"
