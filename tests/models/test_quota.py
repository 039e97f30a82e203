"""Nothing is asked of an agent that says that little of the user's plan is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treering.models.quota import CLAUDE, CODEX, FILE_NAME, SECOND, is_low, note

NOW = 1_800_000_000
LATER, BEFORE = NOW + 60, NOW - 60


def claude(used: float, resets: float = LATER) -> dict[str, Any]:
    return {"rate_limits": {"five_hour": {"used_percentage": used, "resets_at": resets}}}


@pytest.mark.parametrize(
    ("told", "low"),
    [
        (claude(79), False),
        (claude(80), True),
        (claude(99, BEFORE), False),
        ({}, False),
        ({"rate_limits": [1]}, False),
        ({"rate_limits": {"five_hour": {"used_percentage": "99", "resets_at": None}}}, False),
    ],
)
def test_claude_code_says_it_to_its_status_line(tmp_path: Path, told: dict[str, Any], low: bool) -> None:
    note(str(tmp_path), told)
    assert is_low(CLAUDE, str(tmp_path), NOW * SECOND) is low
    assert not is_low("other", str(tmp_path), NOW * SECOND)


def test_what_was_said_last_counts(tmp_path: Path) -> None:
    for used in (95, 3):
        note(str(tmp_path), claude(used))
    assert not is_low(CLAUDE, str(tmp_path), NOW * SECOND)
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("text", ["", "{", "[[1]]", '[["x", 1]]', "7"])
def test_a_damaged_note_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    assert not is_low(CLAUDE, str(tmp_path), NOW * SECOND)


def test_codex_writes_it_into_its_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last report of the newest session, by what it says and not by other lines that mention it."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    assert not is_low(CODEX, "", NOW * SECOND)
    for day, used in (("01", 10), ("02", 91)):
        folder = tmp_path / "sessions" / "2027" / "01" / day
        folder.mkdir(parents=True)
        limits = {"primary": {"used_percent": used, "resets_at": LATER}, "secondary": None, "plan_type": "plus"}
        rows = [{"payload": {"type": "token_count", "rate_limits": limits}}, {"payload": 'say "rate_limits"'}]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"rollout-2027-01-{day}.jsonl").write_text(lines + '{"rate_limits": nonsense\n')
        assert is_low(CODEX, "", NOW * SECOND) is (used > 80)
