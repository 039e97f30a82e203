"""Compare two statements: what both are about, what only one names, and whether both values may hold."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from treering.truth.contradictions.read.lexicon import ADJECTIVES, ALONE, COMBINING, CONTRASTS, MAKING, PLACE, VERBS
from treering.truth.contradictions.read.quantity import DATE, Quantity, differ, quantities
from treering.truth.contradictions.read.statement import Statement, Word
from treering.truth.contradictions.read.tokens import UNITS, stem, tokens

_MOST_WORDS = 4  # of a name
_CODE = r"`[^`]+`\Z|(?=.*[\d_./@#:-])[\w./@#:~+-]+\Z"
_NAME = r"[^\W\d_a-z][\w.&'\u2019-]*\Z"
_OF_DAYS = frozenset("morning mornings afternoon afternoons evening evenings night nights at on the of utc cet".split())
TITLES = frozenset("dr mr mrs ms prof".split())


def sort(one: str, other: str, after: str) -> tuple[str, bool, bool]:
    """Return the kind of conflict or none; whether the values are names, and whether they are plain words."""
    amounts = _amounts(one, after), _amounts(other, after)
    if amounts[0] and amounts[1]:
        return _amount(*amounts), False, False
    if amounts[0] or amounts[1] or _is_part(one, other):
        return "", False, False
    mine, theirs = _shape(one), _shape(other)
    if mine == theirs == "lower":
        return "choice", False, True
    is_mixed = {mine, theirs} == {"code", "name"} and "/" not in one + other and "`" not in one + other
    if not mine or "lower" in (mine, theirs) or (mine != theirs and not is_mixed):
        return "", False, False
    return "name", True, False


def _amounts(text: str, after: str) -> list[Quantity]:
    """Return the amounts that make up a value, or none if it has other words."""
    unit = f" {after}" if after in UNITS else ""
    words = tokens(text + unit, 0, len(text + unit))
    found = quantities(words)
    taken = {at for one in found for at in range(one.first, one.end)}
    is_whole = all(at in taken or word.low in _OF_DAYS for at, word in enumerate(words))
    return found if is_whole and not any(one.bound for one in found) else []


def _amount(mine: list[Quantity], theirs: list[Quantity]) -> str:
    sorts = [[(one.kind, one.dimension) for one in amounts] for amounts in (mine, theirs)]
    if sorts[0] != sorts[1] or (len(mine) > 1 and any(one.kind != DATE for one in mine)):
        return ""
    return next((a.kind for a, b in zip(mine, theirs, strict=True) if differ(a, b)), "")


def _shape(text: str) -> str:
    if re.match(_CODE, text):
        return "code"
    words = text.split()
    if len(words) > _MOST_WORDS:
        return ""
    if all(re.match(_NAME, word) for word in words):
        return "name"
    return "lower" if text.isalpha() and text.islower() else ""


def _is_part(one: str, other: str) -> bool:
    """Tell whether one is short for the other or inside it: Postgres and PostgreSQL, `tests` and `tests/slow`."""
    mine, theirs = (text.strip("`/").casefold() for text in (one, other))
    words = [{word.strip(".") for word in text.split()} - TITLES for text in (mine, theirs)]
    return mine in theirs or theirs in mine or not all(words) or not words[0].isdisjoint(words[1])


LEAST_COMMON = 2  # words of two statements about one thing, unless they have no other words
MUCH_COMMON = 3  # words with which a word more on one side makes no other thing
_ROOT = 5  # letters that words of one root have in common
_RESTRICTING = frozenset("if when on in for during while under with only at unless after before above below".split())
_TURNING = frozenset("un in im ir dis non".split())
_JOINING = frozenset("of for to from in on at with by".split())


class Sides(NamedTuple):
    one: Statement
    other: Statement
    shared: frozenset[str]  # words of one root (collect, collection) are shared
    mine: frozenset[str]  # strong words that only the first has
    theirs: frozenset[str]
    denied: bool  # whether the first says no
    denies: bool  # and the second


def sides(one: Statement, other: Statement) -> Sides:
    shared, mine, theirs = one.strong & other.strong, one.strong - other.every, other.strong - one.every
    denied, denies = one.negated, other.negated
    for a, b in _related(mine, theirs):
        mine, theirs, shared = mine - {a}, theirs - {b}, shared | {min(a, b)}
        denied ^= _is_turned(a, b) and len(a) > len(b)
        denies ^= _is_turned(a, b) and len(a) < len(b)
    return Sides(one, other, shared, mine, theirs, denied, denies)


def _related(mine: Set[str], theirs: Set[str]) -> set[tuple[str, str]]:
    """Return pairs of words of one root, or that a syllable turns into their opposite."""
    roots: dict[str, list[str]] = {}
    for word in theirs:
        if len(word) >= _ROOT and word.isalpha():
            roots.setdefault(word[:_ROOT], []).append(word)
    found = {(word, like) for word in mine if word.isalpha() for like in roots.get(word[:_ROOT], ()) if word != like}
    for word in mine:
        turned = (word[len(start) :] for start in _TURNING if word.startswith(start))
        found.update((word, plain) for plain in turned if len(plain) >= _ROOT and plain in theirs)
        if len(word) >= _ROOT:
            found.update((word, start + word) for start in _TURNING if start + word in theirs)
    return found


def _is_turned(one: str, other: str) -> bool:
    """Tell whether one is the other with a negating syllable: formally and informally."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _ROOT and long.endswith(short) and long[: -len(short)] in _TURNING


def having(said: Statement, stems: Set[str]) -> list[Word]:
    """Return the words of a statement with these stems."""
    return [word for word in said.words if word.stem in stems]


def restricts(intro: Sequence[str]) -> bool:
    """Tell whether what follows is a condition or a place: on Windows, for admins."""
    return not _RESTRICTING.isdisjoint(intro)


def contrast(one: Statement, other: Statement) -> bool:
    """Tell whether one has the counterpart of the other's word: read and write, minimum and maximum."""
    mine, theirs = one.every - other.every, other.every - one.every
    return any(mine & words and theirs & words for words in CONTRASTS)


def rival(one: Statement, other: Statement) -> bool:
    """Tell whether another word in each qualifies a word that both have: the Go client, deploys to staging."""
    mine, theirs = _told_apart(one, other), _told_apart(other, one)
    return bool(mine and theirs) and not mine.isdisjoint(theirs)


def _told_apart(said: Statement, other: Statement) -> set[tuple[str, ...]]:
    """Return words that both have, with the place where only this one has another beside them."""
    found: set[tuple[str, ...]] = set()
    known = other.every | other.old
    for word, following in pairwise(said.words):
        if word.stem not in known and word.stem not in ADJECTIVES and following.stem in other.every:
            if not following.intro:
                found.add((following.stem,))
        elif word.stem in other.every and following.stem not in known:
            found.update((word.stem, each) for each in following.intro if each in _JOINING)
    return found


LONGEST_VALUE = 4  # words; names may be twice as long
PLACES = frozenset("in at on to into under inside onto".split())
_INSIDE = frozenset("in on from inside under into onto".split())
_WAYS = frozenset("with via through using".split())
_GROUPS = ((PLACES, "place"), (_WAYS, "way"), *((frozenset((word,)), word) for word in ("as", "by", "from", "of")))
_NARROWING = frozenset("is if when on for during while under only unless and or , by".split())
_OPEN = frozenset("a an the our my your its their his her".split())
_RUNS = stem("run")


class Span(NamedTuple):
    """The words of a statement that the other has otherwise."""

    said: Statement
    first: int
    end: int

    @property
    def inside(self) -> Sequence[Word]:
        return self.said.words[self.first : self.end]

    @property
    def intro(self) -> tuple[str, ...]:
        return self.said.words[self.first].intro

    @property
    def before(self) -> Word:
        return self.said.words[self.first - 1]

    @property
    def after(self) -> Sequence[Word]:
        return self.said.words[self.end :]

    @property
    def is_name(self) -> bool:
        return any(word.name for word in self.inside)

    @property
    def verbs(self) -> set[str]:
        """The possible verbs of the value, as many nouns look like verbs. None if it only is there."""
        if "is" in self.intro:
            return set()
        before = self.said.words[: self.first]
        linked = {word.stem for word in before if "is" in word.intro}
        return linked or {word.stem for word in before if word.stem in PLACE or word.stem in VERBS}

    @property
    def stems(self) -> set[str]:
        return {word.stem for word in self.inside}

    @property
    def is_numbered(self) -> bool:
        """True if a number belongs to it: room 12."""
        return any(word.stem.isdigit() for word in self.inside)

    @property
    def is_quoted(self) -> bool:
        """True if it stands between back ticks."""
        tokens = [self.said.tokens[word.at] for word in self.inside]
        return any(token.end - token.start > len(token.low) for token in tokens)

    @property
    def is_platform(self) -> bool:
        """True if it is what a thing runs on, which is no place."""
        return "on" in self.intro and _RUNS in self.verbs

    @property
    def is_definite(self) -> bool:
        return not _OPEN.isdisjoint(self.intro)

    @property
    def is_code(self) -> bool:
        return not self.text.replace("-", "").isalnum()

    @property
    def text(self) -> str:
        return "".join(self.said.tokens[word.at].low for word in self.inside)

    @property
    def place(self) -> tuple[int, int]:
        return self.said.place(self.inside[0].at, self.inside[-1].at)

    @property
    def group(self) -> str:
        """How the value is joined to its subject."""
        for words, name in _GROUPS:
            if not words.isdisjoint(self.intro[-2:]):
                return name
        return "is" if "is" in self.intro else "other" if set(self.intro) - _OPEN else "object"

    @property
    def joints(self) -> set[str]:
        """The function words inside: if both spans have one, more than one thing differs."""
        return {joint for word in self.inside[1:] for joint in word.intro} - {"of", *_OPEN}

    @property
    def is_single(self) -> bool:
        """True if it is one value, not a list and not conditional."""
        longest = LONGEST_VALUE * (1 + self.is_name)
        if self.after and "is" in self.after[0].intro and self.first:
            return False  # it is part of the subject
        narrowed = any(not _NARROWING.isdisjoint(word.intro) for word in self.inside[1:])
        return len(self.inside) <= longest and not narrowed


def is_qualified(span: Span, other: Span) -> bool:
    """Tell whether one is qualified and the other not: the work email, the email."""
    known = other.said.every
    return {span.group, other.group} == {"is"} and any(
        word.stem not in known and word.stem not in ADJECTIVES and not following.intro and following.stem in known
        for word, following in pairwise(span.said.words[: span.first])
        if not span.said.tokens[word.at].owner
    )


def is_same_name(span: Span) -> bool:
    """Tell whether a name goes on with what both have: Dr. Wu and Mei Wu."""
    following = span.after[0] if span.after else None
    return following is not None and following.name and not following.intro and span.inside[-1].name


def may_nest(one: Span, other: Span) -> bool:
    """Tell whether one may be in the other, or a kind of it: Spain and Valencia, Linux and
    `ubuntu-22.04`. Not if one says that it changed."""
    if one.said.mood.newer or other.said.mood.newer or (one.is_quoted and other.is_quoted):
        return False
    if one.is_name and other.is_name and bool(one.joints) != bool(other.joints):
        return True
    if "way" in (one.group, other.group) and one.verbs & other.verbs & COMBINING:
        return True
    if "by" in (one.group, other.group) and one.before.stem not in ALONE:
        return True
    if not {one.group, other.group} <= {"place", "from"}:
        return False
    inside = any(not _INSIDE.isdisjoint(span.intro[-2:]) for span in (one, other))
    return inside and one.is_name and other.is_name and not one.verbs & other.verbs & MAKING
