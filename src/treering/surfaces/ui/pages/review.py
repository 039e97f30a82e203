"""Review: one queue of what waits for a person, with what speaks for it and against it."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from treering.memory import Treering
from treering.skills.proposals.rules import FILELESS
from treering.surfaces.cli.complete import drafts
from treering.surfaces.cli.review import KINDS, contradiction, invariant, weighed
from treering.surfaces.ui.desk import Asked
from treering.surfaces.ui.pages.now import waiting

if TYPE_CHECKING:
    from treering.skills.proposals.proposal import Review

CONTEXT = 3  # lines around a change
SHOWN = 50  # of each kind: nobody decides on more at a sitting


def read(asked: Asked) -> dict[str, Any]:
    memory, root = asked.memory, asked.desk.root
    looked = asked.desk.figures("waiting", waiting, asked.wait)
    found: dict[str, list[Any]] = {
        "contradictions": [contradiction(memory, one) for one in memory.truth.contradictions(look=False)],
        "invariants": [invariant(one) for one in memory.truth.to_confirm()],
        "proposals": [_proposal(memory, one, root) for one in memory.proposals.reviews()[:SHOWN]],
        "drafts": [{"name": name} for name in drafts(root)],
    }
    wanted = asked.get("kind")
    counts = {name: len(found[name]) for name in KINDS}
    return {
        **{name: found[name][:SHOWN] if wanted in ("", name) else [] for name in KINDS},
        "counts": counts,
        "looking": looked is None,
    }


def _proposal(memory: Treering, one: Review, root: str) -> dict[str, Any]:
    """Return a proposal with its evidence, the file that accepting it would write, and what that changes."""
    row, proposal = weighed(one), one.proposal
    known = memory.store.several(proposal.memories)
    row["about"] = [{"id": id, "content": known[id].content} for id in proposal.memories if id in known]
    row["diff"] = []
    if proposal.kind not in FILELESS:
        draft = memory.proposals.draft(proposal.id, root)
        row["diff"] = _diff(draft.there or "", draft.text)
    return row


def _diff(before: str, after: str) -> list[dict[str, str]]:
    """Return the lines of a file that is to be written, each with what happens to it."""
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=CONTEXT)
    marks = {"+": "added", "-": "removed", "@": "place"}
    return [{"how": marks.get(line[:1], "kept"), "text": line} for line in [*lines][2:]]
