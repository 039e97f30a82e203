"""What is worth remembering: of all that a document says, what will still help somebody in half a year."""

from __future__ import annotations

import re

from treering.core.words import folded
from treering.harvest.judging.noise import is_noise
from treering.harvest.markdown.prose import FEWEST_WORDS, LONGEST_SENTENCE, count

FEWEST_SPOKEN = 2  # words outside of code; fewer are a listing
FEWEST_IN_PAIR = 2  # words of "Port: 8080", which is short and says all
FEWEST_IN_RULE = 3  # words of "No default exports", or "Use tabs only"
LONGEST_TEXT = 1_200  # characters; no sentence worth keeping is longer, and none longer is searched
SHORTEST_PROSE = 0.45  # share of letters and blanks; below it is a formula, a path, a row of figures

_PAIR = re.compile(r"[^:]{2,40}: \S")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_CODE = re.compile(r"`[^`]*`")
_QUESTION = re.compile(r"\?[\"'\u201d)]*$")
_PERSONAL = re.compile(r"(?<![\w`.])I (?=[a-z])")  # what one person did or thinks
_UNFINISHED = re.compile(r"(?:[,;(]|\b(?:and|or|with|e\.g\.|then add|such as))$")  # what follows is not text
_SPOKEN = re.compile(r"[\"\u201c\u2018'].{20,}[\"\u201d\u2019']?\s*[-\u2013\u2014]\s*[A-Z@][\w .,@-]{2,60}$")
_NOT_LETTERS = re.compile(r"[\W\d_]+")

# Words that make a sentence of the background a constraint.
_BINDING = re.compile(
    r"\b(?:must|cannot|can't|never|always|only|require[sd]?|requirement|limit(?:ed|s)?|at (?:most|least)|"
    r"no more than|not allowed|forbidden|mandatory|compliance|guarantee[sd]?|sla|budget|deadline|owns?|owned by)\b",
    re.IGNORECASE,
)
_ACTIONS = frozenset(
    """add adjust allow always apply ask assign avoid back backup build call cd change check choose clean clear click
    clone close commit compare configure confirm connect consider convert copy create cut declare define delete deploy
    describe disable do document don't download drain drop edit enable ensure enter escalate execute export extend fetch
    fill find follow force format generate get give go handle ignore implement import include increase initialise
    initialize insert inspect install invoke keep launch leave limit link list load log look make mark merge migrate
    mount move name never notify open override page pass paste pick pin place prefer prepare press provide publish
    pull push put raise read rebase rebuild record redeploy reduce refer register release remember remove rename replace
    report reproduce request require reset restart restore retry return revert review roll rollback rotate run save
    scale search select send set setup sign simply skip specify start stop store submit switch sync tag take test treat
    trigger try turn uninstall update upgrade upload use validate verify wait wrap write""".split()
)
# "Commit messages are short" gives no order, although one may commit.
_FINITE = frozenset("is are was were has have can may must should will does do cannot".split())
_ORDERED = re.compile(
    r"\byou (?:must|should|need to|have to|may not|can't|cannot)\b|\b(?:do not|don't|never|always) (?:use|call|"
    r"commit|run|set|rely|edit|store|put|pass|mix|add|log|write|push|merge|share|expose|hard-?code)\b|\bmake sure\b|"
    r"\bit is (?:recommended|advised|required) (?:to|that)\b|\bwe recommend\b|\b(?:please|be sure to)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"(?:to|when|if|before|after|for|in order to|once)\b[^,:]{3,90}[,:] (?:please |then |you can |just )?(\w[\w']*)",
    re.IGNORECASE,
)


def is_worthy(text: str) -> bool:
    """Whether a text, without its headings, is a statement that lasts."""
    return is_clean(text) and is_sized(text)


def is_clean(text: str) -> bool:
    """Whether it is a statement about the subject: no question, no exclamation, no quotation, no noise."""
    if len(text) > LONGEST_TEXT or _QUESTION.search(text) or _SPOKEN.match(text) or _UNFINISHED.search(text):
        return False
    if _PERSONAL.search(text) or (text.endswith("!") and not _ORDERED.search(text)):
        return False
    return not is_noise(text)


def is_sized(text: str) -> bool:
    """Whether it is of the size of a thought, in words and not in code or addresses."""
    if len(text) > LONGEST_TEXT:
        return False
    bare = _ADDRESS.sub("", text) if "www" in text or "http" in text else text
    paired = _PAIR.match(bare) is not None
    fewest = FEWEST_IN_PAIR if paired else FEWEST_IN_RULE if _is_rule(bare) else FEWEST_WORDS
    return fewest <= count(bare) <= LONGEST_SENTENCE and _is_prose(bare, 1 if paired else FEWEST_SPOKEN)


def is_binding(text: str) -> bool:
    """Of the background of a decision only the constraints are kept."""
    return _BINDING.search(text) is not None


def is_action(text: str) -> bool:
    """Whether it begins with an order."""
    first, *rest = text.lower().split(maxsplit=4)[:4] or [""]
    return first.strip('*_,."') in _ACTIONS and not any(word in _FINITE for word in rest)


def kind(text: str) -> str:
    """The type of the memory that it makes: procedural if it tells somebody what to do."""
    purpose = _PURPOSE.match(text)
    if is_action(text) or _ORDERED.search(text) or (purpose is not None and is_action(purpose[1])):
        return "procedural"
    return "semantic"


def _is_rule(text: str) -> bool:
    return is_action(text) or text.lower().startswith(("no ", "never ", "always ", "only "))


def _is_prose(text: str, fewest: int) -> bool:
    spoken = _CODE.sub("", text)
    if text.isascii() and len(folded(spoken)) < fewest:
        return False
    blanks = spoken.count(" ")
    return len(_NOT_LETTERS.sub("", spoken)) + blanks >= SHORTEST_PROSE * len(spoken) and blanks < len(spoken)
