"""Implement the memory tool of the Anthropic SDK, with its files kept as memories.

    with treering.open() as memory:
        client.beta.messages.run_tools(..., tools=[TreeringMemoryTool(memory)])

A file under /memories is one memory, found by recall like any other. A change of it is a new memory
that supersedes the old one: the agent says what holds now, which needs no evidence, and every
earlier version stays in the ledger. A deleted file is forgotten, and `restore` brings it back.
Folders exist through their files; there are no empty ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, normpath
from typing import TYPE_CHECKING

from treering.documents.foreign.mirror import Mirror, row, text_of
from treering.documents.foreign.things import named, tag
from treering.ledger.errors import InvalidInput, MissingExtra, TreeringError

if TYPE_CHECKING:
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

    from treering.documents.foreign.mirror import Held, Name
    from treering.ledger.types import Memory
    from treering.memory import Treering


ROOT = "/memories"
_DEEPEST = 2  # levels of folders that are listed, as the tool's description promises
_WIDTH = 6  # of a line's number, likewise
_UNITS = "BKMG"


def path_of(given: str) -> str:
    """Return a path in its one spelling, below the root however many dots it has."""
    if given != ROOT and not given.startswith(f"{ROOT}/"):
        raise InvalidInput(f"Path must start with {ROOT}, got: {given}")
    path = normpath(given)
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise InvalidInput(f"Path {given} would escape {ROOT} directory")
    if not path.isprintable():
        raise InvalidInput(f"Path {given!r} is not of one line that can be read")
    return path


def within(folder: str, paths: Iterable[str]) -> Iterator[str]:
    """Return the files below a folder."""
    return (path for path in paths if path.startswith(f"{folder}/"))


def at(path: str, paths: Iterable[str]) -> list[str]:
    """Return the file of that path, or the files of that folder."""
    return [one for one in paths if one == path or one.startswith(f"{path}/")]


def above(path: str) -> Iterator[str]:
    """Return the folders that a path lies in, below the root."""
    while (path := dirname(path)) not in (ROOT, "/", ""):
        yield path


def numbered(lines: Sequence[str], first: int = 1) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def ranged(text: str, span: Sequence[int] | None) -> str:
    """Return the numbered lines of a text, from the first to the last line given; -1 is the end."""
    lines = text.split("\n")
    if not span or len(span) != 2:
        return numbered(lines)
    start = max(1, span[0]) - 1
    return numbered(lines[start : len(lines) if span[1] == -1 else span[1]], start + 1)


def listing(folder: str, sizes: Mapping[str, int]) -> str:
    """Return the files and folders below a folder, with their sizes in bytes."""
    rows = [f"{_size(sum(sizes.values()))}\t{folder}", *_rows(folder, sizes, 1)]
    return "\n".join(rows)


def _rows(folder: str, sizes: Mapping[str, int], depth: int) -> Iterator[str]:
    inside: dict[str, dict[str, int]] = {}
    for path in within(folder, sizes):
        inside.setdefault(path.removeprefix(f"{folder}/").split("/")[0], {})[path] = sizes[path]
    for name in sorted(inside):
        if name.startswith("."):
            continue
        path = f"{folder}/{name}"
        is_file = path in inside[name]
        yield f"{_size(sum(inside[name].values()))}\t{path}{'' if is_file else '/'}"
        if not is_file and depth < _DEEPEST:
            yield from _rows(path, inside[name], depth + 1)


def _size(count: int) -> str:
    size, unit = float(count), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.0f}{_UNITS[unit]}" if size == int(size) else f"{size:.1f}{_UNITS[unit]}"


try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
    from anyio.to_thread import run_sync
except ImportError as error:
    raise MissingExtra("anthropic", "anthropic") from error


TAG = "memory-file"
_AROUND = 2  # lines before and behind a change that are shown


class TreeringMemoryTool(BetaAbstractMemoryTool):
    """The tool over an open memory. It answers in the words of the SDK's own file tool."""

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
        """Change the text of a file, and return the old and the new text."""
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
        """Store a new version, trusted no more than the one that it is made of."""
        made_of = [before[-1].id] if before else []
        given = {**row(text, path, TAG, tag("file", path)), "origin": f"agent:{path}", "sources": made_of}
        return self._mirror.put(given, before, "the file was changed")

    def _forget(self, paths: Iterable[str], held: Held) -> None:
        for path in paths:
            for memory in held[path,]:
                self._memory.forget(memory.id, reason="the file was deleted")


class TreeringAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same tool for an asynchronous client, run in a thread."""

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
    """Refuse a text to be replaced that does not stand there exactly once."""
    if not old or old not in text:
        raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if text.count(old) > 1:
        starts = [start for start in range(len(text)) if text.startswith(old, start)]
        lines = ", ".join(str(text.count("\n", 0, start) + 1) for start in starts)
        raise ToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
