"""Find what a person puts right: "no, use …"."""

from __future__ import annotations

import re

from treering.capture.sentences import customs, doubts
from treering.capture.sentences.clear import cleaned, clear, lead, shaped
from treering.capture.sentences.own import Sentence
from treering.capture.sentences.words import any_of, is_failing
from treering.capture.turns import CORRECTION, Catch

CONFIDENCE = 0.75

_DENIES = re.compile(
    r"^(?:"
    + any_of(
        """no+, nope, nah, wrong, incorrect, not quite, (?:that's|that is|this is|thats) (?:wrong|not
        (?:right|correct|true|it|how|what)|incorrect)(?: [^.;!\u2013\u2014]{0,40})?, actually, wait, hold on, hang
        on, not like that, i (?:already )?(?:said|told you|meant|asked for)(?: (?:to|that|you to))?, as i (?:already
        )?said, you're wrong, stop(?! \\w+ing\\b), hey, please, but, ugh, argh, sigh, dude, come on, again, like i
        said, hm+, ok, okay, sorry, oh, well, almost, careful, eh, uh, um, other way (?:a)?round, oops, whoa,
        nonono, ah"""
    )
    + r"(?:[,.!:;\s\u2013\u2014-]+|$))+"
)
_MILD = frozenset(
    "please hey but again wait stop actually hm hmm ok okay sorry oh well almost ah dude eh uh um".split()
)  # by themselves they deny nothing
_NAMED = (
    "(?!"
    + any_of(
        """a, an, it, this, that, these, those, them, one, another, both, either, something, some, more, less,
        fewer, bigger, smaller, the
        (?:other|same|existing|previous|old|new|first|second|third|last|original|right|correct|one|default|actual|real),
        your, my own, whatever, different, only, two, three, \\d+\\w*"""
    )
    + r"\b)"
)
_USE = re.compile(
    rf"^(?:(?:you (?:should|must|need to|have to)|please|just|always|we should|let's"
    rf"|do) )*use {_NAMED}\S(?!.*\b(?:for|in|on|at) the\b)"
)
_DONT_USE = re.compile(
    r"^(?:please )?(?:don't|do not|dont|never|stop) (?:ever )?(?:use|using|add|adding|put|write|writing|mock"
    r"|create|parse|call"
    r"|import|importing|run|running|install|installing) [^,.;!\u2013\u2014]+(?:[,.;!]"
    r"| [\u2013\u2014-]) ?(?:(?:please|instead|just|always) )*"
    rf"(?:(?:we )?(?:use|run|call|prefer|write|put|go with|import|install) {_NAMED}\S"
    r"|(?:we have|we've got|we got) (?:our own|an?|already) \S|(?:there's|there is) \S.* in (?:__+"
    r"|[\w.-]*[/_.][\w./-]+))"
)
_OURS = re.compile(
    r"^(?:in this (?:repo|project|codebase),? |here,? )?we (?:use|don't use|do not use|call|keep|store|deploy"
    r"|name|write|'re using|are using|'re on|are on|run|build|test|lint|only|never|always|don't \w+"
    r"|do not \w+)\b"
)
_FACT = re.compile(
    r"^(?:the|our|my) (?P<what>[\w_ ./-]{2,50}?) (?:is|are|isn't|aren't|lives?|runs?|goes|go|uses?|sits|belongs?"
    r"|comes?|listens?|must be|has to be) \S"
)
# What is only so at the moment.
_PASSING = re.compile(
    r"\b"
    + any_of(
        """bugs?, errors?, issues?, problems?, build, output, pages?, buttons?, question, point, still, failing,
        broken, wrong, now, ok, okay, fine, empty, missing, there, good, correct, done, ready, not what, supposed,
        cause, reason, fix, answer, result, idea, goal, task, difference, colou?rs?, open, closed, behind, ahead,
        free, taken, busy, protected, red, green, title, label, text, font, margin, padding, too, line \\d+, lines
        \\d+, step \\d+, above, below, this, that, tests?, folder, function, variable, class, method, columns?,
        rows?, bigger, smaller, left, right, image, logo, same, loop"""
    )
    + r"\b"
)
# "pg-main is the primary": a name, and what it is.
_NAMED_FACT = re.compile(
    r"^(?:_+|[\w./-]*[\d_./-][\w./-]*) (?:is|are|isn't|lives?|runs?|belongs?) (?:the|our|an?|in|on|for|not (?!it\b))\b"
)
_PLEASE_NOT = re.compile(r"^(?:_+|[\w./-]+)(?: (?:_+|[\w./-]+))?,? please,? (?:and )?not (?:_+|[a-z][\w./-]+)[\s.!]*$")
# "Again: paths are relative to the root": said before, and therefore meant to last.
_REPEATED = re.compile(
    r"^(?:you (?:keep|always) (?:forget(?:ting)?|do(?:ing)?)(?: this| that| it)?|i keep (?:telling you|saying)"
    r"|again|as i (?:already )?said|like i said|once more|correction|i (?:already )?told you(?: already"
    r"| before)?)(?: that)?[:,]? (?=\S)"
)
_SUBJECT = r"(?!(?:i|you|it|that|this|they|he|she|there|these|those|we want|not|in)\b)[\w_' ./-]{2,60}?"
_IS = any_of(
    """is, are, should be, must be, has to be, have to be, go, goes, start, starts, live, lives, run, runs, belong,
    belongs, come, comes, use, uses, talk, talks, gets?, listens?"""
)
_CONTRASTED = re.compile(
    rf"^{_SUBJECT} {_IS} .*(?:(?:,| and| but) not |\bonly\b|\bnever\b|\balways\b|\bnot (?:to|on|in|by|from)\b)"
)
# "The port is 8443 now, not 8080": what has changed stays so
_CHANGED = re.compile(rf"^{_SUBJECT} {_IS} \S.* now,? (?:and )?not \S")
# "Not main, the branch is called trunk"
_NOT_BUT = re.compile(rf"^not [\w./-]+(?: [\w./-]+)?, (?:the|our|we|all) \S.* ?(?:{_IS}|called)\b")
_DONT_FIRST = re.compile(
    r"^(?:please )?(?:don't|do not|dont|never) (?:use|write|put|add|run|call|import|install|log|store|commit"
    r"|push|inline|edit) \S"
)
# "It's called settlement, not payout", "we moved off RabbitMQ"
_RENAMED = re.compile(
    r"^(?:it's|its|it is|they're) (?:called|spelled|named|written) "
    r"(?!(?:twice|once|from|by|in|when|with|wrong|differently|on|at|every|again)\b)\S"
    r"|^we(?:'ve| have)? (?:moved|switched|migrated) (?:off|away from|from \S+ to|to) (?!the\b|an?\b|it\b|this\b)\S"
    r"|^we(?:'ve| have)? dropped \S.* now\b"
)
# Signs of a fault, or of something seen on a screen.
_BROKEN = re.compile(
    r"\b(?:still|wrong|broken|bug|bugs|errors?|instead|buttons?|screen|page|label|title|menu|icon|font|colou?rs?|header"
    r"|footer|sidebar|dialog|tooltip|modal|should|expected|supposed|currently|now|seems?|looks?|functions?|methods?|variables?|class|columns?|total|values?|results?|count|list"
    r"|line)\b"
    r"|[,;.] (?:so |and |please |can you )*(?:fix|rename|let me|can you|could you|replace)\b"
)
_HABITS = any_of(
    """adding, using, putting, writing, creating, apologi[sz]ing, asking, committing, pushing, explaining,
    summari[sz]ing, mocking, saying, making, generating, formatting, importing, inventing, guessing, rewriting,
    removing, deleting, skipping, wrapping, hardcoding, commenting, calling me, repeating, narrating, reformatting,
    touching, telling me, ending, starting, opening, renaming, editing"""
)
_REQUEST = re.compile(r"(?:please )?(?:can|could|would) you (?:please )?")
_STOP = re.compile(
    rf"^(?:please )?(?:stop|quit) (?:always |constantly )?{_HABITS} (?!(?:the|this|that|it|these|those|now|here"
    r"|please)\b(?!\s[\w.-]+ (?:thing|stuff|lines?|trailers?|footers?)\b))\S"
)
# "Not between 19 and 23h, that's when people buy": why it was refused
_NOT_THEN = re.compile(
    r"^not (?:between|on|in|at|to|with|for|before|after|during|from|into|via|through|by|while|when) "
    r"(?!(?:this|that|these|those|it|here|there|me|now|yet)\b)[^,;:]{2,60}(?:[,;:]| [-\u2013\u2014]) "
    r"(?:that's|thats|that is|it's|those are|they're|we|our|ci|the|people|there)\b.* \S"
)
# "It lives in infra/, not in deploy/": where something is, what it is called, whose it is
_PLACED = re.compile(
    r"^(?!(?:i|you|it|that|this|they|he|she|there|these|those|if|when|why|how|what|not|in)\b)[\w_' ./@-]{2,60}? "
    r"(?:lives?|belongs?|(?:is|are) (?:called|named|spelled|owned by|maintained by|kept in|stored in|managed by"
    r"|deployed by|deployed from|generated by|generated from|defined in|configured in|pronounced|written in))"
    r" (?!twice\b|once\b)[^,;]{2,80}(?:,| and| but|;| -)? ?not (?:by |in |on |from |under |to "
    r"|at )?(?!(?:yet|now|found|sure|working)\b)\S"
    r"|^the (?:right |correct )?(?:word|term|name|spelling|expression) (?:is|for \S+ is) [^,;]{2,40},? not \S"
    # "Headers use pragmas, you used guards"
    r"|^(?!(?:i|you|it|that|this|they|he|she|there|these|those|if|when|why|how|what"
    r"|not)\b)[\w_#' ./@-]{2,60}? (?:lives?|go"
    r"|goes|belongs?|uses?|are) [^,;]{2,60}[,;] (?:but |and )?(?:i (?:see|saw|noticed) )?you(?:'ve| have)? "
    r"(?:used?|put|wrote|called|named|imported|installed|hardcoded|picked)\b"
)
# "Stock is in bottles, not litres, don't use those": what is, what is not, and what follows for the work
_FOLLOWS = re.compile(
    r"^(?!(?:i|you|it|that|this|they|he|she|there|these|those|if|when|why|how|what"
    r"|not)\b)[\w_' ./@-]{2,60}? (?:is|are) "
    r"[^,;]{2,60},? (?:and )?not [^,;]{2,40}(?:[,;.]| [-\u2013\u2014])(?:.*[,;.\u2013\u2014-])? ?(?:so |and |please )*"
    r"(?:don't|dont|do not|never) (?:use|put|mix|store|write|touch|count|send|convert|edit)\b"
)
# "Moment is deprecated, we use dayjs"
_OUTDATED = re.compile(
    r"^(?:the |our )?(?!(?:it|that|this|they|these|those)\b)[\w./@_-]+(?: [\w./@_-]+){0,2} (?:is|are|got|was|were) "
    r"(?:deprecated|dead|legacy|obsolete|retired|frozen|sunset|decommissioned|on its way out|on the way out"
    r"|gone for good)"
    r"\b.*\b(?:use|uses|go(?:es)? (?:to|in|into|through)|is (?:now|in|at|the)|lives|moved to|replaced by)\b"
)
# "Use pnpm, not npm, our lockfile is pnpm's"
_USE_NOT = re.compile(
    r"^use (?!(?:the|this|that|an?|it|my|your)\b)[\w./@-]+,? (?:and )?not [\w./@-]+(?:[,;:]| [-\u2013\u2014]) "
    r".*\b(?:we|our|repo|ci|team|lockfile|here)\b"
)
# "Any time the schema changes, `make client` has to run"
_RERUN = re.compile(
    r"^(?:any ?time|every ?time|each time|whenever) (?!(?:the|an?) (?:user|visitor|customer)\b"
    r"|someone\b)[^,]{3,80}, ?(?:then |also |you |we )*"
    r"(?:__+ (?:has to|must|needs to|should|have to) (?:be )?(?:run|re-?run|called|executed|done)"
    r"|(?:have to|need to|must|should) (?:re-?)?run (?:__+|make |npm |yarn |pnpm |bin/|\./))"
)
# "That's not how we do it: …"
_NOT_OURS = re.compile(
    r"^(?:no,? )?(?:that's|thats|that is|this is) not how (?:we|i|things|it's|this team|our)\b[^:;,.\u2013\u2014-]*"
    r"(?::|;|,| [-\u2013\u2014]+) (?=\S+ \S+ \S)"
)


def denies(plain: str) -> bool:
    """Tell whether a sentence begins by denying what was said or done."""
    found = _DENIES.match(plain)
    return found is not None and any(word not in _MILD for word in re.findall(r"[a-z']+", found[0]))


def correcting(sentence: Sentence, denied: bool, after: Sentence | None = None, late: bool = True) -> Catch | None:
    """Return what a sentence puts right. `denied`: it or the one before it says no, or a tool was
    refused with it."""
    start = lead(sentence.plain)
    plain = sentence.plain[start:]
    repeated = _REPEATED.match(plain) or re.match(r"actually,? ", sentence.plain)
    denied = denied or bool(repeated)
    if found := _REPEATED.match(plain) or _DENIES.match(plain):
        start += found.end()
        plain = sentence.plain[start:]
    text = sentence.text[start:]
    if request := _REQUEST.match(plain) if sentence.asks else None:
        text, plain = text[request.end() :], plain[request.end() :]
        if not _STOP.match(plain):
            return None
    if late and not sentence.asks and (ours := _NOT_OURS.match(sentence.plain)):
        text, plain, denied = sentence.text[ours.end() :], sentence.plain[ours.end() :], True
    else:
        ours = None
    moved = not doubts.now(plain) and bool(
        (late and _RENAMED.match(plain)) or _NOT_BUT.match(plain) or (_CHANGED.match(plain) and not _passes(plain))
    )
    if (sentence.asks and not request) or doubts.wonders(plain):
        return None
    if not moved and (doubts.once(plain) or doubts.reported(plain)):
        return None
    paired = after is not None and _DONT_FIRST.match(plain) and _USE.match(after.plain) and not doubts.once(after.plain)
    if paired and after is not None:
        text = f"{text.rstrip('.')}. {after.text}"
    elif not (
        moved
        or _STOP.match(plain)
        or _DONT_USE.match(plain)
        or _PLEASE_NOT.match(plain)
        or ours
        or (late and _is_put_right(plain))
        or (denied and late and _NOT_THEN.match(plain))
        or (denied and _is_right(plain))
    ):
        return None
    content = cleaned(text)
    return shaped(Catch(CORRECTION, content, confidence=CONFIDENCE), plain) if content and clear(plain) else None


def _passes(plain: str) -> bool:
    """Tell whether it is only so at the moment. What is so now, and was not before, stays."""
    return bool(_PASSING.search(plain.replace(" now", "")))


def _is_put_right(plain: str) -> bool:
    """Tell whether it states how things are, and neither reports a fault nor asks for the next step."""
    if is_failing(plain) or _BROKEN.search(plain):
        return False
    return any(each.match(plain) for each in (_PLACED, _FOLLOWS, _OUTDATED, _RERUN, _USE_NOT))


def _is_right(plain: str) -> bool:
    """Tell whether words behind a "no" say what is right, and not only what to do next."""
    if _CONTRASTED.match(plain) and not _passes(plain):
        return True
    return bool(
        customs.sure(plain)
        or _USE.match(plain)
        or _OURS.match(plain)
        or _NAMED_FACT.match(plain)
        or (_FACT.match(plain) and not _PASSING.search(plain) and " file " not in plain)
    )
