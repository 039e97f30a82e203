"""changed-facts: what a fact is about is read from the form of its sentence, and later facts override earlier ones.

A raised pair is right if both state the same relation of the same subject with different values. A changed query is
found if the fact that answers it was raised against one that it overrides.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from benchmarks.contradictions.writing import raised

SET = "changed-facts"

_FORMS = """
The headquarters of S is located in the city of V
S is located in the continent of V
S is a citizen of V
S is affiliated with the religion of V
S is married to V
S is associated with the sport of V
S was founded by V
S was created by V
S was performed by V
S was developed by V
S speaks the language of V
S was born in the city of V
S died in the city of V
The univeristy where S was educated is V
S is famous for V
The company that produced S is V
S was created in the country of V
The name of the current head of the S government is V
The name of the current head of state in S is V
S worked in the city of V
S is employed by V
S was founded in the city of V
S was written in the language of V
S's child is V
S plays the position of V
S works in the field of V
The type of music that S plays is V
The (?:capital|official language|chief executive officer|origianl broadcaster|chairperson) of S is V
The (?:director|head coach|original language|author) of S is V
The S is V
""".strip().split("\n")
_PATTERNS = [
    re.compile(re.sub(r"\bS\b", "(?P<subject>.+)", re.sub(r"\bV\b", "(?P<value>.+)", form)) + r"\.\Z")
    for form in _FORMS
]


class Facts(NamedTuple):
    memories: int
    raised: int
    right: int
    changed: int  # queries
    found: int  # whose stale fact was raised

    @property
    def precision(self) -> float:
        return self.right / self.raised if self.raised else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.changed if self.changed else 0.0


def read_fact(text: str) -> tuple[str, str, str] | None:
    """Relation, subject and value."""
    for form in _PATTERNS:
        match = form.match(text)
        if match:
            start, end = match.span("subject")
            relation = text[:start] + "…" + text[end : match.start("value")]
            return relation, match["subject"], match["value"]
    return None


def is_change(one: str, other: str) -> bool:
    mine, theirs = read_fact(one), read_fact(other)
    return mine is not None and theirs is not None and mine[:2] == theirs[:2] and mine[2] != theirs[2]


def is_there(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, SET, "queries.jsonl"))


def measure(folder: str) -> Facts:
    place = os.path.join(folder, SET)
    corpora: dict[str, list[dict[str, Any]]] = {}
    for row in _lines(os.path.join(place, "memories.jsonl")):
        corpora.setdefault(row["corpus"], []).append(row)
    queries = [row for row in _lines(os.path.join(place, "queries.jsonl")) if row["kind"] == "changed"]
    every = right = 0
    met: set[tuple[str, str, str]] = set()
    for corpus, rows in corpora.items():
        for pair in raised([row["content"] for row in rows]):
            earlier, later = rows[pair.earlier], rows[pair.later]
            every += 1
            right += is_change(earlier["content"], later["content"])
            met.add((corpus, earlier["id"], later["id"]))
    found = sum(_is_found(query["corpus"], query["stale"], query["relevant"], met) for query in queries)
    return Facts(sum(map(len, corpora.values())), every, right, len(queries), found)


def _is_found(corpus: str, stale: Iterable[str], current: Iterable[str], met: set[tuple[str, str, str]]) -> bool:
    return any((corpus, old, new) in met for old in stale for new in current)


def _lines(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]
