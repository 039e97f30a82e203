"""Read and answer Cursor: a conversation is a session, a generation is a turn. It takes context at
the start and after a tool only."""

from __future__ import annotations

from treering.surfaces.hook.agents.event import ERROR, HookEvent, exit_code, failure_text, fields, text, unwrap

# The agent's words come with `afterAgentResponse`, how the turn ended with `stop`: both become Stop.
EVENTS = {
    "sessionStart": "SessionStart",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "afterAgentResponse": "Stop",
    "stop": "Stop",
    "subagentStop": "SubagentStop",
    "sessionEnd": "SessionEnd",
}

_REPLIES_AT = frozenset(("sessionStart", "postToolUse", "SessionStart", "PostToolUse"))


def normalize(native: str, raw: dict[str, object]) -> dict[str, object]:
    roots = raw.get("workspace_roots")
    shape = {
        **raw,
        "session_id": raw.get("conversation_id") or raw.get("session_id"),
        "prompt_id": raw.get("generation_id"),
        "cwd": raw.get("cwd") or (roots[0] if isinstance(roots, list) and roots else None),
        "last_assistant_message": raw.get("text") or raw.get("summary"),
        "agent_id": raw.get("subagent_id") or raw.get("subagent_type"),
        "source": raw.get("reason") or raw.get("status"),
        "error": raw.get("error_message"),
        "is_interrupt": raw.get("is_interrupt") is True
        or raw.get("failure_type") == "permission_denied"
        or raw.get("status") == "aborted",
    }
    if native in ("sessionStart", "SessionStart"):
        shape["source"] = "startup"  # it fires when a conversation is created, and only then
    if native in ("postToolUse", "PostToolUse"):
        output = unwrap(raw.get("tool_output"))
        code = exit_code(output)
        shape["ok"] = not code  # a tool that did not work at all fires postToolUseFailure
        shape["error"] = failure_text(code, _text_of(output)) if code else None
    return shape


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    return {"additional_context": context} if event.native in _REPLIES_AT else None


def _text_of(output: object) -> str:
    found = (fields(output).get(name) for name in ("output", "stdout", "stderr"))
    return "\n".join(filter(None, (text(part, ERROR, ERROR // 4) for part in found)))
