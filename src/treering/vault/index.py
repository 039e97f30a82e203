"""MEMORY.md: what is known, for a person who reads or compares it. It holds no score and no time of its making."""

from __future__ import annotations

from treering.core.policy import HOT
from treering.core.types import TYPES
from treering.vault.continuity import GENERATED
from treering.vault.text import glance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.types import Memory

NAME = "MEMORY.md"
_MARK = f"<!-- {GENERATED}: `treering index` makes it again; changes made here are lost -->"
WIDTH = 300  # characters of a text: two lines on a wide screen tell what it is about; `treering show` tells the rest
_ARCHIVE = ("archived", "superseded")
_ABOUT = {
    "semantic": "Semantic: facts",
    "procedural": "Procedural: how things are done",
    "episodic": "Episodic: what happened",
    "working": "Working: for the task at hand",
}


def memory_md(memories: Iterable[Memory]) -> str:
    """The memories by type, hot before archive, the oldest first: a new one changes no line but its own.

    What was forgotten or merged, and what is held back, is not in it.
    """
    groups: dict[tuple[str, bool], list[Memory]] = {}
    for memory in memories:
        if memory.status in HOT + _ARCHIVE:
            groups.setdefault((memory.type, memory.status in _ARCHIVE), []).append(memory)
    rows = [_MARK, "", "# Memory"]
    for type in sorted(TYPES, key=[*_ABOUT].index):
        if (type, False) in groups or (type, True) in groups:
            rows += ["", f"## {_ABOUT[type]}"]
        for archived in (False, True):
            if found := groups.get((type, archived)):
                rows += ["", f"### {'Archive' if archived else 'Hot'}", ""]
                rows += [_row(memory) for memory in sorted(found, key=lambda one: (one.created, one.id))]
    if not groups:
        rows += ["", "Nothing is remembered yet."]
    return "\n".join([*rows, ""])


def _row(memory: Memory) -> str:
    notes = [memory.id]
    if memory.scope != "user":
        name = memory.project if memory.scope == "project" else memory.session
        notes.append(f"{memory.scope} {glance(name, WIDTH)}")
    if memory.invariant:
        notes.append("invariant")
    if memory.trust == "external":
        notes.append(f"from {glance(memory.origin, WIDTH)}")
    if memory.superseded_by:
        notes.append(f"superseded by {memory.superseded_by}")
    notes += [glance(f"#{tag}", WIDTH).removeprefix("\\") for tag in memory.tags]
    return f"- {glance(memory.content, WIDTH)} ({', '.join(notes)})"
