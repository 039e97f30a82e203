"""The hooks' own log is short, for its owner only, and may hold anything."""

from __future__ import annotations

import os
from errno import ENOSPC
from pathlib import Path

import pytest

import treering
from treering.stores import files as journal
from treering.stores.files import LOG_NAME, HookRun, note, noted
from treering.surfaces.cli.doctor import WARN, examine

NOON = 1_767_268_800_000_000


def test_what_is_noted_is_read_again(tmp_path: Path) -> None:
    note(str(tmp_path), NOON, "Stop", "codex", 1_234)
    note(str(tmp_path), NOON + 1, "SessionEnd", "claude-code", 5, "OSError: no\tspace\nleft\u2028here")
    assert noted(str(tmp_path)) == [
        HookRun(NOON, "Stop", "codex", 1_234),
        HookRun(NOON + 1, "SessionEnd", "claude-code", 5, "OSError: no space left here"),
    ]
    assert (tmp_path / journal.LOG_NAME).stat().st_mode & 0o777 == 0o600


def test_it_never_grows_large_and_keeps_the_last_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LARGEST", 2_000)
    for number in range(500):
        note(str(tmp_path), NOON + number, "Stop", "codex", number, "wrong " * 100)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2 * 2_000 + 1_000
    runs = noted(str(tmp_path))
    assert [run.took for run in runs] == [*range(500 - len(runs), 500)] and len(runs) > 4
    assert all(len(run.problem) <= 300 for run in runs)


def test_where_there_is_no_home_none_is_made(tmp_path: Path) -> None:
    note(str(tmp_path / "home"), NOON, "Stop", "codex", 1)
    assert [*tmp_path.iterdir()] == [] == noted(str(tmp_path / "home"))


@pytest.mark.parametrize(
    "line",
    [
        *("", "hello", "\t\t\t\t", "x\tStop\tcodex\t5\t", "5\tStop\tcodex\t-5\t", "\x00" * 50),
        *("9" * 5_000 + "\tStop\tcodex\t5\tbad", "5\tStop\tcodex\t" + "9" * 5_000),
        *("5\tStop\tcodex\t5\t\tmore", "²\tStop\tcodex\t5\t"),
    ],
)
def test_lines_that_somebody_else_wrote_are_left_out(line: str, tmp_path: Path) -> None:
    note(str(tmp_path), NOON, "Stop", "codex", 1)
    with (tmp_path / journal.LOG_NAME).open("a") as file:
        file.write(line + "\n")
    note(str(tmp_path), NOON, "Stop", "codex", 2)
    assert [run.took for run in noted(str(tmp_path))] == [1, 2]


def test_doctor_tells_how_long_hooks_took_and_what_went_wrong(tmp_path: Path) -> None:
    home = tmp_path / "home"
    treering.open(home).close()
    assert [one.found for one in examine(str(home), {}) if one.name == "hooks"] == ["none has run here"]
    for took in range(1, 101):
        note(str(home), NOON, "Stop", "codex", took * 1_000)
    note(str(home), NOON, "tend", "codex", 90_000_000)
    (run,) = [one for one in examine(str(home), {}) if one.name == "hooks"]
    assert run.found.startswith("100 runs, 51 ms in the middle, 96 ms at the 95th percentile")
    assert [one for one in examine(str(home), {}) if one.name == "hook errors"] == []
    note(str(home), NOON, "Stop", "codex", 1, "OSError: no space left")
    (wrong,) = [one for one in examine(str(home), {}) if one.name == "hook errors"]
    assert wrong.level == WARN and "2026-01-01" in wrong.found and "OSError: no space left" in wrong.found


@pytest.mark.parametrize("time", ["9" * 22, "0", "9" * 18])
def test_doctor_takes_any_moment(time: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    treering.open(home).close()
    (home / journal.LOG_NAME).write_text(f"{time}\tStop\tcodex\t5\tbad\n")
    assert any(one.name == "hooks" for one in examine(str(home), {}))


def test_what_a_full_disk_had_no_room_to_tell_is_told_when_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty file fits on a full disk: it says that there was something, and goes once the log says it."""

    def full(handle: int, data: object) -> int:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        note(str(tmp_path), 1, "Stop", "claude-code", 5, "no space is left")
    (told,) = noted(str(tmp_path))
    assert "the disk was full" in told.problem and told.time > 1
    note(str(tmp_path), 2, "Stop", "claude-code", 5)
    assert [one.problem for one in noted(str(tmp_path))] == [told.problem, ""]
    assert [path.name for path in tmp_path.iterdir()] == [LOG_NAME]
