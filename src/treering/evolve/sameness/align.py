"""Match the words of two texts, and tell whether they have the same roles: copy a to b is not copy b to a."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from treering.evolve.sameness.read import LIGHT, LITERAL, NAME, NUMBER, THEM, WORD, Token

Both = tuple[list[int], list[int]]
Pair = tuple[int, int]

_SLIP = 6  # letters of a word of which one may be mistyped
_SURE = 2  # letters at both ends of it that are not
_FEW = 8  # times that a word stands in a text, in which its roles are told apart
_SEVERAL = 50  # words that meet nothing: with more of them, two texts are not the same by a dress or a slip
_DRESS = "*./$~{}\"'"  # around a value, without which it is still known
_ANY = ".*"  # of a regular expression, in which a dot or a star is no dress


class Aligned(NamedTuple):
    pairs: list[tuple[int, int]]  # places in one and in the other, in the order of the first
    left: list[int]  # places in one that meet nothing
    right: list[int]


def aligned(one: Sequence[Token], other: Sequence[Token]) -> Aligned:
    mine, theirs = _places(one), _places(other)
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    for key, places in mine.items():
        there = theirs.get(key, [])
        if 1 < len(places) <= _FEW and 1 < len(there) <= _FEW:
            places, there = _by_marker(one, places, other, there)
        pairs += zip(places, there, strict=False)
        left += places[len(there) :]
        theirs[key] = there[len(places) :]
    right = [at for places in theirs.values() for at in places]
    for test in (_is_one_value, _is_slip):
        if left and right and max(len(left), len(right)) <= _SEVERAL:
            _meet(one, other, Aligned(pairs, left, right), test)
    return Aligned(sorted(pairs), sorted(left), sorted(right))


def _places(tokens: Sequence[Token]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, token in enumerate(tokens):
        found.setdefault(token.key, []).append(at)
    return found


def _by_marker(one: Sequence[Token], places: Sequence[int], other: Sequence[Token], there: Sequence[int]) -> Both:
    """Match a word that occurs more than once, first where its role is the same."""
    rest, met, ours = list(there), [], []
    for a in places:
        b = next((b for b in rest if one[a].marker == other[b].marker), None)
        if b is not None:
            ours.append(a)
            met.append(b)
            rest.remove(b)
    return [*ours, *(a for a in places if a not in ours)], [*met, *rest]


def _meet(one: Sequence[Token], other: Sequence[Token], so_far: Aligned, test: Callable[[Token, Token], bool]) -> None:
    for a in list(so_far.left):
        b = next((b for b in so_far.right if test(one[a], other[b])), None)
        if b is not None:
            so_far.pairs.append((a, b))
            so_far.left.remove(a)
            so_far.right.remove(b)


def _is_one_value(one: Token, other: Token) -> bool:
    """Tell whether two are one value: the directory myfiles, "myfiles" and /myfiles; but not *a and a*."""
    if (one.kind != LITERAL and other.kind != LITERAL) or _ANY in one.text or _ANY in other.text:
        return False
    if "/" in one.text.rstrip("/") and "/" in other.text.rstrip("/"):
        return False  # two paths have met already if they are one
    if ("~/" in one.text) != ("~/" in other.text):
        return False  # in the home directory, and here
    mine, theirs = one.text.strip(_DRESS), other.text.strip(_DRESS)
    if not mine or one.kind != other.kind:
        return mine != "" and mine.lower() == theirs.lower()
    stars = {(token.text[0] == "*", token.text[-1] == "*") for token in (one, other)}
    return mine == theirs and (len(stars) == 1 or (False, False) in stars)


def _is_slip(one: Token, other: Token) -> bool:
    """Tell whether two long words differ by one letter inside."""
    if one.kind not in (WORD, LIGHT) or other.kind not in (WORD, LIGHT):
        return False
    short, long = sorted((one.text.lower(), other.text.lower()), key=len)
    if len(short) < _SLIP or len(long) - len(short) > 1:
        return False
    if short[:_SURE] != long[:_SURE] or short[-_SURE:] != long[-_SURE:]:
        return False
    return _same(short, long) + _same(short[::-1], long[::-1]) >= len(long) - 1


def _same(one: str, other: str) -> int:
    """Count the equal letters at the beginning."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


_STRONG = frozenset(("to", "from", "by", "than"))  # each gives another role
_BINDING = frozenset(("before", "after", "instead"))
_FEW_PAIRED = 40  # words of which every two are compared; of more, each with the next


def reordered(one: Sequence[Token], other: Sequence[Token], pairs: Sequence[Pair], is_how_to: bool) -> list[str]:
    """Return the first words whose roles differ. In how-tos light words may stand anywhere."""
    heavy = [(a, b) for a, b in pairs if not (is_how_to and one[a].kind == LIGHT)]
    for a, b in heavy:
        mine, their = one[a].marker, other[b].marker
        if mine != their and ({mine, their} <= _STRONG or _is_bound(one, a) or _is_bound(other, b)):
            return [f"direction {one[a].text}"]
    if all(first[1] < second[1] for first, second in pairwise(heavy)):
        return _done_by(one, other, heavy)
    for first, second in combinations(heavy, 2) if len(heavy) <= _FEW_PAIRED else pairwise(heavy):
        if first[1] > second[1] and not _is_moved(one, other, first, second):
            return [f"order {' '.join(sorted((one[first[0]].text, one[second[0]].text)))}"]
    return []


def _is_bound(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a token stands right behind a preposition that no other can replace."""
    marker = tokens[at].marker
    return marker in _BINDING and at > 0 and tokens[at - 1].key == marker and tokens[at].key != marker


def _done_by(one: Sequence[Token], other: Sequence[Token], pairs: Sequence[Pair]) -> list[str]:
    """Return a difference if the one who acts is not the same: Ann was hired by Ben, Ann hired Ben."""
    return [f"direction {one[a].text}" for a, b in pairs if {one[a].marker, other[b].marker} == _BY][:1]


def _is_moved(one: Sequence[Token], other: Sequence[Token], first: Pair, second: Pair) -> bool:
    """Tell whether two only changed places: sentences, clauses, items of a list, the sides of a
    passive, a phrase with its preposition."""
    a, b, c, d = one[first[0]], other[first[1]], one[second[0]], other[second[1]]
    if a.sentence != c.sentence and b.sentence != d.sentence:
        return all(_mates(one, x) == _mates(other, y) for x, y in ((a, b), (c, d)))
    if a.clause != c.clause and (a.clause, c.clause) == (b.clause, d.clause):
        return True
    if (THEM in (a.marker, b.marker)) != (THEM in (c.marker, d.marker)):
        return True
    if (_are_items(one, first[0], second[0]) and _are_items(other, second[1], first[1])) or _is_date(
        a, c, first, second
    ):
        return True
    if (a.is_passive == b.is_passive) != (c.is_passive == d.is_passive) or _is_doer(a, b) != _is_doer(c, d):
        return True
    # Where both have the same preposition, nothing tells which belongs where.
    marked = [x.marker if x.marker == y.marker else "" for x, y in ((a, b), (c, d))]
    return marked[0] != marked[1]


def _is_doer(one: Token, other: Token) -> bool:
    return {one.marker, other.marker} == _BY


_BY = {"by", ""}


def _is_date(one: Token, other: Token, first: Pair, second: Pair) -> bool:
    """Tell whether two are a date in both orders, side by side: 4 May, and May 4."""
    beside = second[0] - first[0] == 1 == first[1] - second[1]
    return beside and {one.kind, other.kind} == {NUMBER, NAME}


def _are_items(tokens: Sequence[Token], before: int, behind: int) -> bool:
    """Tell whether both stand in one list, the first at the end of its item and the second alone."""
    one, other = tokens[before], tokens[behind]
    if one.phrase != other.phrase or one.item == other.item:
        return False
    return not any(
        _is_beside(tokens, *pair) for pair in ((before, before + 1), (behind, behind + 1), (behind - 1, behind))
    )


def _is_beside(tokens: Sequence[Token], one: int, other: int) -> bool:
    if other >= len(tokens):
        return False
    return (tokens[one].phrase, tokens[one].item) == (tokens[other].phrase, tokens[other].item)


def _mates(tokens: Sequence[Token], of: Token) -> set[str]:
    """Return the words of the same sentence."""
    return {token.key for token in tokens if token.sentence == of.sentence and token.kind != LIGHT}
