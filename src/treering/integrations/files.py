"""Paths, listings and numbered lines, as the Anthropic SDK's memory tool shows them."""

from __future__ import annotations

from posixpath import dirname, normpath

from treering.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ROOT = "/memories"
_DEEPEST = 2  # levels of folders that are listed, as the tool's description promises
_WIDTH = 6  # of a line's number, likewise
_UNITS = "BKMG"


def path_of(given: str) -> str:
    """A path in its one spelling. It stays below the root, however many dots it has."""
    if given != ROOT and not given.startswith(f"{ROOT}/"):
        raise InvalidInput(f"Path must start with {ROOT}, got: {given}")
    path = normpath(given)
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise InvalidInput(f"Path {given} would escape {ROOT} directory")
    if not path.isprintable():
        raise InvalidInput(f"Path {given!r} is not of one line that can be read")
    return path


def within(folder: str, paths: Iterable[str]) -> Iterator[str]:
    """The files below a folder."""
    return (path for path in paths if path.startswith(f"{folder}/"))


def at(path: str, paths: Iterable[str]) -> list[str]:
    """The file of that path, or the files of that folder."""
    return [one for one in paths if one == path or one.startswith(f"{path}/")]


def above(path: str) -> Iterator[str]:
    """The folders that a path lies in, below the root."""
    while (path := dirname(path)) not in (ROOT, "/", ""):
        yield path


def numbered(lines: Sequence[str], first: int = 1) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def ranged(text: str, span: Sequence[int] | None) -> str:
    """The numbered lines of a text, or of a part of it: from the first to the last line, -1 for the end."""
    lines = text.split("\n")
    if not span or len(span) != 2:
        return numbered(lines)
    start = max(1, span[0]) - 1
    return numbered(lines[start : len(lines) if span[1] == -1 else span[1]], start + 1)


def listing(folder: str, sizes: Mapping[str, int]) -> str:
    """The files and folders below a folder, with their sizes in bytes; a folder is as large as what it holds."""
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
