"""A session as it matters here: what was said, and what the agent did."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

USER, AGENT = "user", "agent"


class Said(NamedTuple):
    who: str  # user or agent
    text: str
    at: int = 0  # microseconds since 1970; 0 if nobody knows
    line: str = ""  # a stable id of the line
    prompt: str = ""  # the id of the prompt, if the agent tells one


class Did(NamedTuple):
    tool: str
    command: str = ""  # of a shell
    target: str = ""  # the file
    ok: bool | None = None  # None: refused, interrupted, or nobody knows yet
    error: str = ""  # its telling line, shortened: a name may be taken from it, but it never becomes a statement
    at: int = 0
    line: str = ""


Turn = Said | Did

SHELLS = frozenset(
    {"Bash", "PowerShell", "Shell", "shell", "exec_command", "local_shell", "shell_command", "container.exec"}
)
EDITORS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "Update", "apply_patch"})
