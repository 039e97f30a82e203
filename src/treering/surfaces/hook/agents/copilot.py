"""Read and answer Copilot CLI: fields in camel case, or in snake case if the event is configured in
Pascal case.

It takes context at the start of a session only. It ignores the reply at a prompt or after a tool,
and reads one at a failure only from a hook that exits with 2, which ours never does.
"""

from __future__ import annotations

from treering.surfaces.hook.agents.event import ERROR, HookEvent, failure_text, fields, text, unwrap

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

_EXIT_CODE = "completed with exit code "
_FOOTER = 200  # characters at the end of a shell's answer, where the exit code stands between < and >


def normalize(native: str, raw: dict[str, object]) -> dict[str, object]:
    shape = {_NAMES.get(name, name): value for name, value in raw.items()}
    shape["tool_input"] = unwrap(shape.get("tool_input"))
    if shape.get("source") == "new":
        shape["source"] = "startup"
    if native in ("postToolUse", "PostToolUse"):
        result = fields(shape.get("tool_result"))
        answer = text(result.get("textResultForLlm") or result.get("text_result_for_llm"), ERROR, ERROR // 4)
        kind = result.get("resultType") or result.get("result_type")
        code = _exit_code(answer)
        shape["ok"] = code == 0 and kind in (None, "success")
        shape["error"] = failure_text(code, answer.rpartition("<")[0]) if code else None if shape["ok"] else answer
        shape["is_interrupt"] = kind in ("rejected", "denied")
    return shape


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    return {"additionalContext": context} if event.event == "SessionStart" else None


def _exit_code(answer: str) -> int:
    """Return the exit code of a shell: to Copilot a tool that ran is always a success."""
    digits = answer[-_FOOTER:].rpartition(_EXIT_CODE)[2].rstrip().rstrip(">")
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0
