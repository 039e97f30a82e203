"""What recall weighs follows feedback."""

from __future__ import annotations

from tests.world import Clock, memory_on, store_in_memory
from treering.ledger.codec import data_of
from treering.ledger.events import WEIGHED
from treering.memory import Treering
from treering.recall.lessons.adapt import adapt
from treering.recall.scoring import Mix, Switches, mix_for
from treering.stores.port.ledger import EventQuery

PETS = ("dog", "cat", "hen", "goat", "duck", "pony", "frog", "mouse")


def taught(count: int) -> Treering:
    """A memory in which what was meant helped, and what shared the words did not."""
    memory = memory_on(store_in_memory(), Clock())
    for pet in PETS:
        memory.remember(f"The {pet} lives behind the house and eats well")
        memory.remember(f"A list of words: {pet}, food, where, feeding, today, table, chair")
    for pet in PETS[:count]:
        shown = memory.recall(f"how is the {pet} feeding", 6, silent=False)
        for hit in shown.hits:
            if pet in hit.memory.content:
                verdict = "helpful" if "lives" in hit.memory.content else "not_helpful"
                memory.feedback(shown.id, hit.memory.id, verdict)
    return memory


def ran(memory: Treering) -> dict[str, int]:
    return adapt(memory.ledger, memory.workspace.recalls, memory.context, memory.workspace.now())


def weighings(memory: Treering) -> list[dict[str, object]]:
    return [data_of(event)[1] for event in memory.store.events(EventQuery(kinds=(WEIGHED,), live=True))]


def test_six_judged_queries_move_the_weights_of_their_type() -> None:
    """By an event that says from what; and of other types nothing changes."""
    memory = taught(6)
    assert ran(memory)["moved"] == 1
    (told,) = weighings(memory)
    assert (told["by"], told["queries"]) == ("feedback", 6)
    moved = mix_for(memory.store, memory.context.space, "", str(told["type"]))
    assert moved.vector > Mix().vector and moved.keyword < Mix().keyword
    assert abs(sum(moved[:3]) - sum(Mix()[:3])) < 0.001
    assert mix_for(memory.store, memory.context.space, "", "architecture") == Mix()


def test_five_judged_queries_move_nothing() -> None:
    """More than five must have been."""
    memory = taught(5)
    assert ran(memory)["moved"] == 0
    assert weighings(memory) == []


def test_nothing_moves_again_without_new_judgements() -> None:
    """What was learned from counts once."""
    memory = taught(7)
    assert ran(memory)["moved"] == 1
    assert ran(memory) == {"queries": 0, "scopes": 0, "moved": 0, "settled": 0}


def test_an_undone_weighing_brings_the_old_weights_back() -> None:
    """It is an event like any other."""
    memory = taught(6)
    ran(memory)
    (event,) = memory.store.events(EventQuery(kinds=(WEIGHED,)))
    memory.undo(event.id)
    assert mix_for(memory.store, memory.context.space, "", str(data_of(event)[1]["type"])) == Mix()


def test_weights_stay_where_they_are_if_that_is_switched_off() -> None:
    """And no recall is replayed."""
    memory = taught(6)
    memory.workspace.recalls.switches = Switches(weights=False)
    assert ran(memory)["scopes"] == 0
    assert weighings(memory) == []
