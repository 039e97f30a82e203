"""Find yes against no, and a thing that was retired against one that is still used."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise

from treering.truth.contradictions.read.lexicon import ATTITUDES, DEONTIC, HINDERING, PARTS, USE
from treering.truth.contradictions.read.sentence import COPULAS
from treering.truth.contradictions.read.statement import Statement
from treering.truth.contradictions.sides import LEAST_COMMON, MUCH_COMMON, Sides, contrast, having, restricts, rival

Found = tuple[str, tuple[int, int], tuple[int, int]]


def opposite(found: Sides) -> Found | None:
    """Return the conflict if one denies what the other says. The denial may not be narrower: "no
    tests on Windows" allows tests, "no tests" forbids tests on Windows."""
    one, other, shared = found.one, found.other, found.shared
    mine, theirs = found.mine - DEONTIC, found.theirs - DEONTIC
    common = len(one.every & other.every) + bool(one.amounts and other.amounts)
    if not shared or (mine and theirs) or common < LEAST_COMMON:
        return None
    denied, said = (one, other) if found.denied else (other, one)
    narrower, wider = (mine, theirs) if found.denied else (theirs, mine)
    if (said.also and not denied.also) or _is_unsure(denied, said, mine | theirs):
        return None
    if len(wider) > _most_more(len(shared)) or _is_less(denied, said, narrower, len(shared)):
        return None
    if contrast(one, other) or rival(one, other) or _is_attitude(denied, said):
        return None
    return "negation", one.denial, other.denial


def _is_unsure(denied: Statement, said: Statement, extra: Set[str]) -> bool:
    """Tell whether the denial may be about the condition or the hindrance, and not the matter."""
    if denied.amounts and said.amounts and {a.value for a in denied.amounts}.isdisjoint(a.value for a in said.amounts):
        return True
    if denied.mood.markers != said.mood.markers or (denied.mood.markers and extra):
        return True
    if any(one.mood.condition < len(one.tokens) and _is_under_condition(one) for one in (denied, said)):
        return True
    if _is_doing(said) != _is_doing(denied) or _is_of_sort(said, denied) or _is_of_sort(denied, said):
        return True
    if any(_turns(denied, *pair) != _turns(said, *pair) for pair in _TURNING):
        return True
    hindered = {word.stem for word in denied.words} & HINDERING
    return bool(hindered - said.every) and denied.denials > 0


def _is_doing(said: Statement) -> bool:
    """Tell whether it is still being done: what is being written is not there yet."""
    lows = [token.low for token in said.tokens]
    return any(a in COPULAS and b.endswith("ing") and len(b) > _SHORTEST_DOING for a, b in pairwise(lows))


def _is_of_sort(said: Statement, other: Statement) -> bool:
    """Tell whether it is about one sort of thing: three optional arguments."""
    return any(
        word.stem in DEONTIC and word.stem not in other.every and not following.intro and bool(word.intro)
        for word, following in pairwise(said.words)
        if following.stem in other.every
    )


_SHORTEST_DOING = 5  # letters: not thing, nor king


def _turns(said: Statement, first: str, then: str) -> bool:
    """Tell whether a phrase negates without a negative word: keep it out of git, a rule against pets."""
    lows = [token.low for token in said.tokens]
    return (first, then) in pairwise(lows) if then else first in lows


_TURNING = (("out", "of"), ("away", "from"), ("against", ""), ("instead", ""), (",", "not"))


def _is_under_condition(said: Statement) -> bool:
    """Tell whether the negation is, or may be, in the condition: if there is no …, it fails when it isn't …"""
    at = said.mood.condition
    return bool(said.denials) and (at == 0 or said.denial[0] > said.tokens[at].start)


def _most_more(shared: int) -> int:
    """Return how many words a statement may have beyond the denial."""
    if shared < LEAST_COMMON:
        return 0
    return shared if shared < MUCH_COMMON else 2 * shared


def _is_less(denied: Statement, said: Statement, extra: Set[str], shared: int) -> bool:
    """Tell whether words or a time narrow the denial: unit tests, on Windows, after 10 pm."""
    narrowed = bool(denied.amounts and not said.amounts) or bool((denied.every - said.every) & PARTS)
    if not extra:
        return narrowed
    if narrowed or shared < MUCH_COMMON or len(extra) > 1:
        return True
    word = having(denied, extra)[0]
    following = denied.words[denied.words.index(word) + 1 :][:1]
    return restricts(word.intro) or any(not each.intro for each in following)


def _is_attitude(denied: Statement, said: Statement) -> bool:
    following = next((word.stem for word in denied.words if "no" in word.intro), "")
    return following in ATTITUDES and following not in said.every


def retired(ours: Sequence[Statement], theirs: Sequence[Statement]) -> Found | None:
    """Return the two places that name a thing retired in one text and used in the other."""
    found = _left(ours, theirs)
    if found is None:
        turned = _left(theirs, ours)
        return ("name", *turned[::-1]) if turned else None
    return ("name", *found)


def _left(said: Sequence[Statement], by: Sequence[Statement]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    leaving = [one for one in said if one.old and not one.mood.future]
    if not leaving:
        return None
    about: frozenset[str] = frozenset().union(*(one.strong | one.old for one in said))
    known: frozenset[str] = frozenset().union(*(other.old for other in by))
    for one in leaving:
        for other in by:
            fits = one.old <= other.strong and not other.denials and not other.episode and not one.old & known
            if fits and not rival(one, other) and (one.renamed or _meets(about, other, one.old)):
                return _named(one), _named(other, one.old)
    return None


def _meets(about: Set[str], other: Statement, left: Set[str]) -> bool:
    """Tell whether both are about the same besides. A name in code suffices, and so does "use X",
    "X is used" or "our CRM is X"."""
    met = (about & other.strong) - left - _owners(other, about)
    if met or any(not name.replace("-", "").isalpha() for name in left):
        return True
    if other.definite and other.words[-1].stem in left and "is" in other.words[-1].intro:
        return True
    return any(
        (a.stem in USE and b.stem in left) or (a.stem in left and b.stem in USE and "is" in b.intro)
        for a, b in pairwise(other.words)
    )


def _owners(said: Statement, about: Set[str]) -> set[str]:
    """Return who only owns the subject: Ana, in Ana's parents."""
    pairs = pairwise(said.words)
    return {word.stem for word, owned in pairs if said.tokens[word.at].owner and owned.stem not in about}


def _named(said: Statement, left: Set[str] | None = None) -> tuple[int, int]:
    places = [at for at, token in enumerate(said.tokens) if token.stem in (left or said.old)]
    return said.place(places[0], places[-1]) if places else said.place(0, -1)
