"""A document parted at its headings, each part with what the headings above it make of it."""

from __future__ import annotations

import re

from treering.core.tuples import NamedTuple
from treering.harvest.judging.headings import (
    DEEPEST_LABEL,
    named,
    plain,
    planless,
    refusal,
    role,
    says_something,
    short,
    titled,
    when,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.markdown.blocks import Block, Document

_FATES = "dropped|cancell?ed|abandoned|rejected|postponed|deferred|scrapped|on hold|descoped|not happening"
_FATE = re.compile(
    rf"\b({_FATES})\W*$|^\W*({_FATES})\W*[:\u2013\u2014-]|[(\[]({_FATES})\b[^()]*[)\]]\W*$", re.IGNORECASE
)


class Section(NamedTuple):
    path: tuple[str, ...]  # the headings above, the title first
    labels: tuple[str, ...]  # those of them that may stand in front of a fact
    roles: tuple[str, ...]  # what each heading of the path makes of the section
    blocks: tuple[Block, ...]

    @property
    def role(self) -> str:
        """That of the nearest heading that has one."""
        return next((name for name in reversed(self.roles) if name), "")


def sections(document: Document, name: str) -> list[Section]:
    """In order. What lies between the marks of a generated part is left out."""
    title = plain(document.front.get("title", "")) or named(name)
    path: list[tuple[int, str]] = []
    body: list[Block] = []
    found: list[Section] = []
    generated = False
    for block in document.blocks:
        if block.kind in ("begin", "end"):
            generated = block.kind == "begin"
        elif generated:
            continue
        elif block.kind == "heading":
            if body:
                found.append(_section(path, body, title))
            heading = plain(block.text, document.links)
            path = [(level, text) for level, text in path if level < block.level]
            if heading:
                path.append((block.level, heading))
            body = []
        else:
            body.append(block)
    found.append(_section(path, body, title))
    return [section for section in found if section.blocks]


def _section(path: list[tuple[int, str]], body: list[Block], title: str) -> Section:
    headings = tuple(text for _, text in path)
    roles = tuple(role(text) for text in headings)
    return Section(headings, tuple(_labels(path, roles, title)), roles, tuple(body))


def _labels(path: list[tuple[int, str]], roles: tuple[str, ...], title: str) -> list[str]:
    """The title and the nearest headings; of a plan, what it is for instead of that it is one."""
    own = [text for _, text in path]
    headed = bool(path) and path[0][0] == 1 and says_something(own[0]) and not roles[0]
    own = [short(titled(text)) for text in own]
    refused = [refusal(text) for text, kind in zip(own, roles, strict=True) if kind == "refused"][-1:]
    if "version" in roles:  # that it is a change is clear from the version
        own = [text for text, kind in zip(own, roles, strict=True) if kind != "changelog" or not title or role(title)]
    labels = own if headed else [title if not role(title) else "", *own]
    labels = [labels[0], *labels[1:][-DEEPEST_LABEL:]]
    if "roadmap" not in roles:
        # However deep it stands, what turns the text around is not left out.
        plainly = [label for label in labels if role(label) != "refused"] if refused else labels
        return [*plainly[:1], *refused, *plainly[1:]]
    passing = ("done", "version", "refused")
    plans = [planless(label) if role(label) == "roadmap" else label for label in labels if role(label) not in passing]
    return [label for label in plans if not when(label) and role(label) != "roadmap"]


def fate(entry: str) -> str:
    """What became of an entry of a plan that will not come, or not then, if it says so at its end or its beginning."""
    found = _FATE.search(entry)
    return next((word for word in found.groups() if word), "") if found is not None else ""


def planned(section: Section, done: bool, word: str = "") -> str:
    """How an entry of a plan is introduced: whether it is done, and for when it is meant.

    The word, if one is given, stands instead of "planned": what was dropped is not.
    """
    date = next((found for text in reversed(section.path) if (found := when(text))), "")
    refused = next((text for text in reversed(section.path) if role(text) == "refused"), "")
    if refused:
        return "dropped" if refusal(refused) == "Dropped" else "not planned"
    word = word or ("done" if done or "done" in section.roles else "planned")
    return f"{word} for {date}" if date else word
