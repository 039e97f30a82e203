"""The shape of an answer: which keys it has, and which of them a snapshot knows."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "snapshots"


def snapshot(name: str) -> Any:
    """Return what was called from outside when the snapshot was taken. A name may be added to it, none taken away."""
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def paths(value: Any) -> list[str]:
    """Return every path of keys in a JSON value, sorted: `hits[].why.parts`."""
    return sorted(set(_paths(value, "")))


def gone(known: Collection[str], found: Collection[str]) -> list[str]:
    """Return what was known and is not found."""
    return sorted({*known} - {*found})


def _paths(value: Any, before: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            path = f"{before}.{name}" if before else name
            yield path
            yield from _paths(inner, path)
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, f"{before}[]")
