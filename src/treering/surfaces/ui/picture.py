"""Draw a neighbourhood: the centre in the middle, what is one step away beside it, two steps further out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from treering.surfaces.cli.render import safe

ROW, GAP, WIDTH, HEIGHT = 40, 250, 168, 28  # units: between rows, between columns, of a box
LETTERS = 22  # of a name in a box; the whole of it is its title


def neighbourhood(found: Mapping[str, Any]) -> Markup:
    places = _places(found)
    names = {one["key"]: one for one in found["entities"]}
    rows = max((abs(y) for _, y in places.values()), default=0.0)
    out = max(abs(x) for x, _ in places.values())
    high, wide = 2 * rows + 2 * ROW, 2 * out + WIDTH + 100
    edges = [_edge(one, places) for one in found["relations"] if one["source"] in places and one["target"] in places]
    nodes = [_node(names[key], place, key == found["centre"]) for key, place in places.items()]
    box = f"{-wide / 2:g} {-high / 2:g} {wide:g} {high:g}"
    label = f"what surrounds {safe(names[found['centre']]['name'])}"
    return Markup('<svg viewBox="{}" width="{:g}" role="group" aria-label="{}">{}{}</svg>').format(
        box, wide, label, Markup("").join(edges), Markup("").join(nodes)
    )


def _places(found: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return where each name stands: halves of the near ones left and right, the far ones behind theirs."""
    centre, near = found["centre"], found["near"]
    sides = {key: 1 if place % 2 == 0 else -1 for place, key in enumerate(near)}
    behind: dict[str, list[str]] = {key: [] for key in near}
    for one in found["relations"]:
        for key, other in ((one["source"], one["target"]), (one["target"], one["source"])):
            if (
                key in behind
                and other not in behind
                and other != centre
                and not any(other in some for some in behind.values())
            ):
                behind[key].append(other)
    places: dict[str, tuple[float, float]] = {centre: (0.0, 0.0)}
    for side in (1, -1):
        places |= _column([key for key in near if sides[key] == side], behind, side)
    return places


def _column(keys: Sequence[str], behind: Mapping[str, Sequence[str]], side: int) -> dict[str, tuple[float, float]]:
    heights = [max(1, len(behind[key])) for key in keys]
    at = -ROW * (sum(heights) - 1) / 2
    places: dict[str, tuple[float, float]] = {}
    for key, height in zip(keys, heights, strict=True):
        places[key] = (side * GAP, at + ROW * (height - 1) / 2)
        for place, other in enumerate(behind[key]):
            places[other] = (side * 2 * GAP, at + ROW * place)
        at += ROW * height
    return places


def _edge(one: Mapping[str, Any], places: Mapping[str, tuple[float, float]]) -> Markup:
    (x1, y1), (x2, y2) = places[one["source"]], places[one["target"]]
    half = WIDTH / 2
    start, end = (
        (x1 + (half if x2 > x1 else -half if x2 < x1 else 0)),
        (x2 - (half if x2 > x1 else -half if x2 < x1 else 0)),
    )
    bend = (start + end) / 2 if x1 != x2 else x1 + half + 40
    name = "edge denied" if one["denied"] else "edge past" if one["invalid_at"] else "edge"
    said = one["type"].replace("_", " ")
    return Markup(
        '<path class="{}" d="M{:g},{:g} C{:g},{:g} {:g},{:g} {:g},{:g}"><title>{}</title></path>'
        '<text class="told" text-anchor="middle" x="{:g}" y="{:g}">{}</text>'
    ).format(name, start, y1, bend, y1, bend, y2, end, y2, said, (start + end) / 2, (y1 + y2) / 2 - 4, said)


def _node(one: Mapping[str, Any], place: tuple[float, float], centre: bool) -> Markup:
    x, y = place
    name = safe(one["name"])
    short = name if len(name) <= LETTERS else name[: LETTERS - 1] + "…"
    return Markup(
        '<a href="/graph?entity={}" class="node{}"><title>{}: {}, {} memories</title>'
        '<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="8"/>'
        '<text text-anchor="middle" x="{:g}" y="{:g}">{}</text></a>'
    ).format(
        quote(one["name"], safe=""), " centre" if centre else "", name, one["type"], len(one["memories"]),
        x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT, x, y + 4.5, short,
    )  # fmt: skip
