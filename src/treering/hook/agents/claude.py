"""Claude Code, whose shape is the one that all others are brought to."""

from __future__ import annotations

from treering.hook.agents.heard import EVENTS as OURS
from treering.hook.agents.heard import Heard, fields

EVENTS = {name: name for name in OURS}

# Context at Stop or SubagentStop would make the agent go on working, and at PostCompact and SessionEnd nobody reads it.
_SPEAKS = frozenset(("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"))


def shaped(native: str, raw: dict[str, object]) -> dict[str, object]:
    if native != "PostToolUse":
        return raw
    # It fires for what succeeded only: a command that exits with another code than 0 fires PostToolUseFailure.
    stopped = fields(raw.get("tool_response")).get("interrupted") is True
    return {**raw, "ok": not stopped or None, "is_interrupt": stopped}


def spoken(heard: Heard, context: str) -> dict[str, object] | None:
    if heard.native not in _SPEAKS:
        return None
    return {"hookSpecificOutput": {"hookEventName": heard.native, "additionalContext": context}}
