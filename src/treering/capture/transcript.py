"""Read a session's turns from its transcript, of Claude Code or of Codex.

Codex writes lines of a time, a type and a payload; what is said stands there twice, as an item and
as an event.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple, Protocol

import msgspec

from treering.capture.turns import AGENT, USER, Did, Said, Turn, answered, failed, new_lines
from treering.text.transcripts import lines as person
from treering.text.transcripts.lines import (
    LONGEST_PROMPT,
    Line,
    bare,
    blocks,
    line,
    lines,
    message_text,
    queued,
    short,
    typed,
)


class Reading(Protocol):
    """Turns so far, of one format."""

    turns: list[Turn]
    session: str
    cwd: str

    def take(self, line: Line) -> None: ...


_TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_LONGEST_ID = 200  # characters
_LONGEST_PATH = 1_000  # characters of a folder or a file
_LONGEST_COMMAND = 2_000  # characters
_LONGEST_SAID = 10_000  # characters

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "pwsh", "powershell", "cmd"})
_SHELL = "shell"
_PATCH = "apply_patch"
_COMMAND, _CHANGE = "CommandExecution", "FileChange"  # kinds of items that a rollout lists when they are done
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$", re.MULTILINE)
# The exit code, as one release or another writes it in front of the output.
_CODE = re.compile(r"\b(?:exited with (?:exit )?code|exit code:?|Exit code:)\s*(-?\d{1,5})\b")
_CODE_AT = 300  # characters of an output in which its exit code stands
# What Codex itself puts before the first prompt.
_NOT_TYPED = (
    *("<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "<skill>"),
    *("# AGENTS.md instructions", "<INSTRUCTIONS>", "<user_action>", "<subagent_notification>", "<collaboration_mode>"),
)


def begins(first: Line) -> bool:
    """Tell whether a file that begins with this line is a rollout."""
    return first.text("type") in _TYPES and isinstance(first.value("payload"), dict)


class Rollout:
    def __init__(self, first: Line) -> None:
        self.turns: list[Turn] = []
        self.session = self.cwd = ""
        self._called_ids: set[str] = set()  # of tools that the model called itself
        self._calls: dict[str, range] = {}  # the places of what waits for its result: a patch may change many files
        self._about(first)

    def take(self, line: Line) -> None:
        type, payload = line.text("type"), line.value("payload")
        if not isinstance(payload, dict):
            return
        if type in ("session_meta", "turn_context"):
            self._about(line)
        elif type == "response_item":
            self._item(line, payload)
        elif type == "event_msg":
            self._event(line, payload)

    def _about(self, line: Line) -> None:
        payload = line.value("payload")
        if not isinstance(payload, dict):
            return
        id, cwd = payload.get("id"), payload.get("cwd")
        if line.text("type") == "session_meta" and isinstance(id, str):
            self.session = id[:_LONGEST_ID]
        if isinstance(cwd, str):
            self.cwd = cwd[:_LONGEST_PATH]

    def _item(self, line: Line, payload: dict[str, Any]) -> None:
        kind = payload.get("type")
        if kind == "message":
            who = {"user": USER, "assistant": AGENT}.get(str(payload.get("role")))
            if who:
                self._said(line, who, "\n".join(_texts(payload.get("content"))))
        elif kind in _CALLS:
            self._called(line, payload)
        elif kind in _RESULTS:
            self._answered(payload)

    def _event(self, line: Line, payload: dict[str, Any]) -> None:
        item = payload.get("item")
        if payload.get("type") == "item_completed" and isinstance(item, dict):
            self._done(line, item)
        who = {"user_message": USER, "agent_message": AGENT}.get(str(payload.get("type")))
        text = payload.get("message")
        if who and isinstance(text, str):
            self._said(line, who, text)

    def _done(self, line: Line, item: dict[str, Any]) -> None:
        """Take what a script of the agent did: newer models run everything by one tool, which says nothing of it."""
        id, code, changes = item.get("id"), item.get("exit_code"), item.get("changes")
        if not isinstance(id, str) or id in self._called_ids:
            return
        if item.get("type") == _COMMAND and isinstance(code, int):
            call = Did(_SHELL, _command(item)[:_LONGEST_COMMAND], "", at=line.time, line=id)
            output = item.get("aggregated_output")
            text = output if isinstance(output, str) else ""
            self.turns.append(failed(call, text) if code else answered(call, text))
        elif item.get("type") == _CHANGE and isinstance(changes, dict) and item.get("status") == "completed":
            files = [file[:_LONGEST_PATH] for file in changes if isinstance(file, str)]
            self.turns += [Did(_PATCH, "", file, True, at=line.time, line=id) for file in files]

    def _said(self, line: Line, who: str, text: str) -> None:
        text = bare(text)
        if not text or (who == USER and text.startswith(_NOT_TYPED)):
            return
        text = text[: LONGEST_PROMPT if who == USER else _LONGEST_SAID]
        last = next((turn for turn in reversed(self.turns) if isinstance(turn, Said)), None)
        if last is None or (last.who, last.text) != (who, text):
            self.turns.append(Said(who, text, line.time, line.id))

    def _called(self, line: Line, payload: dict[str, Any]) -> None:
        id, tool = payload.get("call_id"), payload.get("name", _SHELL)
        if not isinstance(id, str) or not isinstance(tool, str):
            return
        self._called_ids.add(id)
        given = _given(payload)
        command = _command(given)
        patch = given.get("input") if tool == _PATCH else command if _PATCH in command else ""
        files = _PATCHED.findall(patch) if isinstance(patch, str) else []
        begin = len(self.turns)
        if files:
            self.turns += [Did(_PATCH, "", file.strip(), at=line.time, line=id) for file in files]
        else:
            self.turns.append(Did(tool[:_LONGEST_ID], command[:_LONGEST_COMMAND], "", at=line.time, line=id))
        self._calls[id] = range(begin, len(self.turns))

    def _answered(self, payload: dict[str, Any]) -> None:
        id = payload.get("call_id")
        places = self._calls.pop(id, range(0)) if isinstance(id, str) else range(0)
        text, code = _output(payload.get("output"))
        for place in places:
            call = self.turns[place]
            assert isinstance(call, Did)
            self.turns[place] = failed(call, text) if code else answered(call, text)


def _texts(content: Any) -> Iterable[str]:
    """Return the texts of a message's blocks: input_text, output_text or text."""
    if isinstance(content, str):
        return [content]
    found = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return [text for text in found if isinstance(text, str)]


def _given(payload: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call: JSON in a text, or an action; of a custom tool, one text."""
    given = payload.get("arguments", payload.get("action"))
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given.encode("utf-8", "replace"))
        except (msgspec.MsgspecError, RecursionError):
            given = None
    given = given if isinstance(given, dict) else {}
    return given | {"input": payload.get("input", given.get("input"))}


def _command(given: dict[str, Any]) -> str:
    """Return a command, which may be a list: of ["bash", "-lc", "make test"] it is the last."""
    command = given.get("command", given.get("cmd", ""))
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        return words[-1] if len(words) == 3 and words[0] in _SHELLS else " ".join(words)
    return command if isinstance(command, str) else ""


def _output(output: Any) -> tuple[str, int]:
    """Return an output and its exit code, 0 if there is none."""
    if isinstance(output, str) and output.startswith("{"):
        with suppress(msgspec.MsgspecError, RecursionError):
            output = msgspec.json.decode(output.encode("utf-8", "replace"))
    if isinstance(output, dict):
        metadata = output.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        text = output.get("output", output.get("content", ""))
        code = code if isinstance(code, int) else int(output.get("success") is False)
        return (text if isinstance(text, str) else "\n".join(_texts(text))), code
    text = output if isinstance(output, str) else "\n".join(_texts(output))
    found = _CODE.search(text[:_CODE_AT])
    return text, int(found[1]) if found else 0


# How much is read again. A fix may take a few prompts; and what is read again must be less than what is read at once,
# or a reading would never come to an end.
LAST_PROMPTS = 6
LAST_BYTES = 1_000_000


class Read(NamedTuple):
    turns: list[Turn]
    session: str
    cwd: str
    offset: int  # behind the last whole line
    starts: Sequence[int] = ()  # offsets of the last prompts, the earliest first: where the next reading may begin


def read(path: str, offset: int = 0, most: int = 4_000_000) -> Read:
    """Return the turns from an offset on, within about so many bytes. An offset beyond the file is 0."""
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
    """Return the reader for the format of the first readable line, which in a rollout also has the session."""
    for written, _ in lines(file, 0):
        first = line(written) if written else None
        if first is not None:
            return Rollout(first) if begins(first) else _Reading()
    return _Reading()


class _Reading:
    """Read Claude Code's format."""

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
        text = message_text(block.get("content"))
        if block.get("is_error") is not True:
            self.turns[place] = answered(call, text)
        elif person.is_rejection(line, call.tool, text):
            if reason := person.reason(text):
                self.turns.append(Said(USER, reason, line.time, line.id, line.text("promptId")))
        elif not (
            person.is_interrupted(line, call.tool, text)
            or person.is_cancelled(line, text)
            or person.is_denial(line, text)
        ):
            self.turns[place] = failed(call, text)


def did(tool: str, given: Any, at: int, line: str) -> Did:
    """Return a call whose result is not known yet."""
    given = given if isinstance(given, dict) else {}
    command = given.get("command")
    target = given.get("file_path") or given.get("notebook_path")
    return Did(
        short(tool, _LONGEST_ID),
        command[:_LONGEST_COMMAND] if isinstance(command, str) else "",
        target[:_LONGEST_PATH] if isinstance(target, str) else "",
        at=at,
        line=line,
        wrote=_wrote(given),
    )


def _wrote(given: dict[str, Any]) -> str:
    """Return what an edit of a part of a file wrote."""
    old, new = given.get("old_string"), given.get("new_string")
    return new_lines(old, new) if isinstance(old, str) and isinstance(new, str) else ""
