"""Text with few contradictions: how many are raised when it is written in its order.

Turns of talks and sessions with an assistant, which seldom state the same thing twice. What is raised here is mostly a
false alarm, and sometimes a thing that has changed.
"""

from __future__ import annotations

import json
import os
from typing import NamedTuple

from benchmarks.contradictions.writing import raised

SETS = ("locomo", "longmemeval-turns", "coding-sessions")
_MEMORIES = "memories.jsonl"


class Alarms(NamedTuple):
    set: str
    memories: int
    raised: int

    @property
    def rate(self) -> float:
        """For 1,000 memories."""
        return 1000 * self.raised / self.memories if self.memories else 0.0


def measure(folder: str) -> list[Alarms]:
    """Each set that is there; every corpus is a store of its own."""
    found = []
    for name in SETS:
        path = os.path.join(folder, name, _MEMORIES)
        if not os.path.isfile(path):
            continue
        corpora: dict[str, list[str]] = {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                corpora.setdefault(row["corpus"], []).append(row["content"])
        count = sum(1 for texts in corpora.values() for _ in raised(texts))
        found.append(Alarms(name, sum(map(len, corpora.values())), count))
    return found
