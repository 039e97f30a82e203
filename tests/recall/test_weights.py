"""What each channel counts, and how a store learns better."""

from __future__ import annotations

import pytest

from tests.recall.asking import told
from tests.world import fresh, memory_on, store_in_memory
from treering.ledger import decide
from treering.ledger.errors import InvalidInput
from treering.ledger.types import STRATEGIES, Context
from treering.memory import Treering
from treering.recall.scoring import STRATEGIES as BY_NAME
from treering.recall.scoring import Mix, mix_for

MEANT = "The parrot cage manual was printed on paper in the year of the flood"
SAID = "Budgies and cockatoos are lovely pets"
QUERY = "pet birds manual"


def weigh(memory: Treering, type: str = "", project: str = "", **weights: float) -> str:
    """The id of the event that set them."""
    here = memory.context._replace(project=project)
    (event,) = memory.ledger.commit(lambda: [decide.weigh(weights, here, type)])
    return event.id


def looked_up(memory: Treering, project: str = "", type: str = "general", strategy: str = "hybrid") -> Mix:
    return mix_for(memory.store, memory.context.space, project, type, strategy)


def test_every_strategy_has_its_weights() -> None:
    """A single channel is what it finds by itself."""
    assert tuple(BY_NAME) == STRATEGIES
    memory = fresh()
    assert [looked_up(memory, strategy=name) for name in STRATEGIES] == [*BY_NAME.values()]


def test_the_nearest_fit_wins() -> None:
    """A project and a type over a project over a type over everywhere; the later over the earlier."""
    memory = fresh()
    weigh(memory, vector=0.1)
    weigh(memory, vector=0.2)
    weigh(memory, vector=0.3, type="how_to")
    weigh(memory, vector=0.4, project="shop")
    weigh(memory, vector=0.5, project="shop", type="how_to")
    found = [looked_up(memory, project, type).vector for project in ("", "shop") for type in ("general", "how_to")]
    assert found == [0.2, 0.3, 0.4, 0.5]
    assert looked_up(memory, "other", "how_to").vector == 0.3
    assert looked_up(memory).keyword == Mix().keyword


def test_weights_hold_for_the_hybrid_in_their_own_space() -> None:
    """A single channel stays what it is, and other spaces have learned other things."""
    store = store_in_memory()
    here, there = memory_on(store), memory_on(store, seed=2, context=Context("elsewhere"))
    weigh(here, keyword=0.0)
    assert looked_up(here).keyword == 0.0
    assert looked_up(here, strategy="keyword").keyword == 1.0
    assert looked_up(there).keyword == 1.0


def test_weights_change_the_order_and_can_be_undone() -> None:
    """At once, for a memory that is open."""
    memory = fresh()
    for text in (MEANT, SAID, "The kettle is green", "Soup needs salt", "Trains run late"):
        memory.remember(text)

    def asked() -> list[str]:
        return told(memory.recall(QUERY, k=2, silent=False, log=False))

    assert asked() == [MEANT, SAID]
    event = weigh(memory, vector=0.0, graph=0.0)
    assert asked() == [SAID, MEANT]
    assert "vector" not in memory.recall(QUERY, silent=False, log=False).hits[0].why.parts
    memory.undo(event)
    assert asked() == [MEANT, SAID]


@pytest.mark.parametrize("weights", [{"smell": 1.0}, {"vector": -0.1}, {"vector": 11.0}, {"vector": float("nan")}])
def test_weights_that_make_no_sense_are_refused(weights: dict[str, float]) -> None:
    """And nothing is written."""
    memory = fresh()
    with pytest.raises(InvalidInput):
        decide.weigh(weights, memory.context)
    with pytest.raises(InvalidInput):
        weigh(memory, type="riddle", vector=1.0)
    assert list(memory.store.events()) == []
