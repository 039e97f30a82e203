"""What a document says of itself near its top: that it is rejected, superseded, a draft.

The word "status" means many things, so it counts only where the document speaks of itself, and only if what is said
is a state and not a sentence about something else.
"""

from __future__ import annotations

import re

from treering.harvest.judging.headings import plain, role
from treering.harvest.markdown.inline import reduce
from treering.harvest.markdown.tables import card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.harvest.markdown.blocks import Block, Document

SECTIONS = 2  # headings below the title; from the text of the second on, a status is about something else
LONGEST_LINE = 400  # characters that are looked at; a status stands in a short line

_DEAD = (
    r"superseded|superceded|rejected|deprecated|obsolete|replaced|withdrawn|abandoned|retired|revoked|declined|"
    r"cancell?ed"
)
_OPEN = r"proposed|proposal|draft|pending|(?:in|under) (?:review|discussion)|to be decided"
# A state, and behind it nothing, or what may follow one: by whom, when, in favour of what.
_STATE = re.compile(
    r"(?:(?:this|the) \w+ (?:is|was|has been) )?(?:(?:now|currently|still|was|a|in|early|first|initial|working) ){0,2}"
    rf"(?P<state>{_DEAD}|{_OPEN})(?=$|[.,;:!()\[]|\s+(?:$|[(\[\u2013\u2014\u2192-]|by\b|on\b|in\b|at\b|since\b|as of\b|"
    r"with\b|for\b|because\b|see\b|after\b|\d))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;,()\u2013\u2014\u2192]\s*|\s->\s*|\s(?:and|but|later|then|now)\s", re.IGNORECASE)
_NAMED = r"(?:(?:document|adr|rfc|decision|proposal|record|current|doc|review)\s+)?(?:status|state)"
# In quotes or as code it is the name of a field.
_LINE = re.compile(
    r"[^\w\n`\"'/]*" + _NAMED + r"(?![`\"'])[^\w\n`\"']*[:|=\u2013\u2014-][^\w\n`\"']*(\w.*)", re.IGNORECASE
)
_PIECES = re.compile(r"\s[|\u00b7\u2022;/]\s|<br ?/?>|\s{2,}")  # several fields on one line
_SELF = re.compile(
    r"\W*(?:(?:note|warning|caution|important|attention)\W+)?this (?:adr|rfc|document|decision|proposal|"
    r"record|design|page|specification|spec|note|plan) (?:is|was|has been) (.*)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    rf"[\[(](?P<front>{_DEAD}|draft|proposal|proposed)[\])]|(?P<word>draft|rejected|deprecated|superseded|withdrawn|"
    rf"obsolete): |.*\s[\[(](?P<back>(?:{_DEAD}|draft|proposed)(?: by [^()\[\]]{{1,60}})?)[\])]$",
    re.IGNORECASE,
)


def stated(document: Document) -> str:
    """The words of a status that takes the document out of force, or says that it is not in force yet; or nothing."""
    return next((words for words in (_state(found) for found in values(document)) if words), "")


def values(document: Document) -> Iterator[str]:
    """Whatever stands at the top as the status of the document."""
    head = _head(document.blocks)
    for place, block in enumerate(head):
        if block.kind == "heading":
            yield from _headed(head, place, document)
        elif block.kind == "table":
            yield from _tabled(block, document.links)
        elif block.kind in ("paragraph", "item"):
            yield from _lined(block, document.links)


def below(blocks: list[Block], place: int, links: frozenset[str]) -> list[str]:
    """The texts under a heading. A box that is not ticked is a state that was not chosen."""
    texts = []
    while place < len(blocks) and blocks[place].kind in ("paragraph", "item"):
        if blocks[place].check != "o":
            texts.append(" ".join(reduce(blocks[place].text, links).split()))
        place += 1
    return texts


def _head(blocks: list[Block]) -> list[Block]:
    """Up to the heading of the second section, its heading too."""
    titled = next((True for block in blocks[:1] if block.kind == "heading"), False) or any(
        block.kind == "heading" and block.level == 1 for block in blocks
    )
    left = SECTIONS + titled
    for place, block in enumerate(blocks):
        left -= block.kind == "heading"
        if not left:
            own = role(plain(block.text)) == "status"  # a section of its own is the status, also as the second
            return blocks[: _section_end(blocks, place + 1) if own else place + 1]
    return blocks


def _section_end(blocks: list[Block], place: int) -> int:
    return next((at for at in range(place, len(blocks)) if blocks[at].kind == "heading"), len(blocks))


def _headed(blocks: list[Block], place: int, document: Document) -> Iterator[str]:
    text = plain(blocks[place].text[:LONGEST_LINE], document.links)
    if role(text) == "status":
        yield from reversed(below(blocks, place + 1, document.links))  # the last word counts
    elif found := _LINE.match(text):
        yield found[1]
    elif place == 0 and (marked := _TITLE.match(text)):
        yield next(word for word in marked.groups() if word)


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


def _tabled(block: Block, links: frozenset[str]) -> Iterator[str]:
    yield from (value for name, value in card(block.text, links) if name == "status")


def _state(words: str) -> str:
    """The words if a clause of them is a state that is not in force. "Draft | published" is a choice, not a state."""
    words = " ".join(words.split()).strip(" *_")
    clauses = (clause.strip() for clause in (words, *_CLAUSE.split(words)))
    return words.rstrip(". ") if any(map(_STATE.match, clauses)) else ""
