"""The memories that a life is played with: Treering with its hooks, the facts told to it, and floors."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import NAMESPACE_URL, uuid5

import apsw

from benchmarks.day.writing import Transcript
from benchmarks.lives.entry import Entry
from benchmarks.lives.life import Act, Life, Session
from treering.text.words import STOP_WORDS

TICK = timedelta(seconds=40)  # between two things that happen in a session
FLOOR = "prompts"
SHOWN = 3  # prompts that the floor shows
OLDEST = 40  # days before a life at which the facts of the crowd begin


class Memory(Protocol):
    """What a life is played with. Each call returns what the agent is told."""

    def begin(self, session: Session, at: datetime) -> str: ...
    def prompt(self, text: str, at: datetime) -> str: ...
    def act(self, act: Act, at: datetime) -> str: ...
    def say(self, text: str, at: datetime) -> None: ...
    def end(self, session: Session, at: datetime) -> None: ...
    def crowd(self, gists: Sequence[str], at: datetime) -> None: ...
    def memories(self, at: datetime) -> list[Mapping[str, Any]]: ...


class Treering:
    """Treering as it is installed for Claude Code: its hooks get what that agent sends them."""

    def __init__(self, life: Life, root: Path, entry: Entry) -> None:
        self._life, self._root, self._entry = life, root, entry
        self._folder = root

    def begin(self, session: Session, at: datetime) -> str:
        self._folder = self._root / "work" / session.project
        if not self._folder.exists():
            self._folder.mkdir(parents=True)
            subprocess.run(["git", "init", "-q", str(self._folder)], check=True)
        self._session = str(uuid5(NAMESPACE_URL, f"{self._life.id} {session.id}"))
        scripts = self._entry.home / ".claude" / "projects" / session.project
        scripts.mkdir(parents=True, exist_ok=True)
        self._path, self._count = str(scripts / f"{self._session}.jsonl"), 0
        self._now = at
        self._script = Transcript(self._path, self._session, str(self._folder), lambda: self._now)
        told = self._hook(at, "SessionStart", source="startup", model="claude")
        self._maintain(at)
        return told

    def prompt(self, text: str, at: datetime) -> str:
        id = self._next("p")
        told = self._hook(at, "UserPromptSubmit", prompt=text, prompt_id=id)
        self._script.prompt(text, id)
        return told

    def act(self, act: Act, at: datetime) -> str:
        self._now, id = at, self._next("toolu_")
        output = act.out if act.ok else f"Exit code 1\n{act.out}"
        self._script.call(id, act.tool, dict(act.given))
        self._script.result(id, output, not act.ok)
        if act.tool == "Read":
            return ""
        called: dict[str, Any] = {"tool_name": act.tool, "tool_input": dict(act.given), "tool_use_id": id}
        if not act.ok:
            return self._hook(at, "PostToolUseFailure", error=output, is_interrupt=False, **called)
        response = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return self._hook(at, "PostToolUse", tool_response=response, **called)

    def say(self, text: str, at: datetime) -> None:
        self._now = at
        self._script.words(text)
        self._hook(at, "Stop", stop_hook_active=False, last_assistant_message=text)
        self._maintain(at)

    def end(self, session: Session, at: datetime) -> None:
        self._hook(at, "SessionEnd", reason="prompt_input_exit")
        self._maintain(at + TICK)

    def crowd(self, gists: Sequence[str], at: datetime) -> None:
        """Import facts of others into the projects of this life, as if they were older."""
        path, names = self._root / "crowd.jsonl", self._life.projects
        with path.open("w", encoding="utf-8") as file:
            for number, gist in enumerate(gists):
                told = at - timedelta(days=OLDEST - number % 30)
                row = {"content": gist, "project": names[number % len(names)], "scope": "project"}
                row |= {"type": "semantic", "origin": "user", "at": told.isoformat()}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._entry.command(at - timedelta(days=1), self._root, "import", str(path), "--mine")

    def memories(self, at: datetime) -> list[Mapping[str, Any]]:
        listed = self._entry.command(at, self._root, "list", "--json", "--limit", "0", "--all-projects")
        found: list[Mapping[str, Any]] = json.loads(listed or "[]")
        return found

    def _hook(self, at: datetime, event: str, **fields: Any) -> str:
        self._now = at
        about = {"session_id": self._session, "transcript_path": self._path, "cwd": str(self._folder)}
        payload = {**about, "hook_event_name": event, "permission_mode": "default", **fields}
        reply = self._entry.hook(at, self._folder, event, json.dumps(payload))
        if not reply.strip():
            return ""
        return str(json.loads(reply)["hookSpecificOutput"].get("additionalContext", ""))

    def _maintain(self, at: datetime) -> None:
        self._entry.maintain(at, self._folder)

    def _next(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count:06d}{self._session[:8]}"


class Told(Treering):
    """The labelled facts are told to the memory when their session is over, and nothing is captured."""

    def prompt(self, text: str, at: datetime) -> str:
        return self._hook(at, "UserPromptSubmit", prompt=text, prompt_id=self._next("p"))

    def act(self, act: Act, at: datetime) -> str:
        if act.ok:
            return ""
        called = {"tool_name": "Bash", "tool_input": dict(act.given), "tool_use_id": self._next("t")}
        return self._hook(at, "PostToolUseFailure", error=f"Exit code 1\n{act.out}", is_interrupt=False, **called)

    def say(self, text: str, at: datetime) -> None:
        self._hook(at, "Stop", stop_hook_active=False, last_assistant_message=text)

    def end(self, session: Session, at: datetime) -> None:
        super().end(session, at)
        for fact in session.facts:
            where = ("--project", ".") if fact.scope == "project" else ()
            told = ("remember", fact.told, "--scope", fact.scope, *where)
            self._entry.command(at + TICK, self._folder, *told)


class Prompts:
    """A floor: every prompt of earlier sessions is kept, and the three best by BM25 are shown at each prompt."""

    def __init__(self, life: Life, root: Path, entry: Entry) -> None:
        self._projects, self._project = life.projects, ""
        self._db = apsw.Connection(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE kept USING fts5(text, project UNINDEXED, tokenize = 'porter unicode61')")
        self._new: list[tuple[str, str]] = []

    def begin(self, session: Session, at: datetime) -> str:
        self._project = session.project
        return ""

    def prompt(self, text: str, at: datetime) -> str:
        self._new.append((text, self._project))
        words = [word for word in re.findall(r"\w+", text.lower()) if word not in STOP_WORDS]
        if not words:
            return ""
        sql = f"SELECT text FROM kept WHERE kept MATCH ? AND project = ? ORDER BY rank LIMIT {SHOWN}"
        any_of = " OR ".join(f'"{word}"' for word in words)
        return "\n".join(str(found) for (found,) in self._db.execute(sql, (any_of, self._project)))

    def act(self, act: Act, at: datetime) -> str:
        return ""

    def say(self, text: str, at: datetime) -> None:
        return

    def end(self, session: Session, at: datetime) -> None:
        self._db.executemany("INSERT INTO kept VALUES (?, ?)", self._new)
        self._new = []

    def crowd(self, gists: Sequence[str], at: datetime) -> None:
        names = self._projects
        self._db.executemany(
            "INSERT INTO kept VALUES (?, ?)", [(gist, names[at % len(names)]) for at, gist in enumerate(gists)]
        )

    def memories(self, at: datetime) -> list[Mapping[str, Any]]:
        return []


SYSTEMS: dict[str, type[Treering] | type[Prompts]] = {"treering": Treering, "told": Told, FLOOR: Prompts}
