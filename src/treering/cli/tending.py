"""Commands of the slow loop: summing up, reflecting, tuning."""

from __future__ import annotations

import sys

from treering.cli.render import Answer, Progress, columns, counted, line, plain, when, wrapped
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.consolidating import Task, Tuned
    from treering.consolidation.pipeline import Consolidation
    from treering.consolidation.queue import Group
    from treering.core.reflecting import Insight

MOST_NAMED = 5  # memories that an insight is about: the others are in the JSON
_SECOND = 1_000_000  # microseconds
_STEPS = {
    "prepare": "made ready",
    "hygiene": "memories moved",
    "episodes": "episodes summed up",
    "to_project": "session → project",
    "to_user": "project → user",
    "graph": "graph",
    "contradictions": "contradictions",
    "weights": "weights of recall",
    "reflection": "reflection",
}
# What is counted has a plural; what was done to it has none.
_COUNTED = {
    "drafts": ("draft",),
    "insights": ("insight",),
    "memories": ("memory", "memories"),
    "queries": ("query", "queries"),
    "scopes": ("scope",),
    "pruned_entities": ("pruned entity", "pruned entities"),
    "pruned_relations": ("pruned relation",),
}


class Steps:
    """Progress of several steps, each under its name."""

    def __init__(self) -> None:
        self._shown = Progress("")

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        self._shown.__exit__()

    def __call__(self, step: str, done: int) -> None:
        self._shown = Progress(f"{_STEPS.get(step, step)}:")
        self._shown(done)


def consolidate(memory: Treering, call: Call) -> Answer:
    steps = (call["step"],) if call["step"] else ()
    budget = call["budget"] or None
    with Steps() as progress:
        done = memory.consolidate(
            if_due=call["if_due"], steps=steps, budget=budget, dry_run=call["dry_run"], progress=progress
        )
    value = {**described(done), "dry_run": call["dry_run"]}
    return Answer(value, lambda page: report(done, call["dry_run"]), empty="nothing is due")


def described(done: Consolidation) -> dict[str, Any]:
    return {
        "trigger": done.trigger,
        "sessions": done.sessions,
        "finished": done.finished,
        "took_seconds": round(done.took / _SECOND, 3),
        "event": done.event,
        "steps": [
            {
                "step": step.step,
                "finished": step.finished,
                "took_seconds": round(step.took / _SECOND, 3),
                "counts": dict(step.counts),
            }
            for step in done.steps
        ],
    }


def report(done: Consolidation, rehearsed: bool = False) -> Iterator[str]:
    """What each step did, a line each."""
    for step in done.steps:
        mark = "✓" if step.finished else "…"
        told = _counts(step.counts) or "nothing to do"
        later = "" if step.finished else " (goes on the next time)"
        yield f"{mark} {_STEPS.get(step.step, step.step)}: {told}{later}  [{step.took / _SECOND:.1f} s]"
    if done.steps:
        ran = f"run {done.event}" if done.event else "nothing was changed"
        would = "; this is what would happen" if rehearsed else ""
        yield f"{ran}{would} ({counted(done.sessions, 'session')} ended so far)"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(
        counted(value, *_COUNTED.get(name, (name, name))).replace("_", " ") for name, value in counts.items() if value
    )


def next(memory: Treering, call: Call) -> Answer:
    task = memory.next_group()
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


def submit(memory: Treering, call: Call) -> Answer:
    text = sys.stdin.read() if call["text"] == "-" else call["text"]
    made = memory.submit(call["group"], text)
    group = next_of(memory, made.id)
    value = {**plain(made), "group": group.id, "sources": [*group.memories], "flags": [*group.flags]}
    note = f"flagged: {line('; '.join(group.flags))}" if group.flags else ""
    told = f"{made.id} sums up {counted(len(group.memories), 'episode')}; `treering undo {made.id}` brings them back"
    return Answer(value, lambda page: [told], note=note)


def next_of(memory: Treering, summary: str) -> Group:
    """The group that a memory sums up."""
    (found,) = (group for group in memory.groups() if group.summary == summary)
    return found


def dismiss(memory: Treering, call: Call) -> Answer:
    found = memory.dismiss(call["group"], reason=call["reason"])
    return Answer(_group(found), lambda page: [f"dismissed {found.id}: its episodes are not summed up together"])


def groups(memory: Treering, call: Call) -> Answer:
    found = memory.groups()
    rows = [(one.id, one.status, when(one.queued), one.reason, _of(one)) for one in found]
    return Answer([_group(one) for one in found], lambda page: columns(rows, page), empty="no groups of episodes")


def _of(group: Group) -> str:
    summary = f" → {group.summary}" if group.summary else ""
    flags = f"  flagged: {line('; '.join(group.flags))}" if group.flags else ""
    return f"{counted(len(group.memories), 'episode')}: {', '.join(group.memories)}{summary}{flags}"


def _group(group: Group) -> dict[str, Any]:
    return {
        "group": group.id,
        "status": group.status,
        "reason": group.reason,
        "queued": shown(group.queued),
        "memories": [*group.memories],
        "summary": group.summary,
        "draft_summary": group.draft,
        "flags": [*group.flags],
        "event": group.event,
    }


def log(memory: Treering, call: Call) -> Answer:
    found = memory.consolidations()[-call["limit"] or None :][::-1]
    rows = [(run.event, when(at), run.trigger, f"{run.took / _SECOND:.1f} s", _told(run)) for at, run in found]
    value = [{"at": shown(at), **described(run)} for at, run in found]
    return Answer(value, lambda page: columns(rows, page), empty="nothing was done yet")


def _told(run: Consolidation) -> str:
    done = [f"{step.step}: {told}" for step in run.steps if (told := _counts(step.counts))]
    later = [step.step for step in run.steps if not step.finished]
    return "; ".join([*(done or ["nothing to do"]), *([f"not finished: {', '.join(later)}"] if later else [])])


def reflect(memory: Treering, call: Call) -> Answer:
    with Steps() as progress:
        found = memory.reflect(progress=progress)
    return Answer([_insight(one) for one in found], lambda page: _noted(found, page), empty="nothing new")


def insights(memory: Treering, call: Call) -> Answer:
    found = memory.insights()[-call["limit"] or None :]
    return Answer([_insight(one) for one in found], lambda page: _noted(found, page), empty="nothing is noted yet")


def _insight(one: Insight) -> dict[str, Any]:
    return {**one.data, "text": one.text, "noted": shown(one.noted) if one.noted else ""}


def _noted(found: list[Insight], page: Page) -> Iterator[str]:
    for one in found:
        at = f"{when(one.noted)}  " if one.noted else ""
        about = f" ({', '.join(one.memories[:MOST_NAMED])})" if one.memories else ""
        yield from wrapped(f"{at}{one.kind}: {line(one.text)}{about}", page.width)
        if one.done:
            yield from (f"  {text}" for text in wrapped(f"→ {line(one.done)}", page.inset().width))


def tune(memory: Treering, call: Call) -> Answer:
    with Progress("tried") as progress:
        found = memory.tune(
            project=call["project"], budget=float(call["budget"]), dry_run=call["dry_run"], progress=progress
        )
    value = {**found.tuning.data, "proposal": found.proposal, "new": found.fresh}
    return Answer(value, lambda page: _tuned(found))


def _tuned(found: Tuned) -> Iterator[str]:
    yield from found.tuning.told
    if found.fresh:
        yield f"proposed as {found.proposal}: `treering evolve show {found.proposal}`, `treering evolve accept …`"
    elif found.proposal:
        yield f"that was proposed before: `treering evolve show {found.proposal}` tells what came of it"
