"""Recognise decision records and changelogs.

Tells which document is a record, whether it is in force by what it says of itself near its top, and
which entries of a changelog still say how things are. The word "status" means many things, so it
counts only where the document speaks of itself, and only if what is said is a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treering.documents.harvest.headings import plain, role
from treering.documents.harvest.inline import reduce
from treering.documents.harvest.tables import card
from treering.text.words import folded

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block, Document


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
    """Return whether a document is a decision record, by its place or by its sections."""
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
    """Return what the document says of itself: "" (in force, or silent), "open", or the words that
    take it out of force.

    The status in front matter counts for every document. One in the text may be told in any words
    in a record; elsewhere it must be a state and nothing else.
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
    """Return the status as it is written.

    The head counts before a section further down, which may be about something else.
    """
    blocks = document.blocks
    found = [words for words in values(document) if words]
    for place, block in enumerate(blocks):
        if not found and block.kind == "heading" and role(plain(block.text)) == "status":
            found = below(blocks, place + 1, document.links)
    # The last word counts: a record that was accepted and then superseded lists both.
    return next((text for text in found if _DEAD.search(text)), "") or " ".join(found)


SECTIONS = 2  # headings below the title; from the text of the second on, a status is about something else
LONGEST_LINE = 400  # characters that are looked at; a status stands in a short line

_DEAD_STATE = (
    r"superseded|superceded|rejected|deprecated|obsolete|replaced|withdrawn|abandoned|retired|revoked|declined|"
    r"cancell?ed"
)
_OPEN_STATE = r"proposed|proposal|draft|pending|(?:in|under) (?:review|discussion)|to be decided"
# A state, and behind it nothing, or what may follow one: by whom, when, in favour of what.
_STATE = re.compile(
    r"(?:(?:this|the) \w+ (?:is|was|has been) )?(?:(?:now|currently|still|was|a|in|early|first|initial|working) ){0,2}"
    rf"(?P<state>{_DEAD_STATE}|{_OPEN_STATE})"
    r"(?=$|[.,;:!()\[]|\s+(?:$|[(\[\u2013\u2014\u2192-]|by\b|on\b|in\b|at\b|since\b|as of\b|"
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
    rf"[\[(](?P<front>{_DEAD_STATE}|draft|proposal|proposed)[\])]|(?P<word>draft|rejected|deprecated|superseded|withdrawn|"
    rf"obsolete): |.*\s[\[(](?P<back>(?:{_DEAD_STATE}|draft|proposed)(?: by [^()\[\]]{{1,60}})?)[\])]$",
    re.IGNORECASE,
)


def stated(document: Document) -> str:
    """Return the words of a status that takes the document out of force, or says that it is not in
    force yet; or nothing.
    """
    return next((words for words in (_state(found) for found in values(document)) if words), "")


def values(document: Document) -> Iterator[str]:
    """Yield whatever stands at the top as the status of the document."""
    head = _head(document.blocks)
    for place, block in enumerate(head):
        if block.kind == "heading":
            yield from _headed(head, place, document)
        elif block.kind == "table":
            yield from _tabled(block, document.links)
        elif block.kind in ("paragraph", "item"):
            yield from _lined(block, document.links)


def below(blocks: list[Block], place: int, links: frozenset[str]) -> list[str]:
    """Return the texts under a heading. A box that is not ticked is a state that was not chosen."""
    texts = []
    while place < len(blocks) and blocks[place].kind in ("paragraph", "item"):
        if blocks[place].check != "o":
            texts.append(" ".join(reduce(blocks[place].text, links).split()))
        place += 1
    return texts


def _head(blocks: list[Block]) -> list[Block]:
    """Return the blocks up to the heading of the second section, with that heading."""
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
    yield from (value for name, value in card(block, links) if name == "status")


def _state(words: str) -> str:
    """Return the words if a clause of them is a state that is not in force.

    "Draft | published" is a choice, not a state.
    """
    words = " ".join(words.split()).strip(" *_")
    clauses = (clause.strip() for clause in (words, *_CLAUSE.split(words)))
    return words.rstrip(". ") if any(map(_STATE.match, clauses)) else ""


LONGEST_CREDIT = 120  # characters; a name, a number and an address

# How an entry begins that tells what was mended or moved about.
_CHORES = frozenset(
    """fix fixes fixed bump bumps bumped upgrade upgrades typo typos tweak merge revert cleanup clean refactor
    reformat format lint test tests doc docs ci chore release prepare minor misc various correct version use
    move moved skip adjust adjusted only raise return simplify simplified rework rewrite moderating lower speed
    optimize optimise optimized cache extract split reduce lazy lazily do evaluate inline defer slightly small
    follow restore replace explicitly better faster improve improved improves improvement improvements more less
    further github pre wheel wheels backport backports mypy mypyc resolve patch regenerate rebuild pin unpin
    repair handle avoid prevent ensure make no bugfix bug bugfixes internal initial first pushed rerelease
    address call import imported drastically micro raised optional strip revalidate take respect log initialize
    initialise relax include exclude cleanly graceful gracefully performance silence suppress downgrade increase
    decrease document clarify build perf style several ability try create""".split()
)
_SCOPE = re.compile(r"^[\w./()-]{1,30}!?: ")  # "parser: fix the end of a line"
_UPDATES = frozenset("update updates updated add added adds improve".split())
_TRIFLES = frozenset(
    """dependency dependencies dep deps version versions doc docs documentation readme lock lockfile ci test tests
    type types typing year license links link badge badges example examples note notes missing metadata
    changelog workaround patch patches""".split()
)
_MENDING = frozenset("fix fixes fixed bump bumps bumped typo typos".split())
_ALARMING = re.compile(r"\b(?:security|cve-\d|breaking|vulnerab\w+)", re.IGNORECASE)
_MAKING = re.compile(
    r"\b(?:build|dev|development|test) (?:dependenc\w+|framework|requirement|backend|phase)|\bmypyc?\b|\bpytest\b|"
    r"/ tests\b|\bunit tests?\b|\btest suite\b|\bwheels?\b",
    re.IGNORECASE,
)
_MATTERS = re.compile(
    r"^(?:remov|drop)|(?<!non-)\b(?:breaking|backwards?[- ]incompatible|deprecat\w+|no longer|now|the default|"
    r"default (?:is|to|of)|renam\w+|by default|requires?|minimum|security|cve-\d|support(?:ed|s)? (?:for|python)|"
    r"drop\w* support)\b",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r" (?:by|from) @[\w-]+(?: in #\d+)?(?=[.,;)]|$)")
_CREDIT = re.compile(
    r"[,;]?\s?(?:\((?:[^()]{0,60}#\d+[^()]{0,40}|[0-9a-f]{7,40})\)|(?:in |via |see |closes |fixes |issue |pr |"
    r"gh-?){0,2}#\d+(?:,? (?:and )?#\d+){0,5}|(?:by|thanks to|thanks) @[\w-]+)\.?$",
    re.IGNORECASE,
)
# Parts of a release that are about the making of it.
_PARTS = (
    "fix",
    "bug",
    "internal",
    "doc",
    "ci",
    "test",
    "perf",
    "packag",
    "build",
    "chore",
    "depend",
    "misc",
    "refactor",
)


def is_chore(entry: str) -> bool:
    """Return whether an entry says nothing about how things are since then."""
    words = folded(_SCOPE.sub("", entry, count=1))
    trifling = len(words) > 1 and words[0] in _UPDATES and not _TRIFLES.isdisjoint(words[1:4])
    if words and words[0] in _MENDING and not _ALARMING.search(entry):
        return True
    chore = not words or words[0] in _CHORES or trifling
    return _MAKING.search(entry) is not None or (chore and not matters(entry))


def matters(text: str) -> bool:
    """Return whether an entry is something that others have to know: what was removed, is required
    or is the default.
    """
    return _MATTERS.search(text) is not None


def is_vague(heading: str) -> bool:
    """Return whether only what matters is worth taking from below a heading: it promises changes of any kind."""
    return heading.lower().startswith(("chang", "improv", "enhanc", "other", "what"))


def is_chores(heading: str) -> bool:
    """Return whether all entries below a heading are chores."""
    return heading.lower().startswith(_PARTS)


def uncredited(entry: str) -> str:
    """Return an entry without who did it and where."""
    entry = _AUTHOR.sub("", entry)
    named = entry.rfind(" by @")
    if len(entry) - LONGEST_CREDIT < named > 0:
        entry = entry[:named]
    for _ in range(3):  # a credit may have a number behind it, and that a digest
        shorter = _CREDIT.sub("", entry)
        if shorter == entry:
            break
        entry = shorter
    return entry
