"""What a hook leaves for the next process that has the whole engine: a letter, taken in once."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Protocol
else:
    Protocol = object

PROMPT = "UserPromptSubmit"  # the event that a turn begins with
SCALE = 10_000  # scores and certainties in a letter are whole numbers of this part
TEXTS = ("prompt", "command", "error", "answer", "summary")  # fields of a body that hold what somebody wrote
KEPT = 30 * 86_400_000_000  # microseconds: a session that is resumed after a month is a new one
_SEAM = "\x1f"  # between the parts of a key


class Letter(NamedTuple):
    """One event of an agent, as a hook heard it."""

    key: str  # of its session, its kind and its own id: the same event heard twice is one letter
    space: str
    session: str
    event: str  # by Claude Code's name for it
    time: int  # when it was heard, in microseconds
    body: str  # all that was heard and done, as JSON
    number: int = 0  # given by the store
    taken: int = 0  # when it was taken in
    made: str = ""  # the event that it became, if it became one

    @property
    def line(self) -> str:
        """Its key as one that can be read, to stand for the line of a transcript."""
        return self.key.replace(_SEAM, " ")


def key_of(session: str, event: str, own: str) -> str:
    """The key of an event that has an id of its own within its session."""
    return _SEAM.join((session, event, own))


class Inbox(Protocol):
    """Where letters lie, and what hooks and the engine tell each other besides."""

    def waiting(self) -> bool:
        """Whether any letter has not been taken in."""

    def unread(self, most: int) -> list[Letter]:
        """Those that have not, oldest first."""

    def claim(self, letter: Letter, now: int) -> bool:
        """Take a letter in, inside a transaction. False if somebody else has."""

    def read(self, letter: Letter) -> None:
        """Keep what a letter became, and what is left of its body."""

    def of(self, session: str) -> list[Letter]:
        """All that is kept of a session, taken in or not, oldest first."""

    def turn(self, letter: Letter) -> list[Letter]:
        """The last prompt of a session before a letter, and what came between the two; nothing if there was none."""

    def sessions(self) -> list[tuple[str, str, int]]:
        """The sessions of which letters with a body are kept: space, session, and when it was last heard of."""

    def offset(self, session: str) -> int:
        """How far the transcript of a session has been read."""

    def read_up_to(self, session: str, offset: int) -> None:
        """Keep how far."""

    def purge(self, now: int) -> None:
        """Let go of every word of every letter, and keep in mind that what was said until now is not to be kept."""

    def purged(self) -> int:
        """When that was last done; 0 for never."""

    def emptied(self, numbers: Collection[int]) -> None:
        """Let go of what letters say. That they came stays known."""

    def swept(self, before: int) -> None:
        """Forget letters, and what sessions were shown, from before a moment."""

    def project(self, folder: str) -> str:
        """The project that a folder belongs to, by name."""

    def folder(self, project: str) -> str:
        """The folder of a project; nothing for one that was never heard of."""

    def brief(self, space: str, project: str, text: str, doubted: Collection[str] = ()) -> None:
        """What a session in a project is told when it starts: a text, and the memories that come first, but for those
        that are doubted."""
