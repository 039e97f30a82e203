"""Consolidate: hand groups of episodes to somebody who can write, and take the summaries back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treering.ledger.clock import format_time
from treering.surfaces.cli.app import Words, argument, command, flag, group, number, option
from treering.surfaces.cli.change import dry_run_option, reason_option
from treering.surfaces.cli.complete import Known
from treering.surfaces.cli.everyday import given
from treering.surfaces.cli.maintain import CONSOLIDATION, consolidated
from treering.surfaces.cli.render import Answer, counted, line, plain, when, wrapped
from treering.surfaces.cli.view import ID, MEANING, TEXT, TIME, Column, listed

if TYPE_CHECKING:
    from treering.consolidate.api import Task
    from treering.consolidate.queue import Group
    from treering.memory import Treering
    from treering.surfaces.cli.render import Page

GROUPS = group("consolidate", hidden=True, aliases={"log": "maintain log"})
group_argument = argument("group", "a group's name, or the beginning of it", type=Known("group"))


@command(
    GROUPS,
    "",
    examples=(
        "treering consolidate",
        "treering consolidate --if-due --json",
        "treering consolidate --step episodes",
    ),
    past=False,
)
@flag("--if-due", "only what sessions since the last time made due: every one, every 5th, every 20th")
@option("--step", about="only this step", type=Words(*CONSOLIDATION))
@number("--budget", "seconds at the most; 0 for as long as it takes, or what is usual with --if-due", 0)
@dry_run_option
def consolidate(memory: Treering, step: str, **options: Any) -> Answer:
    """Sum up, move, promote, connect, adapt and reflect: the slow steps of `treering maintain`."""
    return consolidated(step, memory, **options)


@command(GROUPS, "next", examples=("treering consolidate next", "treering consolidate next --json"), past=False)
def next(memory: Treering) -> Answer:
    """Take the next group of episodes to sum up, with instructions.

    For an agent or a person who can write: read the episodes, and hand the summary back with `treering consolidate
    submit`. Groups of which there is only a draft come after those of which there is nothing.
    """
    task = memory.maintenance.next_group()
    if task is None:
        return Answer(None, lambda page: [], empty="no episodes wait to be summed up")
    found = task
    return Answer(_task(found), lambda page: _asked(found, page))


def _task(task: Task) -> dict[str, Any]:
    return {
        **_group(task.group),
        "about": [*task.about],
        "instructions": task.instructions,
        "draft": task.draft,
        "sources": [plain(source) for source in task.sources],
    }


def _asked(task: Task, page: Page) -> Iterator[str]:
    """What to do, and the episodes as material: quoted as recall quotes them, with how far each is trusted."""
    from treering.recall.fence import quote

    yield page.bold(task.group.id) + f"  {task.group.status}: {', '.join(map(line, task.about))}"
    yield ""
    yield from wrapped(task.instructions, page.width)
    yield ""
    for source in task.sources:
        yield from wrapped(f"{source.id}  {when(source.created)}  {source.trust}  {quote(source.content)}", page.width)
    if task.draft:
        yield ""
        yield from wrapped(f"draft: {quote(task.draft)}", page.width)
    yield ""
    yield f'hand it back: treering consolidate submit {task.group.id} "TEXT"'


@command(
    GROUPS,
    "submit",
    examples=('treering consolidate submit group-1f "The nightly build fails when the cache of node 7 is full"',),
    past=False,
)
@group_argument
@argument("text", "the summary; - reads it from standard input")
def submit(memory: Treering, group: str, text: str) -> Answer:
    """Hand back the summary of a group.

    It becomes a semantic memory that rests on the episodes and is trusted no more than they are; they are consolidated.
    A number, a name or a denial that most of them have and the summary has not is flagged; what none of them says is
    refused. `treering undo` with the id of the summary brings the episodes back.
    """
    made = memory.maintenance.submit(group, given(text))
    (found,) = (one for one in memory.maintenance.groups() if one.summary == made.id)
    value = {**plain(made), "group": found.id, "sources": [*found.memories], "flags": [*found.flags]}
    note = f"flagged: {line('; '.join(found.flags))}" if found.flags else ""
    told = f"{made.id} sums up {counted(len(found.memories), 'episode')}; `treering undo {made.id}` brings them back"
    return Answer(value, lambda page: [told], note=note)


@command(GROUPS, "dismiss", examples=("treering consolidate dismiss group-1f",), past=False)
@group_argument
@reason_option
def dismiss(memory: Treering, group: str, reason: str) -> Answer:
    """Say that the episodes of a group do not belong together.

    A summary of it is taken back, and the group is not found again. `treering undo` brings it back.
    """
    found = memory.maintenance.dismiss(group, reason=reason)
    return Answer(_group(found), lambda page: [f"dismissed {found.id}: its episodes are not summed up together"])


@command(GROUPS, "list", examples=("treering consolidate list", "treering consolidate list --json"))
def list(memory: Treering) -> Answer:
    """List the groups of episodes: waiting, drafted or summarised."""
    found = memory.maintenance.groups()
    rows = [(one.id, one.status, one.queued, one.reason, _of(one)) for one in found]
    return listed([_group(one) for one in found], _GROUPS, rows, empty="no groups of episodes")


_GROUPS = (Column("group", ID), Column("status", MEANING), Column("since", TIME), Column("why"), Column("of", TEXT))


def _of(group: Group) -> str:
    summary = f" → {group.summary}" if group.summary else ""
    flags = f"  flagged: {line('; '.join(group.flags))}" if group.flags else ""
    return f"{counted(len(group.memories), 'episode')}: {', '.join(group.memories)}{summary}{flags}"


def _group(group: Group) -> dict[str, Any]:
    return {
        "group": group.id,
        "status": group.status,
        "reason": group.reason,
        "queued": format_time(group.queued),
        "memories": [*group.memories],
        "summary": group.summary,
        "draft_summary": group.draft,
        "flags": [*group.flags],
        "event": group.event,
    }
