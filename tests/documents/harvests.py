"""A repository with a document in it, and what a harvest of it came to."""

from __future__ import annotations

from pathlib import Path

from treering.documents.harvest.harvest import Harvest
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery

DESIGN = """\
# Design

## Storage

- The store is SQLite in WAL mode.
- Backups are made every night at 02:00.

## Deployment

Deploys go out on Fridays after the review meeting.

The release manager tags the commit before the deploy.

## Review

- Every change is read by two people.
"""
TOKEN = "ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def take(memory: Treering, *paths: Path, project: str = "shop", root: str = "", dry_run: bool = False) -> Harvest:
    return memory.documents.harvest([str(path) for path in paths], project=project, root=root, dry_run=dry_run)


def counts(done: Harvest) -> tuple[int, int, int, int]:
    added, changed, gone, known = (done.count(name) for name in ("added", "changed", "gone", "known"))
    return added, changed, gone, known


def events(memory: Treering) -> int:
    return sum(1 for _ in memory.store.events(EventQuery()))


def told(memory: Treering) -> dict[str, str]:
    """The facts in use, and where each of them comes from."""
    return {one.content: one.origin for one in memory.list() if one.status in ("created", "active")}


def id_of(memory: Treering, part: str) -> str:
    (found,) = [one.id for one in memory.list() if part in one.content]
    return found
