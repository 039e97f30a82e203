"""Find calls of tools that fail again and again. Each signal has the id of its first call, so that
reading again finds the same.

A look at something does not end a run of failures, nor does something else that fails; a success, a
refusal or a person's guidance does. The state stays small, however long a transcript is: the calls
that wait for their result, the runs that may go on, and the last results, because an agent that
resumes a session writes lines again.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple, TypeGuard

import msgspec

from treering.text.transcripts import commands
from treering.text.transcripts.lines import LONGEST_TEXT, short, tells
from treering.text.words import folded

INTERRUPTED = "interrupted"  # the agent was stopped in what it did
REJECTED = "rejected"  # a tool use was refused when the agent asked for leave


class Prompt(NamedTuple):
    """The text that a person typed."""

    id: str  # of its line
    text: str
    time: int  # microseconds since 1970; 0 if the line does not tell
    ran: tuple[str, ...] = ()  # commands that changed something, and worked,
    failed: tuple[str, ...] = ()  # or did not, before the next prompt


class Loop(NamedTuple):
    """A tool that failed again and again at about the same; reported with each failure."""

    id: str  # of the tool use that failed first
    tool: str
    what: str  # that was tried: the command or the file, in short
    error: str  # the telling line of the last one
    count: int  # type: ignore[assignment]  # hides that of tuples, which nobody needs here
    time: int  # of the first failure
    worked: str = ""  # the like of it that worked in the end


class Stop(NamedTuple):
    """A person stopped the agent."""

    id: str  # of its line, or of the tool use that was refused
    kind: str  # INTERRUPTED or REJECTED
    tool: str  # that was running or refused, if any
    reason: str  # in the person's words, if there are any
    time: int
    then: str = ""  # what they said next, if that was the next thing that happened


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
    """Return the call in a block of a message, or None if it has no id to find its result by."""
    id, tool, given = block.get("id"), block.get("name"), block.get("input")
    if not isinstance(tool, str) or not is_id(id):
        return None
    return Call(id, short(tool, LONGEST_TOOL), turn, what(given), _part(given), _digest(given))


def is_id(id: Any) -> TypeGuard[str]:
    """Tell whether it can be an id: not too many letters, digits, hyphens and underscores."""
    if not isinstance(id, str) or not 0 < len(id) <= LONGEST_ID or not id.isascii():
        return False
    return id.replace("_", "").replace("-", "").isalnum()


def what(given: Any) -> str:
    """Return an input in short."""
    if isinstance(given, dict):
        for field in _TELLING:
            if isinstance(value := given.get(field), str) and value.strip():
                return short(_in_one_line(value) if field == "command" else value)
        if len(given) == 1 and isinstance(value := next(iter(given.values())), str):
            return short(value)
    return short(_encoded(given))


def _in_one_line(command: str) -> str:
    """Return a command of several lines as one."""
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
    """Return what a call does in a word or two: a program and its verb, or the name of a file."""
    if tool in _SHELLS:
        return " ".join(commands.words(what)[:2]) or what
    return what.replace("\\", "/").rpartition("/")[2] if tool in _EDITORS or tool in _VIEWERS else f"{tool} {what}"


def alike(one: Call, other: Call) -> bool:
    """Tell whether two calls try about the same: the same words, part of a file, or command."""
    if one.tool != other.tool:
        return False
    if one.tool in _SHELLS:
        return commands.same(one.what, other.what)
    if one.tool in _EDITORS:
        return one.what == other.what and _same_part(one.part, other.part)
    if one.tool in _VIEWERS:
        return _address(one.what) == _address(other.what)
    return one.digest == other.digest


def _does(call: Call) -> str:
    return doing(call.tool, call.what)


def runs(call: Call) -> bool:
    """Tell whether a call is a command that does more than look."""
    return call.tool in _SHELLS and not looks(call)


def _same_part(one: str, other: str) -> bool:
    """Tell whether most words of the shorter one are in the other."""
    some, others = set(one.split()), set(other.split())
    return 2 * len(some & others) >= min(len(some), len(others))


def _address(what: str) -> list[str]:
    """Return the words of what is looked at, however it is reached."""
    return [word for word in folded(what) if word not in ("http", "https", "www")]


def looks(call: Call) -> bool:
    """Tell whether a call changes nothing but what the agent knows."""
    if call.tool in _SHELLS:
        return commands.looks(call.what)
    if call.tool.startswith(_FOREIGN):
        return any(word in _VIEWING for word in folded(call.tool.rpartition("__")[2]))
    return call.tool in _VIEWERS


FEWEST = 3  # failures in a row: two are a try and a second look
# What a place to read on from may hold, 4 KB in all.
MOST_WAITING = 1_200  # bytes of calls without a result: about eight
MOST_RUNS = 3  # the last ones
MOST_SEEN = 64  # results and prompts known again when they are written twice
_SIGN = 6  # characters for one that was seen


class Run(NamedTuple):
    """Failures in a row at about the same."""

    first: str  # the id of the call that failed first
    call: Call  # the last one
    count: int  # type: ignore[assignment]  # hides that of tuples, which nobody needs here
    time: int  # of the first failure
    error: str  # a sign of the last one; nothing if it tells nothing

    def as_loop(self, error: str) -> Loop:
        return Loop(self.first, self.call.tool, self.call.what, error, self.count, self.time)


class Tries:
    """The calls of a session, as far as they matter for later ones."""

    def __init__(self, carried: Mapping[str, Any]) -> None:
        self._waiting = {call.id: call for call in (_call(one) for one in carried.get("waiting", ()))}
        self._runs = [
            Run(str(first), _call(call), int(count), int(time), str(error))
            for first, call, count, time, error in carried.get("runs", ())
        ]
        self._seen = dict.fromkeys(str(sign) for sign in carried.get("seen", ()))
        self._size = sum(_size(call) for call in self._waiting.values())

    def carried(self) -> dict[str, Any]:
        return {
            "waiting": [[*call] for call in self._waiting.values()],
            "runs": [[run.first, [*run.call], *run[2:]] for run in self._runs],
            "seen": [*self._seen],
        }

    def asked(self, call: Call) -> None:
        """Take a call."""
        if _sign(call.id) in self._seen or call.id in self._waiting:
            return
        self._waiting[call.id] = call
        self._size += _size(call)
        while self._size > MOST_WAITING:
            self._forget(next(iter(self._waiting)))

    def waiting(self) -> Call | None:
        """Return the last call that has no result."""
        return next(reversed(self._waiting.values()), None)

    def answered(self, id: str) -> Call | None:
        """Return the call that a result is for, if it is known."""
        return self._forget(id)

    def is_new(self, id: str) -> bool:
        """Tell whether an id is new, as far back as is known."""
        sign = _sign(id)
        if sign in self._seen:
            return False
        self._seen[sign] = None
        if len(self._seen) > MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        return True

    def worked(self, call: Call) -> list[str]:
        """Take a success, which ends all runs before it; a look ends only looks at the same. Return the names of those
        that tried the like of it."""
        looked = looks(call)
        solved = [run.first for run in self._runs if run.call.tool == call.tool and _does(run.call) == _does(call)]
        self._runs = [run for run in self._runs if looked and not (looks(run.call) and alike(run.call, call))]
        return solved

    def failed(self, call: Call, error: str, time: int) -> Loop | None:
        """Take a failure, and return the loop that it makes, if it does. Calls that fail at once
        are one try. Calls of one tool that fail with the same words try the same, whatever its
        input."""
        if any(run.call.turn == call.turn and run.call.tool == call.tool for run in self._runs):
            return None
        said = _sign(error) if tells(error) else ""
        for at, run in enumerate(self._runs):
            if alike(run.call, call) or (said and said == run.error and run.call.tool == call.tool):
                self._runs[at] = grown = run._replace(call=call, count=run.count + 1, error=said)
                return grown.as_loop(error) if grown.count >= FEWEST else None
        self._runs = [*self._runs, Run(call.id, call, 1, time, said)][-MOST_RUNS:]
        return None

    def ended(self) -> None:
        """Take a person's intervention."""
        self._runs = []

    def over(self) -> None:
        """Take the end of a turn: what has no result gets none."""
        self._waiting.clear()
        self._size = 0

    def _forget(self, id: str) -> Call | None:
        call = self._waiting.pop(id, None)
        if call is not None:
            self._size -= _size(call)
        return call


def _call(told: Iterable[object]) -> Call:
    return Call(*map(str, told))


def _size(call: Call) -> int:
    return len(msgspec.json.encode([*call])) + 1


def _sign(id: str) -> str:
    return urlsafe_b64encode(blake2b(id.encode("utf-8", "replace"), digest_size=6).digest())[:_SIGN].decode()
