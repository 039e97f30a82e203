"""What was written where, so that exactly that goes again: a file in the home folder of the store."""

from __future__ import annotations

import json
import os

from treering.core.errors import TreeringError
from treering.core.tuples import NamedTuple
from treering.install import files
from treering.install.splices import Splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.install.entries import Path

FILE_NAME = "installed.json"
FORMAT = 1
UNKNOWN = "?"  # instead of a digest: entries of ours were found, and nobody knows what was there before them


class UnreadableRecords(TreeringError):
    """The file that says what was installed cannot be read."""


class Edited(NamedTuple):
    """A file of another program that has entries of ours."""

    agent: str
    before: str  # digest; nothing if there was no such file, or UNKNOWN
    after: str
    steps: tuple[Splice, ...]  # from the one to the other
    made: tuple[Path, ...]  # what was not there, and holds our entries
    backup: str = ""
    version: str = ""


class Placed(NamedTuple):
    """A file of ours in a folder of another program."""

    agents: tuple[str, ...]  # for which it was placed
    digest: str


class Records:
    """All of it, and the folders that were made."""

    def __init__(self, home: str) -> None:
        self.path = os.path.join(home, FILE_NAME)
        self.edited: dict[str, Edited] = {}
        self.placed: dict[str, Placed] = {}
        self.folders: list[str] = []
        self._load()

    def __bool__(self) -> bool:
        return bool(self.edited or self.placed or self.folders)

    def release(self, path: str, agent: str) -> bool:
        """An agent needs a placed file no longer. Whether no other does."""
        known = self.placed.get(path)
        others = tuple(name for name in known.agents if name != agent) if known else ()
        if known and others:
            self.placed[path] = known._replace(agents=others)
            return False
        self.placed.pop(path, None)
        return True

    def save(self) -> None:
        """Write it down; a record of nothing is no file."""
        if not self:
            files.delete(self.path)
            return
        value = {
            "format": FORMAT,
            "edited": {path: one._asdict() for path, one in self.edited.items()},
            "placed": {path: one._asdict() for path, one in self.placed.items()},
            "folders": self.folders,
        }
        files.write(self.path, json.dumps(value, indent=1).encode(), files.PRIVATE)

    def _load(self) -> None:
        data = files.read(self.path)
        if data is None:
            return
        try:
            value = json.loads(data)
            if value["format"] != FORMAT:
                raise ValueError("it is of another version")
            self.edited = {path: _edited(one) for path, one in value["edited"].items()}
            self.placed = {path: Placed(tuple(one["agents"]), one["digest"]) for path, one in value["placed"].items()}
            self.folders = list(value["folders"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnreadableRecords(
                f"{self.path} cannot be understood ({error}): move it away, and entries are found by what they say"
            ) from error


def _edited(value: dict[str, Any]) -> Edited:
    steps = tuple(Splice(*step) for step in value["steps"])
    return Edited(**{**value, "steps": steps, "made": tuple(tuple(path) for path in value["made"])})
