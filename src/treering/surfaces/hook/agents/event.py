"""Define the event of a hook, in one shape for all agents.

Another program wrote the payload, in a version that nobody tested here, so parsing never raises: a
field that is missing or has another type becomes the empty text, and one that is too long is cut.
"""

from __future__ import annotations

from zlib import crc32

from treering.ledger.tuples import NamedTuple
from treering.text.json import read_json
from treering.text.secrets import public

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


# Caps in characters: an inbox is read by the next process that has time, and a store shall not grow by what a person
# pasted. What is cut from a prompt or an answer is still in the transcript.
NAME = 200  # of ids, tools, sources; those of today's agents are below 64
PATH = 4096  # PATH_MAX of Linux
PROMPT = 32_000  # a long page; longer ones are pasted logs
COMMAND = 4_000  # here-documents are longer, and their first lines tell which they are
ERROR = 2_000  # its first lines name it, its last ones hold the cause
ANSWER = 16_000  # a long answer; implicit feedback looks for a memory's words in it
SUMMARY = 16_000  # what Claude Code writes when it compacts is about half of this

_READ = 200_000  # characters of JSON within a text that are read; what is longer is data, not a shell's answer
_HUGE = 10**18  # far above any count or time; Python refuses to write numbers of thousands of digits

GAP = "\n…\n"  # where something was cut out

EVENTS = frozenset(
    """SessionStart UserPromptSubmit PostToolUse PostToolUseFailure PostCompact Stop SubagentStart SubagentStop
    SessionEnd""".split()
)

# Who submits prompts that no person typed (`source` of Claude Code's UserPromptSubmit).
_MACHINES = frozenset("sdk system loop_wakeup schedule_wakeup poll_event".split())

# How prompts begin that an agent writes to itself.
_NOTICES = ("<task-notification", "<system-reminder", "<local-command-", "<command-", "Caveat: The messages below were")

_SHELLS = frozenset("bash powershell shell local_shell exec_command run_shell_command run_terminal_cmd".split())
_EDITORS = frozenset(
    """edit multiedit write notebookedit replace write_file edit_file create str_replace_editor search_replace
    strreplace str_replace_based_edit_tool apply_patch delete""".split()
)
_PATHS = ("file_path", "path", "notebook_path", "filePath", "target_file", "target_notebook")
_PATCHED = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")

# Variables that hold the folder of the project, for payloads that have none.
_FOLDERS = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR", "PWD")


class HookEvent(NamedTuple):
    """An event of an agent's session. `key` tells it from the other events of its session and kind,
    and is the same when a hook is fired twice for it."""

    agent: str
    event: str  # one of EVENTS
    session: str = ""
    key: str = ""
    cwd: str = ""
    transcript: str = ""
    prompt: str = ""
    source: str = ""  # how a session began or why it ended, who asked, what made it compact
    tool: str = ""  # as the agent names it
    command: str = ""  # of a shell
    target: str = ""  # the file that was edited
    ok: bool | None = None  # of a tool; None when the agent does not tell
    error: str = ""
    answer: str = ""  # the agent's last message
    summary: str = ""  # of what was compacted
    subagent: str = ""
    interrupted: bool = False  # a person stopped it, or did not allow it
    human: bool = True  # False for a prompt that no person typed
    native: str = ""  # the agent's own name of the event


def parse_fields(
    agent: str, native: str, kind: str, shape: Mapping[str, object], environment: Mapping[str, str]
) -> HookEvent:
    """Return the event of fields named as in Claude Code, and of `ok`, if it is known."""
    tool = text(shape.get("tool_name"), NAME)
    given = shape.get("tool_input")
    ok = shape.get("ok")
    if kind == "PostToolUse" and ok is False:
        kind = "PostToolUseFailure"
    event = HookEvent(
        agent=agent,
        event=kind,
        session=text(shape.get("session_id"), NAME),
        cwd=_folder(shape, environment),
        transcript=text(shape.get("transcript_path"), PATH),
        prompt=text(_public(shape.get("prompt")), PROMPT, PROMPT - PROMPT // 4),
        source=text(shape.get("source") or shape.get("reason") or shape.get("trigger"), NAME).lower(),
        tool=tool,
        command=command_of(tool, given),
        target=target_of(tool, given),
        ok=False if kind == "PostToolUseFailure" else ok if isinstance(ok, bool) else None,
        error=text(shape.get("error"), ERROR, ERROR // 4),
        answer=text(shape.get("last_assistant_message"), ANSWER, ANSWER // 2),
        summary=text(shape.get("compact_summary"), SUMMARY),
        subagent=text(shape.get("agent_id"), NAME),
        interrupted=shape.get("is_interrupt") is True,
        native=native,
    )
    return event._replace(key=_key(event, shape), human=_typed_by_person(event))


def _public(value: object) -> object:
    """Return a prompt without what is private, before anything is cut."""
    return public(value) if isinstance(value, str) else value


def text(value: object, most: int, head: int = 0) -> str:
    """Return a text of at most so many characters. A longer one loses its end, or what lies between
    `head` and its end."""
    if not isinstance(value, str):
        return ""
    if len(value) > most:
        value = value[:most] if not head else value[:head] + GAP + value[len(value) - (most - head - len(GAP)) :]
    if not value.isascii():  # half of a pair cannot be stored
        value = value.encode("utf-8", "replace").decode()
    return value.replace("\0", "")


def fields(value: object) -> dict[str, object]:
    """Return the fields of an object, or none of anything else."""
    return value if isinstance(value, dict) else {}


def unwrap(value: object) -> object:
    """Return the value of a JSON object that an agent sent as a text, or the value as it is."""
    if not isinstance(value, str) or not value.startswith("{") or len(value) > _READ:
        return value
    try:
        return read_json(value)
    except (ValueError, RecursionError):
        return value


def checksum(*parts: str) -> str:
    """Return eight letters that are the same for the same texts: enough for one session."""
    return f"{crc32(chr(31).join(parts).encode('utf-8', 'replace')):08x}"


def command_of(tool: str, given: object) -> str:
    """Return the command of a shell. Other tools have fields of that name for other things."""
    if tool.lower() not in _SHELLS or not isinstance(given, dict):
        return ""
    found = given.get("command") or given.get("cmd")
    if isinstance(found, list):  # Codex hands a shell its words: what follows `-lc` is the command
        words = [word for word in found if isinstance(word, str)]
        shelled = len(words) > 2 and words[-2].startswith("-") and words[-2].endswith("c")
        found = words[-1] if shelled else " ".join(words)
    return text(found, COMMAND)


def target_of(tool: str, given: object) -> str:
    """Return the file that an editing tool was given; of a patch, the first."""
    if tool.lower() not in _EDITORS:
        return ""
    if isinstance(given, dict):
        for name in _PATHS:
            if found := text(given.get(name), PATH):
                return found
        given = given.get("command") or given.get("input") or given.get("patch")
    for line in text(given, COMMAND).splitlines():
        for start in _PATCHED:
            if line.startswith(start):
                return line[len(start) :].strip()
    return ""


def exit_code(response: object) -> int | None:
    """Return the exit code within a tool's response, if an agent puts one there."""
    for place in (fields(response), fields(fields(response).get("metadata"))):
        for name in ("exit_code", "exitCode"):
            found = place.get(name)
            if isinstance(found, int) and not isinstance(found, bool):
                return found
    return None


def failure_text(code: int, output: str) -> str:
    """Return an error as Claude Code words it, so that a failure reads the same in every agent."""
    return f"Exit code {code}\n{output.strip()}"


def hook_specific(event: HookEvent, context: str) -> dict[str, object]:
    """Return a reply in the form of Claude Code, which others take too."""
    return {"hookSpecificOutput": {"hookEventName": event.native, "additionalContext": context}}


def _folder(shape: Mapping[str, object], environment: Mapping[str, str]) -> str:
    found = text(shape.get("cwd"), PATH)
    for name in _FOLDERS:
        found = found or text(environment.get(name), PATH)
    return found


def _typed_by_person(event: HookEvent) -> bool:
    """Tell whether a person typed this prompt."""
    if event.event != "UserPromptSubmit":
        return True
    return event.source not in _MACHINES and not event.subagent and not event.prompt.lstrip().startswith(_NOTICES)


def _key(event: HookEvent, shape: Mapping[str, object]) -> str:
    """Return what two firings of one event have in common.

    That is the agent's own id where it gives one, and a checksum of the words, as one turn may hold
    several prompts and answers. An agent without ids stamps each event with a time, which its hooks
    share. Claude Code before 2.1.196 has neither for prompts: there the second of two equal prompts
    of a session is taken for the first fired twice.
    """
    turn = text(shape.get("prompt_id"), NAME) or _timestamp(shape)
    if event.event in ("PostToolUse", "PostToolUseFailure"):
        call = text(shape.get("tool_use_id"), NAME)
        return call or f"{turn}:{checksum(event.tool, event.command, event.target, _timestamp(shape))}"
    if event.event == "UserPromptSubmit":
        return f"{turn}:{checksum(event.prompt)}"
    if event.event in ("Stop", "SubagentStop"):
        return f"{turn}:{checksum(event.answer, event.subagent, _number(shape.get('loop_count')))}"
    if event.event == "SubagentStart":
        return f"{turn}:{event.subagent}"
    if event.event == "PostCompact":
        return f"{turn}:{checksum(event.summary)}"
    # A session may be resumed again and again; how long it rested and how full it was tells one time from another.
    rest = checksum(_number(shape.get("seconds_since_last_response")), _number(shape.get("context_tokens")))
    return f"{event.source}:{turn}:{rest}"


def _timestamp(shape: Mapping[str, object]) -> str:
    """Return when an event happened, as the agent writes it."""
    found = shape.get("timestamp")
    return text(found, NAME) or _number(found)


def _number(value: object) -> str:
    return str(value)[:NAME] if isinstance(value, int | float) and -_HUGE < value < _HUGE else ""
