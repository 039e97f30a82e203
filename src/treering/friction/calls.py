"""What a tool was asked for, and whether that is about the same as before."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from treering.core.tuples import NamedTuple
from treering.core.words import folded
from treering.transcripts import commands
from treering.transcripts.lines import LONGEST_TEXT, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

LONGEST_PART = 60  # characters of the part of a file that was to be changed
LONGEST_ID = 64  # characters; ids have about 30
LONGEST_TOOL = 80  # characters of a tool's name
_DIGEST = 4  # bytes: enough for two calls side by side

# The part of an input that says what is tried, the most telling first.
_TELLING = ("command", "file_path", "notebook_path", "pattern", "query", "url", "path", "skill", "prompt")
_BESIDE = ("description", "timeout", "run_in_background")  # what an agent says to a call, and not to the tool
_SHELLS = frozenset({"Bash", "PowerShell", "Shell"})
_EDITORS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "Update"})
_VIEWERS = frozenset(
    """Read Grep Glob LS NotebookRead WebFetch WebSearch ToolSearch TodoRead TodoWrite TaskList TaskGet TaskOutput
    BashOutput LSP ListMcpResources ReadMcpResource Skill""".split()
)
_FOREIGN = "mcp__"  # the beginning of the names of tools that others wrote
_VIEWING = ("get", "list", "search", "find", "read", "query", "describe", "fetch", "show", "tables", "status", "view")


class Call(NamedTuple):
    """A use of a tool."""

    id: str
    tool: str
    turn: str  # the message that it is part of: calls of one message are made at once
    what: str  # the command or the file, in short
    part: str  # of the file: the words that were to be changed
    digest: str  # of the words of the whole input


def call(block: dict[str, Any], turn: str) -> Call | None:
    """The call in a block of a message, unless it has no id to find its result by."""
    id, tool, given = block.get("id"), block.get("name"), block.get("input")
    if not isinstance(tool, str) or not is_id(id):
        return None
    return Call(id, short(tool, LONGEST_TOOL), turn, what(given), _part(given), _digest(given))


def is_id(id: Any) -> TypeGuard[str]:
    """Whether it can be kept as an id: letters, digits, hyphens and underscores, and not too many."""
    if not isinstance(id, str) or not 0 < len(id) <= LONGEST_ID or not id.isascii():
        return False
    return id.replace("_", "").replace("-", "").isalnum()


def what(given: Any) -> str:
    """An input in short."""
    if isinstance(given, dict):
        for field in _TELLING:
            if isinstance(value := given.get(field), str) and value.strip():
                return short(_in_one_line(value) if field == "command" else value)
        if len(given) == 1 and isinstance(value := next(iter(given.values())), str):
            return short(value)
    return short(_encoded(given))


def _in_one_line(command: str) -> str:
    """A command of several lines, as one."""
    rows = command[: 4 * LONGEST_TEXT].replace("\\\n", " ").splitlines()
    return "; ".join(row.strip().rstrip(";") for row in rows if row.strip())


def _part(given: Any) -> str:
    edits = given.get("edits", [given]) if isinstance(given, dict) else []
    first = edits[0] if isinstance(edits, list) and edits else None
    changed = first.get("old_string") if isinstance(first, dict) else None
    return short(" ".join(folded(changed[:LONGEST_TEXT])), LONGEST_PART) if isinstance(changed, str) else ""


def _digest(given: Any) -> str:
    if isinstance(given, dict):
        given = {name: value for name, value in given.items() if name not in _BESIDE}
    return digest(" ".join(folded(_encoded(given))))


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST).hexdigest()


def _encoded(given: Any) -> str:
    return msgspec.json.encode(given, order="deterministic").decode("utf-8", "replace")


def doing(tool: str, what: str) -> str:
    """What a call does, in a word or two: a program and its verb, or the name of a file."""
    if tool in _SHELLS:
        return " ".join(commands.words(what)[:2]) or what
    return what.replace("\\", "/").rpartition("/")[2] if tool in _EDITORS or tool in _VIEWERS else f"{tool} {what}"


def alike(one: Call, other: Call) -> bool:
    """Whether two calls try about the same: the same words, the same part of a file, or one command."""
    if one.tool != other.tool:
        return False
    if one.tool in _SHELLS:
        return commands.same(one.what, other.what)
    if one.tool in _EDITORS:
        return one.what == other.what and _same_part(one.part, other.part)
    if one.tool in _VIEWERS:
        return _address(one.what) == _address(other.what)
    return one.digest == other.digest


def _same_part(one: str, other: str) -> bool:
    """Whether most words of the shorter one are in the other."""
    some, others = set(one.split()), set(other.split())
    return 2 * len(some & others) >= min(len(some), len(others))


def _address(what: str) -> list[str]:
    """The words of what is looked at, in whatever way it is reached."""
    return [word for word in folded(what) if word not in ("http", "https", "www")]


def looks(call: Call) -> bool:
    """Whether a call changes nothing but what the agent knows."""
    if call.tool in _SHELLS:
        return commands.looks(call.what)
    if call.tool.startswith(_FOREIGN):
        return any(word in _VIEWING for word in folded(call.tool.rpartition("__")[2]))
    return call.tool in _VIEWERS
