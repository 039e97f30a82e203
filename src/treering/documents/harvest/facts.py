"""From the blocks of a document to facts that can be met alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treering.documents.harvest import blocks as markdown
from treering.documents.harvest import records
from treering.documents.harvest.changes import Fact
from treering.documents.harvest.gather import Gathering
from treering.documents.harvest.headings import Section, is_trial, lead, named, plain, sections
from treering.documents.harvest.records import is_chores
from treering.documents.harvest.worth import is_licence

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Document

HEAD = 2_000  # characters; a file that is generated, or a licence, says so at its top

_UNWANTED = re.compile(
    r"licen[cs]e[^/\\]*$|(?:^|[/\\])(?:copying|notice|code[_-]?of[_-]?conduct|authors|contributors|maintainers|"
    r"codeowners|pull_request_template|issue_template)[^/\\]*$|(?:^|[/\\])ISSUE_TEMPLATE[/\\]",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:file|page|document|content)s? (?:is|was|are|has been) (?:auto(?:matically)?[ -]?)?generated|"
    r"^\W*(?:auto-?)?generated (?:by|with|from)\b",
    re.IGNORECASE | re.MULTILINE,
)
# In a comment these are meant for the whole file; in the text they may be a rule about other files.
_UNTOUCHABLE = re.compile(
    r"\bgenerated (?:by|with|from)\b|(?:do not|don't) (?:edit|change)|@generated|written by .?make\b|"
    r"(?:edit|change) the (?:code|source|template)\b",
    re.IGNORECASE,
)


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
        gathering.licence(section)
        if _is_wanted(section, record):
            gathering.take(section, record)
    return sorted(gathering.found, key=lambda fact: fact.line)


def _is_unwanted(read: Document, document: str, name: str) -> bool:
    shown = next((block.text for block in read.blocks if block.kind == "paragraph"), "")
    return (
        _UNWANTED.search(name) is not None
        or is_licence(document[:HEAD])
        or _GENERATED.search(f"{read.remarks[:HEAD]}\n{shown[:HEAD]}") is not None
        or _UNTOUCHABLE.search(read.remarks[:HEAD]) is not None
        or "generated" in read.front
    )


def _is_wanted(section: Section, record: bool) -> bool:
    if {"skipped", "unchosen"} & set(section.roles):
        return False
    if "version" in section.roles and (is_chores(section.path[-1]) or any(map(is_trial, section.path))):
        return False
    return not (record and {"options", "status"} & set(section.roles))


def _out_of_force(read: Document, name: str, state: str, record: bool) -> list[Fact]:
    """Return one fact of a document that no longer holds: that it does not."""
    heading = next((block for block in read.blocks if block.kind == "heading"), None)
    title = plain(heading.text, read.links) if heading is not None else read.front.get("title", "") or named(name)
    if not title:
        return []
    subject = "this decision is no longer" if record else "what this document says is not"
    text = lead([title], f"{subject} in force; its status is: {state}.")
    return [Fact(text, heading.line if heading is not None else 1, "semantic", (title,))]
