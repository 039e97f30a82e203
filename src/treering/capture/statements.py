"""Find the statements of a prompt that are worth keeping, by learned judgement and the rules of `text/wishes.py`.

"Leave the ice files alone. Torvald looks after them." is one fact in two sentences. Each sentence that is worth keeping
is a memory of its own; those beside it without which it says too little go along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treering.capture.turns import AGENT, DECISION, EPISODIC, PROJECT, SEMANTIC, TOLD, Catch
from treering.judge.learned import NOTHING, Learned
from treering.judge.model import load
from treering.judge.sentences import KEEP, LIKELY, Verdict, judge, reasons
from treering.recall.wants import wants
from treering.text.sentences import Sentence
from treering.text.wishes import own, takes_back, whole, wished
from treering.text.words import folded, is_unbroken

SURE = 0.9  # confidence in what somebody asked to be kept
IDLE = -1.2  # what a prompt wants at most that only thanks or agrees: requests that no memory helps with want more
# How people begin to ask without a sign for it, and what stands in such a question where no blanks part the words.
_ASKING = re.compile(
    r"[¿\"']?(?:when|how|what|why|who|where|whether|which|is|are|does|can|could|should|wann|wie|was|warum|wer|wo|"
    r"welche[rs]?|cuándo|cómo|qué|quién|dónde|cuál|quand|comment|qui|où|pourquoi|quelle?)\b",
    re.IGNORECASE,
)
_REQUESTED = re.compile(
    "怎|如何|什么|什麼|哪|吗|嗎|请|請|多少|为何|どう|何|なぜ|どこ|いつ|ください|下さい|어떻게|무엇|어디|주세요"
)
_SHORT = 8  # words of an answer that means nothing without its question
_LONGEST_QUESTION = 160  # characters

# Of the worth from which on a sentence is kept by itself, the share from which on it may belong to its neighbour. On
# lives that the weights have not seen, the memories then hold 84 of 100 facts instead of 78, and are an eighth longer.
_BELONGS = 0.3
_FAINT = 0.1  # the same, from which on it is kept by itself if it is likely to replace a memory: a third hold a fact
_LONGEST_TOGETHER = 300  # characters of a statement with all that belongs to it: longer, and it is kept alone


def statements(text: str, before: str = "", learned: Learned = NOTHING, faint: bool = False) -> list[Catch]:
    """Return what is worth keeping of a prompt that follows what the agent said `before`, in its order; with `faint`,
    also what is only if it replaces a memory."""
    said = own(text)
    verdicts = [judge(said, at, before, learned) for at in range(len(said))]
    texts = with_context(said, verdicts, faint)
    found: list[Catch] = []
    for at, sentence in enumerate(said):
        if takes_back(sentence.text):
            found = []
        elif catch := _catch(said, at, before, verdicts[at], texts[at]):
            found.append(catch)
    return found


def with_context(said: Sequence[Sentence], verdicts: Sequence[Verdict], faint: bool = False) -> list[str]:
    """Return each sentence of a prompt that is worth keeping with what belongs to it, made whole, and nothing for the
    others. With `faint`, sentences that are worth it only if they replace a memory are kept, too."""
    kept = _owners(said, verdicts, faint)
    found = []
    for at, sentence in enumerate(said):
        parts = [one.text for one, owner in zip(said, kept, strict=True) if owner == at]
        text = " ".join(map(whole, parts)) if len(parts) > 1 else sentence.text
        found.append("" if kept[at] != at else text if len(text) <= _LONGEST_TOGETHER else sentence.text)
    return found


def _owners(said: Sequence[Sentence], verdicts: Sequence[Verdict], faint: bool) -> list[int | None]:
    """Return for each sentence the one that it is kept with: itself, the last one before it, or the next."""
    floor = load(KEEP).floors[LIKELY]
    owners = [at if one.likely and not said[at].asks else None for at, one in enumerate(verdicts)]
    pairs = zip(said, verdicts, strict=True)
    # What is like what the person took back is not kept in another way.
    worth = [0.0 if one.asks or one.pasted or (v.moved and not v.likely) else v.worth / floor for one, v in pairs]
    free = [each >= _BELONGS for each in worth]
    for step, places in ((-1, range(1, len(said))), (1, range(len(said) - 2, -1, -1))):
        for at in places:
            if owners[at] is None and free[at]:
                owners[at] = owners[at + step]
    return _with_faint(said, owners, [each >= _FAINT for each in worth]) if faint else owners


def _with_faint(said: Sequence[Sentence], owners: list[int | None], free: Sequence[bool]) -> list[int | None]:
    """Add sentences that are kept with nothing yet, each run of them together with the one before that names what they
    are about."""
    found = [*owners]
    for at, owner in enumerate(owners):
        if owner is not None or not free[at]:
            continue
        if at and (owners[at - 1] is not None or said[at - 1].asks or said[at - 1].pasted):
            found[at] = at
        elif at:
            found[at] = found[at - 1] = at if found[at - 1] is None else found[at - 1]
        else:
            found[at] = at
    return found


def _catch(said: list[Sentence], at: int, before: str, verdict: Verdict, text: str) -> Catch | None:
    """Return what is worth keeping of a sentence, whose `text` has what belongs to it; it may be empty."""
    sentence = said[at]
    if content := wished(sentence):
        asked = _statement(content, verdict)._replace(
            kind=TOLD, likely=False, faint=False, type=SEMANTIC, confidence=SURE
        )
        return asked._replace(worth=0.0, why="you asked for it")
    if sentence.asks or not text:
        return None
    question = _question(before) if at == 0 and len(sentence.text.split()) < _SHORT else ""
    why = "; ".join(filter(None, (verdict.moved, *reasons(said, at, before))))
    if question:  # the agent's words are in it, so it is trusted as the agent
        return _statement(f'"{question}" {sentence.text}', verdict)._replace(by=AGENT, why=f'it answers "{question}"')
    return _statement(text, verdict)._replace(why=why)


def _statement(content: str, verdict: Verdict) -> Catch:
    likely = not verdict.leads
    scope = verdict.scope if verdict.kind != DECISION else PROJECT
    kind = EPISODIC if likely else SEMANTIC
    worth = round(verdict.worth, 2)
    shipped, faint = round(verdict.shipped, 3), not verdict.likely
    return Catch(verdict.kind, whole(content), kind, scope, confidence=worth, worth=shipped, likely=likely, faint=faint)


def _question(before: str) -> str:
    """Return the question with which the agent ended, if it is short enough to be kept with its answer."""
    asked = [one.text for one in own(before)[-1:] if one.asks]
    return asked[0] if asked and len(asked[0]) <= _LONGEST_QUESTION else ""


def asks(text: str) -> bool:
    """Tell whether a prompt asks for something: it is no thanks, no consent, and no statement that is kept."""
    said = own(text)
    if any(sentence.asks for sentence in said) or _ASKING.match(text.strip()):
        return True
    if any(map(is_unbroken, folded(text))):  # the weights know hardly any such word
        return bool(_REQUESTED.search(text))
    return wants(text) > IDLE and not any(wished(one) or judge(said, at).likely for at, one in enumerate(said))
