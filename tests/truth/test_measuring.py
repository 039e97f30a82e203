"""The benchmark of contradictions measures what it says."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from benchmarks.contradictions import facts, pairs, writing
from benchmarks.contradictions.goals import goals
from benchmarks.contradictions.pairs import DEV, HELD, Pair

contradictions = importlib.import_module("benchmarks.contradictions.__main__")

RIGHT = Pair("The timeout is 30 s.", "The timeout is 90 s.", True, "number", DEV)
MISSED = Pair("Hamid eats meat.", "He is a vegetarian.", True, "negation", HELD)
WRONG = Pair("The timeout is 30 s.", "The timeout is 90 s.", False, "condition", HELD)
QUIET = Pair("The user likes tea.", "The office has a piano.", False, "complement", DEV)


def test_precision_and_recall_count_what_was_raised() -> None:
    every, dev, *_ = pairs.scores([RIGHT, QUIET, MISSED, WRONG])
    assert (every.right, every.wrong, every.missed) == (1, 1, 1)
    assert (every.precision, every.recall, every.f1) == (0.5, 0.5, 0.5)
    assert (dev.name, dev.precision, dev.recall) == (DEV, 1.0, 1.0)


def test_the_goal_is_about_the_split_that_nobody_saw() -> None:
    asked = goals(pairs.scores([RIGHT, QUIET, MISSED, WRONG]), None, [])
    assert [(goal.what, goal.met) for goal in asked] == [("held: precision", False), ("held: recall", False)]


def test_a_fact_is_taken_apart_by_its_form() -> None:
    assert facts.read_fact("The capital of France is Paris.") == ("The capital of … is ", "France", "Paris")
    assert facts.is_change("The capital of France is Paris.", "The capital of France is Harare.")
    assert not facts.is_change("The capital of France is Paris.", "The capital of Spain is Madrid.")
    assert not facts.is_change("Chanel was founded by Coco Chanel.", "Chanel was created by Coco Chanel.")


def test_a_memory_is_compared_with_earlier_ones_that_share_words_with_it() -> None:
    texts = ["The cache lives in Redis.", "Ana likes tea.", "The cache lives in Memcached."]
    assert [(each.earlier, each.later) for each in writing.raised(texts)] == [(0, 2)]
    assert not list(writing.raised(texts, most=0))


def test_a_run_tells_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(pair._asdict()) + "\n" for pair in (RIGHT, QUIET)))
    place = tmp_path / facts.SET
    place.mkdir()
    rows = ["The capital of France is Paris.", "The capital of France is Harare."]
    memories = [{"corpus": "c", "id": str(at), "content": text} for at, text in enumerate(rows)]
    (place / "memories.jsonl").write_text("".join(json.dumps(row) + "\n" for row in memories))
    query = {"corpus": "c", "kind": "changed", "stale": ["0"], "relevant": ["1"]}
    (place / "queries.jsonl").write_text(json.dumps(query) + "\n")
    assert contradictions.main(["--pairs", str(file), "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "| dev | 2 | 1 | 0 | 0 | 1.000 | 1.000 | 1.000 |" in said
    assert "| changed-facts | 2 | 1 | 1 | 1.000 | 1 | 1 | 1.000 |" in said
