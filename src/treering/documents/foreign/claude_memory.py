"""The files in which Claude Code keeps its own memory: an index, and one file for each topic. They are only read."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.harvest.blocks import read as blocks_of
from treering.documents.harvest.inline import reduce

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block

TAG = "claude-memory"
INDEX = "MEMORY.md"
FOLDER = "memory"  # beside the transcripts of a project
# What its types are to us: what somebody asked for is a rule to act by, the rest is knowledge.
TYPES = {"user": "semantic", "feedback": "procedural", "project": "semantic", "reference": "semantic"}
_REASONS = ("**why", "**how to apply", "why:", "how to apply:")  # they belong to the statement before them
_SAYING = ("paragraph", "item", "table", "code")
_FENCE = "---"


class Note(NamedTuple):
    """One statement of a file."""

    text: str
    line: int
    type: str
    tags: tuple[str, ...] = ()
    modified: str = ""  # as the file has it


def notes(document: str, name: str, beside: Collection[str] = ()) -> list[Note]:
    """Return what a file says, in the order of its lines.

    Lines of an index that point to files `beside` it say nothing more than these.
    """
    fields = front(document)
    kind = fields.get("type", "").lower()
    tags = (TAG, *((kind,) if kind in TYPES else ()))
    known = beside if os.path.basename(name) == INDEX else ()
    blocks = blocks_of(document).blocks
    title = _title(blocks, name, fields)
    found = _statements(blocks, title, known)
    if not found and not known and fields.get("description"):
        found = [(headed(title, fields["description"]), 1)]
    return [Note(text, line, TYPES.get(kind, "semantic"), tags, fields.get("modified", "")) for text, line in found]


def _title(blocks: Sequence[Block], name: str, fields: Mapping[str, str]) -> str:
    """Return what a file is about: an index about nothing, `feedback_testing.md` without a heading
    about feedback testing.
    """
    if os.path.basename(name) == INDEX:
        return ""
    stem = os.path.splitext(os.path.basename(name))[0].replace("_", " ").replace("-", " ")
    headings = (flat(block) for block in blocks if block.kind == "heading" and block.level == 1)
    return fields.get("name") or next(headings, " ".join(stem.split()))


def _statements(blocks: Sequence[Block], title: str, known: Collection[str]) -> list[tuple[str, int]]:
    """Return paragraphs and items with their lines, below the headings above them; reasons and
    commands go with what they explain.
    """
    found: list[tuple[str, int]] = []
    above: dict[int, str] = {}
    begun = False  # nothing has been said since the last heading
    for block in blocks:
        if block.kind == "heading":
            above = {level: text for level, text in above.items() if level < block.level}
            above |= {block.level: flat(block)} if block.level > 1 else {}
            begun = True
        elif block.kind in _SAYING and _target(block.text) not in known:
            if found and not begun and _explains(block):
                text, line = found.pop()
                found.append((f"{text}\n{block.text}" if block.kind == "code" else f"{text} {flat(block)}", line))
            else:
                said = block.text if block.kind in ("table", "code") else flat(block)
                found.append((headed(", ".join(filter(None, (title, *above.values()))), said), block.line))
            begun = False
    return found


def _explains(block: Block) -> bool:
    """Return whether it only makes sense behind what came before it."""
    return block.kind == "code" or block.text.lower().startswith(_REASONS) or (block.kind == "item" and block.level > 1)


def headed(title: str, text: str) -> str:
    return text if not title or text.lower().startswith(title.lower()) else f"{title}: {text}"


def flat(block: Block) -> str:
    return " ".join(reduce(block.text).split())


def _target(text: str) -> str:
    """Return the file that a line of the index points to."""
    _, opened, rest = text.partition("](")
    return rest.partition(")")[0].strip().removeprefix("./") if opened else ""


def front(document: str) -> Mapping[str, str]:
    """Return the fields above a text, also those below `metadata:`."""
    lines = document.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].strip() != _FENCE or _FENCE not in map(str.strip, lines[1:]):
        return {}
    end = [line.strip() for line in lines].index(_FENCE, 1)
    fields = (line.strip().partition(":") for line in lines[1:end])
    return {key.strip().lower(): value.strip().strip("\"'") for key, colon, value in fields if colon and value.strip()}
