"""What shall always be so: preferences of a person, rules for the agent."""

from __future__ import annotations

import re

from treering.capture.catches import PREFERENCE, Catch
from treering.capture.saying import customs, doubts
from treering.capture.saying.clauses import begin, starts
from treering.capture.saying.clear import cleaned, clear, lead
from treering.capture.saying.lasting import bare_of_span, lasts, only_lasts, thats_how, wishes
from treering.capture.saying.phrases import HERE, NAME, PLACES, SOFT, any_of
from treering.capture.saying.scope import shaped
from treering.capture.saying.verbs import is_base, is_program, is_trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.capture.saying.own import Sentence

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
    """The preference or the rule that a sentence tells. One of those `after` it may only say that it is one. Before
    the agent has done anything (`late` is false), much that sounds like a rule only describes the task."""
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
    """The sentences behind one, up to that which says that it holds for good."""
    if after and only_lasts(after[0]):
        shown = late and (_is_fragment(plain) or thats_how(after[0]) or customs.states(plain))
        return after[:1] if wishes(plain) or shown else ()
    between = len(after) > 1 and only_lasts(after[1]) and not after[0].asks and not wishes(after[0].plain)
    return after[:2] if between and wishes(plain) else ()


def _is_fragment(plain: str) -> bool:
    """Whether it is too short to be more than a name for what is wanted."""
    named = _NOT.match(plain)
    return (named is not None or len(plain.split()) <= _FRAGMENT) and not is_trouble(plain)


def _told(text: str, plain: str, least: float) -> Catch | None:
    """A rule that some clause of a sentence makes, with as much of the sentence as belongs to it."""
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
    """Where a rule ends before what is to be done for its sake: ", so leave those open"."""
    found = _SO.search(plain, at + _SHORTEST)
    return found.start() if found else len(plain)


def _sure(plain: str) -> float:
    """How sure it is that a clause is a rule for the agent or a wish of the person."""
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
