"""The graph as JSON and as GraphML, which Gephi, yEd and networkx read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from treering.core.graphs import Entity, Relation

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
_NODE_FIELDS = {
    "name": "string",
    "type": "string",
    "mentions": "int",
    "confidence": "double",
    "first_seen": "long",
    "last_seen": "long",
    "scope": "string",
    "project": "string",
}
_EDGE_FIELDS = {
    "type": "string",
    "weight": "double",
    "confidence": "double",
    "evidence": "string",
    "valid_from": "long",
    "learned": "long",
    "invalid_at": "long",
    "last_seen": "long",
    "denied": "boolean",
}


def graph_json(entities: Iterable[Entity], relations: Iterable[Relation]) -> dict[str, Any]:
    """By field names, sorted by what identifies each. Moments are microseconds since 1970."""
    nodes = [one._asdict() | {"memories": list(one.memories)} for one in sorted(entities)]
    edges = [one._asdict() | {"evidence": list(one.evidence)} for one in _sorted(relations)]
    return {"entities": nodes, "relations": edges}


def graphml(entities: Iterable[Entity], relations: Iterable[Relation]) -> str:
    """An edge whose end is not among the entities gets a bare node for it, as the format allows no loose ends."""
    nodes = {one.key: one for one in sorted(entities)}
    edges = _sorted(relations)
    lines = [_HEAD]
    for place, fields in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
        for name, type in fields.items():
            lines.append(f'<key id="{place}.{name}" for="{place}" attr.name="{name}" attr.type="{type}"/>')
    lines.append('<graph id="treering" edgedefault="directed">')
    for one in nodes.values():
        lines.append(f'<node id="{escaped(one.key)}">{_data("node", one, _NODE_FIELDS)}</node>')
    loose = dict.fromkeys(end for edge in edges for end in (edge.source, edge.target) if end not in nodes)
    lines += [f'<node id="{escaped(end)}"/>' for end in loose]
    for number, edge in enumerate(edges):
        ends = f'source="{escaped(edge.source)}" target="{escaped(edge.target)}"'
        lines.append(f'<edge id="e{number}" {ends}>{_data("edge", edge, _EDGE_FIELDS)}</edge>')
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def escaped(text: str) -> str:
    """For XML, in an attribute or between tags. What XML allows in no form becomes a question mark."""
    safe = "".join(letter if _is_allowed(letter) else "?" for letter in text)
    return (
        safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
        .replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    )  # fmt: skip


def _is_allowed(letter: str) -> bool:
    if letter < " ":
        return letter in "\t\n\r"
    return not "\ud800" <= letter <= "\udfff" and letter not in "\ufffe\uffff"


def _sorted(relations: Iterable[Relation]) -> list[Relation]:
    return sorted(relations, key=lambda one: (one[:3], one.denied, one.valid_from, one.evidence))


def _data(place: str, one: Entity | Relation, fields: Iterable[str]) -> str:
    found = ((name, getattr(one, name)) for name in fields)
    return "".join(f'<data key="{place}.{name}">{_written(value)}</data>' for name, value in found if value is not None)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return escaped(" ".join(value) if isinstance(value, tuple) else str(value))
