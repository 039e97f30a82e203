"""Tools that improve the memory. The rules below them demand evidence; the error names what is
missing."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from treering.evolve.rules import CRITERIA
from treering.ledger.clock import format_time
from treering.ledger.errors import InvalidInput
from treering.ledger.types import Memory, type_named
from treering.recall.fence import quote
from treering.surfaces.mcp.tools.tool import (
    ADDS,
    LOOKS,
    MOST_IDS,
    REPLACES,
    SETS,
    Answer,
    Here,
    Id,
    NodeId,
    NodeType,
    Note,
    Reason,
    Tool,
    all_visible,
    fenced,
    fetch,
    one_line,
)

MOST_CASES = 50  # candidates in one answer: more than anybody looks into at a time
MOST_USES = 100  # of one memory in one answer: a pattern shows in fewer
# Candidates that are looked through for those which may be seen from here: in a store of many projects most may not.
LOOKED_AT = 1_000

NodeIds = Annotated[list[Id], Meta(max_length=MOST_IDS)]


class Case(Struct, frozen=True, omit_defaults=True):
    priority: str
    criterion: str
    action: str
    ids: list[str]
    numbers: dict[str, float]
    missing: list[str] = []


class Cases(Answer, frozen=True):
    candidates: list[Case]
    memories: str = ""
    note: str = ""


class Use(Struct, frozen=True, omit_defaults=True):
    timestamp: str
    outcome: str = ""
    context: str = ""
    recall_id: str = ""
    by: str = ""


class Uses(Answer, frozen=True):
    id: str
    q: float
    uses: list[Use]
    note: str = ""


class Changed(Answer, frozen=True):
    id: str
    action: str
    status: str
    q: float
    instead_of: list[str] = []
    note: str = ""


class Proposed(Answer, frozen=True):
    proposal: str
    status: str
    name: str
    note: str


def query_evolution_candidates(
    here: Here,
    *,
    criteria: Annotated[
        str, Meta(description="only these; without it, all by priority", extra_json_schema={"enum": [*CRITERIA]})
    ] = "",
    limit: Annotated[int, Meta(ge=1, le=MOST_CASES)] = 10,
) -> Cases:
    """List memories that could be improved, the most pressing first: low_q (used and did not help), stale (unused for
    90 days), similar_pairs (say the same), unlinked_processes (three or more that could be a skill). Each comes with
    the action it suggests, its numbers, and what evidence is still missing: with something missing, leave it alone.
    Look at get_usage_history before you act."""
    every = here.memory.evolve.candidates(criteria, LOOKED_AT)
    found = [one for one in every if all_visible(here, one.memories)][:limit]
    cases = [
        Case(one.priority, one.criterion, one.action, [*one.ids], dict(one.numbers), [*map(one_line, one.missing)])
        for one in found
    ]
    memories = {memory.id: memory for one in found for memory in one.memories}
    return Cases(cases, fenced(memories.values()), "" if found else "nothing needs attention")


def get_usage_history(here: Here, *, node_id: NodeId, limit: Annotated[int, Meta(ge=1, le=MOST_USES)] = 10) -> Uses:
    """How a memory was used, newest first: when, what came of it, and what was asked. Call it before you deprecate,
    refine or merge: look for a pattern, and keep what only failed once."""
    memory, project = fetch(here, node_id), here.memory.context.project
    uses = [
        Use(
            format_time(one.time),
            one.outcome,
            quote(one.context) if one.context and one.project in ("", project) else "",
            one.recall,
            one.by,
        )
        for one in here.memory.evolve.usage(memory.id, limit)
    ]
    return Uses(memory.id, round(memory.q, 4), uses, "" if uses else "it has not been used yet")


def deprecate_node(here: Here, *, node_id: NodeId, reason: Reason, node_type: NodeType = "") -> Changed:
    """Take a memory that keeps failing out of recall. Needs Q below 0.2, at least 10 uses, and a third of them judged
    bad. A person can restore it. Prefer refine_node if it can be fixed."""
    memory = _one(here, node_id, node_type)
    return _changed(here.memory.evolve.deprecate(memory.id, reason=reason), "deprecated")


def refine_node(
    here: Here,
    *,
    node_id: NodeId,
    improved_content: Annotated[str, Meta(description="the whole new text; for a process: trigger, action, outcome")],
    reason: Annotated[Note, Meta(description="what is improved, and which failures show that it was needed")],
    node_type: NodeType = "",
) -> Changed:
    """Replace a memory by a better wording of it: the new one supersedes it and starts with a Q of 0.5. Needs Q below
    0.3 and at least 5 uses. If the matter itself is wrong, deprecate instead; if it has changed, supersede."""
    memory = _one(here, node_id, node_type)
    made = here.memory.evolve.refine(memory.id, improved_content, reason=reason)
    return _changed(made, "refined", [memory.id])


def merge_nodes(
    here: Here,
    *,
    node_ids: NodeIds,
    merged_content: Annotated[str, Meta(description="one text for all; or what the others add is joined")] = "",
    reason: Reason = "",
    node_type: NodeType = "",
) -> Changed:
    """Make one memory of two or more that say the same. Needs a likeness above 0.95, one type, and 5 uses of one of
    them. Alike in wording and different in meaning is not the same."""
    memories = [_one(here, id, node_type) for id in node_ids]
    made = here.memory.evolve.merge([memory.id for memory in memories], text=merged_content, reason=reason)
    return _changed(made, "merged", [memory.id for memory in memories if memory.id != made.id])


def archive_node(here: Here, *, node_id: NodeId, reason: Reason = "", node_type: NodeType = "") -> Changed:
    """Put a memory away that nobody has used for 90 days: it is still found, below the others."""
    memory = _one(here, node_id, node_type)
    return _changed(here.memory.evolve.archive(memory.id, reason=reason), "archived")


def induce_skill(
    here: Here,
    *,
    process_ids: NodeIds,
    skill_name: Annotated[str, Meta(max_length=64, description="small letters, digits and single hyphens")],
    description: Annotated[str, Meta(max_length=1_024, description="what it does and when to use it")],
    content: Annotated[str, Meta(description="the steps, in Markdown")] = "",
    reason: Note = "",
) -> Proposed:
    """Propose a skill made of three or more processes that do the same. It is written nowhere before a person has read
    and accepted it. See unlinked_processes in query_evolution_candidates for what qualifies."""
    ids = [_one(here, id, "Process").id for id in process_ids]
    made = here.memory.proposals.induce(ids, name=skill_name, description=description, content=content, reason=reason)
    command = f"treering evolve show {made.id}"
    note = f"a person decides: `{command}` shows it, `treering evolve accept {made.id}` agrees to it; tell them"
    return Proposed(made.id, made.status, one_line(made.name), note)


def _one(here: Here, id: str, type: str) -> Memory:
    """Return a memory, if it has the type that the caller expects."""
    memory = fetch(here, id)
    if type and type_named(type) != memory.type:
        raise InvalidInput(f"memory {memory.id} is {memory.type}, not {type_named(type)}: see get_memory")
    return memory


def _changed(memory: Memory, action: str, olds: list[str] | None = None) -> Changed:
    return Changed(memory.id, action, memory.status, round(memory.q, 4), olds or [])


EVOLVING = (
    Tool(query_evolution_candidates, "What could be improved", LOOKS),
    Tool(get_usage_history, "How a memory was used", LOOKS),
    Tool(deprecate_node, "Retire what keeps failing", REPLACES),
    Tool(refine_node, "Word a memory better", REPLACES),
    Tool(merge_nodes, "Make one of several", REPLACES),
    Tool(archive_node, "Put away what is unused", SETS),
    Tool(induce_skill, "Propose a skill", ADDS),
)
