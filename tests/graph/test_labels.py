"""The labelled notes of the graph are sound, and what is read out of them is counted as their page says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from benchmarks.graph import extraction, hops, labels
from benchmarks.graph.extraction import ALL, ENTITIES, NAMES, RELATIONS, Score
from treering.graph.extract import Reading
from treering.graph.rules import ENTITY_TYPES, RELATION_TYPES
from treering.stores.port.graph import Mention, Statement

FILES = [path for name in ("train", "held") if os.path.exists(path := os.path.join(labels.HERE, f"{name}.jsonl"))]
NOTE = {
    "id": "a",
    "text": "Redis 7 replaced Memcached as the cache.",
    "entities": [
        {"name": "Redis", "type": "tool"},
        {"name": "Memcached", "type": "tool"},
        {"name": "cache", "type": "concept", "optional": True},
    ],
    "relations": [{"source": "Redis", "type": "replaces", "target": "Memcached"}],
}


@pytest.mark.parametrize("path", FILES)
def test_every_label_is_one_of_the_types_and_stands_in_its_note(path: str) -> None:
    for note in labels.notes(path):
        assert {type for each in note.entities for type in each.types} <= {*ENTITY_TYPES}
        assert {type for each in note.relations for type in each.types} <= {*RELATION_TYPES}
        assert all(each.name.lower() in note.text.lower() for each in note.entities), note.id


def test_no_note_is_in_both_sets() -> None:
    texts = [note.text for path in FILES for note in labels.notes(path)]
    assert len(texts) == len({*texts}) >= 100


def test_every_question_has_its_answer_in_the_store() -> None:
    rows = list(labels.rows(hops.HOPS))
    ids = {row["id"] for row in rows if row["kind"] == "note"}
    questions = [row for row in rows if row["kind"] == "question"]
    assert all(row["relevant"] and ids.issuperset(row["relevant"]) for row in questions)
    assert {row["part"] for row in questions} == {*hops.PARTS}


def _scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Reading) -> dict[str, Score]:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps(NOTE), encoding="utf-8")
    monkeypatch.setattr(extraction, "read", lambda text: found)
    return {tally.what: tally.scores("x")[0] for tally in extraction.tallied(labels.notes(str(path)))}


def _reading(types: tuple[str, str, str], source: str, target: str) -> Reading:
    names = ("Redis 7", "Memcached", "cache")
    seen = tuple(Mention(name.lower(), name, type, 0.9) for name, type in zip(names, types, strict=True))
    return Reading(seen, (Statement(source, "replaces", target, 0.9, 0, 0),))


def test_what_a_reader_found_is_right_by_either_name_and_what_is_optional_counts_neither_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _scores(tmp_path, monkeypatch, _reading(("tool", "tool", "person"), "redis 7", "memcached"))
    for what, number in ((ENTITIES, 2), (NAMES, 2), (RELATIONS, 1)):
        assert found[what] == Score("x", what, ALL, number, number, number, number, int(what != RELATIONS))


def test_a_wrong_type_and_a_wrong_direction_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _scores(tmp_path, monkeypatch, _reading(("person", "tool", "concept"), "memcached", "redis 7"))
    assert found[ENTITIES].precision == 0.5
    assert found[NAMES].precision == 1.0
    assert found[RELATIONS].precision == 0.0
    assert found[RELATIONS].recall == 0.0
