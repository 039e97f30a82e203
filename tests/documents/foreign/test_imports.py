"""Files of other memories come in, once, and say where they came from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.conftest import cli as cli
from tests.surfaces.cli.conftest import home as home
from tests.surfaces.cli.conftest import program as program
from tests.surfaces.cli.driving import Cli, Program
from treering.documents.foreign.knowledge import Knowledge

INDEX = """# Memory

- [Testing](feedback_testing.md): tests hit a real database
- [Release](gone.md): the train leaves on Tuesdays

## Build

- Run `make test` before pushing
"""
TESTING = """---
name: Testing
description: tests hit a real database
metadata:
  type: feedback
  modified: 2026-03-01T10:00:00Z
---

Integration tests hit a real database, not mocks.

**Why:** a mocked test passed while the migration failed.
**How to apply:** use the compose file.

- Bob owns the fixtures
"""
ROLE = "---\nname: Role\ndescription: A data scientist\ntype: user\n---\n"
ENTITY = {"type": "entity", "name": "Alice", "entityType": "person", "observations": ["likes tea", "has a cat"]}
RELATION = {"type": "relation", "from": "Alice", "to": "Bob", "relationType": "knows"}


@pytest.fixture(autouse=True)
def _desk(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever imports works in a folder of their own."""
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The memory of Claude Code for a project."""
    path = tmp_path / "memory"
    path.mkdir()
    for name, text in (("MEMORY.md", INDEX), ("feedback_testing.md", TESTING), ("user_role.md", ROLE)):
        (path / name).write_text(text, "utf-8")
    return path


def graph_file(folder: Path, *rows: object) -> str:
    path = folder / "memory.jsonl"
    path.write_text("".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows), "utf-8")
    return str(path)


def test_each_statement_of_claude_code_becomes_a_memory(cli: Cli, folder: Path) -> None:
    """With its reasons, its type, its file and line, its time; a line of the index that only points to a file says
    nothing. It is an outside text, and the files stay as they were."""
    done = cli.fine("import", "claude-memory", str(folder), "--project", "shop", "--json").json
    assert (done["files"], done["added"], done["known"]) == (3, 5, 0)
    told = {one["content"]: one for one in cli.fine("list", "--project", "shop", "--json").json}
    why = "Why: a mocked test passed while the migration failed. How to apply: use the compose file."
    rule = told[f"Testing: Integration tests hit a real database, not mocks. {why}"]
    assert set(told) == {
        rule["content"],
        "Testing: Bob owns the fixtures",
        "Role: A data scientist",
        "Release: the train leaves on Tuesdays",
        "Build: Run `make test` before pushing",
    }
    assert rule["origin"] == f"import:{folder}/feedback_testing.md:9"
    assert (rule["type"], rule["tags"], rule["created"][:10]) == (
        "procedural",
        ["claude-memory", "feedback"],
        "2026-03-01",
    )
    assert {(one["trust"], one["scope"], one["invariant"]) for one in told.values()} == {("external", "project", False)}
    assert (folder / "MEMORY.md").read_text("utf-8") == INDEX


def test_a_second_import_adds_only_what_is_new(cli: Cli, folder: Path) -> None:
    """And a dry run nothing. What somebody forgot does not come back; what the file drops stays here."""
    first = cli.fine("import", "claude-memory", str(folder), "--dry-run")
    assert (
        first.out.endswith("3 files: 5 would be new, 0 known already; project desk\n")
        and "Bob owns the fixtures" in first.out
    )
    assert cli.fine("list", "--json").json == []
    assert cli.fine("import", "claude-memory", str(folder)).out == "3 files: 5 new, 0 known already; project desk\n"
    assert cli.fine("import", "claude-memory", str(folder)).out == "3 files: 0 new, 5 known already; project desk\n"
    (bob,) = (one["id"] for one in cli.fine("list", "--json").json if "Bob" in one["content"])
    cli.fine("forget", bob)
    changed = TESTING.replace("- Bob owns the fixtures", "- Bob owns the fixtures\n- Eve owns the seeds")
    (folder / "feedback_testing.md").write_text(changed.replace("real database, not mocks", "real one"), "utf-8")
    assert cli.fine("import", "claude-memory", str(folder)).out == "3 files: 2 new, 4 known already; project desk\n"
    assert len(cli.fine("list", "--json").json) == 6


def test_without_a_path_it_is_the_memory_of_the_working_folder(program: Program, tmp_path: Path, folder: Path) -> None:
    """Below CLAUDE_CONFIG_DIR, for the project of that folder; where there is none, it says where it looked."""
    missing = program("import", "claude-memory")
    assert missing.code == 1 and "person/.claude/projects/" in missing.err
    config = tmp_path / "config"
    place = config / "projects" / "".join(one if one.isalnum() else "-" for one in str(tmp_path))
    place.mkdir(parents=True)
    folder.rename(place / "memory")
    done = program("import", "claude-memory", "--json", environment={"CLAUDE_CONFIG_DIR": str(config)})
    assert (done.json["added"], done.json["project"]) == (5, tmp_path.name)


def test_a_file_that_cannot_be_read_is_passed_over_and_named(cli: Cli, folder: Path, tmp_path: Path) -> None:
    """So is a text that Treering wrote: its own echo is no news."""
    (folder / "broken.md").write_bytes(b"\xff\xfe\xff")
    (folder / "ours.md").write_text("<!-- generated by treering -->\n- a fact\n", "utf-8")
    result = cli.fine("import", "claude-memory", str(folder))
    assert result.out == "4 files: 5 new, 0 known already; project desk\n" and "broken.md: not UTF-8" in result.err
    (tmp_path / "empty").mkdir()
    assert cli("import", "claude-memory", str(tmp_path / "empty")).code == 1
    assert cli("import", "claude-memory", str(tmp_path / "nowhere")).code == 1


def test_secrets_in_notes_are_redacted(cli: Cli, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (tmp_path / "MEMORY.md").write_text(f"- The token of the bot is {token}\n", "utf-8")
    assert cli.fine("import", "claude-memory", str(tmp_path / "MEMORY.md")).out.endswith(", 1 redacted; project desk\n")
    assert token not in cli.fine("list", "--json").out


def test_a_graph_comes_in_as_the_graph_that_it_was(cli: Cli, home: Path, tmp_path: Path) -> None:
    """Once, from a file or through a pipe; its parts are outside texts that know their line."""
    file = graph_file(tmp_path, ENTITY, RELATION)
    assert cli.fine("import", file).out == "4 new\n"
    again = cli.fine("import", file, "--json").json
    assert (again["added"], again["known"], again["doubted"]) == (0, 4, [])
    with treering.open(home, project="memory") as memory:
        graph = Knowledge(memory)
        found = graph.read_graph()
        assert found["entities"] == [{key: ENTITY[key] for key in ("name", "entityType", "observations")}]
        assert found["relations"] == [{"from": "Alice", "to": "Bob", "relationType": "knows"}]
        assert {(one.origin, one.trust) for one in memory.list()} == {
            ("import:memory.jsonl:1", "external"),
            ("import:memory.jsonl:2", "external"),
        }
        graph.delete_observations([{"entityName": "Alice", "observations": ["likes tea"]}])
        graph.add_observations([{"entityName": "Alice", "contents": ["sings"]}])
    more = graph_file(tmp_path, {**ENTITY, "observations": ["likes tea", "sings", "dances"]})
    assert cli.fine("import", more).out == "1 new, 3 known already\n"


def test_a_graph_comes_through_a_pipe(program: Program) -> None:
    """And other rows do as before."""
    assert program("import", "-", stdin=json.dumps(ENTITY).encode()).out == "3 new\n"
    assert program("import", "-", stdin=b'{"type":"semantic","content":"one"}\n').out == "1 new\n"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ("[]", '"type" is "entity" or "relation"'),
        ('{"type":"note"}', '"type" is "entity" or "relation"'),
        ('{"type":"entity","name":"x","entityType":"t","observations":"y"}', "observations must be a list of texts"),
        ('{"type":"relation","from":"x","to":3,"relationType":"r"}', "to must be a text"),
    ],
)
def test_a_bad_line_is_named_and_nothing_comes_in(cli: Cli, tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text(f"{json.dumps(ENTITY)}\n\n{line}\n", "utf-8")
    result = cli("import", str(path))
    assert result.code == 1 and "memory.jsonl, line 3: " in result.err and problem in result.err
    assert cli.fine("list", "--json").json == []


def test_revoking_the_file_takes_all_that_came_of_it(cli: Cli, tmp_path: Path, folder: Path) -> None:
    cli.fine("import", graph_file(tmp_path, ENTITY, RELATION))
    cli.fine("import", "claude-memory", str(folder))
    cli.fine("revoke", "--source", "memory.jsonl")
    cli.fine("revoke", "--source", f"{folder}/feedback_testing.md")
    assert len(cli.fine("list", "--json").json) == 3
