"""Implement LangGraph's store, with its items kept as memories.

    with treering.open() as memory:
        graph = builder.compile(store=TreeringStore(memory))

An item is one memory, found by recall like any other; `search` with a query is a recall among the
items. A new value of a key supersedes the old one, which stays in the ledger. Deleting forgets, and
`restore` brings it back.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from treering.documents.foreign.mirror import Mirror, row, text_of
from treering.documents.foreign.things import named, tag
from treering.ledger.errors import InvalidInput, MissingExtra
from treering.memory import MOST_HITS
from treering.text.redact import clean

if TYPE_CHECKING:
    from langgraph.store.base import MatchCondition, Op, Result

    from treering.documents.foreign.mirror import Held, Name
    from treering.ledger.types import Memory
    from treering.memory import Treering


_FIELD = "field"  # the label of the only field of a value that is one text
_TEXT = "text"  # what the field is called if a person has put a text in the place of a value
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "$gt": float.__gt__,
    "$gte": float.__ge__,
    "$lt": float.__lt__,
    "$lte": float.__le__,
}


def row_of(value: Mapping[str, Any], title: str, limit: int, *tags: str) -> dict[str, Any]:
    """Return a value as arguments of `remember`. A single text is kept as it is, not as JSON."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise InvalidInput(f"a value is a mapping with texts as keys, not {value!r}")
    if len(value) == 1:
        ((field, text),) = value.items()
        if isinstance(text, str):
            return row(text, title, *tags, tag(_FIELD, field))
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"a value must be JSON: {error}") from None
    kept = clean(written, limit)
    if _read(kept.text) is None:
        raise InvalidInput(f"a value holds what is never stored ({', '.join(kept.changes)}): leave it out")
    return row(kept.text, title, *tags)


def value_of(memory: Memory) -> dict[str, Any]:
    """Return the value that a memory keeps."""
    text, field = text_of(memory), named(memory, _FIELD)
    if field is not None:
        return {field: text}
    found = _read(text)
    return {_TEXT: text} if found is None else found


def _read(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def fits(value: object, wanted: object) -> bool:
    """Tell whether a value fits a filter: equal, within its operators, or in all of its keys."""
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_compares(value, operator, limit) for operator, limit in wanted.items())
        return isinstance(value, dict) and all(fits(value.get(key), inner) for key, inner in wanted.items())
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same and all(fits(one, inner) for one, inner in zip(value, wanted, strict=True))  # type: ignore[call-overload]
    return value == wanted


def _compares(value: Any, operator: str, limit: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return bool((value == limit) == (operator == "$eq"))
    if operator not in _COMPARED:
        raise InvalidInput(f"unknown operator {operator!r}: there are $eq, $ne, {', '.join(_COMPARED)}")
    try:
        return _COMPARED[operator](float(value), float(limit))
    except (TypeError, ValueError):
        return False  # what is not there, or no number, is neither more nor less


try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ImportError as error:
    raise MissingExtra("langgraph-checkpoint", "langgraph") from error


TAG = "langgraph"
ORIGIN = f"agent:{TAG}"
_UNINDEXED = "unindexed"  # a tag of what no query is to find
_SPARE = 4  # times as many hits are asked for as are wanted, when a filter may drop some


class TreeringStore(BaseStore):
    """The store over an open memory. Nothing expires; unused items fade as memories do."""

    __slots__ = ("_memory", "_mirror")

    supports_ttl = False

    def __init__(self, memory: Treering) -> None:
        self._memory = memory
        self._mirror = Mirror(memory, TAG, _name_of)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations. Reads see the state before; of puts under one key, the last holds."""
        asked = list(ops)
        puts: dict[Name, PutOp] = {}
        for op in asked:
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                puts[*op.namespace, op.key] = _checked(op)
        found = [self._answer(op) for op in asked]
        if puts:
            self._mirror.write(lambda held: self._take(puts, held))
        return found

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, [*ops])

    def _answer(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._mirror.read(lambda held: _item((*op.namespace, op.key), held))
        if isinstance(op, SearchOp):
            return self._found(op)
        if isinstance(op, ListNamespacesOp):
            return self._mirror.read(lambda held: _namespaces(op, held))
        if isinstance(op, PutOp):
            return None
        raise InvalidInput(f"not an operation of a store: {op!r}")

    def _found(self, op: SearchOp) -> list[SearchItem]:
        pages = slice(op.offset, op.offset + op.limit)
        if op.query and any(map(str.isalnum, op.query)):
            return self._recalled(op, op.query)[pages]

        def work(held: Held) -> list[SearchItem]:
            names = [name for name in held if _fits(op, name, held)]
            names.sort(key=lambda name: (held[name][-1].created, name), reverse=True)
            return [_result(name, held[name][-1]) for name in names[pages]]

        return self._mirror.read(work)

    def _recalled(self, op: SearchOp, query: str) -> list[SearchItem]:
        """Return what recall finds among the items, best first, then duplicates."""
        wanted = max(1, op.offset + op.limit)
        k = min(MOST_HITS, wanted * (_SPARE if op.filter else 1))
        within = tag("in", ".".join(op.namespace_prefix)) if op.namespace_prefix else TAG
        logged = not op.filter  # what a filter drops was not shown
        while True:
            hits = self._memory.recall(query, k, tag=within, floor=0.0, log=logged).hits
            scores = {id: hit.score for hit in hits for id in (hit.memory.id, *hit.why.same_as)}
            found = self._mirror.read(partial(self._scored, op, scores))
            if len(found) >= wanted or len(hits) < k or k == MOST_HITS:
                return found
            k, logged = min(MOST_HITS, k * _SPARE), False

    def _scored(self, op: SearchOp, scores: dict[str, float], held: Held) -> list[SearchItem]:
        found = [(name, held[name][-1]) for name in self._mirror.names(scores).values() if _fits(op, name, held)]
        indexed = [(name, memory) for name, memory in found if _UNINDEXED not in memory.tags]
        return [_result(name, memory, float(scores[memory.id])) for name, memory in indexed]

    def _take(self, puts: Mapping[Name, PutOp], held: Held) -> None:
        for name, op in puts.items():
            self._put(op, held.get(name, ()))

    def _put(self, op: PutOp, before: Sequence[Memory]) -> None:
        if op.value is None:
            for memory in before:
                self._memory.forget(memory.id, reason="the item was deleted")
            return
        tags = [TAG, tag("at", ".".join(op.namespace)), tag("key", op.key)]
        tags += [tag("in", ".".join(op.namespace[:depth])) for depth in range(1, len(op.namespace) + 1)]
        tags += [f"since:{_since(before[-1])}"] if before else []
        tags += [_UNINDEXED] if op.index is False else []
        row = row_of(dict(op.value), op.key, self._memory.config.content_limit, *tags)
        self._mirror.put({**row, "origin": ORIGIN}, before, "another value was put")


def _checked(op: PutOp) -> PutOp:
    if op.ttl is not None:
        raise NotImplementedError("TreeringStore keeps no time to live: put the item without a ttl")
    return op


def _name_of(memory: Memory) -> Name | None:
    """Return the namespace of an item, followed by its key."""
    place, key = named(memory, "at"), named(memory, "key")
    if place is None or key is None:
        return None
    return (*(place.split(".") if place else ()), key)


def _since(memory: Memory) -> int:
    """Return when the key first had a value, in microseconds."""
    told = named(memory, "since")
    return int(told) if told and told.isdecimal() else memory.created


def _when(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)


def _item(name: Name, held: Held) -> Item | None:
    if name not in held:
        return None
    memory = held[name][-1]
    return Item(
        value=value_of(memory),
        key=name[-1],
        namespace=name[:-1],
        created_at=_when(_since(memory)),
        updated_at=_when(memory.created),
    )


def _result(name: Name, memory: Memory, score: float | None = None) -> SearchItem:
    times = (_when(_since(memory)), _when(memory.created))
    return SearchItem(name[:-1], name[-1], value_of(memory), *times, score=score)


def _fits(op: SearchOp, name: Name, held: Held) -> bool:
    prefix = tuple(op.namespace_prefix)
    if name[:-1][: len(prefix)] != prefix:
        return False
    return not op.filter or fits(value_of(held[name][-1]), op.filter)


def _namespaces(op: ListNamespacesOp, held: Held) -> list[tuple[str, ...]]:
    found = {name[:-1] for name in held}
    for condition in op.match_conditions or ():
        found = {one for one in found if _matches(condition, one)}
    cut = sorted({one[: op.max_depth] for one in found})
    return cut[op.offset : op.offset + op.limit]


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise InvalidInput(f"a namespace matches by its prefix or its suffix, not {condition.match_type!r}")
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
