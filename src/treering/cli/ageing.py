"""Commands that keep the memory true as it ages."""

from __future__ import annotations

from treering.cli.parse import UsageError
from treering.cli.render import Answer, Progress, columns, counted, line, plain, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.core.policy import Due
    from treering.core.types import Memory
    from treering.hygiene import Report
    from treering.truth import Contradiction


def supersede(memory: Treering, call: Call) -> Answer:
    new = memory.supersede(call["old"], call["new"], reason=call["reason"])
    old = new.supersedes[-1]
    value = {**plain(new), "superseded": old}
    return Answer(value, lambda page: [f"{new.id} supersedes {old}"], note=noticed(memory, new))


def contradictions(memory: Treering, call: Call) -> Answer:
    if call["look"]:
        with Progress("looked at") as progress:
            memory.find_contradictions(again=True, progress=progress)
    note = looked(memory)
    found = memory.contradictions(all=call["all"])
    return Answer(
        [_plain(one) for one in found],
        lambda page: (text for one in found for text in _sides(one, page)),
        note=note,
        empty="no contradictions" if call["all"] else "no contradictions that stand",
    )


def looked(memory: Treering) -> str:
    """Look for the contradictions of what has come in, with progress; what it came to, for whoever brought it."""
    from treering.truth import PATIENCE

    if memory.read_only:
        return ""
    if (waiting := memory.to_compare()) > PATIENCE:
        command = "`treering contradictions --look` does, and takes a while"
        return f"{waiting:,} events are not looked at for contradictions yet: {command}"
    with Progress("looking for contradictions:") as progress:
        raised = memory.find_contradictions(progress=progress)
    return f"{counted(len(raised), 'contradiction')} found: see `treering contradictions`" if raised else ""


def resolve(memory: Treering, call: Call) -> Answer:
    if not call["keep"]:
        raise UsageError("resolve needs --keep A, B, both or supersede: A is the older memory, B the newer one")
    one = memory.resolve(call["id"], keep=call["keep"], reason=call["reason"])
    kept = {"older": one.older.id, "newer": one.newer.id, "both": f"{one.older.id} and {one.newer.id}"}[one.keep]
    return Answer(_plain(one), lambda page: [f"resolved {one.id}: kept {kept}"])


def confirm(memory: Treering, call: Call) -> Answer:
    answers = [name for name in ("yes", "no", "change") if call[name]]
    if not call["id"]:
        if answers:
            raise UsageError("name the memory that you answer for: treering confirm ID --yes")
        return _waiting(memory, None if call["days"] < 0 else call["days"])
    if len(answers) != 1:
        raise UsageError("answer with one of --yes, --no and --change TEXT")
    found = memory.confirm(call["id"], answers[0], text=call["change"], reason=call["reason"])
    said = {"yes": "confirmed", "no": "forgot", "change": "changed to"}[answers[0]]
    text = f"{said} {found.id}  {line(found.content)}".rstrip()
    return Answer(plain(found), lambda page: [text], note=noticed(memory, found) if call["change"] else "")


def _waiting(memory: Treering, days: int | None) -> Answer:
    from treering.truth import last_confirmed

    found = memory.to_confirm(days)
    rows = [{**plain(one), "last_confirmed": plain_time(last_confirmed(one))} for one in found]
    return Answer(
        rows,
        lambda page: columns([(one.id, when(last_confirmed(one)), line(one.content)) for one in found], page),
        note="answer with `treering confirm ID --yes`, --no or --change TEXT" if found else "",
        empty="every invariant has been confirmed",
    )


def hygiene(memory: Treering, call: Call) -> Answer:
    with Progress("moved") as progress:
        report = memory.hygiene(dry_run=call["dry_run"], progress=progress)
    return _report(report, call["dry_run"])


def end(memory: Treering, call: Call) -> Answer:
    from treering.cli.tending import described, report

    before = {run.event for _, run in memory.consolidations()}
    answer = _report(memory.end_session(call["name"]), False)
    done = next((run for _, run in memory.consolidations() if run.event not in before), None)
    if done is None:
        return answer
    value = {**answer.value, "consolidation": described(done)}
    return answer._replace(value=value, note="\n".join(report(done)))


def noticed(memory: Treering, made: Memory) -> str:
    """What whoever wrote a memory should know: what was redacted, and what it contradicts."""
    notes = [f"redacted: {', '.join(made.redacted)}"] if made.redacted else []
    found = memory.contradictions(about=made.id)
    if found:
        others = ", ".join(one.older.id if one.newer.id == made.id else one.newer.id for one in found)
        notes.append(f"contradicts {others}: see `treering contradictions`")
    return "\n".join(notes)


def _report(report: Report, rehearsed: bool) -> Answer:
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


def _plain(one: Contradiction) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "why": one.why,
        "a": plain(one.older),
        "b": plain(one.newer),
        "raised": plain_time(one.raised),
        "keep": one.keep,
    }


def _sides(one: Contradiction, page: Page) -> Iterator[str]:
    state = f"kept {one.keep}" if one.keep else one.kind
    yield f"{page.bold(one.id)}  {page.dim(when(one.raised))}  {state}: {line(one.why)}".rstrip(": ")
    for name, side in (("A", one.older), ("B", one.newer)):
        yield f"  {name}  {page.dim(side.id)}  {line(side.content) or f'({side.status})'}"


def plain_time(moment: int) -> str:
    from treering.moment import shown

    return shown(moment)
