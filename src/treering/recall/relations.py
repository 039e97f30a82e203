"""The graph channel over relations: what a query names is related to something else, and a memory speaks only of that.

"Who looks after the charts?" names the charts; one memory says that Kelp draws them, another one who looks after Kelp.
"""

from __future__ import annotations

from treering.core.words import STOP_WORDS
from treering.recall.scoring import rarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.index import Index
    from treering.recall.query.analysis import Query

LONGEST_NAME = 3  # words of a query that may be one name
MOST_RELATED = 100  # relations that are looked at: what has more is a hub, and tells nothing apart
MOST_FOLLOWED = 8  # things at their other ends, the surest: each is one search
MOST_HOLDING = 40  # memories that speak of one: what so many do is no clue
STEPS = 2  # from what is named to what is meant
_AROUND = "\"'`()[]{}<>.,;:!?"
_SHORT = 5  # letters of a name that may be a plural
FADING = 0.5  # of what a step is worth, the next one is


def reached(index: Index, query: Query, places: Sequence[int], size: int) -> dict[int, float]:
    """The memories that speak of what the query's names are related to, by how sure that is and how rare it is. They
    are found by its words: a text that says nothing of what kind it is names it all the same."""
    strengths = _related(index, names(query), places)
    found: dict[int, float] = {}
    for name in sorted(strengths, key=lambda name: (-strengths[name], name))[:MOST_FOLLOWED]:
        holders = index.match([name], places, None, MOST_HOLDING)
        weight = strengths[name] * rarity(len(holders), size)
        for number, _ in holders:
            found[number] = max(found.get(number, 0.0), weight)
    return found


def names(query: Query) -> list[str]:
    """What of a query may be the name of something: its words, names in code, and a few words in a row, each also as
    one of several."""
    words = [word.lower() for word in query.words]
    rows = (words[at : at + size] for size in range(2, LONGEST_NAME + 1) for at in range(len(words) - size + 1))
    joined = [" ".join(row) for row in rows if row[0] not in STOP_WORDS and row[-1] not in STOP_WORDS]
    single = [word for word in words if word not in STOP_WORDS and len(word) > 1]
    whole = [chunk.strip(_AROUND).lower() for chunk in query.text.split()]  # with what joins them: csv-dump
    coded = [name.text.lower() for name in query.identifiers]
    found = dict.fromkeys([*coded, *(name for name in whole if len(name) > 1), *joined, *single])
    one = (name[:-1] for name in found if len(name) > _SHORT and name.endswith("s") and not name.endswith("ss"))
    return [name for name in dict.fromkeys([*found, *one]) if name.isprintable()]  # none holds half a character


def _related(index: Index, asked: Sequence[str], places: Sequence[int]) -> dict[str, float]:
    """What is related to what is asked about, over a step or two, and how strongly. What is asked about is not among
    it: the words find that."""
    found: dict[str, float] = {}
    edge: dict[str, float] = dict.fromkeys(asked, 1.0)
    for _ in range(STEPS):
        beyond: dict[str, float] = {}
        for name, other, sure in index.strands.related(list(edge), places, MOST_RELATED):
            strength = edge[name] * sure
            if other not in asked and strength > max(found.get(other, 0.0), beyond.get(other, 0.0)):
                beyond[other] = strength
        found |= beyond
        edge = {name: FADING * strength for name, strength in beyond.items()}
        if not edge:
            break
    return found
