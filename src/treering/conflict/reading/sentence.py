"""A text as clauses that state something. Questions, plans, claims of others, quotations and code state nothing."""

from __future__ import annotations

import re
from itertools import pairwise

from treering.conflict.reading.lexicon import (
    ASKING,
    CHANGE,
    CONDITIONS,
    FUNCTION,
    HEDGES,
    NEWS,
    PLACE,
    PLANS,
    REASONS,
    TOLD,
    USE,
    VERBS,
)
from treering.conflict.reading.mood import is_elsewhen
from treering.conflict.reading.tokens import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.conflict.reading.tokens import Token

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
    """Each with the label of its sentence, or of the text: who speaks at the start speaks to the end."""
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
    """Where they stand. Code and quotations are blanked, so that places stay."""
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
    """`Timeout: 30 s` states a value; `Ana: I like tea` and `Decision: we use Go` have a label."""
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
    """Looked at the papers again, the flight was rebooked, message from Ann: it only leads to the rest."""
    if any(word.low[0].isdigit() for word in heading):
        return False
    is_named = any(word.name for word in heading[1:]) and not any(word.low == "from" for word in heading)
    if any(word.stem in NEWS for word in heading) and not is_named:
        return heading[0].stem in NEWS or heading[0].low in FUNCTION or len(heading) > FEWEST_TOKENS - 1
    before = ["", *(word.low for word in heading)]
    return any(word.low.endswith("ed") and near in _TELLING for near, word in zip(before, heading, strict=False))


def _parts(words: list[Token]) -> Iterator[list[Token]]:
    """The parts of a sentence that can stand alone. One that begins with its verb has the subject of the one before."""
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
    """The words before the verb."""
    verb = next((at for at, word in enumerate(part) if _is_verb(word) or _is_predicate(word)), 0)
    return part[:verb]


def _is_predicate(word: Token) -> bool:
    """Whether a clause may begin so that has no subject of its own: and is …, and stays …"""
    return word.low in _PREDICATES or (word.stem in VERBS and word.low.endswith("s"))


def _goes_on(part: list[Token], rest: Sequence[Token]) -> bool:
    """Whether another clause begins after an and."""
    if not any(map(_is_verb, part)) and not any(map(_is_predicate, part)):
        return False
    if rest[0].low in _SUBJECTS or any(word.low in _PREDICATES for word in rest[1:]):
        return True
    return _is_predicate(rest[0]) and bool(_subject(part))


def _leads(part: Sequence[Token]) -> bool:
    """Whether it is a condition or a reason that goes before what it belongs to."""
    return part[0].low in CONDITIONS or part[0].low in REASONS


def _ends(part: list[Token], words: Sequence[Token], at: int) -> bool:
    """Whether a part that can stand alone ends here, and another begins that restricts it in nothing."""
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
    """Without the finding or the reason that it begins with, and the reason or consequence that it ends with."""
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
    """How it was found out: it would be wrong to say that."""
    return (token for token in clause if token.start < bare[0].start)


def _is_plan(words: Sequence[Token]) -> bool:
    lows = [word.low for word in words]
    plans = [at for at, pair in enumerate(pairwise(lows)) if pair in PLANS]
    wishes = [at for at in plans if lows[at] in ("want", "wants") and lows[at + 2 : at + 3] == ["be"]]  # addressed so
    if len(plans) > len(wishes) or not HEDGES.isdisjoint(lows):
        return True
    asked = [at for at, low in enumerate(lows) if low == "if"]
    return any(word.stem in ASKING for at in asked for word in words[max(0, at - _ASKED) : at])
