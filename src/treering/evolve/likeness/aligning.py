"""Which word of one text meets which of the other."""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.evolve.likeness.reading import LIGHT, LITERAL, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.evolve.likeness.reading import Token

    Both = tuple[list[int], list[int]]

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
    """The same word more than once: first those that meet in the same role."""
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
    """The directory myfiles, "myfiles" and /myfiles; *bash* and "bash"; but not *a and a*."""
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
    """One letter more, less or other, inside of a long word."""
    if one.kind not in (WORD, LIGHT) or other.kind not in (WORD, LIGHT):
        return False
    short, long = sorted((one.text.lower(), other.text.lower()), key=len)
    if len(short) < _SLIP or len(long) - len(short) > 1:
        return False
    if short[:_SURE] != long[:_SURE] or short[-_SURE:] != long[-_SURE:]:
        return False
    return _same(short, long) + _same(short[::-1], long[::-1]) >= len(long) - 1


def _same(one: str, other: str) -> int:
    """Letters at the beginning that are the same."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
