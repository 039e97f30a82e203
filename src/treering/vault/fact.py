"""A fact as the files tell it: a memory in words, whole numbers and dates."""

from __future__ import annotations

import re

from treering.core.codec import fingerprint
from treering.core.decide import LESSON, RULE
from treering.core.errors import InvalidInput, MalformedLine
from treering.core.tuples import NamedTuple
from treering.core.types import DEFAULT_TYPE, SCOPES, TRUSTS, one_of, origin_named, trust_in, type_named
from treering.vault.dates import day, read, stamp
from treering.vault.lines import Item
from treering.vault.text import plain, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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
        """The structured fields that it has."""
        return {name: getattr(self, name) for name in DETAILS if getattr(self, name)}


def about(fact: Fact) -> dict[str, str]:
    """What a footer says of a fact beside its id and its dates; what goes without saying is left out."""
    return {
        "type": fact.type if fact.type != DEFAULT_TYPE else "",
        "scope": fact.scope if fact.scope != _usual_scope(fact.project) else "",
        "tags": " ".join(map(word, fact.tags)),
        "language": fact.language,
        "origin": fact.origin,
        "trust": fact.trust if fact.origin and fact.trust != trust_in(fact.origin) else "",
        "invariant": "yes" if fact.invariant else "",
    }


def told(fact: Fact) -> dict[str, str]:
    """The footer of a fact where a session tells of it for the first time."""
    return {"id": fact.id, "created": stamp(fact.created), **about(fact)}


def read_fact(path: str, item: Item, project: str = "", session: str = "", when: int = 0) -> Fact:
    """The fact that an item tells, in the place and at the time of the file unless its footer says otherwise."""
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
    """A key that is mistyped would be a wish that nobody hears."""
    for key in item.footer:
        if key not in known:
            from difflib import get_close_matches  # slow to import, so only for those who have mistyped

            near = get_close_matches(key, known, 1)
            hint = f"{near[0]!r} may be meant" if near else f"there are {', '.join(known)}"
            raise InvalidInput(f"a footer has no key {key!r}: {hint}")


def moment(text: str, otherwise: int) -> int:
    """A date, or a date and a time; a time alone is one of the day that it is told on."""
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
    """An id is one word, so that a line of ids can be read."""
    if _ID.fullmatch(text) is None or not text.isprintable():
        raise InvalidInput(f"{text!r} cannot be an id: one word is wanted, like inv-transport-agnostic")
    return text


def purged(id: str) -> Mapping[str, str]:
    """All that is left of a fact that was erased."""
    return {"id": id, "purged": "yes"}


def is_purged(item: Item) -> bool:
    return item.footer.get("purged", "").lower() in _YES


def _usual_scope(project: str) -> str:
    return "project" if project else "user"
