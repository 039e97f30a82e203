"""All that is to be done for an agent, checked before anything is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.surfaces.install import files
from treering.surfaces.install import files as copies
from treering.surfaces.install.agents import by_name, folder_of, is_there
from treering.surfaces.install.entries import (
    JSON,
    RUNS,
    by_hand,
    guests,
    has_ours,
    made_by,
    meaning,
    missing,
    ours,
    rest,
    server,
    settle,
    strip,
)
from treering.surfaces.install.files import Edited
from treering.surfaces.install.jsonc import Draft, NotUnderstood, Splice, back
from treering.surfaces.install.scripts import HOOK

if TYPE_CHECKING:
    from treering.surfaces.install.agents import Agent, Setting, Target
    from treering.surfaces.install.entries import Path, Wanted
    from treering.surfaces.install.files import Records

    Entries = dict[tuple[str, ...], Any]

CREATE, CHANGE, RESTORE, DELETE, KEEP = "create", "change", "restore", "delete", "keep"
NOTHING = "\ufeff \t\r\n{}"  # what a text consists of that says nothing
FEW_LINES = 3  # a file of fewer is minified
ENTRY, SERVER = "hook", "the MCP server"
ADDED, CORRECTED, TAKEN, THERE = "added", "corrected", "taken out", "there"
OTHER = "what goes with our entries"  # as the version of a file, which it cannot be read without
PIP = "pip install 'treering[mcp]'"


class Change(NamedTuple):
    """A file of an agent as it is, and as it is to be."""

    agent: str
    path: str
    action: str
    before: bytes | None
    after: bytes | None
    what: str  # is done to our entries in it
    steps: tuple[Splice, ...] = ()
    made: tuple[Path, ...] = ()
    fresh: bool = True  # nothing of ours was in it

    @property
    def backup(self) -> str:
        return self.path + files.BACKUP if self.before is not None else ""

    @property
    def lines(self) -> list[str]:
        """Return the lines that are new; of a file that is all on one, the pieces, as the rest of
        it is nobody's business.
        """
        old, new = text_of(self.before).splitlines(), text_of(self.after).splitlines()
        if len(new) < FEW_LINES:
            return [step.new.strip(", ") for step in self.steps]
        return _added_lines(old, new)


class Problem(NamedTuple):
    path: str
    why: str
    paste: str = ""  # what to add by hand


class Plan(NamedTuple):
    agent: Agent
    changes: tuple[Change, ...]
    placed: tuple[copies.Copy, ...]
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    folder: str = ""  # of what is placed

    @property
    def empty(self) -> bool:
        busy = [copy for copy in self.placed if copy.action in (copies.WRITE, copies.DELETE)]
        return not busy and all(change.action == KEEP for change in self.changes)


def all_of(agents: list[Agent], setting: Setting, records: Records, adding: bool) -> list[Plan]:
    """Return a plan for each, as if those before it were carried out: some share what is placed.

    The records, of which nothing is saved, go with it.
    """
    plans: list[Plan] = []
    for agent in agents:
        plan = to_install(agent, setting, records) if adding else to_uninstall(agent, setting, records)
        earlier = {copy.path for one in plans for copy in one.placed if copy.action in (copies.WRITE, copies.DELETE)}
        placed = [copy._replace(action=copies.KEEP) if copy.path in earlier else copy for copy in plan.placed]
        plans.append(plan._replace(placed=tuple(placed)))
        if not adding:
            for copy in plan.placed:
                records.release(copy.path, agent.name)
    return plans


def to_install(agent: Agent, setting: Setting, records: Records) -> Plan:
    folder = folder_of(agent, setting)
    changes, failed = _changes(agent, agent.targets(setting, folder), records, _added)
    problems = [Problem(target.path, why, by_hand(target.wanted)) for target, why in failed]
    place = agent.copies(setting, folder)
    placed = tuple(copies.to_place(place, records))
    notes = list(_notes(agent, setting))
    for copy in _strange(placed):
        notes.append(
            f"{copy.path} {'was edited' if copy.path in records.placed else 'is not ours'}: it is left as it is"
        )
    return Plan(agent, tuple(changes), placed, tuple(problems), tuple(notes), place.folder)


def to_uninstall(agent: Agent, setting: Setting, records: Records) -> Plan:
    folder = folder_of(agent, setting)
    setting = setting._replace(mcp=True)  # it may have been there then
    changes, failed = _changes(agent, agent.targets(setting, folder), records, _taken)
    # Of a file that we never wrote to there is nothing to say.
    ours = [(target, why) for target, why in failed if target.path in records.edited or _names_ours(target.path)]
    problems = [Problem(target.path, f"{why}. Take out what names treering by hand") for target, why in ours]
    place = agent.copies(setting, folder)
    placed = tuple(copies.to_delete(place, records, agent.name))
    edited = [copy.path for copy in _strange(placed) if copy.path in records.placed]
    notes = tuple(f"{path} was edited: it stays" for path in edited)
    return Plan(agent, tuple(changes), placed, tuple(problems), notes, place.folder)


def original(before: bytes | None, record: Edited | None) -> str | None:
    """Return a file as it was before us, if nobody has touched it since; None if somebody has, or if we never did."""
    if record is None or files.digest(before) != record.after or not record.steps:
        return None
    text = back(text_of(before), record.steps)
    matches = text is not None and (files.digest(text.encode()) == record.before or (not record.before and not text))
    return text if matches else None


def text_of(data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise NotUnderstood(f"it is not UTF-8, at byte {error.start:,}") from None


def _added_lines(old: list[str], new: list[str]) -> list[str]:
    """Return the lines that one text has and another has not; what both begin and end with is not looked at again."""
    from difflib import SequenceMatcher

    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    end = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [line for tag, _, _, low, high in codes if tag != "equal" for line in new[low:high]]


def _changes(
    agent: Agent, targets: list[Target], records: Records, change_of: Callable[[Agent, Target, Edited | None], Change]
) -> tuple[list[Change], list[tuple[Target, str]]]:
    """Return the changes to the files, and the files that cannot be changed, with the reason."""
    changes: list[Change] = []
    failed: list[tuple[Target, str]] = []
    for target in targets:
        try:
            record = records.edited.get(target.path) or _rebuilt(agent, target)
            if record:
                records.edited[target.path] = record
            change = change_of(agent, target, record)
            if change.action != KEEP:
                files.check(target.path)
            changes.append(change)
        except (NotUnderstood, files.Unusable) as error:
            failed.append((target, str(error)))
    return changes, failed


def _names_ours(path: str) -> bool:
    """Return whether a file that cannot be understood has our hooks in it all the same."""
    try:
        return HOOK.encode() in (files.read(path) or b"")
    except files.Unusable:
        return False


def _rebuilt(agent: Agent, target: Target) -> Edited | None:
    """Return a record that was lost, if the file is just what installing makes of its copy; or,
    without one, of nothing.
    """
    path, wanted = target
    before, backup = files.read(path), path + files.BACKUP
    text = text_of(before)
    if not has_ours(text, wanted):
        return None
    copy = files.read(backup)
    try:
        first = text_of(copy)
        settled, stripped, made = Draft(first), Draft(text), made_by(first, wanted)
        settle(settled, wanted)
    except NotUnderstood:
        return None
    strip(stripped, wanted, made)
    if text != settled.text and (copy is None or first != stripped.text):
        return None
    steps = (Splice(0, first, text),)
    kept = backup if copy is not None else ""
    return Edited(agent.name, files.digest(copy), files.digest(before), steps, tuple(made), kept)


def _added(agent: Agent, target: Target, record: Edited | None) -> Change:
    before = files.read(target.path)
    first = original(before, record)
    base = text_of(before) if first is None else first
    draft, wanted = Draft(base), target.wanted
    fresh = not has_ours(base, wanted)
    settle(draft, wanted)
    known = record.made if record and not fresh else ()
    made = list(dict.fromkeys((*known, *made_by(base, wanted))))
    _check(base, draft.text, wanted, made)
    after = draft.text.encode()
    action = KEEP if after == before else CREATE if before is None else CHANGE
    what = _present(draft.text, wanted) if action == KEEP else _differing(text_of(before), draft.text, wanted)
    return Change(agent.name, target.path, action, before, after, what, tuple(draft.steps), tuple(made), fresh)


def _taken(agent: Agent, target: Target, record: Edited | None) -> Change:
    before = files.read(target.path)
    if before is None or (record and files.digest(before) == record.before):
        return Change(agent.name, target.path, KEEP, before, before, "")
    text, first = text_of(before), original(before, record)
    draft = Draft(text)
    strip(draft, target.wanted, record.made if record else ())
    if first is None and draft.text == text:
        return Change(agent.name, target.path, KEEP, before, before, "")
    left = draft.text if first is None else first
    # A file that we have made goes with what we put into it, if nobody has put in anything else, be it a comment.
    gone = record is not None and not record.before and not left.strip(NOTHING)
    action = DELETE if gone else CHANGE if first is None else RESTORE
    what = _differing(text, left, target.wanted)
    return Change(agent.name, target.path, action, before, None if gone else left.encode(), what)


def _check(before: str, after: str, wanted: Wanted, made: list[Path]) -> None:
    """Refuse a result that lacks something of ours, or has anything else changed."""
    free = [field.path[0] for field in wanted.fields if field.lasting]
    old, new = (
        {key: value for key, value in rest(text, wanted, made).items() if key not in free and value is not None}
        for text in (before, after)
    )
    if missing(after, wanted) or old != new:
        raise NotUnderstood("it is written in a way that cannot be added to safely")


def _strange(placed: tuple[copies.Copy, ...]) -> list[copies.Copy]:
    return [copy for copy in placed if copy.action == copies.STRANGE]


def _notes(agent: Agent, setting: Setting) -> list[str]:
    notes = list(agent.notes)
    if not is_there(agent, setting):
        notes.append(f"{agent.title} was not found here: this takes effect once it is installed")
    if not setting.mcp:
        notes.append(f"the MCP server is left out, as its library is missing: run {PIP}, and then this again")
    elif setting.root and agent.name == "copilot":
        notes.append("the MCP server is only installed for a user: leave out --project")
    if setting.root:
        notes.append("files of the project get paths of this machine: think before you commit them")
    if agent.name == "claude-code" and has_plugin(setting):
        notes.append("the plugin treering is enabled too: its hooks run beside these, and nothing is counted twice")
    return notes


def has_plugin(setting: Setting) -> bool:
    """Return whether Claude Code loads Treering as a plugin from a marketplace."""
    path = os.path.join(folder_of(by_name("claude-code"), setting._replace(root="")), "settings.json")
    try:
        enabled = (meaning(text_of(files.read(path)), JSON) or {}).get("enabledPlugins")
    except (NotUnderstood, files.Unusable, AttributeError):
        return False
    return isinstance(enabled, dict) and any(name.startswith("treering@") and on for name, on in enabled.items())


def _differing(before: str, after: str, wanted: Wanted) -> str:
    """Return what was added, what corrected and what taken out on the way from one text to another."""
    old, new = _entries(before, wanted), _entries(after, wanted)
    told = [
        (ADDED, [key for key in new if key not in old]),
        (CORRECTED, [key for key in new if key in old and old[key] != new[key]]),
        (TAKEN, [key for key in old if key not in new]),
    ]
    return ", ".join(f"{_counted(keys)} {verb}" for verb, keys in told if keys) or f"{OTHER} {CORRECTED}"


def _present(text: str, wanted: Wanted) -> str:
    """Return what of ours is in a text."""
    keys = [*_entries(text, wanted)]
    return f"{_counted(keys)} {THERE}" if keys else ""


def _entries(text: str, wanted: Wanted) -> Entries:
    """Return each entry of ours, and what it runs. Of one that is there twice, each is counted."""
    found: Entries = {}
    for event, mark, entry in ours(text) if wanted.format == JSON else ():
        times = sum(key[:3] == (ENTRY, event, mark) for key in found)
        found[ENTRY, event, mark, str(times)] = {key: entry.get(key) for key in RUNS}
    held = server(text, wanted)
    if held is not None:
        found[SERVER,] = {key: held.get(key) for key in RUNS}
    for name, value in guests(text, wanted).items() if wanted.format == JSON else ():
        found[name,] = {key: value.get(key) for key in RUNS}
    return found


def _counted(keys: list[tuple[str, ...]]) -> str:
    hooks = sum(key[0] == ENTRY for key in keys)
    told = [f"{hooks:,} {ENTRY}{'' if hooks == 1 else 's'}"] if hooks else []
    return " and ".join([*told, *(key[0] for key in keys if key[0] != ENTRY)])
