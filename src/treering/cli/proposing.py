"""Commands that reach outside of the memory, with a person between."""

from __future__ import annotations

import os

from treering.cli.render import Answer, Progress, columns, counted, line, table, when, wrapped
from treering.moment import read, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.core.events import Event
    from treering.proposals.analysis import Analysis
    from treering.proposals.proposal import Proposal

MARKS = {"pending": "⏸", "accepted": "✓", "rejected": "✗", "applied": "★", "moot": "·"}
_DOES = {
    "skill-upgrade": "create-skill",
    "routing-addition": "add-routing-entry",
    "skill-draft": "create-skill",
    "memory-action": "change-memories",
    "recall-setting": "set-recall",
}
_MOMENTS = ("firstSurfaced", "lastSurfaced")


def mine(memory: Treering, call: Call) -> Answer:
    from treering.mining import usual

    paths = call["path"] or [usual(os.getcwd(), os.environ)]
    with Progress("read") as progress:
        found = memory.mine(*paths, project=call["project"], progress=progress)
    told = f"{counted(found.lines, 'new line')} in {counted(found.files, 'transcript')}"
    signals = (
        f"{counted(found.prompts, 'prompt')}, {counted(found.loops, 'retry loop')}, {counted(found.stops, 'stop')}"
    )
    skipped = f" ({found.skipped:,} could not be read)" if found.skipped else ""
    return Answer(found._asdict(), lambda page: [f"{told}{skipped}: {signals}"])


def analyze(memory: Treering, call: Call) -> Answer:
    from treering.core.proposing import Thresholds

    names = ("reuse_min", "reuse_min_sessions", "miss_min", "miss_min_distinct")
    with Progress("put into words") as progress:
        found = memory.analyze(Thresholds(**{name: call[name] for name in names}), progress=progress)
    return Answer(_report(memory, found) if call["json"] else {}, lambda page: _analyzed(found))


def _report(memory: Treering, found: Analysis) -> dict[str, Any]:
    fresh = {*found.added, *found.again}
    proposals = [one for one in memory.proposals() if one.id in fresh] if fresh else []
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


def list(memory: Treering, call: Call) -> Answer:
    found = memory.proposals(call["status"])
    return Answer([plain(one) for one in found], lambda page: _listed(found, page), empty="no proposals")


def _listed(found: Sequence[Proposal], page: Page) -> Iterator[str]:
    if found:
        yield page.bold(f"Treering — self-evolving memory proposals ({len(found)})")
    for one in found:
        yield ""
        yield headline(one, page)
        said = line(", ".join(one.text.removeprefix("# ").split("\n")))
        yield f"    target: {one.target}" if one.target else f"    action: {said}"
        yield f"    why: {line(one.reason)}"
        if one.path:
            yield f"    file: {line(one.path)}" + (f" ({one.file})" if one.file else "")
        if one.note:
            yield f"    note: {line(one.note)}"


def headline(one: Proposal, page: Page) -> str:
    return f"{MARKS[one.status]} [{one.status}] {page.bold(one.id)} {one.kind}"


def show(memory: Treering, call: Call) -> Answer:
    found = memory.proposal(call["id"])
    return Answer(plain(found), lambda page: card(found, page))


def card(one: Proposal, page: Page) -> Iterator[str]:
    yield headline(one, page)
    fields = (
        ("target", one.target),
        ("why", line(one.reason)),
        ("about", " ".join(one.memories)),
        ("evidence", "\n".join(_evidence(plain(one)["evidence"]))),
        ("made", when(one.created)),
        ("file", line(one.path) + (f" ({one.file})" if one.file else "") if one.path else ""),
        ("note", line(one.note)),
    )
    yield from table([field for field in fields if field[1]], page)
    yield ""
    yield from wrapped(one.text.rstrip("\n"), page.width)


def _evidence(told: Mapping[str, Any]) -> Iterator[str]:
    for name, value in told.items():
        if isinstance(value, (str, int, float)):
            yield f"{name}: {line(f'{value:g}' if isinstance(value, float) else str(value))}"
        elif value:
            yield f"{name}: {', '.join(dict.fromkeys(map(_item, value)))}"


def _item(value: object) -> str:
    """One of several: a word, or what is known of a place where a session got stuck."""
    if isinstance(value, dict):
        return line(
            " ".join(str(value[name]) for name in ("kind", "tool", "what", "error", "reason") if value.get(name))
        )
    return line(str(value))


def accept(memory: Treering, call: Call) -> Answer:
    options = {name: call[name] for name in ("overwrite", "name", "force")}
    done = memory.accept(call["id"], call["root"] or ".", **options)
    value = {**plain(memory.proposal(done.proposal)), "root": os.path.abspath(os.path.expanduser(call["root"] or "."))}
    return Answer(value, lambda page: accepted(done.proposal, done.path))


def accepted(id: str, path: str) -> Iterator[str]:
    from treering.proposals.proposal import DRAFTS

    yield f"✓ accepted {id}"
    if path:
        yield f"  draft written: {line(path)}"
        waits = f"/{DRAFTS}/" in path.replace(os.sep, "/")
        name = os.path.basename(os.path.dirname(path))
        then = f"`treering evolve promote {name}` puts it into effect" if waits else "commit it"
        yield f"Review the draft. When you're happy with it, {then}."
    else:
        yield "  done: `treering evolve log` names the event, and `treering undo` takes it back"


def reject(memory: Treering, call: Call) -> Answer:
    found = memory.reject(call["id"], call["note"])
    return Answer(plain(found), lambda page: [rejected(found)])


def rejected(one: Proposal) -> str:
    return f"✗ rejected {one.id}" + (f" (note: {line(one.note)})" if one.note else "")


def promote(memory: Treering, call: Call) -> Answer:
    from treering.proposals.texts import UNKNOWN
    from treering.skills.placing import read_text

    done = memory.promote(call["name"], call["root"] or ".")
    lines = [f"★ promoted {done.name}", f"  live now: {line(done.path)}"]
    empty = UNKNOWN in (read_text(done.path) or "")
    note = "nobody has written down what works yet: agents that load it learn nothing" if empty else ""
    return Answer(done._asdict(), lambda page: lines, note=note)


def log(memory: Treering, call: Call) -> Answer:
    events = memory.decisions()
    undone, made = memory.store.left_out(), set[str]()
    rows = [_decision(event, event.id in undone, made) for event in events][-call["limit"] :]
    return Answer(
        rows,
        lambda page: columns([(when(read(row["at"])), row["event"], _said(row)) for row in rows], page),
        empty="nothing has been proposed yet",
    )


def _decision(event: Event, undone: bool, made: set[str]) -> dict[str, Any]:
    """A line of the audit trail. `made` are the proposals that were made before it."""
    from treering.core.codec import data_of

    data = data_of(event)[1] if event.payload is not None else {}
    name = data.get("fingerprint") or data.get("proposal", "")
    what = event.kind.split(".")[1] if data else "erased"
    if what == "made":
        what = "came back" if data.get("before") else "grew" if name in made else "made"
        made.add(name)
    fields = ("weight", "note", "path", "digest", "name", "edited", "replaced", "before")
    kept: dict[str, Any] = {field: data[field] for field in fields if field in data}
    row: dict[str, Any] = {"at": shown(event.time), "event": event.id, "what": what, "proposal": name}
    return {**row, "by": event.actor, **kept, "undone": undone}


def _said(row: Mapping[str, Any]) -> str:
    about = row["proposal"] or row.get("name", "")
    path = f" {line(row['path'])}" if row.get("path") else ""
    note = f" ({line(row['note'])})" if row.get("note") else ""
    return f"{row['what']} {about}{path}{note}" + (" [undone]" if row["undone"] else "")


def plain(one: Proposal) -> dict[str, Any]:
    """A proposal for programs, of the same shape whatever its kind."""
    evidence = {name: shown(value) if name in _MOMENTS else value for name, value in one.evidence.items()}
    return {
        "id": one.id,
        "type": one.kind,
        "evidence": evidence,
        "proposal": {
            "kind": _DOES.get(one.kind, one.kind),
            "target_path": one.target or None,
            "diff": one.text,
            "rationale": one.reason,
        },
        "status": one.status,
        "created_at": shown(one.created),
        "timestamp": shown(one.changed),
        "applied_path": one.path or None,
        "file": one.file,
        "note": one.note,
        "name": one.name,
        "action": one.action,
        "memories": [*one.memories],
        "weight": one.weight,
        "rejected_at_weight": one.before,
    }
