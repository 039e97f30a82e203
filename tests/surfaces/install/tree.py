"""What is in a folder, to the byte."""

from __future__ import annotations

import os
from pathlib import Path


def tree(folder: Path) -> dict[str, bytes | None]:
    """Each file below with what it holds, and each folder; not the store's own."""
    found: dict[str, bytes | None] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not name.startswith(".treering"):
            found[name] = path.read_bytes() if path.is_file() else None
    return found


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def changed(before: dict[str, bytes | None], after: dict[str, bytes | None]) -> list[str]:
    return [name for name in {**before, **after} if before.get(name, b"-") != after.get(name, b"-")]


def modes(folder: Path) -> dict[str, int]:
    return {str(path): os.stat(path).st_mode for path in folder.rglob("*") if path.is_file()}
