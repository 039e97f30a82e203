"""What comes from outside, taken in outside of any project, is told to no project but one of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.conftest import cli as cli
from tests.surfaces.cli.conftest import home as home
from tests.surfaces.cli.conftest import program as program
from tests.surfaces.cli.driving import Cli
from treering.ledger.transfer import export_file

FACT = "Deploys of the shop go out on Tuesdays after the review meeting."


def _rows(folder: Path) -> Sequence[str]:
    row = {"content": FACT, "scope": "user", "origin": "user"}
    (folder / "rows.jsonl").write_text(json.dumps(row), "utf-8")
    return "import", str(folder / "rows.jsonl")


def _graph(folder: Path) -> Sequence[str]:
    entity = {"type": "entity", "name": "Shop", "entityType": "team", "observations": [FACT]}
    (folder / "memory.jsonl").write_text(json.dumps(entity), "utf-8")
    return "import", str(folder / "memory.jsonl")


def _export(folder: Path) -> Sequence[str]:
    with treering.open(folder / "theirs", actor="user") as theirs:
        theirs.remember(FACT)
        export_file(theirs.store, str(folder / "export.jsonl"))
    return "import", str(folder / "export.jsonl")


def _mem0(folder: Path) -> Sequence[str]:
    (folder / "mem0.json").write_text(json.dumps([{"id": "1", "memory": FACT, "user_id": "ada"}]), "utf-8")
    return "import", "--from", "mem0", str(folder / "mem0.json")


def _documents(folder: Path) -> str:
    (folder / "notes").mkdir()
    (folder / "notes" / "Shop.md").write_text(f"# Shop\n\n## Observations\n\n- [rule] {FACT}\n", "utf-8")
    return str(folder / "notes")


def _vault(folder: Path) -> Sequence[str]:
    with treering.open(folder / "theirs", actor="user") as theirs:
        theirs.remember(FACT)
        theirs.documents.write_vault(str(folder / "vault"))
    return "vault", "read", str(folder / "vault")


WAYS: dict[str, Callable[[Path], Sequence[str]]] = {
    "rows": _rows,
    "graph": _graph,
    "export": _export,
    "mem0": _mem0,
    "harvest": lambda folder: ("harvest", _documents(folder)),
    "basic-memory": lambda folder: ("import", "--from", "basic-memory", _documents(folder)),
    "claude-memory": lambda folder: ("import", "--from", "claude-memory", _documents(folder)),
    "vault": _vault,
}


@pytest.mark.parametrize("way", WAYS)
def test_it_stays_in_a_project_of_its_own(way: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "person").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.chdir(tmp_path / "person")  # of no project
    cli.fine(*WAYS[way](tmp_path))
    found = cli.fine("list", "--all", "--json").json
    assert any(FACT[:-1] in one["content"] for one in found)
    assert {(one["trust"], one["scope"]) for one in found} == {("external", "project")}
    assert all(one["project"] for one in found)


def test_a_graph_of_your_own_is_where_its_tools_look(cli: Cli, home: Path, tmp_path: Path) -> None:
    cli.fine(*_graph(tmp_path), "--mine")
    (one,) = (one for one in cli.fine("list", "--json").json if FACT in one["content"])
    assert (one["trust"], one["scope"]) == ("agent", "user")
    assert cli.fine(*_graph(tmp_path), "--mine", "--json").json["added"] == 0
