"""The way from one entity to another."""

from __future__ import annotations

from treering.graph.rules import Relation, path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def relation(source: str, target: str, confidence: float = 0.7, invalid_at: int | None = None) -> Relation:
    return Relation(source, "uses", target, 0.5, confidence, ("m",), 1, 1, invalid_at)


def neighbours(*edges: Relation) -> Callable[[str], Iterable[tuple[str, Relation]]]:
    def near(key: str) -> Iterable[tuple[str, Relation]]:
        for one in edges:
            if key == one.source:
                yield one.target, one
            elif key == one.target:
                yield one.source, one

    return near


def steps(start: str, end: str, *edges: Relation, most: int = 6) -> list[str] | None:
    found = path(start, end, neighbours(*edges), most)
    return None if found is None else [step.end for step in found]


def test_the_shortest_way_is_found_in_either_direction() -> None:
    edges = [relation("a", "b"), relation("c", "b"), relation("c", "d"), relation("a", "x"), relation("x", "y")]
    assert steps("a", "d", *edges) == ["b", "c", "d"]
    assert steps("d", "a", *edges) == ["c", "b", "a"]


def test_of_two_ways_the_surer_is_taken_and_the_valid_before_all() -> None:
    assert path("a", "b", neighbours(relation("a", "b", 0.3), relation("a", "b", 0.9))) == [
        ("a", relation("a", "b", 0.9), "b")
    ]
    past = relation("a", "b", 0.9, invalid_at=5)
    assert path("a", "b", neighbours(past, relation("a", "b", 0.3))) == [("a", relation("a", "b", 0.3), "b")]


def test_there_is_no_way_and_no_way_within_the_bound() -> None:
    chain = [relation(a, b) for a, b in zip("abcdefg", "bcdefgh", strict=True)]
    assert steps("a", "z", *chain) is None
    assert steps("a", "h", *chain) is None
    assert steps("a", "h", *chain, most=7) == list("bcdefgh")


def test_it_is_no_way_to_itself() -> None:
    assert steps("a", "a") == []


def test_a_hub_is_left_before_anybody_waits_for_it() -> None:
    asked = []

    def near(key: str) -> Iterable[tuple[str, Relation]]:
        asked.append(key)
        return ((f"{key}.{number}", relation(key, f"{key}.{number}")) for number in range(1_000))

    assert path("a", "z", near) is None
    assert len(asked) < 1_100
