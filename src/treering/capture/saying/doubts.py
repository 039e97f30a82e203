"""Signs that a sentence is not meant to last, or is not meant at all."""

from __future__ import annotations

import re

from treering.capture.saying.phrases import PLACES, any_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.capture.saying.own import Sentence

LONGEST_OWN = 2_500  # characters: a longer prompt is a document, and its rules are about what it describes

_SUPPOSED_AT_FIRST = any_of(
    """what if, suppose, supposing, imagine, say we, say i, let's say, let's pretend, let's assume, let's imagine,
    assume, assuming, pretend, hypothetically, in theory, if only, maybe, perhaps, should (?:we|i|it|this|that|the),
    shall (?:we|i), why, how, what, who, where, which, whose,
    (?:could|would|do|does|did|is|are|was|were|has|have|can|will)
    (?:we|i|it|this|that|the|there|they|our|any|anyone|you have|you know|you think|you remember), i wonder,
    wondering, i guess, i suppose, ever, wouldn't, shouldn't we, don't we, isn't, aren't, am i, if we
    (?:always|never), if i (?:always|never)"""
)
_SUPPOSED = re.compile(
    rf"^{_SUPPOSED_AT_FIRST}\b|\b"
    + any_of(
        """hypothetical(?:ly)?, for the sake of argument, in an ideal world, wouldn't it, would it, would be
        (?:nice|cool|great|better|good|fun), not sure (?:if|whether|about), i wonder, i was wondering, just
        wondering, what if, thinking (?:about|of|out loud), considering (?:whether|if|to), toying with, maybe we,
        perhaps we, maybe i, we might, we may, i might, i may, you might, i'm torn, on the fence, if we
        (?:ever|had|were|did|went|used), were we to, theoretically, in principle, i'm not sure, let's pretend,
        should i, could also, might be, may be"""
    )
    + r"\b"
)
# About the work at hand, whatever else is said.
_NOW = re.compile(
    r"\b"
    + any_of(
        rf"""this time, (?:just|only) (?:this )?once, this once, for (?:now|today|tonight|once), for the
        (?:moment|time being|demo|next|rest|meeting|presentation|release), right now, at the moment, today, tonight,
        tomorrow, this (?:week|sprint|morning|afternoon|evening|month|friday|monday|weekend), temporar(?:ily|y), in
        the meantime, meanwhile, (?:for|in|on|with|to|of|from|at|by|into) (?:this|that|these|those)\b(?! (?:\w+
        )?{PLACES}), in (?:an|one|two|\d+|a few) (?:hours?|minutes?|days?), until
        (?:i'm|we're|tomorrow|then|monday|friday|i|the (?:release|demo|freeze|launch|weekend|end)), after
        (?:that|this), before (?:that|this), yet, the next (?:step|commit|pr|task|one|run), while
        (?:you're|we're|i'm), as a (?:quick fix|workaround|test|temporary|hack|start), (?:on|in|for) the
        (?:second|first|other|last|next|new|current) \w+, this
        (?:pr|commit|branch|one|task|ticket|change|session|run|round|review|refactor(?:ing)?|migration|fix|feature|bug|file|function|test|class|release|rename),
        just for, not now, (?:do|fix|handle|see|add) (?:it |this |that |them )?later, later today, so far, for a
        (?:second|sec|moment|minute|while|bit), next (?:week|month|sprint), by
        (?:monday|friday|tomorrow|noon|tonight)"""
    )
    + r"\b"
)
# Said of the order of the steps, unless it is said for always.
_STEP = re.compile(
    r"\b(?:when|once|after|before|as soon as|until|till) (?:you|it|that|they)(?:'re|'s| are| is|'ve| have)? "
    + any_of(
        """done, finish(?:ed)?, start, begin, ready, get, go, fixed, fix, leave, stop, merged, green, works,
        passes, go on, continue, move on"""
    )
    + r"\b"
)
_YESTERDAY = re.compile(r"\b(?:yesterday|last (?:week|month|night|time)|this morning|earlier)\b")
_SOMEBODY = any_of(
    """docs?, documentation, readme, articles?, blog, posts?, guides?, tutorial, linter, error, messages?, logs?,
    he, she, they, boss, manager, someone, somebody, people, colleagues?, coworkers?, reviewers?, book, spec,
    ticket, comments?, overflow, chatgpt, gpt, copilot, gemini, guy, friend, lead, intern, clients?, customers?,
    teacher, professor, paper, standard, license, changelog, page, site, website, issue, thread, rule, video, talk,
    speaker, author, claude.md, agents.md, policy, template, banner, tooltip, prompt, devs?, developers?,
    engineers?, contractor, consultant, vendor, maintainers?, partner, supplier, mail, email, others?, internet,
    wiki, tool, bot, compiler, team lead, cto, ceo, everyone, everybody, users?"""
)
_SAYS = any_of(
    """says?, said, claim(?:s|ed)?, wrote, writes, told, tells, suggest(?:s|ed)?, recommend(?:s|ed)?,
    insist(?:s|ed)?, keeps? (?:saying|telling), thinks?, thought, argue[sd]?, mention(?:s|ed)?, want(?:s|ed)? us,
    believe[sd]?, states?, stated, asks us, asked us, asked me, complain(?:s|ed)?, advise[sd]?, warn(?:s|ed)?"""
)
_REPORTED = re.compile(
    rf"\b{_SOMEBODY} (?:\w+ )?{_SAYS}\b|\b"
    + any_of(
        """according to, i (?:read|heard|saw) (?:that|somewhere|online|it), supposedly, allegedly, apparently, they
        say, rumou?r, as they say, i never said, you said, you told"""
    )
    + r"\b"
)
_PAST = re.compile(
    r"\b"
    + any_of(
        """used to, back (?:then|when|in), last (?:year|month|week|time|night), (?:in|at) my
        (?:old|last|previous|former), previously, years? ago, months? ago, in the (?:old|good old) days,
        historically, formerly, old (?:team|job|company), when i was, once upon, ex-"""
    )
    + r"\b"
)
_SARCASM = re.compile(
    r"(?:^|\s)/s\b|[🙄😂🤣😏🙃😜😉]|\b"
    + any_of(
        """yeah[ ]right, oh (?:great|sure|wonderful|brilliant|lovely|fantastic|perfect|joy|yeah|yes|good|nice|of
        course), sure (?:let's|why not|go ahead and|because|just), why don't (?:you|we) just, because
        (?:that|this|it) (?:always|never|clearly|totally|obviously|really|worked|works|went|has worked|helps?), what
        could (?:possibly|go), (?:that|this|which) (?:always|never) (?:ends?|works?|goes|helps?), great idea,
        brilliant (?:idea|move|work), genius, bravo, slow clap, thanks for nothing, love (?:it when|how), just
        kidding, kidding, jk, joking, as if, who needs, apparently we, i guess we just, clearly the best, nothing
        says, very funny, how nice of, what a (?:great|brilliant|wonderful), past me, thanks boss, because why not,
        why bother, living the dream, rolls eyes, obviously we, of course we, clearly we, let's just
        (?:never|always), nobody needs, who cares"""
    )
    + r"\b|\byeah,? right\b|\bsure,? let's\b|\bsure, (?:always|never|just|because|we|why)\b|\bgreat, (?:so|now"
    r"|another|always|never)\b|\bwow,|\bthanks, i hate"
)
_LAUGHS = re.compile(r"\b(?:lol|lmao|haha+|hehe|rofl)\b")
_TAKES_BACK = re.compile(
    r"^(?:(?:actually|oh|wait|ok(?:ay)?|hm+|no|sorry|ah|well|and|but|hang on|hold on|um|uh|please|so|argh"
    r"|oops)[,.!;\s\u2013\u2014-]+){0,6}"
    + any_of(
        """never ?mind, nvm, scratch (?:that|it|the), scrap (?:that|it|the), forget (?:that|it|about|what i|the|i
        said|my), ignore (?:that|what i|my (?:last|previous)), disregard, strike that, i take (?:that|it) back, on
        second thou?ght, i was (?:wrong|mistaken|joking|kidding|thinking of), just kidding, jk, kidding, i didn't
        mean, that was (?:wrong|a joke|my mistake|for (?:another|a different)), my (?:mistake|bad), (?:i |i've |i
        have |we )?changed (?:my|our) minds?, undo that rule, not anymore, don't (?:remember|save|keep|store) that,
        wrong (?:project|repo|window|chat|terminal|tab), cancel that, drop that rule, drop the, let's not, the
        opposite, i was just kidding, take that back, i misspoke, that's outdated"""
    )
    + r"\b"
)
_ROLE = re.compile(r"^(?:you are|act as|you're|your task is|your role) (?:an?|the|my|to)\b ")


def supposed(sentence: Sentence) -> bool:
    """Whether it asks or plays with a thought."""
    return sentence.asks or wonders(sentence.plain)


def wonders(plain: str) -> bool:
    return bool(_SUPPOSED.search(plain))


def now(plain: str) -> bool:
    """Whether it is about the work at hand, whatever else is said."""
    return bool(_NOW.search(plain))


def once(plain: str) -> bool:
    """Whether it is about the work at hand or its next step."""
    return bool(_NOW.search(plain) or _STEP.search(plain) or _YESTERDAY.search(plain))


def reported(plain: str) -> bool:
    """Whether somebody else says so, or it was so long ago."""
    return bool(_REPORTED.search(plain) or _PAST.search(plain))


def sarcastic(plain: str) -> bool:
    """Whether a prompt is not meant as it says."""
    return bool(_SARCASM.search(plain))


def laughs(plain: str) -> bool:
    """Whether a sentence is a joke: others beside it may be meant."""
    return bool(_LAUGHS.search(plain))


def takes_back(plain: str) -> bool:
    """Whether it takes back what was said before it."""
    return bool(_TAKES_BACK.match(plain))


def plays_role(plain: str) -> bool:
    """Whether a prompt is the instruction of a role: what it says shall hold for this work only."""
    return bool(_ROLE.match(plain))
