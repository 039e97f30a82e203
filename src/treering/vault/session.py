"""A session file: what a session created, referenced, reactivated and superseded. Never changed once it is written."""

from __future__ import annotations

from treering.core.errors import InvalidInput, MalformedLine
from treering.core.tuples import NamedTuple
from treering.core.types import DEFAULT_SPACE
from treering.vault import header
from treering.vault.dates import day, stamp
from treering.vault.fact import DETAILS, Fact, is_purged, read_fact, told
from treering.vault.lines import Heading, Item, Loose, footer, item, scan
from treering.vault.mentions import Mention, mentions, supersessions
from treering.vault.text import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from treering.vault.header import Covered

REFERENCES = "Memory References"
_ABOUT = "Written by treering, and never changed: continuity.md can be made again from these files alone."


class Told(NamedTuple):
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
    created: tuple[Told, ...] = ()
    changed: tuple[Told, ...] = ()
    referenced: tuple[Mention, ...] = ()
    reactivated: tuple[Mention, ...] = ()
    unreferenced: tuple[Mention, ...] = ()
    restored: tuple[Mention, ...] = ()
    superseded: tuple[Mention, ...] = ()
    forgotten: tuple[Mention, ...] = ()
    named: tuple[Mention, ...] = ()  # memories that were read from here, and the names that they have here

    @property
    def by_hand(self) -> bool:
        """Whether somebody wrote the file; one of Treering's says which events or corrections it tells."""
        return not self.events and not self.corrections

    @property
    def order(self) -> tuple[int, int, str]:
        """In which order files are replayed; that of their names, where Treering gave them."""
        return (self.began, self.corrections, self.name)


SECTIONS = tuple(name for name in Segment._fields[Segment._fields.index("created") :])


def render(segment: Segment) -> str:
    """The file of a segment."""
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
                rows += _fact(one, segment) if isinstance(one, Told) else [mention(one, segment)]
    return "\n".join([*rows, ""])


def _title(segment: Segment) -> str:
    if segment.corrections:
        return f"Corrections {segment.corrections}"
    return f"Session {line(segment.session)}" if segment.session else f"Outside any session, {day(segment.began)}"


def _fact(one: Told, segment: Segment) -> list[str]:
    fact, said = one.fact, told(one.fact)
    if segment.corrections:
        said |= {"project": fact.project, "session": fact.session}
    return item(fact.text, said, fact.details)


def mention(one: Mention, segment: Segment) -> str:
    """The line that names a fact."""
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
    """The segment in a file, or an error that says in which line it goes wrong. `path` is for the error alone."""
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
    """The short form, without headings: `- referenced: inv-a, inv-b`."""
    label, colon, rest = one.text.replace("*", "").partition(":")
    if not colon:
        raise MalformedLine(path, one.line, f"put it under one of the headings {', '.join(SECTIONS)}")
    return _section(path, label.strip().lower(), one.line), one._replace(text=rest.strip())


def _in_short(path: str, segment: Segment, label: str, one: Item) -> list[Told] | list[Mention]:
    """Facts that are only named are told in continuity.md."""
    if label not in ("created", "changed"):
        return _READERS[label](path, segment, one)
    fact = Fact("", "", segment.began, project=segment.project, session=segment.session)
    fact = fact._replace(scope="project" if segment.project else "user", trust="external")
    return [Told(fact._replace(id=named.id), one.line, one.last) for named in mentions(path, one, segment.began)]


def _facts(path: str, segment: Segment, one: Item) -> list[Told]:
    fact = read_fact(path, one, segment.project, segment.session, segment.began)
    return [Told(fact, one.line, one.last, is_purged(one))]


def _mentions(path: str, segment: Segment, one: Item) -> list[Mention]:
    return mentions(path, one, segment.began)


def _supersessions(path: str, segment: Segment, one: Item) -> list[Mention]:
    return supersessions(path, one)


_READERS: dict[str, Callable[[str, Segment, Item], list[Told] | list[Mention]]] = {
    **dict.fromkeys(SECTIONS, _mentions),
    "created": _facts,
    "changed": _facts,
    "superseded": _supersessions,
    "named": _supersessions,
}
