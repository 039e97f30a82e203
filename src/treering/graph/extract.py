"""Read what a text names and tells, without a model: entities, versions, relations and imports."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from treering.graph.conventions import statements
from treering.graph.entities.find import Spot, spots
from treering.graph.entities.lexicon import GUESSED, LIKELY
from treering.graph.entities.shapes import Token, tokens
from treering.graph.relations import Link, links
from treering.graph.same import key
from treering.stores.port.graph import Mention, Statement

MOST_LETTERS = 20_000  # of a text: what it is about is named in its first pages, and a log goes on for ever

MOST_ENTITIES = 64  # of one text: a longer list is an inventory, and would link everything with everything


class Reading(NamedTuple):
    entities: tuple[Mention, ...]
    relations: tuple[Statement, ...]
    versions: tuple[tuple[str, str], ...] = ()  # of entities, by their keys


def read(text: str) -> Reading:
    """Return what a text names and tells. An entity named several times counts once, at its surest."""
    text = text[:MOST_LETTERS]
    found = tokens(prose(text))
    named = spots(found)
    relations = _swapped(links(found, named), named)
    relations += _imported(text, found, named)
    keys = [key(one.name, one.type) for one in named]
    used = {end for link in relations for end in (link.source, link.target)}
    seen: dict[str, Mention] = {}
    for at, (mark, spot) in enumerate(zip(keys, named, strict=True)):
        if spot.confidence <= GUESSED and at not in used:
            continue  # coined for a relation that did not come about
        if mark not in seen or seen[mark].confidence < spot.confidence:
            seen[mark] = Mention(mark, spot.name, spot.type, spot.confidence)
    for one in statements(prose(text)):
        name = text[one.start : one.end]
        mark = key(name, one.type)
        seen.setdefault(mark, Mention(mark, name, one.type, one.confidence))
    entities = tuple(seen.values())[:MOST_ENTITIES]
    versions = dict.fromkeys((mark, spot.version) for mark, spot in zip(keys, named, strict=True) if spot.version)
    return Reading(entities, _surest(relations, keys, {one.key for one in entities}), tuple(versions))


def _swapped(relations: Sequence[Link], named: Sequence[Spot]) -> list[Link]:
    """Read "X replaced A with B": B replaces A, and X uses B now."""
    new = {one.target: one for one in relations if one.type == "replaces" and _before(named, one.target, one.source)}
    return [
        one._replace(type="uses", target=new[one.target].source)
        if one.type == "replaces" and one.target in new and not _before(named, one.target, one.source)
        else one
        for one in relations
    ]


def _before(named: Sequence[Spot], one: int, other: int) -> bool:
    """Tell whether one stands before another in the text; what was coined stands nowhere."""
    return 0 <= named[one].first < named[other].first


def _imported(text: str, found: Sequence[Token], named: list[Spot]) -> list[Link]:
    """Return what import statements name. The file named before the first of them imports it."""
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


def _surest(relations: Sequence[Link], keys: Sequence[str], known: Set[str]) -> tuple[Statement, ...]:
    """Return each relation once, at its surest, between entities that are kept."""
    statements: dict[tuple[str, str, str], Statement] = {}
    for link in relations:
        source, target = keys[link.source], keys[link.target]
        mark = (source, link.type, target)
        if source == target or source not in known or target not in known:
            continue
        if mark not in statements or statements[mark].confidence < link.confidence:
            statements[mark] = Statement(source, link.type, target, link.confidence, link.start, link.end, link.how)
    return tuple(statements.values())


_MOST = 40  # statements of one text: more are a listing
# Each at the beginning of a line or of a statement. As a text: `re` compiles it when first needed.
_IMPORT = (
    r"(?:^|[;:`\n]\s?)[ \t]{0,20}(?:"
    r"from ([\w.]{1,80}) import \w"
    r"|import ([a-z_][\w.]{0,80})(?: as \w{1,40})?[ \t]*(?=$|[;`\n])"
    r"|import [\w{}*, ]{1,80} from ['\"]([^'\"\n]{1,80})['\"]"
    r"|import ['\"]([^'\"\n]{1,80})['\"]"
    r"|(?:const|let|var) [\w{}, ]{1,80} = require\(['\"]([^'\"\n]{1,80})['\"]\)"
    r"|use ([a-z_]\w{0,40})::[\w:*{}, ]{1,80};"
    r"|#include [<\"]([^>\"\n]{1,80})[>\"]"
    r")"
    r"|\b(?:pip3?|npm|pnpm|yarn|poetry|uv|cargo|gem|composer|conda) (?:install|add|i|require) "
    r"(@?[a-zA-Z][\w./-]{1,60}\w)"
)
_HINTS = ("import ", "require(", "#include", "::", "install ", " add ", " i ", "require ")


class Import(NamedTuple):
    name: str
    type: str
    start: int  # characters
    end: int


def imports(text: str) -> list[Import]:
    if not any(hint in text for hint in _HINTS):
        return []
    found = []
    for match in _pattern().finditer(text):
        place = match.lastindex or 0
        name = match[place]
        if place in (1, 2):
            name = name.split(".")[0]
        if not name or name in ("crate", "self", "super", "std"):
            continue
        is_file = name.startswith(".") or place == 7 or name.endswith((".js", ".ts", ".css", ".h"))
        found.append(Import(name, "file" if is_file else "library", match.start(place), match.start(place) + len(name)))
        if len(found) >= _MOST:
            break
    return found


def prose(text: str) -> str:
    """Blank out fenced code: a listing names everything and tells nothing."""
    if "```" not in text:
        return text
    pieces = text.split("```")
    return "   ".join(piece if at % 2 == 0 else _blank(piece) for at, piece in enumerate(pieces))


def _blank(code: str) -> str:
    return "".join("\n" if letter == "\n" else " " for letter in code)


@lru_cache(1)
def _pattern() -> re.Pattern[str]:
    return re.compile(_IMPORT, re.MULTILINE)
