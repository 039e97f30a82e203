"""Evolve: candidates, try, do, stats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.clock import format_time
from treering.surfaces.cli.app import EVOLVE, Words, argument, command, flag, group, number, option
from treering.surfaces.cli.change import ids_argument, reason_option
from treering.surfaces.cli.render import Answer, columns, counted, line, plain, table, when
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.evolve.candidates import Candidate
    from treering.evolve.engine import Attempt
    from treering.evolve.gate import Replay
    from treering.evolve.stats import Stats
    from treering.ledger.types import Memory
    from treering.memory import Treering
    from treering.surfaces.cli.render import Page

# As the engine has them, which is slow to import; a test holds the two together.
ACTIONS = ("deprecate", "refine", "merge", "archive", "induce")
CRITERIA = ("low_q", "stale", "unlinked_processes", "similar_pairs")
_CHANGES_SHOWN = 5  # questions that would be answered otherwise: enough to see what is meant

EVOLUTION = group(
    "evolve",
    "Improve memories, with evidence.",
    section=EVOLVE,
    aliases={
        "list": "review list --kind proposals --all",
        "show": "review show",
        "accept": "review accept",
        "reject": "review reject",
        "review": "review --kind proposals",
        "promote": "review promote",
        "log": "review log",
        "run": "maintain --only evolve",
        **{action: f"evolve do {action}" for action in ACTIONS},
    },
)
action_argument = argument("action", "deprecate, refine, merge, archive or induce", type=Words(*ACTIONS))
text_option = option("--text", about="the new text", metavar="TEXT")
why_option = option("--justification", about="why an invariant or a meta-skill may be touched", metavar="TEXT")


@command(
    EVOLUTION,
    "candidates",
    examples=("treering evolve candidates", "treering evolve candidates --criteria low_q --json"),
)
@option("--criteria", about="only those of one kind", type=Words(*CRITERIA))
@number("--limit", "how many at the most; 0 for all", 20)
def candidates(memory: Treering, criteria: str, limit: int) -> Answer:
    """List the memories that could be improved, the most pressing first.

    critical: Q below 0.2 and used 10 times or more. high: Q below 0.3, used 5 times or more. medium: not used for 90
    days, or two that say the same. low: processes that could be a skill, and what lacks evidence yet.
    """
    with bar("looked at") as progress:
        found = memory.evolve.candidates(criteria, limit, progress=progress)
    return Answer(
        [_candidate(one) for one in found],
        lambda page: (text for one in found for text in _case(one, page)),
        empty="no candidates: nothing needs attention",
    )


def _candidate(one: Candidate) -> dict[str, Any]:
    memories = [{"id": memory.id, "type": memory.type, "content": memory.content} for memory in one.memories]
    value = {**one._asdict(), "memories": memories, "numbers": dict(one.numbers), "missing": [*one.missing]}
    return {**value, "ids": [*one.ids]}


def _case(one: Candidate, page: Page) -> Iterator[str]:
    yield f"{page.bold(one.priority)}  {one.criterion} → {one.action}: {_numbers(one.numbers)}"
    for memory in one.memories:
        yield f"  {page.dim(memory.id)}  {line(memory.content)}"
    for missing in one.missing:
        yield page.dim(f"  missing: {missing}")


def _numbers(numbers: Mapping[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in numbers.items())


@command(
    EVOLUTION,
    "try",
    examples=(
        "treering evolve try deprecate 3",
        'treering evolve try refine 3 --text "Deploy with make deploy"',
    ),
    past=False,
)
@action_argument
@ids_argument
@text_option
@reason_option
@why_option
def try_(memory: Treering, action: str, id: tuple[str, ...], **options: str) -> Answer:
    """Show what an action would do to recall, and change nothing.

    Says which evidence is missing, and what the last logged recalls would gain, lose and reorder.
    """
    told = memory.evolve.attempt(action, *id, **options)
    return Answer(_attempt(told), lambda page: _tried(told, page))


@command(
    EVOLUTION,
    "do",
    examples=(
        'treering evolve do deprecate 3 --reason "it names a server that is gone"',
        'treering evolve do refine 3 "Deploy with make deploy, after make test" --reason "says what comes first"',
        "treering evolve do merge 3 7",
        "treering evolve do archive 3",
        "treering evolve do induce 3 7 9 --name debug-memory-leak",
    ),
    past=False,
)
@action_argument
@ids_argument
@text_option
@option("--reason", about="why; for a refinement, what is better", metavar="TEXT")
@why_option
@flag("--force", "do it even if something helpful is lost; needs a reason, which is recorded")
@option("--name", about="induce: of the skill")
@option("--description", about="induce: when to use it", metavar="TEXT")
@option("--content", about="induce: the skill itself, if you have written one", metavar="TEXT")
def do(memory: Treering, action: str, id: tuple[str, ...], **options: Any) -> Answer:
    """Improve memories, if there is the evidence that it needs.

    deprecate takes one out of recall that keeps failing (Q below 0.2, 10 uses, a pattern of failure). refine says one
    better (Q below 0.3, 5 uses, a reason). merge makes one of those that say the same (one type, a likeness above 0.95,
    5 uses; numbers, names, paths, flags and negations must agree). archive puts one away that nobody has used for 90
    days. induce proposes a skill of 3 processes that do the same.

    First the last logged recalls are replayed with and without it: if a result that was marked helpful would be lost,
    it is refused. `treering undo` takes it back.
    """
    if action not in _DO:
        raise click.UsageError(f"there is no action {action!r}: choose {', '.join(ACTIONS)}")
    if action in ("deprecate", "archive") and len(id) != 1:
        raise click.UsageError(f"evolve {action} takes one memory, not {len(id)}")
    if action == "archive" and options["force"]:
        raise click.UsageError("evolve archive takes no --force: it loses nothing")
    if action in ("deprecate", "refine") and not options["reason"]:
        raise click.UsageError(f"evolve {action} needs --reason: why, for the record")
    return _DO[action](memory, id, options)


def _deprecate(memory: Treering, ids: tuple[str, ...], options: Mapping[str, Any]) -> Answer:
    return _done(memory.evolve.deprecate(ids[0], **_grounds(options)), "deprecated")


def _refine(memory: Treering, ids: tuple[str, ...], options: Mapping[str, Any]) -> Answer:
    id, texts = ids[0], [*ids[1:], *filter(None, [options["text"]])]
    if len(texts) != 1:
        raise click.UsageError(
            "refine needs the new text, once: behind the id, or as --text (no LLM is configured to write it)"
        )
    new = memory.evolve.refine(id, texts[0], **_grounds(options))
    hint = f"`treering undo {new.id}` takes it back"
    return Answer(plain(new), lambda page: [f"{new.id} refines {new.supersedes[-1]}: {hint}"])


def _merge(memory: Treering, ids: tuple[str, ...], options: Mapping[str, Any]) -> Answer:
    kept = memory.evolve.merge(*ids, text=options["text"], **_grounds(options))
    given = {memory.whole_id(id) for id in ids}
    back = f"restore {' '.join(id for id in kept.merged if id in given)}" if kept.id in given else f"undo {kept.id}"
    text = f"{kept.id} speaks for {', '.join(kept.merged)}: `treering {back}` takes it back"
    return Answer(plain(kept), lambda page: [text])


def _archive(memory: Treering, ids: tuple[str, ...], options: Mapping[str, Any]) -> Answer:
    done = memory.evolve.archive(ids[0], reason=options["reason"], justification=options["justification"])
    return _done(done, "archived")


def _induce(memory: Treering, ids: tuple[str, ...], options: Mapping[str, Any]) -> Answer:
    from treering.surfaces.cli.proposals import plain as proposal

    names = ("name", "description", "content", "reason")
    made = memory.proposals.induce(*ids, **{name: options[name] for name in names})
    text = f"proposed {made.id}: `treering review show {made.id}` shows it"
    return Answer(proposal(made), lambda page: [text])


_DO = {"deprecate": _deprecate, "refine": _refine, "merge": _merge, "archive": _archive, "induce": _induce}


def _grounds(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("reason", "justification", "force")}


def _done(memory: Memory, word: str) -> Answer:
    hint = f"`treering restore {memory.id}` brings it back"
    return Answer(plain(memory), lambda page: [f"{word} {memory.id}: {hint}"])


def _attempt(told: Attempt) -> dict[str, Any]:
    return {
        "action": told.action,
        "memories": [memory.id for memory in told.memories],
        "allowed": told.allowed,
        "missing": [*told.missing],
        "text": told.text,
        "replay": told.replay.counts._asdict() if told.replay else None,
        "changes": [change._asdict() for change in told.replay.changes] if told.replay else [],
    }


def _tried(told: Attempt, page: Page) -> Iterator[str]:
    names = " ".join(memory.id for memory in told.memories)
    yield f"{told.action} {names}: " + (page.bold("allowed") if told.allowed else page.bold("refused"))
    for missing in told.missing:
        yield f"  missing: {missing}"
    if told.text:
        yield f"  new text: {line(told.text)}"
    if told.replay is not None:
        yield from _replayed(told.replay, page)


def _replayed(replay: Replay, page: Page) -> Iterator[str]:
    counts = replay.counts
    yield (
        f"  of {counted(counts.recalls, 'replayed recall')}: {counts.gained} gained, {counts.lost} lost, "
        f"{counts.reordered} reordered, {counts.helpful_lost} helpful lost"
    )
    groups: dict[tuple[Any, ...], int] = {}
    for change in replay.changes:
        key = (change.query, change.gained, change.lost, change.helpful_lost)
        groups[key] = groups.get(key, 0) + 1
    for (query, gained, lost, marked), count in [*groups.items()][:_CHANGES_SHOWN]:
        yield f"  {line(query)}" + (page.dim(f"  ({count} times)") if count > 1 else "")
        yield from (f"    + {id}" for id in gained)
        yield from (f"    - {id}" + (" (marked helpful)" if id in marked else "") for id in lost)
    if len(groups) > _CHANGES_SHOWN:
        yield page.dim(f"  … and {len(groups) - _CHANGES_SHOWN} more questions; --json shows all")


@command(EVOLUTION, "stats", examples=("treering evolve stats", "treering evolve stats --json"))
@number("--limit", "how many of each at the most; 0 for all", 10)
def stats(memory: Treering, limit: int) -> Answer:
    """Show the signals, what was judged, how often each rule was wrong, and what each memory does.

    Signals are memories that recall shows in session after session, prompts that nothing answers, and friction in
    transcripts; `treering maintain` makes proposals of them. The lift of a memory is what its presence did to the
    outcome, estimated from the recalls in which chance decided whether it was shown.
    """
    from treering.surfaces.cli.stats import signals_described, signals_listed

    found, signals, spent = memory.evolve.stats(), memory.proposals.signals(), memory.maintenance.llm_spent()
    most = limit or None
    value = {**signals_described(signals, most), **_stats(found, most)}
    value["llm"] = {purpose: cost._asdict() for purpose, cost in spent.items()}
    lines = [
        f"model, in 24 hours, for {purpose}: {counted(cost.calls, 'question')}, "
        f"{cost.asked:,} tokens asked and {cost.answered:,} answered"
        for purpose, cost in spent.items()
    ]
    return Answer(value, lambda page: chain(signals_listed(signals, most, page), _figures(found, most, page), lines))


def _stats(found: Stats, limit: int | None) -> dict[str, Any]:
    rules = [{**one._asdict(), "rate": round(one.rate, 4), "only_proposes": one.suspended} for one in found.rules]
    lifts = [
        {"id": one.memory.id, "content": one.memory.content, "q": one.memory.q, **_lift(one.lift._asdict())}
        for one in found.lifts[:limit]
    ]
    value = {**found._asdict(), "rules": rules, "lifts": lifts}
    return {**value, "last_run": format_time(found.last_run) if found.last_run else ""}


def _lift(row: dict[str, Any]) -> dict[str, Any]:
    """Without what JSON cannot say: an error that knows no bounds."""
    del row["memory"]
    return {name: value if isfinite(value) else None for name, value in row.items()}


def _figures(found: Stats, limit: int | None, page: Page) -> Iterator[str]:
    yield from table(
        [
            ("recalls", f"{found.recalls:,}, of which chance had a say in {found.swaps:,}"),
            ("judgements", _counts(found.judgements)),
            ("outcomes", _counts(found.outcomes)),
            ("last run", when(found.last_run) if found.last_run else "never"),
            ("due", found.due or "no"),
        ],
        page,
    )
    if found.rules:
        yield page.bold("rules, and how often they were wrong")
        yield from columns(
            [(one.rule, _rate(one.retired, one.wrong, one.rate, one.suspended)) for one in found.rules], page
        )
    if found.lifts:
        yield page.bold(
            "lift: what showing a memory did to the outcome; its Q; how often it was shown/withheld by chance"
        )
        rows = [
            (
                one.memory.id,
                f"{one.lift.lift:+.2f} ± {1.96 * one.lift.error:.2f}" if isfinite(one.lift.error) else "not known",
                f"Q {one.memory.q:.2f}",
                f"{one.lift.shown}/{one.lift.withheld}",
                line(one.memory.content),
            )
            for one in found.lifts[:limit]
        ]
        yield from columns(rows, page)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {word}" for word, count in counts.items()) or "none"


def _rate(retired: int, wrong: int, rate: float, suspended: bool) -> str:
    return f"{wrong:,} of {retired:,} ({rate:.1%})" + (": only proposes" if suspended else "")
