"""Moments in the files: whole seconds and days, in UTC, as people write them.

A fact as the files tell it: a memory in words, whole numbers and dates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from treering.documents.vault.lines import Item, plain, word
from treering.ledger.codec import fingerprint
from treering.ledger.decide import LESSON, RULE
from treering.ledger.errors import InvalidInput, MalformedLine
from treering.ledger.types import DEFAULT_TYPE, SCOPES, TRUSTS, one_of, origin_named, trust_in, type_named

DAY = 86_400  # seconds
_START = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = int((datetime(1, 1, 1, tzinfo=UTC) - _START).total_seconds())
LATEST = int((datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - _START).total_seconds())
_SECOND = 1_000_000  # microseconds


def seconds(moment: int) -> int:
    """Return a moment in microseconds as seconds, or the nearest that can be written as a date."""
    return min(max(moment // _SECOND, EARLIEST), LATEST)


def stamp(moment: int) -> str:
    """Return a moment in seconds, like 2026-06-27T10:30:05Z."""
    days, rest = divmod(moment, DAY)
    return f"{_date(days)}T{rest // 3_600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"


def day(moment: int) -> str:
    return _date(moment // DAY)


@lru_cache(4_096)  # a file has few dates, and each of them often
def read(text: str) -> int | None:
    """Return seconds since 1970, if it is a date, or a date and a time."""
    try:
        parsed = datetime.fromisoformat(text.strip())
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return int((aware - _START) // timedelta(seconds=1))
    except (ValueError, OverflowError):
        return None


def is_day(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and read(text) is not None


@lru_cache(4_096)
def _date(days: int) -> str:
    return (_START + timedelta(days)).date().isoformat()


DETAILS = LESSON + RULE
_ID = re.compile(r"[^\s|,;<>→]+")
_YES = ("yes", "true", "1")
_ABOUT = ("type", "scope", "project", "session", "tags", "language", "origin", "trust", "invariant")
_STANDING = ("last_used", "uses", "tier", "why", "reason", "superseded_by")  # in continuity.md and archive.md
_KEYS = ("id", "created", *_ABOUT, "purged", *_STANDING, *DETAILS)


class Fact(NamedTuple):
    """What is said, and about what it is said. Nothing here changes by being used."""

    id: str
    text: str
    created: int = 0  # seconds since 1970
    type: str = DEFAULT_TYPE
    scope: str = "user"
    project: str = ""
    session: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    origin: str = ""  # nothing where the file does not say
    trust: str = ""  # likewise
    invariant: bool = False
    problem: str = ""
    approach: str = ""
    gotchas: str = ""
    trigger: str = ""
    action: str = ""
    outcome: str = ""

    @property
    def details(self) -> dict[str, str]:
        """Return the structured fields that it has."""
        return {name: getattr(self, name) for name in DETAILS if getattr(self, name)}


def about(fact: Fact) -> dict[str, str]:
    """Return what a footer says of a fact beside its id and its dates; what goes without saying is left out."""
    return {
        "type": fact.type if fact.type != DEFAULT_TYPE else "",
        "scope": fact.scope if fact.scope != _usual_scope(fact.project) else "",
        "tags": " ".join(map(word, fact.tags)),
        "language": fact.language,
        "origin": fact.origin,
        "trust": fact.trust if fact.origin and fact.trust != trust_in(fact.origin) else "",
        "invariant": "yes" if fact.invariant else "",
    }


def first_footer(fact: Fact) -> dict[str, str]:
    """Return the footer of a fact where a session names it for the first time."""
    return {"id": fact.id, "created": stamp(fact.created), **about(fact)}


def read_fact(path: str, item: Item, project: str = "", session: str = "", when: int = 0) -> Fact:
    """Return the fact that an item tells, in the place and at the time of the file unless its footer says otherwise."""
    said = item.footer.get
    text = item.plain
    id = said("id", "") or f"text-{fingerprint(text):x}"
    if not text and not item.named and not is_purged(item):
        raise MalformedLine(path, item.line, f"fact {id!r} says nothing")
    here = said("project", project)
    try:
        check_keys(item, _KEYS)
        origin = said("origin", "")
        if origin:
            origin_named(origin)
        return Fact(
            known_id(id),
            text,
            moment(said("created", ""), when),
            type_named(said("type", "") or DEFAULT_TYPE),
            one_of("scope", said("scope", "") or _usual_scope(here), SCOPES),
            here,
            said("session", session),
            tuple(plain(tag) for tag in said("tags", "").replace(",", " ").split()),
            said("language", ""),
            origin,
            one_of("trust", said("trust", "") or (trust_in(origin) if origin else TRUSTS[-1]), TRUSTS),
            said("invariant", "").lower() in _YES,
            **item.named,
        )
    except InvalidInput as error:
        raise MalformedLine(path, item.last if item.footer else item.line, str(error)) from None


def check_keys(item: Item, known: tuple[str, ...]) -> None:
    """Raise an error for a key that is not known: a mistyped one would be ignored in silence."""
    for key in item.footer:
        if key not in known:
            from difflib import get_close_matches  # slow to import, so only for those who have mistyped

            near = get_close_matches(key, known, 1)
            hint = f"{near[0]!r} may be meant" if near else f"there are {', '.join(known)}"
            raise InvalidInput(f"a footer has no key {key!r}: {hint}")


def moment(text: str, otherwise: int) -> int:
    """Return a date, or a date and a time; a time alone is one of the day that it is told on."""
    if not text:
        return otherwise
    found = read(f"{day(otherwise)}T{text}Z" if text[2:3] == ":" else text)
    if found is None:
        raise InvalidInput(f"{text!r} is not a date: write it like 2026-06-27")
    return found


def whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InvalidInput(f"{name} must be a whole number, not {text!r}")
    return int(text)


def known_id(text: str) -> str:
    """Return an id, which must be one word, so that a line of ids can be read."""
    if _ID.fullmatch(text) is None or not text.isprintable():
        raise InvalidInput(f"{text!r} cannot be an id: one word is wanted, like inv-transport-agnostic")
    return text


def purged(id: str) -> Mapping[str, str]:
    """Return all that is left of a fact that was erased."""
    return {"id": id, "purged": "yes"}


def is_purged(item: Item) -> bool:
    return item.footer.get("purged", "").lower() in _YES


def _usual_scope(project: str) -> str:
    return "project" if project else "user"
