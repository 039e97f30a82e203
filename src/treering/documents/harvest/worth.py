"""Tell which sentences of a document are worth remembering, by their size, their shape and a few sharp phrases."""

from __future__ import annotations

import re

from treering.documents.harvest.prose import FEWEST_WORDS, LONGEST_SENTENCE, count
from treering.text.words import folded

FEWEST_SPOKEN = 2  # words outside of code; fewer are a listing
FEWEST_IN_PAIR = 2  # words of "Port: 8080", which is short and says all
FEWEST_IN_RULE = 3  # words of "No default exports", or "Use tabs only"
LONGEST_TEXT = 1_200  # characters; no sentence worth keeping is longer, and none longer is searched
SHORTEST_PROSE = 0.45  # share of letters and blanks; below it is a formula, a path, a row of figures

# What points elsewhere, invites, thanks, or is not filled in yet.
_NOISE = re.compile(
    r"^(?:see|check out|visit|refer to|join|thanks|thank you|welcome|hello|hi|let's|feel free|as you can|enjoy|"
    r"if you (?:like|find|have (?:any|questions)|want to (?:help|contribute)|would like))\b|"
    r"\b(?:see|read|visit|check|refer to|find) (?:also|the|our|this|more|here)\b.{0,60}\b(?:docs?|documentation|guide|"
    r"page|website|wiki|section|paper|blog|examples?|readme|changelog|discord|slack|forum|details)\b|"
    r"[,(] ?see [^.]{1,60}\.?$|\b(?:above|below)(?=[,.;:)]|$)|"
    r"\b(?:following|above|below) (?:example|code|table|figure|section|output)s?\b|"
    r"\b(?:for|find|learn|read) (?:more|further|full) ?(?:information|info|details|examples|about)?\b|"
    r"\b(?:here(?: is|'s)|in this (?:example|section|tutorial|guide|document)|on this page|work in progress|"
    r"coming soon|lorem ipsum|(?:contributions|pull requests) are|tutorial|blog post|blazing|licen[cs]ed under|"
    r"all rights reserved|copyright|click here)\b|"
    r"<(?:your|my|insert|name)\b[^<>]*>|\{\{|\{%|^`?(?:install\w*|pip|npm)\b.{0,60}\binstall [\w./@-]+`?\.?$|"
    r"^[|\s]*(?:\w+ )?(?:status|date|deciders?|authors?|(?:last )?updated|created|version|tags|reviewers?)\s*[:|]",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(r"\b(?:TODO|TBD|FIXME|XXX)\b")
_PERSONAL = re.compile(r"(?<![\w`.])I (?=[a-z])|\bI'm\b")  # what one person did or thinks
_UNFINISHED = re.compile(r"(?:[,;(]|\b(?:and|or|with|add|as))$")  # what follows is not text
_PAIR = re.compile(r"[^:]{2,40}: \S")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_CODE = re.compile(r"`[^`]*`")
_NOT_LETTERS = re.compile(r"[\W\d_]+")
_BINDING = re.compile(r"\b(?:must|cannot|never|always|only|requires?d?|limit\w*|at (?:most|least))\b", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:(?:to|when|if|before|after|once)\b[^,:]{3,90}[,:] (?:please )?)?(?:please |always |never |do not |don't |"
    r"avoid |prefer |(?:use|run|add|set|make|create|keep|call|check|put|write|open|remove|install|start|stop|update) "
    r"(?!(?:is|are|was|has|can|may|must|should|will)\b))|.*\byou (?:must|should|need to|have to)\b|.*\bmake sure\b",
    re.IGNORECASE,
)


def is_worthy(text: str) -> bool:
    """Return whether a text, without its headings, is a statement that lasts."""
    return is_clean(text) and is_sized(text)


def is_clean(text: str) -> bool:
    """Return whether it is a statement about the subject: no question, no exclamation, no pointer, no talk."""
    if len(text) > LONGEST_TEXT or text.rstrip("\"')\u201d").endswith("?") or _UNFINISHED.search(text):
        return False
    if _PERSONAL.search(text) or _LEFT_OPEN.search(text) or (text.endswith("!") and not is_order(text)):
        return False
    return _NOISE.search(text) is None


def is_sized(text: str) -> bool:
    """Return whether it is of the size of a thought, in words and not in code or addresses."""
    bare = _ADDRESS.sub("", text)
    paired = _PAIR.match(bare) is not None
    ruled = is_order(bare) or bare.lower().startswith(("no ", "only "))
    fewest = FEWEST_IN_PAIR if paired else FEWEST_IN_RULE if ruled else FEWEST_WORDS
    return fewest <= count(bare) <= LONGEST_SENTENCE and _is_prose(bare, 1 if paired else FEWEST_SPOKEN)


def is_binding(text: str) -> bool:
    """Return whether a sentence of the background of a decision is a constraint: only those are kept."""
    return _BINDING.search(text) is not None


def is_order(text: str) -> bool:
    """Return whether it tells somebody what to do."""
    return _ORDER.match(text) is not None


def _is_prose(text: str, fewest: int) -> bool:
    spoken = _CODE.sub("", text)
    if text.isascii() and len(folded(spoken)) < fewest:
        return False
    blanks = spoken.count(" ")
    return len(_NOT_LETTERS.sub("", spoken)) + blanks >= SHORTEST_PROSE * len(spoken) and blanks < len(spoken)
