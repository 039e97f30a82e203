"""Decision records: which document is one, and whether what it says is in force."""

from __future__ import annotations

import re

from treering.harvest.judging.headings import plain, role
from treering.harvest.judging.standing import below, stated, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.markdown.blocks import Document

_PATH = re.compile(r"(?:^|[/\\_-])(?:adrs?|decisions?|rfcs?|madr)(?:[/\\_.-]|$)", re.IGNORECASE)
_DEAD = re.compile(
    r"\b(?:superseded|superceded|rejected|deprecated|obsolete|replaced|withdrawn|abandoned|retired|revoked|declined|"
    r"cancell?ed)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:proposed|proposal|draft|pending|in review|under review|under discussion|wip|rfc|open|to be decided|"
    r"in discussion|idea)\b",
    re.IGNORECASE,
)
_VALID = re.compile(
    r"\b(?:accepted|approved|adopted|implemented|active|final|decided|in force|done|agreed|current)\b", re.IGNORECASE
)
TEMPLATE_CHOICES = 3  # a status that names so many states is a list to choose from
_NUMBERED = re.compile(r"\W*(?:(?:adr|rfc|madr|decision|record)\W{0,2}\d+|\d{1,5}[.:] )", re.IGNORECASE)


def is_record(document: Document, name: str) -> bool:
    """By its place, or because it has a decision and what goes with one: a status, a context, a number."""
    headings = [block.text for block in document.blocks if block.kind == "heading"]
    roles = {role(plain(text)) for text in headings}
    return _PATH.search(name) is not None or (
        "decision" in roles
        and (
            bool(roles & {"status", "context", "consequences"})
            or _NUMBERED.match(headings[0]) is not None
            or next(values(document), "") != ""
        )
    )


def status(document: Document, record: bool) -> str:
    """What the document says of itself: "" (in force, or silent), "open", or the words that take it out of force.

    The status in front matter counts for every document. One in the text may be told in any words in a record;
    elsewhere it must be a state and nothing else.
    """
    words = document.front.get("status", "") or (_written(document) if record else "") or stated(document)
    if (
        sum(len({state.lower() for state in states.findall(words)}) for states in (_DEAD, _OPEN, _VALID))
        >= TEMPLATE_CHOICES
    ):
        return "open"
    if _DEAD.search(words):
        return " ".join(words.split()).rstrip(".")
    return "open" if _OPEN.search(words) and not _VALID.search(words) else ""


def _written(document: Document) -> str:
    """The head counts before a section further down, which may be about the status of something else."""
    blocks = document.blocks
    found = [words for words in values(document) if words]
    for place, block in enumerate(blocks):
        if not found and block.kind == "heading" and role(plain(block.text)) == "status":
            found = below(blocks, place + 1, document.links)
    # The last word counts: a record that was accepted and then superseded lists both.
    return next((text for text in found if _DEAD.search(text)), "") or " ".join(found)
