"""Turn entities, observations and relations of a knowledge graph into memories, and back.

The names that others gave are in the tags: exactly as given, and readable as far as possible.

The file of `@modelcontextprotocol/server-memory`: an entity or a relation on each line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.ledger.codec import decode
from treering.ledger.errors import InvalidInput, MalformedLine, TreeringError
from treering.text.redact import clean, redact

if TYPE_CHECKING:
    from treering.ledger.types import Memory

    Row = dict[str, Any]
    Name = tuple[str, ...]  # what it is, and whose


def tag(label: str, name: str) -> str:
    """Return a name as one word: blanks, signs that cannot be seen and `%` are written as in an address."""
    _, secrets = redact(name)
    if secrets:
        raise InvalidInput(f"a name holds what is never stored ({', '.join(secrets)}): choose another")
    word = label + ":" + "".join(one if _is_plain(one) else _escaped(one) for one in name)
    if word.isascii() or clean(word).text == word:
        return word
    # Letters that are composed otherwise here, or that nobody sees.
    return label + ":" + "".join(one if one.isascii() and _is_plain(one) else _escaped(one) for one in name)


def named(memory: Memory, label: str) -> str | None:
    """Return the name that a memory has under a label. A merged memory may have several: the first is its own."""
    start = label + ":"
    for word in memory.tags:
        if word.startswith(start):
            return _unescaped(word[len(start) :])
    return None


def _is_plain(letter: str) -> bool:
    return letter != "%" and letter.isprintable() and not letter.isspace()


def _escaped(letter: str) -> str:
    try:
        return "".join(f"%{byte:02X}" for byte in letter.encode())
    except UnicodeEncodeError:
        raise InvalidInput("half of a character cannot be part of a name") from None


def _unescaped(word: str) -> str:
    first, *rest = word.split("%")
    if not rest:
        return word
    found = first.encode()
    try:
        for part in rest:
            found += bytes.fromhex(part[:2]) + part[2:].encode()
        return found.decode()
    except ValueError:  # nobody here has written it
        return word


TAG = "server-memory"
ORIGIN = f"agent:{TAG}"  # unless it was imported
ENTITY, OBSERVATION, RELATION = "entity", "observation", "relation"


def entity_row(name: str, type: str) -> Row:
    """Return the memory that an entity is, as an argument of `remember`."""
    content = f"{_plain(name)} ({type})" if type.strip() else _plain(name)
    return {"content": content or tag(ENTITY, name), "tags": (TAG, tag(ENTITY, name), tag("type", type))}


def observation_row(name: str, text: str) -> Row:
    """Return the memory that an observation is. What does not begin with the entity's name gets it: it is met alone."""
    return {"content": _with_name(_plain(name), text), "tags": (TAG, tag("about", name))}


def relation_row(row: Mapping[str, str]) -> Row:
    content = f"{_plain(row['from'])} {row['relationType']} {_plain(row['to'])}"
    tags = (tag("from", row["from"]), tag(RELATION, row["relationType"]), tag("to", row["to"]))
    return {"content": content, "tags": (TAG, *tags)}


def name_of(memory: Memory) -> Name | None:
    """Return what a memory is in the graph: an entity, an observation or a relation, and whose."""
    if (entity := named(memory, ENTITY)) is not None:
        return (ENTITY, entity)
    if (about := named(memory, "about")) is not None:
        return (OBSERVATION, about, _without_name(_plain(about), memory.content))
    ends = [named(memory, label) for label in ("from", RELATION, "to")]
    return (RELATION, *(end or "" for end in ends)) if None not in ends else None


def relation_name(row: Mapping[str, str]) -> Name:
    return (RELATION, row["from"], row["relationType"], row["to"])


def observation_name(name: str, text: str) -> Name:
    return (OBSERVATION, name, text)


def entity_of(row: Mapping[str, Any]) -> Row:
    """Return an entity as it is kept: its observations without hidden signs and secrets, none of them twice."""
    name = _text(row, "name")
    return {"name": name, "entityType": _text(row, "entityType"), "observations": _kept(name, row, "observations")}


def relation_of(row: Mapping[str, Any]) -> Row:
    return {key: _text(row, key) for key in ("from", "to", "relationType")}


def observations_of(row: Mapping[str, Any], key: str) -> tuple[str, list[str]]:
    """Return the entity that a row names, and the observations that it has under a key."""
    name = _text(row, "entityName")
    return name, _kept(name, row, key)


def _kept(name: str, row: Mapping[str, Any], key: str) -> list[str]:
    plain = _plain(name)
    texts = (
        _without_name(plain, clean(_with_name(plain, text)).text) for text in strings(key, row.get(key)) if text.strip()
    )
    return [*dict.fromkeys(texts)]


def _plain(name: str) -> str:
    return clean(name).text


def _with_name(plain: str, text: str) -> str:
    return text if text.startswith(plain) and not text.startswith(f"{plain}: ") else f"{plain}: {text}"


def _without_name(plain: str, content: str) -> str:
    return content.removeprefix(f"{plain}: ")


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key) if hasattr(row, "get") else None
    if not isinstance(value, str) or (not value and key != "entityType"):
        raise InvalidInput(f"{key} must be a text, not {value!r}")
    return value


def strings(key: str, value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise InvalidInput(f"{key} must be a list of texts, not {value!r}")
    return [*value]


def ends(name: Name) -> Sequence[str]:
    """Return the entities that a thing of the graph hangs on."""
    return (name[1], name[3]) if name[0] == RELATION else (name[1],)


LOOKED_AT = 256  # bytes at the start of a file: that server writes the type of a line first
_STARTS = tuple(f'{{"type":"{type}"'.encode() for type in (ENTITY, RELATION))
_MARK = b"\xef\xbb\xbf"  # of the order of bytes


class Thing(NamedTuple):
    """An entity, an observation or a relation, where it stands, and the memory that it becomes."""

    name: Name
    line: int
    row: Row


def is_graph(start: bytes) -> bool:
    """Return whether a file that begins so is one of that server."""
    return b"".join(start[:LOOKED_AT].removeprefix(_MARK).split()).startswith(_STARTS)


def things(lines: Iterable[bytes], name: str) -> Iterator[Thing]:
    """Yield all that the file `name` holds, in its order."""
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
