"""The figures of each suite, shown at the end of the run; and surroundings that nobody else disturbs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

_told: list[str] = []


@pytest.fixture
def tell() -> Callable[[str], None]:
    """Show a figure at the end of the run, whether the test passed or not."""
    return _told.append


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of whoever runs the tests must not reach a store under test."""
    for name in [name for name in os.environ if name.startswith("TREERING_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def memory_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder that is quick to write to, where what a sync means is ours to say."""
    shared = Path("/dev/shm")
    folder = shared / f"treering-{os.getpid()}" if shared.is_dir() else tmp_path / "disk"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in _told:
        terminalreporter.write_line(line)
