"""Proposals as people and programs read them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treering.ledger.clock import format_time
from treering.surfaces.cli.render import line, table, when, wrapped

if TYPE_CHECKING:
    from treering.ledger.events import Event
    from treering.skills.proposals.proposal import Proposal
    from treering.surfaces.cli.render import Page

MARKS = {"pending": "⏸", "accepted": "✓", "rejected": "✗", "applied": "★", "moot": "·"}
_DOES = {
    "skill-upgrade": "create-skill",
    "routing-addition": "add-routing-entry",
    "skill-draft": "create-skill",
    "memory-action": "change-memories",
    "recall-setting": "set-recall",
}
_MOMENTS = ("firstSurfaced", "lastSurfaced")


def listed(found: Sequence[Proposal], page: Page) -> Iterator[str]:
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


def card(one: Proposal, page: Page) -> Iterator[str]:
    yield headline(one, page)
    fields = (
        ("target", one.target),
        ("why", line(one.reason)),
        ("about", " ".join(one.memories)),
        ("evidence", "\n".join(evidence(plain(one)["evidence"]))),
        ("made", when(one.created)),
        ("file", line(one.path) + (f" ({one.file})" if one.file else "") if one.path else ""),
        ("note", line(one.note)),
    )
    yield from table([field for field in fields if field[1]], page)
    yield ""
    yield from wrapped(one.text.rstrip("\n"), page.width)


def evidence(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield what speaks for a proposal, a line at a time."""
    for name, value in told.items():
        if isinstance(value, (str, int, float)):
            yield f"{name}: {line(f'{value:g}' if isinstance(value, float) else str(value))}"
        elif value:
            yield f"{name}: {', '.join(dict.fromkeys(map(_item, value)))}"


def _item(value: object) -> str:
    """Return one of several: a word, or what is known of a place where a session got stuck."""
    if isinstance(value, dict):
        return line(
            " ".join(str(value[name]) for name in ("kind", "tool", "what", "error", "reason") if value.get(name))
        )
    return line(str(value))


def accepted(id: str, path: str) -> Iterator[str]:
    from treering.skills.proposals.proposal import DRAFTS

    yield f"✓ accepted {id}"
    if path:
        yield f"  draft written: {line(path)}"
        waits = f"/{DRAFTS}/" in path.replace(os.sep, "/")
        name = os.path.basename(os.path.dirname(path))
        then = f"`treering review promote {name}` puts it into effect" if waits else "commit it"
        yield f"Review the draft. When you're happy with it, {then}."
    else:
        yield "  done: `treering review log` names the event, and `treering undo` takes it back"


def rejected(one: Proposal) -> str:
    return f"✗ rejected {one.id}" + (f" (note: {line(one.note)})" if one.note else "")


def decision(event: Event, undone: bool, made: set[str]) -> dict[str, Any]:
    """Return a line of the audit trail. `made` are the proposals that were made before it."""
    from treering.ledger.codec import data_of

    data = data_of(event)[1] if event.payload is not None else {}
    name = data.get("fingerprint") or data.get("proposal", "")
    what = event.kind.split(".")[1] if data else "erased"
    if what == "made":
        what = "came back" if data.get("before") else "grew" if name in made else "made"
        made.add(name)
    fields = ("weight", "note", "path", "digest", "name", "edited", "replaced", "before")
    kept: dict[str, Any] = {field: data[field] for field in fields if field in data}
    row: dict[str, Any] = {"at": format_time(event.time), "event": event.id, "what": what, "proposal": name}
    return {**row, "by": event.actor, **kept, "undone": undone}


def said(row: Mapping[str, Any]) -> str:
    about = row["proposal"] or row.get("name", "")
    path = f" {line(row['path'])}" if row.get("path") else ""
    note = f" ({line(row['note'])})" if row.get("note") else ""
    return f"{row['what']} {about}{path}{note}" + (" [undone]" if row["undone"] else "")


def plain(one: Proposal) -> dict[str, Any]:
    """Return a proposal for programs, of the same shape whatever its kind."""
    evidence = {name: format_time(value) if name in _MOMENTS else value for name, value in one.evidence.items()}
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
        "created_at": format_time(one.created),
        "timestamp": format_time(one.changed),
        "applied_path": one.path or None,
        "file": one.file,
        "note": one.note,
        "name": one.name,
        "action": one.action,
        "memories": [*one.memories],
        "weight": one.weight,
        "rejected_at_weight": one.before,
    }
