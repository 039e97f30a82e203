"""Find what was decided, and why. Without its reason a decision is only the next step."""

from __future__ import annotations

import re

from treering.capture.sentences import doubts
from treering.capture.sentences import doubts as weigh
from treering.capture.sentences.clear import cleaned, clear, lead, starts
from treering.capture.sentences.own import Sentence
from treering.capture.sentences.words import any_of
from treering.capture.turns import DECISION, Catch

CONFIDENCE = 0.65
LOWER = 0.6  # of the agent
_SHORTEST = 12  # characters of what is decided, before the reason

_REASON = re.compile(
    r"\b"
    + any_of(
        """because, cause, since (?!yesterday|last|monday|tuesday|then|the (?:last|start|beginning)|i
        (?:pulled|updated|bumped)), so that, so (?:we|it|they|you|users|nobody|no one|the \\w+) (?:can|don't|do
        not|won't|doesn't|never|always|stays?|keeps?|gets?|isn't|aren't), due to, (?:in order )?to
        (?:avoid|keep|prevent|reduce|stay|simplify|make it), the reason, as (?:it|we|they|the \\w+) (?:is
        (?:the|more|less|a|so|too|not|much|far|\\w+er)|are|has|have|needs?|doesn't|don't|can't|already|won't|would|gives?|makes?|supports?|can|only),
        given that, on purpose, deliberately, for the sake of, which (?:gives|lets|keeps|means|makes|avoids),
        reason:, otherwise, that way, which would, seeing that, seeing as, considering that, the point is, or else,
        so \\w+ (?:can|can't|don't|won't|doesn't), so as (?:not )?to, so (?:both|all|every|each) \\w+, the
        reason is, thanks to, for (?:\\w+ )?reasons,
        that's why, (?:only|just|mainly|purely) to
        \\w+, as (?:\\w+|our \\w+) (?:would|can't|cannot|don't|doesn't|does not|won't|needs?|breaks?|costs?)"""
    )
    + r"\b"
)
_NOW = re.compile(r"\bnow\b")
_NEXT_REASON = re.compile(
    r"^(?:because|the reason|reason|rationale|why:|that way|this way|(?:this|that) (?:avoids|keeps|lets|gives"
    r"|means|saves)|otherwise|the (?:other|only other) (?:way|option|choice|route)\b.*\b(?:but|would)"
    r"|the alternative\b.*\b(?:but|would)"
    r"|(?:anything|everything) else (?:would|means))\b"
)
_THING = (
    "(?!"
    + any_of(
        """it, that, this, them, these, those, option, the (?:first|second|third|last|other|former|latter),
        approach, plan, your, what, whatever, ahead, one, both, a look, me, you"""
    )
    + r"\b)"
)
_CHOSE = any_of(
    """(?:decided|agreed)(?! to (?:talk|meet|wait|call|postpone|have)\\b), chose, chosen, opted, settled on,
    standardi[sz]ed on, ruled out, dropped (?:support|the idea)"""
)
_MOVED = any_of("went with, switched (?:to|from), moved (?:to|from), migrated (?:to|from), dropped, picked")
_CHOOSING = any_of(
    """going with, going to use, going to go with, using, sticking (?:with|to), staying (?:with|on), keeping,
    dropping, moving to, switching to, not using, leaving"""
)
_CHOOSE = any_of(
    """go with, use, keep, stay with, stay on, stick with, stick to, pick, choose, do (?:it|this) with, drop, store,
    build, do, make, have, move to, switch to, leave, take, split, avoid, go for, run"""
)
_USER = re.compile(
    rf"^(?:so |then |ok |therefore ){{0,3}}(?:(?:we|i)(?:'ve| have| had)?(?: (?:already|finally|just|all|also"
    rf"|then)){{0,2}} {_CHOSE} {_THING}"
    rf"|(?:we|i)(?:'ve| have| had)?(?: (?:already|finally|just|all|also"
    rf"|then)){{0,2}} {_MOVED} {_THING}(?=.*(?:instead of|rather than|\\bover\\b|\\bfrom\\b.*\\bto\\b|\\bnot\\b))"
    r"|(?:the|our) [\w ]{2,30} (?:must|has to|have to) (?:stay|remain|keep)\b"
    r"|i'd rather (?:have|use|keep|go with) (?=.*\bthan\b)"
    rf"|(?:we're|we are)(?: not)? {_CHOOSING} {_THING}|(?:i'm|i am) (?:going with|sticking with|staying with"
    rf"|dropping) {_THING}|i'd (?:go with|go for|stick with) {_THING}|the reason (?:why |that )?we (?!are|were"
    rf"|have|had|can't|don't)|(?:we'll|we will|let's|lets)(?: not| rather| just)? {_CHOOSE} (?!\w+ing\b){_THING}"
    rf"|i'll (?:go with|stick with|stay with|keep) {_THING}|we (?:go|stay|stick) (?:for|with|on|to) {_THING}"
    r"|(?:the )?decision(?: is|:| was)|decided:|[\w -]{3,40} (?<!as )it is(?:[,.!]|$)|[\w -]{3,40} (?:is"
    r"|are) out because)"
)
_CHOICE = re.compile(
    rf"^(?:so |then |ok |please |just |yes |but ){{0,3}}(?:we(?:'ll|'re| will| are)?|let's|i'd|i would|use|keep"
    r"|stay|leave|take|go with|drop|prefer|pick"
    rf"|choose|switch to|stick with|go for) (?!(?:have|had|want|need|see|get|can't|don't|could|were"
    rf"|was)\b){_THING}\S"
)
_OVER = re.compile(r"\b(?:instead of|rather than|over|and not|not (?:an? |the )?\w+)\b")
_BECAUSE = re.compile(r"\b(?:because|since|cause)\b")
_TASK = re.compile(r", (?:please|can you|could you) \w+")  # the rest was said for its sake
_LEAVES = re.compile(r"^(?:so |then |ok |please |just )?(?:leave|keep|stay|stick) \S+(?: \S+)? (?:at|on|with|as|in)\b")
_THAT = re.compile(r"^(?:it|it's|that|that's|this|they|these|those)\b")
_CONTRAST = re.compile(r"\b(?:instead of|rather than|over|and not|not (?:an? |the )?\w+|don't want|no longer|than)\b")
_AGENT = re.compile(
    rf"^(?:(?:so|therefore|thus|here|for [\w ]{{2,40}}),? )?(?:(?:i|we)(?:'ve| have)?(?: also| deliberately"
    r"| intentionally)? (?:chose|chosen|decided|opted|picked|settled on|went with|switched"
    r"|went for)\b(?! (?:up|to look|to check|to run|to read|to try)\b)"
    r"|(?:i'll|i will|i'm going to|let's|we'll|we should|i'm|i am|we're) (?:go(?:ing)? with|opt(?:ing)? for"
    r"|choos(?:e|ing)|pick(?:ing)?|settl(?:e|ing) on|stick(?:ing)? with)\b"
    rf"|(?P<used>(?:i'll|i will|i'd|i would|i'm going to|let's|we'll|i|i've|i'm)(?: deliberately"
    r"| intentionally)? (?:use|used|using|keep|kept|keeping|store|stored|storing|implement(?:ed)?|build|built"
    rf"|put|write|wrote|made|make))\b"
    r"|(?P<did>(?:i|i've|i have)(?: also| just| only)? (?:added|left|took|moved|split|wrapped|replaced|did"
    r"|solved|cached))\b"
    r"|(?P<rather>(?:rather than|instead of) [^,]{3,60}?,? i(?:'ve| have)? (?:used|added|put|made|kept|stored|went))\b"
    r"|(?:chose|opted for|went with|went for|settled on)\b"
    rf"|decision:) ?(?:to |for |on |with |that )?{_THING}(?P<what>\S.*)$"
)
_RATHER = re.compile(r"\b(?:instead of|rather than|on purpose|deliberately|intentionally)\b")
# Words behind which a colon is followed by a reason.
_COMPARED = re.compile(
    r"\b(?:instead of|rather than|over|on purpose|chose|opted|settled on|went with|went for|picked)\b"
)
# How the agent works right now.
_STEP = re.compile(
    r"^(?:so |now |first,? |next,? |then )*(?:i'll|i will|let me|i'm going to|let's|i) (?:now |first |just |quickly )?"
    r"(?:read|check|look|search|grep|run|try|start|open|list|find|print|rerun|retry|explore|debug|ask"
    r"|used? (?:grep|rg|sed|find|curl|bash|a (?:script|subagent)))\b"
)


def decided(sentence: Sentence, after: Sentence | None, by_agent: bool) -> Catch | None:
    """Return the decision that a sentence tells, with a reason in it or in the next one."""
    start = lead(sentence.plain)
    text, plain = sentence.text[start:], sentence.plain[start:]
    claim = plain[: _claimed(plain, by_agent)]
    if sentence.asks or doubts.wonders(plain) or doubts.now(plain) or doubts.reported(claim) or _NOW.search(plain):
        return None
    if _TASK.search(plain):
        return None
    follows = after if after is not None and not doubts.supposed(after) else None
    if _by_agent(plain) if by_agent else _by_user(plain, after):
        further = _further(plain, follows, by_agent)
    else:
        further = None if by_agent else _weighed(plain, follows)
    if further is None:
        return None
    content = cleaned(f"{text.rstrip('.')}. {further}" if further else text)
    if not content or not (clear(claim) or (further and weigh.answers(claim))):
        return None
    return Catch(DECISION, content, confidence=LOWER if by_agent else CONFIDENCE)


def gives_reason(plain: str) -> bool:
    """Tell whether it says why."""
    return bool(_REASON.search(plain))


def _claimed(plain: str, by_agent: bool) -> int:
    """Return where the decision ends and its reason begins."""
    if because := _REASON.search(plain, _SHORTEST):
        return because.start()
    marked = weigh.marked(plain) if by_agent else -1
    return marked if marked >= 0 else len(plain)


def _further(plain: str, after: Sentence | None, by_agent: bool) -> str | None:
    """Return what the next sentence adds to a decision: nothing if it has its own reason, else the
    reason. None if there is no reason."""
    if _REASON.search(plain) or (by_agent and weigh.marked(plain) >= 0 and _COMPARED.search(plain)):
        return ""
    named = re.match(r"(?:the )?decision(?: is)?:|decided:", plain)
    firm = not by_agent and after is not None and weigh.explains(after.plain) and not doubts.once(after.plain)
    if after is not None and (named or firm or _explains(after.plain)):
        return after.text
    return None if by_agent else _weighed(plain, after)


def _weighed(plain: str, after: Sentence | None) -> str | None:
    """Return the same for a choice whose reason is told without "because"."""
    for at in starts(plain):
        if weigh.chooses(plain[at:]):
            if weigh.weighed(plain, at):
                return ""
            if after is not None and not doubts.once(after.plain) and weigh.forbids(after.plain):
                return after.text
    answers = weigh.answers(plain) and after is not None and weigh.explains(after.plain)
    return after.text if answers and after is not None else None


def _explains(plain: str) -> bool:
    """Tell whether a sentence gives the reason of the one before it."""
    return bool(_NEXT_REASON.match(plain) or (_THAT.match(plain) and _BECAUSE.search(plain)))


def _by_user(plain: str, after: Sentence | None) -> bool:
    """Tell whether one thing is chosen: in words of choice, or over another one."""
    against = _CONTRAST.search(plain) and _REASON.search(plain)
    explained = after is not None and _THAT.match(after.plain) and _BECAUSE.search(after.plain)
    for at in starts(plain):
        clause = plain[at:]
        if _USER.match(clause) or (against and _CHOICE.match(clause)) or (explained and _LEAVES.match(clause)):
            return True
    return False


def _by_agent(plain: str) -> bool:
    found = _AGENT.match(plain)
    if found is None or _STEP.match(plain):
        return False
    if found["did"]:
        return bool(_RATHER.search(found["what"]))
    return not found["used"] or bool(_OVER.search(found["what"]))
