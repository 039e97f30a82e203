"""Read and answer Codex: Claude Code's shape with `turn_id`, and no event for a tool that failed.

The output of a shell comes as a bare text. Only some versions say whether it failed, in lines above
the output; without them it stays unknown, as the output is no evidence: a log may quote any error.
"""

from __future__ import annotations

from treering.surfaces.hook.agents.event import (
    ERROR,
    HookEvent,
    exit_code,
    failure_text,
    fields,
    hook_specific,
    text,
    unwrap,
)
from treering.surfaces.hook.agents.event import EVENTS as OURS

EVENTS = {name: name for name in OURS}

_REPLIES_AT = frozenset(("SessionStart", "SubagentStart", "UserPromptSubmit", "PostToolUse"))

_EXIT_CODE = ("Process exited with code ", "Exit code: ")
_OUTPUT = ("Output:", "Final output:")
_HEADER = 8  # lines: the id of the chunk, wall time, exit code, count of tokens, and some to spare


def normalize(native: str, raw: dict[str, object]) -> dict[str, object]:
    shape = {**raw, "prompt_id": raw.get("turn_id")}
    if native == "PostToolUse":
        response = unwrap(raw.get("tool_response"))
        code, output = _result(response)
        if code is not None:
            shape["ok"] = code == 0
            shape["error"] = failure_text(code, output) if code else None
        elif fields(response).get("isError") is True:  # a tool of an MCP server
            shape["ok"], shape["error"] = False, output
    return shape


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    """Return a reply without other fields: Codex refuses an output with an unknown one."""
    return hook_specific(event, context) if event.native in _REPLIES_AT else None


def _result(response: object) -> tuple[int | None, str]:
    """Return the exit code, if there is one, and the output."""
    if not isinstance(response, str):
        whole = fields(response)
        parts = (whole.get("output"), whole.get("stdout"), whole.get("stderr"), _text_of(whole.get("content")))
        return exit_code(response), "\n".join(filter(None, (text(part, ERROR, ERROR // 4) for part in parts)))
    head = response[:ERROR].splitlines()[:_HEADER]
    for place, line in enumerate(head):
        if line.startswith(_OUTPUT):
            break
        for start in _EXIT_CODE:
            if line.startswith(start) and line[len(start) :].strip().isdecimal():
                return int(line[len(start) :].strip()), _below(response, head[place + 1 :])
    return None, response


def _below(response: str, rest: list[str]) -> str:
    """Return what stands under the line that announces the output."""
    for line in rest:
        if line.startswith(_OUTPUT):
            return response.partition(line + "\n")[2]
    return response


def _text_of(content: object) -> str:
    """Return the first text among the parts of an MCP result."""
    for part in content if isinstance(content, list) else ():
        if found := fields(part).get("text"):
            return text(found, ERROR)
    return ""
