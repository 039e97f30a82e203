"""Facts named in a session file: `- inv-a`, `- inv-a, inv-b`, `- inv-a → inv-b: why`."""

from __future__ import annotations

import re

from treering.core.errors import InvalidInput, MalformedLine
from treering.core.tuples import NamedTuple
from treering.vault.fact import check_keys, known_id, moment
from treering.vault.text import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.vault.lines import Item

_KEYS = ("at", "project", "session")
_NOTHING = ("", "none", "(none)", "-", "n/a")
# What follows the ids is why: behind a colon, a dash or in brackets.
_PARTS = re.compile(
    r"(?P<ids>.+?)(?::(?=\s|$)\s*(?P<reason>.*)|\s+[—\u2013-]\s+(?P<remark>.*)|\s+\((?P<aside>.*)\))?$", re.DOTALL
)
_ARROW = re.compile(r"\s*(?:→|->|=>)\s*|\s+(?:superseded[ _-])?by:?\s+")
_QUOTES = "`[]*\"' "


class Mention(NamedTuple):
    """A fact that is named, and when; for corrections, in which session."""

    id: str
    line: int = 0
    at: int | None = None  # seconds since 1970; when the session began, if it does not say
    by: str = ""  # what superseded it
    reason: str = ""
    project: str = ""
    session: str = ""


def mentions(path: str, item: Item, when: int) -> list[Mention]:
    """The facts that an item names, one or several. A session without any may say `none`."""
    if item.text.strip().lower() in _NOTHING:
        return []
    ids, reason = _parts(item.text)
    where = (item.footer.get("project", ""), item.footer.get("session", ""))
    try:
        check_keys(item, _KEYS)
        at = moment(item.footer["at"], when) if "at" in item.footer else None
        return [Mention(_id(id), item.line, at, "", reason, *where) for id in ids.split(",")]
    except InvalidInput as error:
        raise MalformedLine(path, item.line, str(error)) from None


def supersessions(path: str, item: Item) -> list[Mention]:
    """What took the place of what: `- old → new: why`."""
    if item.text.strip().lower() in _NOTHING:
        return []
    old, *rest = _ARROW.split(item.text, 1)
    if not rest:
        raise MalformedLine(path, item.line, "a supersession is written `- OLD → NEW: why`")
    new, reason = _parts(rest[0])
    try:
        check_keys(item, _KEYS)
        return [Mention(_id(old), item.line, None, _id(new), reason)]
    except InvalidInput as error:
        raise MalformedLine(path, item.line, str(error)) from None


def _parts(text: str) -> tuple[str, str]:
    """The ids, and why."""
    found = _PARTS.match(text)
    if found is None:
        return text, ""
    reason = found["reason"] or found["remark"] or found["aside"] or ""
    return found["ids"], plain(reason.strip())


def _id(text: str) -> str:
    return known_id(text.strip(_QUOTES))
