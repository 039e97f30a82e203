"""Signals of friction. Each has the id of what it began with, so that reading again finds the same."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

INTERRUPTED = "interrupted"  # the agent was stopped in what it did
REJECTED = "rejected"  # a tool use was refused when the agent asked for leave


class Prompt(NamedTuple):
    """What a person typed."""

    id: str  # of its line
    text: str
    time: int  # microseconds since 1970; 0 if the line does not tell


class Loop(NamedTuple):
    """A tool that failed again and again at about the same. While it goes on it is told anew, with a higher count."""

    id: str  # of the tool use that failed first
    tool: str
    what: str  # that was tried: the command or the file, in short
    error: str  # the telling line of the last one
    count: int  # type: ignore[assignment]  # hides that of tuples, which nobody needs here
    time: int  # of the first failure


class Stop(NamedTuple):
    """A person stopped the agent."""

    id: str  # of its line, or of the tool use that was refused
    kind: str  # INTERRUPTED or REJECTED
    tool: str  # that was running or refused, if any
    reason: str  # in the person's words, if there are any
    time: int
    then: str = ""  # what they said next, if that was the next thing that happened
