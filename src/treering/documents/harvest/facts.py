"""From the blocks of a document to facts that can be met alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treering.documents.harvest import blocks as markdown
from treering.documents.harvest import records
from treering.documents.harvest.changes import Fact
from treering.documents.harvest.gather import Gathering
from treering.documents.harvest.sections import Section, lead, named, plain, sections

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Document

HEAD = 2_000  # characters; a file that is generated, or a licence, says so at its top

_UNWANTED = re.compile(
    r"(?:^|[/\\])(?:licen[cs]e|copying|notice|code[_-]?of[_-]?conduct|authors|contributors|maintainers|codeowners|"
    r"pull_request_template|issue_template)[^/\\]*(?:$|[/\\])",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:file|page|document)s? (?:is|was|are) (?:auto(?:matically)?[ -]?)?generated|^\W*generated (?:by|with|from)\b",
    re.IGNORECASE,
)
# In a comment this is meant for the whole file; in the text it may be a rule about other files.
_UNTOUCHABLE = re.compile(
    r"\bgenerated (?:by|with|from)\b|is generated|@generated|(?:do not|don't) (?:edit|change)", re.IGNORECASE
)
_LICENCE = re.compile(
    r"permission is hereby granted|redistribution and use in source|the software is provided|"
    r"general public license\s+version \d|mozilla public license|terms and conditions for use|without warranties",
    re.IGNORECASE,
)
_MAKING = re.compile(r"fix|bug|internal|doc|ci\b|test|perf|packag|build|chore|depend|misc|refactor", re.IGNORECASE)
_TRIAL = re.compile(r"\d(?:[-.]?(?:a|b|rc|alpha|beta|dev|pre)[-.]?\d*)\b", re.IGNORECASE)  # its notes come again


def facts(document: str, name: str = "") -> list[Fact]:
    """Return what a Markdown document states that lasts, in the order of its lines, nothing twice.

    `name` is the document's path: it gives a title to a document that has none, and tells licences
    from notes.
    """
    read = markdown.read(document)
    if _is_unwanted(read, document, name):
        return []
    record = records.is_record(read, name)
    state = records.status(read, record)
    if state:
        return [] if state == "open" else _out_of_force(read, name, state, record)
    gathering = Gathering(read.links)
    for section in sections(read, name):
        if "licence" in section.roles:
            gathering.licence(section)
        elif _is_wanted(section, record):
            gathering.take(section, record)
    return sorted(gathering.found, key=lambda fact: fact.line)


def _is_unwanted(read: Document, document: str, name: str) -> bool:
    shown = next((block.text for block in read.blocks if block.kind == "paragraph"), "")
    return (
        _UNWANTED.search(name) is not None
        or _LICENCE.search(document[:HEAD]) is not None
        or _GENERATED.search(shown[:HEAD]) is not None
        or _UNTOUCHABLE.search(read.remarks[:HEAD]) is not None
        or "generated" in read.front
    )


def _is_wanted(section: Section, record: bool) -> bool:
    if {"skipped", "unchosen"} & section.roles:
        return False
    if "version" in section.roles and (_MAKING.match(section.path[-1]) or any(map(_TRIAL.search, section.path))):
        return False
    return not (record and {"options", "status"} & section.roles)


def _out_of_force(read: Document, name: str, state: str, record: bool) -> list[Fact]:
    """Return one fact of a document that no longer holds: that it does not."""
    heading = next((block for block in read.blocks if block.kind == "heading"), None)
    title = plain(heading.text, read.links) if heading is not None else read.front.get("title", "") or named(name)
    if not title:
        return []
    subject = "this decision is no longer" if record else "what this document says is not"
    text = lead([title], f"{subject} in force; its status is: {state}.")
    return [Fact(text, heading.line if heading is not None else 1, "semantic", (title,))]
