"""The current truth first: of hits that state different values for the same thing, the newest leads.

Nothing is decided here about which is right. Others keep their place in the answer, and are marked as older.
"""

from __future__ import annotations

from treering.core.index import PASSAGE
from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, folded
from treering.recall.profile.making import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.recall.profile.stems import Stems

DEPTH = 20  # hits among which older statements are looked for
AS_GOOD = 0.9  # of the best hit's matched weight: two that answer the same question match it equally well
LEAST_FRAME = 3  # words that two statements must share: fewer are a turn of phrase, not a statement about one thing


class Statement(NamedTuple):
    """A hit as something that may be stated otherwise by another."""

    text: str
    length: int  # in words
    created: int
    standing: int  # how much its word counts; nobody is overruled by one who counts for less
    matched: float  # the weight of the query's words that it holds


def current_first(
    hits: Sequence[Statement], asked: Mapping[int, float], stems: Stems
) -> tuple[list[int], dict[int, int]]:
    """A new order of the hits, and for each older statement the newest of the same thing.

    `asked` is the weight of each stem of the query.
    """
    order = list(range(len(hits)))
    need = AS_GOOD * max((hit.matched for hit in hits), default=0.0)
    able = [place for place, hit in enumerate(hits) if hit.matched >= need > 0]
    older: dict[int, int] = {}
    if len(able) < 2:
        return order, older
    said = {place: stated(hits[place].text, hits[place].length, asked, stems) for place in able}
    for group in _groups({place: words for place, words in said.items() if words}, asked, stems, need):
        newest = sorted(group, key=lambda place: (-hits[place].standing, -hits[place].created))
        for place, hit in zip(group, newest, strict=True):
            order[place] = hit
        older.update((hit, newest[0]) for hit in newest[1:])
    return order, older


def stated(text: str, words: int, asked: Mapping[int, float], stems: Stems) -> tuple[str, ...]:
    """The words that state something: of a short text all, of a long one its best matching sentence. A question
    states nothing."""
    said = text.strip()
    if words > PASSAGE:
        said = max(
            sentences(said), key=lambda one: sum(asked.get(s, 0.0) for s in set(stems.of(folded(one)))), default=""
        )
    return () if said.rstrip().endswith("?") else tuple(folded(said))


def _groups(
    said: Mapping[int, tuple[str, ...]], asked: Mapping[int, float], stems: Stems, need: float
) -> list[list[int]]:
    groups: list[list[int]] = []
    for place, words in said.items():
        for group in groups:
            if _differ(said[group[0]], words, asked, stems, need):
                group.append(place)
                break
        else:
            groups.append([place])
    return [group for group in groups if len(group) > 1]


def _differ(
    one: tuple[str, ...], other: tuple[str, ...], asked: Mapping[int, float], stems: Stems, need: float
) -> bool:
    """Whether two statements are the same but for one value, and the query cannot tell the values apart."""
    shorter = min(len(one), len(other))
    before = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    rest = shorter - before
    behind = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    value, instead = one[before : len(one) - behind], other[before : len(other) - behind]
    if not value or not instead or before + behind < max(LEAST_FRAME, shorter / 2):
        return False
    if not STOP_WORDS.isdisjoint(set(value) & set(instead)):
        return False  # more than one thing differs
    frame = _asked(one[:before] + one[len(one) - behind :], asked, stems)
    mine, theirs = _asked(value, asked, stems) - frame, _asked(instead, asked, stems) - frame
    return bool(frame) and mine == theirs and sum(asked[stem] for stem in frame | mine) >= need


def _asked(words: Sequence[str], asked: Mapping[int, float], stems: Stems) -> set[int]:
    return set(stems.of(words)) & asked.keys()
