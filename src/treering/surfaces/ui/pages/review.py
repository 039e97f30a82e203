"""Review: one queue of what waits for a person, with what speaks for it and against it."""

from __future__ import annotations

import re
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from treering.evolve.rules import DEPRECATE, MERGE, Counts
from treering.ledger.errors import TreeringError
from treering.memory import Treering
from treering.skills.proposals.rules import FILELESS
from treering.surfaces.cli.complete import drafts
from treering.surfaces.cli.proposals import evidence
from treering.surfaces.cli.review import contradiction, invariant, weighed
from treering.surfaces.ui.desk import Asked
from treering.surfaces.ui.pages.now import waiting
from treering.surfaces.ui.render import day

if TYPE_CHECKING:
    from treering.skills.proposals.proposal import Proposal, Review

OUTDATED = "outdated"  # what may be: it is told beside what was said since, and nobody has to decide
CONTEXT = 3  # lines around a change
CHANGES = 5  # recalls whose answer would change, of each proposal
REPLAYED = (DEPRECATE, MERGE)  # actions that are tried on past recalls before they take effect
_COUNTING = {"recalls": None}
_HUMP, _MOMENT = re.compile("(?<=[a-z])[A-Z]"), re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
SHOWN = 50  # of each kind: nobody decides on more at a sitting


def read(asked: Asked) -> dict[str, Any]:
    memory, root = asked.memory, asked.desk.root
    looked = asked.desk.figures("waiting", waiting, asked)
    reviews = memory.proposals.reviews()[:SHOWN]
    replays: dict[str, Any] | None = {}
    if any(one.proposal.action in REPLAYED for one in reviews):
        replays = asked.desk.figures("replays", _replays, asked)
    disputed = memory.truth.contradictions(look=False)
    asked_of, rest = [one for one in disputed if one.is_asked], [one for one in disputed if not one.is_asked]
    found: dict[str, list[Any]] = {
        "contradictions": [contradiction(memory, one) for one in asked_of[:SHOWN]],
        "invariants": [invariant(one) for one in memory.truth.to_confirm()],
        "proposals": [_proposal(memory, one, root, replays) for one in reviews],
        "drafts": [{"name": name} for name in drafts(root)],
        OUTDATED: [contradiction(memory, one) for one in rest[:SHOWN]],
    }
    wanted = asked.get("kind")
    counts = {name: len(rows) for name, rows in found.items()} | {"contradictions": len(asked_of), OUTDATED: len(rest)}
    return {
        **{name: found[name][:SHOWN] if wanted in ("", name) else [] for name in found},
        "counts": counts,
        "looking": looked is None,
        "new": looked["new"] if looked else 0,
    }


def _proposal(memory: Treering, one: Review, root: str, replays: dict[str, Any] | None) -> dict[str, Any]:
    """Return a proposal with its evidence, the file that accepting it would write, and what that changes."""
    row, proposal = weighed(one), one.proposal
    known = memory.store.several(proposal.memories)
    row["for"] = [*map(_spoken, evidence(row["evidence"]))]
    row["about"] = [{"id": id, "content": known[id].content} for id in proposal.memories if id in known]
    row["replay"] = (replays or {}).get(proposal.id, _COUNTING) if proposal.action in REPLAYED else None
    row["diff"] = []
    if proposal.kind not in FILELESS:
        draft = memory.proposals.draft(proposal.id, root)
        row["diff"] = _diff(draft.there or "", draft.text)
    return row


def _spoken(line: str) -> str:
    """Return a line of evidence in words: names of programs apart, sessions and moments short."""
    name, _, told = line.partition(": ")
    words = _HUMP.sub(lambda hump: f" {hump[0].lower()}", name)
    if name == "sessions":
        told = ", ".join(one[:8] for one in told.split(", "))
    return f"{words}: {day(told) if _MOMENT.fullmatch(told) else told}"


def _replays(memory: Treering) -> dict[str, Any]:
    """Return what the last recalls would win and lose by each action that is proposed."""
    proposed = [one.proposal for one in memory.proposals.reviews()[:SHOWN]]
    return {one.id: _replay(memory, one) for one in proposed if one.action in REPLAYED}


def _replay(memory: Treering, proposal: Proposal) -> dict[str, Any]:
    try:
        tried = memory.evolve.attempt(proposal.action, *proposal.memories)
    except TreeringError as error:  # a memory of it is gone
        return {**Counts()._asdict(), "missing": [str(error)], "changes": []}
    counts, changes = (tried.replay.counts, tried.replay.changes) if tried.replay else (Counts(), ())
    told = [{"query": one.query, "gained": one.gained, "lost": one.lost} for one in changes[:CHANGES]]
    return {**counts._asdict(), "missing": tried.missing, "changes": told}


def _diff(before: str, after: str) -> list[dict[str, str]]:
    """Return the lines of a file that is to be written, each with what happens to it."""
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=CONTEXT)
    marks = {"+": "added", "-": "removed", "@": "place"}
    return [{"how": marks.get(line[:1], "kept"), "text": line} for line in [*lines][2:]]
