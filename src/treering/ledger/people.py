"""Say who of a team may do what, whose an event is, and who comes in with a token.

An event of a person lies in the space of the team only if all may see it: what they keep to
themselves, what they asked, and whatever was made of either lies in their own. Every event names
its person behind who acted: `user:anna`. Tokens are events too, with a hash in place of the token,
so both engines have them, and the ledger tells who was given what, and when.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from treering.ledger import events as kinds
from treering.ledger.codec import decode, draft
from treering.ledger.errors import Forbidden, InvalidInput, NotFound
from treering.ledger.events import Draft, Event
from treering.ledger.types import RECALLABLE, Context, Filter, one_of, own_of, person_in, seen_from, team_of
from treering.stores.port.ledger import EventQuery, LedgerReader, Reader

ROLES = READER, WRITER, REVIEWER, ADMIN = "reader", "writer", "reviewer", "admin"  # each may do what those before may
TOKENS = (kinds.ADMITTED, kinds.DISMISSED)
_PREFIX = "treering_"  # by which scanners of secrets, and our own, know a token
_CHANCE = 32  # bytes of a token: nobody guesses that many
_LONGEST = 64  # characters of a person's name

# What a person asked or said is their own, whatever memory it led to.
_OWN = frozenset({*kinds.QUESTIONS, kinds.READ, kinds.ASKED})
# What a person who leaves takes of each memory.
_TAKEN = (
    *("content", "type", "scope", "tags", "language", "problem", "approach", "gotchas", "trigger", "action", "outcome"),
    *("project", "session", "origin", "invariant"),
)
# What decides about what others have said. All else that events tell, a writer may.
_REVIEWS = frozenset(
    {
        *(kinds.SETTLED, kinds.VERIFIED, kinds.MOVED, kinds.QUEUED, kinds.MERGED, kinds.ABSORBED, kinds.BEGAN),
        *(kinds.EVOLVED, kinds.ACCEPTED, kinds.REJECTED, kinds.PROMOTED, kinds.WEIGHED, kinds.PRUNED, kinds.RAN),
        *(kinds.TENDED, kinds.NOTED, *kinds.UNDOINGS),
    }
)
# They say nothing of what was said.
_SHARED = frozenset({*TOKENS, kinds.ENDED, kinds.REVOKED})
_ADMINISTERS = frozenset({kinds.PURGED, *TOKENS})


class Member(NamedTuple):
    """What a ledger is told of whoever writes to it."""

    role: str = ADMIN
    person: str = ""
    private: frozenset[str] = frozenset()  # projects of which all is their own


OPERATOR = Member()  # whoever has the file, or the password of the database


class Token(NamedTuple):
    """What is known of a token. Nobody knows the token itself but the person who has it."""

    id: str  # the event that made it
    person: str
    role: str
    created: int
    by: str = ""
    revoked: int = 0


def may(role: str, least: str) -> bool:
    """Tell whether a role reaches as far as another."""
    return ROLES.index(role) >= ROLES.index(least)


def place(drafts: Iterable[Draft], known: Mapping[str, Event], member: Member) -> list[Draft]:
    """Put drafts where they belong and name their person, or refuse those that the person may not write."""
    placed = []
    for one in drafts:
        _check_seen(one, known)
        space = _space(one, known, member.private)
        _check(one, space, known, member.role)
        person = member.person or person_in(one.space)
        placed.append(one._replace(space=space, actor=f"{one.actor}:{person}" if person else one.actor))
    return placed


def named(one: Draft) -> tuple[str, ...]:
    """Return the events that a draft is about or rests on."""
    undone = decode(one.payload).get("events", ()) if one.kind == kinds.UNDONE else ()
    return tuple(filter(None, (one.subject, *one.causes, *undone)))


def _space(one: Draft, known: Mapping[str, Event], private: Collection[str]) -> str:
    """Return the space of a draft: that of the team, if nothing in it is the person's own."""
    team, own = team_of(one.space), own_of(one.space)
    if not person_in(one.space) or one.space != own:
        return own
    if one.kind in _SHARED:
        return team
    if one.kind == kinds.REMEMBERED:
        data = decode(one.payload)
        kept = data["scope"] == "user" or data.get("private") or one.project in private
    elif one.subject:
        return known[one.subject].space if one.subject in known else own
    else:
        kept = one.kind in _OWN or not named(one)
    return own if kept or any(id not in known or known[id].space != team for id in named(one)) else team


def _check_seen(one: Draft, known: Mapping[str, Event]) -> None:
    """Refuse what is about something that the person cannot see: to them it is not there."""
    seen = seen_from(one.space)
    for id in named(one) if person_in(one.space) else ():
        if id in known and known[id].space not in seen:
            raise NotFound("memory", id)


def _check(one: Draft, space: str, known: Mapping[str, Event], role: str) -> None:
    if role == ADMIN:
        return
    least = ADMIN if one.kind in _ADMINISTERS else REVIEWER if one.kind in _REVIEWS else WRITER
    if space != team_of(space):
        least = WRITER  # their own
    elif one.kind == kinds.UNDONE and all(by(known[id]) == person_in(one.space) for id in named(one) if id in known):
        least = WRITER  # what they did themselves
    if not may(role, least):
        raise Forbidden(f"a {role} may not do this: it takes a role of {least}")


def by(event: Event) -> str:
    """Return the person of an event; nobody if it names none."""
    return event.actor.partition(":")[2]


def new_token() -> str:
    return _PREFIX + secrets.token_urlsafe(_CHANCE)


def admit(person: str, role: str, token: str, context: Context) -> Draft:
    """Give a person a token. The event has its hash: a token of chance needs no salt."""
    check_person(person)
    one_of("role", role, ROLES)
    return draft(kinds.ADMITTED, {"person": person, "role": role, "hash": _hash(token)}, context)


def dismiss(token: Token, context: Context) -> Draft:
    return draft(kinds.DISMISSED, {"person": token.person}, context, causes=(token.id,))


def check_person(name: str) -> None:
    """Refuse what is no name of a person."""
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    if not plain.isalnum() or len(name) > _LONGEST:
        raise InvalidInput(f"a person is named by letters, digits, - _ and ., not {name!r}")


def tokens(ledger: LedgerReader, space: str) -> list[Token]:
    """Return every token of a team, the oldest first. Undoing an event of these changes nothing."""
    return [token for token, _ in _tokens(ledger, space)]


def token_of(ledger: LedgerReader, space: str, shown: str) -> Token | None:
    """Return the token that somebody shows, if it holds."""
    wanted, found = _hash(shown), None
    for token, hashed in _tokens(ledger, space):
        if secrets.compare_digest(wanted, hashed) and not token.revoked:
            found = token
    return found


def standing(ledger: LedgerReader, space: str, name: str) -> list[Token]:
    """Return the tokens that hold, of a person or by an id."""
    found = [one for one in tokens(ledger, space) if name in (one.id, one.person) and not one.revoked]
    if not found:
        raise NotFound("token", name, "`treering token list` shows them")
    return found


def belongings(store: Reader, space: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return what is in the space of a person alone: memories as rows to remember elsewhere, and the ids of all that
    was said there, what is known no longer and what was asked too."""
    found = [*store.records(Filter(space, statuses=RECALLABLE))][::-1]
    rows = [
        {name: value for name in _TAKEN if (value := getattr(one, name))} | {"at": one.created / 1e6} for one in found
    ]
    said = store.events(EventQuery(kinds=(kinds.REMEMBERED, *kinds.QUESTIONS), space=space))
    return rows, [event.id for event in said if event.payload is not None]


def _tokens(ledger: LedgerReader, space: str) -> list[tuple[Token, str]]:
    found: dict[str, tuple[Token, str]] = {}
    for event in ledger.events(EventQuery(kinds=TOKENS, space=team_of(space))):
        if event.payload is None:
            continue
        data = decode(event.payload)
        if event.kind == kinds.ADMITTED:
            found[event.id] = Token(event.id, data["person"], data["role"], event.time, event.actor), data["hash"]
        for id in event.causes:
            if id in found:
                found[id] = found[id][0]._replace(revoked=event.time), found[id][1]
    return [*found.values()]


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
