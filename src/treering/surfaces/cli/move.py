"""Open the two ends of a move: each a home folder or the address of a database."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from treering.compose import stored
from treering.ledger.clock import now
from treering.ledger.config import home_of, is_address, load
from treering.ledger.errors import InvalidInput
from treering.ledger.ledger import Ledger
from treering.ledger.move import Moved, move, spaces_in
from treering.stores.files import FILE_NAME, make_home
from treering.stores.port.ledger import Store

if TYPE_CHECKING:
    from treering.stores.postgres.store import PostgresStore


def moved(source: str, target: str, space: str, progress: Callable[[int], None]) -> tuple[Moved, str]:
    """Move what one place holds to another. Return what was done, and the space that it is in there."""
    space = space or load(home_of(None, os.environ), os.environ).space
    if not is_address(source) and not os.path.isfile(_file(source)):
        raise InvalidInput(f"{source} holds no memory: name a home folder, or postgresql://HOST/DATABASE")
    with closing(_opened(source, space)) as origin:
        held = spaces_in(origin)
        if not held:
            raise InvalidInput(f"{source} holds no event" + (f" in space {space}" if is_address(source) else ""))
        if is_address(target) and space not in held:
            raise InvalidInput(f"{source} holds {', '.join(held)}, not {space}: say --space {held[0]}")
        if not is_address(target):
            make_home(home_of(target, {}))
        with closing(_opened(target, space)) as there:
            ledger = Ledger(there, now, os.urandom)
            if not is_address(source):
                done = move(origin, ledger, progress)
            else:
                done = _from_database(origin, ledger, target if is_address(target) else "", progress)
            if is_address(target):
                _database(there).hold([part for part in held if part != space])
    return done, space


def _from_database(source: Store, target: Ledger, address: str, progress: Callable[[int], None]) -> Moved:
    """Move a space of a database: into a file, or into another database, where its writers follow."""
    origin = _database(source)
    there = _database(target.store) if address else None
    gone = origin.moved_to
    done = move(origin, target, progress, (lambda: origin.leave(address)) if there else None) if not gone else None
    if there is not None and there.moved_to:  # it lay there before
        there.write(lambda: there.leave(""))
    if done is None:
        raise InvalidInput(f"the space has moved to {gone}: nothing is left to do")
    return done


def _database(store: Store) -> PostgresStore:
    from treering.stores.postgres.store import PostgresStore

    assert isinstance(store, PostgresStore)
    return store


def _file(place: str) -> str:
    return os.path.join(home_of(place, {}), FILE_NAME)


def _opened(place: str, space: str) -> Store:
    if not is_address(place):
        return stored(_file(place), "", space)
    from treering.stores.postgres.store import PostgresStore

    return PostgresStore(place, space, stays=True)
