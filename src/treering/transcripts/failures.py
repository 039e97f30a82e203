"""The telling line of an error."""

from __future__ import annotations

from treering.transcripts.lines import short

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
    """The line that says what went wrong: that of a traceback stands last, that of a command first."""
    for mark in _WRAPPED:
        error = error.replace(mark, "")
    if len(error) > 2 * _LOOKED_AT:
        error = error[:_LOOKED_AT] + "\n" + error[-_LOOKED_AT:]
    rows = [row for row in error.splitlines() if row.strip()]
    said = [row for row in rows if not row.startswith(_CODE)] or rows or [_EMPTY]
    if any(_TRACEBACK in row for row in said):
        raised = [row for row in said if row[0].isalpha() and not row.startswith(_TRACEBACK)]
        return short(raised[-1] if raised else said[-1])
    return short(next((row for row in said if tells(row)), said[-1]))


def tells(row: str) -> bool:
    """Whether a line says what went wrong."""
    lower = row.lower()
    return any(word in lower for word in _TELLING)
