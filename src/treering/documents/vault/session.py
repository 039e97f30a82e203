"""Write and read a session file: what a session created, referenced, reactivated and superseded.

It is never changed once it is written. Facts are named like `- inv-a`, `- inv-a, inv-b` or `- inv-a
→ inv-b: why`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.documents.vault import header
from treering.documents.vault.fact import (
    DETAILS,
    Fact,
    check_keys,
    day,
    first_footer,
    is_purged,
    known_id,
    moment,
    read_fact,
    stamp,
)
from treering.documents.vault.lines import Heading, Item, Loose, footer, item, line, plain, scan
from treering.ledger.errors import InvalidInput, MalformedLine
from treering.ledger.types import DEFAULT_SPACE

if TYPE_CHECKING:
    from treering.documents.vault.header import Covered
    from treering.documents.vault.lines import Item


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
    """Return the facts that an item names, one or several. A session without any may say `none`."""
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
    """Return what replaced what: `- old → new: why`."""
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
    """Return the ids, and why."""
    found = _PARTS.match(text)
    if found is None:
        return text, ""
    reason = found["reason"] or found["remark"] or found["aside"] or ""
    return found["ids"], plain(reason.strip())


def _id(text: str) -> str:
    return known_id(text.strip(_QUOTES))


REFERENCES = "Memory References"
_ABOUT = "Written by treering, and never changed: continuity.md can be made again from these files alone."


class PlacedFact(NamedTuple):
    """A fact, and where it stands in its file."""

    fact: Fact
    line: int = 0
    last: int = 0
    purged: bool = False


class Segment(NamedTuple):
    """What is told of a session on a day, or of a day outside any session; or corrections of what was told before."""

    name: str  # of the file, without its folder
    began: int  # seconds since 1970
    session: str = ""
    project: str = ""
    space: str = DEFAULT_SPACE
    corrections: int = 0  # which of them, counted from 1; 0 for a session
    events: Covered = {}
    created: tuple[PlacedFact, ...] = ()
    changed: tuple[PlacedFact, ...] = ()
    referenced: tuple[Mention, ...] = ()
    reactivated: tuple[Mention, ...] = ()
    unreferenced: tuple[Mention, ...] = ()
    restored: tuple[Mention, ...] = ()
    superseded: tuple[Mention, ...] = ()
    forgotten: tuple[Mention, ...] = ()
    named: tuple[Mention, ...] = ()  # memories that were read from here, and the names that they have here

    @property
    def by_hand(self) -> bool:
        """Return whether somebody wrote the file; one of Treering's says which events or corrections it tells."""
        return not self.events and not self.corrections

    @property
    def order(self) -> tuple[int, int, str]:
        """Return the order in which files are replayed: that of their names, where Treering gave them."""
        return (self.began, self.corrections, self.name)


SECTIONS = tuple(name for name in Segment._fields[Segment._fields.index("created") :])


def render(segment: Segment) -> str:
    """Return the file of a segment."""
    head = {
        "generated": "treering",
        "format": str(header.FORMAT),
        "session": segment.session,
        "project": segment.project,
        "space": segment.space,
        "began": stamp(segment.began),
        "corrections": str(segment.corrections or ""),
        "events": header.shown_events(segment.events),
    }
    rows = [*header.rows(head), "", f"# {_title(segment)}", "", _ABOUT, "", f"## {REFERENCES}"]
    for section in SECTIONS:
        if content := getattr(segment, section):
            rows += ["", f"### {section.capitalize()}", ""]
            for one in content:
                rows += _fact(one, segment) if isinstance(one, PlacedFact) else [mention(one, segment)]
    return "\n".join([*rows, ""])


def _title(segment: Segment) -> str:
    if segment.corrections:
        return f"Corrections {segment.corrections}"
    return f"Session {line(segment.session)}" if segment.session else f"Outside any session, {day(segment.began)}"


def _fact(one: PlacedFact, segment: Segment) -> list[str]:
    fact, said = one.fact, first_footer(one.fact)
    if segment.corrections:
        said |= {"project": fact.project, "session": fact.session}
    return item(fact.text, said, fact.details)


def mention(one: Mention, segment: Segment) -> str:
    """Return the line that names a fact."""
    row = f"- {one.id}"
    if one.by:
        row += f" → {one.by}"
    if one.reason:
        row += f": {line(one.reason)}"
    said = {}
    if one.at is not None:
        at = stamp(one.at)
        same_day = not segment.corrections and at[:10] == day(segment.began)
        said["at"] = at[11:19] if same_day else at
    if segment.corrections:
        said |= {"project": one.project, "session": one.session}
    return f"{row} {footer(said)}" if any(said.values()) else row


def parse(path: str, name: str, rows: list[str]) -> Segment:
    """Return the segment in a file, or an error that says in which line it goes wrong.

    `path` is for the error alone.
    """
    head, start = header.read(path, rows)
    try:
        segment = Segment(
            name,
            header.began(name, head),
            header.session(name, head),
            head.text("project"),
            head.text("space") or DEFAULT_SPACE,
            head.number("corrections"),
            header.read_events(head.text("events")),
        )
    except InvalidInput as error:
        raise MalformedLine(path, head.last, str(error)) from None
    found, reading = _sections(path, segment, rows, start)
    if not reading and segment.events:
        raise MalformedLine(path, len(rows), f"the file is cut: it has no `## {REFERENCES}`")
    sections: dict[str, Any] = {section: tuple(said) for section, said in found.items()}
    return segment._replace(**sections)


def _sections(path: str, segment: Segment, rows: list[str], start: int) -> tuple[dict[str, list[Any]], bool]:
    found: dict[str, list[Any]] = {}
    reading, section, seen = False, "", False
    for one in scan(path, rows, start, DETAILS):
        if isinstance(one, Heading):
            if one.level <= 2:
                reading, section = one.title.strip().lower() == REFERENCES.lower(), ""
                seen = seen or reading
            elif reading:
                section = _section(path, one.title.lower().strip(" :"), one.line)
        elif isinstance(one, Loose):
            if section:
                raise MalformedLine(
                    path, one.line, "this is in no list item: begin it with `- `, or indent it below one"
                )
        elif reading:
            if section:
                found.setdefault(section, []).extend(_READERS[section](path, segment, one))
            else:
                label, short = _labelled(path, one)
                found.setdefault(label, []).extend(_in_short(path, segment, label, short))
    return found, seen


def _section(path: str, title: str, line: int) -> str:
    if title not in SECTIONS:
        raise MalformedLine(path, line, f"{title!r} is none of {', '.join(SECTIONS)}")
    return title


def _labelled(path: str, one: Item) -> tuple[str, Item]:
    """Return the parts of the short form without headings: `- referenced: inv-a, inv-b`."""
    label, colon, rest = one.text.replace("*", "").partition(":")
    if not colon:
        raise MalformedLine(path, one.line, f"put it under one of the headings {', '.join(SECTIONS)}")
    return _section(path, label.strip().lower(), one.line), one._replace(text=rest.strip())


def _in_short(path: str, segment: Segment, label: str, one: Item) -> list[PlacedFact] | list[Mention]:
    """Return the entries of the short form, in which facts are only named; their texts are in continuity.md."""
    if label not in ("created", "changed"):
        return _READERS[label](path, segment, one)
    fact = Fact("", "", segment.began, project=segment.project, session=segment.session)
    fact = fact._replace(scope="project" if segment.project else "user", trust="external")
    return [PlacedFact(fact._replace(id=named.id), one.line, one.last) for named in mentions(path, one, segment.began)]


def _facts(path: str, segment: Segment, one: Item) -> list[PlacedFact]:
    fact = read_fact(path, one, segment.project, segment.session, segment.began)
    return [PlacedFact(fact, one.line, one.last, is_purged(one))]


def _mentions(path: str, segment: Segment, one: Item) -> list[Mention]:
    return mentions(path, one, segment.began)


def _supersessions(path: str, segment: Segment, one: Item) -> list[Mention]:
    return supersessions(path, one)


_READERS: dict[str, Callable[[str, Segment, Item], list[PlacedFact] | list[Mention]]] = {
    **dict.fromkeys(SECTIONS, _mentions),
    "created": _facts,
    "changed": _facts,
    "superseded": _supersessions,
    "named": _supersessions,
}
