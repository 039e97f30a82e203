"""Read and answer Claude Code, whose payloads have the shape that all others are brought to."""

from __future__ import annotations

from treering.surfaces.hook.agents.event import EVENTS as OURS
from treering.surfaces.hook.agents.event import HookEvent, fields, hook_specific

EVENTS = {name: name for name in OURS}

# Context at Stop or SubagentStop would make the agent go on working, and at PostCompact and SessionEnd nobody reads it.
_REPLIES_AT = frozenset(("SessionStart", "SubagentStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"))


def normalize(native: str, raw: dict[str, object]) -> dict[str, object]:
    if native != "PostToolUse":
        return raw
    # It fires for what succeeded only: a command that exits with another code than 0 fires PostToolUseFailure.
    stopped = fields(raw.get("tool_response")).get("interrupted") is True
    return {**raw, "ok": not stopped or None, "is_interrupt": stopped}


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    return hook_specific(event, context) if event.native in _REPLIES_AT else None
