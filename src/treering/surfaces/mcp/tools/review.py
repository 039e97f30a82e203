"""What waits for a person: a list for a model, and a page on which the person decides in a chat client.

The tools of the page are for the page alone. A client that shows apps must keep them from its model; so that one which
does not cannot decide by accident, what is shown and the words that decide go where no model reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta, Struct

from treering.ledger.errors import InvalidInput, NotFound, Refused
from treering.recall.fence import quote
from treering.surfaces.mcp.tools.tool import LOOKS, SETS, Answer, Here, Id, Note, Tool, all_visible, one_line

if TYPE_CHECKING:
    from treering.memory import Treering

VIEW = "ui://treering/review"
PROPOSAL, CONTRADICTION, INVARIANT = "proposal", "contradiction", "invariant"
ANSWERS = {
    PROPOSAL: {"accept": "Accept", "reject": "Reject"},
    CONTRADICTION: {"A": "A holds", "B": "B holds", "both": "Both hold"},
    INVARIANT: {"yes": "It still holds", "no": "It no longer holds"},
}
MOST_SHOWN = 50  # of each kind: nobody decides on more at a sitting
_LONGEST_REASON = 200  # characters of a reason in a list


class Row(Struct, frozen=True):
    id: str
    kind: str
    about: str


class Pending(Answer, frozen=True):
    waiting: list[Row]
    note: str


class Shown(Answer, frozen=True, omit_defaults=True):
    ASIDE: ClassVar[tuple[str, ...]] = ("items",)

    waiting: int
    items: list[dict[str, Any]] = []


class Decided(Answer, frozen=True):
    done: str
    note: str


def review(here: Here) -> Pending:
    """List what waits for a person: proposals, contradictions, and invariants to confirm. Call it when the user wants
    to review the memory. Only they decide: in a client that shows apps on the page that opens, otherwise with the
    command `treering review`. You cannot decide in their place."""
    found = [*_items(here)]
    rows = [Row(one["id"], one["kind"], quote(one["about"][:_LONGEST_REASON])) for one in found]
    note = "a person decides: on the page, or with `treering review` in a terminal"
    return Pending(rows, note if rows else "nothing waits")


def review_items(here: Here) -> Shown:
    """For the page of `review` alone: what waits, with the words that decide."""
    found = [{**one, "nonce": here.nonces.give(_digest(one))} for one in _items(here)]
    return Shown(len(found), found)


def review_decide(
    here: Here,
    *,
    id: Id,
    answer: Annotated[str, Meta(max_length=20)],
    nonce: Annotated[str, Meta(max_length=100)],
    reason: Note = "",
) -> Decided:
    """For the page of `review` alone: what a person decided about one thing that it showed."""
    item = next((one for one in _items(here) if one["id"] == id), None)
    if item is None:
        raise NotFound("item", id, "it no longer waits: open the page again")
    if not here.nonces.take(nonce, _digest(item)):
        raise Refused("this was not shown, has changed since, or was decided before: open the page again")
    if answer not in ANSWERS[item["kind"]]:
        raise InvalidInput(f"answer must be one of {', '.join(ANSWERS[item['kind']])}, not {one_line(answer)!r}")
    with _as_person(here.memory):
        return Decided(_decide(here, item["kind"], id, answer, reason), "`treering undo` takes it back")


def _decide(here: Here, kind: str, id: str, answer: str, reason: str) -> str:
    memory = here.memory
    if kind == CONTRADICTION:
        one = memory.truth.resolve(id, keep=answer, reason=reason)
        return f"resolved {one.id}: {ANSWERS[kind][answer]}"
    if kind == INVARIANT:
        found = memory.truth.confirm(id, answer, reason=reason)
        return f"{'confirmed' if answer == 'yes' else 'forgot'} {found.id}"
    if answer == "reject":
        return f"rejected {memory.proposals.reject(id, reason).id}"
    made = memory.proposals.accept(id, here.root)
    return f"accepted {made.proposal}" + (f": {one_line(made.path)}" if made.path else "")


@contextmanager
def _as_person(memory: Treering) -> Iterator[None]:
    """Act as the person in front of the page, and not as the agent in whose session it was opened."""
    before = memory.workspace.context
    memory.workspace.context = before._replace(actor="user", session="")
    try:
        yield
    finally:
        memory.workspace.context = before


def _items(here: Here) -> Iterator[dict[str, Any]]:
    """Yield what waits and may be seen from here, as a page shows it."""
    memory = here.memory
    for one in memory.truth.contradictions(look=False)[:MOST_SHOWN]:
        if all_visible(here, (one.older, one.newer)):
            sides = {"A": one.older.content, "B": one.newer.content}
            yield _item(one.id, CONTRADICTION, one.why, sides)
    for known in memory.truth.to_confirm()[:MOST_SHOWN]:
        if all_visible(here, [known]):
            yield _item(known.id, INVARIANT, "nobody has confirmed it for long", {"": known.content})
    for proposal in memory.proposals.list("pending")[:MOST_SHOWN]:
        yield _item(proposal.id, PROPOSAL, proposal.reason, {proposal.target: proposal.text})


def _item(id: str, kind: str, about: str, texts: dict[str, str]) -> dict[str, Any]:
    shown = [{"name": name, "text": text} for name, text in texts.items()]
    answers = [{"answer": name, "label": label} for name, label in ANSWERS[kind].items()]
    return {"id": id, "kind": kind, "about": about, "texts": shown, "answers": answers}


def _digest(item: dict[str, Any]) -> str:
    return sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()


def page() -> str:
    """Return the page: one document that loads nothing."""
    return (files("treering.surfaces.mcp") / "review.html").read_text("utf-8")


APP = (
    Tool(review, "What waits for a person", LOOKS, view=VIEW),
    Tool(review_items, "For the page: what waits", LOOKS, view=VIEW, only_app=True),
    Tool(review_decide, "For the page: decide", SETS, view=VIEW, only_app=True),
)
