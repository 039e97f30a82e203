"""Agents: install, uninstall, doctor. What is to be written is shown, then asked for once, then written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.config import home_of
from treering.surfaces.cli.app import AGENTS as SECTION
from treering.surfaces.cli.app import ROOT, Words, argument, command, flag, shared, surroundings
from treering.surfaces.cli.change import dry_run_option
from treering.surfaces.cli.render import Answer, counted, line, page_of, safe, table

if TYPE_CHECKING:
    from treering.surfaces.cli.doctor import Finding
    from treering.surfaces.cli.render import Page
    from treering.surfaces.install.agents import Agent, Setting
    from treering.surfaces.install.files import Records
    from treering.surfaces.install.plan import Plan
    from treering.surfaces.install.state import State

# As the table of agents has them, which is slow to import; a test holds the two together.
AGENTS = ("claude-code", "codex", "gemini", "cursor", "copilot", "opencode")
ALL = "all"
TRIES = 3  # a plan is made anew if another program writes to a file at the same moment
_VERBS = {"create": "is created", "change": "is changed", "restore": "is restored", "delete": "is deleted"}

agent_argument = argument(
    "agent",
    "which one; all for those that are found here; omit it to list the agents",
    required=False,
    type=Words(*AGENTS, ALL),
)
here_option = flag("--project", "only for the project that you are in: its files, not those of your home folder")
yes_option = flag("--yes", "do not ask")
agents_md_option = flag(
    "--agents-md", "instead: a block of instructions in AGENTS.md of the project, for any other agent"
)


@command(
    ROOT,
    "install",
    section=SECTION,
    examples=("treering install claude-code", "treering install all --dry-run", "treering install --agents-md"),
    opens=False,
    past=False,
)
@agent_argument
@here_option
@agents_md_option
@dry_run_option
@yes_option
def install(agent: str, project: bool, agents_md: bool, dry_run: bool, yes: bool) -> Answer:
    """Give an agent this memory: hooks, MCP server, skills and commands.

    Shows what is added to which file, and asks once at a terminal. Nothing else in the files changes: comments, order
    and layout stay. A copy of each is kept beside it, as NAME.before-treering. Installing again changes nothing, or
    corrects paths that have moved.
    """
    if agents_md:
        return _instruct(agent, dry_run, adding=True)
    return _run(agent, project, dry_run, yes, adding=True)


@command(
    ROOT,
    "uninstall",
    section=SECTION,
    examples=("treering uninstall claude-code", "treering uninstall all --dry-run"),
    opens=False,
    past=False,
)
@agent_argument
@here_option
@agents_md_option
@dry_run_option
@yes_option
def uninstall(agent: str, project: bool, agents_md: bool, dry_run: bool, yes: bool) -> Answer:
    """Take it out again: exactly what was added.

    A file that nobody has changed since is as it was before, to the byte; out of one that was changed only our entries
    are deleted. What you have remembered stays: it is in the store.
    """
    if agents_md:
        return _instruct(agent, dry_run, adding=False)
    return _run(agent, project, dry_run, yes, adding=False)


# What a person should know before the first prompt.
_KEPT = (
    "What you say that is worth keeping is kept, redacted: `treering captured`. Words that may be worth it are kept",
    "for 60 days: `treering captured --all`; `treering config set likely_days 0` turns that off.",
)


def _run(name: str, here: bool, dry_run: bool, yes: bool, *, adding: bool) -> Answer:
    from treering.surfaces.install import plan as planning
    from treering.surfaces.install.files import Records
    from treering.surfaces.install.state import setting_of

    given = shared()
    home = home_of(given["home"] or None, os.environ)
    agent, root = _known(name), _root(here)
    setting = setting_of(home, os.environ, root, must=adding)
    agents = _chosen(agent, setting, adding)
    if not agents:
        return Answer([], lambda page: (), empty="no agent is found here: name one, and it is set up all the same")
    records = Records(home)
    recorded = bool(records)
    plans = planning.all_of(agents, setting, records, adding)
    asks = sys.stdin is not None and sys.stdin.isatty() and not (yes or given["json"] or dry_run)
    applied = not dry_run and (not asks or _agreed(plans, adding))
    left: list[str] = []
    if applied and (adding or recorded or not all(plan.empty for plan in plans)):
        plans, left = _carry_out(agents, setting, home, adding)
    value = {"applied": applied, "agents": [_plain(plan) for plan in plans], "left": left}
    shown = [] if asks else [*_shown(plans, adding, dry_run)]
    told = _outcome(plans, applied, adding, dry_run)
    failed = any(plan.problems for plan in plans)
    kept = _KEPT if applied and adding and not failed and sys.stdout.isatty() else ()
    return Answer(value, lambda page: [*shown, *told, *kept, *left], code=1 if failed else 0)


def _instruct(agent: str, dry_run: bool, *, adding: bool) -> Answer:
    """Put the block into AGENTS.md, or take it out."""
    from treering.surfaces.install.instructions import block, write
    from treering.surfaces.install.state import root_of

    if agent:
        raise click.UsageError("--agents-md is for agents that are not listed: name none with it")
    change = block(root_of(os.getcwd()), adding)
    same = change.before == change.after
    if not dry_run and not same:
        write(change)
    told = "stays as it is" if same else "gets the block" if adding else "loses the block"
    value = {"path": change.path, "changed": not same, "applied": not dry_run}
    rows = [f"{line(change.path)} {told}", *(["nothing was written"] if dry_run else [])]
    return Answer(value, lambda page: rows)


def _carry_out(agents: list[Agent], setting: Setting, home: str, adding: bool) -> tuple[list[Plan], list[str]]:
    """Do it, by plans of this very moment. Return these, and what is left behind, with the reason."""
    from treering.surfaces.install import apply
    from treering.surfaces.install import plan as planning
    from treering.surfaces.install.files import Records, lock

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
                except apply.ChangedMeanwhile:
                    if tries == TRIES - 1:
                        raise
    return plans, left


def _apply(plan: Plan, records: Records, setting: Setting, adding: bool) -> list[str]:
    from treering.surfaces.install import apply

    if not adding:
        return apply.uninstall(plan, records)
    from treering import __version__

    apply.install(plan, records, __version__, bool(setting.root))
    return []


def _chosen(name: str, setting: Setting, adding: bool) -> list[Agent]:
    from treering.surfaces.install.agents import by_name, is_there

    if name == ALL:
        return [agent for agent in map(by_name, AGENTS) if not adding or is_there(agent, setting)]
    return [by_name(name)]


def _known(name: str) -> str:
    """Return the name of an agent that there is, or all."""
    names = (*AGENTS, ALL)
    if not name:
        raise click.UsageError(f"which agent? One of {', '.join(names)}")
    if name not in names:
        from difflib import get_close_matches  # slow to import, so only for those who have mistyped

        near = get_close_matches(name, AGENTS, 1)
        guess = f"did you mean {near[0]}? There are" if near else "choose one of"
        raise click.UsageError(f"there is no agent {name!r} here: {guess} {', '.join(names)}")
    return name


def _root(here: bool) -> str:
    """Return the folder of the project, if only that is meant."""
    from treering.surfaces.install.state import root_of

    root = root_of(os.getcwd()) if here else ""
    if root and os.path.realpath(root) == os.path.realpath(os.path.expanduser("~")):
        raise click.UsageError("this is your home folder, and no project: leave out --project")
    return root


def _agreed(plans: list[Plan], adding: bool) -> bool:
    """Show the plan and ask; skip the question if the plan is empty."""
    if all(plan.empty for plan in plans):
        return True
    page = page_of(sys.stdout, os.environ)
    for row in _shown(plans, adding, details=False):
        sys.stdout.write((row if row.startswith(" ") else page.bold(row)) + "\n")
    sys.stdout.write("Go on? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _shown(plans: list[Plan], adding: bool, details: bool) -> Iterator[str]:
    """Return each file and what happens to it; with details, the very lines."""
    from treering.surfaces.install import files as copies
    from treering.surfaces.install import plan as planning

    told: set[str] = set()  # what several agents share is said once
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


@command(ROOT, "status", examples=("treering status", "treering status --json"), opens=False, past=False, hidden=True)
@here_option
def status(project: bool) -> Answer:
    """Show which agents have this memory, and whether it would run.

    Per agent: whether it is found here, its hooks, the MCP server, skills, and whether the programs that are named are
    still there. Ends with 1 if something is wrong: hooks are missing, a file cannot be read.
    """
    from treering.surfaces.install.state import state, state_of

    home, root = home_of(shared()["home"] or None, os.environ), _root(project)
    found = state_of(home, os.environ, root) if root else state(home, os.environ, os.getcwd())
    value = [{**one._asdict(), "installed": one.installed} for one in found]
    wrong = any(one.problems for one in found)
    return Answer(value, lambda page: _states(found, page), code=1 if wrong else 0)


def _states(found: list[State], page: Page) -> Iterator[str]:
    from treering.surfaces.install.state import PROJECT

    rows = []
    for one in found:
        name = one.title if one.scope != PROJECT else f"{one.title} (project)"
        rows.append((name, "\n".join(_told(one))))
    yield from table(rows, page)


def _told(one: State) -> Iterator[str]:
    from treering.surfaces.install.state import PROJECT

    if not one.installed:
        where = " --project" if one.scope == PROJECT else ""
        yield f"found, not installed: `treering install {one.agent}{where}`" if one.found else "not found here"
    else:
        version = f", by {one.version}" if one.version else ""
        yield ", ".join([*one.parts(), f"{one.skills} of {one.skills_wanted} files of skills"]) + version
        yield from one.programs
    if one.plugin:
        yield "the plugin is enabled as well: nothing is counted twice"
    yield from one.problems


@command(ROOT, "plugin-path", examples=("treering plugin-path",), opens=False, past=False, hidden=True)
def plugin_path() -> Answer:
    """Print the folder of the plugin.

    For agents that load plugins from a folder, instead of `treering install`. Its hooks run `treering-hook` by name,
    which must be on the PATH.
    """
    from treering.surfaces.install.files import PLUGIN

    return Answer({"path": PLUGIN}, lambda page: [PLUGIN])


@command(ROOT, "doctor", section=SECTION, examples=("treering doctor",), opens=False, past=False)
def doctor() -> Answer:
    """Look for what could go wrong, and say what to do.

    Versions, permissions, the disk, the settings, the store and the agents. Ends with 1 if anything fails.
    """
    from treering.surfaces.cli.doctor import FAIL, examine

    findings = examine(home_of(shared()["home"] or None, os.environ), surroundings())
    failed = any(finding.level == FAIL for finding in findings)
    value = [finding._asdict() for finding in findings]
    return Answer(value, lambda page: _findings(findings, page), code=1 if failed else 0)


def _findings(findings: list[Finding], page: Page) -> Iterator[str]:
    rows = []
    for finding in findings:
        text = f"{finding.found}\n{finding.advice}" if finding.advice else finding.found
        rows.append((f"{finding.level:<4}  {finding.name}", text))
    yield from table(rows, page)
