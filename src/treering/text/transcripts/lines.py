"""Read the lines of a transcript, however it is damaged, and the telling line of an error.

Find what a person typed, without what the agent wrote around it, and where they stopped it.

Only the agent itself writes the texts of a stop as a whole: one inside another text was quoted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, BinaryIO

import msgspec

from treering.text.secrets import public
from treering.text.words import NOT, folded, tokens

LONGEST = 8 << 20  # bytes of a line: only pasted images and whole files are longer, and they tell nothing
_PIECE = 1 << 16  # bytes of a longer line that are passed over at a time
_FINEST = 16  # hex digits of a made-up id: two lines of one file never share them
_MICROSECOND = 1_000_000
LONGEST_TEXT = 200  # characters of what was tried, and of an error
# A place to read on from is small whatever it holds: a text may need so many bytes for each character that it may have
# at most, and one of rare characters is cut to as many as surely fit.
_BYTES, _MOST_BYTES = 1.3, 4

# Each value is left as it stands until somebody asks for it: most of a transcript is output that nobody asks for.
_taken_apart = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError)


def lines(file: BinaryIO, offset: int) -> Iterator[tuple[bytes | None, int]]:
    """Yield the whole lines of a file from an offset on, each with the offset behind it.

    A line that is too long is None. A last line without its end is still being written, and left
    out.
    """
    file.seek(offset)
    while line := file.readline(LONGEST):
        offset += len(line)
        whole = line.endswith(b"\n")
        if not whole and len(line) == LONGEST:
            while not whole and (rest := file.readline(_PIECE)):
                offset += len(rest)
                whole = rest.endswith(b"\n")
            line = b""
        if not whole:
            return
        yield (line or None), offset


class Line:
    """One line. A field that is missing, damaged or of another type reads as an empty one."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, msgspec.Raw]) -> None:
        self._fields = fields

    def value(self, name: str) -> Any:
        raw = self._fields.get(name)
        return None if raw is None else _value(bytes(raw))

    def text(self, name: str) -> str:
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def says(self, name: str) -> bool:
        """Tell whether a field is true. Anything else, such as the text "false", is not."""
        return self.value(name) is True

    @property
    def id(self) -> str:
        """Its own id, or one made of its content."""
        if id := self.text("uuid"):
            return id
        made = blake2b(b"\n".join(bytes(raw) for raw in self._fields.values()), digest_size=_FINEST // 2)
        return f"line-{made.hexdigest()}"

    @property
    def time(self) -> int:
        return moment(self.text("timestamp"))


def line(written: bytes) -> Line | None:
    """Parse a line; None if it is not JSON or no object."""
    try:
        return Line(_taken_apart(written))
    except _UNREADABLE:
        pass
    try:
        return Line(_taken_apart(_repaired(written)))
    except _UNREADABLE:
        return None


def _value(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except _UNREADABLE:
        pass
    try:
        return msgspec.json.decode(_repaired(raw))
    except _UNREADABLE:
        return None


def _repaired(written: bytes) -> bytes:
    """Parse JSON, with question marks for bytes that are not UTF-8 and for halved characters."""
    value = json.loads(written.decode("utf-8-sig", "replace"))
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def moment(text: str) -> int:
    """Return microseconds since 1970, or 0 if the text is no time."""
    try:
        parsed = datetime.fromisoformat(text)
        parsed = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        since = parsed - datetime.fromtimestamp(0, UTC)
    except (ValueError, OverflowError):
        return 0
    return max(0, (since.days * 86_400 + since.seconds) * _MICROSECOND + since.microseconds)


def blocks(content: Any) -> list[dict[str, Any]]:
    """Return the blocks of a message. Content that is one text is one block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def message_text(content: Any) -> str:
    """Return all texts of a message or a result, one below the other."""
    return "\n".join(texts(content))


def texts(content: Any) -> list[str]:
    found = (block.get("text") for block in blocks(content) if block.get("type") == "text")
    return [text for text in found if isinstance(text, str)]


def short(text: str, most: int = LONGEST_TEXT) -> str:
    """Return a text in one line, without control characters."""
    head = text[: 4 * most]
    if not head.isprintable():
        head = "".join(letter if letter.isprintable() else " " for letter in head)
    line = " ".join(head.split())
    cut = line if len(line) <= most and len(text) <= len(head) else line[: most - 1] + "…"
    return cut if len(msgspec.json.encode(cut)) <= _BYTES * most else cut[: int(_BYTES * most) // _MOST_BYTES]


def transcripts_folder(folder: str, environment: Mapping[str, str]) -> str:
    """Return where Claude Code keeps the transcripts of a working folder."""
    home = environment.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in os.path.abspath(folder))
    return os.path.join(home, "projects", plain)


_LOOKED_AT = 20_000  # characters from either end of an error; between them stands output
_TELLING = (
    *("error", "exception", "fatal", "failed", "failure", "cannot", "can't", "could not", "unable", "denied"),
    *("not found", "no such", "not exist", "invalid", "unexpected", "undefined", "refused", "timed out", "missing"),
)
_TRACEBACK = "Traceback (most recent call last)"
_WRAPPED = ("<tool_use_error>", "</tool_use_error>", "<error>", "</error>")
_CODE = "Exit code "
_EMPTY = "no message"


def telling(error: str) -> str:
    """Return the line that says what went wrong: what a traceback raised, the first of a command."""
    for mark in _WRAPPED:
        error = error.replace(mark, "")
    if len(error) > 2 * _LOOKED_AT:
        error = error[:_LOOKED_AT] + "\n" + error[-_LOOKED_AT:]
    rows = [row for row in error.splitlines() if row.strip()]
    said = [row for row in rows if not row.startswith(_CODE)] or rows or [_EMPTY]
    if traced := [place for place, row in enumerate(said) if _TRACEBACK in row]:
        # What is raised stands under the frames; below it comes what whoever ran the program says, as make and npm do.
        raised = [row for row in said[traced[-1] + 1 :] if row[0].isalpha()]
        return short(raised[0] if raised else said[-1])
    return short(next((row for row in said if tells(row)), said[-1]))


def tells(row: str) -> bool:
    """Tell whether a line says what went wrong."""
    lower = row.lower()
    return any(word in lower for word in _TELLING)


LONGEST_PROMPT = 10_000  # characters: what is longer is pasted, and what is wanted stands before it

# What the agent puts into the mouth of a person: its own commands, their output, notices, and what an editor adds.
_BODIES = (
    *("command-name", "command-message", "command-args", "command-contents"),
    *("local-command-stdout", "local-command-stderr", "local-command-caveat"),
    *("bash-input", "bash-stdout", "bash-stderr", "user-memory-input", "user-prompt-submit-hook"),
    *("task-notification", "system-reminder", "new-diagnostics", "teammate-message"),
    *("ide_opened_file", "ide_selection", "ide_diagnostics"),
)
_COMMAND = "<command-name>"  # a slash command: what stands beside it is its own text
# Lines of older releases, which had no field to tell that nobody typed them.
_UNTYPED = (
    "Caveat: The messages below were generated by the user while running local commands",
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
    "Unknown slash command:",
    "Unknown skill:",
)
_BEHIND_NAME = (">", " ", "\n", "\t")  # of a mark, so that one with a longer name is not meant
_AGAIN = frozenset("retry rerun continue proceed run fix check fail fails failed failing error errors once".split())
_NOT_TYPED = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain")
_PERSONS = ("", "human", "user")  # origins of a line that somebody typed


def pushes(prompt: str) -> bool:
    """Tell whether a prompt only says to go on, to retry or that it still fails, and not how."""
    said = folded(prompt)
    return all(word in _AGAIN or (word == NOT and "still" in said) for word in tokens(prompt))


def queued(line: Line) -> str:
    """Return what a person typed while the agent was at work, which is kept as an attachment."""
    attached = line.value("attachment")
    if not isinstance(attached, dict) or attached.get("type") != "queued_command":
        return ""
    by_person = attached.get("commandMode", "prompt") == "prompt" and _by_person(attached.get("origin"))
    return typed(line, attached.get("prompt")) if by_person else ""


def typed(line: Line, content: Any) -> str:
    """Return the prompt in a person's line, or an empty text."""
    if any(line.says(field) for field in _NOT_TYPED) or not _by_person(line.value("origin")):
        return ""
    said = (bare(text) for text in texts(content) if _COMMAND not in text)
    text = "\n".join(part for part in said if part and not is_interruption(part))
    return "" if text.startswith(_UNTYPED) or _is_command(text) else text[:LONGEST_PROMPT]


def _is_command(text: str) -> bool:
    """Tell whether a text is a slash command and not a path."""
    name = text.split(maxsplit=1)[0] if text.startswith("/") else ""
    return name[1:2].isalpha() and "/" not in name[1:] and "." not in name


def bare(text: str) -> str:
    """Return a text without the bodies that the agent put into it, and without what is private. An unclosed mark of an
    agent is the person's."""
    for body in _BODIES:
        if f"</{body}>" in text:
            text = "".join(_outside(text, f"<{body}", f"</{body}>"))
    return public(text).strip()


def _outside(text: str, begin: str, end: str) -> Iterator[str]:
    kept = at = 0
    while (start := text.find(begin, at)) >= 0:
        at = start + len(begin)
        if text[at : at + 1] not in _BEHIND_NAME:
            continue
        behind = text.find(end, at)
        if behind < 0:
            break
        yield text[kept:start]
        kept = at = behind + len(end)
    yield text[kept:]


def _by_person(origin: Any) -> bool:
    return not isinstance(origin, dict) or origin.get("kind", "") in _PERSONS


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
    """Tell whether it was a tool that was interrupted."""
    return text.strip() == _INTERRUPTED_TOOL


def is_interrupted(line: Line, tool: str, text: str) -> bool:
    """Tell whether a failed result says that a person interrupted the tool."""
    return is_interruption(text) and (bool(line.text("toolDenialKind")) or not tool.startswith(_FOREIGN))


def is_rejection(line: Line, tool: str, text: str) -> bool:
    """Tell whether a failed result says that a person refused the tool; a tool might say so itself."""
    if kind := line.text("toolDenialKind"):
        return kind == USER_REJECTED
    if line.value("toolUseResult") == _REFUSED:
        return True
    return text.startswith(_REFUSALS) and not tool.startswith(_FOREIGN)


def is_cancelled(line: Line, text: str) -> bool:
    """Tell whether a failed result says that the tool was not tried because of a call beside it."""
    return line.text("toolDenialKind") == "cancelled" or text.removeprefix(_WRAP).startswith(_CANCELLED)


def is_denial(line: Line, text: str) -> bool:
    """Tell whether a failed result says that the tool was not allowed."""
    return bool(line.text("toolDenialKind")) or text.startswith((*_DENIALS, *_REFUSALS))


def reason(text: str) -> str:
    """Return what a person said to a refusal."""
    _, said, reason = text.partition(_SAID)
    return reason.partition(_HINT)[0].strip()[:LONGEST_REASON] if said else ""
