"""Events: what happened, under names that are stored for ever.

A stored name carries its version. When a payload must change shape, the new version gets a new name
and an upcaster from the old one; the old events stay as they are.
"""

from __future__ import annotations

from treering.ledger.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Data = dict[str, Any]
    Upcaster = Callable[[Data], tuple[str, Data]]
else:
    Data = dict  # hooks load this module, and `typing` costs too much for them

REMEMBERED = "memory.remembered.v1"
FORGOTTEN = "memory.forgotten.v1"
PURGED = "memory.purged.v1"
RECALLED = "memory.recalled.v1"
SURFACED = "memory.surfaced.v1"
USED = "memory.used.v1"
ECHOED = "memory.echoed.v1"
CAPTURED = "memory.captured.v1"
MOVED = "memory.moved.v1"
QUEUED = "memory.queued.v1"
SUPERSEDED = "memory.superseded.v1"
SUCCEEDED = "memory.succeeded.v1"
VERIFIED = "memory.verified.v1"
RAISED = "contradiction.raised.v1"
SETTLED = "contradiction.resolved.v1"
RAN = "hygiene.ran.v1"
ENDED = "session.ended.v1"
WEIGHED = "recall.weighed.v1"
JUDGED = "memory.judged.v1"
TURNED_OUT = "recall.turned_out.v1"
MERGED = "memory.merged.v1"
ABSORBED = "memory.absorbed.v1"
BEGAN = "evolution.began.v1"
EVOLVED = "evolution.ended.v1"
PROPOSED = "proposal.made.v1"
WORDED = "proposal.worded.v1"
ACCEPTED = "proposal.accepted.v1"
REJECTED = "proposal.rejected.v1"
PROMOTED = "skill.promoted.v1"
LOADED = "skill.loaded.v1"
SKILL_JUDGED = "skill.judged.v1"
PROMPTED = "prompt.seen.v1"
RUBBED = "friction.seen.v1"
READ = "transcript.read.v1"
ASKED = "llm.asked.v1"
GROUPED = "episodes.grouped.v1"
SUMMARISED = "memory.summarised.v1"
GRAPHED = "graph.read.v1"
PRUNED = "graph.pruned.v1"
NOTED = "insight.noted.v1"
TENDED = "consolidation.ran.v1"
UNDONE = "events.undone.v1"
REVOKED = "events.revoked.v1"
ADMITTED = "member.admitted.v1"
DISMISSED = "member.dismissed.v1"

# These decide which events count at all; they rest on nothing, so that undoing never undoes itself.
UNDOINGS = (UNDONE, REVOKED)

# These keep words of people that are no memory: a purge may name them too.
QUESTIONS = (RECALLED, PROMPTED, RUBBED)


class Event(NamedTuple):
    """An immutable fact about what happened, and its place in the ledger."""

    writer: str
    seq: int
    clock: int  # hybrid logical clock: microseconds, always above every event seen before
    time: int  # what the writer's own clock said, in microseconds; may be wrong
    kind: str
    actor: str
    space: str
    project: str
    session: str
    subject: str  # the memory that it is about, or nothing
    causes: tuple[str, ...]  # the events that it rests on
    digest: bytes
    chain: bytes
    salt: bytes | None  # keeps the digest of an erased payload from being guessed
    payload: str | None  # canonical JSON; gone once purged

    @property
    def id(self) -> str:
        return f"{self.writer}-{self.seq}"

    @property
    def order(self) -> tuple[int, str, int]:
        """The order of the fold."""
        return (self.clock, self.writer, self.seq)


class Draft(NamedTuple):
    """An event that has been decided on and not yet been given its place."""

    kind: str
    payload: str
    actor: str
    space: str
    project: str = ""
    session: str = ""
    subject: str = ""  # none for an event that makes a memory: that gets the event's own id
    causes: tuple[str, ...] = ()
    key: int = 0  # of an imported row


class Head(NamedTuple):
    """Where a writer's chain ends."""

    seq: int = 0
    chain: bytes = b""


# Stored name of an old version -> what it is called and looks like in the next one.
UPCASTERS: dict[str, Upcaster] = {}


def upcast(kind: str, data: Data, upcasters: dict[str, Upcaster] = UPCASTERS) -> tuple[str, Data]:
    """Bring an event of any age to the newest version of its kind."""
    while kind in upcasters:
        kind, data = upcasters[kind](data)
    return kind, data
