"""Homes that were poisoned once, for all tests that only look."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.ways import WAYS, poisoned
from tests.surfaces.hook.driving import FOREIGN


@pytest.fixture(scope="module", autouse=True)
def unknown_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of this machine has a say."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(FOREIGN)]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("person")))
        patch.setenv("TREERING_SWAP", "0")
        yield


@pytest.fixture(scope="session", params=[*WAYS])
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose project `shop` has taken in all of it, one way."""
    return poisoned(request.param, tmp_path_factory.mktemp(request.param))
