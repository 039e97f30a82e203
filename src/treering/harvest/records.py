"""Decision records: which document is one, and whether what it says is in force."""

from __future__ import annotations

import re

from treering.harvest.headings import plain, role
from treering.harvest.inline import reduce

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.blocks import Block, Document

HEAD_BLOCKS = 14  # a status stands at the top of a record, or under a heading of its own

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
_LINE = re.compile(r"[^\w\n]*status[^\w\n]*[:|\u2013\u2014-][^\w\n]*(\w.*)", re.IGNORECASE)
TEMPLATE_CHOICES = 3  # a status that names so many states is a list to choose from


def is_record(document: Document, name: str) -> bool:
    """By its place, or because it has a status and a decision."""
    roles = {role(plain(block.text)) for block in document.blocks if block.kind == "heading"}
    return _PATH.search(name) is not None or (
        "decision" in roles and bool(roles & {"status", "context", "consequences"})
    )


def status(document: Document, record: bool) -> str:
    """What the document says of itself: "" (in force, or silent), "open", or the words that take it out of force.

    The status in front matter counts for every document, one in the text for records only: elsewhere the word means
    many things.
    """
    words = document.front.get("status", "") or (_written(document) if record else "")
    if (
        sum(len({state.lower() for state in states.findall(words)}) for states in (_DEAD, _OPEN, _VALID))
        >= TEMPLATE_CHOICES
    ):
        return "open"
    if _DEAD.search(words):
        return " ".join(words.split()).rstrip(".")
    return "open" if _OPEN.search(words) and not _VALID.search(words) else ""


def _written(document: Document) -> str:
    blocks = document.blocks
    for place, block in enumerate(blocks):
        if block.kind == "heading" and role(plain(block.text)) == "status":
            return _below(blocks, place + 1, document.links)
    for block in blocks[:HEAD_BLOCKS]:
        found = next((found for line in block.text.split("\n") if (found := _LINE.match(line))), None)
        if found is not None and block.kind != "code":
            return reduce(found[1].strip(" |*_"), document.links)
    return ""


def _below(blocks: list[Block], place: int, links: frozenset[str]) -> str:
    """The last word counts: a record that was accepted and then superseded lists both."""
    texts = []
    while place < len(blocks) and blocks[place].kind in ("paragraph", "item"):
        texts.append(reduce(blocks[place].text, links))
        place += 1
    dead = next((text for text in texts if _DEAD.search(text)), "")
    return dead or " ".join(texts)
