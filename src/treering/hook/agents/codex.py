"""Codex: Claude Code's shape with `turn_id`, and no event of its own for a tool that failed.

What a shell answered comes as a bare text, and whether it failed is told in some versions only, in lines above the
output. Where it is not told, nobody knows, and the words of the output are no evidence: a log may quote any error.
"""

from __future__ import annotations

from treering.hook.agents.heard import ERROR, Heard, exit_code, fields, opened, said, text
from treering.hook.agents.heard import EVENTS as OURS

EVENTS = {name: name for name in OURS}

_SPEAKS = frozenset(("SessionStart", "UserPromptSubmit", "PostToolUse"))

_EXITED = ("Process exited with code ", "Exit code: ")
_OUTPUT = ("Output:", "Final output:")
_HEADER = 8  # lines: the id of the chunk, wall time, exit code, count of tokens, and some to spare


def shaped(native: str, raw: dict[str, object]) -> dict[str, object]:
    shape = {**raw, "prompt_id": raw.get("turn_id")}
    if native == "PostToolUse":
        response = opened(raw.get("tool_response"))
        code, output = _result(response)
        if code is not None:
            shape["ok"] = code == 0
            shape["error"] = said(code, output) if code else None
        elif fields(response).get("isError") is True:  # a tool of an MCP server
            shape["ok"], shape["error"] = False, output
    return shape


def spoken(heard: Heard, context: str) -> dict[str, object] | None:
    """An unknown field makes Codex refuse the whole output."""
    if heard.native not in _SPEAKS:
        return None
    return {"hookSpecificOutput": {"hookEventName": heard.native, "additionalContext": context}}


def _result(response: object) -> tuple[int | None, str]:
    """The exit code, if it is told, and the output."""
    if not isinstance(response, str):
        whole = fields(response)
        parts = (whole.get("output"), whole.get("stdout"), whole.get("stderr"), _words(whole.get("content")))
        return exit_code(response), "\n".join(filter(None, (text(part, ERROR, ERROR // 4) for part in parts)))
    head = response[:ERROR].splitlines()[:_HEADER]
    for place, line in enumerate(head):
        if line.startswith(_OUTPUT):
            break
        for start in _EXITED:
            if line.startswith(start) and line[len(start) :].strip().isdecimal():
                return int(line[len(start) :].strip()), _below(response, head[place + 1 :])
    return None, response


def _below(response: str, rest: list[str]) -> str:
    """What stands under the line that announces the output."""
    for line in rest:
        if line.startswith(_OUTPUT):
            return response.partition(line + "\n")[2]
    return response


def _words(content: object) -> str:
    """The first text among the parts of an MCP result."""
    for part in content if isinstance(content, list) else ():
        if found := fields(part).get("text"):
            return text(found, ERROR)
    return ""
