"""Tell which document is a decision record, and whether it is in force by what it says of itself near its top.

The word "status" means many things, so it counts only where the document speaks of itself, and only
if what is said is a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treering.documents.harvest.inline import reduce
from treering.documents.harvest.sections import plain, role
from treering.documents.harvest.tables import card

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block, Document

SECTIONS = 2  # headings below the title; from the text of the second on, a status is about something else
LONGEST_LINE = 400  # characters that are looked at; a status stands in a short line
TEMPLATE_CHOICES = 3  # a status that names so many states is a list to choose from

_PATH = re.compile(r"(?:^|[/\\_-])(?:adrs?|decisions?|rfcs?|madr)(?:[/\\_.-]|$)", re.IGNORECASE)
_DEAD = r"superseded|rejected|deprecated|obsolete|replaced|withdrawn|abandoned|retired|declined|cancell?ed"
_OPEN = r"proposed|proposal|draft|pending|(?:in|under) (?:review|discussion)|wip"
_STATES = re.compile(
    rf"\b(?:(?P<dead>{_DEAD})|(?P<open>{_OPEN})|accepted|approved|adopted|active|final)\b", re.IGNORECASE
)
# A state, and behind it nothing, or what may follow one: by whom, when, in favour of what.
_STATE = re.compile(
    rf"(?:{_DEAD}|{_OPEN})(?=$|[.,;:!()\[\u2013\u2014-]|\s+(?:$|[(\[\u2013\u2014-]|by\b|on\b|in\b|since\b|for\b|\d))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;,()\u2013\u2014]\s*|\s(?:and|but|later|then|now)\s", re.IGNORECASE)
# In quotes or as code it is the name of a field.
_LINE = re.compile(
    r"[^\w\n`\"'/]*(?:\w+\s+)?status(?![`\"'])[^\w\n`\"']*[:|=\u2013\u2014-][^\w\n`\"']*(\w.*)", re.IGNORECASE
)
_PIECES = re.compile(r"\s[|\u00b7\u2022;]\s|<br ?/?>|\s{2,}")  # several fields on one line
_SELF = re.compile(r"\W*(?:\w+\W+)?this \w+ (?:is|was|has been) (.*)", re.IGNORECASE)
_TITLE = re.compile(rf"[\[(]({_DEAD}|{_OPEN})[\])]|.*\s[\[(]({_DEAD}|{_OPEN})\b[^()\[\]]*[\])]$", re.IGNORECASE)


def is_record(document: Document, name: str) -> bool:
    """Return whether a document is a decision record, by its place or by its sections."""
    roles = {role(plain(block.text)) for block in document.blocks if block.kind == "heading"}
    told = bool(roles & {"status", "context", "consequences"}) or next(values(document), "") != ""
    return _PATH.search(name) is not None or ("decision" in roles and told)


def status(document: Document, record: bool) -> str:
    """Return what the document says of itself: "" (in force, or silent), "open", or the words that
    take it out of force.

    The status in front matter counts for every document. One in the text may be told in any words
    in a record; elsewhere it must be a state and nothing else.
    """
    said = [document.front.get("status", ""), *values(document, record)]
    told = [" ".join(words.split()).strip(" *_.") for words in said if words]
    told = told if record else [words for words in told if _is_state(words)]
    found = [state for words in told for state in _STATES.finditer(words)]
    if len({state[0].lower() for state in found}) >= TEMPLATE_CHOICES:
        return "open"
    if any(state["dead"] for state in found):
        return next(words for words in told if any(state["dead"] for state in _STATES.finditer(words)))
    return "open" if any(state["open"] for state in found) and all(state["open"] for state in found) else ""


def _is_state(words: str) -> bool:
    """Return whether a clause of the words is a state that is not in force."""
    return any(_STATE.match(clause.strip()) for clause in (words, *_CLAUSE.split(words)))


def values(document: Document, record: bool = False) -> Iterator[str]:
    """Yield whatever stands at the top as the status of the document; of a record, a section of that name anywhere."""
    blocks = document.blocks
    left = SECTIONS + any(block.kind == "heading" and block.level == 1 for block in blocks)
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            left -= 1
            if record or left >= 0:
                yield from _headed(blocks, place, document)
        elif left <= 0:
            continue
        elif block.kind == "table":
            yield from (value for name, value in card(block, document.links) if name == "status")
        elif block.kind in ("paragraph", "item"):
            yield from _lined(block, document.links)


def _headed(blocks: list[Block], place: int, document: Document) -> Iterator[str]:
    text = plain(blocks[place].text[:LONGEST_LINE], document.links)
    if role(text) == "status":
        for block in blocks[place + 1 :]:
            if block.kind == "heading":
                break
            if block.check != "o":
                yield reduce(block.text, document.links)
    elif found := _LINE.match(text):
        yield found[1]
    elif place == 0 and (marked := _TITLE.match(text)):
        yield marked[1] or marked[2]


def _lined(block: Block, links: frozenset[str]) -> Iterator[str]:
    for whole in block.text.split("\n"):
        line = whole[:LONGEST_LINE]
        pieces = [piece for piece in _PIECES.split(line) if piece.strip()]
        several = len(pieces) > 1 and all(":" in piece for piece in pieces)  # "draft | published" is a choice
        for piece in pieces if several else [line]:
            if found := _LINE.match(piece):
                yield reduce(found[1], links).strip(" |*_")
        if found := _SELF.match(reduce(line, links)):
            yield found[1]
