"""Sets of questions: a folder with `memories.jsonl` and `queries.jsonl`, in one format for all of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

MEMORIES, QUERIES = "memories.jsonl", "queries.jsonl"
CHANGED, UNCHANGED = "changed", "unchanged"  # kinds of questions about facts that may have been overridden

# Those that the goals are about come first, in this order; further ones follow by name.
KNOWN = ("locomo", "longmemeval-sessions", "longmemeval-turns", "coding-sessions", "changed-facts")


class NoData(Exception):
    """There is no set of questions in the folder."""


class Row(NamedTuple):
    """A memory of a set."""

    id: str
    content: str
    at: str
    session: str
    role: str = ""  # who said it


class Query(NamedTuple):
    text: str
    relevant: frozenset[str]  # ids of the rows that answer it; none if silence is right
    kind: str
    at: str | None  # when it was asked


class Corpus(NamedTuple):
    """A store of its own, and what is asked of it."""

    name: str
    rows: list[Row]
    queries: list[Query]


def names(folder: str) -> list[str]:
    """The sets in a folder."""
    if not os.path.isdir(folder):
        raise NoData(f"there is no folder {folder}: say where the sets are with --data (make: DATA=…)")
    found = [name for name in os.listdir(folder) if _is_set(os.path.join(folder, name))]
    if not found:
        raise NoData(f"no set in {folder}: a set is a folder with {MEMORIES} and {QUERIES}")
    return sorted(found, key=lambda name: (KNOWN.index(name) if name in KNOWN else len(KNOWN), name))


def chosen(folder: str, only: Sequence[str] | None) -> list[str]:
    """Some of the sets in a folder, or all."""
    there = names(folder)
    for name in only or ():
        if name not in there:
            raise NoData(f"there is no set {name} in {folder}, only {', '.join(there)}")
    return [name for name in there if not only or name in only]


def read(folder: str, name: str, limit: int = 0) -> list[Corpus]:
    """The corpora of a set; with a limit, only as many queries, and the corpora that these are about."""
    place = os.path.join(folder, name)
    asked: dict[str, list[Query]] = {}
    for number, line in enumerate(_lines(os.path.join(place, QUERIES))):
        if limit and number == limit:
            break
        query = Query(line["query"], frozenset(line["relevant"]), line.get("kind") or "", line.get("at"))
        asked.setdefault(line["corpus"], []).append(query)
    rows: dict[str, list[Row]] = {corpus: [] for corpus in asked}
    for line in _lines(os.path.join(place, MEMORIES)):
        if line["corpus"] in rows:
            told = (line.get(name) or "" for name in ("at", "session", "role"))
            row = Row(line["id"], line["content"], *told)
            rows[line["corpus"]].append(row)
    return [Corpus(corpus, rows[corpus], queries) for corpus, queries in asked.items()]


def _is_set(place: str) -> bool:
    return all(os.path.isfile(os.path.join(place, file)) for file in (MEMORIES, QUERIES))


def _lines(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
