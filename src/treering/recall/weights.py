"""What counts how much in recall: everything about it that may be learned or tuned, in one place.

The defaults serve everywhere; a store may have learned better ones for a project or a type of query.
"""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import WEIGHED
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.types import FUSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from treering.core.events import Data
    from treering.core.ports import Reader

SCORES, RANKS = FUSIONS


class Mix(NamedTuple):
    """What each thing counts. How the values were found stands in docs/decisions/0011-recall.md."""

    keyword: float = 1.0
    vector: float = 0.6  # from 0.45 to 0.9 all data sets stay within a point
    # Entities. Most of what they find, words find too: with 0.1, conversations lose half a point. It breaks ties.
    graph: float = 0.03
    relation: float = 0.5  # what the names in a query are related to: a memory may speak of nothing else
    neighbour: float = 0.4  # the share of its better neighbour's score that a short text gets
    likeness: float = 1.0  # what likeness to the leaders adds at most, where they are long texts
    company: float = 0.1  # the share of the score of one that it was often recalled with
    sentence: float = 0.5  # the share of the best sentence in the likeness of a text; the rest is the text as a whole
    # Strength and Q order what is about equally relevant: a few hundredths, which is less than one good word. With a
    # tenth for strength, the newest texts crowd out better ones (two points on long conversations).
    strength: float = 0.03
    pace: float = 1.0  # by which half-lives are longer than they are elsewhere
    usefulness: float = 0.2  # what Q counts
    lift: float = 0.2  # what lift counts: as much as Q, of which it is the part that chance has proved
    # What it counts that a memory answered questions like this one: at the most as much as all words of the query. From
    # 0.8 to 1.5 conversations stay within half a point.
    learned: float = 1.0
    # What it counts, for each unit of log-odds, that memories of its kind answer such questions: four to one, which is
    # 1.4, is as much as a quarter of the words. With 0.1 long conversations gain less, with 0.3 short ones do.
    prior: float = 0.2
    # At or below this confidence nothing is said. Read off the curve of questions without an answer that are met with
    # silence, over answers that are lost by it: half of them, at less than two points.
    silent: float = 0.6
    fusion: str = SCORES

    @property
    def joined(self) -> bool:
        """Whether candidates get anything from each other."""
        return bool(self.neighbour or self.likeness or self.company)


class Switches(NamedTuple):
    """What of learning is on. Each can be switched off by itself, so that its part can be measured."""

    weights: bool = True  # adapting moves the mix of a project and a type of query
    terms: bool = True  # queries that a memory answered help to find it
    company: bool = True  # memories that were of use together find each other
    prior: bool = True  # kinds of memories that answer a type of query come first for it
    q: bool = True  # Q and lift of a memory count


EVERYTHING_LEARNED = Switches()
NOTHING_LEARNED = Switches(False, False, False, False, False)
_UNLEARNED = Mix(0.0, 0.0, 0.0, learned=0.0, prior=0.0)
_ALONE = _UNLEARNED._replace(relation=0.0, neighbour=0.0, likeness=0.0, company=0.0)

# A single channel is what it finds by itself, so that each can be looked at alone.
STRATEGIES = {
    "hybrid": Mix(),
    "keyword": _ALONE._replace(keyword=1.0),
    "vector": _ALONE._replace(vector=1.0),
    "graph": _UNLEARNED._replace(graph=1.0),
    "graph_vector": _UNLEARNED._replace(vector=1.0, graph=0.3),
}


def mix_for(store: Reader, space: str, project: str, type: str, strategy: str = "hybrid") -> Mix:
    """The mix of a strategy, as the store has it for a project and a type of query."""
    chosen = STRATEGIES[strategy]
    if strategy != "hybrid":
        return chosen
    told = (data_of(event)[1] for event in store.events(EventQuery(kinds=(WEIGHED,), space=space, live=True)))
    return mixed(chosen, told, project, type)


def mixed(default: Mix, told: Iterable[Data], project: str, type: str) -> Mix:
    """A mix after what weighings, the oldest first, say of a project and a type of query: of each thing the nearest
    fit, and of several the latest."""
    fits: dict[tuple[bool, bool], Data] = {}
    for data in told:
        where, what = data.get("project", ""), data.get("type", "")
        if where in ("", project) and what in ("", type):
            fits.setdefault((bool(where), bool(what)), {}).update(data["weights"])
    known = {name: value for fit in sorted(fits) for name, value in fits[fit].items()}
    return default._replace(**{name: _read(name, value) for name, value in known.items() if name in Mix._fields})


def _read(name: str, value: Any) -> Any:
    """A weight as a mix has it. A fusion is a word."""
    return float(value) if name != "fusion" else RANKS if value == RANKS else SCORES
