"""The words of a statement that another has otherwise, and whether both may be so."""

from __future__ import annotations

from itertools import pairwise

from treering.conflict.reading.lexicon import ADJECTIVES, ALONE, COMBINING, MAKING, PLACE, VERBS
from treering.conflict.reading.tokens import stem
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.conflict.reading.statement import Statement, Word

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
        """What may be the verb that it belongs to: many nouns are written like one. None if it only is there."""
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
        """Room 12."""
        return any(word.stem.isdigit() for word in self.inside)

    @property
    def is_quoted(self) -> bool:
        """Between back ticks."""
        tokens = [self.said.tokens[word.at] for word in self.inside]
        return any(token.end - token.start > len(token.low) for token in tokens)

    @property
    def is_platform(self) -> bool:
        """It runs on it, which is no place."""
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
        """How the value is joined to what it is a value of."""
        for words, name in _GROUPS:
            if not words.isdisjoint(self.intro[-2:]):
                return name
        return "is" if "is" in self.intro else "other" if set(self.intro) - _OPEN else "object"

    @property
    def joints(self) -> set[str]:
        """Function words inside: if both spans have one, more than one thing differs."""
        return {joint for word in self.inside[1:] for joint in word.intro} - {"of", *_OPEN}

    @property
    def is_single(self) -> bool:
        """One value, not a list and not one under a condition."""
        longest = LONGEST_VALUE * (1 + self.is_name)
        if self.after and "is" in self.after[0].intro and self.first:
            return False  # it is part of the subject
        narrowed = any(not _NARROWING.isdisjoint(word.intro) for word in self.inside[1:])
        return len(self.inside) <= longest and not narrowed


def is_qualified(span: Span, other: Span) -> bool:
    """The work email, beside the email."""
    known = other.said.every
    return {span.group, other.group} == {"is"} and any(
        word.stem not in known and word.stem not in ADJECTIVES and not following.intro and following.stem in known
        for word, following in pairwise(span.said.words[: span.first])
        if not span.said.tokens[word.at].owner
    )


def is_same_name(span: Span) -> bool:
    """Whether a name goes on with what both have: Dr. Wu and Mei Wu."""
    following = span.after[0] if span.after else None
    return following is not None and following.name and not following.intro and span.inside[-1].name


def may_nest(one: Span, other: Span) -> bool:
    """Whether one may lie in the other, or be a kind of it: Spain and Valencia, Linux and `ubuntu-22.04`. Not if one
    says that it changed."""
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
