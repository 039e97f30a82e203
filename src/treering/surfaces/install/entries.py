"""What of ours should be in a file, what of it is there, and how the one becomes the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.surfaces.install import toml
from treering.surfaces.install.graft import add, append, remove
from treering.surfaces.install.jsonc import ARRAY, OBJECT, Draft, plain, read
from treering.surfaces.install.scripts import HOOK, TREERING

if TYPE_CHECKING:
    from treering.surfaces.install.jsonc import Node

    Path = tuple[str, ...]

JSON, TOML = "json", "toml"
HOOKS = "hooks"
SERVES = "mcp"  # what our program is called with to be a server
# The members of an entry that say what is run; the others are the user's to change.
RUNS = ("command", "args", "bash", "powershell")


class Hook(NamedTuple):
    """An item of the array of an event."""

    event: str
    mark: str  # what our program is called with first: tells ours from each other
    value: dict[str, Any]


class Field(NamedTuple):
    path: Path
    value: Any
    lasting: bool = False  # stays as long as anything else is in the file
    guest: bool = False  # only where nobody has set anything else


class Wanted(NamedTuple):
    """All that one file should have of ours."""

    format: str
    hooks: tuple[Hook, ...] = ()
    fields: tuple[Field, ...] = ()

    def paths(self) -> list[Path]:
        """Return whatever is made if it is not there, outermost first."""
        found = [(HOOKS, hook.event) for hook in self.hooks] + [field.path for field in self.fields]
        steps = [path[:size] for path in found for size in range(1, len(path) + 1)]
        return sorted(set(steps), key=len)


def settle(draft: Draft, wanted: Wanted) -> None:
    """Make a text have what it should. What is there already is left, but for a program that has moved."""
    if wanted.format == TOML:
        for field in wanted.fields:
            toml.put(draft, field.path, field.value)
        return
    read(draft.text)
    known = {(hook.event, hook.mark) for hook in wanted.hooks}
    _drop(draft, lambda event, mark, times: times > 1 or (event, mark) not in known)
    for field in wanted.fields:
        if not (field.lasting and _at(draft.text, field.path) is not None) and not _taken(draft.text, field):
            add(draft, field.path, field.value)
    for hook in wanted.hooks:
        _settle(draft, hook)


def strip(draft: Draft, wanted: Wanted, made: Collection[Path]) -> None:
    """Take out what runs our program, and of what held it only what was made for it and is empty by that."""
    text = draft.text
    if server(text, wanted) is not None:
        _take_fields(draft, wanted)
    if wanted.format == TOML:
        return
    _take_guests(draft, wanted)
    filled = [path for path in made if _at(text, path) not in ({}, [])]
    _drop(draft, lambda event, mark, times: True)
    if draft.text == text:
        return
    _prune(draft, filled)
    left = plain(read(draft.text)) or {}
    lasting = [field.path for field in wanted.fields if field.lasting and field.path in made]
    if all((key,) in lasting for key in left):
        for path in lasting:
            _take(draft, path)


def rest(text: str, wanted: Wanted, made: Collection[Path]) -> Any:
    """Return what a text means without ours, and without what is made for it, be it there or not: for comparing two."""
    draft = Draft(text)
    if wanted.format == JSON:
        _drop(draft, lambda event, mark, times: True)
    _take_fields(draft, wanted)
    if wanted.format == JSON:
        _prune(draft, made)
    return meaning(draft.text, wanted.format) or {}


def missing(text: str, wanted: Wanted) -> list[str]:
    """Return what is not there as it should be."""
    if wanted.format == TOML:
        return [".".join(field.path) for field in wanted.fields if not toml.has(text, field.path, field.value)]
    there = {(event, mark): entry for event, mark, entry in ours(text)}
    lacking = [hook.event for hook in wanted.hooks if _runs(there.get((hook.event, hook.mark))) != _runs(_inner(hook))]
    for field in wanted.fields:
        found = _at(text, field.path)
        held = found if not isinstance(field.value, dict) else {key: (found or {}).get(key) for key in field.value}
        if held != field.value and not (field.lasting and found is not None) and not _taken(text, field):
            lacking.append(".".join(field.path))
    return lacking


def made_by(text: str, wanted: Wanted) -> list[Path]:
    """Return what is not there yet and will be."""
    value_at = toml.value_at if wanted.format == TOML else _at
    return [path for path in wanted.paths() if value_at(text, path) is None]


def has_ours(text: str, wanted: Wanted) -> bool:
    """Return whether anything of ours is in a text, be it right or not."""
    return server(text, wanted) is not None or (wanted.format == JSON and any(True for _ in ours(text)))


def ours(text: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each entry that runs our program: its event, what it is called with, and all it says."""
    for event, _, _, entry, mark in _found(read(text)):
        yield event, mark, entry


def server(text: str, wanted: Wanted) -> dict[str, Any] | None:
    """Return the server of our name, if it runs our program: the name alone may be somebody else's."""
    for field in wanted.fields:
        found = toml.value_at(text, field.path) if wanted.format == TOML else _at(text, field.path)
        line = words(found) if isinstance(found, dict) and not field.lasting else []
        names = [_name(word) for word in line]
        if TREERING in names and SERVES in line[names.index(TREERING) + 1 :]:
            return dict(found)
    return None


def guests(text: str, wanted: Wanted) -> dict[str, Any]:
    """Return the guests of ours that are in a text, by the last part of their paths."""
    fields = [field for field in wanted.fields if field.guest and not _taken(text, field)]
    return {field.path[-1]: found for field in fields if (found := _at(text, field.path)) is not None}


def programs(text: str, wanted: Wanted) -> list[str]:
    """Return the programs that entries of ours name."""
    held = [entry for _, _, entry in ours(text)] if wanted.format == JSON else []
    serving = server(text, wanted)
    return sorted({words(entry)[0] for entry in (*held, *([serving] if serving else []))})


def meaning(text: str, format: str) -> Any:
    """Return what a text says, without its places; None for an empty one of JSON."""
    return toml.data_of(text) if format == TOML else plain(read(text))


def by_hand(wanted: Wanted) -> str:
    """Return the text that somebody would paste who edits the file themselves."""
    if wanted.format == TOML:
        return "\n".join(toml.shown(field.path, field.value) for field in wanted.fields)
    draft = Draft("")
    settle(draft, wanted)
    return draft.text.rstrip()


def words(entry: dict[str, Any]) -> list[str]:
    """Return what an entry runs, word by word: as a list of its own, or as a line for a shell."""
    if isinstance(entry.get("command"), list):
        return [*map(str, entry["command"])]
    line = next((entry[name] for name in ("command", "bash", "powershell") if isinstance(entry.get(name), str)), "")
    if isinstance(entry.get("args"), list):
        return [line, *map(str, entry["args"])]
    from shlex import shlex

    reader = shlex(line, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters, reader.escape = True, "", "" if "\\" in line else "\\"
    try:
        found = list(reader)
    except ValueError:
        return []
    return found[1:] if found[:1] == ["&"] else found


def mark_of(entry: Any) -> str:
    """Return what our program is called with first in an entry; nothing if the entry is not ours."""
    if not isinstance(entry, dict):
        return ""
    line = words(entry)
    return line[1] if len(line) > 1 and _name(line[0]) == HOOK else ""


def _name(word: str) -> str:
    """Return the name of a program, without its folder."""
    return word.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


def _settle(draft: Draft, hook: Hook) -> None:
    wanted = _inner(hook)
    for event, _, node, entry, mark in _found(read(draft.text)):
        if (event, mark) == (hook.event, hook.mark):
            if _runs(entry) != _runs(wanted):
                _rerun(draft, node, wanted)
            return
    append(draft, (HOOKS, hook.event), hook.value)


def _rerun(draft: Draft, node: Node, wanted: dict[str, Any]) -> None:
    """Give an entry another program, and leave what else it says."""
    inside = Draft(draft.text[node.start : node.end])
    for key in RUNS:
        if key not in wanted:
            _take(inside, (key,))
    add(inside, (), {key: wanted[key] for key in RUNS if key in wanted})
    draft.splice(node.start, node.end, inside.text)


def _drop(draft: Draft, unwanted: Callable[[str, str, int], bool]) -> None:
    """Take out entries of ours, one after another, and the groups that held nothing else."""
    while True:
        times: dict[tuple[str, str], int] = {}
        for event, group, node, _, mark in _found(read(draft.text)):
            times[event, mark] = times.get((event, mark), 0) + 1
            if unwanted(event, mark, times[event, mark]):
                _drop_one(draft, event, group, node)
                break
        else:
            return


def _drop_one(draft: Draft, event: str, group: int, node: Node) -> None:
    root = read(draft.text)
    array = _walk(root, (HOOKS, event))
    if array is None:
        return
    inner = array.parts[group].node.part(HOOKS) if array.parts[group].node.kind == OBJECT else None
    if inner is not None and len(inner.node.parts) > 1:
        places = [part.node.start for part in inner.node.parts]
        remove(draft, inner.node, places.index(node.start))
    else:
        remove(draft, array, group)


def _found(root: Node | None) -> Iterator[tuple[str, int, Node, dict[str, Any], str]]:
    """Yield each entry of ours: its event, the place of its group, where it is, what it says, and its mark."""
    hooks = _walk(root, (HOOKS,))
    for event in hooks.parts if hooks and hooks.kind == OBJECT else ():
        for place, item in enumerate(event.node.parts if event.node.kind == ARRAY else ()):
            group = item.node.part(HOOKS) if item.node.kind == OBJECT else None
            for node in [part.node for part in group.node.parts] if group else [item.node]:
                entry = plain(node)
                if mark := mark_of(entry):
                    yield event.key, place, node, entry, mark


def _inner(hook: Hook) -> dict[str, Any]:
    """Return the entry itself, without the group that it may stand in."""
    inside = hook.value.get(HOOKS)
    return inside[0] if inside else hook.value


def _runs(entry: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if entry is None else {key: entry[key] for key in RUNS if key in entry}


def _take_fields(draft: Draft, wanted: Wanted) -> None:
    _take_guests(draft, wanted)
    for field in wanted.fields:
        if wanted.format == TOML:
            toml.take(draft, field.path)
        elif not field.lasting and not field.guest:
            _take(draft, field.path)


def _take_guests(draft: Draft, wanted: Wanted) -> None:
    for field in wanted.fields:
        if field.guest and not _taken(draft.text, field):
            _take(draft, field.path)


def _taken(text: str, field: Field) -> bool:
    """Return whether somebody has set something else where a guest of ours would stand."""
    found = _at(text, field.path) if field.guest else None
    line = words(found) if isinstance(found, dict) else []
    return found is not None and not (line and _name(line[0]) == TREERING)


def _prune(draft: Draft, paths: Collection[Path]) -> None:
    """Take out what is empty of these, innermost first."""
    for path in sorted(paths, key=len, reverse=True):
        if _at(draft.text, path) in ({}, []):
            _take(draft, path)


def _take(draft: Draft, path: Path) -> None:
    node = _walk(read(draft.text), path[:-1])
    if node is None or node.kind != OBJECT:
        return
    for index in reversed(range(len(node.parts))):
        if node.parts[index].key == path[-1]:
            remove(draft, node, index)
            return


def _walk(node: Node | None, path: Sequence[str]) -> Node | None:
    for key in path:
        part = node.part(key) if node and node.kind == OBJECT else None
        node = part.node if part else None
    return node


def _at(text: str, path: Sequence[str]) -> Any:
    return plain(_walk(read(text), path))
