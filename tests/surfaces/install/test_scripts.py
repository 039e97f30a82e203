"""Programs are named by paths that will still be right tomorrow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.install.conftest import programs
from treering.surfaces.install import scripts
from treering.surfaces.install.scripts import NoProgram, Programs, Started

FIND = scripts.programs  # before the fixture puts another in its place


def found(person: Path, as_: str, python: Path, path: str = "", windows: bool = False) -> Programs:
    return FIND(str(person), {"PATH": path}, Started(as_, str(python), windows))


def linked(folder: Path, target: Path) -> Path:
    """Links to both programs, as uv and pipx make them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("treering", "treering-hook"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target / name)
    return folder


def test_a_link_in_the_home_folder_is_better_than_what_it_leads_to(person: Path) -> None:
    """However it was started: the link outlasts an upgrade."""
    real = programs(person / ".local/share/uv/tools/treering/bin")
    links = linked(person / ".local/bin", real)
    wanted = Programs(str(links / "treering"), str(links / "treering-hook"))
    assert found(person, str(links / "treering"), real / "python") == wanted
    assert found(person, str(real / "python -m treering"), real / "python") == wanted


def test_a_link_on_the_path_is_found(person: Path) -> None:
    """As Homebrew makes it: the folder below Cellar has the version in its name."""
    real = programs(person / "Cellar/treering/0.1.0/bin")
    links = linked(person / "homebrew/bin", real)
    assert found(person, "", real / "python", str(links)).hook == str(links / "treering-hook")


def test_programs_of_another_installation_are_passed_by(person: Path) -> None:
    """~/.local/bin has an older one, of another folder."""
    mine = programs(person / "project/.venv/bin")
    assert found(person, str(mine / "treering"), mine / "python").hook == str(mine / "treering-hook")
    assert found(person, "pytest", mine / "python", str(person / ".local/bin")).hook == str(mine / "treering-hook")


def test_a_cache_is_refused(person: Path) -> None:
    """`uvx treering install` would write a path that is gone tomorrow."""
    cached = programs(person / ".cache/uv/archive-v0/x1y2/bin")
    with pytest.raises(NoProgram, match="uv tool install"):
        found(person, str(cached / "treering"), cached / "python")


def test_programs_that_are_not_there_are_said_so(person: Path) -> None:
    """For instance in a folder from which only the modules were taken."""
    with pytest.raises(NoProgram, match="there is no treering"):
        found(person, "", person / "nowhere/python")


def test_on_windows_they_end_in_exe(person: Path) -> None:
    """Where uv copies instead of linking, the way it was started tells."""
    folder = person / "bin"
    folder.mkdir()
    for name in ("treering.exe", "treering-hook.exe"):
        (folder / name).write_text("")
    assert found(person, str(folder / "treering.exe"), person / "x/python.exe", windows=True) == Programs(
        str(folder / "treering.exe"), str(folder / "treering-hook.exe")
    )
