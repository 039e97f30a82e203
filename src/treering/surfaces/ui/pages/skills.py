"""Skills: what agents find here, what each has earned, and what changed since it was promoted."""

from __future__ import annotations

from typing import Any

from treering.surfaces.cli.complete import drafts
from treering.surfaces.cli.skills import plain
from treering.surfaces.ui.desk import Asked


def read(asked: Asked) -> dict[str, Any]:
    memory, root = asked.memory, asked.desk.root
    found = memory.skills.list(root)
    known, changed = memory.skills.credits(), memory.skills.changed()
    rows = [plain(skill, known.get(skill.name), changed.get(skill.path, "")) for skill in found]
    return {"skills": rows, "drafts": drafts(root)}
