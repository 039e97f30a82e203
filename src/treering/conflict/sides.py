"""Two statements side by side: what both are about, and what only one of them names."""

from __future__ import annotations

from itertools import pairwise

from treering.conflict.reading.lexicon import ADJECTIVES, CONTRASTS
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from treering.conflict.reading.statement import Statement, Word

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
    """Words of one root, and words that a syllable turns into their opposite; looked up, as there may be many."""
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
    """Formally and informally, connected and disconnected."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _ROOT and long.endswith(short) and long[: -len(short)] in _TURNING


def having(said: Statement, stems: Set[str]) -> list[Word]:
    """The words of a statement with these stems."""
    return [word for word in said.words if word.stem in stems]


def restricts(intro: Sequence[str]) -> bool:
    """Whether what follows is a condition or a place: on Windows, for admins."""
    return not _RESTRICTING.isdisjoint(intro)


def contrast(one: Statement, other: Statement) -> bool:
    """Whether one has a word where the other has its counterpart: read and write, minimum and maximum."""
    mine, theirs = one.every - other.every, other.every - one.every
    return any(mine & words and theirs & words for words in CONTRASTS)


def rival(one: Statement, other: Statement) -> bool:
    """Whether a word that both have is told apart by another word in each: the Go client, deploys to staging."""
    mine, theirs = _told_apart(one, other), _told_apart(other, one)
    return bool(mine and theirs) and not mine.isdisjoint(theirs)


def _told_apart(said: Statement, other: Statement) -> set[tuple[str, ...]]:
    """Words that both have, with the place where only this one has another beside them."""
    found: set[tuple[str, ...]] = set()
    known = other.every | other.old
    for word, following in pairwise(said.words):
        if word.stem not in known and word.stem not in ADJECTIVES and following.stem in other.every:
            if not following.intro:
                found.add((following.stem,))
        elif word.stem in other.every and following.stem not in known:
            found.update((word.stem, each) for each in following.intro if each in _JOINING)
    return found
