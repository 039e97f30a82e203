"""How entities and relations grow out of what memories say, end, are forgotten, and contradict each other."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.graph.rules import (
    ENTITY_TYPES,
    RELATION_TYPES,
    Entity,
    Relation,
    Sighting,
    Telling,
    contradictory,
    entity_of,
    pruned,
    relation_of,
    said,
    stale,
    superseding,
    weak,
)
from treering.ledger.sessions import DAY
from treering.stores.port.graph import DENIED, ENDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOW = 1_000 * DAY


def sighting(memory: str, at: int = 0, **changes: Any) -> Sighting:
    return Sighting("redis", "Redis", "tool", 0.7, memory, at)._replace(**changes)


def telling(memory: str, at: int = 0, **changes: Any) -> Telling:
    return Telling("app", "uses", "redis", 0.7, memory, at, at)._replace(**changes)


def relation(source: str, type: str, target: str, **changes: Any) -> Relation:
    return relation_of([Telling(source, type, target, 0.7, "m", 1, 1)])._replace(**changes)


def test_an_entity_is_surer_with_each_memory_that_names_it() -> None:
    one = entity_of([sighting("a", 5), sighting("b", 3), sighting("b", 3, name="redis"), sighting("c", 9)])
    assert (one.mentions, one.first_seen, one.last_seen) == (3, 3, 9)
    assert one.confidence == pytest.approx(0.8)
    assert one.memories == ("b", "a", "c")
    assert entity_of([sighting(str(number)) for number in range(50)]).confidence == 1.0


def test_an_entity_is_called_and_typed_as_most_memories_do() -> None:
    one = entity_of([sighting("a", name="redis"), sighting("b"), sighting("c", type="library", confidence=0.5)])
    assert (one.name, one.type) == ("Redis", "tool")


def test_an_entity_has_the_widest_scope_and_one_project_at_the_most() -> None:
    here = sighting("a", scope="project", project="one")
    assert entity_of([here, sighting("b", scope="session", project="two")])[7:9] == ("project", "one")
    assert entity_of([here, sighting("b", scope="project", project="two")])[7:9] == ("project", "")
    assert entity_of([here, sighting("b", scope="user")])[7:9] == ("user", "")


def test_a_relation_is_stronger_and_surer_with_each_memory_that_tells_it() -> None:
    one = relation_of([telling("a", 5), telling("b", 3), telling("b", 3)])
    assert (one.weight, one.confidence) == pytest.approx((0.6, 0.75))
    assert (one.evidence, one.valid_from, one.last_seen) == (("b", "a"), 3, 5)
    most = relation_of([telling(str(number)) for number in range(50)])
    assert (most.weight, most.confidence) == (1.0, 1.0)


def test_when_it_was_true_and_when_we_learned_it_are_two_times() -> None:
    one = relation_of([telling("a", 5, learned=80), telling("b", 9, learned=70)])
    assert (one.valid_from, one.learned) == (5, 70)


def test_a_relation_ends_with_its_last_evidence() -> None:
    assert relation_of([telling("a", 1, gone=7), telling("b", 2)]).invalid_at is None
    assert relation_of([telling("a", 1, gone=7), telling("b", 2, gone=9)]).invalid_at == 9


def test_evidence_that_is_gone_no_longer_strengthens() -> None:
    assert relation_of([telling("a", 1, gone=7), telling("b", 2)]).weight == 0.5


def test_a_relation_ends_when_a_text_says_so_until_one_says_later_that_it_holds() -> None:
    ended = [telling("a", 1), telling("b", 5, how=ENDED)]
    assert relation_of(ended).invalid_at == 5
    assert relation_of([*ended, telling("c", 9)]).invalid_at is None
    assert relation_of([telling("b", 5, how=ENDED)]).invalid_at == 5


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5), st.sampled_from(["told", "ended"])), min_size=1))
def test_the_order_in_which_memories_come_changes_nothing(rows: list[tuple[str, int, str]]) -> None:
    told = [telling(memory, at, how=how) for memory, at, how in rows]
    seen = [sighting(memory, at) for memory, at, _ in rows]
    assert relation_of(told) == relation_of(told[::-1])
    assert entity_of(seen) == entity_of(seen[::-1])


def test_what_took_the_place_of_a_thing_ends_the_use_of_it() -> None:
    old = relation("app", "uses", "redis", last_seen=1)
    new = relation("app", "uses", "valkey", last_seen=5)
    swap = relation("valkey", "replaces", "redis", valid_from=5)
    assert superseding([old, new, swap]) == [old._replace(invalid_at=5), new, swap]


@pytest.mark.parametrize(
    "others",
    [
        [("valkey", "replaces", "redis", 5)],  # somewhere else, as far as we know
        [("web", "uses", "valkey", 5), ("valkey", "replaces", "redis", 5)],
        [("app", "uses", "valkey", 5)],
    ],
)
def test_a_use_does_not_end_on_suspicion(others: list[tuple[str, str, str, int]]) -> None:
    found = [relation("app", "uses", "redis", last_seen=1)]
    found += [relation(*one[:3], valid_from=one[3], last_seen=one[3]) for one in others]
    assert superseding(found) == found


def test_a_use_told_after_the_replacement_goes_on() -> None:
    swap = relation("valkey", "replaces", "redis", valid_from=5)
    later = [relation("app", "uses", "redis", last_seen=9), relation("app", "uses", "valkey", last_seen=9), swap]
    assert superseding(later) == later


def entity(key: str, **changes: Any) -> Entity:
    return entity_of([sighting("m", key=key, name=key, confidence=0.2)])._replace(**changes)


def test_an_entity_is_weak_only_if_it_is_unsure_named_once_and_long_ago() -> None:
    assert weak(entity("x"), 31 * DAY)
    assert not weak(entity("x"), 29 * DAY)
    assert not weak(entity("x", confidence=0.3), NOW)
    assert not weak(entity("x", mentions=2), NOW)


def test_an_edge_is_stale_only_if_it_is_unsure_and_told_long_ago() -> None:
    edge = relation("a", "uses", "b", confidence=0.1, last_seen=0)
    assert stale(edge, 31 * DAY)
    assert not stale(edge, 29 * DAY)
    assert not stale(edge._replace(confidence=0.2), NOW)


def test_pruning_takes_the_edges_of_what_it_takes() -> None:
    kept, left = pruned(
        [entity("a"), entity("b", confidence=0.9), entity("c", confidence=0.9)],
        [relation("a", "uses", "b"), relation("b", "uses", "c")],
        NOW,
    )
    assert [one.key for one in kept] == ["b", "c"]
    assert [one[:3] for one in left] == [("b", "uses", "c")]


def test_what_is_named_again_after_a_pruning_is_there_again() -> None:
    again = entity_of([sighting("m", 0, confidence=0.1), sighting("n", NOW + DAY, confidence=0.1)])
    assert pruned([again], [], NOW)[0] == [again]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "causes", "b"), ("a", "contradicts", "b")),
        (("a", "uses", "b"), ("a", "replaces", "b")),
        (("a", "replaces", "b"), ("b", "replaces", "a")),
        (("a", "part_of", "b"), ("b", "part_of", "a")),
        (("a", "is_a", "b"), ("b", "is_a", "a")),
    ],
)
def test_relations_that_cannot_both_hold(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    first, second = relation(*one), relation(*other)
    why = contradictory(first, second)
    assert "one says" in why and why == contradictory(second, first)
    assert contradictory(first, second._replace(invalid_at=9)) == ""


def test_what_is_told_and_denied_is_a_contradiction() -> None:
    told = relation("a", "depends_on", "b")
    denied = relation_of([Telling("a", "depends_on", "b", 0.7, "n", 2, 2, None, DENIED)])
    assert contradictory(told, denied) == "one says that a depends on b, the other that this is not so"
    assert contradictory(denied, denied) == ""
    assert contradictory(told._replace(invalid_at=2), denied) == ""


def test_all_other_pairs_can_both_hold() -> None:
    """Each pair goes into a person's queue: two services may need each other, a tool may cause and fix one error."""
    allowed = 0
    for one, other in permutations(RELATION_TYPES, 2):
        allowed += contradictory(relation("a", one, "b"), relation("a", other, "b")) == ""
        assert contradictory(relation("a", one, "b"), relation("b", other, "a")) == ""
        assert contradictory(relation("a", one, "b"), relation("a", other, "c")) == ""
    assert allowed == len(RELATION_TYPES) * (len(RELATION_TYPES) - 1) - 4
    assert contradictory(relation("a", "depends_on", "b"), relation("b", "depends_on", "a")) == ""


def test_every_type_can_be_said() -> None:
    assert len(ENTITY_TYPES) == 10 and len(RELATION_TYPES) == 12
    assert said("part_of") == "is part of"
    assert all(said(type) and "_" not in said(type) for type in RELATION_TYPES)
