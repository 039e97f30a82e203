from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.surfaces.mcp.agents import LEGACY, MODERN, Agent, Served, over_http, over_stdio, served
from tests.surfaces.mcp.living import PROJECT, live, settle


class Place:
    """A home in which there is something for every tool to do, and the folder that an agent works in."""

    def __init__(self, home: Path, folder: Path, known: dict[str, str]) -> None:
        self.home = home
        self.folder = folder
        self.known = known

    def copy(self, path: Path) -> Place:
        """The same, for somebody who will change it."""
        shutil.copytree(self.home, path / "home")
        return Place(path / "home", self.folder, self.known)


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Place:
    path = tmp_path_factory.mktemp("lived")
    return Place(path / "home", settle(path), live(path / "home"))


@pytest.fixture(scope="module")
def place(lived: Place, tmp_path_factory: pytest.TempPathFactory) -> Place:
    return lived.copy(tmp_path_factory.mktemp("place"))


@pytest.fixture(scope="module")
def agent(place: Place) -> Iterator[Agent]:
    """One who has every tool."""
    with over_stdio(place.home, "--tools", "all", "--project", PROJECT, folder=place.folder) as found:
        yield found


@pytest.fixture(scope="module")
def web(place: Place) -> Iterator[Served]:
    with served(place.home, "--tools", "all", "--project", PROJECT, folder=place.folder) as found:
        yield found


@pytest.fixture(params=[f"{way}-{mode}" for way in ("stdio", "http") for mode in (MODERN, LEGACY)])
def anyone(request: pytest.FixtureRequest, lived: Place, tmp_path: Path) -> Iterator[tuple[Agent, Place]]:
    """An agent of either era, over either way, on a store of their own."""
    way, _, mode = request.param.partition("-")
    own = lived.copy(tmp_path)
    words = ("--tools", "all", "--project", PROJECT)
    if way == "stdio":
        with over_stdio(own.home, *words, mode=mode, folder=own.folder) as found:
            yield found, own
    else:
        with served(own.home, *words, folder=own.folder) as server, over_http(server.url, server.token, mode) as found:
            yield found, own
