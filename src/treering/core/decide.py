"""Intents to events. Every rule about what may happen is here; nothing is written here."""

from __future__ import annotations

from treering.core.codec import encode, fingerprint
from treering.core.errors import CannotUndo, InvalidInput, NotFound
from treering.core.events import (
    FORGOTTEN,
    PURGED,
    RECALLED,
    REMEMBERED,
    REVOKED,
    SURFACED,
    UNDONE,
    WEIGHED,
    Draft,
)
from treering.core.lifecycle import check_move
from treering.core.tuples import NamedTuple
from treering.core.types import (
    ACTORS,
    CHANNELS,
    DEFAULT_TYPE,
    QUERY_TYPES,
    SCOPES,
    one_of,
    origin_named,
    type_named,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from treering.core.events import Data, Event
    from treering.core.types import Context, Memory, Recall

LESSON = ("problem", "approach", "gotchas")
RULE = ("trigger", "action", "outcome")
MOST_TAGS = 50  # more than this is a text, not a set of labels
HEAVIEST = 10.0  # weight of a channel: with ten times the default it is alone already
LONGEST_NAME = 500  # characters of a project, session, space, tag or language: they are names, not texts


class Remember(NamedTuple):
    """What somebody wants remembered, after the guard has seen it."""

    content: str
    type: str = ""
    scope: str = ""
    tags: tuple[str, ...] = ()
    project: str = ""
    session: str = ""
    origin: str = ""
    at: int | None = None
    place: str = ""  # file and line, for a row that is imported
    row: str = ""  # the id of that row in its file
    language: str = ""
    invariant: bool = False
    problem: str = ""
    approach: str = ""
    gotchas: str = ""
    trigger: str = ""
    action: str = ""
    outcome: str = ""
    redacted: tuple[str, ...] = ()


# What goes into the event as it is, and only if it is there.
_FIRST_OPTIONAL = Remember._fields.index("language")
_OPTIONAL = Remember._fields[_FIRST_OPTIONAL:]


def remember(wish: Remember, context: Context) -> Draft:
    """A memory is made, if what is asked for makes sense."""
    one_of("actor", context.actor, ACTORS)
    project, session = wish.project or context.project, wish.session or context.session
    data: Data = {
        "content": _content(wish),
        "type": type_named(wish.type) if wish.type else DEFAULT_TYPE,
        "scope": _scope(wish.scope, project, session),
    }
    if any(wish[_FIRST_OPTIONAL:]):
        data.update((name, getattr(wish, name)) for name in _OPTIONAL if getattr(wish, name))
    if wish.at is not None:
        data["at"] = wish.at
    if wish.tags:
        data["tags"] = _tags(wish.tags)
    _names(project, session, context.space, wish.language)
    key = 0
    if wish.place:
        # Where the file lies is no part of what makes a row itself, unless the row says so.
        key = fingerprint((context.space, project, session, wish.row, wish.origin, data))
        data["key"] = key
    data["origin"] = _origin(wish, context.actor)
    return Draft(REMEMBERED, encode(data), context.actor, context.space, project, session, key=key)


def _origin(wish: Remember, actor: str) -> str:
    if wish.origin:
        return str(origin_named(wish.origin))
    if wish.place:
        return f"import:{wish.place}"
    return actor if actor in ("user", "agent") else "agent"


def forget(memory: Memory, context: Context, reason: str = "") -> Draft:
    check_move(memory.id, memory.status, "forgotten")
    return _draft(FORGOTTEN, _reason(reason), context, memory.id, causes=(memory.id,))


def restore(memory: Memory, history: Sequence[Event], context: Context) -> Draft:
    """Bring a forgotten memory back as it was: the forgetting is undone."""
    forgettings = [event.id for event in history if event.kind == FORGOTTEN]
    if memory.status != "forgotten" or not forgettings:
        raise InvalidInput(f"memory {memory.id} is {memory.status}, not forgotten: there is nothing to restore")
    return _draft(UNDONE, {"events": forgettings, "reason": "restored"}, context)


def purge(id: str, history: Sequence[Event], context: Context, reason: str = "") -> Draft:
    """Erase every payload about a memory. Only a person asks for this, and it cannot be undone."""
    if not any(event.kind == REMEMBERED and event.subject == id for event in history):
        raise NotFound("memory", id, "only memories can be purged; `treering list` shows those that there are")
    if any(event.kind == PURGED for event in history):
        raise InvalidInput(f"memory {id} has been purged already")
    return _draft(PURGED, _reason(reason), context, id)


def recalled(found: Recall, k: int, took: int, context: Context) -> Draft:
    """A query was answered. The order is not left to chance, so what was shown was shown for certain."""
    hits = [
        {"id": hit.memory.id, "rank": rank, "score": round(hit.score, 4), "p": 1.0}
        for rank, hit in enumerate(found.hits, 1)
    ]
    data = {
        "query": found.query,
        "type": found.type,
        "strategy": found.strategy,
        "k": k,
        "hits": hits,
        "confidence": round(float(found.confidence), 4),
        "took": took,
    }
    return _draft(RECALLED, data, context)


def surfaced(memory: Memory, rank: int, recall: str, context: Context) -> Draft:
    """A recall showed a memory: it counts as used."""
    return _draft(SURFACED, {"rank": rank}, context, memory.id, causes=(recall, memory.id))


def weigh(weights: Mapping[str, float], context: Context, type: str = "", reason: str = "") -> Draft:
    """The channels of recall count so from now on: in the project where we stand, for a type of query or for all."""
    if type:
        one_of("type of query", type, QUERY_TYPES)
    for channel, weight in weights.items():
        one_of("channel", channel, CHANNELS)
        if not 0 <= weight <= HEAVIEST:
            raise InvalidInput(f"the weight of {channel} must be from 0 to {HEAVIEST}, not {weight!r}")
    where = {"project": context.project} if context.project else {}
    data = {**where, **({"type": type} if type else {}), "weights": dict(weights), **_reason(reason)}
    return _draft(WEIGHED, data, context)


def undo(events: Sequence[Event], left_out: Collection[str], context: Context, reason: str = "") -> Draft:
    """Leave events out of the fold. Undoing an undoing brings back what it left out."""
    for event in events:
        if event.kind == PURGED:
            raise CannotUndo(f"event {event.id} is a purge: what it erased is gone for good")
        if event.id in left_out:
            raise CannotUndo(f"event {event.id} has been undone already: see `treering log`")
    return _draft(UNDONE, {"events": [event.id for event in events], **_reason(reason)}, context)


def revoke(session: str, source: str, context: Context, reason: str = "") -> Draft:
    """Leave out all that a session or a source has brought, and all that was made of it."""
    if bool(session) == bool(source):
        raise InvalidInput("name either the session or the source to revoke")
    named = {"session": session} if session else {"source": source}
    return _draft(REVOKED, {**named, **_reason(reason)}, context)


def _draft(kind: str, data: Data, context: Context, subject: str = "", causes: tuple[str, ...] = ()) -> Draft:
    one_of("actor", context.actor, ACTORS)
    _names(context.space, context.project, context.session)
    return Draft(kind, encode(data), context.actor, context.space, context.project, context.session, subject, causes)


def _content(wish: Remember) -> str:
    text = wish.content.strip()
    if not any(wish[_FIRST_OPTIONAL:]):
        fields = []
    else:
        lesson, rule = ([getattr(wish, name) for name in names if getattr(wish, name)] for names in (LESSON, RULE))
        if lesson and rule:
            raise InvalidInput(
                f"a memory is either a lesson ({', '.join(LESSON)}) or a rule ({', '.join(RULE)}), not both"
            )
        fields = lesson or rule
    if not text and not fields:
        raise InvalidInput("there is nothing to remember: the text is empty")
    return text or ". ".join(fields)


def _scope(scope: str, project: str, session: str) -> str:
    """Unless said otherwise, what is learned in a project belongs to it, and all else to the user."""
    chosen = one_of("scope", scope or ("project" if project else "user"), SCOPES)
    if chosen == "project" and not project:
        raise InvalidInput("scope 'project' needs a project: name it, or choose scope 'user'")
    if chosen == "session" and not session:
        raise InvalidInput("scope 'session' needs a session: name it, or choose another scope")
    return chosen


def _tags(tags: Sequence[str]) -> list[str]:
    """Tags are single words, so that a line of them can be read back."""
    words = ("-".join(tag.split()) for tag in tags)
    found = list(dict.fromkeys(word for word in words if word))
    if len(found) > MOST_TAGS:
        raise InvalidInput(f"{len(found)} tags are more than {MOST_TAGS}: put the rest into the text")
    _names(*found)
    return found


def _names(*names: str) -> None:
    for name in names:
        if len(name) > LONGEST_NAME:
            raise InvalidInput(f"a name of {len(name):,} characters is longer than {LONGEST_NAME}: {name[:40]!r}…")
        if name and not name.isprintable():
            raise InvalidInput(f"a name must be of one line that can be read: {name[:40]!r}")


def _reason(reason: str) -> Data:
    return {"reason": reason} if reason else {}
