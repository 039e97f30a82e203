"""Which memories a command speaks of when nobody says so.

Inside a project's folder a command speaks of that project and of the user's own memories, and says so in a line. What
is found elsewhere is named, with the option that shows it. Programs (`--json`) get what they ask for: everything,
unless they name a project.

    scope = scope_for(memory, project, os.getcwd(), json, all_projects)
    within(scope, memory.list(type=…))          what of it belongs there; limit it afterwards
    memory.recall(query, project=scope.project)
    scope.line                                  what it speaks of, for people; "" where that needs no saying
    nothing(scope, elsewhere(memory, scope, type=…))    in place of "nothing has been remembered"
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.stores.sqlite.projects import root_of

if TYPE_CHECKING:
    from treering.ledger.types import Memory
    from treering.memory import Treering

HERE = "."  # as a project: the one of the working folder
OWN = ""  # in place of a project's name: what belongs to none
MOST_NAMED = 3  # projects in a message


class Scope(NamedTuple):
    """A project, or all of them; with the user's own memories, or without."""

    project: str = ""  # none: all projects
    own: bool = True  # the user's own memories belong to it
    assumed: bool = False  # by the folder, not by what was asked
    all: bool = True  # without a project, every project; else what belongs to none

    @property
    def line(self) -> str:
        """Say what it covers, if nobody asked for it in so many words."""
        return f"project {self.project} and your own memories; --all-projects shows all" if self.assumed else ""

    def covers(self, memory: Memory) -> bool:
        """Return whether a memory belongs to it."""
        if memory.project == self.project if self.project else self.all:
            return True
        return self.own and is_own(memory)


ALL = Scope()


def is_own(memory: Memory) -> bool:
    """Return whether a memory is the user's own: one that holds in every project, or belongs to none."""
    return memory.scope == "user" or not memory.project


def chosen(given: str, here: str, json: bool, all_projects: bool) -> Scope:
    """Return the scope of a command: what was given, else the project of the folder, else everything."""
    if given:
        return Scope(given, own=False)
    if json or all_projects or not here:
        return ALL
    return Scope(here, assumed=True)


def scope_for(memory: Treering, given_project: str | None, cwd: str, json: bool, all_projects: bool = False) -> Scope:
    """Return the scope of a command. A given project of "." is that of the folder."""
    if given_project == HERE:
        return chosen(memory.workspace.project_of(cwd), "", json, all_projects)
    asks = not given_project and not json and not all_projects
    return chosen(given_project or "", project_here(memory, cwd) if asks else "", json, all_projects)


def project_here(memory: Treering, cwd: str) -> str:
    """Return the project whose folder this is, or nothing: a folder is a project's if it is in a repository, or if the
    store knows it. Only looking never makes a project of a folder."""
    root = root_of(cwd)
    if not root:
        return ""
    if os.path.exists(os.path.join(root, ".git")):
        return memory.workspace.project_of(cwd)
    name = os.path.basename(root)
    known = memory.workspace.inbox is not None and memory.workspace.inbox.folder(name) == root
    return name if known or any(memory.list(project=name, limit=1)) else ""


def seen_by_recall(scope: Scope) -> Scope:
    """Return what a recall in a scope looks at: a project and the user's own memories, or these alone."""
    return scope._replace(own=True, all=False)


def within(scope: Scope, memories: Iterable[Memory], limit: int = 0) -> Iterator[Memory]:
    """Yield the memories that belong to a scope, at most so many; 0 is all."""
    found = filter(scope.covers, memories)
    return (memory for memory, _ in zip(found, range(limit), strict=False)) if limit else found


def elsewhere(memory: Treering, scope: Scope, /, **narrow: Any) -> dict[str, int]:
    """Return how many memories each other project has, most first; the user's own under `OWN`. `narrow` is what
    `memory.list` takes."""
    counts: dict[str, int] = {}
    for found in memory.list(**narrow) if scope.project or not scope.all else ():
        if not scope.covers(found):
            name = OWN if is_own(found) else found.project
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def nothing(scope: Scope, others: Mapping[str, int], otherwise: str = "") -> str:
    """Say that there is nothing here, and where there is something. `otherwise` is for when there is nothing at all."""
    if not others:
        return otherwise or "nothing has been remembered yet: `treering remember` makes a memory"
    named = [f"{count:,} {f'in project {name}' if name else 'of your own'}" for name, count in others.items()]
    more = len(named) - MOST_NAMED
    found = ", ".join(named[:MOST_NAMED]) + (f" and {more} more projects" if more > 0 else "")
    return f"nothing here; {found}: {_remedy(scope, others)}"


def _remedy(scope: Scope, others: Mapping[str, int]) -> str:
    """Name the option that shows what is elsewhere."""
    if len(others) == 1 and OWN not in others:
        return f"add --project {shlex.quote(next(iter(others)))}"
    if not scope.all:
        return "name one with --project"
    return "add --all-projects" if scope.assumed else "leave out --project"
