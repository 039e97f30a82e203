"""Clean a sentence that can be understood alone: its clauses, its scope, and when it applies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treering.capture.sentences.words import PLACES, any_of
from treering.capture.turns import LONGEST, PERSON, PROCEDURAL, Catch
from treering.text.words import STOP_WORDS, folded

MOST = 12  # clauses of a sentence that are looked at
_SHORT = 2  # words: what stands before a comma is an exclamation
_SEAM = re.compile(r"(?:[,;:!]|\s[-\u2013\u2014]+|[\u2013\u2014.]|\s\()\s+(?:(?:and|but|so)\s)?")
# Behind such words and a colon stands a text that is quoted or to be written.
_TEXT = re.compile(
    r"\b"
    + any_of(
        """errors?, warnings?, says, reads, todo, text, message, comment, prompt, policy, label, title, readme,
        section, paragraph, heading, eslint, lint rule, linter, tooltip, translate, output, log, logs, docs?,
        string, slogan, sentence, quote, test, fixme, note in, subject, line, paste, mail, email, banner,
        placeholder, \\w+\\.md, contributing, description, commit message"""
    )
    + r"\b[^:]*:\s*$"
)


def starts(plain: str) -> Iterator[int]:
    """Yield where the clauses of a sentence begin, its own beginning first."""
    yield 0
    for count, seam in enumerate(_SEAM.finditer(plain)):
        if count >= MOST:
            return
        if not _TEXT.search(plain[: seam.end()]):
            yield seam.end()


def begin(plain: str, at: int) -> int:
    """Return where the statement of a clause begins: with the whole sentence, unless only an
    exclamation or an announcement stands before."""
    before = plain[:at]
    announced = before.rstrip().endswith(":")
    return at if announced or (len(before.split()) <= _SHORT and not before.startswith("not ")) else 0


FEWEST_WORDS = 2
# They go before a sentence, and say nothing; some only with a comma or a stop behind them.
_WORDS = any_of(
    """hey, hi, hiya, hello, ok, okay, so, and, but, also, btw, by the way, oh, well, yes, yeah, yep, yup, thanks, thank
    you, thx, ty, please, pls, plz, kindly, one more (?:thing|wish|point|note), another thing, and also, hm+, ah+, plus,
    then, that said, in addition, additionally, lastly, finally, sorry, to be clear, anyway, actually, for what it's
    worth, fwiw, ugh, argh, lol, one more(?=:), (?:one|small|last|quick|other) (?:thing|note|remark|wish|point)"""
)
_STOPPED = any_of(
    """(?:good )?morning, right, sure, great, cheers, cool, nice, perfect, good, wonderful, lovely, fine, ace,
    super, top, claude, codex, gemini, cursor, (?:as )?a?\\s?reminder, look, listen, honestly, careful, attention,
    watch out, important, importantly, p\\.?s\\.?, almost, stop, hold on, hang on, wait, done, looks good, lgtm,
    works, got it, makes sense, whoa, oops, not quite, better, very good, nice one, good catch, many thanks, thank
    you very much"""
)
_LEAD = re.compile(rf"^(?:{_WORDS}(?:[,:.!;\s\u2013\u2014-]+|$)|{_STOPPED}(?:\s*[,:.!;\u2013\u2014-]+\s*|$))+")
_TAIL = re.compile(
    r"[\s,;]*(?:\b(?:please|pls|thanks|thank you|thx|ok(?:ay)?|got it|understood|right|cheers|by the way|btw|tho"
    r"|though)\b[\s.!?,]*)+$",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^(?:"
    + any_of(
        """it, its, it's, they, their, them, he, she, his, her, those, these, one, ones, such, same, so, both,
        neither, either, another, otherwise, which, who, there"""
    )
    + rf"|(?:that|this)(?:'s)?(?! (?:\w+ )?{PLACES}))\b"
)
_SEEN = any_of(
    """one, ones, way, approach, option, version, file, function, helper, method, solution, idea, design, thing,
    test, branch, line, class, variable, name, script, module, column, table, button, page, endpoint, component"""
)
# Words that point to something that only the conversation has.
_POINTS = re.compile(
    rf"\b(?:(?:this|these|those(?! two))\b(?! (?:\w+ )?{PLACES})(?! way)"
    rf"|that (?!one\b)(?:{_SEEN}|part|bit|error|change|stuff|here|there|too|instead|anymore|either|yet|now"
    r"|please)\b"
    rf"|the (?:other|same|above|following|below|former|latter|previous|first|second|third|last|next|existing"
    rf"|original|right|wrong|correct|new|old) {_SEEN}"
    r"|the (?:other|former|latter|above|following)\b|option (?:\d|[a-d]\b|one|two|three)|as (?:above|before"
    r"|discussed|mentioned)|like (?:before|i said|this|above)|over there|the way i (?:said|showed))"
)
_THAT = r"that(?=[\s,.;!]*(?:$|[,.;!]| (?:because|since|when|in|for|on|at|with|here|and|but|if|so|again)\b))"
_PRONOUN = re.compile(rf"\b(?:that one|those two|{_THAT}|it|its|it's|them|they|they're|he|him|she|one|ones|there)\b")
# "It" that stands for nothing, or for what is said next.
_DUMMY = re.compile(
    r"\b(?:call(?:s|ed)? (?:it|them)|it's (?:called|spelled|named)|do it with|make it (?=\d)|(?:is|was|makes"
    r"|find|keep) it (?:easy|hard|clear"
    r"|possible|simple|short)|it when|it if"
    r"|it's (?:fine|ok|okay|important|better|best) to|it that|there (?:is|are|was|were)|one of|no one|one \w+)"
)
_NOT_NAMES = STOP_WORDS | frozenset(
    """always never ever please just use using put make sure keep add run let go get want need prefer like move
    rename change delete remove don not write set call try avoid stop also only first now here really again fix t s
    ll ve re m d do doing from going forward future on""".split()
)


def lead(plain: str) -> int:
    """Return where a sentence begins behind greetings and the like."""
    found = _LEAD.match(plain)
    return found.end() if found else 0


def cleaned(text: str) -> str:
    """Return a statement as a sentence with a capital and a full stop; empty if it is too long."""
    text = _TAIL.sub("", text.strip(" \t,;:-\u2013\u2014*_")).strip(" \t,;:-\u2013\u2014")
    text = text.rstrip(".!…? ").strip()
    if not text or len(text) >= LONGEST:
        return ""
    first = text.split(maxsplit=1)[0]
    # A name in code keeps its small letter.
    if first.replace("'", "").rstrip(",").isalpha() and first.islower():
        text = text[0].upper() + text[1:]
    return text + "."


def clear(plain: str) -> bool:
    """Tell whether a statement can be understood by somebody who was not there."""
    if len(folded(plain.replace("_", "x"))) < FEWEST_WORDS:
        return False
    plain = _DUMMY.sub(lambda found: "-" * len(found[0]), plain)
    if _OPEN.match(plain) or _POINTS.search(plain):
        return False
    found = _PRONOUN.search(plain)
    return found is None or _names(plain[: found.start()])


def _names(before: str) -> bool:
    """Tell whether a text has a word that a later pronoun may stand for."""
    return "__" in before or any(word not in _NOT_NAMES for word in folded(before)[1:])


_PERSONAL = re.compile(
    r"^(?:i (?:\w+ )?(?:prefer|like|love|hate|dislike|don't|do not|can't stand|want|use|am|work|live|write|speak"
    r"|read|need)|i'm|i'd|call me|address me"
    r"|my (?:name|time ?zone|pronouns|editor|shell|keyboard|email|birthday|role|job|github|native language"
    r"|first language|preferred)"
    r"|(?:answer|reply|respond|speak|talk|write) (?:to me )?in |(?:keep|make) (?:your )?(?:answers|responses"
    r"|replies|explanations|messages|summaries)"
    r"|stop (?:apologi|explaining|summari|saying|thanking)"
    r"|(?:don't|never|do not|always) "
    + any_of(
        """apologi, explain, summari, say, thank, call me, end your, start your, answer, reply, respond, use emoji,
        give me, ask me, tell me, show me"""
    )
    + r"|(?:please )?(?:give|show|tell|ask|explain to) me )"
)
_IN_PROJECT = re.compile(r"\b(?:repo(?:sitory)?|project|codebase|we|our|team|here|branch)\b")
_TIMES = "(?:when(?:ever)?|before|after|if|every time|each time)"
_WHEN = re.compile(rf"^(?P<when>{_TIMES} [^,]{{3,120}}), (?:then )?(?P<then>\S.{{2,}})$")
_ACTS = any_of(
    """always, never, don't, do not, run, use, ask, make, check, update, add, tell, commit, push, rebase, squash,
    bump, regenerate, restart, format, lint, test, write, read, stop, put, explain, give, show, keep, please, only,
    do, start, set, pass"""
)
_THEN = re.compile(rf"^(?P<then>{_ACTS}\b[^,;]{{3,200}}?) (?P<when>(?:{_TIMES}|unless|without) \S[^;]{{2,}})$")


def shaped(catch: Catch, plain: str) -> Catch:
    """Return a catch with its scope; as a procedure if its words tell when and what."""
    if _PERSONAL.match(plain) and not _IN_PROJECT.search(plain):
        catch = catch._replace(scope=PERSON)
    content = catch.content.rstrip(".")
    lower = content.lower()
    found = (_WHEN.match(lower) or _THEN.match(lower)) if len(lower) == len(content) else None
    if found is None:
        return catch
    when, then = (content[slice(*found.span(name))].strip() for name in ("when", "then"))
    return catch._replace(type=PROCEDURAL, trigger=when[0].upper() + when[1:], action=then[0].upper() + then[1:])
