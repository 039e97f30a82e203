"""Export the graph as JSON, as GraphML (for Gephi, yEd and networkx), or as an SVG picture.

In a picture the centre stands in the middle, what it acts upon on its right, what acts upon it on
its left, and what is two steps away further out. Every name has a row of its own, so no label lies
on another; the same graph gives the same picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from treering.graph.rules import ENTITY_TYPES, Entity, Relation, said

MOST_NODES = 40  # more rows than this fit on no screen
# Pixels.
_ROW, _GAP, _MARGIN, _HEIGHT = 36, 210, 24, 24
_LETTER, _SMALL = 7.2, 5.9  # the width of a letter of a name, of a relation: a little more than the font's mean
_LONGEST = 28  # letters of a name; the whole of it is its title
_LABEL = 0.6  # of the way from the inner name to the outer one, where lines from one name are well apart
_COLOURS = dict(
    zip(
        ENTITY_TYPES,
        "#dbe9f6 #fde2c8 #e3f1d9 #e9dff2 #f9d6d5 #d5efee #fff2c4 #f6dcec #dfe0ea #e8e0d5".split(),
        strict=True,
    )
)
_STYLE = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:13px;fill:#222}"
    ".e{font-size:11px;fill:#555;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".n{font-size:11px;fill:#777}"
    "path{fill:none;stroke:#8a8f98;stroke-width:1.2}.past{stroke-dasharray:5 4;stroke:#b9bdc4}"
    ".denied{stroke-dasharray:2 3;stroke:#c0504d}"
    "rect{stroke:#8a8f98;stroke-width:1}.c{stroke:#222;stroke-width:2}"
)
_ARROW = (
    '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0,0 L8,4 L0,8 z" style="fill:#8a8f98;stroke:none"/></marker></defs>'
)


class _Node(NamedTuple):
    key: str
    label: str
    title: str
    type: str
    column: int  # 0 is the centre, negative ones are on its left
    x: float  # the middle
    y: float
    width: float


def svg(centre: str, entities: Iterable[Entity], relations: Iterable[Relation]) -> str:
    """Draw the nearest and most often named 40 around a `centre`, which is a key."""
    known = {one.key: one for one in entities}
    edges = sorted(relations, key=lambda one: (one[:3], one.denied, one.valid_from))
    columns, left_out = _columns(centre, known, edges)
    nodes = _placed(columns, known)
    drawn = [one for one in edges if one.source in nodes and one.target in nodes and one.source != one.target]
    width = max(node.x + node.width / 2 for node in nodes.values()) + _MARGIN
    height = max(node.y for node in nodes.values()) + _HEIGHT / 2 + _MARGIN
    legend, legend_height = _legend(nodes, width, height, left_out)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height + legend_height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height + legend_height:.0f}">',
        f"<style>{_STYLE}</style>{_ARROW}",
        f'<rect width="{width:.0f}" height="{height + legend_height:.0f}" style="fill:#fff;stroke:none"/>',
        *_edges(nodes, drawn),
        *[_node(node, node.key == centre) for node in nodes.values()],
        *legend,
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def _columns(centre: str, known: dict[str, Entity], edges: Sequence[Relation]) -> tuple[dict[int, list[str]], int]:
    """Return the keys by column, in rows, and how many were left out."""
    sides: dict[str, int] = {centre: 0}
    near: dict[str, int] = {}
    for edge in edges:
        if centre in (edge.source, edge.target) and edge.source != edge.target:
            other = edge.target if edge.source == centre else edge.source
            near[other] = max(near.get(other, -1), 1 if edge.source == centre else -1)
    first = sorted(near, key=lambda key: _rank(known, key))
    sides.update((key, near[key]) for key in first[: MOST_NODES - 1])
    further: dict[str, str] = {}  # what is two steps away, by what it hangs on
    for edge in edges:
        for inner, outer in ((edge.source, edge.target), (edge.target, edge.source)):
            if inner in near and inner in sides and outer not in near and outer != centre:
                further.setdefault(outer, inner)
    second = sorted(further, key=lambda key: _rank(known, key))
    kept = set(second[: max(0, MOST_NODES - len(sides))])
    columns: dict[int, list[str]] = {0: [centre]}
    for key in sorted((key for key in sides if key != centre), key=lambda key: (_type(known, key), key)):
        columns.setdefault(sides[key], []).append(key)
    rows = {key: row for column in columns.values() for row, key in enumerate(column)}
    for key in sorted(kept, key=lambda key: (rows[further[key]], key)):
        columns.setdefault(2 * sides[further[key]], []).append(key)
    return columns, len(first) + len(second) + 1 - sum(map(len, columns.values()))


def _rank(known: dict[str, Entity], key: str) -> tuple[int, str]:
    return (-known[key].mentions if key in known else 0, key)


def _type(known: dict[str, Entity], key: str) -> str:
    return known[key].type if key in known else "concept"


def _placed(columns: dict[int, list[str]], known: dict[str, Entity]) -> dict[str, _Node]:
    rows = max(map(len, columns.values()))
    x = float(_MARGIN)
    placed: dict[str, _Node] = {}
    for column in sorted(columns):
        names = [known[key].name if key in known else key for key in columns[column]]
        labels = [name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "\u2026" for name in names]
        widths = [_LETTER * len(label) + 16 for label in labels]
        widest = max(widths)
        top = _MARGIN + _HEIGHT / 2 + (rows - len(labels)) * _ROW / 2
        for row, key in enumerate(columns[column]):
            middle, y = x + widest / 2, top + row * _ROW
            placed[key] = _Node(key, labels[row], names[row], _type(known, key), column, middle, y, widths[row])
        x += widest + _GAP
    return placed


def _edges(nodes: dict[str, _Node], drawn: Sequence[Relation]) -> list[str]:
    """Draw a line for each pair of names, with all that is said between them on it."""
    pairs: dict[tuple[str, str], list[Relation]] = {}
    for one in drawn:
        pairs.setdefault((one.source, one.target), []).append(one)
    lines, labels = [], []
    for (source, target), found in pairs.items():
        start, end = nodes[source], nodes[target]
        back = (target, source) in pairs and source > target  # below the line of the other direction
        shift = 7.0 if back else -7.0 if (target, source) in pairs else 0.0
        way, x, y = _way(start, end, shift)
        style = "denied" if all(one.denied for one in found) else ""
        style = "past" if all(one.invalid_at is not None for one in found) else style
        lines.append(f'<path class="{style or "now"}" d="{way}" marker-end="url(#a)"/>')
        words = ", ".join(dict.fromkeys(f"not: {said(one.type)}" if one.denied else said(one.type) for one in found))
        labels.append(f'<text class="e" text-anchor="middle" x="{x:.1f}" y="{y + 4:.1f}">{escaped(words)}</text>')
    return lines + labels


def _way(start: _Node, end: _Node, shift: float) -> tuple[str, float, float]:
    """Return the line from border to border, and where its label stands."""
    if start.column == end.column:
        side = -1 if start.column < 0 else 1
        x1, x2 = start.x + side * start.width / 2, end.x + side * end.width / 2
        bulge = max(x1 * side, x2 * side) * side + side * (24 + abs(end.y - start.y) / 8)
        way = f"M{x1:.1f},{start.y + shift:.1f} Q{bulge:.1f},{(start.y + end.y) / 2:.1f} {x2:.1f},{end.y + shift:.1f}"
        return way, (x1 + x2 + 2 * bulge) / 4, (start.y + end.y) / 2
    right = end.x > start.x
    x1 = start.x + (start.width / 2 if right else -start.width / 2)
    x2 = end.x - (end.width / 2 if right else -end.width / 2)
    y1, y2 = start.y + shift, end.y + shift
    share = _LABEL if abs(end.column) > abs(start.column) else 1 - _LABEL
    return f"M{x1:.1f},{y1:.1f} L{x2:.1f},{y2:.1f}", x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def _node(node: _Node, central: bool) -> str:
    left, top = node.x - node.width / 2, node.y - _HEIGHT / 2
    mark = ' class="c"' if central else ""
    return (
        f"<g><title>{escaped(node.title)} ({escaped(node.type)})</title>"
        f'<rect{mark} x="{left:.1f}" y="{top:.1f}" width="{node.width:.1f}" height="{_HEIGHT}" rx="6" '
        f'fill="{_COLOURS.get(node.type, "#eeeeee")}"/>'
        f'<text text-anchor="middle" x="{node.x:.1f}" y="{node.y + 4.5:.1f}">{escaped(node.label)}</text></g>'
    )


def _legend(nodes: dict[str, _Node], width: float, top: float, left_out: int) -> tuple[list[str], float]:
    """Draw the types that occur, in as many lines as they need, and return their height."""
    lines = []
    x, y = float(_MARGIN), top + 8
    for type in ENTITY_TYPES:
        if not any(node.type == type for node in nodes.values()):
            continue
        taken = 18 + _SMALL * len(type) + 20
        if x > _MARGIN and x + taken > width:
            x, y = float(_MARGIN), y + 20
        lines.append(f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="12" height="12" rx="3" fill="{_COLOURS[type]}"/>')
        lines.append(f'<text class="n" x="{x + 18:.1f}" y="{y + 1:.1f}">{type}</text>')
        x += taken
    if left_out > 0:
        y += 20
        lines.append(f'<text class="n" x="{_MARGIN}" y="{y + 1:.1f}">and {left_out} more</text>')
    return lines, y - top + 16


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
    """Return JSON by field names, in a fixed order. Moments are microseconds since 1970."""
    nodes = [one._asdict() | {"memories": list(one.memories)} for one in sorted(entities)]
    edges = [one._asdict() | {"evidence": list(one.evidence)} for one in _sorted(relations)]
    return {"entities": nodes, "relations": edges}


def graphml(entities: Iterable[Entity], relations: Iterable[Relation]) -> str:
    """Return GraphML. An edge to an unknown entity gets a bare node, as the format requires."""
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
    """Escape a text for XML. A character that XML allows in no form becomes a question mark."""
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
