"""An export of mem0: a list of memories, plain or under `results`. It is only read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any

from treering.ledger.errors import InvalidInput

TAG = "mem0"
LISTS = ("results", "memories")  # what the list is called, when it is not the whole file
_TEXTS = ("memory", "data", "text")  # what the words of a memory are called, by version
_TIMES = ("updated_at", "created_at")


def rows(file: IO[bytes], name: str) -> Iterator[dict[str, Any]]:
    """Yield the memories of a file as rows, each with the number that it has there."""
    for number, one in enumerate(_list(file, name), 1):
        text = next((one[key] for key in _TEXTS if isinstance(one.get(key), str)), "") if isinstance(one, dict) else ""
        if not text.strip():
            raise InvalidInput(f"{name}: memory {number} has no text: an export of mem0 has {{'memory': …}} in each")
        yield {"content": text, "tags": (TAG, *_categories(one)), "number": number} | _time(one)


def is_mem0(start: bytes) -> bool:
    """Tell whether a file looks like an export of mem0 by how it begins."""
    head = start.lstrip()
    return (
        head[:1] in (b"[", b"{") and b'"memory"' in head and any(key.encode() in head for key in ("user_id", *_TIMES))
    )


def _list(file: IO[bytes], name: str) -> list[Any]:
    try:
        loaded = json.load(file)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} is no JSON: {error}") from error
    if isinstance(loaded, dict):
        loaded = next((loaded[key] for key in LISTS if key in loaded), None)
    if not isinstance(loaded, list):
        raise InvalidInput(f"{name} holds no list of memories: mem0 writes one under {' or '.join(LISTS)}")
    return loaded


def _categories(one: Mapping[str, Any]) -> tuple[str, ...]:
    given = one.get("categories")
    return tuple(tag for tag in given if isinstance(tag, str) and tag.strip()) if isinstance(given, list) else ()


def _time(one: Mapping[str, Any]) -> dict[str, str]:
    return next(({"at": one[key]} for key in _TIMES if isinstance(one.get(key), str) and one[key]), {})
