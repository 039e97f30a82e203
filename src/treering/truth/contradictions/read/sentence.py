"""Split a text into clauses that state something, and tell what each claims: now, once, planned, or
conditional.

Questions, plans, claims of others, quotations and code state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from treering.truth.contradictions.read.lexicon import (
    ASKING,
    CHANGE,
    CONDITIONS,
    FUNCTION,
    HEDGES,
    MOVES,
    NEWS,
    PLACE,
    PLANS,
    REASONS,
    TOLD,
    USE,
    VERBS,
)
from treering.truth.contradictions.read.tokens import Token, stem, tokens

# A heading with one of these leads to what is not so yet.
_INTENTS = frozenset(
    """plan plans planned goal goals todo next idea ideas proposal proposed roadmap target backlog wish wishes wishlist
    objective objectives aim upcoming draft later future someday eventually milestone ambition vision option
    options request requests requested suggestion suggestions wanted expected estimate""".split()
)
# And a clause with one of these, as they stand, tells of later.
_FUTURE = frozenset(
    """will shall won't we'll i'll it'll they'll he'll she'll you'll soon someday eventually tomorrow planned upcoming
    plans goal goals aim aims aiming intention roadmap ambition""".split()
)
_PERIODS = frozenset("week month year quarter spring summer autumn winter fall sprint release semester term".split())
_FUTURE_PAIRS = frozenset([*(("next", each) for each in _PERIODS), ("target", "is"), ("target", "of"), ("plan", "is")])
# Of earlier: these by themselves, the others with a verb in the past.
_PAST = frozenset("formerly previously originally initially historically".split())
_PAST_PAIRS = frozenset(
    tuple(pair.split())
    for pair in "used to,back then,back when,at first,the past,old days,early days,those days,years ago".split(",")
)
_WERE = frozenset("was were wasn't weren't had".split())
_PARTICIPLES = ("ed", "en", "wn", "rn", "pt", "lt", "ld", "nt", "un", "set", "put", "cut", "found", "made")
_TODAY = frozenset([("this", "morning"), ("this", "afternoon"), ("this", "week"), ("this", "month"), ("last", "night")])
_TIMES = frozenset("before until till in during at under with from back".split())
_EARLIER = frozenset("before until till last".split())
_OLD = frozenset("old previous former earlier last".split())
_USUAL = frozenset("is are be am get gets got was were i'm it's".split())  # used to it
_NOW = frozenset("now nowadays currently today anymore".split())
_ADVICE = frozenset(
    map(stem, "recommend recommended recommends recommendation advise advises advice ideally guideline".split())
)
# What follows one of these is not claimed, and what goes before it only if that holds.
_MARKERS = frozenset("if unless when whenever until till except once only without while as".split())
_AS = frozenset("long soon far".split())


_SHORT_HEADING = 2  # words of a heading with next that leads to a plan


class Mood(NamedTuple):
    future: bool
    past: bool
    advice: bool
    was: bool  # told in the past tense, of what may be over
    newer: bool  # it says that it changed
    markers: frozenset[str]  # of conditions and exceptions
    condition: int  # the token at which one begins; past the end if none does


def mood(clause: Sequence[Token]) -> Mood:
    lows = [token.low for token in clause]
    pairs = set(pairwise(lows))
    at = next((at for at in range(len(lows)) if _is_marker(lows, at)), len(lows))
    markers = frozenset([lows[each] for each in range(at, len(lows)) if _is_marker(lows, each)])
    changed = any(token.stem in CHANGE for token in clause)
    return Mood(
        not _FUTURE.isdisjoint(lows) or not pairs.isdisjoint(_FUTURE_PAIRS),
        _is_past(lows, pairs, changed),
        any(token.stem in _ADVICE for token in clause),
        not changed and _was(lows),
        any(token.stem in MOVES for token in clause) or not _NOW.isdisjoint(lows) or ("no", "longer") in pairs,
        markers,
        at,
    )


def is_elsewhen(words: Sequence[Token], most: int) -> bool:
    """Tell whether a sentence begins with another time than now: `Plan for March: …`, before the move it was …"""
    at = next((at for at, word in enumerate(words[: most + 1]) if word.low == ":"), 0)
    if any(_is_intent(words[:at], each) for each in range(at)):
        return True
    begins = bool(words) and words[0].low in _EARLIER
    return begins and any(word.low in _WERE for word in words) and not any(word.stem in CHANGE for word in words)


def _is_intent(heading: Sequence[Token], at: int) -> bool:
    """Tell whether a heading announces a plan: next steps, feature request; not request timeout."""
    if heading[at].low == "next":
        return len(heading) <= _SHORT_HEADING
    is_noun = at + 1 == len(heading) or not heading[at + 1].low.isalpha() or heading[at + 1].low in FUNCTION
    return heading[at].low in _INTENTS and (is_noun or heading[at].low not in ("request", "requests"))


def _is_marker(lows: Sequence[str], at: int) -> bool:
    if lows[at] == "as":
        return at + 2 < len(lows) and lows[at + 1] in _AS and lows[at + 2] == "as"
    if lows[at] == "once":
        return at == 0 or not (at + 1 < len(lows) and lows[at + 1] in ("a", "per", "every", "each"))
    if lows[at] in ("until", "till"):
        return at > 0
    if lows[at] == "without":
        return at == 0
    return lows[at] in _MARKERS


def _was(lows: Sequence[str]) -> bool:
    """Tell whether it was so and may no longer be: it was, we had, she has worked; not it was moved to."""
    pairs = list(pairwise([*lows, ""]))
    if any(a in _WERE and not b.endswith(_PARTICIPLES) and b != "to" for a, b in pairs):
        return True
    is_perfect = any(a in ("has", "have") and b.endswith("ed") for a, b in pairs)
    is_today = not _WERE.isdisjoint(lows) and any(a == "today" or (a, b) in _TODAY for a, b in pairs)
    return is_perfect or is_today


def _is_past(lows: Sequence[str], pairs: set[tuple[str, str]], changed: bool) -> bool:
    """Tell whether it is about a named earlier time. A change in the past has its effect now."""
    if not _PAST.isdisjoint(lows):
        return True
    told = pairs & _PAST_PAIRS
    if told and not (told == {("used", "to")} and lows[max(0, lows.index("used") - 1)] in _USUAL):
        return True
    if changed or _WERE.isdisjoint(lows):
        return False
    begins = lows[0] in _TIMES or lows[0] == "last"
    return begins or any(a in _OLD and b.isalpha() for a, b in pairs)


LONGEST_TEXT = 20_000  # characters that are read: a memory is short, and a document says what it is about at its start
LONGEST_SENTENCE = 400  # characters: beyond this it is a list, a log or data
FEWEST_TOKENS = 3  # of a clause that stands by itself
_SHORTEST_SENTENCE = 4  # characters
_LABEL = 8  # tokens before a colon that may be a heading or a speaker
_ASKED = 2  # tokens before an if: asked me if
_FINDING = 8  # tokens of "found out the hard way that"

COPULAS = frozenset(
    [*"is are was were be been being am isn't aren't i'm it's that's he's she's they're we're you're".split(), *":=→"]
)
_TELLING = frozenset(["", *"we i was were been has have".split()])
_JOINTS = frozenset((",", ":", "and"))
_SUBJECTS = frozenset("the it they we i he she our this that is are".split())
_PREDICATES = frozenset("is are was were has have had will can cannot must may should does do".split())
_RESTRICTING = frozenset("except only unless if when not".split())

# As texts: `re` compiles them when first needed, and a process that compares nothing pays nothing.
_FENCE = r"(?s)```.*?(?:```|\Z)"
_QUOTE = r"[\"“][^\"”\n]*\s[^\"”\n]*\s[^\"”\n]*[\"”]"
_END = r"[.!?][\"')\]*]*\s+(?=[\"'`(\[*]?[^\W_a-z])|[.!?;][\"')\]]*\s*\n|;\s+|\n\s*|\s[\u2013\u2014]\s|\s--?\s"
_SHORT = r"(?:\b[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|Prof|Inc|Jr|Sr|vs|No|e\.g|i\.e|etc|approx|Mt))\.\s*\Z"
_LONGEST_SHORT = 8  # characters of an abbreviation


def clauses(text: str) -> Iterator[tuple[list[Token], frozenset[str]]]:
    """Yield clauses, each with the label of its sentence or text: a speaker at the start speaks to the end."""
    speaker: frozenset[str] | None = None
    for start, end in sentences(text):
        words = _unbracketed(tokens(text, start, end))
        if is_elsewhen(words, _LABEL):
            continue
        words, label = _unlabelled(words)
        if speaker is None:
            speaker = label
        for clause in _parts(words):
            bare = _bare(clause)
            if len(bare) > 1 and not _is_plan([*_before(clause, bare), *bare]):
                yield bare, label or speaker


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of sentences. Code and quotations are blanked, so that places stay."""
    text = text[:LONGEST_TEXT]
    for pattern, mark in ((_FENCE, "```"), (_QUOTE, '"'), (_QUOTE, "“")):
        if mark in text:
            text = re.sub(pattern, lambda match: " " * len(match[0]), text)
    start = 0
    for match in re.finditer(_END, text):
        dot = match.start()
        if text[dot] == "." and re.search(_SHORT, text[max(start, dot - _LONGEST_SHORT) : dot + 1]):
            continue
        if _states(text[start : match.end()]):
            yield start, match.end()
        start = match.end()
    if _states(text[start:]):
        yield start, len(text)


def _states(sentence: str) -> bool:
    sentence = sentence.rstrip("\"')]* \n")
    return _SHORTEST_SENTENCE <= len(sentence) <= LONGEST_SENTENCE and not sentence.endswith("?")


def _unbracketed(words: list[Token]) -> list[Token]:
    if not any(word.low == "(" for word in words):
        return words
    kept, depth = [], 0
    for word in words:
        depth += word.low == "("
        if not depth and word.low != ")":
            kept.append(word)
        depth -= word.low == ")" and depth > 0
    return kept


def _unlabelled(words: list[Token]) -> tuple[list[Token], frozenset[str]]:
    """Split off a label: `Timeout: 30 s` states a value; `Ana: I like tea` and `Decision: we use Go` have one."""
    at = next((at for at, word in enumerate(words[: _LABEL + 1]) if word.low == ":"), 0)
    if not at:
        return words, frozenset()
    rest = words[at + 1 :]
    is_long = len(rest) > 2 * FEWEST_TOKENS or any(word.low in FUNCTION and word.low != "per" for word in rest)
    if not is_long and (at > 1 or any(word.low[0].isdigit() for word in rest)):
        return words, frozenset()
    heading = words[:at]
    if not _is_preface(heading):
        return rest, frozenset(word.stem for word in heading)
    is_whole = any(_is_verb(word) or word.stem in VERBS for word in rest)
    return rest if is_whole else [*heading, *rest], frozenset()


def _is_preface(heading: Sequence[Token]) -> bool:
    """Tell whether a heading only leads to the rest: message from Ann, looked at the papers again."""
    if any(word.low[0].isdigit() for word in heading):
        return False
    is_named = any(word.name for word in heading[1:]) and not any(word.low == "from" for word in heading)
    if any(word.stem in NEWS for word in heading) and not is_named:
        return heading[0].stem in NEWS or heading[0].low in FUNCTION or len(heading) > FEWEST_TOKENS - 1
    before = ["", *(word.low for word in heading)]
    return any(word.low.endswith("ed") and near in _TELLING for near, word in zip(before, heading, strict=False))


def _parts(words: list[Token]) -> Iterator[list[Token]]:
    """Yield the parts of a sentence that can stand alone. One that begins with its verb takes the last subject."""
    part: list[Token] = []
    for at, word in enumerate(words):
        if word.low not in _JOINTS or not part:
            part.append(word)
        elif _ends(part, words, at):
            yield part
            part = _subject(part) if word.low == "and" and _is_predicate(words[at + 1]) else []
        elif word.low == "and" or not _leads(part):
            part.append(word)
    if part:
        yield part


def _subject(part: list[Token]) -> list[Token]:
    """Return the words before the verb."""
    verb = next((at for at, word in enumerate(part) if _is_verb(word) or _is_predicate(word)), 0)
    return part[:verb]


def _is_predicate(word: Token) -> bool:
    """Tell whether a clause without its own subject may begin so: and is …, and stays …"""
    return word.low in _PREDICATES or (word.stem in VERBS and word.low.endswith("s"))


def _goes_on(part: list[Token], rest: Sequence[Token]) -> bool:
    """Tell whether another clause begins after an "and"."""
    if not any(map(_is_verb, part)) and not any(map(_is_predicate, part)):
        return False
    if rest[0].low in _SUBJECTS or any(word.low in _PREDICATES for word in rest[1:]):
        return True
    return _is_predicate(rest[0]) and bool(_subject(part))


def _leads(part: Sequence[Token]) -> bool:
    """Tell whether it is a condition or a reason that goes before its clause."""
    return part[0].low in CONDITIONS or part[0].low in REASONS


def _ends(part: list[Token], words: Sequence[Token], at: int) -> bool:
    """Tell whether a part that can stand alone ends here, and the next one does not restrict it."""
    rest = words[at + 1 : at + 1 + FEWEST_TOKENS]
    if words[at].low == "and" and not (rest and _goes_on(part, rest)):
        return False
    if words[at].low == ":" and not any(word.low in FUNCTION for word in words[at + 1 :]):
        return False
    if min(len(rest), len(part)) < FEWEST_TOKENS or any(token.low == "," for token in rest):
        return False
    if part[0].low in REASONS:
        return True
    following = rest[1].low if rest[0].low in ("but", "and") else rest[0].low
    return part[0].low not in CONDITIONS and following not in _RESTRICTING


def _is_verb(token: Token) -> bool:
    return token.low in COPULAS or token.stem in PLACE or token.stem in CHANGE or token.stem in USE


def _bare(part: list[Token]) -> list[Token]:
    """Return a part without the finding or reason before it, and the reason or consequence behind it."""
    if part[0].low in REASONS and len(part) > FEWEST_TOKENS:
        part = part[1:]
    for at, token in enumerate(part[:_FINDING]):
        if token.low == "that" and any(word.stem in TOLD for word in part[:at]):
            part = part[at + 1 :]
            break
    for at, token in enumerate(part):
        if at < FEWEST_TOKENS - 1 or token.low not in REASONS or token.low == "as":
            continue
        if token.low == "until" and at + 1 < len(part) and part[at + 1].name:
            continue  # until December
        if token.low in ("which", "who") and part[at - 1].low in CONDITIONS | {"from", "to", "of"}:
            continue  # the place from which
        return part[:at]
    return part


def _before(clause: Sequence[Token], bare: Sequence[Token]) -> Iterator[Token]:
    """Yield the words before the bare clause, which tell how it was found out."""
    return (token for token in clause if token.start < bare[0].start)


def _is_plan(words: Sequence[Token]) -> bool:
    lows = [word.low for word in words]
    plans = [at for at, pair in enumerate(pairwise(lows)) if pair in PLANS]
    wishes = [at for at in plans if lows[at] in ("want", "wants") and lows[at + 2 : at + 3] == ["be"]]  # addressed so
    if len(plans) > len(wishes) or not HEDGES.isdisjoint(lows):
        return True
    asked = [at for at, low in enumerate(lows) if low == "if"]
    return any(word.stem in ASKING for at in asked for word in words[max(0, at - _ASKED) : at])
