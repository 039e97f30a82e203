"""Commands on agents: what is to be written is shown, then asked for once, then written."""

from __future__ import annotations

import os
import sys

from treering.cli.commands.installing import AGENTS, ALL
from treering.cli.parse import UsageError
from treering.cli.render import Answer, counted, line, page_of, safe, table
from treering.config import home_of
from treering.install import applying, copies, planning
from treering.install.agents import by_name, is_there
from treering.install.files import lock
from treering.install.records import Records
from treering.install.state import PROJECT, root_of, setting_of, state, state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.install.agents import Agent, Setting
    from treering.install.planning import Plan
    from treering.install.state import State

TRIES = 3  # a plan is made anew if another program writes to a file at the same moment
_VERBS = {"create": "is made", "change": "is changed", "restore": "becomes as it was", "delete": "goes"}


def install(call: Call) -> Answer:
    return _run(call, adding=True)


def uninstall(call: Call) -> Answer:
    return _run(call, adding=False)


def status(call: Call) -> Answer:
    home, root = home_of(call["home"] or None, os.environ), _root(call)
    found = state_of(home, os.environ, root) if root else state(home, os.environ, os.getcwd())
    value = [{**one._asdict(), "installed": one.installed} for one in found]
    wrong = any(one.problems for one in found)
    return Answer(value, lambda page: _states(found, page), code=1 if wrong else 0)


def plugin_path(call: Call) -> Answer:
    return Answer({"path": copies.PLUGIN}, lambda page: [copies.PLUGIN])


def _run(call: Call, adding: bool) -> Answer:
    home = home_of(call["home"] or None, os.environ)
    agent, root = _known(call["agent"]), _root(call)
    setting = setting_of(home, os.environ, root, must=adding)
    agents = _chosen(agent, setting, adding)
    if not agents:
        return Answer([], lambda page: (), empty="no agent is found here: name one, and it is set up all the same")
    records = Records(home)
    recorded = bool(records)
    plans = planning.all_of(agents, setting, records, adding)
    asks = sys.stdin is not None and sys.stdin.isatty() and not (call["yes"] or call["json"] or call["dry_run"])
    applied = not call["dry_run"] and (not asks or _agreed(plans, adding))
    left: list[str] = []
    if applied and (adding or recorded or not all(plan.empty for plan in plans)):
        plans, left = _carry_out(agents, setting, home, adding)
    value = {"applied": applied, "agents": [_plain(plan) for plan in plans], "left": left}
    shown = [] if asks else [*_shown(plans, adding, call["dry_run"])]
    told = _outcome(plans, applied, adding, call["dry_run"])
    failed = any(plan.problems for plan in plans)
    return Answer(value, lambda page: [*shown, *told, *left], code=1 if failed else 0)


def _carry_out(agents: list[Agent], setting: Setting, home: str, adding: bool) -> tuple[list[Plan], list[str]]:
    """Do it, by plans of this very moment. These, and what is left behind, with the reason."""
    make = planning.to_install if adding else planning.to_uninstall
    plans: list[Plan] = []
    left: list[str] = []
    with lock(home):
        for agent in agents:
            for tries in range(TRIES):
                records = Records(home)
                try:
                    plan = make(agent, setting, records)
                    left += _apply(plan, records, setting, adding)
                    plans.append(plan)
                    break
                except applying.ChangedMeanwhile:
                    if tries == TRIES - 1:
                        raise
    return plans, left


def _apply(plan: Plan, records: Records, setting: Setting, adding: bool) -> list[str]:
    if not adding:
        return applying.uninstall(plan, records)
    from treering import __version__

    applying.install(plan, records, __version__, bool(setting.root))
    return []


def _chosen(name: str, setting: Setting, adding: bool) -> list[Agent]:
    if name == ALL:
        return [agent for agent in map(by_name, AGENTS) if not adding or is_there(agent, setting)]
    return [by_name(name)]


def _known(name: str) -> str:
    """The name of an agent that there is, or all."""
    names = (*AGENTS, ALL)
    if not name:
        raise UsageError(f"which agent? One of {', '.join(names)}")
    if name not in names:
        from difflib import get_close_matches  # slow to import, so only for those who have mistyped

        near = get_close_matches(name, AGENTS, 1)
        guess = f"did you mean {near[0]}? There are" if near else "choose one of"
        raise UsageError(f"there is no agent {name!r} here: {guess} {', '.join(names)}")
    return name


def _root(call: Call) -> str:
    """The folder of the project, if only that is meant."""
    root = root_of(os.getcwd()) if call["project"] else ""
    if root and os.path.realpath(root) == os.path.realpath(os.path.expanduser("~")):
        raise UsageError("this is your home folder, and no project: leave out --project")
    return root


def _agreed(plans: list[Plan], adding: bool) -> bool:
    """Whether somebody who has seen what is to be done wants it; nobody is asked about nothing."""
    if all(plan.empty for plan in plans):
        return True
    page = page_of(sys.stdout, os.environ)
    for row in _shown(plans, adding, details=False):
        sys.stdout.write((row if row.startswith(" ") else page.bold(row)) + "\n")
    sys.stdout.write("Go on? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _shown(plans: list[Plan], adding: bool, details: bool) -> Iterator[str]:
    """Each file, and what happens to it; with details, the very lines."""
    told: set[str] = set()  # of what several agents share, once is enough
    for plan in plans:
        if not adding and plan.empty and not (plan.problems or plan.notes):
            continue
        yield plan.agent.title
        for change in plan.changes:
            if change.action == planning.KEEP:
                yield f"  {line(change.path)} stays as it is" + (f": {change.what}" if change.what else "")
                continue
            yield f"  {line(change.path)} {_VERBS[change.action]}: {change.what}"
            if adding and change.backup and change.fresh:
                yield f"    a copy of it stays at {line(change.backup)}"
            if details and adding:
                yield from (f"    + {safe(row)}" for row in change.lines)
        for action, verb in ((copies.WRITE, "placed"), (copies.DELETE, "taken out")):
            if count := sum(copy.action == action for copy in plan.placed):
                yield f"  {line(plan.folder)}: {counted(count, 'file')} {verb}"
        for problem in plan.problems:
            yield f"  {line(problem.path)} is left alone: {line(problem.why)}"
            if problem.paste:
                yield "    mend that and run this again; or add this by hand:"
                yield from (f"    {row}" for row in safe(problem.paste).split("\n"))
        yield from (f"  {line(note)}" for note in plan.notes if note not in told)
        told.update(plan.notes)


def _outcome(plans: list[Plan], applied: bool, adding: bool, dry_run: bool) -> list[str]:
    if dry_run:
        return ["nothing was written"]
    if not applied:
        return ["nothing was changed"]
    wrong = any(plan.problems for plan in plans)
    if all(plan.empty for plan in plans):
        if wrong:
            return ["nothing was changed: something has to be mended first, as is said above"]
        return ["everything is as it should be"] if adding else ["there was nothing to take out"]
    if wrong:
        return ["done, but for what is said above"]
    return ["done: it takes effect in the next session"] if adding else ["done"]


def _plain(plan: Plan) -> dict[str, Any]:
    return {
        "agent": plan.agent.name,
        "files": [
            {"path": change.path, "action": change.action, "what": change.what, "backup": change.backup}
            for change in plan.changes
        ],
        "placed": [{"path": copy.path, "action": copy.action} for copy in plan.placed],
        "problems": [problem._asdict() for problem in plan.problems],
        "notes": [*plan.notes],
    }


def _states(found: list[State], page: Page) -> Iterator[str]:
    rows = []
    for one in found:
        name = one.title if one.scope != PROJECT else f"{one.title} (project)"
        rows.append((name, "\n".join(_told(one))))
    yield from table(rows, page)


def _told(one: State) -> Iterator[str]:
    if not one.installed:
        where = " --project" if one.scope == PROJECT else ""
        yield f"found, not installed: `treering install {one.agent}{where}`" if one.found else "not found here"
    else:
        parts = [f"{one.hooks} of {one.hooks_wanted} hooks", "MCP server" if one.mcp else "no MCP server"]
        parts.append(f"{one.skills} of {one.skills_wanted} files of skills")
        yield ", ".join(parts) + (f", by {one.version}" if one.version else "")
        yield from one.programs
    if one.plugin:
        yield "the plugin is enabled as well: nothing is counted twice"
    yield from one.problems
