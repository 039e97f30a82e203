"""The page that says who can do what names tests, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_threat_model_names_is_there() -> None:
    named = set(re.findall(r"`(tests/[^`]+)`", (ROOT / "docs" / "threat-model.md").read_text("utf-8")))
    assert len(named) > 10
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
