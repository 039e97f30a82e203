"""What people have in other memories and chats comes in, once, as an outside text unless they say that it is theirs."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.cli.conftest import cli as cli
from tests.surfaces.cli.conftest import home as home
from tests.surfaces.cli.conftest import program as program
from tests.surfaces.cli.driving import Cli

FACT = "Remember that our staging cluster lives in Frankfurt."
PREFERENCE = "Remember that I always want tabs in Makefiles."


@pytest.fixture(autouse=True)
def _desk(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")


def _json(cli: Cli, *words: str) -> Any:
    return cli.fine(*words, "--json").json


def _node(parent: str | None, role: str, text: str) -> dict[str, Any]:
    message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": 1.75e9}
    return {"message": message, "parent": parent}


def _chatgpt() -> list[dict[str, Any]]:
    mapping = {
        "root": {"message": None, "parent": None},
        "a": _node("root", "user", FACT),
        "b": _node("a", "assistant", "Remember that I am an assistant and know nothing."),
        "old": _node("b", "user", "Remember that the office closes at five."),
        "c": _node("b", "user", PREFERENCE),
    }
    return [{"id": "c1", "title": "ops", "mapping": mapping, "current_node": "c"}]


def _claude() -> list[dict[str, Any]]:
    said = [("human", FACT), ("assistant", "Noted."), ("human", PREFERENCE)]
    messages = [{"sender": who, "text": text, "created_at": "2026-01-02T03:04:05Z"} for who, text in said]
    return [{"uuid": "u1", "name": "ops", "chat_messages": messages}, {"uuid": "u2", "chat_messages": "damaged"}]


@pytest.fixture(params=("chatgpt", "claude"))
def chats(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"{request.param}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        found = _chatgpt() if request.param == "chatgpt" else _claude()
        archive.writestr("conversations.json", json.dumps(found))
    return path


class TestChats:
    def test_what_a_person_said_comes_in_once_as_an_outside_text(self, cli: Cli, chats: Path) -> None:
        done = _json(cli, "import", "--from", chats.stem, str(chats))
        assert (done["source"], len(done["added"])) == (chats.stem, 2)
        found = _json(cli, "list", "--all")
        assert {(one["trust"], one["scope"], one["project"]) for one in found} == {("external", "project", chats.stem)}
        assert any("Frankfurt" in one["content"] for one in found)
        assert not any("assistant" in one["content"] or "five" in one["content"] for one in found)
        again = _json(cli, "import", str(chats))
        assert (again["added"], again["known"]) == ([], 2)

    @pytest.mark.parametrize("archived", [False, True])
    def test_a_long_history_has_several_files_in_an_archive_or_a_folder(
        self, archived: bool, cli: Cli, tmp_path: Path
    ) -> None:
        other = [{**_chatgpt()[0], "id": "c2"}]
        for number, found in enumerate((_chatgpt(), other)):
            (tmp_path / "desk" / f"conversations-00{number}.json").write_text(json.dumps(found))
        path = tmp_path / "export.zip" if archived else tmp_path / "desk"
        if archived:
            with zipfile.ZipFile(path, "w") as archive:
                for file in sorted((tmp_path / "desk").iterdir()):
                    archive.write(file, f"history/{file.name}")
        told = _json(cli, "import", str(path), "--project", "ops")
        assert (told["chats"], len(told["added"])) == (2, 2)

    def test_what_is_no_export_is_refused_in_words(self, cli: Cli, tmp_path: Path) -> None:
        (tmp_path / "vault").mkdir()
        (tmp_path / "export.zip").write_bytes(b"PK\x03\x04 and then nothing")
        (tmp_path / "rows.json").write_text("[]")
        assert "treering harvest" in cli("import", str(tmp_path / "vault")).err
        assert "is damaged" in cli("import", str(tmp_path / "export.zip")).err
        assert "no Markdown files" in cli("import", str(tmp_path / "rows.json"), "--from", "basic-memory").err
        assert cli.fine("list").out == ""

    def test_only_who_says_that_they_are_theirs_is_believed(self, cli: Cli, chats: Path) -> None:
        _json(cli, "import", "--mine", str(chats))
        assert {one["trust"] for one in _json(cli, "list")} == {"user"}

    def test_a_rehearsal_shows_what_would_be_new_and_adds_nothing(self, cli: Cli, chats: Path) -> None:
        assert "Frankfurt" in cli("import", "--dry-run", "--from", chats.stem, str(chats)).out
        assert _json(cli, "list") == []

    @pytest.mark.parametrize("data", (b"", b"{}", b"[1", b'[{"a": 1}]', b"PK\x03\x04nothing"))
    def test_a_damaged_archive_is_refused_and_changes_nothing(self, cli: Cli, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "chats.json"
        path.write_bytes(data)
        failed = cli("import", "--from", "chatgpt", str(path))
        assert failed.code != 0
        assert "chats.json" in failed.err
        assert _json(cli, "list") == []

    def test_a_conversation_that_runs_in_a_circle_ends(self, cli: Cli, tmp_path: Path) -> None:
        mapping = {"a": _node("b", "user", FACT), "b": _node("a", "user", PREFERENCE)}
        path = tmp_path / "conversations.json"
        path.write_text(json.dumps([{"id": "x", "mapping": mapping, "current_node": "a"}]), "utf-8")
        assert len(_json(cli, "import", str(path))["added"]) == 2


MEM0 = {
    "results": [
        {"id": "1", "memory": "Prefers window seats", "user_id": "ada", "created_at": "2026-01-02T03:04:05Z"},
        {"id": "2", "memory": "Works in Lyon", "user_id": "ada", "categories": ["work"]},
    ]
}


class TestMem0:
    @pytest.mark.parametrize("plain", (True, False))
    def test_an_export_comes_in_once(self, cli: Cli, tmp_path: Path, plain: bool) -> None:
        path = tmp_path / "mem0.json"
        path.write_text(json.dumps(MEM0["results"] if plain else MEM0), "utf-8")
        assert _json(cli, "import", str(path))["added"] == 2
        assert _json(cli, "import", "--from", "mem0", str(path))["added"] == 0
        found = {one["content"]: one for one in _json(cli, "list")}
        assert {(one["trust"], one["scope"], one["project"]) for one in found.values()} == {
            ("external", "project", "mem0")
        }
        assert "work" in found["Works in Lyon"]["tags"]

    def test_a_memory_without_words_is_refused_and_nothing_comes_in(self, cli: Cli, tmp_path: Path) -> None:
        path = tmp_path / "mem0.json"
        path.write_text(json.dumps([*MEM0["results"], {"id": "3"}]), "utf-8")
        failed = cli("import", "--from", "mem0", str(path))
        assert failed.code != 0
        assert "memory 3 has no text" in failed.err
        assert _json(cli, "list") == []


NOTE = """---
title: Coffee
permalink: coffee
tags: [brewing]
---

# Coffee

## Observations

- [method] Pour over brings out the fruit #brewing (tested in May)
- [tip] Grind right before use

## Relations

- relates_to [[Tea]]
"""


def test_notes_of_basic_memory_come_in_once_with_their_categories(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Coffee.md").write_text(NOTE, "utf-8")
    done = _json(cli, "import", "--from", "basic-memory", str(folder))
    assert done["added"] == 3
    found = {one["content"]: one for one in _json(cli, "list")}
    assert "tip" in found["Coffee: Grind right before use"]["tags"]
    assert "Coffee: relates to Tea" in found
    assert _json(cli, "import", "--from", "basic-memory", str(folder))["added"] == 0


def test_a_folder_of_obsidian_is_harvested(cli: Cli, tmp_path: Path) -> None:
    vault = tmp_path / "obsidian"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "plugin.md").write_text("# Plugin\n\n- The plugin must never be harvested\n", "utf-8")
    text = "---\ntags: [infra]\n---\n# Deploys\n\n- We deploy [[staging|the staging cluster]] every Tuesday at noon.\n"
    (vault / "Deploys.md").write_text(text, "utf-8")
    _json(cli, "harvest", str(vault))
    said = [one["content"] for one in _json(cli, "list")]
    assert any("every Tuesday" in one for one in said)
    assert not any("[[" in one or "plugin" in one.lower() for one in said)
