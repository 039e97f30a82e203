"""Review: one inbox of what waits for a person."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.clock import format_time, parse_time
from treering.ledger.errors import NotFound
from treering.surfaces.cli import proposals as shapes
from treering.surfaces.cli.app import (
    REVIEW,
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
from treering.surfaces.cli.change import noticed, reason_option
from treering.surfaces.cli.complete import MEMORY, Known, drafts
from treering.surfaces.cli.render import Answer, card, columns, counted, line, page_of, plain, when
from treering.surfaces.cli.store import written
from treering.surfaces.cli.view import ID, TEXT, TIME, Column, listed
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.ledger.types import Memory
    from treering.memory import Treering
    from treering.skills.proposals.proposal import Proposal, Review
    from treering.surfaces.cli.render import Page
    from treering.truth.claims import Contradiction

# As the rules have them, which are slow to import; a test holds the two together.
STATUSES = ("pending", "accepted", "rejected", "applied", "moot")
KINDS = CONTRADICTIONS, INVARIANTS, PROPOSALS, DRAFTS = ("contradictions", "invariants", "proposals", "drafts")

ROOT.aliases |= {"contradictions": "review list --kind contradictions", "resolve": "review accept"}
INBOX = group("review", section=REVIEW)
_KEEP = "of a contradiction: which holds, A (the older), B (the newer) or both"
_ROOT_ABOUT = "the folder below which files are written (default: where you are)"

root_option = option("--root", about=_ROOT_ABOUT, metavar="DIR", default=".")
id_argument = argument("id", "a proposal, a contradiction or an invariant, by its id", type=Known("waiting"))
kind_option = option("--kind", about="only this kind", type=Words(*KINDS))


@command(INBOX, "", examples=("treering review", "treering review --kind proposals --root ~/app"), past=False)
@root_option
@kind_option
def review(memory: Treering, root: str, kind: str) -> Answer:
    """Go through what waits for you, one by one.

    Contradictions, invariants to confirm, and proposals, each with its evidence and what speaks against it. Decide,
    skip or quit; `treering undo` takes a decision back. Nothing is staged or committed. In a pipe, answers are read
    from standard input.
    """
    wanted = (kind,) if kind else KINDS
    if shared()["json"]:
        found = {one: _LISTS[one](memory, root) for one in wanted}
        if PROPOSALS in found:
            found[PROPOSALS] = [weighed(one) for one in memory.proposals.reviews()]
        return Answer(found[kind] if kind else found, lambda page: ())
    from treering.surfaces.cli.walk import Walk

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a letter of another encoding is no reason to stop
    return Walk(memory, root, page_of(sys.stdout, os.environ)).through(wanted)


def weighed(one: Review) -> dict[str, Any]:
    told = {"counter_evidence": one.counter._asdict(), "expected_gain": one.gain, "risk": round(one.risk, 4)}
    return {**shapes.plain(one.proposal), **told}


@command(INBOX, "list", examples=("treering review list", "treering review list --kind contradictions --all --json"))
@kind_option
@flag("--all", "what was decided before, too")
@option("--status", about="only proposals of this status", type=Words(*STATUSES))
@flag("--look", "look for contradictions in all memories first, as after a large import")
@root_option
def list(memory: Treering, kind: str, all: bool, status: str, look: bool, root: str) -> Answer:
    """List what waits for you.

    Of proposals: ⏸ pending, ✓ accepted, ✗ rejected, ★ applied (in effect: a promoted skill, a changed memory), · moot
    (a memory of it is gone).
    """
    if look:
        with bar("looked at", written(memory)) as progress:
            memory.truth.look(again=True, progress=progress)
    if kind == PROPOSALS or status:
        found = memory.proposals.list(status or ("" if all else "pending"))
        return Answer(
            [shapes.plain(one) for one in found], lambda page: shapes.listed(found, page), empty="no proposals"
        )
    if kind == CONTRADICTIONS:
        return _contradictions(memory, all)
    if kind and kind not in KINDS:
        raise click.UsageError(f"--kind is one of {', '.join(KINDS)}, not {kind!r}")
    value = {one: _LISTS[one](memory, root) for one in ((kind,) if kind else KINDS)}
    return Answer(
        value[kind] if kind else value, lambda page: _overview(memory, value, page), empty="nothing waits for you"
    )


def _contradictions(memory: Treering, all: bool) -> Answer:
    note = looked(memory)
    found = memory.truth.contradictions(all=all)
    return Answer(
        [contradiction(memory, one) for one in found],
        lambda page: (text for one in found for text in sides(memory, one, page)),
        note=note,
        empty="no contradictions" if all else "no contradictions that stand",
    )


def _overview(memory: Treering, value: dict[str, Any], page: Page) -> Iterator[str]:
    for kind, rows in value.items():
        if rows:
            yield page.bold(f"{kind}: {len(rows)}")
        if kind == CONTRADICTIONS:
            yield from (f"  {text}" for one in memory.truth.contradictions() for text in sides(memory, one, page))
        elif kind == INVARIANTS:
            found = [(row["id"], f"last confirmed {row['last_confirmed'][:10]}", line(row["content"])) for row in rows]
            yield from (f"  {text}" for text in columns(found, page.inset()))
        elif kind == PROPOSALS:
            found = [(row["id"], row["type"], line(row["proposal"]["rationale"])) for row in rows]
            yield from (f"  {text}" for text in columns(found, page.inset()))
        else:
            yield from (f"  {row['name']}: `treering review promote {row['name']}` puts it into effect" for row in rows)


_LISTS: dict[str, Callable[[Treering, str], Any]] = {
    CONTRADICTIONS: lambda memory, root: [contradiction(memory, one) for one in memory.truth.contradictions()],
    INVARIANTS: lambda memory, root: [invariant(one) for one in memory.truth.to_confirm()],
    PROPOSALS: lambda memory, root: [shapes.plain(one) for one in memory.proposals.list("pending")],
    DRAFTS: lambda memory, root: [{"name": name} for name in drafts(root)],
}


@command(INBOX, "show", examples=("treering review show skill-2537cb787a", "treering review show skill-25 --json"))
@id_argument
def show(memory: Treering, id: str) -> Answer:
    """Show what waits: a proposal with the whole file and its evidence, both sides of a contradiction, a memory."""
    found: Any = _found(memory, id)
    if hasattr(found, "older"):
        return Answer(contradiction(memory, found), lambda page: sides(memory, found, page))
    if hasattr(found, "content"):
        return Answer(invariant(found), lambda page: card(found, page, {}))
    return Answer(shapes.plain(found), lambda page: shapes.card(found, page))


def _found(memory: Treering, id: str) -> Proposal | Contradiction | Memory:
    """Return what an id stands for: a proposal, a contradiction or an invariant."""
    if id.isprintable() and not any(one.id.startswith(id) for one in memory.proposals.list()):
        whole = memory.whole_id(id)
        for one in memory.truth.contradictions(all=True):
            if one.id == whole:
                return one
        try:
            if (known := memory.get(whole)).invariant:
                return known
        except NotFound:
            pass
    return memory.proposals.get(id)


@command(
    INBOX,
    "accept",
    examples=(
        "treering review accept skill-2537cb787a",
        "treering review accept skill-25 --root ~/app --overwrite",
        'treering review accept 9 --keep B --reason "asked the team"',
        "treering review accept 4",
    ),
    past=False,
)
@id_argument
@option("--keep", about=_KEEP, type=Words("A", "B", "both", "supersede"))
@root_option
@flag("--overwrite", "of a proposal: replace a file that is there")
@option("--name", about="of a proposal: another name for the skill")
@flag("--force", "of a change of memories: even if something helpful is lost")
@reason_option
def accept(
    memory: Treering, id: str, keep: str, root: str, overwrite: bool, name: str, force: bool, reason: str
) -> Answer:
    """Accept a proposal, decide a contradiction, or confirm an invariant.

    The file of a proposal is written below the root, whole or not at all, through no link, and never over another one
    unless you say so; an entry for a file that is there is added at its end. A skill made of friction goes into
    quarantine (.treering/drafts), where no agent looks. Nothing is staged or committed. Of a contradiction, what does
    not hold is superseded by what does; `both` lets them stand, and they are not raised again.
    """
    found: Any = None if shared()["alias"] == "resolve" else _found(memory, id)
    if found is None or hasattr(found, "older"):
        if not keep:
            raise click.UsageError(
                "resolve needs --keep A, B, both or supersede: A is the older memory, B the newer one"
            )
        return resolved(memory, id, keep, reason)
    if hasattr(found, "content"):
        return confirmed(memory, id, "yes", "", reason)
    done = memory.proposals.accept(id, root, overwrite=overwrite, name=name, force=force)
    value = {**shapes.plain(memory.proposals.get(done.proposal)), "root": os.path.abspath(os.path.expanduser(root))}
    return Answer(value, lambda page: shapes.accepted(done.proposal, done.path))


@command(
    INBOX,
    "reject",
    examples=(
        'treering review reject route-13d976a554 --note "covered already"',
        'treering review reject 4 --change "Reviews need one approval"',
        "treering review reject 9",
    ),
    past=False,
)
@id_argument
@option("--note", "--reason", "note", about="why, for the record", metavar="TEXT")
@option("--change", about="of an invariant: what holds instead", metavar="TEXT")
def reject(memory: Treering, id: str, note: str, change: str) -> Answer:
    """Turn a proposal down, say that an invariant no longer holds, or that two memories do not contradict each other.

    A proposal comes back only if at least twice as much speaks for it, and then it says so. An invariant is forgotten,
    or changed to another text.
    """
    found: Any = _found(memory, id)
    if hasattr(found, "older"):
        return resolved(memory, id, "both", note)
    if hasattr(found, "content"):
        return confirmed(memory, id, "change" if change else "no", change, note)
    done = memory.proposals.reject(id, note)
    return Answer(shapes.plain(done), lambda page: [shapes.rejected(done)])


def resolved(memory: Treering, id: str, keep: str, reason: str) -> Answer:
    one = memory.truth.resolve(id, keep=keep, reason=reason)
    kept = {"older": one.older.id, "newer": one.newer.id, "both": f"{one.older.id} and {one.newer.id}"}[one.keep]
    return Answer(contradiction(memory, one), lambda page: [f"resolved {one.id}: kept {kept}"])


def confirmed(memory: Treering, id: str, answer: str, text: str, reason: str) -> Answer:
    found = memory.truth.confirm(id, answer, text=text, reason=reason)
    said = {"yes": "confirmed", "no": "forgot", "change": "changed to"}[answer]
    row = f"{said} {found.id}  {line(found.content)}".rstrip()
    return Answer(plain(found), lambda page: [row], note=noticed(memory, found) if text else "")


@command(
    ROOT,
    "confirm",
    examples=(
        "treering confirm",
        "treering confirm 4 --yes",
        'treering confirm 4 --change "Reviews need one approval"',
    ),
    hidden=True,
)
@argument("id", "a memory's id, or the number at its end", required=False, type=MEMORY)
@flag("--yes", "it still holds")
@flag("--no", "it does not hold any more")
@option("--change", about="what holds instead", metavar="TEXT")
@option(
    "--days",
    about="how long ago counts as long; the setting confirm_days without it",
    type=Number(),
    default=-1,
    metavar="N",
)
@reason_option
def confirm(memory: Treering, id: str, yes: bool, no: bool, change: str, days: int, reason: str) -> Answer:
    """Confirm the facts that never decay: list those to confirm, or answer for one."""
    answers = [name for name, told in (("yes", yes), ("no", no), ("change", change)) if told]
    if not id and answers:
        raise click.UsageError("name the memory that you answer for: treering confirm ID --yes")
    if not id:
        return _to_confirm(memory, None if days < 0 else days)
    if len(answers) != 1:
        raise click.UsageError("answer with one of --yes, --no and --change TEXT")
    return confirmed(memory, id, answers[0], change, reason)


def _to_confirm(memory: Treering, days: int | None) -> Answer:
    from treering.truth.claims import last_confirmed

    found = memory.truth.to_confirm(days)
    rows = [(one.id, last_confirmed(one), one.content) for one in found]
    return listed(
        [invariant(one) for one in found],
        (Column("id", ID), Column("confirmed", TIME), Column("memory", TEXT)),
        rows,
        note="answer with `treering review accept ID`, or `treering review reject ID`" if found else "",
        empty="every invariant has been confirmed",
    )


@command(INBOX, "promote", examples=("treering review promote fix-flaky-login",), past=False)
@argument("name", "the name of a draft below .treering/drafts", type=Known("draft"))
@root_option
def promote(memory: Treering, name: str, root: str) -> Answer:
    """Move a skill out of quarantine, so that agents load it. One that is not finished is refused.

    What it says then is remembered: a later change of it, or of a file beside it, is reported; promoting it again says
    that the change was yours. Nothing is staged or committed.
    """
    done = memory.proposals.promote(name, root)
    lines = [f"★ promoted {done.name}", f"  live now: {line(done.path)}"]
    return Answer(done._asdict(), lambda page: lines)


@command(INBOX, "log", examples=("treering review log", "treering review log --json"))
@number("--limit", "how many at the most, the newest; 0 for all", 0)
def log(memory: Treering, limit: int) -> Answer:
    """Show every decision on proposals: the audit trail, oldest first, with what was undone."""
    events = memory.proposals.log()
    undone, made = memory.store.left_out(), set[str]()
    rows = [shapes.decision(event, event.id in undone, made) for event in events][-limit:]
    shown = [(parse_time(row["at"]), row["event"], shapes.said(row)) for row in rows]
    return listed(
        rows,
        (Column("when", TIME), Column("event", ID), Column("decision", TEXT)),
        shown,
        empty="nothing has been proposed yet",
    )


def looked(memory: Treering) -> str:
    """Look for the contradictions of what has come in, with progress. Return what it came to."""
    from treering.truth.claims import PATIENCE

    if memory.read_only:
        return ""
    if (waiting := memory.truth.to_compare()) > PATIENCE:
        return (
            f"{waiting:,} events are not looked at for contradictions yet: maintenance does it bit by bit, "
            "`treering review list --look` at once"
        )
    with bar("looking for contradictions", waiting) as progress:
        raised = memory.truth.look(progress=progress)
    return f"{counted(len(raised), 'contradiction')} found: see `treering review`" if raised else ""


def contradiction(memory: Treering, one: Contradiction) -> dict[str, Any]:
    sides = {"a": plain(one.older), "b": plain(one.newer)}
    kept = memory.captured.why((one.older.id, one.newer.id))
    return {
        "id": one.id,
        "kind": one.kind,
        "why": one.why,
        **sides,
        "kept_because": {"a": kept.get(one.older.id, ""), "b": kept.get(one.newer.id, "")},
        "raised": format_time(one.raised),
        "keep": one.keep,
    }


def invariant(one: Memory) -> dict[str, Any]:
    from treering.truth.claims import last_confirmed

    return {**plain(one), "last_confirmed": format_time(last_confirmed(one))}


def sides(memory: Treering, one: Contradiction, page: Page) -> Iterator[str]:
    """Yield both sides of a contradiction, and why each was kept if nobody asked for it."""
    kept = memory.captured.why((one.older.id, one.newer.id))
    state = f"kept {one.keep}" if one.keep else one.kind
    yield f"{page.bold(one.id)}  {page.dim(when(one.raised))}  {state}: {line(one.why)}".rstrip(": ")
    for name, side in (("A", one.older), ("B", one.newer)):
        why = page.dim(f" ({line(kept[side.id])})") if side.id in kept else ""
        yield f"  {name}  {page.dim(side.id)}  {line(side.content) or f'({side.status})'}{why}"
