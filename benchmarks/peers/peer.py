"""What is asked of everybody: to take rows in, and to find them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple, Protocol

from benchmarks.recall.sets import Row

MISSING = "not installed: pip install 'treering[peers]'"


class Peer(Protocol):
    """An open store in a folder of its own."""

    def add(self, rows: Sequence[Row]) -> None: ...

    def ready(self) -> None:
        """After the last add: do what the first search would otherwise have to do."""

    def search(self, query: str, count: int) -> list[str]:
        """Ids of rows, best first."""

    def close(self) -> None: ...


class Kind(NamedTuple):
    name: str
    packages: tuple[str, ...]  # as PyPI calls them: without all of them it cannot run
    open: Callable[[str], Peer]

    @property
    def version(self) -> str | None:
        """That of the first package; None if one of them is missing."""
        try:
            first, *_ = [version(package) for package in self.packages]
            return first
        except PackageNotFoundError:
            return None
