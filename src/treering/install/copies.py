"""Files of the plugin that are placed in a folder of an agent. One that somebody has edited is theirs."""

from __future__ import annotations

import os

from treering.core.tuples import NamedTuple
from treering.install.files import digest, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.install.agents import Copies
    from treering.install.records import Records

PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin")
WRITE, DELETE, KEEP, STRANGE = "write", "delete", "keep", "strange"


class Copy(NamedTuple):
    path: str
    action: str  # what to do; of one that is kept or strange, nothing
    before: bytes | None
    data: bytes


def sources(copies: Copies) -> Iterator[tuple[str, bytes]]:
    """Each file that is to be placed, and where."""
    for source in copies.sources:
        for relative in sorted(_files(source)):
            data = read(os.path.join(PLUGIN, *relative.split("/")))
            placed = relative.removeprefix(copies.strip)
            yield os.path.join(copies.folder, *placed.split("/")), data or b""


def to_place(copies: Copies, records: Records) -> Iterator[Copy]:
    """Files that are missing or old are written; one that is not as we left it is strange, and stays."""
    for path, data in sources(copies):
        before, known = read(path), records.placed.get(path)
        if before == data:
            action = KEEP
        elif before is None or (known and known.digest == digest(before)):
            action = WRITE
        else:
            action = STRANGE
        yield Copy(path, action, before, data)
    yield from (Copy(path, DELETE, read(path), b"") for path in _outdated(copies, records))


def to_delete(copies: Copies, records: Records, agent: str) -> Iterator[Copy]:
    """What nobody has edited goes, unless it is there for another agent too."""
    shipped = dict(sources(copies))
    known = [path for path in records.placed if _is_below(path, copies.folder)]
    for path in dict.fromkeys((*shipped, *known)):
        before, placed = read(path), records.placed.get(path)
        if placed and agent not in placed.agents:
            continue
        if before is None or (placed and set(placed.agents) - {agent}):
            action = KEEP
        elif digest(before) == (placed.digest if placed else digest(shipped.get(path))):
            action = DELETE
        else:
            action = STRANGE
        yield Copy(path, action, before, b"")


def _outdated(copies: Copies, records: Records) -> list[str]:
    """What an older version placed in a folder of ours, and this one does not."""
    if copies.strip:  # a folder that others share: nothing is ours but what we place now
        return []
    now = dict(sources(copies))
    old = [path for path in records.placed if _is_below(path, copies.folder) and path not in now]
    return [path for path in old if digest(read(path)) == records.placed[path].digest]


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + os.sep)


def _files(source: str) -> Iterator[str]:
    whole = os.path.join(PLUGIN, *source.split("/"))
    if os.path.isfile(whole):
        yield source
    for place, folders, names in os.walk(whole):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            yield os.path.relpath(os.path.join(place, name), PLUGIN).replace(os.sep, "/")
