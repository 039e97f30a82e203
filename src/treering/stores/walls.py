"""Read a store as one member of a team may: without what others keep to themselves.

What a query names by its space is narrowed by the store's own clauses (`types.seen_from`). This is
for all the others, by an id or by no space at all, so that no surface has to think of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, TypeVar, cast

from treering.ledger.errors import NotFound
from treering.ledger.events import Event, Head
from treering.ledger.types import Filter, Memory, alone, person_in, seen_from, team_of
from treering.stores.port.ledger import EVERYTHING, EventQuery, Reader
from treering.stores.port.search import Index

T = TypeVar("T")


def walled(store: Reader, space: str) -> Reader:
    """Return a store as it is seen from a space; the store itself where no person stands."""
    return WalledStore(store, space) if person_in(space) else store


class WalledStore:
    """Implement `stores.port.ledger.Reader` for one person."""

    def __init__(self, store: Reader, space: str) -> None:
        self._store = store
        self._space = space
        self._seen = frozenset(seen_from(space))
        self._may = {*self._seen, space, alone(space), team_of(space)}

    @property
    def shared(self) -> bool:
        """True for a database, where members come in by themselves; a file has one owner."""
        return hasattr(self._store, "place")

    @property
    def writer(self) -> str:
        return self._store.writer

    @cached_property
    def index(self) -> Index:
        return cast(Index, _WalledIndex(self._store, self._seen))

    def version(self) -> Hashable:
        return self._store.version()

    def view(self, work: Callable[[], T]) -> T:
        return self._store.view(work)

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        return self._store.hurried(seconds)

    def heads(self) -> dict[str, Head]:
        return self._store.heads()

    def clock(self) -> int:
        return self._store.clock()

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        return self._store.events(query._replace(space=self._checked(query.space or self._space)))

    def effects(self, ids: Collection[str]) -> set[str]:
        return {event.id for event in self.events(EventQuery(ids=tuple(self._store.effects(ids))))}

    def left_out(self) -> set[str]:
        return self._store.left_out()

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        return {id: one for id, one in self._store.several(ids).items() if one.space in self._seen}

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        where = where if where is not None else Filter(self._space)
        self._checked(where.space)
        return self._store.records(where)

    def close(self) -> None:
        self._store.close()

    def _checked(self, space: str) -> str:
        if space not in self._may:
            raise NotFound("space", space)
        return space


class _WalledIndex:
    """The index of a store, which answers by place or by filter; here also by number and by id."""

    def __init__(self, store: Reader, seen: Collection[str]) -> None:
        self._store = store
        self._seen = seen

    @property
    def _index(self) -> Index:
        return self._store.index

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def found(self, numbers: Sequence[int]) -> Mapping[int, Memory]:
        return {number: one for number, one in self._index.found(numbers).items() if one.space in self._seen}

    def named(self, ids: Sequence[str]) -> Mapping[str, int]:
        numbers = self._index.named(ids)
        found = self.found([*numbers.values()])
        return {id: number for id, number in numbers.items() if number in found}
