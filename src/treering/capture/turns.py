"""Define turns (what was said, what the agent did) and catches (what is worth keeping, each thing once).

Of a tool's output only counts whether the call worked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from treering.text.transcripts.lines import telling
from treering.text.words import EMPTY, STOP_WORDS, folded

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
    wrote: str = ""  # by an edit, if it is short: see `new_lines`


Turn = Said | Did
LONGEST_WRITTEN = 100  # characters of an edit that are kept with a fix: more is code, and the file has it

SHELLS = frozenset(
    {"Bash", "PowerShell", "Shell", "shell", "exec_command", "local_shell", "shell_command", "container.exec"}
)
EDITORS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "Update", "apply_patch"})


TOLD, CORRECTION, PREFERENCE, FIX, DECISION, EPISODE = "told", "correction", "preference", "fix", "decision", "episode"
SEMANTIC, PROCEDURAL, EPISODIC = "semantic", "procedural", "episodic"
PROJECT, PERSON = "project", "user"

_DIGEST = 8  # bytes: enough for all that a person ever says
# These kinds share their marks: the same words may be read as either.
_FAMILIES = {TOLD: "said", CORRECTION: "said", PREFERENCE: "said", DECISION: "said"}


class Catch(NamedTuple):
    kind: str
    content: str
    type: str = SEMANTIC
    scope: str = PROJECT
    trigger: str = ""
    action: str = ""
    outcome: str = ""
    confidence: float = 0.0
    line: str = ""  # of the turn that it rests on
    mark: str = ""  # the same for the same thing, wherever it was seen
    by: str = "user"  # whose words: the user's or the agent's
    worth: float = 0.0  # how likely it is worth keeping by the shipped weights; 0 if nobody judged
    why: str = ""  # it was kept, in words
    likely: bool = False  # not sure enough to lead: it is kept for a time, and found when a prompt is about it
    faint: bool = False  # worth keeping only if it replaces a memory


def marked(catch: Catch) -> Catch:
    """Return a catch with a mark. A fix is marked by what was done, as the agent may explain it later."""
    if catch.mark:
        return catch
    text = f"{catch.trigger} {catch.action}" if catch.kind == FIX else catch.content
    words = " ".join(word for word in folded(text) if word not in EMPTY)
    said = f"{_FAMILIES.get(catch.kind, catch.kind)}\n{words}"
    return catch._replace(mark=blake2b(said.encode("utf-8", "replace"), digest_size=_DIGEST).hexdigest())


@lru_cache(maxsize=4_096)  # what is caught in a session is compared with each of its prompts
def stems(text: str) -> frozenset[str]:
    """Return the words that a text is about, without a plural's s."""
    words = (word for word in folded(text) if word not in STOP_WORDS)
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)


_SAME = 0.8  # share of all words of two statements that both have: the later one says it again
_NEAR = 200  # statements before it with which one is compared


def distinct(found: Sequence[Catch]) -> list[Catch]:
    """Return each thing once: of two that say the same, the surer, or else the later."""
    kept: list[Catch] = []
    for catch in found:
        near = range(max(0, len(kept) - _NEAR), len(kept))
        at = next((place for place in near if _same(catch, kept[place])), -1)
        if at < 0:
            kept.append(catch)
        elif catch.likely <= kept[at].likely:
            kept[at] = catch
    return kept


def left(found: Sequence[Catch], retraction: str, last: str) -> list[Catch]:
    """Return what is left after a sentence that takes something back: what it names, or else the last prompt."""
    named = [one for one in found if len(stems(one.content) & stems(retraction)) > 0]
    gone = named or [one for one in found if one.line == last]
    return [one for one in found if one not in gone]


def _same(one: Catch, other: Catch) -> bool:
    some, others = stems(one.content), stems(other.content)
    return len(some & others) >= _SAME * max(len(some | others), 1)


_LOOKED_AT = 4_000  # characters from either end of an output
# Behind a pipe, or in front of "|| true", a command's exit code is lost, and only its output tells that it failed.
_HIDING = ("|", "; echo", ";echo")
_SIGNS = (
    *("Traceback (most recent call last)", "npm ERR!", "npm error", "FAILED", "FAILURES", "ERRORS", "error:", "Error:"),
    *("error[E", "command not found", "No such file or directory", "BUILD FAILED", "panic:", "fatal:", "exit code 1"),
    *("exit code: 1", "Exit status 1", "✗", "✕", "error TS", "ELIFECYCLE", "FAIL ", "--- FAIL"),
)
_WAITING = ("Command running in background", "Command is running in background")


def answered(call: Did, output: str) -> Did:
    """Return a call with a result that is no error."""
    if output.startswith(_WAITING):
        return call
    if call.command and any(hiding in call.command for hiding in _HIDING):
        seen = output if len(output) <= 2 * _LOOKED_AT else output[:_LOOKED_AT] + "\n" + output[-_LOOKED_AT:]
        if any(sign in seen for sign in _SIGNS):
            return failed(call, output)
    return call._replace(ok=True)


def new_lines(old: str, new: str) -> str:
    """Return the lines that an edit put in place of others, on one line; nothing if they are more than a few words."""
    before = {line.strip() for line in old.splitlines()}
    fresh = [line for each in new.splitlines() if (line := each.strip()) and line not in before]
    text = " ".join("; ".join(fresh).replace("`", "'").split())
    return text if len(text) <= LONGEST_WRITTEN else ""


def failed(call: Did, output: str) -> Did:
    return call._replace(ok=False, error=telling(output))
