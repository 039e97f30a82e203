"""What memories have in common with a query, and with each other."""

from __future__ import annotations

import pytest

from tests.recall.asking import names, told
from tests.world import NOON, Clock, fresh
from treering.memory import Treering
from treering.recall.candidates import MOST_MENTIONS, STEPS, activate, both_ways, co_recall_links, entities, spread
from treering.recall.query.analysis import analyse

FILLER = [
    "The kettle is green", "Soup needs more salt", "Trains run late on Mondays", "The garden wants rain",
    "A violin has four strings", "Rust never sleeps", "The museum opens at ten",
]  # fmt: skip


def ids(memory: Treering, active: dict[int, float]) -> set[str]:
    return {found.id for found in memory.store.index.found([*active]).values()}


def wakes(memory: Treering, query: str) -> dict[int, float]:
    index = memory.store.index
    memory.maintenance.prepare()
    places = [place.number for place in index.places(memory.context)]
    return activate(index.mentions(entities(analyse(query, NOON)), places, MOST_MENTIONS), index.size)


def test_a_query_wakes_what_mentions_what_it_names() -> None:
    """A name, two words of one, a name in code; and what fewer mention is more awake."""
    memory = fresh()
    anna = memory.remember("Yesterday Anna Bell came by")
    both = memory.remember("Then Anna Bell and Otto went home")
    code = memory.remember("It is in parse_header of the client")
    memory.remember("nobody was there")
    assert ids(memory, wakes(memory, "where did anna bell go")) == {anna.id, both.id}
    active = wakes(memory, "Anna Bell or Otto")
    numbers = memory.store.index.named([anna.id, both.id])
    assert active[numbers[both.id]] > active[numbers[anna.id]]
    assert ids(memory, wakes(memory, "what does parse_header do")) == {code.id}
    assert wakes(memory, "nothing here is known") == {}


def test_activation_spreads_a_bounded_number_of_steps() -> None:
    """Each step hands on a share, in whatever order the links are, and nobody loses by it."""
    forward = both_ways([(number, 0, number + 1) for number in range(1, 9)])
    backward = dict(reversed(forward.items()))
    active = spread({1: 1.0}, forward)
    assert active == spread({1: 1.0}, backward)
    assert [*sorted(active)] == [*range(1, 2 + STEPS)]
    assert active[1] >= 1.0 > active[2] > active[3] > 0
    assert spread({}, forward) == {}
    assert spread({5: 1.0}, {}) == {5: 1.0}


def test_links_go_both_ways() -> None:
    """Whoever stands beside one has it beside itself."""
    assert both_ways([(2, 1, 3), (7, 0, 0)]) == {2: {1: 1.0, 3: 1.0}, 1: {2: 1.0}, 3: {2: 1.0}}


def test_the_graph_alone_finds_by_names_and_what_stands_beside_them() -> None:
    """The answer that follows a question names nobody."""
    memory = fresh()
    asked = memory.remember("Did Anna Bell find the letter", session="tea")
    answer = memory.remember("yes, under the old carpet", session="tea")
    for text in FILLER:
        memory.remember(text)
    found = memory.recall("Anna Bell", strategy="graph", silent=False)
    assert names(found) == [asked.id, answer.id]
    assert set(found.hits[0].why.channels) == {"graph"}


def test_neighbours_in_a_session_bring_each_other_up() -> None:
    """In the hybrid too; in another session the same text stays where it was."""
    memory = fresh()
    memory.remember("What was the name of the parrot of aunt Hilda", session="tea")
    beside = memory.remember("Captain Nemo, I think", session="tea")
    apart = memory.remember("Captain Nemo, I guess", session="dinner")
    for text in FILLER:
        memory.remember(text, session="dinner")
    found = memory.recall("name of the parrot of aunt Hilda", k=20, silent=False)
    by = {hit.memory.id: hit for hit in found.hits}
    assert names(found)[1] == beside.id
    assert by[beside.id].why.parts["neighbours"] > 0
    assert apart.id not in by or "neighbours" not in by[apart.id].why.parts


def recalled_together(memory: Treering, times: int) -> tuple[str, str]:
    """Two memories that have come up in the same recalls, each in a session of its own."""
    one = memory.remember("The invoices are made by the billing worker").id
    other = memory.remember("Remember to rotate the signing certificate").id
    for text in FILLER:
        memory.remember(text)
    for number in range(times):
        found = memory.recall("billing worker invoices signing certificate", k=2, session=f"s{number}")
        assert set(names(found)) == {one, other}
    return one, other


@pytest.mark.parametrize(("times", "strength"), [(0, 0.0), (1, 1 / 3), (2, 2 / 3), (3, 1.0), (5, 1.0)])
def test_company_grows_with_every_recall_together(times: int, strength: float) -> None:
    """Three times make a full link."""
    memory = fresh()
    one, other = recalled_together(memory, times)
    numbers = memory.store.index.named([one, other])
    links = co_recall_links(memory.store, memory.store.index.found([numbers[one]]).values())
    assert links.get(numbers[one], {}).get(numbers[other], 0.0) == pytest.approx(strength)
    assert links.get(numbers[other], {}).get(numbers[one], 0.0) == pytest.approx(strength)


def test_memories_recalled_together_often_bring_each_other_up() -> None:
    """One is asked for, and the other comes along further up than it did; undone recalls do not count."""
    memory = fresh(Clock())
    one, other = recalled_together(memory, 0)
    before = memory.recall("billing worker invoices", k=20, silent=False, log=False)
    for number in range(3):
        memory.recall("billing worker invoices signing certificate", k=2, session=f"s{number}")
    after = memory.recall("billing worker invoices", k=20, silent=False, log=False)
    assert names(after)[0] == one
    by = {hit.memory.id: hit for hit in after.hits}
    assert by[other].why.parts["company"] > 0
    assert names(after).index(other) == 1
    for number in range(3):
        memory.revoke(session=f"s{number}")
    assert told(memory.recall("billing worker invoices", k=20, silent=False, log=False)) == told(before)
