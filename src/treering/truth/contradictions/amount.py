"""Find another number, version or date of the same thing."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise
from typing import NamedTuple

from treering.truth.contradictions.read.lexicon import (
    ADJECTIVES,
    CAPS,
    LIMITS,
    MANY,
    NOUNS,
    NUMBERED,
    PARTS,
    PLURAL,
    VERBS,
)
from treering.truth.contradictions.read.quantity import DATE, NUMBER, RANGE, VERSION, Quantity, differ
from treering.truth.contradictions.read.statement import Statement, Word
from treering.truth.contradictions.sides import LEAST_COMMON, MUCH_COMMON, Sides, contrast, having, restricts, rival

Found = tuple[str, tuple[int, int], tuple[int, int]]

_SUBJECT = 3  # tokens of a name with a number at the beginning of a statement
_BE = frozenset("is are was were has will must".split())
DUE = frozenset("must need needs required".split())
DUE_PAIRS = frozenset([("has", "to"), ("have", "to")])
OWNERS = frozenset("their his her our my your its".split())
_RELEASE = frozenset("version release".split())
_CHOSEN = frozenset("everywhere used what our my required needed installed supported pinned only".split())
_LIMITING = frozenset("if when for during while only unless on after before with under".split())  # and not where it is
_LEFT = frozenset("left remaining remain remains more extra additional spare free".split())
_WAS = frozenset(("was", "were"))
_NO_DATE = (None, None, None, None)  # of a day of which only the weekday is known
_ARTICLES = frozenset("the a an our my".split())


class Differing(NamedTuple):
    one: Quantity
    other: Quantity
    agreed: int  # amounts that are the same in both, which make it likely that they are about one thing


def differing(one: Statement, other: Statement) -> Differing | None:
    """Return the two amounts of the same dimension that differ, if it is clear which belongs to which."""
    pairs = [(a, b) for a in one.amounts for b in other.amounts if _is_comparable(a, b)]
    apart = [(a, b) for a, b in pairs if differ(a, b) or _is_less_than_due(one, a, other, b)]
    if not apart or (len(apart) > 1 and any(a.kind != DATE for a, _ in apart)):
        return None
    agreed = [pair for pair in pairs if pair not in apart]
    mine, theirs = {a for a, _ in agreed}, {b for _, b in agreed}
    if min(len({a for a, _ in apart} - mine), len({b for _, b in apart} - theirs)) != len(apart):
        return None
    if any(_is_in_name(one, a) or _is_in_name(other, b) for a, b in apart):
        return None
    return None if _are_several(one, other, apart[0][0]) else Differing(*apart[0], min(len(mine), len(theirs)))


def disagree(one: Statement, other: Statement) -> bool:
    """Tell whether the amounts differ, whatever that means."""
    return any(_is_comparable(a, b) and differ(a, b) for a in one.amounts for b in other.amounts)


def other_amount(found: Sides, near: int) -> Found | None:
    """Return the conflict of two amounts. `near` counts the other words the texts share: then
    versions of one product are of the same thing."""
    one, other = found.one, found.other
    pair = differing(one, other) if one.amounts and other.amounts else None
    if pair is None:
        return None
    if pair.one.kind != VERSION or not found.shared & {pair.one.dimension, pair.other.dimension}:
        near = 0
    elif one.change or other.change:
        near += 1
    if not _is_same_matter(found, pair, pair.agreed + near):
        return None
    mine, theirs = pair.one, pair.other
    return mine.kind, one.place(mine.first, mine.end - 1), other.place(theirs.first, theirs.end - 1)


def _is_less_than_due(one: Statement, mine: Quantity, other: Statement, theirs: Quantity) -> bool:
    """Tell whether a minimum is below an obligation: eight must be handed in, at least six are enough."""
    least, due, said = (mine, theirs, other) if mine.bound == 1 else (theirs, mine, one)
    if (least.bound, due.bound) != (1, 0) or mine.kind != NUMBER:
        return False
    lows = [token.low for token in said.tokens[: due.first]]
    is_due = not DUE.isdisjoint(lows) or not DUE_PAIRS.isdisjoint(pairwise(lows))
    return is_due and float(due.value[0] or 0) > float(least.value[0] or 0)


def _is_comparable(one: Quantity, other: Quantity) -> bool:
    if one.kind != other.kind or RANGE in (one.bound, other.bound):
        return False
    unnamed = one.kind == VERSION and not (one.dimension and other.dimension)
    return unnamed or one.dimension == other.dimension


def _is_in_name(said: Statement, amount: Quantity) -> bool:
    """Tell whether a number tells things apart: ticket 12 is …, the 2009 final was …."""
    before = said.tokens[: amount.first]
    if len(before) > _SUBJECT or any(token.low in _BE for token in before):
        return False
    following = said.tokens[amount.end].low if amount.end < len(said.tokens) else ""
    if following in ("was", "were") or (before and before[-1].stem in NUMBERED):
        return True
    if len(before) == 1 and amount.kind == VERSION and before[0].low.isalpha():
        return not _is_chosen(said, amount)
    is_count = amount.kind == NUMBER and amount.dimension != "of"
    return not before and following not in _BE and not is_count


def _is_chosen(said: Statement, amount: Quantity) -> bool:
    """Tell whether a version is chosen: Node 18 is used, Debian 11 everywhere; not camera 3 is in the hall."""
    rest = [token.low for token in said.tokens[amount.end : amount.end + 2]]
    is_version = "." in said.tokens[amount.first].low and said.tokens[0].low not in _RELEASE
    return is_version or not rest or rest[0] in _CHOSEN or (rest[0] in _BE and rest[-1] in _CHOSEN)


def _are_several(one: Statement, other: Statement, amount: Quantity) -> bool:
    """Tell whether both may hold: measurements of two days, two supported versions."""
    if amount.kind == VERSION and one.every & other.every & PLURAL:
        is_noun = _is_of_tests(one, amount) and _is_of_tests(other, amount)
        return not is_noun and not one.every & other.every & ADJECTIVES
    if _is_part(one) != _is_part(other):
        return True
    if amount.kind == DATE and all(said.change and _WAS.intersection(_lows(said)) for said in (one, other)):
        return True  # the rent was raised in 2022, and again in 2024
    if amount.value[:-1] == _NO_DATE and one.every & other.every & MANY:
        return True  # plays tennis on Mondays, and on Fridays
    dated = [any(each.dimension == "day" for each in said.amounts) for said in (one, other)]
    if amount.dimension == "clock" and dated[0] != dated[1] and not (one.change or other.change):
        return True
    is_dated = any(each.dimension == "day" for each in (*one.amounts, *other.amounts))
    return is_dated and amount.kind != DATE and not (one.change or other.change)


def _lows(said: Statement) -> list[str]:
    return [token.low for token in said.tokens]


def _is_part(said: Statement) -> bool:
    """Tell whether an amount is only a part: lessons left, two more tests."""
    return not _LEFT.isdisjoint(_lows(said))


def _is_of_tests(said: Statement, amount: Quantity) -> bool:
    """Tell whether the word is a noun and no verb: the test system, the support team."""
    return any(
        word.stem in PLURAL and said.tokens[word.at].low == word.stem and not (following.intro or following.name)
        for word, following in pairwise(said.words)
        if following.stem != amount.dimension
    )


def _is_same_matter(found: Sides, pair: Differing, agreed: int) -> bool:
    one, other, mine, theirs = found.one, found.other, found.mine, found.theirs
    if any(restricts(word.intro) for said in (one, other) for word in having(said, (one.every ^ other.every) & PARTS)):
        return False  # in winter
    if contrast(one, other) or _is_qualified(one, other) or _is_qualified(other, one):
        return False
    if _is_limited(one, other):
        return False
    if not mine and not theirs:
        return bool(found.shared)
    common = len(found.shared) + agreed
    if mine and theirs:
        return _is_by_the_way(found, common)
    longer, shorter = (one, other) if mine else (other, one)
    amount = pair.one if mine else pair.other
    instead = having(shorter, (shorter.every - longer.every) & NOUNS)
    if _is_of_it(longer, mine or theirs):
        return False
    for word in having(longer, mine or theirs):
        between = {token.low for token in longer.tokens[amount.end : word.at]}
        where = amount.kind == DATE and word.at > amount.first and _LIMITING.isdisjoint(between)
        if restricts(word.intro) and not where:
            return False
        if any(_beside(longer, word) & _beside(shorter, noun) for noun in instead):
            return False
    return common + bool(one.every & other.every & VERBS) >= LEAST_COMMON and bool(found.shared)


def _is_of_it(said: Statement, extra: Set[str]) -> bool:
    """Tell whether the extra words name a part of the same thing: the birthday party, the birthday."""
    return any(
        following.stem in extra and word.stem not in extra and not word.weak and not following.name
        for word, following in pairwise(said.words)
        if not following.intro and any(token.low in _BE for token in said.tokens[following.at + 1 : following.at + 2])
    )


def _is_limited(one: Statement, other: Statement) -> bool:
    """Tell whether one is a limit or a mean, and the other a value: 80 on average may be 120 now."""
    apart = (one.every ^ other.every) & LIMITS
    return bool(apart) and not all(said.every & (LIMITS | CAPS) for said in (one, other))


def _is_by_the_way(found: Sides, common: int) -> bool:
    """Tell whether each side only has more words, none in place of another, beside as much in common."""
    one, other = found.one, found.other
    mine, theirs = _extra(one, found.mine), _extra(other, found.theirs)
    if common < LEAST_COMMON or max(len(mine), len(theirs)) >= max(common, MUCH_COMMON - 1) or rival(one, other):
        return False
    if any(restricts(word.intro) for word in (*mine, *theirs)):
        return False
    if {word.intro for word in mine} & {word.intro for word in theirs}:
        return False
    if _first(one) in found.mine and _first(other) in found.theirs:
        return False  # two subjects
    return not any(_beside(one, a) & _beside(other, b) for a in mine for b in theirs)


def _extra(said: Statement, stems: Set[str]) -> list[Word]:
    """Return words that may name another thing. What was done to it (shifted, extended) does not."""
    return [word for word in having(said, stems) if not said.tokens[word.at].low.endswith("ed")]


def _first(said: Statement) -> str:
    return next((word.stem for word in said.words if not word.weak), "")


def _beside(said: Statement, word: Word) -> set[tuple[str, str]]:
    """Return the words that stand directly beside a word."""
    at = said.words.index(word)
    before = {("before", near.stem) for near in said.words[max(0, at - 1) : at] if not word.intro}
    return before | {("after", near.stem) for near in said.words[at + 1 : at + 2] if not near.intro}


def _is_qualified(said: Statement, other: Statement) -> bool:
    """Tell whether a word stands between the article and the shared noun: the read timeout, the timeout."""
    return any(
        word.stem not in other.every
        and word.stem not in ADJECTIVES
        and not (said.tokens[word.at].owner and _is_owned(other, following.stem))
        and not following.intro
        and following.stem in other.strong
        and (not _ARTICLES.isdisjoint(word.intro) or (word.at == 0 and not word.weak))
        for word, following in pairwise(said.words)
    )


def _is_owned(said: Statement, stem: str) -> bool:
    """Tell whether the word has an owner by pronoun: their anniversary, beside the couple's."""
    return any(not OWNERS.isdisjoint(word.intro) for word in said.words if word.stem == stem)
