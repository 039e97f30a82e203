"""Stores in which there is something to sum up, to connect and to tune."""

from __future__ import annotations

from pathlib import Path

import treering
from treering.ledger import decide
from treering.ledger.types import Context

EPISODES = (
    "The nightly build failed on node 7: its build cache was full",
    "Nightly build red again, node 7 has no room left in the build cache",
    "Cleared the build cache of node 7 with make clean-cache, the nightly build is green",
)
SUMMARY = "The nightly build fails on node 7 when its build cache is full; make clean-cache clears it"
RELATIONS = (
    ("The checkout service uses Redis for its sessions", "shop", "2026-03-01"),
    ("Redis replaced Memcached in the checkout service", "shop", "2026-03-02"),
    ("src/auth.py imports PyJWT", "shop", ""),
    ("Anna looks after src/auth.py", "shop", ""),
    ("The invoices service uses Redis as a queue", "billing", ""),
)
ANIMALS = "otter heron badger lynx marten osprey vole stoat".split()
PLACES = "harbour quarry orchard meadow cellar".split()


def storied(home: Path) -> tuple[str, ...]:
    """Memories 1 to 3 are episodes on one matter, of one project."""
    with treering.open(home, actor="user") as memory:
        for number, text in enumerate(EPISODES, 1):
            memory.remember(text, type="episodic", project="shop", session=f"day-{number}")
    return "--home", str(home)


def related(home: Path) -> tuple[str, ...]:
    """Memories that relate what they name, in two projects."""
    with treering.open(home, actor="user") as memory:
        for text, project, at in RELATIONS:
            memory.remember(text, project=project, at=at or None)
    return "--home", str(home)


def mistuned(home: Path) -> tuple[str, ...]:
    """Recalls that were judged, and a weighing afterwards by which none of them would have found its answer."""
    with treering.open(home, actor="user") as memory:
        notes = {
            (animal, place): memory.remember(f"The {animal} sleeps in the {place} until the bell rings").id
            for animal in ANIMALS
            for place in PLACES
        }
        for (animal, place), right in notes.items():
            found = memory.recall(f"where does the {animal} of the {place} sleep", k=4, silent=False)
            for hit in found.hits:
                memory.feedback(found.id, hit.memory.id, "helpful" if hit.memory.id == right else "not_helpful")
        off = {"keyword": 0.0, "vector": 0.0, "neighbour": 0.0, "likeness": 0.0}
        memory.ledger.commit(lambda: [decide.weigh({**off, "graph": 1.0}, Context(actor="user"))])
    return "--home", str(home)
