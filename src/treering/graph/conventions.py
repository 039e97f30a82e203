"""Find the conventions and decisions in a text, in its own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treering.graph.entities.shapes import SIGN, Token

_LEAST, _MOST = 3, 40  # words of a rule: two say nothing, and more than forty are a story
_HOW = frozenset(
    "by in on with from through via for at into under".split()
)  # behind "never": what was said before, never so
_LEAD = frozenset("and but so also please then thus therefore note rule convention reminder guideline policy".split())
_ENDS = frozenset(".!?;\n")
_TELLERS = frozenset("i he she they somebody someone nobody you".split())
_ORDERED = frozenset("always never prefer avoid".split())
_NO_RULE = frozenset("if when because since after while even although why how".split())
_PAST = frozenset(
    "found got saw made went came took gave knew thought said wrote has have had was were did will would could".split()
)
_MUST = frozenset("must should".split())
_ALL = frozenset("all every everything each no any nothing only nobody everyone anything new".split())
_WHY = frozenset("because otherwise since so or else".split())
_WE = frozenset(("we", "i", "team", "everybody", "they", "everyone"))
_SETTLED = frozenset("decided agreed chose settled opted picked resolved".split())
_ANNOUNCED = frozenset("decision decisions decided agreed settled agreement resolution verdict".split())
_TO = frozenset("to that on for".split())

# Without one of these there is no rule, and neither a rule nor a decision.
_RULING = _ORDERED | _MUST | frozenset("do don't stop no mustn't shouldn't forbidden banned allowed permitted".split())
_CUES = _RULING | _SETTLED | _ANNOUNCED | {"went", "going"}


class Statement(NamedTuple):
    type: str
    start: int  # characters
    end: int
    confidence: float


def statements(tokens: Sequence[Token]) -> list[Statement]:
    if _CUES.isdisjoint([token.low for token in tokens]) and not (tokens and tokens[0].low.startswith("adr")):
        return []
    found = []
    for sentence, sign in _sentences(tokens):
        if sign == "?" or len(sentence) < _LEAST:
            continue
        lows = {token.low for token in sentence}
        decision = _decision(sentence)
        if decision:
            found.append(decision)
            continue
        if lows.isdisjoint(_RULING):
            continue
        before: list[Token] = []
        for clause in _clauses(sentence):
            if before and clause[:1] and clause[0].low == "never" and len(clause) > 1 and clause[1].low in _HOW:
                found.append(Statement("convention", before[0].start, clause[-1].end, 0.7))
            elif rule := _rule(clause):
                found.append(rule)
            before = clause
    return found


def _sentences(found: Sequence[Token]) -> Iterator[tuple[list[Token], str]]:
    sentence: list[Token] = []
    for token in found:
        if token.kind == SIGN and token.low in _ENDS:
            yield sentence, token.low
            sentence = []
        else:
            sentence.append(token)
    yield sentence, ""


def _clauses(sentence: list[Token]) -> Iterator[list[Token]]:
    """Split at commas and colons, but a rule keeps what follows it."""
    start = 0
    for at, token in enumerate(sentence):
        if token.kind == SIGN and token.low in (",", ":", "\u2014", "\u2013") and at > start:
            yield sentence[start:at]
            start = at + 1
    yield sentence[start:]


def _rule(clause: list[Token]) -> Statement | None:
    while clause and clause[0].low in _LEAD:
        clause = clause[1:]
    if not _LEAST <= len(clause) <= _MOST:
        return None
    lows = [token.low for token in clause]
    sure = _sure(lows)
    if not sure:
        return None
    end = next((at for at, low in enumerate(lows) if at > 2 and low in _WHY), len(lows))
    if end < _LEAST:
        return None
    return Statement("convention", clause[0].start, clause[end - 1].end, sure)


def _sure(lows: Sequence[str]) -> float:
    """Return how sure it is that a clause is a rule; 0 if it is not."""
    first, second = lows[0], lows[1]
    if first in ("stop", "no") and second.endswith("ing"):
        return 0.7
    if first in _ORDERED or (first == "do" and second == "not") or first == "don't":
        is_aside = (first == "never" and second in ("mind", "again", "found", "got")) or "it" in lows
        return 0.0 if is_aside else 0.8
    if first in ("we", "i") and second in ("always", "never", "prefer"):
        return 0.0 if lows[2].endswith("ed") or lows[2] in _PAST else 0.75
    if not _NO_RULE.isdisjoint(lows[:2]) or first in _TELLERS:
        return 0.0
    head = lows[: len(lows) - 1]
    for at, low in enumerate(head):
        before, behind = lows[max(0, at - 2) : at], lows[at + 1]
        if low in _NO_RULE:
            return 0.0
        if low in ("never", "always") and at and _is_general(before, behind):
            return 0.65
        if low in ("forbidden", "banned") or (low in ("allowed", "permitted") and not {"not", "only"}.isdisjoint(lows)):
            return 0.7 if not {"is", "are"}.isdisjoint(before) else 0.0
        if low in _MUST and (behind in ("not", "never", "always", "stay") or not _ALL.isdisjoint(lows[:at])):
            return 0.75
        if low in ("mustn't", "shouldn't") and at:
            return 0.7
    return 0.0


def _is_general(before: Sequence[str], behind: str) -> bool:
    """Tell "handlers never see", "numbers are never reused" from "it never happens", "we never awaited"."""
    if before[-1] == "are":
        return True
    plural = before[-1].endswith("s") and not before[-1].endswith(("ss", "us", "is")) and before[-1] not in _PAST
    return plural and not behind.endswith(("s", "ed")) and behind not in _PAST


def _decision(sentence: list[Token]) -> Statement | None:
    lows = [token.low for token in sentence]
    for at, low in enumerate(lows[:-2]):
        if low in _SETTLED and at and lows[at - 1] in (*_WE, "have", "we've", "finally", "had", "been", "was"):
            if not {"not", "haven't", "never", "hasn't", "yet"}.isdisjoint(lows[:at]):
                return None
            start = at if low in ("chose", "picked", "opted") else at + 1
            start += lows[start] in _TO or lows[start] == ":"
            return _from(sentence, start, 0.8)
        if low in _ANNOUNCED and (at < 2 or lows[:2] == ["what", "we"]) and ":" in lows[at : at + 8]:
            return _from(sentence, lows.index(":", at) + 1, 0.75)
    if lows[0].startswith("adr") and ":" in lows[1:3]:
        return _from(sentence, lows.index(":") + 1, 0.7)
    if lows[:3] in (["we", "went", "with"], ["going", "with", "the"]) or lows[:4] == ["we", "are", "going", "with"]:
        return _from(sentence, 1, 0.7)
    return None


def _from(sentence: list[Token], start: int, sure: float) -> Statement | None:
    """Return the text from a word to the end of its clause, where most decisions end."""
    end = next(
        (at for at in range(start + _LEAST, len(sentence)) if sentence[at].low in (",", "because", ":")), len(sentence)
    )
    if end - start < 2 or end - start > _MOST:
        return None
    return Statement("decision", sentence[start].start, sentence[end - 1].end, sure)
