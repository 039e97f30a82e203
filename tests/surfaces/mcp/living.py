"""A store in which there is something for every tool to do."""

from __future__ import annotations

from pathlib import Path

import treering
from tests.consolidate.living import BUILD, SUMMED
from tests.surfaces.cli.growth import AGAIN, DEPLOY, EARLIER, LONG_AGO, STEPS, wear
from treering.ledger.types import Memory

__all__ = ["PROJECT", "SKILL", "SUMMED", "live", "settle"]

PROJECT = "shop"
WORN = "The report goes out at noon by the cron job of Ada"
UNCLEAR = "The cache wants clearing after an upgrade"
SKILL = """\
---
name: rotate-keys
description: Rotate the signing keys of the shop. Use when a key has leaked or is due.
---

# Rotate the keys

1. Make a new key with `keys new`.
"""


def settle(folder: Path) -> Path:
    """A repository of the project, with a skill in it."""
    place = folder / PROJECT
    (place / ".git").mkdir(parents=True)
    (place / ".claude" / "skills" / "rotate-keys").mkdir(parents=True)
    (place / ".claude" / "skills" / "rotate-keys" / "SKILL.md").write_text(SKILL)
    return place


def live(home: Path) -> dict[str, str]:
    """The ids of what a person and their agents have left there, by what can be done with it."""
    with treering.open(home, actor="user", project=PROJECT) as memory:
        found = {"worn": memory.remember(WORN), "unclear": memory.remember(UNCLEAR, type="Fact")}
        found |= {"twin": memory.remember(DEPLOY, at=EARLIER), "port": memory.remember(_port(5432))}
        wear(memory, found["worn"], 12, "not_helpful")
        wear(memory, found["unclear"], 6, "not_helpful")
        wear(memory, found["twin"], 6, until=EARLIER)
        found["other"] = memory.remember(AGAIN, anyway=True)
        found["stale"] = memory.remember("The fax machine is in room 12", at=LONG_AGO)
        found["invariant"] = memory.remember("Prices are stored in cents", invariant=True, at=LONG_AGO)
        for number, text in enumerate(STEPS):
            found[f"step{number}"] = memory.remember(text, type="Process")
        for number, text in enumerate(BUILD):
            memory.remember(text, type="episodic", session=f"night{number}", scope="project")
            memory.remember(f"{text}, says the baker", type="episodic", scope="project", project="bakery")
        found["elsewhere"] = _elsewhere(memory)
    return {name: note.id for name, note in found.items()}


def _port(number: int) -> str:
    return f"The staging database listens on port {number}"


def _elsewhere(memory: treering.Treering) -> Memory:
    return memory.remember("The bakery opens at six", scope="project", project="bakery")
