"""Whether what two texts share stands in the same roles: copy a to b is not copy b to a."""

from __future__ import annotations

from itertools import combinations, pairwise

from treering.evolve.likeness.reading import LIGHT, NAME, NUMBER, THEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.evolve.likeness.reading import Token

    Pair = tuple[int, int]

_STRONG = frozenset(("to", "from", "by", "than"))  # each gives another role
_BINDING = frozenset(("before", "after", "instead"))
_FEW = 40  # words of which every two are compared; of more, each with the next


def reordered(one: Sequence[Token], other: Sequence[Token], pairs: Sequence[Pair], is_how_to: bool) -> list[str]:
    """The first words whose roles differ. In how-tos light words may stand anywhere."""
    heavy = [(a, b) for a, b in pairs if not (is_how_to and one[a].kind == LIGHT)]
    for a, b in heavy:
        mine, their = one[a].marker, other[b].marker
        if mine != their and ({mine, their} <= _STRONG or _is_bound(one, a) or _is_bound(other, b)):
            return [f"direction {one[a].text}"]
    if all(first[1] < second[1] for first, second in pairwise(heavy)):
        return _done_by(one, other, heavy)
    for first, second in combinations(heavy, 2) if len(heavy) <= _FEW else pairwise(heavy):
        if first[1] > second[1] and not _is_moved(one, other, first, second):
            return [f"order {' '.join(sorted((one[first[0]].text, one[second[0]].text)))}"]
    return []


def _is_bound(tokens: Sequence[Token], at: int) -> bool:
    """Whether it stands right behind a preposition that no other can stand for."""
    marker = tokens[at].marker
    return marker in _BINDING and at > 0 and tokens[at - 1].key == marker and tokens[at].key != marker


def _done_by(one: Sequence[Token], other: Sequence[Token], pairs: Sequence[Pair]) -> list[str]:
    """Ann was hired by Ben, beside Ann hired Ben."""
    return [f"direction {one[a].text}" for a, b in pairs if {one[a].marker, other[b].marker} == _BY][:1]


def _is_moved(one: Sequence[Token], other: Sequence[Token], first: Pair, second: Pair) -> bool:
    """Whether the two only changed places: whole sentences and clauses, items of a list, what is done to what was
    named before, the two sides of a passive, a phrase with its preposition."""
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
    """4 May, and May 4: side by side in both."""
    beside = second[0] - first[0] == 1 == first[1] - second[1]
    return beside and {one.kind, other.kind} == {NUMBER, NAME}


def _are_items(tokens: Sequence[Token], before: int, behind: int) -> bool:
    """Whether they stand in one list: nothing follows the first in its item, and the second is an item by itself."""
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
    """What is said in the same sentence."""
    return {token.key for token in tokens if token.sentence == of.sentence and token.kind != LIGHT}
