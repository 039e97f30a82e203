"""Compare two readings: what they share, and what disagrees."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from treering.evolve.sameness.align import Aligned, aligned, reordered
from treering.evolve.sameness.lexicon import ATTRIBUTES, COMPARING, DEPTHS, OPTIONAL, OWNED, PAST, PLACES, STATES, stem
from treering.evolve.sameness.read import ACT, FLAG, LIGHT, LITERAL, NAME, NUMBER, WORD, Reading, Token, plain

_LITTLE = 0.3  # of a word: what a light word counts, as three of them say about as much as one other
_MOST_TOLD = 6  # words of a side of a difference
_NONE: frozenset[str] = frozenset()


class Compared(NamedTuple):
    differs: tuple[str, ...]
    shared: float  # words that meet
    apart: int  # words that do not
    extra: int  # light words that do not


def compared(one: Reading, other: Reading) -> Compared:
    is_how_to = are_how_tos(one, other)
    if not is_how_to:
        one, other = _plain(one), _plain(other)
    found = _unquoted(one, other, aligned(one.tokens, other.tokens))
    mine, theirs = [one.tokens[at] for at in found.left], [other.tokens[at] for at in found.right]
    said = frozenset(one.tokens[a].key for a, _ in found.pairs) if is_how_to else _NONE
    ours, others = (_heavy(side, rest, is_how_to, said) for side, rest in ((mine, theirs), (theirs, mine)))
    differs = [*_negations(one, other), *_leftovers(ours, others), *_moods(one.moods, other.moods, is_how_to)]
    if is_how_to:
        differs += _shell(one.tokens, other.tokens, mine, theirs)
    else:
        differs += _tenses(one, other, found.pairs)
    differs += reordered(one.tokens, other.tokens, found.pairs, is_how_to)
    apart = len(ours) + len(others)
    shared = sum(_LITTLE if one.tokens[a].kind == LIGHT else 1.0 for a, _ in found.pairs)
    return Compared(tuple(dict.fromkeys(differs)), shared, apart, len(mine) + len(theirs) - apart)


def are_how_tos(one: Reading, other: Reading) -> bool:
    return min(one.how_to, other.how_to) >= ACT and max(one.how_to, other.how_to) > ACT


def _plain(reading: Reading) -> Reading:
    return reading._replace(tokens=plain(reading.tokens)) if reading.how_to else reading


def _unquoted(one: Reading, other: Reading, found: Aligned) -> Aligned:
    """Match a quotation in one, `npm run dev`, with the same words without quotes in the other."""
    left, right = found.left, found.right
    for mine, theirs, quoted, bare in ((one, other, left, right), (other, one, right, left)):
        for at in [at for at in quoted if mine.tokens[at].kind == LITERAL and " " in mine.tokens[at].text]:
            words = tuple(mine.tokens[at].text.lower().split())
            if any(theirs.words[place : place + len(words)] == words for place in range(len(theirs.words))):
                quoted.remove(at)
                bare[:] = [place for place in bare if theirs.tokens[place].text.lower() not in words]
    return found


def _heavy(side: Sequence[Token], rest: Sequence[Token], is_how_to: bool, said: Set[str]) -> list[Token]:
    """Return the left-over tokens that count. A how-to may say a thing twice, unless the other differs there."""
    if not is_how_to:
        return list(side)
    again = _NONE if any(token.key in said for token in rest) else said - COMPARING
    return [token for token in side if token.kind != LIGHT and not (token.kind == WORD and token.key in again)]


def _negations(one: Reading, other: Reading) -> list[str]:
    """Return the negations that do not have a counterpart about the same word."""
    rest = list(other.negated)
    for about in one.negated:
        met = next((each for each in rest if about[:1] == each[:1] and _is_owned(about) == _is_owned(each)), None)
        if met is None:
            return ["negation"]
        rest.remove(met)
    return ["negation"] if rest else []


def _is_owned(about: Sequence[str]) -> bool:
    """Tell whether it is about ownership, where "not" may move: not owned by root in a place."""
    return OWNED in about[-1:]


def _leftovers(mine: Sequence[Token], theirs: Sequence[Token]) -> list[str]:
    found = []
    for kind in (NUMBER, FLAG, LITERAL, NAME, WORD, LIGHT):
        sides = [[token.text for token in side if token.kind == kind] for side in (mine, theirs)]
        told = sorted(" ".join(side[:_MOST_TOLD]) for side in sides if side)
        if told:
            found.append(f"{WORD if kind == LIGHT else kind} {' / '.join(told)}")
    return found


def _moods(mine: Set[str], theirs: Set[str], is_how_to: bool) -> list[str]:
    apart = mine ^ theirs
    if not apart:
        return []
    found = sorted(apart & (_ALWAYS if is_how_to else _ALONE))
    for name, group in _GROUPS[:2] if is_how_to else _GROUPS:
        one, other = mine & group, theirs & group
        if len(one) == len(other) == 1 and one != other:
            found.append(f"{name} {' / '.join(sorted(one | other))}")
    return found


# What one of two may not say alone. In a how-to, "or" and "and", "if" and "that" are often the same.
_ALWAYS = frozenset(("may", "question"))
_ALONE = frozenset(("may", "question", "can", "some", "or", "if", "because"))
_GROUPS = (
    ("duty", frozenset(("can", "must"))),
    ("person", frozenset(("he", "she", "i"))),
    ("time", frozenset(("was", "is"))),
    ("time", frozenset(("doing", "done"))),
    ("being", frozenset(("have", "is"))),
    ("extent", frozenset(("all", "their"))),
    ("person", frozenset(("first he", "first she"))),
)


def _tenses(one: Reading, other: Reading, pairs: Sequence[tuple[int, int]]) -> list[str]:
    """Return differing tenses: we will move, and we moved."""
    if ("was" in one.moods and "will" in other.moods) or ("will" in one.moods and "was" in other.moods):
        return ["time was / will"]
    for a, b in pairs:
        mine, theirs = one.tokens[a], other.tokens[b]
        past = [_is_past(token) for token in (mine, theirs)]
        if past[0] == past[1] or mine.is_passive or theirs.is_passive:
            continue
        plan, moods = (theirs, other.moods) if past[0] else (mine, one.moods)
        is_planned = "will" in moods or ("doing" in moods and plan.text.endswith("ing"))
        if is_planned or (mine.key in STATES and mine.text.lower() != theirs.text.lower()):
            return [f"time {' / '.join(sorted((mine.text, theirs.text)))}"]
    return []


def _is_past(token: Token) -> bool:
    return token.text.endswith("ed") or token.text.lower() in PAST


def _shell(one: Sequence[Token], other: Sequence[Token], mine: Sequence[Token], theirs: Sequence[Token]) -> list[str]:
    """Return differences of light words that matter in how-tos: another kind of thing, place or depth."""
    found = []
    sorts, others = _sorts(one), _sorts(other)
    if sorts and others and not sorts & others:
        found.append("files / directories")
    for sort, rest, tokens in ((sorts, others, other), (others, sorts, one)):
        if sort == {_DIRECTORIES} and not rest and not any(token.key == _DIRECTORY for token in tokens):
            found.append("directories")
    left, right = ({token.key for token in side} for side in (mine, theirs))
    if left & _SORTS and right & _SORTS and left & _SORTS != right & _SORTS:
        found.append("file / directory")
    for one_of, other_of in ((left & ATTRIBUTES, right & ATTRIBUTES), (left - OPTIONAL, right - OPTIONAL)):
        if one_of and other_of:
            found += _leftovers(_having(mine, one_of), _having(theirs, other_of))
    here, there = ({token.key for token in side} for side in (one, other))
    if _NAMED in left ^ right and _HOLDING in here & there:
        found.append("word name")  # that a file contains a word, or its name does
    if here & PLACES and there & PLACES and not here & there & PLACES:
        found.append(f"place {' / '.join(sorted((here | there) & PLACES))}")
    if _RECURSIVELY in left | right and not (here & DEPTHS and there & DEPTHS) and not (_seeks(one) and _seeks(other)):
        found.append("recursively")
    return found


def _having(tokens: Sequence[Token], keys: Set[str]) -> list[Token]:
    return [token for token in tokens if token.key in keys]


def _seeks(tokens: Sequence[Token]) -> bool:
    """Tell whether a how-to searches, and so goes into folders; printing or changing does not."""
    return any(stem(token.text.lower().partition(" ")[0]) in _SEEKING for token in tokens[:2])


_NAMED, _HOLDING, _RECURSIVELY = "nam", "contain", "recursiv"  # stems
_SEEKING = frozenset(("find", "search", "locat"))
_FILE, _DIRECTORY = "fil", "directory"
_SORTS = frozenset((_FILE, _DIRECTORY))
_DIRECTORIES = "directories"


def _sorts(tokens: Sequence[Token]) -> set[str]:
    """Return the kinds of things a how-to is about. Several directories are one; a single one is mostly a place."""
    lows = {token.text.lower() for token in tokens if token.key in _SORTS}
    found = {_FILE} if lows & {"file", "files"} else set()
    return found | {_DIRECTORIES} if lows & {"directories", "folders"} else found
