"""Reasons that are given without a "because": one thing is weighed against another."""

from __future__ import annotations

import re

from treering.capture.saying.phrases import any_of

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
    """Whether a clause takes one of several things."""
    return bool(_CHOOSES.match(plain) or _SURELY.match(plain))


def answers(plain: str) -> bool:
    """Whether a sentence only names a thing, as the answer to a question which one."""
    found = _ANSWER.match(plain)
    return found is not None and not _NO_ANSWER.search(found["what"])


def explains(plain: str) -> bool:
    """Whether a sentence behind such an answer says why."""
    return weighs(plain) and not _POINTING.match(plain)


def weighs(plain: str) -> bool:
    """Whether a sentence tells what speaks against another thing."""
    return bool(_AGAINST.search(plain)) and not _LONGER.search(plain)


def forbids(plain: str) -> bool:
    """Whether a sentence tells what must not come of it: the reason of a choice that stands before."""
    return bool(_MUST.search(plain)) or weighs(plain)


def weighed(plain: str, at: int) -> bool:
    """Whether another clause, behind the one at a place, tells what speaks against something else."""
    seam = _SEAM.search(plain, at)
    if seam is None:
        return False
    rest = plain[seam.end() :]
    return weighs(rest) or bool(_SURELY.match(plain[at:]) and _WEAK.search(rest))


def marked(plain: str) -> int:
    """Where a part of a sentence begins that stands behind a colon or a dash, and is long enough to say why; or -1."""
    found = _MARK.search(plain)
    return found.end() if found else -1
