"""The figures of each suite, shown at the end of the run; and one process that nobody else disturbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

_told: list[str] = []


@pytest.fixture
def tell() -> Callable[[str], None]:
    """Show a figure at the end of the run, whether the test passed or not."""
    return _told.append


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Settings of whoever runs the tests must not reach a store under test."""
    import os

    for name in [name for name in os.environ if name.startswith("TREERING_")]:
        monkeypatch.delenv(name)
    yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in _told:
        terminalreporter.write_line(line)
