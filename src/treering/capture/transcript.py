"""A session's turns, read from its transcript."""

from __future__ import annotations

import os

from treering.capture import outputs, rollout
from treering.capture.turns import AGENT, USER, Did, Said
from treering.core.tuples import NamedTuple
from treering.transcripts import stops
from treering.transcripts.lines import blocks, line, lines, short, spoken
from treering.transcripts.prompts import queued, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, BinaryIO, Protocol

    from treering.capture.turns import Turn
    from treering.transcripts.lines import Line

    class Reading(Protocol):
        """Turns so far, of one format."""

        turns: list[Turn]
        session: str
        cwd: str

        def take(self, line: Line) -> None: ...


# How much is read again. A fix may take a few prompts; and what is read again must be less than what is read at once,
# or a reading would never come to an end.
LAST_PROMPTS = 6
LAST_BYTES = 1_000_000

_LONGEST_ID = 200  # characters of a session's id
_LONGEST_PATH = 1_000  # characters of a folder or a file
_LONGEST_COMMAND = 2_000  # characters: what is longer writes a file
_LONGEST_SAID = 10_000  # characters of the agent's words


class Read(NamedTuple):
    turns: list[Turn]
    session: str
    cwd: str
    offset: int  # behind the last whole line
    starts: Sequence[int] = ()  # offsets of the last prompts, the earliest first: where the next reading may begin


def read(path: str, offset: int = 0, most: int = 4_000_000) -> Read:
    """The turns behind an offset, of about so many bytes at the most. An offset that the file no longer has is 0."""
    with open(path, "rb") as file:
        if not 0 <= offset <= os.fstat(file.fileno()).st_size:
            offset = 0
        reading = _reading(file)
        starts: list[int] = []
        begin = offset
        for written, behind in lines(file, begin):
            said = len(reading.turns)
            if written and (found := line(written)):
                reading.take(found)
            if any(isinstance(turn, Said) and turn.who == USER for turn in reading.turns[said:]):
                starts.append(offset)
            offset = behind
            if offset - begin >= most:
                break
    near = [start for start in starts[-LAST_PROMPTS:] if offset - start <= min(LAST_BYTES, most // 2)]
    session = reading.session or os.path.splitext(os.path.basename(path))[0]
    return Read(reading.turns, session, reading.cwd, offset, near)


def _reading(file: BinaryIO) -> Reading:
    """By the first line that can be read: it tells the format, and of a rollout also the session."""
    for written, _ in lines(file, 0):
        first = line(written) if written else None
        if first is not None:
            return rollout.Reading(first) if rollout.begins(first) else _Reading()
    return _Reading()


class _Reading:
    """Claude Code's format."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.session = self.cwd = ""
        self._seen: set[str] = set()
        self._calls: dict[str, int] = {}  # the place of the call that waits for its result

    def take(self, line: Line) -> None:
        type = line.text("type")
        if type not in ("user", "assistant", "attachment") or line.says("isSidechain"):
            return
        self.session = line.text("sessionId")[:_LONGEST_ID] or self.session
        self.cwd = line.text("cwd")[:_LONGEST_PATH] or self.cwd
        if line.id in self._seen:
            return
        self._seen.add(line.id)
        if type == "attachment":
            self._prompted(line, queued(line))
            return
        message = line.value("message")
        content = message.get("content") if isinstance(message, dict) else None
        if type == "assistant":
            self._acted(line, content)
            return
        results = [block for block in blocks(content) if block.get("type") == "tool_result"]
        for block in results:
            self._answered(line, block)
        if not results:
            self._prompted(line, typed(line, content))

    def _prompted(self, line: Line, text: str) -> None:
        if text:
            self.turns.append(Said(USER, text, line.time, line.id, line.text("promptId")))

    def _acted(self, line: Line, content: Any) -> None:
        if line.says("isApiErrorMessage"):
            return
        for block in blocks(content):
            text, id, tool = block.get("text"), block.get("id"), block.get("name")
            if block.get("type") == "text" and isinstance(text, str) and text.strip():
                self.turns.append(Said(AGENT, text.strip()[:_LONGEST_SAID], line.time, line.id))
            elif block.get("type") == "tool_use" and isinstance(id, str) and isinstance(tool, str):
                self._calls[id] = len(self.turns)
                self.turns.append(did(tool, block.get("input"), line.time, id))

    def _answered(self, line: Line, block: dict[str, Any]) -> None:
        id = block.get("tool_use_id")
        place = self._calls.pop(id, None) if isinstance(id, str) else None
        if place is None:
            return
        call = self.turns[place]
        assert isinstance(call, Did)
        text = spoken(block.get("content"))
        if block.get("is_error") is not True:
            self.turns[place] = outputs.answered(call, text)
        elif stops.is_rejection(line, call.tool, text):
            if reason := stops.reason(text):
                self.turns.append(Said(USER, reason, line.time, line.id, line.text("promptId")))
        elif not (
            stops.is_interrupted(line, call.tool, text) or stops.is_cancelled(line, text) or stops.is_denial(line, text)
        ):
            self.turns[place] = outputs.failed(call, text)


def did(tool: str, given: Any, at: int, line: str) -> Did:
    """A call, of which the result is not known."""
    given = given if isinstance(given, dict) else {}
    command = given.get("command")
    target = given.get("file_path") or given.get("notebook_path")
    return Did(
        short(tool, _LONGEST_ID),
        command[:_LONGEST_COMMAND] if isinstance(command, str) else "",
        target[:_LONGEST_PATH] if isinstance(target, str) else "",
        at=at,
        line=line,
    )
