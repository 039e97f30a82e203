"""The notes of basic-memory: Markdown with a title above, observations and relations below. They are only read."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from treering.documents.foreign.claude_memory import Note, flat, front, headed
from treering.documents.harvest.blocks import read as blocks_of

TAG = "basic-memory"
_SAYING = ("paragraph", "item", "table", "code")
_OBSERVATION = re.compile(r"\[([^\[\]\n]{1,60})\]\s+(\S.*)", re.DOTALL)  # [category] what was observed
_RELATION = re.compile(r"([^\[\]\n]{1,80}?)\s*\[\[([^\[\]\n]+)\]\]\s*(?:\([^()]*\))?")  # how [[Other]]
_HASHED = re.compile(r"\s+#[\w/-]+")


def notes(document: str, name: str, beside: Collection[str] = ()) -> list[Note]:
    """Return what a note says, in the order of its lines: each observation, relation and paragraph by itself."""
    fields = front(document)
    title = fields.get("title") or os.path.splitext(os.path.basename(name))[0]
    when = fields.get("modified") or fields.get("created", "")
    found = []
    for block in blocks_of(document).blocks:
        if block.kind in _SAYING:
            text, kind = _said(block.text if block.kind in ("table", "code") else flat(block), block.text)
            tags = (TAG, *((kind,) if kind else ()))
            found.append(Note(headed(title, text), block.line, "semantic", tags, when))
    return found


def _said(shown: str, written: str) -> tuple[str, str]:
    """Return what a line says, and the category that it stands under."""
    if observed := _OBSERVATION.fullmatch(written.strip()):
        return " ".join(_HASHED.sub("", observed[2]).split()), observed[1].strip().lower()
    if related := _RELATION.fullmatch(written.strip()):
        return f"{related[1].replace('_', ' ').strip()} {related[2].partition('|')[0].strip()}", ""
    return shown, ""
