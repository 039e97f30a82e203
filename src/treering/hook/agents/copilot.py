"""Copilot CLI: fields in camel case, or in snake case when the event is configured in Pascal case.

It takes context at the start of a session only. What a hook says at a prompt or after a tool is not read, and at a
failure only from a hook that exits with 2, which ours never does.
"""

from __future__ import annotations

from treering.hook.agents.heard import ERROR, Heard, fields, opened, said, text

EVENTS = {
    "sessionStart": "SessionStart",
    "userPromptSubmitted": "UserPromptSubmit",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "agentStop": "Stop",
    "subagentStop": "SubagentStop",
    "sessionEnd": "SessionEnd",
}

# Camel case, and what Claude Code calls it.
_NAMES = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_result",
    "agentName": "agent_id",
    "agent_name": "agent_id",
    "initialPrompt": "prompt",
    "initial_prompt": "prompt",
    "stopReason": "reason",
    "stop_reason": "reason",
}

_EXITED = "completed with exit code "
_FOOTER = 200  # characters at the end of a shell's answer, where the exit code stands between < and >


def shaped(native: str, raw: dict[str, object]) -> dict[str, object]:
    shape = {_NAMES.get(name, name): value for name, value in raw.items()}
    shape["tool_input"] = opened(shape.get("tool_input"))
    if shape.get("source") == "new":
        shape["source"] = "startup"
    if native in ("postToolUse", "PostToolUse"):
        result = fields(shape.get("tool_result"))
        answer = text(result.get("textResultForLlm") or result.get("text_result_for_llm"), ERROR, ERROR // 4)
        kind = result.get("resultType") or result.get("result_type")
        code = _exited(answer)
        shape["ok"] = code == 0 and kind in (None, "success")
        shape["error"] = said(code, answer.rpartition("<")[0]) if code else None if shape["ok"] else answer
        shape["is_interrupt"] = kind in ("rejected", "denied")
    return shape


def spoken(heard: Heard, context: str) -> dict[str, object] | None:
    return {"additionalContext": context} if heard.event == "SessionStart" else None


def _exited(answer: str) -> int:
    """The exit code of a shell: a tool that ran is a success to Copilot, whatever the command said."""
    digits = answer[-_FOOTER:].rpartition(_EXITED)[2].rstrip().rstrip(">")
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0
