"""Report how each agent stands: what of ours is there, and whether it would still run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.config import home_of
from treering.ledger.errors import TreeringError
from treering.surfaces.install import files, scripts
from treering.surfaces.install import files as copies
from treering.surfaces.install.agents import AGENTS, Setting, folder_of, is_there
from treering.surfaces.install.entries import JSON, TOML, meaning, ours, programs, server
from treering.surfaces.install.files import Records
from treering.surfaces.install.jsonc import NotUnderstood
from treering.surfaces.install.plan import has_plugin, text_of

if TYPE_CHECKING:
    from treering.surfaces.install.agents import Agent, Target

NOWHERE = scripts.Programs(scripts.TREERING, scripts.HOOK)  # stands for programs that cannot be found
USER, PROJECT = "user", "project"


class State(NamedTuple):
    agent: str
    title: str
    scope: str  # user or project
    found: bool  # somebody uses the agent here
    hooks: int  # entries that run our hook,
    hooks_wanted: int  # of so many
    mcp: bool
    skills: int  # files of ours that are placed,
    skills_wanted: int
    plugin: bool  # Claude Code loads Treering as a plugin, too
    files: tuple[str, ...]  # that have entries of ours
    programs: tuple[str, ...]  # that these name
    version: str  # that wrote them, as far as is known
    problems: tuple[str, ...]  # what is wrong, each with what to do

    @property
    def installed(self) -> bool:
        return bool(self.hooks or self.mcp or (self.skills and not self.hooks_wanted))  # hooks may be a placed script

    def parts(self) -> list[str]:
        """Return what an agent has: hooks, where it has entries for them, and the server."""
        hooks = [f"{self.hooks} of {self.hooks_wanted} hooks"] if self.hooks_wanted else []
        return [*hooks, "MCP server" if self.mcp else "no MCP server"]


def setting_of(
    home: str,
    environment: Mapping[str, str],
    root: str = "",
    started: scripts.Started | None = None,
    *,
    must: bool = False,
) -> Setting:
    """Return the folders and programs for an installation. To install, programs must be found again later."""
    started = started or scripts.Started()
    user = os.path.expanduser("~")
    try:
        found = scripts.programs(user, environment, started)
    except scripts.NoProgram:
        if must:
            raise
        found = NOWHERE
    elsewhere = home if os.path.realpath(home) != os.path.realpath(home_of(None, {})) else ""
    return Setting(user, environment, found, elsewhere, root, _has_mcp(), started.windows)


def root_of(folder: str) -> str:
    """Return the project that a folder belongs to: the nearest one above that has a .git, or itself."""
    above = os.path.abspath(folder)
    while not os.path.exists(os.path.join(above, ".git")):
        if os.path.dirname(above) == above:
            return os.path.abspath(folder)
        above = os.path.dirname(above)
    return above


def state(home: str, environment: Mapping[str, str], folder: str = "") -> list[State]:
    """Return each agent as its user has set it up, and, below a folder, those of the project that
    have something of ours.
    """
    setting = setting_of(home, environment)
    records = Records(home)
    found = [_state(agent, setting, records) for agent in AGENTS]
    root = root_of(folder) if folder else ""
    if root and os.path.realpath(root) != os.path.realpath(setting.user):
        found += [one for one in state_of(home, environment, root) if one.installed or one.problems]
    return found


def state_of(home: str, environment: Mapping[str, str], root: str) -> list[State]:
    """Return each agent as a project has set it up."""
    setting = setting_of(home, environment, root)
    records = Records(home)
    return [_state(agent, setting, records) for agent in AGENTS]


def _state(agent: Agent, setting: Setting, records: Records) -> State:
    folder = folder_of(agent, setting)
    targets = agent.targets(setting._replace(mcp=True), folder)
    looks = [_look(target) for target in targets]
    named = tuple(dict.fromkeys(run for look in looks for run in look.programs))
    placed = [files.read(path) is not None for path, _ in copies.sources(agent.copies(setting, folder))]
    versions = [records.edited[look.path].version for look in looks if look.there and look.path in records.edited]
    again = f"run `treering install {agent.name}{' --project' if setting.root else ''}` again"
    problems = [f"{problem}{again}" for problem in _problems(targets, looks, records)]
    problems += [f"{path} is not there any more: {again}" for path in named if not _runs(path, setting)]
    hooks = sum(len(look.marks) for look in looks)
    return State(
        agent.name,
        agent.title,
        PROJECT if setting.root else USER,
        is_there(agent, setting),
        hooks,
        sum(len(target.wanted.hooks) for target in targets),
        any(look.server for look in looks),
        sum(placed),
        len(placed),
        agent.name == "claude-code" and not setting.root and has_plugin(setting),
        tuple(look.path for look in looks if look.there),
        named,
        versions[0] if versions else "",
        (*problems, *_switched_off(agent, folder, hooks)),
    )


class _Look(NamedTuple):
    """What is seen of ours in a file."""

    path: str
    marks: tuple[tuple[str, str], ...] = ()  # of our hooks: the event, and what our program is called with
    server: bool = False
    programs: tuple[str, ...] = ()
    unreadable: str = ""  # why it is

    @property
    def there(self) -> bool:
        return bool(self.marks or self.server)


def _look(target: Target) -> _Look:
    path, wanted = target
    try:
        text = text_of(files.read(path))
        marks = () if wanted.format == TOML else tuple((event, mark) for event, mark, _ in ours(text))
        return _Look(path, marks, server(text, wanted) is not None, tuple(programs(text, wanted)))
    except NotUnderstood as error:
        return _Look(path, unreadable=f"{path} cannot be understood ({error})")
    except files.Unusable as error:
        return _Look(path, unreadable=str(error))


def _problems(targets: list[Target], looks: list[_Look], records: Records) -> Iterator[str]:
    """Yield what is wrong with the files of an agent, if somebody has wanted our hooks in it."""
    wanted = any(look.marks or look.path in records.edited for look in looks)
    for (path, entries), look in zip(targets, looks, strict=True):
        gone = [hook.event for hook in entries.hooks if (hook.event, hook.mark) not in look.marks]
        if look.unreadable and (wanted or any(one.there for one in looks)):
            yield f"{look.unreadable}: mend it and "
        elif look.unreadable:
            continue
        elif not look.there and path in records.edited:
            yield f"what was added to {path} is gone: "
        elif gone and not look.marks and wanted:
            yield f"{path} has none of our hooks: "
        elif gone and look.marks:
            yield f"{path} lacks {', '.join(dict.fromkeys(gone))}: "


def _switched_off(agent: Agent, folder: str, hooks: int) -> list[str]:
    """Return settings by which an agent runs no hooks at all, if there are any."""
    found = []
    for name, path, off in agent.switches if hooks else ():
        try:
            text = text_of(files.read(os.path.join(folder, name)))
            value = meaning(text, TOML if name.endswith(TOML) else JSON)
        except TreeringError:
            continue
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if value is off:
            found.append(f"{agent.title} runs no hooks, as {'.'.join(path)} in {name} says")
    return found


def _runs(path: str, setting: Setting) -> bool:
    """Return whether a program that an entry names is there."""
    from shutil import which

    if os.path.isabs(path):
        return os.path.isfile(path) and os.access(path, os.X_OK)
    return which(path, path=setting.environment.get("PATH", "")) is not None


def _has_mcp() -> bool:
    """Return whether the library is there that the MCP server needs."""
    from importlib.util import find_spec

    return find_spec("mcp") is not None
