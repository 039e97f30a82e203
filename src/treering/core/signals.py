"""Signals, read off the ledger: memories that sessions come back to, prompts that nothing answers, and friction.

Each is counted once however often it is told: a session that is replayed, a hook that fires twice, or a transcript that
is read again adds nothing.
"""

from __future__ import annotations

from treering.core.codec import data_of, encode
from treering.core.rings import DAY
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Event

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
        """How often it surfaced. A session counts once, so this is how many there were."""
        return len(self.sessions)

    @property
    def first(self) -> int:
        return min(self.moments)

    @property
    def last(self) -> int:
        return max(self.moments)


class Prompt(NamedTuple):
    """What somebody asked: in vain, or once more."""

    event: str
    text: str
    tokens: tuple[str, ...]
    session: str
    time: int  # by the ledger's clock


class Rub(NamedTuple):
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


def reuse(surfacings: Iterable[Event]) -> list[Reuse]:
    """The memories that were surfaced, most often first, from events in the order of the fold."""
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
    """The prompts that nothing answered, in the order in which they came. In one session a prompt counts once."""
    return _prompts(recalls, "query", same="")


def prompts(found: Iterable[Event]) -> list[Prompt]:
    """The prompts of transcripts, in the order in which they were found; each place in a transcript counts once."""
    return _prompts(found, "prompt", same="mark")


def _prompts(events: Iterable[Event], field: str, same: str) -> list[Prompt]:
    seen: dict[tuple[str, str], Prompt] = {}
    for event in events:
        data = data_of(event)[1] if event.payload is not None else {}
        if not data.get("tokens"):
            continue
        session = session_of(event)
        key = ("", data[same]) if same else (session, spoken(data[field]))
        if key not in seen:
            seen[key] = Prompt(event.id, data[field], tuple(data["tokens"]), session, event.clock)
    return [*seen.values()]


def rubs(found: Iterable[Event]) -> list[Rub]:
    """Friction, in the order in which it was found. What has gone on since it was first told counts as far as it
    came."""
    furthest: dict[str, Rub] = {}
    for event in found:
        if event.payload is None:
            continue
        data = data_of(event)[1]
        tool, what, error, reason = (str(data.get(name, "")) for name in ("tool", "what", "error", "reason"))
        told = (data["kind"], data["count"], tool, what, error, reason)
        known = furthest.get(data["mark"])
        if known is None or (data["count"], bool(reason)) > (known.tries, bool(known.reason)):
            furthest[data["mark"]] = Rub(event.id, *told, event.session, event.clock)
    return [*furthest.values()]


def spoken(prompt: str) -> str:
    """A prompt without what does not make it another one: capitals and blanks."""
    return " ".join(prompt.lower().split())


def session_of(event: Event) -> str:
    """The session of an event; outside of any the day, by how many there were since 1970."""
    return event.session or f"day {event.time // DAY}"
