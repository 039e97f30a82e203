"""Read and answer Gemini CLI: events of other names, and no ids but a time stamped on each."""

from __future__ import annotations

from treering.surfaces.hook.agents.event import ERROR, HookEvent, failure_text, fields, hook_specific, text

EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    "AfterAgent": "Stop",
    "SessionEnd": "SessionEnd",
}

_REPLIES_AT = frozenset(("SessionStart", "BeforeAgent", "AfterTool"))

_SHELL = "run_shell_command"
_OUTPUT = "Output: "
_EXIT_CODE = "Exit Code: "
_CANCELLED = "Command was cancelled by user"
_FOOTER = 5  # lines below the output: error, exit code, signal, background processes, process group


def normalize(native: str, raw: dict[str, object]) -> dict[str, object]:
    shape = {**raw, "last_assistant_message": raw.get("prompt_response")}
    if native == "AfterTool":
        response = fields(raw.get("tool_response"))
        failure = response.get("error")
        answer = _text_of(response.get("llmContent"))
        code = _exit_code(answer) if raw.get("tool_name") == _SHELL else 0
        if failure:
            shape["ok"], shape["error"] = False, text(fields(failure).get("message") or failure, ERROR)
        else:
            shape["ok"] = code == 0
            shape["error"] = failure_text(code, _output(answer)) if code else None
        if answer.startswith(_CANCELLED):
            shape["ok"], shape["is_interrupt"] = None, True
    return shape


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    return hook_specific(event, context) if event.native in _REPLIES_AT else None


def _exit_code(answer: str) -> int:
    """Return the exit code of a shell's answer, which stands under the output unless it is 0."""
    for line in answer[-ERROR:].splitlines()[-_FOOTER:]:
        if line.startswith(_EXIT_CODE) and line[len(_EXIT_CODE) :].strip().isdecimal():
            return int(line[len(_EXIT_CODE) :].strip())
    return 0


def _output(answer: str) -> str:
    """Return the output without the lines around it, which differ each time."""
    return answer.removeprefix(_OUTPUT).rpartition("\n" + _EXIT_CODE)[0]


def _text_of(content: object) -> str:
    """Return the text of what the model is shown: a text, a part, or a list of both."""
    parts = content if isinstance(content, list) else [content]
    found = (part if isinstance(part, str) else fields(part).get("text") for part in parts)
    return "\n".join(part for part in found if isinstance(part, str))
