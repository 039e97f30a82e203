"""Recognise sentences that are not meant to last or not meant at all, and reasons without "because"."""

from __future__ import annotations

import re

from treering.capture.sentences.own import Sentence
from treering.capture.sentences.words import PLACES, any_of

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
    """Tell whether it asks or only considers."""
    return sentence.asks or wonders(sentence.plain)


def wonders(plain: str) -> bool:
    return bool(_SUPPOSED.search(plain))


def now(plain: str) -> bool:
    """Tell whether it is about the work at hand, whatever else is said."""
    return bool(_NOW.search(plain))


def once(plain: str) -> bool:
    """Tell whether it is about the work at hand or its next step."""
    return bool(_NOW.search(plain) or _STEP.search(plain) or _YESTERDAY.search(plain))


def reported(plain: str) -> bool:
    """Tell whether somebody else says so, or it was so long ago."""
    return bool(_REPORTED.search(plain) or _PAST.search(plain))


def sarcastic(plain: str) -> bool:
    """Tell whether a prompt is not meant as it says."""
    return bool(_SARCASM.search(plain))


def laughs(plain: str) -> bool:
    """Tell whether a sentence is a joke: others beside it may be meant."""
    return bool(_LAUGHS.search(plain))


def takes_back(plain: str) -> bool:
    """Tell whether it takes back what was said before it."""
    return bool(_TAKES_BACK.match(plain))


def plays_role(plain: str) -> bool:
    """Tell whether a prompt instructs a role: then it holds for this work only."""
    return bool(_ROLE.match(plain))


_CHOSEN = r"(?!(?:it|that|this|them|these|those|your|what|whatever|ahead|me|you|both|option|one)\b)"
# What speaks against the other thing, whatever was chosen.
_AGAINST = re.compile(
    r"\b"
    + any_of(
        """not worth, isn't worth, aren't worth, overkill, worse than, (?:nobody|no one)(?: here| of us)?
        (?:wants?|needs?|likes|can|will|knows|has time) (?:to )?\\w+, (?:been |got )?(?:bitten|burned|burnt)
        (?:by|with),
        (?<!that )(?<!this )(?<!it )would (?:have
        to|need|cost|add|mean|lose|break|block|double|force|require|pull in|drag in|lock|leave|only|just
        be|be (?:too|a|an|up to|more|one)|see|make|bring|give us|also|take (?:\\w+ )?(?:hours|days|weeks|months|years)),
        would hammer, we already (?:run|have|use|know|pay|host), more trouble than, don't want to
        (?:run|maintain|babysit|operate|pay|depend|own|carry|support|host|hold|wait
        for), (?:too|so) (?:much|many) \\w+ (?:for|to), a pain to, can't afford, not paying for, is enough for,
        are enough for, (?:simpler|cheaper|safer|easier|faster|lighter|smaller|less \\w+) (?:than|to)"""
    )
    + r"\b"
)
# The same, if it stands behind words that surely choose.
_WEAK = re.compile(
    r"\b"
    + any_of(
        """\\w+ (?:can't|cannot) (?!read|see|find|close|open|click|you|we)\\w+, don't
        (?:know|have|need|scale|support|work), doesn't (?:know|have|need|scale|support|work), won't
        (?:scale|work|need|fit), buys? (?:us |me )?(?:nothing|little), for nothing, (?:is|are) (?:big|fast|good
        )?enough, (?:does|do) the job, one more thing, survives?, (?:is|are) tiny, (?:only|just) \\d+, \\d+
        ?(?:users|people|rows|events|requests|%), handles?, too
        (?:slow|big|heavy|expensive|complex|fragile|risky|much|many)"""
    )
    + r"\b"
)
_SURELY = re.compile(
    rf"^(?:(?:so|then|ok|okay|alright|yes|no|right),? ){{0,4}}(?:(?:let's|lets|we'll|we will"
    rf"|i'd rather)(?: just| rather"
    rf"| not)? (?:keep|drop|stay with|stay on|stick with|stick to|go with|go for|not use"
    rf"|use) {_CHOSEN}(?!an? (?:bigger|smaller|larger)\b)(?!\w+ing\b)\S"
    rf"|(?:we're|we are) (?:not (?!(?:getting|seeing|receiving|having|going|sure|able|being|doing|looking"
    rf"|talking)\b)\w+ing (?!the\b)"
    rf"|keeping (?!too\b)|dropping|staying (?:with|on)|sticking (?:with|to)|going with) ?{_CHOSEN}\S)"
)
_MUST = re.compile(r"\b(?:must not|mustn't|must never|cannot|can't|can not|may not|shall not|must survive)\b")
_SEAM = re.compile(r"[,;:.(]\s?|\s[-\u2013\u2014]+\s|[\u2013\u2014]")
_MARK = re.compile(r"(?::|;|\s[-\u2013\u2014]+|[\u2013\u2014])\s+(?=\S+(?:\s\S+){4})")
# Words of choice, of somebody who had more than one thing to choose from.
_CHOOSES = re.compile(
    rf"^(?:(?:so|then|ok|okay|alright|yes|please|just|right),? ){{0,4}}(?:(?:let's|lets|we'll|we will|i'll)(?: just"
    rf"| rather| not)? )?(?:go with|go for|stick with|stick to|stay with|stay on|choose|settle on) {_CHOSEN}\S"
    rf"|^(?:(?:so|then|ok|okay),? ){{0,3}}(?:let's|lets|we'll|we will|i'll(?= take))(?: just| rather"
    rf"| not)? (?:keep|use|drop|skip|do"
    rf"|take|leave|pick) {_CHOSEN}(?!\w+ing\b)\S"
    rf"|^(?:we're|we are|i'm) (?:not )?(?:going with|sticking with|sticking to|staying with|staying on|keeping"
    rf"|dropping|skipping|not doing|using) {_CHOSEN}\S"
    rf"|^(?!(?:i|you|it|that|this|there|he|she|they|users?|focus|cursor|the (?:user|page|focus|cursor|button|menu"
    rf"|window|modal)|everything|nothing|which|what|who|how|if|when|and|but)\b)[\w_' /.-]{{3,40}}"
    r"? (?<!to )(?:stays?|remains?) (?:in|on|with|as|out|where|a|an|inside|outside|at|behind|off) "
    r"(?!.*\b(?:users?|page|focus|cursor|click|form|buttons?|font|header|modal|menu|screen|input|top|visitors?)\b)\S"
    r"|^no (?!more\b|longer\b|need\b|idea\b|way\b|errors?\b|changes?\b)[\w./-]+(?: [\w./-]+)? then\b"
)
# "Cron. Two beats send every mail twice, and that is worse than a late one": an answer, and why.
_ANSWER = re.compile(
    r"^(?:no )?(?P<what>(?:the )?[\w./+#-]+(?: [\w./+#-]+)?)(?: then| please"
    r"| it is)?(?:,? not [\w./+#-]+(?: [\w./+#-]+)?)?[.!]*$"
)
_POINTING = re.compile(r"^(?:it|it's|this|that|that's|there|would|could|should|i think|but|still|the)\b")
_NO_ANSWER = re.compile(
    r"\b(?:yes|no|yep|nope|ok|okay|hm+|wow|done|fixed|works?|working|nice|great|cool|good|bad|better|fine|sure|right"
    r"|wrong|true|false|thanks|thx|ty|perfect|true|fair|agreed|interesting|exactly|sorry|please|hi|hello|hey|morning"
    r"|ugh|lol|haha|what|why|how|it|that|this|i|you|he|she|they|go|stop|wait|again|still|slow|fast|faster|slower|both"
    r"|neither|maybe|added|removed|updated|changed|moved|yeah|indeed|correct|understood|clear|hmm|oh|ah|merci|gracias"
    r"|danke|tak|bra|super|top|next|also|now|not|never|always|same|depends|probably|unlikely|mostly|almost|weird|strange|odd|attempt|line|typo|bad|guess|idea|question|looks)\b"
)
_LONGER = re.compile(r"\b(?:before|now|expected|i thought|yesterday|still|last time)\b")


def chooses(plain: str) -> bool:
    """Tell whether a clause takes one of several things."""
    return bool(_CHOOSES.match(plain) or _SURELY.match(plain))


def answers(plain: str) -> bool:
    """Tell whether a sentence only names a thing, as the answer to a question which one."""
    found = _ANSWER.match(plain)
    return found is not None and not _NO_ANSWER.search(found["what"])


def explains(plain: str) -> bool:
    """Tell whether a sentence behind such an answer says why."""
    return weighs(plain) and not _POINTING.match(plain)


def weighs(plain: str) -> bool:
    """Tell whether a sentence tells what speaks against another thing."""
    return bool(_AGAINST.search(plain)) and not _LONGER.search(plain)


def forbids(plain: str) -> bool:
    """Tell whether a sentence tells what must not happen: the reason of the choice before it."""
    return bool(_MUST.search(plain)) or weighs(plain)


def weighed(plain: str, at: int) -> bool:
    """Tell whether a later clause tells what speaks against something else."""
    seam = _SEAM.search(plain, at)
    if seam is None:
        return False
    rest = plain[seam.end() :]
    return weighs(rest) or bool(_SURELY.match(plain[at:]) and _WEAK.search(rest))


def marked(plain: str) -> int:
    """Return where a part behind a colon or dash begins that is long enough to say why; or -1."""
    found = _MARK.search(plain)
    return found.end() if found else -1
