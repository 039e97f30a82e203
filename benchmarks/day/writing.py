"""A transcript that is written as the session goes on, line by line, as Claude Code does."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

VERSION = "2.1.301"


def _now() -> datetime:
    return datetime.now(UTC)


class Transcript:
    def __init__(self, path: str, session: str, folder: str, clock: Callable[[], datetime] = _now) -> None:
        self.path = path
        self._clock = clock
        self._common = {
            "sessionId": session,
            "cwd": folder,
            "gitBranch": "main",
            "version": VERSION,
            "isSidechain": False,
            "userType": "external",
        }
        self._last: str | None = None

    def prompt(self, text: str, id: str) -> None:
        self._write("user", {"role": "user", "content": text}, promptId=id, permissionMode="default")

    def words(self, text: str) -> None:
        self._agent({"type": "text", "text": text})

    def call(self, id: str, tool: str, given: dict[str, Any]) -> None:
        self._agent({"type": "tool_use", "id": id, "name": tool, "input": given})

    def result(self, id: str, text: str, failed: bool) -> None:
        block = {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
        told = f"Error: {text}" if failed else {"stdout": text, "stderr": "", "interrupted": False}
        self._write("user", {"role": "user", "content": [block]}, toolUseResult=told)

    def _agent(self, block: dict[str, Any]) -> None:
        id = f"msg_{uuid4().hex[:16]}"
        message = {"id": id, "type": "message", "role": "assistant", "model": "claude-sonnet-5", "content": [block]}
        self._write("assistant", message, requestId=f"req_{id}")

    def _write(self, type: str, message: dict[str, Any], **fields: Any) -> None:
        """A line at a time, each in one write: a reader meets whole lines, and perhaps half of the last."""
        uuid, now = str(uuid4()), self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"parentUuid": self._last, **self._common, "type": type, "uuid": uuid, "timestamp": now}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({**line, "message": message, **fields}) + "\n")
        self._last = uuid
