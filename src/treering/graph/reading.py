"""What a text names and tells, without a model: its entities, their versions, and the relations that it states."""

from __future__ import annotations

from treering.core.graphs import Seen, Told
from treering.core.tuples import NamedTuple
from treering.graph.code import imports, prose
from treering.graph.names.guesses import Spot
from treering.graph.names.lexicon import GUESSED, LIKELY
from treering.graph.names.naming import spots
from treering.graph.names.tokens import tokens
from treering.graph.sameness import key
from treering.graph.settling import statements
from treering.graph.telling.relating import links
from treering.graph.telling.sentence import Link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from treering.graph.names.tokens import Token

MOST_LETTERS = 20_000  # of a text: what it is about is named in its first pages, and a log goes on for ever

MOST_ENTITIES = 64  # of one text: a longer list is an inventory, and would link everything with everything


class Reading(NamedTuple):
    entities: tuple[Seen, ...]
    relations: tuple[Told, ...]
    versions: tuple[tuple[str, str], ...] = ()  # of entities, by their keys


def read(text: str) -> Reading:
    """An entity that is named several times is seen once, as it is named with the most certainty."""
    text = text[:MOST_LETTERS]
    found = tokens(prose(text))
    named = spots(found)
    relations = _swapped(links(found, named), named)
    relations += _imported(text, found, named)
    keys = [key(one.name, one.type) for one in named]
    used = {end for link in relations for end in (link.source, link.target)}
    seen: dict[str, Seen] = {}
    for at, (mark, spot) in enumerate(zip(keys, named, strict=True)):
        if spot.confidence <= GUESSED and at not in used:
            continue  # coined for a relation that did not come about
        if mark not in seen or seen[mark].confidence < spot.confidence:
            seen[mark] = Seen(mark, spot.name, spot.type, spot.confidence)
    for one in statements(found):
        name = text[one.start : one.end]
        mark = key(name, one.type)
        seen.setdefault(mark, Seen(mark, name, one.type, one.confidence))
    entities = tuple(seen.values())[:MOST_ENTITIES]
    versions = dict.fromkeys((mark, spot.version) for mark, spot in zip(keys, named, strict=True) if spot.version)
    return Reading(entities, _told(relations, keys, {one.key for one in entities}), tuple(versions))


def _swapped(relations: Sequence[Link], named: Sequence[Spot]) -> list[Link]:
    """ "X replaced A with B": B replaces A, and X is no third one but whoever uses B now."""
    new = {one.target: one for one in relations if one.type == "replaces" and _before(named, one.target, one.source)}
    return [
        one._replace(type="uses", target=new[one.target].source)
        if one.type == "replaces" and one.target in new and not _before(named, one.target, one.source)
        else one
        for one in relations
    ]


def _before(named: Sequence[Spot], one: int, other: int) -> bool:
    """Whether one stands before another in the text. What was coined for a relation stands nowhere."""
    return 0 <= named[one].first < named[other].first


def _imported(text: str, found: Sequence[Token], named: list[Spot]) -> list[Link]:
    """What import statements name. The file that is named before the first of them is who imports it."""
    made: list[Link] = []
    statements = imports(text)
    if not statements:
        return made
    start = statements[0].start
    source = next(
        (
            at
            for at, spot in enumerate(named)
            if spot.type == "file" and spot.first >= 0 and found[spot.first].start < start
        ),
        -1,
    )
    for one in statements:
        named.append(Spot(-1, -1, one.name, one.type, LIKELY))
        if source >= 0:
            made.append(Link(source, "imports", len(named) - 1, LIKELY, one.start, one.end))
    return made


def _told(relations: Sequence[Link], keys: Sequence[str], known: Set[str]) -> tuple[Told, ...]:
    """Each relation once, as it is told with the most certainty, between entities that are kept."""
    told: dict[tuple[str, str, str], Told] = {}
    for link in relations:
        source, target = keys[link.source], keys[link.target]
        mark = (source, link.type, target)
        if source == target or source not in known or target not in known:
            continue
        if mark not in told or told[mark].confidence < link.confidence:
            told[mark] = Told(source, link.type, target, link.confidence, link.start, link.end, link.how)
    return tuple(told.values())
