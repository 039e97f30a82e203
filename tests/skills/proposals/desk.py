"""A memory that gets signals, transcripts to mine, and what a folder holds."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.evolve.worn import World
from treering.ledger.codec import draft
from treering.ledger.types import Context, Memory
from treering.skills.proposals.analyze import Analysis
from treering.skills.proposals.proposal import Proposal

FACT = "Arbitrary values of the styles need square brackets"
NAME = "arbitrary-values-styles-need-square-brackets"
PROMPTS = (
    "how do we roll out feature flags gradually",
    "gradual rollout of feature flags for everybody",
    "feature flags with a gradual rollout plan",
    "which gradual rollout of feature flags is usual",
)
AGAIN = ("deploy the shop to the cluster", "please deploy the shop to the cluster", "deploy the shop to the cluster!")
COMMAND = "make deploy TARGET=cluster"
TOKEN = "ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\n"
)


class Desk(World):
    """Somebody works with it: memories are found again, prompts find nothing, sessions get stuck."""

    def reuse(self, text: str = FACT, sessions: int = 3, first: int = 0, **options: Any) -> Memory:
        """A memory that so many sessions were shown."""
        note = self.memory.remember(text, **options)
        self.shown(note, sessions, first)
        return note

    def shown(self, note: Memory, sessions: int, first: int = 0) -> None:
        for number in range(first, first + sessions):
            self.pass_(hours=1)
            self.show(note, session=f"session{number}")

    def miss(self, *prompts: str, first: int = 0, session: str = "") -> list[str]:
        """Prompts that nothing answers, each in a session of its own. The recalls."""
        recalls = []
        for number, text in enumerate(prompts or PROMPTS[:3], first):
            self.pass_(hours=1)
            recalls.append(self.memory.recall(text, session=session or f"missed{number}").id)
        return recalls

    def upgrade(self, text: str = FACT, **options: Any) -> Proposal:
        """A skill-upgrade that waits."""
        note = self.reuse(text, **options)
        self.memory.proposals.analyze()
        return next(one for one in self.memory.proposals.list() if one.memories == (note.id,))

    def route(self) -> Proposal:
        """A routing-addition that waits."""
        self.miss()
        return self.memory.proposals.get(self.analyzed().added[0])

    def eased(self, folder: Path, *commands: str) -> list[Proposal]:
        """Drafts made of tools that failed in two sessions each; an analysis makes one."""
        for number, command in enumerate(commands or (COMMAND,)):
            for session in (f"stuck{number}", f"again{number}"):
                worked = (
                    called(f"{session}w", f"{command} RETRY=1", session),
                    answered(f"{session}w", "", False, session),
                )
                transcript(folder / f"{session}.jsonl", *tries(f"{session}t", command, session=session), *worked)
        self.memory.captured.mine(str(folder))
        self.memory.proposals.analyze()
        return [one for one in self.memory.proposals.list() if one.kind == "skill-draft"]

    def analyzed(self) -> Analysis:
        return self.memory.proposals.analyze()

    def status(self, id: str) -> str:
        return self.memory.proposals.get(id).status

    def foreign(self, kind: str, data: dict[str, Any], causes: Iterable[str] = (), **context: str) -> None:
        """An event as somebody else's Treering, or somebody who pretends to be one, has written it."""
        self.memory.ledger.commit(lambda: [draft(kind, data, Context(**context), causes=tuple(causes))])


def transcript(path: Path, *rows: dict[str, Any]) -> Path:
    """A transcript of Claude Code, or more of one."""
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def said(text: str, id: str, session: str = "s") -> dict[str, Any]:
    """What a person typed."""
    return _row("user", id, session, {"role": "user", "content": text})


def called(id: str, command: str, session: str = "s") -> dict[str, Any]:
    block = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}
    return _row("assistant", f"call-{id}", session, {"id": f"message-{id}", "role": "assistant", "content": [block]})


def answered(id: str, text: str, failed: bool = True, session: str = "s") -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
    return _row("user", f"result-{id}", session, {"role": "user", "content": [block]})


def tries(id: str, command: str = COMMAND, times: int = 3, error: str = "", session: str = "s") -> list[dict[str, Any]]:
    """A command that fails so many times in a row."""
    told = error or "error: the server is not there"
    both = ((called(f"{id}{n}", command, session), answered(f"{id}{n}", told, session=session)) for n in range(times))
    return [row for pair in both for row in pair]


def refused(id: str, reason: str, session: str = "s") -> list[dict[str, Any]]:
    """A command that the user did not want."""
    return [called(id, "rm -r build", session), answered(id, REFUSED + reason, session=session)]


def _row(type: str, id: str, session: str, message: dict[str, Any]) -> dict[str, Any]:
    time = "2026-01-01T10:00:00.000Z"
    return {"type": type, "uuid": id, "sessionId": session, "timestamp": time, "message": message}


def skill(folder: Path, name: str, description: str = "Use it", body: str = "Do it.") -> Path:
    """A skill that lies in a folder."""
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f'---\nname: {name}\ndescription: "{description}"\n---\n{body}\n')
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """All that lies in a folder."""
    found = (Path(where) / name for where, _, names in os.walk(folder) for name in names)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}
