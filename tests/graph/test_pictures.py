"""The graph as JSON, as GraphML and as a picture."""

from __future__ import annotations

import json
import random
from xml.etree import ElementTree

import pytest

from treering.graph.export import MOST_NODES, graph_json, graphml, svg
from treering.graph.rules import ENTITY_TYPES, RELATION_TYPES, Entity, Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NASTY = "a<b>&\"c' \x00\x1b\ud800 \u4e2d"
ML = "{http://graphml.graphdrawing.org/xmlns}"
SVG = "{http://www.w3.org/2000/svg}"


def entity(key: str, type: str = "tool", mentions: int = 1) -> Entity:
    return Entity(key, key.title(), type, mentions, 0.7, 1, 2, "user", "", ("m",))


def relation(source: str, type: str, target: str, **changes: Any) -> Relation:
    return Relation(source, type, target, 0.5, 0.7, ("m", "n"), 1, 2)._replace(**changes)


def test_json_has_every_field_and_is_the_same_whatever_the_order() -> None:
    entities = [entity("b"), entity("a")]
    relations = [relation("b", "uses", "a"), relation("a", "fixes", "b", invalid_at=9)]
    found = graph_json(entities, relations)
    assert json.loads(json.dumps(found)) == found == graph_json(entities[::-1], relations[::-1])
    assert [one["key"] for one in found["entities"]] == ["a", "b"]
    assert found["relations"][0] | {"type": "fixes", "invalid_at": 9, "evidence": ["m", "n"]} == found["relations"][0]


def test_graphml_is_well_formed_and_complete() -> None:
    text = graphml([entity("a"), entity(NASTY)], [relation("a", "uses", NASTY), relation("a", "uses", "loose")])
    graph = ElementTree.fromstring(text).find(f"{ML}graph")
    assert graph is not None
    nodes = {node.get("id") for node in graph.iter(f"{ML}node")}
    assert len(nodes) == 3 and "loose" in nodes
    for edge in graph.iter(f"{ML}edge"):
        assert edge.get("source") in nodes and edge.get("target") in nodes
    keys = {one.get("id") for one in ElementTree.fromstring(text).iter(f"{ML}key")}
    assert {data.get("key") for data in graph.iter(f"{ML}data")} <= keys


def crowd(size: int) -> tuple[list[Entity], list[Relation]]:
    """A centre with many neighbours, some of which have their own."""
    chance = random.Random(7)
    keys = [f"name number {number}" for number in range(size)]
    entities = [entity(key, chance.choice(ENTITY_TYPES), chance.randint(1, 9)) for key in keys]
    relations = []
    for number, key in enumerate(keys[1:], 1):
        near = keys[0] if number < size // 2 else keys[chance.randint(1, size // 2)]
        ends = (near, key) if chance.random() < 0.5 else (key, near)
        relations.append(relation(ends[0], chance.choice(RELATION_TYPES), ends[1]))
    return entities, relations


@pytest.mark.parametrize("size", [1, 2, 12, 40, 80])
def test_no_two_labels_of_a_picture_overlap(size: int) -> None:
    entities, relations = crowd(size)
    root = ElementTree.fromstring(svg("name number 0", entities, relations))
    boxes = []
    for text in root.iter(f"{SVG}text"):
        width = len(text.text or "") * (5.5 if text.get("class") else 7.0)
        anchor = width / 2 if text.get("text-anchor") == "middle" else 0
        boxes.append((float(text.get("x", 0)) - anchor, float(text.get("y", 0)), width, text.text))
    apart = [
        (one[3], other[3])
        for at, one in enumerate(boxes)
        for other in boxes[:at]
        if abs(one[1] - other[1]) < 11 and one[0] < other[0] + other[2] and other[0] < one[0] + one[2]
    ]
    assert apart == []
    right = float(root.get("width", 0))
    assert all(left >= 0 and left + width <= right for left, _, width, _ in boxes)


def test_a_picture_is_the_same_whatever_the_order_and_says_what_it_leaves_out() -> None:
    entities, relations = crowd(80)
    drawn = svg("name number 0", entities, relations)
    assert drawn == svg("name number 0", entities[::-1], relations[::-1])
    assert drawn.count("<g>") == MOST_NODES
    assert "and 38 more" in drawn  # within two steps


def test_a_picture_escapes_names_and_shows_relations_legend_and_what_is_over() -> None:
    drawn = svg(
        "a",
        [entity("a"), entity(NASTY, "error")],
        [
            relation("a", "causes", NASTY),
            relation("a", "uses", "b", invalid_at=3),
            relation("a", "depends_on", "c", denied=True),
        ],
    )
    root = ElementTree.fromstring(drawn)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"causes", "uses", "not: depends on", "tool", "error"} <= set(texts)
    assert [path.get("class") for path in root.iter(f"{SVG}path")][1:] == ["now", "denied", "past"]


def test_two_ways_between_two_names_are_two_lines() -> None:
    drawn = svg("a", [entity("a"), entity("b")], [relation("a", "uses", "b"), relation("b", "fixes", "a")])
    assert drawn.count("marker-end") == 2


def test_a_centre_that_nothing_is_known_of_is_drawn_alone() -> None:
    assert ElementTree.fromstring(svg("nobody", [], [])).find(f".//{SVG}g") is not None
