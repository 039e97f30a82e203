"""A store that an earlier version wrote opens, verifies, and folds to what it was then."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.ledger.frozen import ASKED_AT, EXPORT, SPACES, answered, copied, fields, folded, memories, ran
from treering.ledger.events import RAISED

KNOWN = folded()
NAMES = list(KNOWN["memories"][0])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return copied(tmp_path)


def told(home: Path) -> list[dict[str, Any]]:
    return [fields(memory, NAMES) for memory in memories(home)]


def by_id(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows}


def common(found: list[dict[str, Any]], known: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what was found, as far as it was known then."""
    return [{name: row[name] for name in known[0]} for row in found]


def views(home: Path) -> dict[str, Any]:
    """Return what the projections tell of a store, beside its memories."""
    commands = (
        ("contradictions", "--all"),
        ("evolve", "list"),
        ("evolve", "log"),
        ("consolidate", "list"),
        ("captured", "--limit", "0"),
        ("graph", "export"),
        ("log", "--limit", "0"),
        ("rings",),
        ("usage", KNOWN["recalls"][0]["ids"][0]),
    )
    return {" ".join(words): answered(home, *words) for words in commands}


def asked(home: Path, floor: float | None = None) -> list[list[str]]:
    """Return the ids that each of the stored questions finds, best first."""
    with treering.open(home) as memory:
        found = [
            memory.recall(one["query"], at=ASKED_AT, log=False, floor=floor, **one["options"])
            for one in KNOWN["recalls"]
        ]
    return [[hit.memory.id for hit in recall.hits] for recall in found]


def test_every_memory_is_what_it_was(home: Path) -> None:
    """In the same order, with every field."""
    assert told(home) == KNOWN["memories"]


def test_a_memory_and_its_history_are_found_by_its_id(home: Path) -> None:
    """Each memory, and every event about it in the order in which they happened."""
    with treering.open(home) as memory:
        histories = {id: [event.id for event in memory.history(id)] for id in KNOWN["histories"]}
        found = [fields(memory.get(id), NAMES) for id in KNOWN["histories"]]
    assert histories == KNOWN["histories"]
    assert found == [row for row in KNOWN["memories"] if row["id"] in histories]


def test_the_ledger_is_whole(home: Path) -> None:
    """The chains, the projections and the indexes; no event has another name, and none is missing."""
    report = answered(home, "verify")
    assert {name: report[name] for name in KNOWN["verify"]} == KNOWN["verify"]
    events = [event for space in SPACES for event in answered(home, "--space", space, "log", "--limit", "0")]
    assert Counter(event["kind"] for event in events) == KNOWN["kinds"]
    assert [event["id"] for event in events if event["space"] == SPACES[0]] == KNOWN["log"]


def test_what_was_decided_stands(home: Path) -> None:
    """Contradictions, proposals, groups of episodes, and what was captured. A proposal is worded when it is read."""
    found = [{**one, "a": one["a"]["id"], "b": one["b"]["id"]} for one in answered(home, "contradictions", "--all")]
    assert common(found, KNOWN["contradictions"]) == KNOWN["contradictions"]
    for name, words in {
        "proposals": ("evolve", "list"),
        "groups": ("consolidate", "list"),
        "captured": ("captured", "--limit", "0"),
    }.items():
        known = [_unworded(one) for one in KNOWN[name]]
        assert common([_unworded(one) for one in answered(home, *words)], known) == known


def _unworded(one: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in one.items() if key not in ("proposal", "evidence")}


def test_recall_answers_as_it_did(home: Path) -> None:
    """The same memories in the same order. What is shown of them is learned, and may change."""
    known = [one["ids"] for one in KNOWN["recalls"]]
    assert [found[: len(ids)] for found, ids in zip(asked(home, 0.0), known, strict=True)] == known


def test_a_rebuild_changes_nothing(home: Path) -> None:
    """Memories, and all that the other projections tell. The graph is read anew by the rules of today."""
    before, graph = (told(home), views(home), asked(home)), "graph export"
    before[1].pop(graph)
    ran(home, "rebuild")
    again = (told(home), views(home), asked(home))
    drawn = again[1].pop(graph)
    assert again == before
    ran(home, "rebuild")
    assert views(home)[graph] == drawn
    assert before[0] == KNOWN["memories"]
    assert answered(home, "verify")["clean"]


def test_its_export_makes_the_same_memories_in_an_empty_store(tmp_path: Path) -> None:
    """And that store exports the same file, with what it finds to contradict each other beside it."""
    home = tmp_path / "empty"
    ran(home, "import", str(EXPORT), "--mine")
    assert by_id(told(home)) == by_id(KNOWN["memories"])
    assert answered(home, "verify")["clean"]
    ran(home, "export", str(tmp_path / "again.jsonl"))
    again, before = (
        {line for line in path.read_text().splitlines() if '"treering"' not in line}
        for path in (tmp_path / "again.jsonl", EXPORT)
    )
    assert before <= again and all(RAISED in line for line in again - before)


def test_the_store_exports_what_it_exported(home: Path, tmp_path: Path) -> None:
    """To the byte."""
    ran(home, "export", str(tmp_path / "again.jsonl"))
    assert (tmp_path / "again.jsonl").read_bytes() == EXPORT.read_bytes()


def test_what_hooks_had_left_is_taken_in(tmp_path: Path) -> None:
    """From the store and from beside it: two memories are new, two were shown, the rest is as it was."""
    home = copied(tmp_path, queued=True)
    ran(home, "captured")
    found, known = by_id(told(home)), by_id(KNOWN["memories"])
    new = [{name: row[name] for name in NAMES if name != "id"} for id, row in found.items() if id not in known]
    assert sorted(new, key=lambda row: str(row["content"])) == KNOWN["received"]["new"]
    assert {id: row for id, row in found.items() if id in known} == known | by_id(KNOWN["received"]["changed"])
    assert not (home / "inbox").exists() or not any((home / "inbox").iterdir())
    assert answered(home, "verify")["clean"]


def test_the_past_is_still_there(home: Path) -> None:
    """At the end of the story all is as it is now, and on its first evening there is what was said that day."""
    with treering.open(home, as_of=ASKED_AT) as memory:
        now = by_id([fields(one, NAMES) for one in (*memory.list(), *memory.list(status="forgotten"))])
    assert now == by_id([row for row in KNOWN["memories"] if row["space"] == SPACES[0]])
    with treering.open(home, as_of="2026-01-05T23:00:00Z") as memory:
        first = {one.id: one.content for one in memory.list()}
    assert first["kap2pyab-1"] == "Run migrations with a lock timeout of 5 s"
    assert len(first) == 12
