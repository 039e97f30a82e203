"""Stores in which there is something to propose: memories that are used again, gaps, and friction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import treering
from tests.surfaces.cli.driving import Cli

TAILWIND = "Tailwind v4 arbitrary values need square brackets"
RESTART = "The payment worker restarts with `make restart-payments`"
ROLLOUT = (
    "feature flag: gradual rollout of the checkout",
    "how does a feature flag get a gradual rollout",
    "a gradual rollout behind a feature flag for search",
    "feature flag with gradual rollout, in ten steps",
)
MIGRATION = (
    "migration of postgres: downtime must be zero",
    "migration of postgres without downtime, zero of it",
    "zero downtime for the migration to postgres 17",
)
KEYS = {"id", "type", "evidence", "proposal", "status", "created_at", "timestamp", "applied_path"}  # of the seed
MORE = {"file", "note", "name", "action", "memories", "weight", "rejected_at_weight"}  # and ours beside them
LOGIN = "make test-login"
SKILL, ROUTE, DRAFT = "skill-upgrade", "routing-addition", "skill-draft"
FILE = "skills/tailwind-v4-arbitrary-values-need-square/SKILL.md"
ROUTING = "rules/common/agent-intent-routing.md"


def surface(memory: treering.Treering, text: str, *sessions: str, **made: Any) -> str:
    """Remember something, and let recalls of these sessions show it. Its id."""
    note = memory.remember(text, **made)
    for session in sessions:
        found = memory.recall(text, k=1, session=session)
        assert [hit.memory.id for hit in found.hits] == [note.id]
    return note.id


def miss(memory: treering.Treering, session: str, *prompts: str) -> None:
    """Ask what nothing answers."""
    for prompt in prompts:
        assert not memory.recall(prompt, session=session).hits


def signalled(home: Path) -> None:
    """One memory that three sessions were shown, and three prompts on one matter that nothing answered."""
    with treering.open(home, actor="user") as memory:
        surface(memory, TAILWIND, "monday", "tuesday", "friday", project="", tags=["css"])
        miss(memory, "monday", *MIGRATION)


def transcript(path: Path, session: str, loops: int = 2, tries: int = 3, solved: bool = False) -> Path:
    """A session of Claude Code in which the same command fails again and again, and its like may work at last."""
    lines: list[dict[str, Any]] = []
    for loop in range(loops):
        lines.append(_line(session, len(lines), "user", f"please get the login test to pass, round {loop}"))
        for attempt in range(tries + solved):
            id, works = f"call-{session}-{loop}-{attempt}", attempt == tries
            command = f"{LOGIN} USER=ida" if works else LOGIN
            used = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}
            said = {"type": "tool_result", "tool_use_id": id, "is_error": not works}
            said["content"] = "passed" if works else "Exit code 2\nno such user"
            lines += (_line(session, len(lines), "assistant", [used]), _line(session, len(lines) + 1, "user", [said]))
        lines.append(_line(session, len(lines), "assistant", [{"type": "text", "text": "It needs a user."}]))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def _line(session: str, number: int, role: str, content: object) -> dict[str, Any]:
    time = f"2026-11-02T09:{number // 60:02}:{number % 60:02}.000Z"
    told = {"type": role, "uuid": f"{session}-{number}", "sessionId": session, "timestamp": time}
    return {**told, "message": {"role": role, "content": content}}


def rubbed(cli: Cli, folder: Path) -> str:
    """Read a transcript with friction, and propose. The id of the draft."""
    cli.fine("evolve", "mine", str(transcript(folder / "monday.jsonl", "monday", solved=True)))
    (id,) = cli.fine("evolve", "analyze", "--json").json["added"]
    return str(id)


def named(cli: Cli, kind: str) -> str:
    """The id of the only proposal of a kind."""
    (found,) = [one for one in cli.fine("evolve", "list", "--json").json if one["type"] == kind]
    return str(found["id"])


def shown(cli: Cli, id: str) -> dict[str, Any]:
    found: dict[str, Any] = cli.fine("evolve", "show", id, "--json").json
    return found


def written(root: Path) -> dict[str, str]:
    """Every file below a root, and what it says."""
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}
