"""Codex's format: lines of a time, a type and a payload. What is said stands there twice, as an item and as an
event."""

from __future__ import annotations

import re
from contextlib import suppress

import msgspec

from treering.capture import outputs
from treering.capture.turns import AGENT, USER, Did, Said
from treering.transcripts.prompts import LONGEST_PROMPT, bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from treering.capture.turns import Turn
    from treering.transcripts.lines import Line

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
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$", re.MULTILINE)
# The exit code, as one release or another writes it in front of the output.
_CODE = re.compile(r"\b(?:exited with (?:exit )?code|exit code:?|Exit code:)\s*(-?\d{1,5})\b")
_CODE_AT = 300  # characters of an output in which its exit code is told
# What Codex itself puts before the first prompt.
_NOT_TYPED = (
    *("<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "<skill>"),
    *("# AGENTS.md instructions", "<INSTRUCTIONS>", "<user_action>", "<subagent_notification>", "<collaboration_mode>"),
)


def begins(first: Line) -> bool:
    """Whether a file that begins with this line is a rollout."""
    return first.text("type") in _TYPES and isinstance(first.value("payload"), dict)


class Reading:
    def __init__(self, first: Line) -> None:
        self.turns: list[Turn] = []
        self.session = self.cwd = ""
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
        who = {"user_message": USER, "agent_message": AGENT}.get(str(payload.get("type")))
        text = payload.get("message")
        if who and isinstance(text, str):
            self._said(line, who, text)

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
            self.turns[place] = outputs.failed(call, text) if code else outputs.answered(call, text)


def _texts(content: Any) -> Iterable[str]:
    """Of the blocks of a message: input_text, output_text or text."""
    if isinstance(content, str):
        return [content]
    found = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return [text for text in found if isinstance(text, str)]


def _given(payload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, which are JSON in a text, or an action; of a custom tool, one text."""
    given = payload.get("arguments", payload.get("action"))
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given.encode("utf-8", "replace"))
        except (msgspec.MsgspecError, RecursionError):
            given = None
    given = given if isinstance(given, dict) else {}
    return given | {"input": payload.get("input", given.get("input"))}


def _command(given: dict[str, Any]) -> str:
    """A command, which may be a list of its words: of ["bash", "-lc", "make test"] it is the last."""
    command = given.get("command", given.get("cmd", ""))
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        return words[-1] if len(words) == 3 and words[0] in _SHELLS else " ".join(words)
    return command if isinstance(command, str) else ""


def _output(output: Any) -> tuple[str, int]:
    """An output and its exit code, 0 if none is told."""
    if isinstance(output, str) and output.startswith("{"):
        with suppress(msgspec.MsgspecError, RecursionError):
            output = msgspec.json.decode(output.encode("utf-8", "replace"))
    if isinstance(output, dict):
        told = output.get("metadata")
        code = told.get("exit_code") if isinstance(told, dict) else None
        text = output.get("output", output.get("content", ""))
        failed = code if isinstance(code, int) else int(output.get("success") is False)
        return (text if isinstance(text, str) else "\n".join(_texts(text))), failed
    text = output if isinstance(output, str) else "\n".join(_texts(output))
    found = _CODE.search(text[:_CODE_AT])
    return text, int(found[1]) if found else 0
