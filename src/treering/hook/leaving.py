"""Leaving a letter: in the store's inbox, or in a folder beside it when the store cannot be written at once."""

from __future__ import annotations

import os

import apsw

from treering.hook.agents.wire import written
from treering.stores import slot
from treering.stores.files import LETTER, SPOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.letters import Letter


def leave(db: apsw.Connection | None, home: str, letter: Letter, shown: Iterable[str], root: str, project: str) -> bool:
    """Leave a letter, and note what its session has been shown. False if it had been left before."""
    if db is not None:
        try:
            return slot.put(db, letter, shown, root, project)
        except apsw.Error:
            pass  # others are writing for longer than an agent should wait, or nobody can
    _spool(home, letter)
    return True


def _spool(home: str, letter: Letter) -> None:
    """Write it whole or not at all, for its owner only."""
    folder = os.path.join(home, SPOOL)
    for path in (home, folder):
        if not os.path.isdir(path):
            os.makedirs(path, 0o700, exist_ok=True)
    name = os.path.join(folder, f"{letter.time}-{os.getpid()}")
    handle = os.open(name + ".part", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(handle, written([*letter[:6]]).encode("utf-8", "replace"))
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(name + ".part", name + LETTER)
