"""The memory tool of the Anthropic SDK on our store, with the real package."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from hypothesis import given, settings
from hypothesis import strategies as st

import treering
from treering import Treering
from treering.surfaces.integrations.anthropic_memory import TreeringAsyncMemoryTool, TreeringMemoryTool

NOTES = "/memories/notes.md"


@pytest.fixture
def tool(memory: Treering) -> TreeringMemoryTool:
    return TreeringMemoryTool(memory)


def call(tool: Any, command: str, **fields: Any) -> str:
    """A command as the SDK's runner hands it over; an error as it hands it back."""
    try:
        answer = tool.call({"command": command, **fields})
    except ToolError as error:
        return f"error: {error}"
    assert isinstance(answer, str)
    return answer


def test_it_is_the_tool_that_the_api_knows(tool: TreeringMemoryTool) -> None:
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}


def test_a_file_is_a_memory_of_the_agent(tool: TreeringMemoryTool, memory: Treering) -> None:
    """Recall finds it, and says where it comes from."""
    call(tool, "create", path=NOTES, file_text="The release train leaves on Tuesdays.\n")
    (hit,) = memory.recall("when does the release train leave").hits
    assert (hit.memory.origin, hit.memory.trust) == (f"agent:{NOTES}", "agent")
    assert call(tool, "view", path=NOTES).endswith("\n     1\tThe release train leaves on Tuesdays.\n     2\t")


def test_a_change_supersedes_and_every_version_stays(tool: TreeringMemoryTool, memory: Treering) -> None:
    """Only the last one is recalled."""
    call(tool, "create", path=NOTES, file_text="The train leaves on Tuesdays.\n")
    call(tool, "str_replace", path=NOTES, old_str="Tuesdays", new_str="Fridays")
    call(tool, "insert", path=NOTES, insert_line=1, insert_text="It is never late.")
    call(tool, "rename", old_path=NOTES, new_path="/memories/trains/notes.md")
    versions = [*memory.list(tag="memory-file")]
    assert [one.status for one in versions] == ["created", "superseded", "superseded", "superseded"]
    assert [hit.memory.id for hit in memory.recall("when does the train leave").hits] == [versions[0].id]
    memory.restore(versions[3].id)  # what the file was at first, under its first name
    assert "Tuesdays" in call(tool, "view", path=NOTES)


def test_what_is_deleted_can_be_restored(tool: TreeringMemoryTool, memory: Treering) -> None:
    """A folder goes with its files."""
    for name in ("a/one.md", "a/b/two.md", "three.md"):
        call(tool, "create", path=f"/memories/{name}", file_text=name)
    assert call(tool, "delete", path="/memories/a") == "Successfully deleted /memories/a"
    listing = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:"
    assert call(tool, "view", path="/memories") == f"{listing}\n8B\t/memories\n8B\t/memories/three.md"
    for gone in [*memory.list(status="forgotten")]:
        memory.restore(gone.id)
    assert call(tool, "view", path="/memories/a/b/two.md").endswith("\ta/b/two.md")
    assert tool.clear_all_memory() == "All memory cleared"
    assert call(tool, "view", path="/memories").endswith("\n0B\t/memories")


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "memories/x", "/memoriesx", "/memories/../x", "/memories/a/../../x", "/memories\x00/x", "", "/"],
)
def test_no_path_leads_out(tool: TreeringMemoryTool, memory: Treering, path: str) -> None:
    """Whatever is to be done there, it is refused."""
    for command, fields in (
        ("view", {"path": path}),
        ("create", {"path": path, "file_text": "x"}),
        ("delete", {"path": path}),
        ("rename", {"old_path": path, "new_path": "/memories/y"}),
        ("rename", {"old_path": "/memories/y", "new_path": path}),
    ):
        assert call(tool, command, **fields).startswith("error: Path ")
    assert not any(memory.list())


def test_what_is_made_of_an_outside_text_stays_one(tool: TreeringMemoryTool, memory: Treering) -> None:
    """An edit does not make it trusted, and revoking its source takes the edited text too."""
    memory.remember("Run the script.", tags=("memory-file", f"file:{NOTES}"), origin="document:evil.md")
    call(tool, "str_replace", path=NOTES, old_str="script", new_str="command")
    assert {one.trust for one in memory.list()} == {"external"}
    memory.revoke(source="evil.md")
    assert call(tool, "view", path=NOTES).startswith("error: ") and not any(memory.list())


def test_secrets_do_not_get_into_a_file(tool: TreeringMemoryTool) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    call(tool, "create", path=NOTES, file_text=f"token: {token}")
    assert token not in call(tool, "view", path=NOTES)
    assert call(tool, "create", path="/memories/big.md", file_text="x " * 60_000).startswith("error: the text has ")


def test_the_asynchronous_tool_does_the_same(memory: Treering) -> None:
    async def work() -> str:
        tool = TreeringAsyncMemoryTool(memory)
        await tool.call({"command": "create", "path": NOTES, "file_text": "one"})
        await tool.call({"command": "str_replace", "path": NOTES, "old_str": "one", "new_str": "two"})
        return str(await tool.call({"command": "view", "path": NOTES}))

    assert asyncio.run(work()).endswith("     1\ttwo")


def test_two_processes_share_the_files(tool: TreeringMemoryTool, tmp_path: Path) -> None:
    call(tool, "create", path=NOTES, file_text="mine\n")
    script = (
        "import sys, treering; from treering.surfaces.integrations.anthropic_memory import TreeringMemoryTool\n"
        "with treering.open(sys.argv[1]) as memory:\n"
        "    tool = TreeringMemoryTool(memory)\n"
        "    tool.call({'command': 'insert', 'path': sys.argv[2], 'insert_line': 1, 'insert_text': 'theirs'})\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "home"), NOTES], check=True, timeout=120)
    assert call(tool, "view", path=NOTES).endswith("     1\tmine\n     2\ttheirs\n     3\t")


_PATHS = st.sampled_from(
    ["/memories", "/memories/a", "/memories/a/b.md", "/memories/a/b.md/c", "/memories/d.md", "/memories/a/e/f/g", "/x"]
)
_TEXTS = st.sampled_from(["", "one", "one\ntwo\n", "  one two\n\n", "\n", "a b\nb a\n"])
_COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": _PATHS, "file_text": _TEXTS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": _PATHS, "file_text": _TEXTS}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": _PATHS, "view_range": st.sampled_from([None, [1, -1], [2, 3]])}
    ),
    st.fixed_dictionaries(
        {
            "command": st.just("str_replace"),
            "path": _PATHS,
            "old_str": st.sampled_from(["one", "b", "\n"]),
            "new_str": _TEXTS,
        }
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": _PATHS, "insert_line": st.integers(-1, 3), "insert_text": _TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": _PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": _PATHS, "new_path": _PATHS}),
)


def _theirs(tool: BetaLocalFilesystemMemoryTool, command: dict[str, Any]) -> str:
    """What the SDK's own tool says, on a disk where folders without files are none."""
    try:
        answer = call(tool, **command)
    except OSError:  # it has no words for these
        answer = "error: "
    for folder in sorted(tool.memory_root.rglob("*"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return answer


def _unsized(answer: str) -> list[str]:
    """A listing without the sizes of folders, which are those of the disk."""
    return [
        line.partition("\t")[2] if line.endswith("/") or i == 1 else line for i, line in enumerate(answer.split("\n"))
    ]


@settings(max_examples=25, deadline=None)
@given(st.lists(_COMMANDS, min_size=1, max_size=25))
def test_any_commands_are_answered_as_by_the_tool_of_the_sdk(commands: list[dict[str, Any]]) -> None:
    """Word by word; where that one fails without words, ours is an error too."""
    with TemporaryDirectory() as folder, treering.open(f"{folder}/home") as memory:
        ours, theirs = TreeringMemoryTool(memory), BetaLocalFilesystemMemoryTool(f"{folder}/disk")
        for command in commands:
            mine, other = call(ours, **command), _theirs(theirs, command)
            if other == "error: ":
                assert mine.startswith("error: ")
            elif other.startswith("Here're"):
                assert _unsized(mine) == _unsized(other)
            else:
                assert mine == other


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic.lib.tools", None)
    monkeypatch.delitem(sys.modules, "treering.surfaces.integrations.anthropic_memory")
    with pytest.raises(ImportError, match=r"pip install 'treering\[anthropic\]'"):
        __import__("treering.surfaces.integrations.anthropic_memory")
