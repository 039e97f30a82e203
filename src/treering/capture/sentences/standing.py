"""Find what shall always be so: a person's preferences, rules for the agent.

Words that say that a wish holds beyond the moment make it a rule. They stand in its sentence or in
the next one: "run the tests first. that's for every change".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treering.capture.sentences import customs, doubts
from treering.capture.sentences.clear import begin, cleaned, clear, lead, shaped, starts
from treering.capture.sentences.own import Sentence
from treering.capture.sentences.words import (
    HERE,
    NAME,
    PLACES,
    SOFT,
    any_of,
    is_base,
    is_failing,
    is_program,
    is_trouble,
)
from treering.capture.turns import PREFERENCE, Catch

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
    """Tell whether a sentence says that it holds beyond the moment."""
    if SPAN.search(plain) or (_END.search(plain) and not _SETS.match(plain)):
        return True
    return bool(_PLACE.search(plain) and _CONTRAST.search(plain))


def only_lasts(sentence: Sentence) -> bool:
    """Tell whether a sentence says only that, of the one before it."""
    plain = sentence.plain
    if sentence.asks:
        return False
    return bool(_THATS_HOW.search(plain)) or (bool(_ONLY_SPAN.match(plain)) and len(plain.split()) <= _LONGEST_SPAN)


def thats_how(sentence: Sentence) -> bool:
    """Tell whether it says that the one before it is how things are done."""
    return bool(_THATS_HOW.search(sentence.plain))


def bare_of_span(plain: str) -> str:
    """Return a sentence without the words that say how long it holds: "not just this one" is not about this one."""
    return SPAN.sub(lambda found: "-" * len(found[0]), plain)


def wishes(plain: str) -> bool:
    """Tell whether a sentence tells the agent what to do, what somebody wants, or how things must be."""
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


CONFIDENCE = 0.8
_FRAGMENT = 5  # words
_POINTING = ("that's ", "thats ", "that is ")  # they begin a sentence about the one before it
_SHORTEST = 12  # characters of a rule, before what follows from it
_SO = re.compile(r",? so (?:please )?(?:leave|use|put|keep|don't|dont|do not|never|undo|redo|revert|move|take|you)\b")
LOWER = 0.7  # of forms that are now and then said of one thing only

_SOFT = rf"(?:{SOFT},? ){{0,4}}"
_ALWAYS = re.compile(
    rf"^(?:(?:(?:when(?:ever)?|if) [^,]{{2,80}}?|{HERE}),? (?:then )?)?{_SOFT}(?:always|never(?: ever)?|(?:don't|do not"
    rf"|dont) ever) (?:ever )?(?P<verb>{NAME})(?P<rest>.*)$"
)
_NOW_ON = any_of(
    """from now on, from here on out, from here on, going forward, moving forward, in future, in the future, from
    this point on, from this point forward, as a rule, as a general rule, by convention, next time, henceforth, for
    next time, for the future, for future (?:\\w+)"""
)
_FROM_NOW = re.compile(rf"^{_SOFT}{_NOW_ON}[,:]? (?P<rest>\S.+)$")
_DONT = re.compile(
    rf"^{_SOFT}(?:don't|do not|dont|never) (?!worry|bother|mind|be\b|know|think|forget|feel|want|have|see|like"
    r"|let|get|care|hesitate|remember)(?P<verb>[a-z]+)\b(?P<rest>.*\b"
    + any_of(
        """again, ever, every time, anymore, any more, without
        (?:asking|my|checking|telling|me|permission|approval|confirm\\w*|being), unless
        (?:i|asked|told|explicitly|necessary|you|we), directly (?:to|on|in), under any circumstances, no matter
        what, by hand, at all"""
    )
    + rf"\b.*|.*\b(?:in|on|for|at|across) (?:this|our) (?:\w+ )?{PLACES}\b.*)$"
)
_UNLESS = re.compile(rf"^{_SOFT}(?P<verb>[a-z]+)\b(?P<rest>.* unless (?:i|you're|you are|asked|told|explicitly)\b.*)$")
_NONE = re.compile(
    rf"^{_SOFT}no (?!(?:one|more|need|idea|problems?|worries|changes?|errors?|way|rush|luck|wonder|matter|longer"
    r"|clue|thanks|point|reason|tests?|time|news|difference|such|it|its|not|that|this|the|i|we|you|use|just"
    rf"|don't)\b)[\w /()-]{{2,40}}?,? (?:{HERE}|ever\b|without (?:asking|a|my)\b)"
)
_ONLY = re.compile(
    rf"^{_SOFT}only (?P<verb>[a-z]+)\b(?P<rest>.*\b(?:when|if|after|unless) (?:i|asked|told|explicitly)\b.*)$"
)
_ASK = re.compile(
    rf"^{_SOFT}(?:(?:ask|tell|warn|check with) me (?:first )?before (?:you )?\w+"
    r"|ask (?:first )?before (?:you )?\w+ (?:anything|any|something|files?))(?P<rest>.*)$"
)
# "Scripts, not notebooks"
_NOT = re.compile(
    r"^(?!(?:i|we|you|it|that|this|they)\b)[\w./+#-]+(?: [\w./+#-]+)?,? not [\w./+#-]+(?: [\w./+#-]+)?(?=[,.;!]|$)"
)
_STYLE = re.compile(
    rf"^{_SOFT}(?:keep|make|format|prefix) (?:your |all |every |the |each )?"
    + any_of(
        """answers, responses, replies, explanations, commit messages?, commits?, prs?, pull requests?, summaries,
        comments, code comments, messages, docstrings, functions, branch names, branches, variable names, test
        names"""
    )
    + r" (?!in the |for the )(?:\w+)"
    rf"|^{_SOFT}write (?:all |your |the |all your )?(?:comments|code comments|commit messages|docs|docstrings"
    r"|messages|tests) in \w+"
    rf"|^{_SOFT}(?:answer|reply|respond|speak|talk|write) (?:to me )?in "
    + any_of(
        """english, german, french, spanish, italian, portuguese, dutch, japanese, chinese, korean, polish,
        russian, swedish, norwegian, danish, finnish, turkish, hindi, ukrainian, czech, short, simple, plain"""
    )
    + r"\b"
)
_LABEL = re.compile(
    r"^(?:(?:one|another|a|new|second|golden|important|simple|house|team|project"
    r"|our) rule(?: of mine)?(?: for you| here)?|my preference|preference|convention|house style|(?:one"
    r"|a) thing (?:that )?i (?:keep|have to|always|must)\b[^:]{0,30}): (?=\S)"
)
_CALL = re.compile(
    r"^(?:please |you can |just )*(?:[Cc]all|[Aa]ddress) me (?:by |as )?(?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
    r"(?=[\s,.;!(]|$)"
)
_NO_NAME = frozenset({"When", "If", "Later", "Back", "Crazy", "Maybe", "Old"})
_RULES = re.compile(r"\b(?:rules|conventions|preferences|from now on|going forward|future)\b")
_REQUEST = re.compile(
    rf"(?:{_NOW_ON},? )?(?:please )?(?:can|could|would|will) you (?!not |always (?:see|know|access|find|get|read"
    r"|remember|tell)\b)"
)
_POLITE = re.compile(
    r"^(?:(?:can|could|would|will) you |please |pls |kindly |also |and |but |so |just |then |if possible,? )+"
)


def standing(sentence: Sentence, after: Sequence[Sentence] = (), late: bool = True) -> Catch | None:
    """Return the preference or rule that a sentence tells. One of those `after` it may only say
    that it is one. Before the agent has done anything (`late` is false), many sentences only
    describe the task."""
    start = lead(sentence.plain)
    text, plain = sentence.text[start:], sentence.plain[start:]
    if (sentence.asks and not _REQUEST.match(plain)) or doubts.wonders(plain) or doubts.reported(plain):
        return None
    if doubts.now(bare_of_span(plain)) or (plain.startswith(_POINTING) and only_lasts(sentence)):
        return None
    if sentence.heading and _RULES.search(sentence.heading):
        return _kept(text, plain, CONFIDENCE)
    if named := _CALL.match(text):
        return None if named["name"] in _NO_NAME else _kept(named[0], plain[: named.end()], CONFIDENCE)
    if found := _LABEL.match(plain):
        return _kept(text[found.end() :], plain[found.end() :], CONFIDENCE)
    if ends := _ends(plain, after, late):
        text = ". ".join([text.rstrip(".!? "), *(each.text.rstrip(".!? ") for each in ends)])
        return _kept(text, plain, CONFIDENCE)
    found = _FROM_NOW.match(plain)
    if lasts(plain) and (wishes(plain) or (found and ":" in plain[: found.start("rest")])):
        begins = found.start("rest") if found else 0
        return _kept(text[begins:], plain[begins:], CONFIDENCE)
    return _told(text, plain, CONFIDENCE if not late else LOWER)


def _ends(plain: str, after: Sequence[Sentence], late: bool) -> Sequence[Sentence]:
    """Return the sentences behind one, up to the one that says that it holds for good."""
    if after and only_lasts(after[0]):
        shown = late and (_is_fragment(plain) or thats_how(after[0]) or customs.states(plain))
        return after[:1] if wishes(plain) or shown else ()
    between = len(after) > 1 and only_lasts(after[1]) and not after[0].asks and not wishes(after[0].plain)
    return after[:2] if between and wishes(plain) else ()


def _is_fragment(plain: str) -> bool:
    """Tell whether it is too short to be more than a name for what is wanted."""
    named = _NOT.match(plain)
    return (named is not None or len(plain.split()) <= _FRAGMENT) and not is_trouble(plain)


def _told(text: str, plain: str, least: float) -> Catch | None:
    """Return the rule that a clause of a sentence makes, with the part of the sentence that belongs to it."""
    for at in starts(plain):
        confidence = _sure(plain[at:]) or customs.sure(plain[at:])
        places = dict.fromkeys((begin(plain, at), at, 0)) if confidence >= least else ()
        ends = dict.fromkeys((len(plain), _consequence(plain, at)))
        for end in ends:
            for place in places:
                if found := _kept(text[place:end], plain[place:end], confidence):
                    return found
    return None


def _consequence(plain: str, at: int) -> int:
    """Return where a rule ends before what is to be done for its sake: ", so leave those open"."""
    found = _SO.search(plain, at + _SHORTEST)
    return found.start() if found else len(plain)


def _sure(plain: str) -> float:
    """Return how sure it is that a clause is a rule for the agent or a wish of the person."""
    if found := _ALWAYS.match(plain):
        program = is_program(found["verb"], found["rest"]) and not lasts(found["rest"])
        return CONFIDENCE if is_base(found["verb"]) and not program else 0.0
    for pattern in (_DONT, _ONLY, _UNLESS):
        if found := pattern.match(plain):
            sure = is_base(found["verb"]) and not is_trouble(plain) and not is_program(found["verb"], found["rest"])
            return CONFIDENCE if sure else 0.0
    if any(pattern.match(plain) for pattern in (_STYLE, _ASK, _NONE)):
        return CONFIDENCE
    return customs.likes(plain)


def _kept(text: str, plain: str, confidence: float) -> Catch | None:
    start = lead(plain)
    text, plain = text[start:], plain[start:]
    if polite := _POLITE.match(plain):
        text, plain = text[polite.end() :], plain[polite.end() :]
    content = cleaned(text)
    if not content or not clear(bare_of_span(plain)):
        return None
    return shaped(Catch(PREFERENCE, content, confidence=confidence), plain)
