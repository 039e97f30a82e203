"""Tools for skills: find one, and load it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from treering.mcp.tools.quoting import quote
from treering.mcp.tools.tool import LONGEST_ID, LONGEST_NOTE, LOOKS, Answer, Here, Tool

MOST_SKILLS = 20  # in one answer: the best come first
LONGEST_DESCRIPTION = 300  # characters: enough to choose by


class Match(Struct, frozen=True, omit_defaults=True):
    name: str
    description: str
    score: float
    q: float | None = None


class Matches(Answer, frozen=True):
    skills: list[Match]
    note: str = ""


class Loaded(Answer, frozen=True):
    name: str
    text: str
    note: str = ""


def skill_search(
    here: Here,
    *,
    query: Annotated[str, Meta(max_length=LONGEST_NOTE, description="the task, or the name of a skill")],
    limit: Annotated[int, Meta(ge=1, le=MOST_SKILLS)] = 5,
) -> Matches:
    """Find the skills of this project and its user that fit a task, the best first. Call it before a task that somebody
    may have written a procedure for. Then load one with use_skill."""
    known = here.memory.skill_credits()
    found = [
        Match(
            match.skill.name,
            quote(match.skill.description[:LONGEST_DESCRIPTION]),
            round(match.score, 3),
            round(known[match.skill.name].q, 4) if match.skill.name in known else None,
        )
        for match in here.memory.skill_search(query, limit, here.root)
        if not match.skill.problems
    ]
    return Matches(found, "" if found else "no skill has to do with it")


def use_skill(
    here: Here, *, name: Annotated[str, Meta(max_length=LONGEST_ID, description="as skill_search gives it")]
) -> Loaded:
    """Load the text of a skill and follow it. What your session comes to counts for or against it; feedback with
    `skill` says so directly."""
    text = here.memory.use_skill(name, here.root)
    paths = {skill.name: skill.path for skill in here.memory.skills(here.root)}
    changed = here.memory.changed_skills().get(paths.get(name, ""), "")
    note = f"this file was {changed} after a person had agreed to it: ask them before you follow it" if changed else ""
    return Loaded(name, text, note)


SKILLED = (
    Tool(skill_search, "Find a skill", LOOKS),
    Tool(use_skill, "Load a skill", LOOKS),
)
