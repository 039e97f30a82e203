"""How a transcript tells that a person stopped the agent.

Only the agent itself writes these texts as a whole: one that stands inside another text was quoted.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.transcripts.lines import Line

LONGEST_REASON = 1_000  # characters
USER_REJECTED = "user-rejected"

_INTERRUPTED = "[Request interrupted by user]"
_INTERRUPTED_TOOL = "[Request interrupted by user for tool use]"
_REFUSED = "User rejected tool use"
_REFUSALS = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
)
# A rule or a mode was in the way.
_DENIALS = ("Permission to ", "Permission for this tool use was denied", "Claude requested permissions")
# A call beside it failed.
_CANCELLED = ("Cancelled: parallel tool call", "Sibling tool call errored")
_WRAP = "<tool_use_error>"
_SAID = "the user said:"
_HINT = "\n\nNote: The user's next message"  # the agent's own word to itself, behind the person's
_FOREIGN = "mcp__"  # the beginning of the names of tools that others wrote


def is_interruption(text: str) -> bool:
    return text.strip() in (_INTERRUPTED, _INTERRUPTED_TOOL)


def of_tool(text: str) -> bool:
    """Whether it was a tool that was interrupted."""
    return text.strip() == _INTERRUPTED_TOOL


def is_interrupted(line: Line, tool: str, text: str) -> bool:
    """Whether a failed result says that a person interrupted the tool."""
    return is_interruption(text) and (bool(line.text("toolDenialKind")) or not tool.startswith(_FOREIGN))


def is_rejection(line: Line, tool: str, text: str) -> bool:
    """Whether a failed result says that a person refused the tool. A tool that others wrote might say so itself."""
    if kind := line.text("toolDenialKind"):
        return kind == USER_REJECTED
    if line.value("toolUseResult") == _REFUSED:
        return True
    return text.startswith(_REFUSALS) and not tool.startswith(_FOREIGN)


def is_cancelled(line: Line, text: str) -> bool:
    """Whether a failed result says that the tool was not tried because of a call beside it."""
    return line.text("toolDenialKind") == "cancelled" or text.removeprefix(_WRAP).startswith(_CANCELLED)


def is_denial(line: Line, text: str) -> bool:
    """Whether a failed result says that the tool was not allowed, by whatever it was."""
    return bool(line.text("toolDenialKind")) or text.startswith((*_DENIALS, *_REFUSALS))


def reason(text: str) -> str:
    """What a person said to a refusal."""
    _, said, reason = text.partition(_SAID)
    return reason.partition(_HINT)[0].strip()[:LONGEST_REASON] if said else ""
