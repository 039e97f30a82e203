"""A folder belongs to the project of its repository, under a name that no other has."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import treering
from tests.surfaces.hook.driving import Agent, alone, repository, taken_in
from treering.stores.sqlite.projects import root_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return alone(tmp_path, monkeypatch)


def named(home: Path, *folders: Path | str) -> list[str]:
    with taken_in(home) as memory:
        return [memory.captured.project_of(str(folder)) for folder in folders]


def git(*words: str, at: Path) -> None:
    who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *words], cwd=at, check=True, capture_output=True)


def test_a_repository_names_all_folders_in_it(home: Path, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    deep = shop / "src" / "deep"
    deep.mkdir(parents=True)
    assert named(home, shop, deep, f"{shop}/", f"{shop}/src/../src") == ["shop"] * 4


def test_the_nearest_repository_counts(home: Path, tmp_path: Path) -> None:
    repository(tmp_path / "shop")
    inner = repository(tmp_path / "shop" / "vendor" / "ferry")
    assert named(home, inner) == ["ferry"]


def test_a_folder_without_a_repository_is_a_project_of_its_own(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes" / "sub").mkdir(parents=True)
    assert named(home, tmp_path / "notes", tmp_path / "notes" / "sub") == ["notes", "sub"]


def test_a_worktree_belongs_to_its_repository(home: Path, tmp_path: Path) -> None:
    """As git makes them, beside the repository and within it."""
    shop = tmp_path / "shop"
    shop.mkdir()
    git("init", "-q", at=shop)
    git("commit", "-q", "--allow-empty", "-m", "first", at=shop)
    git("worktree", "add", "-q", str(tmp_path / "fix-7"), at=shop)
    git("worktree", "add", "-q", str(shop / ".trees" / "fix-8"), at=shop)
    assert named(home, tmp_path / "fix-7", shop / ".trees" / "fix-8", shop) == ["shop"] * 3


def test_a_submodule_is_a_project_of_its_own(home: Path, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    (shop / ".git" / "modules" / "ferry").mkdir(parents=True)
    (shop / "ferry").mkdir()
    (shop / "ferry" / ".git").write_text("gitdir: ../.git/modules/ferry\n")
    assert named(home, shop / "ferry") == ["ferry"]


@pytest.mark.parametrize("text", ["", "nonsense", "gitdir: /nowhere/.git/worktrees/x", "gitdir: ", "\x00\xff" * 9])
def test_a_git_file_that_makes_no_sense_is_a_repository_all_the_same(text: str, home: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / ".git").write_bytes(text.encode("latin-1"))
    assert named(home, tmp_path / "shop") == ["shop"]


def test_two_repositories_of_one_name_are_two_projects_for_good(home: Path, tmp_path: Path) -> None:
    first, second = repository(tmp_path / "a" / "app"), repository(tmp_path / "b" / "app")
    names = named(home, first, second)
    assert names[0] == "app" and names[1].startswith("app-") and len({*names}) == 2
    assert named(home, second, first) == names[::-1]


def test_a_repository_that_was_moved_keeps_its_name(home: Path, tmp_path: Path) -> None:
    first = repository(tmp_path / "a" / "app")
    assert named(home, first) == ["app"]
    shutil.move(first, tmp_path / "app")
    assert named(home, tmp_path / "app") == ["app"]
    assert named(home, repository(first)) != ["app"]


def test_a_link_is_where_it_leads(home: Path, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    (tmp_path / "link").symlink_to(shop)
    assert named(home, tmp_path / "link") == ["shop"]


def test_a_home_a_root_and_what_is_no_folder_are_no_project(home: Path, tmp_path: Path) -> None:
    person = repository(Path(os.environ["HOME"]))
    (tmp_path / "file").write_text("")
    assert named(home, person, "/", "", tmp_path / "file", tmp_path / "gone", "\x00", "~") == [""] * 7


def test_a_folder_in_a_home_that_is_a_repository_is_its_own_project(home: Path, tmp_path: Path) -> None:
    """Who keeps his settings in git has a repository around everything."""
    notes = repository(Path(os.environ["HOME"])) / "notes"
    notes.mkdir()
    assert named(home, notes) == ["notes"]


def test_names_of_any_letters_are_found_again(home: Path, tmp_path: Path) -> None:
    for name in ("été 世界", "a b", "-x", "x" * 200, "'; DROP TABLE roots; --"):
        folder = repository(tmp_path / name)
        assert named(home, folder) == [name] == named(home, folder)
        assert root_of(str(folder)) == str(folder)


def test_a_folder_whose_name_is_no_text_is_in_nobody_s_way(home: Path, tmp_path: Path) -> None:
    """Found through a link: the name cannot be stored, and whoever opens the store must not fail for it."""
    odd = os.path.join(os.fsencode(str(tmp_path)), b"od\xff\xfed")
    os.makedirs(os.path.join(odd, b".git"))
    os.symlink(odd, tmp_path / "link")
    root_of(str(tmp_path / "link")).encode()
    for session in ("s1", "s2"):  # before there is a store, and with it
        Agent(home, tmp_path / "link", session).asks("Remember that the harbour crane is painted yellow")
        with taken_in(home) as memory:
            assert len([*memory.list()]) == 1


def test_a_folder_is_a_path(home: Path) -> None:
    with treering.open(home) as memory, pytest.raises(treering.InvalidInput, match="a folder is a path"):
        memory.captured.project_of(5)  # type: ignore[arg-type]


def test_a_project_of_a_dot_is_where_one_stands(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository(tmp_path / "shop") / "src").mkdir()
    monkeypatch.chdir(tmp_path / "shop" / "src")
    with treering.open(home, project=".") as memory:
        assert memory.remember("The quay is long").project == "shop"
    monkeypatch.setenv("TREERING_PROJECT", ".")
    with taken_in(home) as memory:
        assert memory.context.project == "shop"


ORIGINS = (
    "https://example.org/ada/Shop.git",
    "ssh://git@example.org:2222/ada/Shop",
    "git@example.org:ada/Shop.git",
    "https://ada:word@EXAMPLE.org/ada/Shop.git/",
)


def _cloned(folder: Path, origin: str) -> Path:
    repository(folder)
    (folder / ".git" / "config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {origin}\n')
    return folder


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_project_is_called_after_the_repository_that_it_comes_from(home: Path, tmp_path: Path, origin: str) -> None:
    """However it is reached, and whatever its folder is called here: it is one project on all machines."""
    first = _cloned(tmp_path / "work", ORIGINS[0])
    assert named(home, first, _cloned(tmp_path / "play", origin)) == ["Shop", "Shop"]


def test_two_repositories_of_one_name_get_the_same_two_names_everywhere(home: Path, tmp_path: Path) -> None:
    names = named(home, _cloned(tmp_path / "a", ORIGINS[0]), _cloned(tmp_path / "b", "git@example.org:bob/Shop.git"))
    assert names[0] == "Shop" != names[1]
    shutil.rmtree(tmp_path / "b")
    assert named(home, _cloned(tmp_path / "c", "https://example.org/bob/Shop")) == names[1:]


@pytest.mark.parametrize("origin", ("", "https://", "nonsense", "a/\x07b"))
def test_an_origin_that_names_nothing_leaves_the_folder_its_name(home: Path, tmp_path: Path, origin: str) -> None:
    assert named(home, _cloned(tmp_path / "shop", origin)) == ["shop"]
