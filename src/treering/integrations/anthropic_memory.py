"""The memory tool of the Anthropic SDK, with its files kept as memories.

    with treering.open() as memory:
        client.beta.messages.run_tools(..., tools=[TreeringMemoryTool(memory)])

A file under /memories is one memory, found by recall like any other. A change of it is a new memory that supersedes the
old one: the agent says what holds now, which needs no evidence, and every earlier version stays in the ledger. What is
deleted is forgotten, and `restore` brings it back. Folders are where files are; an empty one is none.
"""

from __future__ import annotations

from treering.core.errors import MissingExtra, TreeringError
from treering.foreign.mirror import Mirror
from treering.foreign.names import named, tag
from treering.foreign.texts import row, text_of
from treering.integrations.files import ROOT, above, at, listing, numbered, path_of, ranged, within

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
    from anyio.to_thread import run_sync
except ImportError as error:
    raise MissingExtra("anthropic", "anthropic") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from anthropic.lib.tools import BetaFunctionToolResultType
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818Command,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from treering.api import Treering
    from treering.core.types import Memory
    from treering.foreign.mirror import Held, Name

TAG = "memory-file"
_AROUND = 2  # lines before and behind a change that are shown


class TreeringMemoryTool(BetaAbstractMemoryTool):
    """The tool over an open memory. It answers in the words that the SDK's own file tool has."""

    def __init__(self, memory: Treering, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = memory
        self._mirror = Mirror(memory, TAG, _name_of)

    def execute(self, command: BetaMemoryTool20250818Command) -> BetaFunctionToolResultType:
        try:
            return super().execute(command)
        except TreeringError as error:
            raise ToolError(str(error)) from error

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = path_of(command.path)

        def work(held: Held) -> str:
            files = {name: text_of(memories[-1]) for (name,), memories in held.items() if name in at(path, [name])}
            if path in files:
                return f"Here's the content of {path} with line numbers:\n{ranged(files[path], command.view_range)}"
            if path != ROOT and not files:
                raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
            sizes = {name: len(text.encode()) for name, text in files.items()}
            head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
            return f"{head}\n{listing(path, sizes)}"

        return self._mirror.read(work)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path = path_of(command.path)

        def work(held: Held) -> None:
            _check_free(path, held, f"File {command.path} already exists")
            self._put(path, command.file_text)

        self._mirror.write(work)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        old, new = command.old_str, command.new_str

        def change(text: str) -> str:
            _check_once(old, text, command.path)
            return text.replace(old, new)

        before, after = self._edit(command.path, change)
        line = before.count("\n", 0, before.find(old))
        first = max(0, line - _AROUND)
        snippet = numbered(after.split("\n")[first : line + _AROUND + 1], first + 1)
        return (
            f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        place = command.insert_line

        def change(text: str) -> str:
            lines = text.removesuffix("\n").split("\n") if text else []
            if not 0 <= place <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {place}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(place, command.insert_text.rstrip("\n"))
            return "\n".join(lines).removesuffix("\n") + "\n"

        self._edit(command.path, change)
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = path_of(command.path)
        if path == ROOT:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")

        def work(held: Held) -> None:
            gone = at(path, _paths(held))
            if not gone:
                raise ToolError(f"The path {command.path} does not exist")
            self._forget(gone, held)

        self._mirror.write(work)
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = path_of(command.old_path), path_of(command.new_path)
        if old == ROOT:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")

        def work(held: Held) -> None:
            _check_free(new, held, f"The destination {command.new_path} already exists")
            moving = at(old, _paths(held))
            if not moving:
                raise ToolError(f"The path {command.old_path} does not exist")
            if new.startswith(f"{old}/"):
                raise ToolError(f"The path {command.old_path} cannot be moved into itself")
            for path in moving:
                self._put(new + path.removeprefix(old), text_of(held[path,][-1]), held[path,])

        self._mirror.write(work)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        self._mirror.write(lambda held: self._forget(_paths(held), held))
        return "All memory cleared"

    def _edit(self, given: str, change: Callable[[str], str]) -> tuple[str, str]:
        """Put a changed text in the place of a file's. Both texts."""
        path = path_of(given)

        def work(held: Held) -> tuple[str, str]:
            if (path,) not in held:
                is_folder = path == ROOT or any(within(path, _paths(held)))
                why = "is not a file." if is_folder else "does not exist. Please provide a valid path."
                raise ToolError(f"The path {given} {why}")
            before = text_of(held[path,][-1])
            return before, text_of(self._put(path, change(before), held[path,]))

        return self._mirror.write(work)

    def _put(self, path: str, text: str, before: Sequence[Memory] = ()) -> Memory:
        """A new version. What is made of another text is trusted no more than that."""
        made_of = [before[-1].id] if before else []
        given = {**row(text, path, TAG, tag("file", path)), "origin": f"agent:{path}", "sources": made_of}
        return self._mirror.put(given, before, "the file was changed")

    def _forget(self, paths: Iterable[str], held: Held) -> None:
        for path in paths:
            for memory in held[path,]:
                self._memory.forget(memory.id, reason="the file was deleted")


class TreeringAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same tool for an asynchronous client: a thread does what the other one does."""

    def __init__(self, memory: Treering, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = TreeringMemoryTool(memory)

    async def execute(self, command: BetaMemoryTool20250818Command) -> BetaFunctionToolResultType:
        return await run_sync(self._tool.execute, command)

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> str:
        return await run_sync(self._tool.clear_all_memory)


def _name_of(memory: Memory) -> Name | None:
    path = named(memory, "file")
    return None if path is None else (path,)


def _paths(held: Held) -> list[str]:
    return [path for (path,) in held]


def _check_free(path: str, held: Held, taken: str) -> None:
    if path == ROOT or at(path, _paths(held)):
        raise ToolError(taken)
    for folder in above(path):
        if (folder,) in held:
            raise ToolError(f"The path {folder} is a file: nothing can lie below it")


def _check_once(old: str, text: str, path: str) -> None:
    """What is to be replaced stands there exactly once."""
    if not old or old not in text:
        raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if text.count(old) > 1:
        starts = [start for start in range(len(text)) if text.startswith(old, start)]
        lines = ", ".join(str(text.count("\n", 0, start) + 1) for start in starts)
        raise ToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
