"""Words that say that something holds beyond the moment: of a wish, they make a rule.

They stand in the sentence of the wish, or in the next one: "give me hints, not the solution, also for the later ones",
"run the tests first. that's for every change".
"""

from __future__ import annotations

import re

from treering.capture.saying.phrases import HERE, SOFT, any_of
from treering.capture.saying.verbs import is_base, is_failing, is_program, is_trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.capture.saying.own import Sentence

# What people do again and again, and what an agent hands over each time.
_TURNS = any_of("commit, release, change, pr, pull request, review, push, deploy, deployment, merge, migration, rename")
_REST = r"[^\x2c.;]*"  # of a clause; a comma would part two phrases
_SPAN = any_of(
    rf"""(?:that|this|it)(?:'s| is| goes| holds| applies| counts)? (?:for|to|in)
    (?:all|every|each|any|everything)\b{_REST}, (?:goes|applies) (?:for|to)
    (?:all|every|each|any|everything)\b{_REST}, same (?:for|in) (?:all|every|each|any|new)\b{_REST}, not
    (?:just|only) (?:for |in |on )?(?:this|that|today|now|here)(?: one| time)?, also (?:for|in) (?:the
    )?(?:later|others?|next|future)\b, also when, in (?:all )?future (?:code|work|ones|sessions), for good(?!
    measure), for everything, for all of them, from now on, from here on, going forward, moving forward, in (?:the
    )?future, next
    time(?=\s*[\x2c:.!]|\s*$|\s(?:please|just|don't|use|run|ask|check|start|make|put|add|do|tell|show|write|read)\b),
    henceforth, (?:every|each) (?:single )?{_TURNS}, (?:every time|each time|whenever)(?!
    (?:the|someone|somebody|users?|it|they|he|she)\b), when(?:ever)? (?:something|anything)\b, when(?:ever)? you \w+
    (?:something|anything)\b, make it a habit, in that order, generally(?=[\x2c:]|\s*[.!]*$), in
    general(?=[\x2c:]|\s*[.!]*$), ^in general, as a rule, (?:in|for) all (?:of )?(?:our|my) [^.;]*, in all of the
    (?:code|repos|docs), without exceptions?, no exceptions?, permanently, ever again, ever(?=[\x2c.!;]|$),
    (?:nowhere|anywhere)(?=[\s.!]*$), (?:i'd|i would) like (?:that|it) to stay(?: so| that way)?,
    (?:stay(?:s|ing)?|(?:keep|leave)(?:ing)? (?:it|that)) (?:that way|like that), (?:that's|thats|it's|this
    is|that is) (?:a |the
    |our )?(?:[\w']+ )?(?:rule|policy|convention|standard|law|style)(?: here| for us| in our team)?"""
)
SPAN = re.compile(rf"\b{_SPAN}(?=[\s,.;:!?)]|$)")
# The same, at the end of a sentence, or alone.
_END = re.compile(r"(?:^|[,;:!-] ?)(?:always|ever|everywhere)(?: please)?[\s.!]*$|(?<!as) always(?: please)?[\s.!]*$")
# Where we are, if something is set against something else: "fixtures over mocks in this codebase"
_PLACE = re.compile(r"\bin this (?:repo|repository|project|codebase|code base|monorepo|package|firmware|team)\b")
_CONTRAST = re.compile(r"\b(?:not|never|no|only|over|instead|gets)\b")
_SETS = re.compile(
    r"(?:set|change|turn|make|show|sort|return|open|start|put) "
)  # how something shall be, and not how to work
_ONLY_SPAN = re.compile(
    rf"^(?:(?:and|so|but|please|always|really),? ){{0,3}}(?:(?:{_SPAN}|always|ever|every single one)(?=[\s,.;:!]"
    r"|$)|(?:that's|thats|this is|that is) "
    r"(?:a |the |our )?(?:[\w']+ )?(?:(?:rule|policy|convention|standard|law|style)\b|how (?:all|we|our)\b))"
)
_THATS_HOW = re.compile(r"\b(?:that's|thats|that is) how (?:i|we|all|everyone|everybody|our)\b")
_LONGEST_SPAN = 12  # words of a sentence that only says how long another one holds

_WISH = re.compile(
    rf"^(?:{SOFT},? ){{0,4}}(?:i(?:'d| would)? (?:only |really |always |just )?(?:want|prefer|like|need|expect"
    r"|don't want|dont want|do not want)|i(?:'d| would) (?:rather|like|prefer)|make it a habit)\b"
)
_FORBIDS = re.compile(
    rf"^(?:{SOFT},? ){{0,4}}(?:don't|do not|dont|never|no (?!idea|clue|problem|errors?|changes?|need|way|one"
    r"|reason|longer|luck|wonder|rush)|stop|only|nothing|leave|avoid)\b"
)
_COMMAND = re.compile(rf"^(?:{SOFT},? ){{0,4}}(?P<verb>[a-z][a-z-]+)\b(?P<rest>.*)$")
_REPAIRS = frozenset("find fix debug investigate implement".split())  # what is said before them is why
# "Write a script that runs on each release": what it does is said of the script
_MAKES = re.compile(r"(?:write|make|create|add|build|set up|configure|implement|generate) (?:an?|the)\b")
_MUST = re.compile(r"\b(?:must|have to|has to|need to|needs to|should|stays?|goes|belongs?|gets|needs)\b")
_FOR = re.compile(
    rf"^(?:{HERE},? |(?:for|in|on|with|when|whenever|if|every time|each time) [^,:]{{2,40}}? "
    r"(?=(?:i|we|don't|never|always|please|use|no|just|only) )"
    r"|(?:for|in|on|with|before|after|when|whenever|if|every time|each time)\b[^,:]{2,60}[,:] )"
)
_ME = re.compile(r"(?:i|i'm|i'll|i've|my|me)\b")
_BEGINS = re.compile(
    r"(?:it|it's|he|she|they|there|this|that|that's|you|why|not|the (?!\w+s? (?:must|have to|has to|stay|need to)))\b"
)


def lasts(plain: str) -> bool:
    """Whether a sentence says that it holds beyond the moment."""
    if SPAN.search(plain) or (_END.search(plain) and not _SETS.match(plain)):
        return True
    return bool(_PLACE.search(plain) and _CONTRAST.search(plain))


def only_lasts(sentence: Sentence) -> bool:
    """Whether a sentence says only that, of the one before it."""
    plain = sentence.plain
    if sentence.asks:
        return False
    return bool(_THATS_HOW.search(plain)) or (bool(_ONLY_SPAN.match(plain)) and len(plain.split()) <= _LONGEST_SPAN)


def thats_how(sentence: Sentence) -> bool:
    """Whether it says that the one before it is how things are done."""
    return bool(_THATS_HOW.search(sentence.plain))


def bare_of_span(plain: str) -> str:
    """A sentence without the words that say how long it holds: "not just this one" is not about this one."""
    return SPAN.sub(lambda found: "-" * len(found[0]), plain)


def wishes(plain: str) -> bool:
    """Whether a sentence tells the agent what to do, what somebody wants, or how things must be."""
    asked = " please" in plain or " pls" in plain
    if is_failing(plain) or (not asked and (_BEGINS.match(plain) or (_ME.match(plain) and not _WISH.match(plain)))):
        return False
    if _WISH.match(plain):
        return True
    plain = " ".join(SPAN.sub("", _FOR.sub("", plain, count=1)).strip(" ,;:").split())
    if not asked and (_BEGINS.match(plain) or (_ME.match(plain) and not _WISH.match(plain))):
        return False
    if asked or _WISH.match(plain) or _FORBIDS.match(plain) or _MUST.search(plain):
        return True
    found = _COMMAND.match(plain)
    if found is None or found["verb"] in _REPAIRS or _MAKES.match(plain) or is_trouble(plain):
        return False
    return is_base(found["verb"]) and not is_program(found["verb"], found["rest"])
