"""Sessions, as turns and as transcripts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.skills.signals.sessions import Session
from treering.capture.sift import catch
from treering.capture.transcript import Read, read
from treering.capture.turns import AGENT, USER, Catch, Did, Said, Turn


def user(text: str, line: str = "") -> Said:
    return Said(USER, text, line=line or f"user:{text[:20]}")


def agent(text: str) -> Said:
    return Said(AGENT, text, line=f"agent:{text[:20]}")


def ran(command: str, error: str = "") -> Did:
    return Did("Bash", command, ok=not error, error=error, line=f"run:{command}")


def edited(path: str, tool: str = "Edit") -> Did:
    return Did(tool, target=path, ok=True, line=f"edit:{path}")


# Something was done before: what a person says then may be about it.
DONE: Sequence[Turn] = (user("add the export", "first"), edited("/home/sam/app/export.py"), agent("It is there."))


def later(text: str) -> list[Catch]:
    """What is caught of a prompt in the middle of a session."""
    return catch([*DONE, user(text)])


def told(found: Sequence[Catch]) -> list[tuple[str, str]]:
    return [(each.kind, each.content) for each in found]


def written(folder: Path, session: Session) -> str:
    path = folder / "session.jsonl"
    path.write_bytes(session.data)
    return str(path)


def reading(folder: Path, session: Session) -> Read:
    return read(written(folder, session))


def rollout(folder: Path, *lines: tuple[str, dict[str, Any]]) -> str:
    """A file of Codex's: each line is a type and a payload."""
    path = folder / "rollout.jsonl"
    rows = [
        {"timestamp": f"2026-11-02T10:00:{at:02}.000Z", "type": type, "payload": payload}
        for at, (type, payload) in enumerate(lines)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)
