"""A store that was sound, and held more once: what is missing is named, and no number is used twice."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import treering
from treering.ledger.transfer import export_file, import_file
from treering.ledger.verify import verify
from treering.stores.files import FILE_NAME
from treering.stores.sqlite import heads
from treering.surfaces.cli.doctor import FAIL, WARN, examine

TEXTS = ("The harbour crane is yellow", "The airport tower is green", "The night ferry leaves at nine")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def problems(home: Path) -> tuple[str, ...]:
    with treering.open(home) as memory:
        return verify(memory.ledger.store).problems


def filled(home: Path) -> list[str]:
    """The ids of three memories, of which the last two are in the log alone."""
    with treering.open(home) as memory:
        first = memory.remember(TEXTS[0]).id
    with treering.open(home) as memory:
        made = [memory.remember(text).id for text in TEXTS[1:]]
        for name in ("", "-wal"):  # as they are while somebody has the store open
            shutil.copyfile(home / (FILE_NAME + name), home / (FILE_NAME + name + ".kept"))
    inode = os.stat(home / FILE_NAME).st_ino
    for name in ("", "-wal"):
        shutil.copyfile(home / (FILE_NAME + name + ".kept"), home / (FILE_NAME + name))
    assert os.stat(home / FILE_NAME).st_ino == inode
    return [first, *made]


def removed(log: Path) -> None:
    log.unlink()


def zeroed(log: Path) -> None:
    log.write_bytes(bytes(log.stat().st_size))


def damaged(log: Path) -> None:
    data = bytearray(log.read_bytes())
    data[40:80] = b"\xff" * 40
    log.write_bytes(data)


def test_a_store_with_its_log_misses_nothing(home: Path) -> None:
    made = filled(home)
    with treering.open(home) as memory:
        assert {one.id for one in memory.list()} == set(made)
    assert problems(home) == ()


@pytest.mark.parametrize("harm", [removed, zeroed, damaged])
def test_a_log_that_was_lost_is_missed(home: Path, harm: Callable[[Path], None]) -> None:
    made = filled(home)
    harm(home / (FILE_NAME + "-wal"))
    (found,) = problems(home)
    assert f"2 acknowledged events are missing ({made[1]} to {made[2]})" in found and "import an export" in found


def test_an_empty_file_in_the_place_of_a_store_is_noticed(home: Path) -> None:
    made = filled(home)
    (home / (FILE_NAME + "-wal")).unlink()
    (home / FILE_NAME).write_bytes(b"")
    (found,) = problems(home)
    assert f"3 acknowledged events are missing ({made[0]} to {made[2]})" in found


@pytest.mark.parametrize("harm", [removed, zeroed, damaged])
def test_doctor_names_what_is_missing(home: Path, harm: Callable[[Path], None]) -> None:
    made = filled(home)
    harm(home / (FILE_NAME + "-wal"))
    (found,) = (one for one in examine(str(home), {}) if one.name == "ledger" and one.level == FAIL)
    assert f"2 acknowledged events are missing ({made[1]} to {made[2]})" in found.found
    assert "import an export" in found.advice


def test_doctor_tells_a_store_that_is_gone_from_one_that_never_was(home: Path) -> None:
    assert not [one for one in examine(str(home), {}) if one.level == FAIL]
    filled(home)
    for path in home.glob(f"{FILE_NAME}*"):
        if not path.name.endswith(".heads"):
            path.unlink()
    (found,) = (one for one in examine(str(home), {}) if one.level == FAIL)
    assert "is gone, and 3 events were in it" in found.found and not (home / FILE_NAME).exists()


def test_an_older_copy_put_in_place_uses_no_number_twice(home: Path, tmp_path: Path) -> None:
    """The same file, on the same machine, with the bytes of yesterday. What came since can be brought back."""
    with treering.open(home) as memory:
        memory.remember(TEXTS[0])
    shutil.copyfile(home / FILE_NAME, tmp_path / "yesterday")
    with treering.open(home) as memory:
        lost = memory.remember(TEXTS[1]).id
        export_file(memory.store, str(tmp_path / "today.jsonl"))
    shutil.copyfile(tmp_path / "yesterday", home / FILE_NAME)
    with treering.open(home) as memory:
        made = memory.remember(TEXTS[2]).id
        assert made.split("-")[0] != lost.split("-")[0]
        assert len(verify(memory.ledger.store).problems) == 1
        import_file(memory.ledger, memory.context, str(tmp_path / "today.jsonl"), limit=10_000)
        assert {one.content for one in memory.list()} == set(TEXTS)
    assert problems(home) == ()


def test_a_whole_folder_put_back_in_place_uses_no_number_twice(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All files with the bytes, the times and the inodes of yesterday: only the time of the change is another."""
    monkeypatch.setattr(heads, "SLACK", 0.2)
    with treering.open(home) as memory:
        memory.remember(TEXTS[0])
    shutil.copytree(home, tmp_path / "yesterday")
    with treering.open(home) as memory:
        lost = memory.remember(TEXTS[1]).id
        export_file(memory.store, str(tmp_path / "today.jsonl"))
    time.sleep(0.5)
    for path in (tmp_path / "yesterday").iterdir():
        shutil.copy2(path, home / path.name)
    assert [one.name for one in examine(str(home), {}) if one.level == WARN] == ["restored"]
    for number in (2, 3):
        with treering.open(home) as memory:
            made = memory.remember(f"{TEXTS[2]} {number}").id
            assert made.split("-")[0] != lost.split("-")[0]
    assert "restored" not in [one.name for one in examine(str(home), {})]
    with treering.open(home) as memory:
        assert len(memory.store.heads()) == 2  # one new name, and no more
        import_file(memory.ledger, memory.context, str(tmp_path / "today.jsonl"), limit=10_000)
        assert verify(memory.ledger.store).clean and len([*memory.list()]) == 4


def test_a_note_that_lags_behind_or_is_not_sound_is_no_complaint(home: Path) -> None:
    with treering.open(home) as memory:
        memory.remember(TEXTS[0])
        noted = (home / (FILE_NAME + ".heads")).read_bytes()
        memory.remember(TEXTS[1])
    for text in (noted, b"", b"half of it", noted[:-3], b"\xff" * 90):
        (home / (FILE_NAME + ".heads")).write_bytes(text)
        assert problems(home) == ()


def test_what_is_given_up_is_missed_no_more(home: Path) -> None:
    """And its numbers are not used again."""
    made = filled(home)
    removed(home / (FILE_NAME + "-wal"))
    with treering.open(home) as memory:
        assert verify(memory.ledger.store).problems
        memory.ledger.store.accept_loss()
        assert memory.remember(TEXTS[2]).id.split("-")[0] != made[0].split("-")[0]
    assert problems(home) == ()
