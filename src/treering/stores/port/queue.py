"""Define the queue between hooks and the engine: a hook leaves an event there, and the next process
that has the whole engine takes it in, once."""

from __future__ import annotations

from treering.ledger.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol
else:
    Protocol = object

PROMPT = "UserPromptSubmit"  # the event that a turn begins with
RECALL = "Recall"  # no event of an agent: a recall whose log has to wait for others who write
SCALE = 10_000  # scores and certainties in a queued event are whole numbers of this part
TEXTS = ("prompt", "command", "error", "answer", "summary")  # fields of a body that hold what somebody wrote
KEPT = 30 * 86_400_000_000  # microseconds: a session that is resumed after a month is a new one
_SEAM = "\x1f"  # between the parts of a key


class QueuedEvent(NamedTuple):
    """One event of an agent, as a hook received it."""

    key: str  # of its session, its kind and its own id: the same event heard twice is queued once
    space: str
    session: str
    event: str  # by Claude Code's name for it
    time: int  # when it was heard, in microseconds
    body: str  # all that was heard and done, as JSON
    number: int = 0  # given by the store
    taken: int = 0  # when it was taken in
    made: str = ""  # the event of the ledger that it became, if it became one

    @property
    def line(self) -> str:
        """Its key in printable form, to stand for the line of a transcript."""
        return self.key.replace(_SEAM, " ")


def key_of(session: str, event: str, own: str) -> str:
    """Return the key of an event that has an id of its own within its session."""
    return _SEAM.join((session, event, own))


class Inbox(Protocol):
    """The queue, and what hooks and the engine tell each other besides. It is of one machine, and
    no rebuild changes it.

    The order of queued events is that of their times, and of their numbers where the times are the
    same.
    """

    def waiting(self) -> bool:
        """Tell whether any queued event has not been taken in, in the store or beside it."""

    def unread(self, most: int) -> list[QueuedEvent]:
        """Return the first queued events that have not been taken in. Those in the folder are moved
        into the store before; inside a transaction their files stay, for the next call outside of it
        to delete."""

    def claim(self, queued: QueuedEvent, now: int) -> bool:
        """Mark a queued event as taken in, in a transaction. Return False if another has."""

    def update(self, queued: QueuedEvent) -> None:
        """Keep what a queued event became (`made`), and its new body, which may be empty."""

    def of(self, session: str) -> list[QueuedEvent]:
        """Return all that is kept of a session, taken in or not, in order."""

    def turn(self, queued: QueuedEvent) -> list[QueuedEvent]:
        """Return the last prompt of a session before a queued event, and what came between the two,
        in order; nothing if there was no prompt."""

    def sessions(self) -> list[tuple[str, str, int]]:
        """Return the sessions of which anything with a body is kept, the one that was heard of
        longest ago first: space, session, and when it was last heard of."""

    def shown(self, session: str) -> set[str]:
        """Return the ids of the memories that a session has been shown."""

    def offset(self, session: str) -> int:
        """Return up to which byte the transcript of a session has been read; 0 at first."""

    def read_up_to(self, session: str, offset: int) -> None:
        """Keep up to which byte the transcript of a session has been read."""

    def close(self, session: str, now: int) -> None:
        """Note that what a session said until now is not to be read again."""

    def closed(self, session: str) -> int:
        """Return the moment that the last `close` of a session was given; 0 for none."""

    def sweep(self, before: int) -> None:
        """Delete what was heard before a moment, if it was taken in and its body is empty; which
        memories sessions were shown before it; and the offsets of sessions that nothing is kept
        of."""

    def project(self, folder: str) -> str:
        """Return the name of the project that a folder belongs to, and register it; empty for a
        home or a root."""

    def folder(self, project: str) -> str:
        """Return the folder of a project; empty for one that was never heard of."""

    def folders(self) -> list[tuple[str, str]]:
        """Return every project that was heard of, with its folder."""

    def refresh(self) -> None:
        """Bring what hooks of this machine look into up to date with the store."""

    def brief(self, space: str, project: str, text: str, doubted: Mapping[str, Sequence[str]] | None = None) -> None:
        """Keep what a session in a project is told when it starts: a text, and which memories come
        first. Those that are doubted are told beside the ones that say otherwise."""
