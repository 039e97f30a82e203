"""The agents: what each sends to a hook, and in which form it takes an answer.

Only the module of the agent at hand is imported: a hook is a new process at every event.
"""

from __future__ import annotations

from treering.hook.agents.heard import EVENTS, Heard, listen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

AGENTS = ("claude-code", "codex", "gemini", "cursor", "copilot")

# Bytes of UTF-8. Claude Code takes 10,000 characters and Codex 2,500 tokens of 4 bytes; what is longer they put into a
# file, and show its beginning. The other agents name no limit.
LONGEST = 9_500


def heard(event: str, raw: object, agent: str, environment: Mapping[str, str]) -> Heard | None:
    """What an agent tells, or None when it is not for us: an event that we do not use, or somebody else's hooks.

    `event` is the agent's own name of it, or ours; what the payload says itself goes before.
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
    return listen(agent, native, ours, own.shaped(native, raw), environment) if ours else None


def spoken(heard: Heard, context: str) -> dict[str, object] | None:
    """What to print so that `context` reaches the model, or None where this agent does not take it at this event.

    A context that is too long is not said at all: half of it would be without the fence that ends it.
    """
    if not context or len(context.encode("utf-8", "replace")) > LONGEST:
        return None
    found: dict[str, object] | None = _module(heard.agent).spoken(heard, context)
    return found


def _borrowed(raw: dict[str, object]) -> bool:
    """Whether another agent runs the hooks that it found in the settings of Claude Code.

    Cursor and Copilot CLI do, beside their own, so that each event would be heard twice, in two shapes, and neither
    takes the answer. They are served by the hooks that `treering install cursor` and `copilot` place. Cursor tells its
    version. Copilot stamps a time, as Claude Code never does, and tells where the transcript is at a stop only.
    """
    return "cursor_version" in raw or ("timestamp" in raw and ("transcript_path" not in raw or "stop_reason" in raw))


def _module(agent: str) -> ModuleType:
    if agent == "codex":
        from treering.hook.agents import codex

        return codex
    if agent == "gemini":
        from treering.hook.agents import gemini

        return gemini
    if agent == "cursor":
        from treering.hook.agents import cursor

        return cursor
    if agent == "copilot":
        from treering.hook.agents import copilot

        return copilot
    from treering.hook.agents import claude

    return claude
