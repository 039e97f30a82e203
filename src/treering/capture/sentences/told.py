"""Find what somebody asks to be remembered, in so many words."""

from __future__ import annotations

import re

from treering.capture.sentences import doubts
from treering.capture.sentences.clear import cleaned, clear, lead, shaped
from treering.capture.sentences.own import Sentence
from treering.capture.sentences.words import SOFT, any_of
from treering.capture.turns import TOLD, Catch
from treering.text.words import STOP_WORDS, folded

CONFIDENCE = 0.9

_MEMORY = r"(?:to|in|into) (?:your |the |my |our )?(?:long[- ]term |project |user )?(?:memory|memories|notes)"
_LATER = (
    r"(?:for (?:the )?(?:future|later|(?:the )?next times?|next session|later sessions|other times|other days"
    r"|other sessions"
    r"|future sessions?|ever|good)|in (?:the )?future|going forward)"
)
_VERB = (
    any_of(
        """remember, memori[sz]e, keep in mind, bear in mind, don't forget, dont forget, do not forget, never
        forget, always remember"""
    )[:-1]
    + r"|keep (?:this|it|the following) in mind|(?:make|take) (?:a )?(?:mental |permanent )?note|write (?:this"
    r"|that|it) down"
    + rf"|(?:save|store|add|put|commit|write|record|keep|note)(?: this| that| it)? {_MEMORY}|(?:save|note|record"
    rf"|store) (?:this|that|it)? ?{_LATER})"
)
# "Bake that into your brain": the same in other words.
_HEAD = (
    r"(?:put|bake|burn|get|drill|hammer|etch|engrave|file|stick|tattoo|keep|store|lock|write|save|hold|pin|carve|brand|stash"
    r"|tuck|park) (?:that|this|it)(?: one)? (?:(?:somewhere )?(?:in|into|to|on|onto|at"
    r"|inside)(?: the (?:back|front) of)?"
    r" (?:your|the|that)(?: \w+)? (?:head|brain|memory|mind|skull|forehead|notes?|notebook|ears?)"
    r"|(?:away|down|somewhere)(?: safe)?(?! (?:in|on|else)\b))|jot (?:that|this|it) down|(?:that's "
    r"|thats )?(?:worth|good to)"
    r" (?:not(?:e|ing)|remember(?:ing)?|writ(?:e|ing)|keep(?:ing)?|sav(?:e|ing))(?: (?:that|this"
    r"|it))?(?: down| somewhere"
    r"| in mind)?"
)
_FOR_EVER = r"(?: (?:for|every|each|when|whenever|please|in)\b.{0,60})?"
# What is to be kept follows.
_ASKED = re.compile(
    rf"(?:^|[.;:!\u2013\u2014,]\s|\s-\s|\s(?:and|but)\s)(?:{SOFT},? ){{0,4}}{_VERB}(?: (?:this one|that one|this"
    rf"|the following|these))?(?: {_LATER})?"
    r"(?P<joint>\s?[:\u2013\u2014]\s?|\s-\s|,? that |,? of |,? to |,\s|\s)(?P<rest>\S.*)$"
)
_NOTED = re.compile(
    rf"(?:^|[.;!,]\s)(?:and |also |but |so |ah |oh ){{0,2}}(?:(?:for|in) (?:the )?future(?=:)|(?:(?:one|this one"
    r"|something) )?for (?:the|your|my) (?:notes|memory)|(?:save|note|store"
    r"|record|keep) (?:this|the following)(?=:)|for (?:your |the |my )?future reference"
    rf"|(?:a )?note (?:to (?:you|self)(?: and (?:to )?you)? ?)?(?:{_LATER})?(?=:)"
    rf"|(?:a )?note (?:to you )?{_LATER}|please note(?= that)|note(?= that|:)(?=.*\b(?:every|always|never|only"
    rf"|must|each)\b)(?!.*\b(?:here|lines?|this|still)\b)|(?:just )?so (?:that )?you know(?: also)? {_LATER}"
    r"|(?:just )?(?:fyi"
    rf"|note),? {_LATER}|(?:good"
    rf"|worth) (?:to know|knowing|remembering) {_LATER}|{_LATER} (?:just )?so you know)"
    r"(?: too| as well)?(?:[,:]| -| that)? (?P<rest>\S.*)$"
)
# "Remember that", behind what is to be kept: as a sentence of its own, or as the end of one.
_BACK = re.compile(
    rf"^(?:{SOFT},? ){{0,4}}(?:(?:remember|memori[sz]e|note|keep|save|store|write|record|don't forget)"
    r" (?:that|this|it)(?: one)?(?: (?:down|somewhere|in mind|noted|handy|around|for (?!(?:this|that"
    r"|now)\b)[^.,]{2,40}|in (?:the )?future))?"
    rf"|{_VERB}|{_HEAD}{_FOR_EVER})(?:, (?:please|you'll|it'll|because|it will|as)\b.*)?[\s.!]*$"
)
_ENDS = re.compile(
    rf"[,;.\u2013\u2014-]+ (?:{SOFT},? ){{0,4}}(?:keep (?:that|this|it) in mind|(?:remember|memori[sz]e|note|save"
    rf"|don't forget) (?:that|this|it)(?= {_LATER}|[\s.!]*$| when| whenever| please)"
    rf"|remember {_LATER}|{_HEAD}(?=[\s.!]*$|,| for | every | each | when))(?P<more>.{{0,80}})$"
)
_ABROAD = re.compile(
    r"^(?:(?:bitte )?"
    + any_of(
        """merke? dir(?: bitte)?, merkt euch, denk (?:bitte )?daran, notiere? dir(?: bitte)?, recuerda, recuérdalo,
        ten en cuenta, souviens-toi, rappelle-toi, retiens, n'oublie pas, ricorda, ricordati, tieni a mente,
        lembre-se, lembra-te, onthoud, kom ihåg, husk, pamiętaj, запомни, помни"""
    )
    + r"\s?(?:[:\uff1a]|,? (?:dass|que|che|de que|dat|att|at|że|что)\s)\s?|(?:请|請)?(?:记住|記住"
    r"|覚えておいて|覚えて|기억해줘"
    r"|기억해)(?:[:\uff1a\uff0c,\u3001]|\s)\s?)(?P<rest>\S.*)$"
)
# Memories of the past, questions, and things that are no statement.
_NOT = re.compile(
    r"^(?:"
    + any_of(
        """when, how, what, why, where, who, which, if, whether, me, us, him, her, them, password, state, scroll,
        the (?:time|day|last time|bug|issue|thing|old|good|password|choice|setting), (?:that
        )?(?:time|day|bug|issue|thing|guy|meeting|discussion|conversation|one|pr|night|week|incident|outage|error|problem),
        we talked, you are, you're, we (?:only )?have \\d, you said, you told, last, correctly, rightly, i'll, i
        will, i'm (?:going|about|off|away|out|leaving|on|in|at|still|not|busy|back|afk|gone), to be, your, seeing,
        reading, doing, having"""
    )
    + r"\b|(?:it|this|that)[.!]*$)"
)
_VERBS = any_of(
    """is, are, was, were, be, am, has, have, had, do, does, did, can, cannot, could, will, would, should, must,
    may, might, need, needs, use, uses, run, runs, live, lives, prefer, want, wants, go, goes, never, always, only,
    not, \\w+n't, \\w+'(?:s|re|ve|ll|m), (?:we|i|they|you|he|she) \\w+"""
)
_VERB_SURELY = re.compile(rf"\b{_VERBS}\b")
_VERBLIKE = re.compile(rf"\b(?:{_VERBS}|\w+(?:s|ed|ing))\b|:")
_STILL = re.compile(r"\b(?:we're|i'm|we are|i am|is|are) still\b")
_HEADING = re.compile(
    rf"^\W*(?:{SOFT},? ){{0,4}}(?:remember|keep (?:these |this |the following )?in mind|memori[sz]e)\b"
)
_POLITE_QUESTION = re.compile(r"(?:please )?(?:can|could|would|will) you ")
FEWEST_MEANT = 2
_MEANT = frozenset("no not never only always before after off out".split())
_JOKE = re.compile(
    r"\b(?:beers?|drinks?|coffees?|lunch|dinner|pizza|cake|cookies|donuts?|the (?:next )?round)(?:'s| is| are) on \w+"
    r"|\b(?:you|he|she|they) owes? (?:me|us|you)\b|\bto (?:breathe|smile|hydrate|have fun|drink water|sleep)\b"
)
_THAT = re.compile(r"^(?:that|this|the) (?=[\w ]{2,40}:)")


def telling(sentence: Sentence, before: Sentence | None) -> Catch | None:
    """Return what a sentence asks to remember: what follows in it, or stands before."""
    start = lead(sentence.plain)
    text, plain = sentence.text[start:], sentence.plain[start:]
    if _HEADING.match(sentence.heading):
        return _kept(text, plain)
    if _BACK.match(plain):
        return _whole(before) if before is not None and not doubts.supposed(before) else None
    if sentence.asks and not _POLITE_QUESTION.match(plain):
        return None
    if (found := _ABROAD.match(text.lower())) and len(text.lower()) == len(text):
        content = cleaned(text[found.start("rest") :])
        return shaped(Catch(TOLD, content, confidence=CONFIDENCE), content.lower()) if content else None
    if found := _NOTED.search(sentence.plain):
        return _rest(sentence.text, sentence.plain, found.start("rest"))
    if found := _ENDS.search(plain):
        return _kept(text[: found.start()], plain[: found.start()])
    if found := _ASKED.search(plain):
        joint = found["joint"].strip(" ,")
        if joint == "to" and doubts.once(found["rest"]):
            return None
        if (
            joint == "to"
            and "forget" in found[0]
            and not re.search(r"\b(?:always|ever|every|each|whenever|never)\b", found["rest"])
        ):
            return None
        return _rest(text, plain, found.start("rest"), firm=bool(joint))
    return None


def _rest(text: str, plain: str, at: int, firm: bool = True) -> Catch | None:
    rest = plain[at:]
    if _NOT.match(rest) or doubts.takes_back(rest) or not (_VERBLIKE if firm else _VERB_SURELY).search(rest):
        return None
    if named := _THAT.match(rest):
        at += named.end()
    return _kept(text[at:], plain[at:])


def _whole(sentence: Sentence) -> Catch | None:
    start = lead(sentence.plain)
    plain = sentence.plain[start:]
    return _kept(sentence.text[start:], plain) if _VERBLIKE.search(plain) else None


def _kept(text: str, plain: str) -> Catch | None:
    content = cleaned(text)
    if not content or not clear(plain) or doubts.now(plain) or _STILL.search(plain):
        return None
    if _JOKE.search(plain) or not _says_enough(plain):
        return None
    return shaped(Catch(TOLD, content, confidence=CONFIDENCE), plain)


def _says_enough(plain: str) -> bool:
    """Tell whether it has two words that mean something: "beer's on you" has one."""
    words = [word for word in folded(plain.replace("_", "x")) if word not in STOP_WORDS or word in _MEANT]
    return len(words) >= FEWEST_MEANT
