"""What each channel counts. The defaults serve everywhere; a store may have learned better ones."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import WEIGHED
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.types import CHANNELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.ports import Reader


class Weights(NamedTuple):
    """Of the channels, and whether neighbours and likeness to the leaders count."""

    keyword: float = 1.0
    vector: float = 0.6  # from 0.45 to 0.9 all data sets stay within a point
    # Entities. Most of what they find, words find too: with 0.1, conversations lose half a point. It breaks ties.
    graph: float = 0.03
    neighbours: bool = True


# A single channel is what it finds by itself, so that each can be looked at alone.
STRATEGIES = {
    "hybrid": Weights(),
    "keyword": Weights(1.0, 0.0, 0.0, neighbours=False),
    "vector": Weights(0.0, 1.0, 0.0, neighbours=False),
    "graph": Weights(0.0, 0.0, 1.0),
    "graph_vector": Weights(0.0, 1.0, 0.3),
}


def weights_for(store: Reader, space: str, project: str, type: str, strategy: str) -> Weights:
    """The weights of a strategy, as the store has them for a project and a type of query; the nearest fit wins."""
    chosen = STRATEGIES[strategy]
    if strategy != "hybrid":
        return chosen
    fits = {}
    for event in store.events(EventQuery(kinds=(WEIGHED,), space=space, live=True)):
        data = data_of(event)[1]
        where, what = data.get("project", ""), data.get("type", "")
        if where in ("", project) and what in ("", type):
            fits[bool(where), bool(what)] = data["weights"]
    known = fits[max(fits)] if fits else {}
    keyword, vector, graph = (float(known.get(name, getattr(chosen, name))) for name in CHANNELS)
    return Weights(keyword, vector, graph)
