"""Parse what each agent sends to a hook, and format the reply as it takes one.

Only the module of the agent at hand is imported: a hook is a new process at every event.
"""

from __future__ import annotations

from treering.surfaces.hook.agents.event import EVENTS, HookEvent, parse_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

AGENTS = ("claude-code", "codex", "gemini", "cursor", "copilot", "opencode")

# Bytes of UTF-8. Claude Code takes 10,000 characters and Codex 2,500 tokens of 4 bytes; what is longer they put into a
# file, and show its beginning. The other agents name no limit.
LONGEST = 9_500


def parse(event: str, raw: object, agent: str, environment: Mapping[str, str]) -> HookEvent | None:
    """Return the event of a payload, or None for one that is not used, or that another agent's
    hooks handle.

    `event` is the agent's name of it, or ours; the name in the payload takes precedence.
    """
    if not isinstance(raw, dict) or agent not in AGENTS:
        return None
    if agent == "claude-code":
        if _borrowed(raw):
            return None
        if "turn_id" in raw:  # Codex runs the hooks of Claude Code's plugins as they are
            agent = "codex"
    own = _module(agent)
    named = raw.get("hook_event_name")
    native = named if isinstance(named, str) and named in own.EVENTS else event
    ours = own.EVENTS.get(native) or (native if native in EVENTS else "")
    return parse_fields(agent, native, ours, own.normalize(native, raw), environment) if ours else None


def format_reply(event: HookEvent, context: str) -> dict[str, object] | None:
    """Return what to print so that `context` reaches the model, or None if this agent does not take
    it at this event.

    A context that is too long is left out: half of it would lack the end of its fence.
    """
    if not context or len(context.encode("utf-8", "replace")) > LONGEST:
        return None
    found: dict[str, object] | None = _module(event.agent).format_reply(event, context)
    return found


def _borrowed(raw: dict[str, object]) -> bool:
    """Tell whether another agent runs the hooks that it found in the settings of Claude Code.

    Cursor and Copilot CLI run them beside their own, so that each event would arrive twice, in two
    shapes, and neither takes the reply. They have the hooks of `treering install cursor` and
    `copilot`. Cursor sends its version. Copilot stamps a time, as Claude Code never does, and names
    the transcript at a stop only.
    """
    return "cursor_version" in raw or ("timestamp" in raw and ("transcript_path" not in raw or "stop_reason" in raw))


def _module(agent: str) -> ModuleType:
    if agent == "codex":
        from treering.surfaces.hook.agents import codex

        return codex
    if agent == "gemini":
        from treering.surfaces.hook.agents import gemini

        return gemini
    if agent == "cursor":
        from treering.surfaces.hook.agents import cursor

        return cursor
    if agent == "copilot":
        from treering.surfaces.hook.agents import copilot

        return copilot
    if agent == "opencode":
        from treering.surfaces.hook.agents import opencode

        return opencode
    from treering.surfaces.hook.agents import claude

    return claude
