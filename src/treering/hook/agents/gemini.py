"""Gemini CLI: events of other names, and no ids but the time that it stamps on each."""

from __future__ import annotations

from treering.hook.agents.heard import ERROR, Heard, fields, said, text

EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    "AfterAgent": "Stop",
    "SessionEnd": "SessionEnd",
}

_SPEAKS = frozenset(("SessionStart", "BeforeAgent", "AfterTool"))

_SHELL = "run_shell_command"
_OUTPUT = "Output: "
_EXITED = "Exit Code: "
_CANCELLED = "Command was cancelled by user"
_FOOTER = 5  # lines below the output: error, exit code, signal, background processes, process group


def shaped(native: str, raw: dict[str, object]) -> dict[str, object]:
    shape = {**raw, "last_assistant_message": raw.get("prompt_response")}
    if native == "AfterTool":
        response = fields(raw.get("tool_response"))
        failure = response.get("error")
        answer = _words(response.get("llmContent"))
        code = _exited(answer) if raw.get("tool_name") == _SHELL else 0
        if failure:
            shape["ok"], shape["error"] = False, text(fields(failure).get("message") or failure, ERROR)
        else:
            shape["ok"] = code == 0
            shape["error"] = said(code, _output(answer)) if code else None
        if answer.startswith(_CANCELLED):
            shape["ok"], shape["is_interrupt"] = None, True
    return shape


def spoken(heard: Heard, context: str) -> dict[str, object] | None:
    if heard.native not in _SPEAKS:
        return None
    return {"hookSpecificOutput": {"hookEventName": heard.native, "additionalContext": context}}


def _exited(answer: str) -> int:
    """The exit code of a shell's answer, which tells it only when it is not 0, in the lines under the output."""
    for line in answer[-ERROR:].splitlines()[-_FOOTER:]:
        if line.startswith(_EXITED) and line[len(_EXITED) :].strip().isdecimal():
            return int(line[len(_EXITED) :].strip())
    return 0


def _output(answer: str) -> str:
    """Without the lines around it, of which the number of the process differs each time."""
    return answer.removeprefix(_OUTPUT).rpartition("\n" + _EXITED)[0]


def _words(content: object) -> str:
    """What the model is shown: a text, a part, or a list of both."""
    parts = content if isinstance(content, list) else [content]
    found = (part if isinstance(part, str) else fields(part).get("text") for part in parts)
    return "\n".join(part for part in found if isinstance(part, str))
