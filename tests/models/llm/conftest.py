"""Nobody waits for a pause; the real model is served once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.models.llm.served import served
from treering.models import post


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each pause would have been."""
    made: list[float] = []
    monkeypatch.setattr(post, "sleep", made.append)
    return made


@pytest.fixture(scope="session")
def smollm() -> Iterator[str]:
    """The address of the real model."""
    with served() as url:
        yield url
