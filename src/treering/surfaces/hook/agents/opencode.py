"""Read and answer opencode, whose plugin of ours sends Claude Code's shape, with `ok` for a tool."""

from __future__ import annotations

from treering.surfaces.hook.agents.event import EVENTS as OURS
from treering.surfaces.hook.agents.event import HookEvent, hook_specific

EVENTS = {name: name for name in OURS}

_REPLIES_AT = frozenset(("SessionStart", "UserPromptSubmit", "PostToolUse"))


def normalize(native: str, raw: dict[str, object]) -> dict[str, object]:
    return raw


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    return hook_specific(event, context) if event.native in _REPLIES_AT else None
