"""A plan is carried out: what is about to happen is written down first, then file by file, each whole or as it was."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from treering.ledger.errors import TreeringError
from treering.surfaces.install import files
from treering.surfaces.install import files as copies
from treering.surfaces.install.agents import OWN
from treering.surfaces.install.files import UNKNOWN, Edited, Placed
from treering.surfaces.install.jsonc import back
from treering.surfaces.install.plan import DELETE, KEEP, text_of

if TYPE_CHECKING:
    from treering.surfaces.install.files import Records
    from treering.surfaces.install.plan import Change, Plan


class ChangedMeanwhile(TreeringError):
    """Another program wrote to a file between the plan and the deed."""


def install(plan: Plan, records: Records, version: str, project: bool) -> None:
    _note(plan, records, version)
    records.save()
    mode = files.SHARED if project else files.PRIVATE
    for change in plan.changes:
        if change.action != KEEP:
            _unchanged(change)
            _back_up(change)
            files.write(change.path, change.after or b"", mode)
    for copy in plan.placed:
        if copy.action == copies.WRITE:
            files.write(copy.path, copy.data, files.SHARED)
        elif copy.action == copies.DELETE:
            files.delete(copy.path)
            records.placed.pop(copy.path, None)
    records.save()


def uninstall(plan: Plan, records: Records) -> list[str]:
    """Take it out. What is left behind, with the reason."""
    left: list[str] = []
    for path in _written(plan, records):
        files.clear(path)
    for change in plan.changes:
        if change.action != KEEP:
            _unchanged(change)
            if change.action == DELETE:
                files.delete(change.path)
            else:
                files.write(change.path, change.after or b"")
        record = records.edited.pop(change.path, None)
        unrecorded = change.path + files.BACKUP if change.action != KEEP else ""
        left += _dispose(record.backup if record else unrecorded, change.after)
    for copy in plan.placed:
        if records.release(copy.path, plan.agent.name) and copy.action == copies.DELETE:
            files.delete(copy.path)
    _remove_folders(records, plan)
    records.save()
    return left


def _written(plan: Plan, records: Records) -> list[str]:
    """Return the files of a plan that somebody was about to write, and may have been killed while doing so."""
    edited = [change.path for change in plan.changes if change.path in records.edited]
    placed = [copy.path for copy in plan.placed if copy.path in records.placed]
    return [*edited, *(path + files.BACKUP for path in edited), *placed]


def _note(plan: Plan, records: Records, version: str) -> None:
    """Record what will be there before it is, so that an installation that dies can be taken out."""
    new = [change.path for change in plan.changes if change.action != KEEP]
    new += [copy.path for copy in plan.placed if copy.action == copies.WRITE]
    for path in new:
        records.folders += [folder for folder in files.missing_folders(path) if folder not in records.folders]
    for change in plan.changes:
        known = records.edited.get(change.path)
        if change.action == KEEP and known:
            records.edited[change.path] = known._replace(version=version)
        else:
            records.edited[change.path] = _record(change, known, version)
    for copy in plan.placed:
        if copy.action in (copies.WRITE, copies.KEEP):
            known_agents = records.placed[copy.path].agents if copy.path in records.placed else ()
            agents = tuple(dict.fromkeys((*known_agents, plan.agent.name)))
            records.placed[copy.path] = Placed(agents, files.digest(copy.data))


def _record(change: Change, known: Edited | None, version: str) -> Edited:
    """Return the way from the file as it was before us.

    If that is not known, or somebody has edited it since, there is none, and entries of ours are
    found by what they say.
    """
    after, backup = files.digest(change.after), change.backup
    if change.fresh and (known is None or change.before is None):
        return Edited(change.agent, files.digest(change.before), after, change.steps, change.made, backup, version)
    if known is None:
        return Edited(change.agent, UNKNOWN, after, (), change.made, "", version)
    exact = change.fresh and files.digest(_first(change)) in (
        known.before,
        files.digest(b"") if not known.before else "",
    )
    return known._replace(after=after, steps=change.steps if exact else (), made=change.made, version=version)


def _first(change: Change) -> bytes:
    """Return the text that the steps of a change begin with."""
    return (back(text_of(change.after), change.steps) or "").encode()


def _unchanged(change: Change) -> None:
    if files.read(change.path) != change.before:
        raise ChangedMeanwhile(f"{change.path} was changed by somebody else at this moment: run this again")


def _back_up(change: Change) -> None:
    """Copy the file as it was, once: what has entries of ours already is no original."""
    if change.before is not None and change.fresh and change.before == _first(change):
        mode = os.stat(change.path).st_mode & 0o777
        files.write(change.backup, change.before, mode)


def _dispose(backup: str, after: bytes | None) -> list[str]:
    """Delete a copy of what is there anyway; any other one stays, and is reported."""
    kept = files.read(backup) if backup else None
    if kept is None:
        return []
    if kept == after:
        files.delete(backup)
        return []
    return [f"{backup} stays: the file was changed by others since, and this is how it was before"]


def _remove_folders(records: Records, plan: Plan) -> None:
    """Delete empty folders that were made for it, also if nobody has recorded them."""
    gone = [copy.path for copy in plan.placed if copy.action == copies.DELETE]
    own = [plan.folder] if gone and os.path.basename(plan.folder) == OWN else []
    for path in gone:
        above = os.path.dirname(path)
        while above.startswith(plan.folder + os.sep):
            own.append(above)
            above = os.path.dirname(above)
    for folder in sorted({*records.folders, *own}, key=len, reverse=True):
        if os.path.isdir(folder):
            with suppress(OSError):
                os.rmdir(folder)
    records.folders = [folder for folder in records.folders if os.path.isdir(folder)]
