"""Commands that make the memory better."""

from __future__ import annotations

import sys
from itertools import chain
from math import isfinite

from treering.cli.parse import UsageError
from treering.cli.render import Answer, Progress, columns, counted, line, plain, table, when, wrapped
from treering.cli.signals import telling, told
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.core.types import Memory
    from treering.core.usage import Use
    from treering.evolution.candidates import Candidate
    from treering.evolution.engine import Attempt
    from treering.evolution.gate import Replay
    from treering.evolution.runs import Evolution
    from treering.evolution.stats import Stats

_CHANGES_SHOWN = 5  # questions that would be answered otherwise: enough to see what is meant


def feedback(memory: Treering, call: Call) -> Answer:
    judged = memory.feedback(call["recall"], call["memory"], call["verdict"], note=call["note"])
    return Answer(plain(judged), lambda page: [_standing(judged)])


def outcome(memory: Treering, call: Call) -> Answer:
    found = memory.outcome(call["of"], call["outcome"])
    skills = memory.loaded_skills(call["of"])
    told = f"recorded for {', '.join(skills)}" if skills else ""
    return Answer(
        [plain(one) for one in found],
        lambda page: map(_standing, found),
        note=told,
        empty="" if told else "recorded; there is no memory that it says more of than was known",
    )


def observe(memory: Treering, call: Call) -> Answer:
    answer = sys.stdin.read() if call["answer"] == "-" else call["answer"]
    results = [*((text, False) for text in call["result"]), *((text, True) for text in call["failed"])]
    if not (answer or results or call["reply"]):
        raise UsageError("observe needs what followed: --answer, --result, --failed or --reply")
    found = memory.observe(call["recall"], answer=answer, results=results, reply=call["reply"])
    rows = [(one.memory, one.kind, line(one.evidence)) for one in found]
    return Answer([one._asdict() for one in found], lambda page: columns(rows, page), empty="nothing was shown there")


def _standing(memory: Memory) -> str:
    return f"{memory.id}  Q {memory.q:.3f}  {line(memory.content)}".rstrip()


def usage(memory: Treering, call: Call) -> Answer:
    found = memory.usage(call["id"], call["limit"])
    return Answer(
        [_use(one) for one in found],
        lambda page: columns(
            [(when(one.time), one.outcome or "-", _where(one), line(one.context)) for one in found], page
        ),
        empty="it has not been used yet",
    )


def _use(one: Use) -> dict[str, Any]:
    value = one._asdict()
    return {"timestamp": shown(value.pop("time")), **value}


def _where(one: Use) -> str:
    return " ".join(filter(None, (one.recall, line(one.session))))


def candidates(memory: Treering, call: Call) -> Answer:
    with Progress("looked at") as progress:
        found = memory.candidates(call["criteria"], call["limit"], progress=progress)
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


def deprecate(memory: Treering, call: Call) -> Answer:
    _need_reason(call)
    return _done(memory.deprecate(call["id"], **_grounds(call)), "deprecated")


def refine(memory: Treering, call: Call) -> Answer:
    _need_reason(call)
    if bool(call["text"]) == bool(call["new"]):
        raise UsageError(
            "refine needs the new text, once: behind the id, or as --text (no LLM is configured to write it)"
        )
    new = memory.refine(call["id"], call["text"] or call["new"], **_grounds(call))
    hint = f"`treering undo {new.id}` takes it back"
    return Answer(plain(new), lambda page: [f"{new.id} refines {new.supersedes[-1]}: {hint}"])


def merge(memory: Treering, call: Call) -> Answer:
    kept = memory.merge(*call["id"], text=call["text"], **_grounds(call))
    given = {memory.whole_id(id) for id in call["id"]}
    back = f"restore {' '.join(id for id in kept.merged if id in given)}" if kept.id in given else f"undo {kept.id}"
    text = f"{kept.id} speaks for {', '.join(kept.merged)}: `treering {back}` takes it back"
    return Answer(plain(kept), lambda page: [text])


def archive(memory: Treering, call: Call) -> Answer:
    given = {name: call[name] for name in ("reason", "justification")}
    return _done(memory.archive(call["id"], **given), "archived")


def induce(memory: Treering, call: Call) -> Answer:
    from treering.cli.proposing import plain as proposal

    names = ("name", "description", "content", "reason")
    made = memory.induce(*call["id"], **{name: call[name] for name in names})
    text = f"proposed {made.id}: `treering evolve show {made.id}` shows it"
    return Answer(proposal(made), lambda page: [text])


def try_(memory: Treering, call: Call) -> Answer:
    told = memory.attempt(
        call["action"], *call["id"], text=call["text"], reason=call["reason"], justification=call["justification"]
    )
    return Answer(_attempt(told), lambda page: _tried(told, page))


def run(memory: Treering, call: Call) -> Answer:
    with Progress("looked at") as progress:
        told = memory.evolve(if_due=call["if_due"], dry_run=call["dry_run"], progress=progress)
    return Answer(_report(told, call["dry_run"]), lambda page: _told(told, call["dry_run"], page))


def stats(memory: Treering, call: Call) -> Answer:
    found, signals, spent = memory.evolution_stats(), memory.signals(), memory.llm_spent()
    limit = call["limit"] or None
    value = {**telling(signals, limit), **_stats(found, limit)}
    value["llm"] = {purpose: cost._asdict() for purpose, cost in spent.items()}
    lines = [
        f"model, in 24 hours, for {purpose}: {counted(cost.calls, 'question')}, "
        f"{cost.asked:,} tokens asked and {cost.answered:,} answered"
        for purpose, cost in spent.items()
    ]
    return Answer(value, lambda page: chain(told(signals, limit, page), _figures(found, limit, page), lines))


def _need_reason(call: Call) -> None:
    if not call["reason"]:
        raise UsageError(f"{call.command.name} needs --reason: why, for the record")


def _grounds(call: Call) -> dict[str, Any]:
    return {name: call[name] for name in ("reason", "justification", "force")}


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


def _report(told: Evolution, rehearsed: bool) -> dict[str, Any]:
    """A run for programs."""
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


def _told(told: Evolution, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        yield "nothing is changed; this would happen:"
    rows = [(one.action, " ".join(one.memories), line(one.reason)) for one in told.details]
    yield from columns(rows, page)
    for one in told.kept:
        yield page.dim(f"kept {' '.join(one.memories)}, not {one.action}: {line(one.why)}")
    yield from wrapped(told.summary, page.width)
    if told.run and told.details:
        yield f"`treering undo {told.run}` takes all of it back"


def _stats(found: Stats, limit: int | None) -> dict[str, Any]:
    rules = [{**one._asdict(), "rate": round(one.rate, 4), "only_proposes": one.suspended} for one in found.rules]
    lifts = [
        {"id": one.memory.id, "content": one.memory.content, "q": one.memory.q, **_lift(one.lift._asdict())}
        for one in found.lifts[:limit]
    ]
    value = {**found._asdict(), "rules": rules, "lifts": lifts}
    return {**value, "last_run": shown(found.last_run) if found.last_run else ""}


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
