"""Lines of a transcript, as Claude Code writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from treering.skills.signals.friction import START, Mined, Place, read
from treering.skills.signals.loops import Loop, Prompt, Stop

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
WAIT = "STOP what you are doing and wait for the user to tell you how to proceed."
SAID = "To tell you how to proceed, the user said:\n"
SESSION = "5b1d2c3e-0000-4000-8000-000000000001"


class Session:
    """A session that is written down line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def add(self, type: str, **fields: Any) -> str:
        """A line of any type; its uuid."""
        self._count += 1
        uuid = fields.pop("uuid", f"line-{self._count:04}")
        stamp = f"2026-11-02T10:{self._count // 60 % 60:02}:{self._count % 60:02}.250Z"
        line = {"type": type, "uuid": uuid, "sessionId": SESSION, "timestamp": stamp, "isSidechain": False, **fields}
        self.lines.append(json.dumps(line))
        return str(uuid)

    def says(self, content: Any, **fields: Any) -> str:
        """A person's line."""
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def calls(self, tool: str, *, message: str = "", **given: Any) -> str:
        """The agent calls a tool; the id of the call."""
        self._count += 1
        id = f"toolu_{self._count:04}"
        block = {"type": "tool_use", "id": id, "name": tool, "input": given}
        self.add("assistant", message={"id": message or f"msg_{self._count}", "role": "assistant", "content": [block]})
        return id

    def answers(self, id: str, text: Any = "ok", *, failed: bool = False, **fields: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
        return self.says([block], **fields)

    def tries(self, tool: str, error: str = "", **given: Any) -> str:
        """A call and its result, which is an error if one is given."""
        id = self.calls(tool, **given)
        self.answers(id, error or "ok", failed=bool(error))
        return id

    def refuses(self, id: str, reason: str = "") -> str:
        text = REFUSED + (SAID + reason if reason else WAIT)
        denied = {"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected"}
        return self.answers(id, text, failed=True, **denied)

    @property
    def data(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines).encode("utf-8", "surrogatepass")

    def read(self, folder: Path) -> Mined:
        return mined(folder, self.data)


def mined(folder: Path, data: bytes, place: Place = START) -> Mined:
    path = folder / "session.jsonl"
    path.write_bytes(data)
    return read(str(path), place)


def prompts(found: Mined) -> list[str]:
    return [signal.text for signal in found.signals if isinstance(signal, Prompt)]


def loops(found: Mined) -> list[tuple[str, int]]:
    return [(signal.id, signal.count) for signal in found.signals if isinstance(signal, Loop)]


def stops(found: Mined) -> list[tuple[str, str, str]]:
    return [(signal.kind, signal.tool, signal.reason) for signal in found.signals if isinstance(signal, Stop)]


def last(signals: Iterable[Prompt | Loop | Stop]) -> dict[tuple[str, str], Prompt | Loop | Stop]:
    """The last signal of each kind and id, without commands: a reading knows those of what it has read itself."""
    return {(type(signal).__name__, signal.id): _without_commands(signal) for signal in signals}


def _without_commands(signal: Prompt | Loop | Stop) -> Prompt | Loop | Stop:
    if isinstance(signal, Prompt):
        return signal._replace(ran=(), failed=())
    return signal._replace(worked="") if isinstance(signal, Loop) else signal


def in_pieces(path: Path, data: bytes, cuts: Sequence[int]) -> list[Prompt | Loop | Stop]:
    """All signals of a file that is read whenever it has grown to one of some lengths."""
    found: list[Prompt | Loop | Stop] = []
    place = START
    for end in [*sorted(cuts), len(data)]:
        path.write_bytes(data[:end])
        piece = read(str(path), Place(*json.loads(json.dumps(place))))
        found += piece.signals
        place = piece.place
    return found
