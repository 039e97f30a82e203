"""Maintain: all that keeps a memory in order, step by step, and the log of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.clock import format_time
from treering.surfaces.cli.app import (
    MAINTAIN,
    ROOT,
    Number,
    Words,
    argument,
    command,
    flag,
    group,
    number,
    option,
    shared,
)
from treering.surfaces.cli.change import dry_run_option
from treering.surfaces.cli.complete import SESSION
from treering.surfaces.cli.everyday import project_option
from treering.surfaces.cli.evolve import EVOLUTION
from treering.surfaces.cli.render import Answer, columns, counted, line, when, wrapped
from treering.surfaces.cli.view import ID, NUMBER, TEXT, TIME, Column, listed
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.consolidate.api import Report as Upkeep
    from treering.consolidate.api import Tuned
    from treering.consolidate.hygiene import Report
    from treering.consolidate.pipeline import Consolidation
    from treering.consolidate.reflection.insights import Insight
    from treering.evolve.runs import Evolution
    from treering.ledger.ageing import Due
    from treering.memory import Treering
    from treering.skills.proposals.analyze import Analysis
    from treering.surfaces.cli.render import Page

ROOT.aliases |= {
    "tend": "maintain --if-due",
    "hygiene": "maintain --only hygiene",
    "memory hygiene": "maintain --only hygiene",
    "reflect log": "maintain log --insights",
    "reflect": "maintain --only reflection",
    "tune": "maintain --only tune",
    "session end": "end-session",
}
# As the rules have them, which are slow to import; a test holds the two together.
CONSOLIDATION = (
    "episodes",
    "hygiene",
    "to_project",
    "to_user",
    "graph",
    "contradictions",
    "weights",
    "reflection",
)
STEPS = ("queue", "transcripts", *CONSOLIDATION, "prune", "evolve", "proposals", "tune")
USUAL = 60  # seconds that maintenance may take, if nobody says how many
LONGEST = 3_600  # seconds
MOST_NAMED = 5  # memories that an insight is about: the others are in the JSON
_SECOND = 1_000_000  # microseconds
_TITLES = {
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


UPKEEP = group("maintain", section=MAINTAIN)


@command(
    UPKEEP,
    "",
    examples=(
        "treering maintain",
        "treering maintain --if-due --budget 5 --json",
        "treering maintain --only hygiene --dry-run",
        "treering maintain --only episodes",
    ),
)
@option("--only", about="one step", type=Words(*STEPS))
@flag("--if-due", "only what is due: what agents do by themselves, in the background of a session")
@number("--budget", "seconds at the most", 0)
@option("--seconds", about="the same", type=Number(), default=-1, hidden=True)
@option("--project", about="with --only transcripts or tune: the project", hidden=True)
@dry_run_option
def maintain(
    memory: Treering, only: str, if_due: bool, budget: int, seconds: int, project: str, dry_run: bool
) -> Answer:
    """Keep the memory in order: take in, sum up, age, connect, check, learn, propose.

    Takes in what hooks have queued and reads on in transcripts; sums up episodes that belong together; moves the
    memories whose time has come; tells what proved itself to more people; reads and prunes the graph; looks for
    contradictions; lets recall follow feedback; reflects; improves memories that there is evidence for; proposes
    skills. What there was no time for goes on the next time, one process is at it at a time, and `treering undo` takes
    each step back. `--only tune` tries other settings of recall on recalls that were judged.
    """
    if shared()["as_of"] and only != "hygiene":  # which can be rehearsed on the past
        raise click.UsageError("maintain works on things as they are now: leave out --as-of")
    budget = seconds if seconds >= 0 else budget
    if only and only not in STEPS:
        raise click.UsageError(f"there is no step {only!r}: choose {', '.join(STEPS)}")
    if only:
        step = _ONLY.get(only) or partial(consolidated, only)
        return step(memory, if_due=if_due, budget=budget, dry_run=dry_run, project=project)
    if dry_run:
        return _rehearsed(memory, if_due)
    if if_due:
        done = memory.maintenance.run(USUAL if seconds < 0 and not budget else budget)
        return Answer(_tended(done), lambda page: [_taken_in(done)])
    return _everything(memory, budget or LONGEST)


def _everything(memory: Treering, budget: int) -> Answer:
    from time import monotonic

    end, taken = monotonic() + budget, memory.maintenance.run(budget)
    if taken.busy:
        return Answer(_tended(taken), lambda page: [_taken_in(taken)])
    with bar("maintaining", steps=_TITLES) as progress:
        done = memory.maintenance.consolidate(budget=max(end - monotonic(), 1.0), progress=progress)
    with bar("improving") as looked:
        evolution = memory.evolve.run(progress=looked)
    with bar("proposing") as worded:
        analysis = memory.proposals.analyze(progress=worded)
    value = {
        **_tended(taken),
        "consolidation": described(done),
        "evolution": _evolution(evolution, False),
        "proposals": _proposals(memory, analysis),
    }
    waiting = len(memory.proposals.list("pending"))
    return Answer(
        value,
        lambda page: [
            _taken_in(taken),
            *report(done),
            *_evolved(evolution, False, page),
            *([f"{counted(waiting, 'proposal')} for you: `treering review`"] if waiting else []),
        ],
    )


def _rehearsed(memory: Treering, if_due: bool) -> Answer:
    with bar("maintaining", steps=_TITLES) as progress:
        done = memory.maintenance.consolidate(if_due=if_due, dry_run=True, progress=progress)
    with bar("looked at") as looked:
        evolution = memory.evolve.run(if_due=if_due, dry_run=True, progress=looked)
    value = {"dry_run": True, "consolidation": described(done), "evolution": _evolution(evolution, True)}
    return Answer(value, lambda page: [*report(done, True), *_evolved(evolution, True, page)])


def _tended(done: Upkeep) -> dict[str, Any]:
    return {**done._asdict(), "letters": done.events, "caught": done.kept, "consolidated": [*done.consolidated]}


def _taken_in(done: Upkeep) -> str:
    if done.busy:
        return "another process is at it"
    parts = [
        f"took in {counted(done.events, 'queued event')}",
        f"read on in {counted(done.sessions, 'session')}",
        f"kept {counted(done.kept, 'memory', 'memories')}",
        f"consolidated ({', '.join(done.consolidated)})" if done.consolidated else "",
        "evolved" if done.evolved else "",
    ]
    return ", ".join(filter(None, parts))


def _queue(memory: Treering, **_: Any) -> Answer:
    count = memory.captured.receive()
    return Answer({"letters": count}, lambda page: [f"took in {counted(count, 'queued event')}"])


def consolidated(step: str, memory: Treering, *, if_due: bool, budget: int, dry_run: bool, **_: Any) -> Answer:
    steps = (step,) if step else ()
    with bar("maintaining", steps={one: _TITLES.get(one, one) for one in steps} or _TITLES) as progress:
        done = memory.maintenance.consolidate(
            if_due=if_due, steps=steps, budget=budget or None, dry_run=dry_run, progress=progress
        )
    return Answer({**described(done), "dry_run": dry_run}, lambda page: report(done, dry_run), empty="nothing is due")


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
    """Return what each step did, a line each."""
    for step in done.steps:
        mark = "✓" if step.finished else "…"
        told = _counts(step.counts) or "nothing to do"
        later = "" if step.finished else " (goes on the next time)"
        yield f"{mark} {_TITLES.get(step.step, step.step)}: {told}{later}  [{step.took / _SECOND:.1f} s]"
    if done.steps:
        ran = f"run {done.event}" if done.event else "nothing was changed"
        would = "; this is what would happen" if rehearsed else ""
        yield f"{ran}{would} ({counted(done.sessions, 'session')} ended so far)"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(
        counted(value, *_COUNTED.get(name, (name, name))).replace("_", " ") for name, value in counts.items() if value
    )


def _hygiene(memory: Treering, *, dry_run: bool, **_: Any) -> Answer:
    with bar("moved") as progress:
        report = memory.maintenance.hygiene(dry_run=dry_run, progress=progress)
    return _moved(report, dry_run)


def _moved(report: Report, rehearsed: bool) -> Answer:
    value = {
        "policy": report.policy,
        "looked_at": report.looked_at,
        "event": report.event,
        "dry_run": rehearsed,
        "counts": report.counts,
        "moves": [_move(one) for one in report.moves],
    }
    return Answer(value, lambda page: _moves(report, rehearsed, page))


def _move(one: Due) -> dict[str, Any]:
    to, rule, evidence = one.step
    return {
        "id": one.memory.id,
        "from": one.memory.status,
        "to": to,
        "rule": rule,
        "why": one.step.why,
        "evidence": evidence,
        "content": one.memory.content,
    }


def _moves(report: Report, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        rows = (
            (one.memory.id, f"{one.memory.status} → {one.step.to}", line(one.memory.content)) for one in report.moves
        )
        for row, one in zip(columns(rows, page), report.moves, strict=True):
            yield row
            yield page.dim(f"  {one.step.why}")
    counts = ", ".join(f"{count:,} → {status}" for status, count in report.counts.items())
    verb = "would move" if rehearsed else "moved"
    of = f"of {counted(report.looked_at, 'memory', 'memories')}, by {report.policy}"
    yield f"{verb} {len(report.moves):,} {of}" + (f": {counts}" if counts else "")
    if report.event:
        yield f"`treering undo {report.event}` takes all of it back"


@command(ROOT, "end-session", examples=("treering session end monday",), past=False, hidden=True)
@argument("name", "the session; the one of the settings without it", required=False, type=SESSION)
def end_session(memory: Treering, name: str) -> Answer:
    """End a session: record it, consolidate what is due, and move the memories whose time has come."""
    before = {run.event for _, run in memory.maintenance.log()}
    answer = _moved(memory.maintenance.end_session(name), False)
    done = next((run for _, run in memory.maintenance.log() if run.event not in before), None)
    if done is None:
        return answer
    value = {**answer.value, "consolidation": described(done)}
    return answer._replace(value=value, note="\n".join(report(done)))


def _evolve(memory: Treering, *, if_due: bool, dry_run: bool, **_: Any) -> Answer:
    with bar("looked at") as progress:
        done = memory.evolve.run(if_due=if_due, dry_run=dry_run, progress=progress)
    return Answer(_evolution(done, dry_run), lambda page: _evolved(done, dry_run, page))


def _evolution(told: Evolution, rehearsed: bool) -> dict[str, Any]:
    """Return a run for programs."""
    details = []
    for one in told.details:
        row: dict[str, Any] = {"node_id": one.memories[0], "action": one.action, "reason": one.reason}
        row |= {"new_id": one.new_id} if one.new_id else {}
        row |= {"node_ids": [*one.memories]} if len(one.memories) > 1 else {}
        details.append({**row, "event": one.event})
    return {
        "run": told.run,
        "trigger": told.trigger,
        "dry_run": rehearsed,
        "candidates_evaluated": told.evaluated,
        "actions_taken": told.actions,
        "details": details,
        "kept": [{"node_ids": [*one.memories], "action": one.action, "reason": one.why} for one in told.kept],
        "summary": told.summary,
    }


def _evolved(told: Evolution, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        yield "nothing is changed; this would happen:"
    rows = [(one.action, " ".join(one.memories), line(one.reason)) for one in told.details]
    yield from columns(rows, page)
    for one in told.kept:
        yield page.dim(f"kept {' '.join(one.memories)}, not {one.action}: {line(one.why)}")
    yield from wrapped(told.summary, page.width)
    if told.run and told.details:
        yield f"`treering undo {told.run}` takes all of it back"


def _prune(memory: Treering, *, dry_run: bool, **_: Any) -> Answer:
    """Hide entities below a confidence of 0.3 that one memory named long ago, and relations below 0.2 of that age."""
    done = memory.graph.prune(dry_run=dry_run)
    would = "would hide" if dry_run else "hid"
    told = f"{would} {counted(done.entities, 'entity', 'entities')} and {counted(done.relations, 'relation')}"
    undo = f"; `treering undo {done.event}` takes it back" if done.event else ""
    return Answer({**done._asdict(), "dry_run": dry_run}, lambda page: [told + undo])


def _reflect(memory: Treering, **_: Any) -> Answer:
    with bar("looking at what is used") as progress:
        found = memory.maintenance.reflect(progress=progress)
    return Answer([_insight(one) for one in found], lambda page: _noted(found, page), empty="nothing new")


def _insight(one: Insight) -> dict[str, Any]:
    return {**one.data, "text": one.text, "noted": format_time(one.noted) if one.noted else ""}


def _noted(found: list[Insight], page: Page) -> Iterator[str]:
    for one in found:
        at = f"{when(one.noted)}  " if one.noted else ""
        about = f" ({', '.join(one.memories[:MOST_NAMED])})" if one.memories else ""
        yield from wrapped(f"{at}{one.kind}: {line(one.text)}{about}", page.width)
        if one.done:
            yield from (f"  {text}" for text in wrapped(f"→ {line(one.done)}", page.inset().width))


def _tune(memory: Treering, *, budget: int, dry_run: bool, project: str, **_: Any) -> Answer:
    with bar("tried") as progress:
        found = memory.maintenance.tune(
            project=project, budget=float(budget or USUAL), dry_run=dry_run, progress=progress
        )
    value = {**found.tuning.data, "proposal": found.proposal, "new": found.fresh}
    return Answer(value, lambda page: _tuned(found))


def _tuned(found: Tuned) -> Iterator[str]:
    yield from found.tuning.summary
    if found.fresh:
        yield f"proposed as {found.proposal}: `treering review show {found.proposal}`, `treering review accept …`"
    elif found.proposal:
        yield f"that was proposed before: `treering review show {found.proposal}` says what came of it"


@command(
    EVOLUTION,
    "mine",
    examples=("treering evolve mine", "treering evolve mine session.jsonl --json"),
    past=False,
    hidden=True,
)
@argument("path", "a transcript, or a folder of them", required=False, nargs=-1, type=click.Path())
@project_option
def mine(memory: Treering, path: tuple[str, ...] = (), project: str = "", **_: Any) -> Answer:
    """Read on in transcripts: what was asked again and again, and where sessions got stuck.

    Reads transcripts of Claude Code, files or folders of them; without a path those of the folder where you are. Each
    line is read once, however often you ask. What stands there is redacted and counted; nothing in it is followed.
    """
    import os

    from treering.text.transcripts.lines import transcripts_folder

    with bar("read") as progress:
        found = memory.captured.mine(
            *(path or [transcripts_folder(os.getcwd(), os.environ)]), project=project, progress=progress
        )
    told = f"{counted(found.lines, 'new line')} in {counted(found.files, 'transcript')}"
    signals = (
        f"{counted(found.prompts, 'prompt')}, {counted(found.loops, 'retry loop')}, {counted(found.stops, 'stop')}"
    )
    skipped = f" ({found.skipped:,} could not be read)" if found.skipped else ""
    return Answer(found._asdict(), lambda page: [f"{told}{skipped}: {signals}"])


@command(
    EVOLUTION,
    "analyze",
    examples=("treering evolve analyze", "treering evolve analyze --reuse-min 5 --json"),
    past=False,
    hidden=True,
)
@number("--reuse-min", "times that a memory must have surfaced", 3)
@number("--reuse-min-sessions", "sessions in which it must have", 2)
@number("--miss-min", "prompts on one matter that nothing answered", 3)
@number("--miss-min-distinct", "wordings of them", 2)
def analyze(memory: Treering, **thresholds: Any) -> Answer:
    """Make proposals of the signals.

    A memory that recall shows in session after session could be a skill; prompts that nothing answers show what is
    missing; friction in transcripts shows where a skill would help, one draft a run. Analysing twice adds nothing.
    What was rejected comes back only if at least twice as much speaks for it.
    """
    from treering.skills.proposals.rules import Thresholds

    limits = Thresholds(**{name: value for name, value in thresholds.items() if name in Thresholds._fields})
    with bar("put into words") as progress:
        found = memory.proposals.analyze(limits, progress=progress)
    return Answer(_proposals(memory, found), lambda page: _analyzed(found))


def _proposals(memory: Treering, found: Analysis) -> dict[str, Any]:
    from treering.surfaces.cli.proposals import plain

    fresh = {*found.added, *found.again}
    proposals = [one for one in memory.proposals.list() if one.id in fresh] if fresh else []
    return {
        "reuse_scanned": found.reuse,
        "misses_scanned": found.misses,
        "friction_scanned": found.friction,
        "generated": [*found.generated],
        "added": [*found.added],
        "came_back": [*found.again],
        "grown": [*found.grown],
        "model": {"asked": found.asked, "worded": found.worded, "trouble": found.trouble},
        "proposals": [plain(one) for one in proposals],
    }


def _analyzed(found: Analysis) -> Iterator[str]:
    yield "✓ analyzed signals"
    yield f"  reuse entries scanned: {found.reuse:,}"
    yield f"  miss entries scanned: {found.misses:,}"
    yield f"  friction entries scanned: {found.friction:,}"
    yield f"  proposals generated: {len(found.generated):,}"
    yield f"  new proposals (added): {len(found.added):,}"
    if found.again:
        yield f"  came back, with twice the evidence: {', '.join(found.again)}"
    if found.asked:
        why = f" ({line(found.trouble)})" if found.trouble else ""
        yield f"  put into words by the model: {found.worded:,} of {found.asked:,}{why}"
    if found.grown:
        yield f"  with more evidence than before: {len(found.grown):,}"
    yield "Run 'treering evolve list' to review." if found.generated else "Nothing has enough evidence yet."


_ONLY: dict[str, Callable[..., Answer]] = {
    "queue": _queue,
    "transcripts": mine,
    "hygiene": _hygiene,
    "reflection": _reflect,
    "prune": _prune,
    "evolve": _evolve,
    "proposals": analyze,
    "tune": _tune,
}


@command(UPKEEP, "log", examples=("treering maintain log", "treering maintain log --insights --json"))
@number("--limit", "how many at the most, the newest; 0 for all", 20)
@flag("--insights", "what the memory has found out about itself instead")
def log(memory: Treering, limit: int, insights: bool) -> Answer:
    """List what was done before: which steps, how long they took, what came of them."""
    if insights:
        noted = memory.maintenance.insights()[-limit or None :]
        return Answer([_insight(one) for one in noted], lambda page: _noted(noted, page), empty="nothing is noted yet")
    found = memory.maintenance.log()[-limit or None :][::-1]
    rows = [(run.event, at, run.trigger, f"{run.took / _SECOND:.1f} s", _summary(run)) for at, run in found]
    value = [{"at": format_time(at), **described(run)} for at, run in found]
    return listed(value, _RUNS, rows, empty="nothing was done yet")


_RUNS = (Column("run", ID), Column("when", TIME), Column("because"), Column("took", NUMBER), Column("what", TEXT))


def _summary(run: Consolidation) -> str:
    done = [f"{step.step}: {told}" for step in run.steps if (told := _counts(step.counts))]
    later = [step.step for step in run.steps if not step.finished]
    return "; ".join([*(done or ["nothing to do"]), *([f"not finished: {', '.join(later)}"] if later else [])])
