"""Which memories a command speaks of when nobody says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from treering import InvalidInput, Treering
from treering.ledger.types import EVERYWHERE
from treering.surfaces.cli.scope import ALL, OWN, Scope, elsewhere, nothing, project_here, scope_for, within


@pytest.fixture
def memory(tmp_path: Path, home: Path) -> Iterator[Treering]:
    """Three memories of project shop, one of till, and one of the user's own."""
    with treering.open(tmp_path / "store", actor="user") as opened:
        for text in ("Deploys happen on Tuesdays", "The orders table is partitioned", "Use pnpm"):
            opened.remember(text, project="shop", scope="project")
        opened.remember("The till prints on thermal paper", project="till", scope="project", type="episodic")
        opened.remember("I prefer short answers", scope="user")
        yield opened


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    return folder


def texts(memory: Treering, scope: Scope, limit: int = 0) -> list[str]:
    return [found.content for found in within(scope, memory.list(), limit)]


def test_a_projects_folder_shows_the_project_and_ones_own(memory: Treering, shop: Path) -> None:
    """Also from a folder inside of it, and a line says so."""
    scope = scope_for(memory, None, str(shop / "src"), json=False)
    assert scope == Scope("shop", own=True, assumed=True)
    assert scope.line == "project shop and your own memories; --all-projects shows all"
    assert texts(memory, scope) == [
        "I prefer short answers",
        "Use pnpm",
        "The orders table is partitioned",
        "Deploys happen on Tuesdays",
    ]
    assert texts(memory, scope, limit=2) == ["I prefer short answers", "Use pnpm"]


def test_what_was_asked_for_needs_no_line(memory: Treering, shop: Path) -> None:
    """A named project is that project alone; all projects are all."""
    named = scope_for(memory, "till", str(shop), json=False)
    assert (named.project, named.line) == ("till", "")
    assert texts(memory, named) == ["The till prints on thermal paper"]
    everything = scope_for(memory, None, str(shop), json=False, all_projects=True)
    assert (everything, everything.line) == (ALL, "")
    assert len(texts(memory, everything)) == 5
    here = scope_for(memory, ".", str(shop), json=True)
    assert texts(memory, here) == ["Use pnpm", "The orders table is partitioned", "Deploys happen on Tuesdays"]


def test_programs_get_what_they_ask_for(memory: Treering, shop: Path) -> None:
    """Where a program happens to run changes nothing in its JSON."""
    assert scope_for(memory, None, str(shop), json=True) == ALL
    assert scope_for(memory, "shop", "/", json=True).project == "shop"


def test_a_folder_that_is_no_project_shows_everything(memory: Treering, tmp_path: Path) -> None:
    """And looking from it does not make a project of it."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    assert scope_for(memory, None, str(scratch), json=False) == ALL
    assert memory.workspace.inbox is not None
    assert memory.workspace.inbox.folder("scratch") == ""


def test_a_folder_without_a_repository_is_a_project_once_something_is_known_of_it(
    memory: Treering, tmp_path: Path
) -> None:
    """By its name, or because an agent has worked there."""
    for name in ("till", "attic"):
        (tmp_path / name).mkdir()
    assert project_here(memory, str(tmp_path / "till")) == "till"
    assert project_here(memory, str(tmp_path / "attic")) == ""
    memory.captured.project_of(str(tmp_path / "attic"))  # as a hook does
    assert project_here(memory, str(tmp_path / "attic")) == "attic"


def test_nowhere_is_nowhere(memory: Treering, tmp_path: Path) -> None:
    """A folder that is gone, or the root of the file system, has no project."""
    assert scope_for(memory, None, str(tmp_path / "gone"), json=False) == ALL
    assert scope_for(memory, None, "/", json=False) == ALL


def test_what_is_elsewhere_is_named_with_the_way_there(memory: Treering, tmp_path: Path) -> None:
    """Nobody is told that nothing was remembered while there is something."""
    empty = Scope("garden", own=False)
    found = elsewhere(memory, empty)
    assert found == {"shop": 3, OWN: 1, "till": 1}
    assert nothing(empty, found) == (
        "nothing here; 3 in project shop, 1 of your own, 1 in project till: leave out --project"
    )
    only = elsewhere(memory, Scope("shop", assumed=True), type="episodic")
    assert only == {"till": 1}
    assert nothing(Scope("shop", assumed=True), only) == "nothing here; 1 in project till: add --project till"


def test_many_projects_are_counted_not_listed(memory: Treering) -> None:
    """The message stays one line."""
    others = {f"p{number}": 9 - number for number in range(5)}
    assert nothing(Scope("garden", assumed=True), others) == (
        "nothing here; 9 in project p0, 8 in project p1, 7 in project p2 and 2 more projects: add --all-projects"
    )


def test_an_empty_store_says_how_to_begin(tmp_path: Path, home: Path) -> None:
    """Only then has nothing been remembered."""
    with treering.open(tmp_path / "new") as memory:
        scope = Scope("shop", assumed=True)
        assert nothing(scope, elsewhere(memory, scope)).startswith("nothing has been remembered yet")
        assert nothing(ALL, elsewhere(memory, ALL), "no memory matches") == "no memory matches"


def test_a_name_that_a_shell_would_split_is_quoted() -> None:
    """The option can be copied."""
    assert nothing(Scope("a", assumed=True), {"my shop": 2}).endswith("add --project 'my shop'")


def test_a_person_may_ask_all_projects_at_once_and_leaves_no_trace(memory: Treering) -> None:
    before = memory.store.clock()
    hits = memory.recall("what does the till print on", everywhere=True).hits
    assert hits[0].memory.content == "The till prints on thermal paper"
    assert memory.store.clock() == before
    assert memory.recall("what does the till print on", project="shop").hits[:1] != hits[:1]
    with pytest.raises(InvalidInput):  # nobody gets there by a name
        memory.recall("what does the till print on", project=EVERYWHERE)
