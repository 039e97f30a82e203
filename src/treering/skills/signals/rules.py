"""Read signals from the ledger: memories that are used again, prompts without an answer, and
friction.

Each is counted once: a replayed session, a hook that fires twice, or a transcript that is read
again adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from treering.ledger.codec import data_of, encode
from treering.ledger.events import Event
from treering.ledger.sessions import DAY

_Surfacing = tuple[int, str, str, bool]  # when, which event, in which project, and whether it stood first

_FIRST = encode({"rank": 1})  # as a surfacing tells it
ASKED_AGAIN, RETRIED, INTERRUPTED, REJECTED = FRICTIONS = ("asked", "retried", "interrupted", "rejected")


class Reuse(NamedTuple):
    """A memory, and the sessions that recall showed it to."""

    memory: str
    sessions: tuple[str, ...]  # by name, each once; a day outside of any counts as one, under its date
    moments: tuple[int, ...]  # when each of them first did, by the ledger's clock
    events: tuple[str, ...]
    projects: tuple[str, ...]
    firsts: int  # sessions in which it stood first when it surfaced: what stands lower may only have stood by

    @property
    def times(self) -> int:
        """The number of sessions in which it surfaced."""
        return len(self.sessions)

    @property
    def first(self) -> int:
        return min(self.moments)

    @property
    def last(self) -> int:
        return max(self.moments)


class Prompt(NamedTuple):
    """A prompt that found nothing, or that was asked again."""

    event: str
    text: str
    tokens: tuple[str, ...]
    session: str
    time: int  # by the ledger's clock
    ran: tuple[str, ...] = ()  # commands that worked then,
    failed: tuple[str, ...] = ()  # and that did not


class Friction(NamedTuple):
    """A place where a session got stuck."""

    event: str
    kind: str
    tries: int
    tool: str
    what: str
    error: str
    reason: str
    session: str
    time: int  # by the ledger's clock
    worked: str = ""  # the like of it, in the end


def reuse(surfacings: Iterable[Event]) -> list[Reuse]:
    """Return the memories that were surfaced, the most often first, from events in order."""
    seen: dict[str, dict[str, _Surfacing]] = {}
    for event in surfacings:
        sessions = seen.setdefault(event.subject, {})
        session = session_of(event)
        if session not in sessions:
            first = event.payload == _FIRST
            sessions[session] = (event.clock, event.id, event.project, first)  # a whole event is ten times as large
    found = [_reuse(memory, sessions) for memory, sessions in seen.items()]
    return sorted(found, key=lambda one: (-one.times, one.memory))


def _reuse(memory: str, sessions: dict[str, _Surfacing]) -> Reuse:
    moments, events, projects, firsts = zip(*sessions.values(), strict=True)
    return Reuse(memory, tuple(sessions), moments, events, tuple(dict.fromkeys(filter(None, projects))), sum(firsts))


def misses(recalls: Iterable[Event]) -> list[Prompt]:
    """Return the prompts that nothing answered, in order. In one session a prompt counts once."""
    return _prompts(recalls, "query", same="")


def prompts(found: Iterable[Event]) -> list[Prompt]:
    """Return the prompts of transcripts, in order; each place in a transcript counts once."""
    return _prompts(found, "prompt", same="mark")


def _prompts(events: Iterable[Event], field: str, same: str) -> list[Prompt]:
    seen: dict[tuple[str, str], Prompt] = {}
    for event in events:
        data = data_of(event)[1] if event.payload is not None else {}
        if not data.get("tokens"):
            continue
        session = session_of(event)
        key = ("", data[same]) if same else (session, normalized(data[field]))
        if key not in seen:
            commands = (tuple(map(str, data.get(name, ()))) for name in ("ran", "failed"))
            seen[key] = Prompt(event.id, data[field], tuple(data["tokens"]), session, event.clock, *commands)
    return [*seen.values()]


def rubs(found: Iterable[Event]) -> list[Friction]:
    """Return friction, in order. If it went on after its first report, the highest count holds."""
    furthest: dict[str, Friction] = {}
    for event in found:
        if event.payload is None:
            continue
        data = data_of(event)[1]
        tool, what, error, reason, worked = (
            str(data.get(name, "")) for name in ("tool", "what", "error", "reason", "worked")
        )
        fields = (data["kind"], data["count"], tool, what, error, reason)
        known = furthest.get(data["mark"])
        rub = Friction(event.id, *fields, event.session, event.clock, worked)
        if known is None or _told(rub) > _told(known):
            furthest[data["mark"]] = rub
    return [*furthest.values()]


def _told(one: Friction) -> tuple[int, bool]:
    return one.tries, bool(one.reason or one.worked)


def normalized(prompt: str) -> str:
    """Return a prompt without differences of case and blanks."""
    return " ".join(prompt.lower().split())


def session_of(event: Event) -> str:
    """Return the session of an event, or the day outside of any."""
    return event.session or f"day {event.time // DAY}"
