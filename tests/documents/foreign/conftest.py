"""A memory of one's own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from treering import Treering


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Treering]:
    with treering.open(tmp_path / "home") as opened:
        yield opened
