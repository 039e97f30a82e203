"""The labelled transcripts that rules were made with: all that they tell is found, and nothing else.

How well the rules do on transcripts that nobody looked at is measured by `make bench-friction`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.skills.signals.sessions import in_pieces, last, mined
from treering.skills.signals.loops import Loop, Prompt, Stop

CASES = [json.loads(row) for row in (Path(__file__).parent / "cases/train.jsonl").read_text("utf-8").splitlines()]


def written(rows: list[str]) -> bytes:
    """The file of a case. A last line that is no JSON is still being written."""
    try:
        json.loads(rows[-1])
        end = "\n"
    except ValueError:
        end = ""
    return ("\n".join(rows) + end).encode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_labelled_transcript_is_read_as_it_is_labelled(tmp_path: Path, case: dict[str, Any]) -> None:
    found = mined(tmp_path, written(case["lines"])).signals
    labels = case["labels"]
    assert sorted(one.id for one in found if isinstance(one, Prompt)) == sorted(labels["prompts"])
    assert [(one.tool, one.id, one.count) for one in found if isinstance(one, Loop)] == [
        (one["tool"], one["first"], one["count"]) for one in labels["loops"]
    ]
    assert [(one.kind, one.tool, one.reason) for one in found if isinstance(one, Stop)] == [
        (one["kind"], one["tool"], one["reason"]) for one in labels["stops"]
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_labelled_transcript_tells_the_same_in_pieces(tmp_path: Path, case: dict[str, Any]) -> None:
    data = written(case["lines"])
    whole = mined(tmp_path, data).signals
    cuts = random.Random(case["name"]).sample(range(len(data)), 5)
    assert last(in_pieces(tmp_path / "pieces.jsonl", data, cuts)) == last(whole)
