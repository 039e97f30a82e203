"""What a hook heard, in one shape for all agents: Claude Code's, as most of the others follow it.

A hook gets what another program wrote, in a version that nobody tested here. So nothing in this module raises: what is
missing or of a foreign type becomes the empty text, and what is too long is cut.
"""

from __future__ import annotations

from zlib import crc32

from treering.core.tuples import NamedTuple

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
    """SessionStart UserPromptSubmit PostToolUse PostToolUseFailure PostCompact Stop SubagentStop SessionEnd""".split()
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


class Heard(NamedTuple):
    """An event of a session. `key` tells it from the other events of its session and kind, and is the same when a hook
    is fired twice for it."""

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


def listen(agent: str, native: str, event: str, shape: Mapping[str, object], environment: Mapping[str, str]) -> Heard:
    """Hear an event whose fields are named as in Claude Code. `ok` may be among them, when the agent's module knows."""
    tool = text(shape.get("tool_name"), NAME)
    given = shape.get("tool_input")
    ok = shape.get("ok")
    if event == "PostToolUse" and ok is False:
        event = "PostToolUseFailure"
    heard = Heard(
        agent=agent,
        event=event,
        session=text(shape.get("session_id"), NAME),
        cwd=_folder(shape, environment),
        transcript=text(shape.get("transcript_path"), PATH),
        prompt=text(shape.get("prompt"), PROMPT, PROMPT - PROMPT // 4),
        source=text(shape.get("source") or shape.get("reason") or shape.get("trigger"), NAME).lower(),
        tool=tool,
        command=command_of(tool, given),
        target=target_of(tool, given),
        ok=False if event == "PostToolUseFailure" else ok if isinstance(ok, bool) else None,
        error=text(shape.get("error"), ERROR, ERROR // 4),
        answer=text(shape.get("last_assistant_message"), ANSWER, ANSWER // 2),
        summary=text(shape.get("compact_summary"), SUMMARY),
        subagent=text(shape.get("agent_id"), NAME),
        interrupted=shape.get("is_interrupt") is True,
        native=native,
    )
    return heard._replace(key=_key(heard, shape), human=_typed(heard))


def text(value: object, most: int, head: int = 0) -> str:
    """A text of at most so many characters. What is too long loses its end, or what lies between `head` and its end."""
    if not isinstance(value, str):
        return ""
    if len(value) > most:
        value = value[:most] if not head else value[:head] + GAP + value[len(value) - (most - head - len(GAP)) :]
    if not value.isascii():  # half of a pair cannot be stored
        value = value.encode("utf-8", "replace").decode()
    return value.replace("\0", "")


def fields(value: object) -> dict[str, object]:
    """The fields of an object; none of anything else."""
    return value if isinstance(value, dict) else {}


def opened(value: object) -> object:
    """A value that some agents put as JSON into a text."""
    if not isinstance(value, str) or not value.startswith("{") or len(value) > _READ:
        return value
    from treering.hook.agents.wire import read

    try:
        return read(value)
    except (ValueError, RecursionError):
        return value


def mark(*parts: str) -> str:
    """Eight letters that are the same for the same texts. Of a session's events that is enough."""
    return f"{crc32(chr(31).join(parts).encode('utf-8', 'replace')):08x}"


def command_of(tool: str, given: object) -> str:
    """The command that a shell was given. Other tools have fields of that name too, with another meaning."""
    if tool.lower() not in _SHELLS or not isinstance(given, dict):
        return ""
    found = given.get("command") or given.get("cmd")
    if isinstance(found, list):  # Codex hands a shell its words: what follows `-lc` is the command
        words = [word for word in found if isinstance(word, str)]
        shelled = len(words) > 2 and words[-2].startswith("-") and words[-2].endswith("c")
        found = words[-1] if shelled else " ".join(words)
    return text(found, COMMAND)


def target_of(tool: str, given: object) -> str:
    """The file that an editing tool was given; of a patch, its first."""
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
    """The exit code within a tool's response, where an agent puts one."""
    for place in (fields(response), fields(fields(response).get("metadata"))):
        for name in ("exit_code", "exitCode"):
            found = place.get(name)
            if isinstance(found, int) and not isinstance(found, bool):
                return found
    return None


def said(code: int, output: str) -> str:
    """An error as Claude Code words it, so that the same failure reads the same in every agent."""
    return f"Exit code {code}\n{output.strip()}"


def _folder(shape: Mapping[str, object], environment: Mapping[str, str]) -> str:
    found = text(shape.get("cwd"), PATH)
    for name in _FOLDERS:
        found = found or text(environment.get(name), PATH)
    return found


def _typed(heard: Heard) -> bool:
    """Whether a person typed this prompt."""
    if heard.event != "UserPromptSubmit":
        return True
    return heard.source not in _MACHINES and not heard.subagent and not heard.prompt.lstrip().startswith(_NOTICES)


def _key(heard: Heard, shape: Mapping[str, object]) -> str:
    """What makes two firings one event.

    An agent's own id where it gives one, and a mark of the words, as one turn may hold several prompts and answers. An
    agent without ids stamps each event with a time, which its hooks share. Claude Code before 2.1.196 has neither for
    prompts: there the second of two equal prompts of a session is taken for the first fired twice.
    """
    turn = text(shape.get("prompt_id"), NAME) or _moment(shape)
    if heard.event in ("PostToolUse", "PostToolUseFailure"):
        call = text(shape.get("tool_use_id"), NAME)
        return call or f"{turn}:{mark(heard.tool, heard.command, heard.target, _moment(shape))}"
    if heard.event == "UserPromptSubmit":
        return f"{turn}:{mark(heard.prompt)}"
    if heard.event in ("Stop", "SubagentStop"):
        return f"{turn}:{mark(heard.answer, heard.subagent, _number(shape.get('loop_count')))}"
    if heard.event == "PostCompact":
        return f"{turn}:{mark(heard.summary)}"
    # A session may be resumed again and again; how long it rested and how full it was tells one time from another.
    rest = mark(_number(shape.get("seconds_since_last_response")), _number(shape.get("context_tokens")))
    return f"{heard.source}:{turn}:{rest}"


def _moment(shape: Mapping[str, object]) -> str:
    """When an event was, in whatever way the agent writes it."""
    found = shape.get("timestamp")
    return text(found, NAME) or _number(found)


def _number(value: object) -> str:
    return str(value)[:NAME] if isinstance(value, int | float) and -_HUGE < value < _HUGE else ""
