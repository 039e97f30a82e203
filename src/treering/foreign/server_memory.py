"""The file of `@modelcontextprotocol/server-memory`: an entity or a relation on each line."""

from __future__ import annotations

from treering.core.codec import decode
from treering.core.errors import InvalidInput, MalformedLine, TreeringError
from treering.core.tuples import NamedTuple
from treering.foreign.things import (
    ENTITY,
    RELATION,
    entity_of,
    entity_row,
    observation_name,
    observation_row,
    relation_name,
    relation_of,
    relation_row,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from treering.foreign.things import Name, Row

LOOKED_AT = 256  # bytes at the start of a file: that server writes the type of a line first
_STARTS = tuple(f'{{"type":"{type}"'.encode() for type in (ENTITY, RELATION))
_MARK = b"\xef\xbb\xbf"  # of the order of bytes


class Thing(NamedTuple):
    """An entity, an observation or a relation, where it stands, and the memory that it becomes."""

    name: Name
    line: int
    row: Row


def is_graph(start: bytes) -> bool:
    """Whether a file that begins so is one of that server."""
    return b"".join(start[:LOOKED_AT].removeprefix(_MARK).split()).startswith(_STARTS)


def things(lines: Iterable[bytes], name: str) -> Iterator[Thing]:
    """All that the file `name` holds, in its order."""
    for number, line in enumerate(lines, 1):
        if line.isspace():
            continue
        try:
            yield from _things(decode(line.removeprefix(_MARK)), number)
        except TreeringError as error:
            raise MalformedLine(name, number, str(error)) from None


def _things(row: object, line: int) -> Iterator[Thing]:
    type = row.get("type") if isinstance(row, dict) else None
    if not isinstance(row, dict) or type not in (ENTITY, RELATION):
        raise InvalidInput(f'a line must be an object whose "type" is "{ENTITY}" or "{RELATION}"')
    if type == RELATION:
        relation = relation_of(row)
        yield Thing(relation_name(relation), line, relation_row(relation))
        return
    entity = entity_of(row)
    name = entity["name"]
    yield Thing((ENTITY, name), line, entity_row(name, entity["entityType"]))
    for text in entity["observations"]:
        yield Thing(observation_name(name, text), line, observation_row(name, text))
