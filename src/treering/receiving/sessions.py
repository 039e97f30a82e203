"""Sessions that hooks told of: each is read on in, and closed when it is over. One that cannot be read holds up no
other."""

from __future__ import annotations

import os

from treering.core import decide
from treering.core.errors import StoreError, TreeringError
from treering.core.tuples import NamedTuple
from treering.receiving.catching import SUFFIX
from treering.receiving.letters import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.core.letters import Inbox
    from treering.ledger import Ledger
    from treering.receiving.catching import Catcher
    from treering.receiving.letters import Receiver, Told

    Mine = Callable[[str, str], object]

IDLE = 6 * 3_600_000_000  # microseconds after which a session that was not ended is taken to be over
_MINED = "claude-code"  # whose transcripts friction can be read from


class Done(NamedTuple):
    """What came of it."""

    sessions: int
    caught: int
    projects: tuple[str, ...]  # in which they were


class Sessions:
    def __init__(
        self,
        ledger: Ledger,
        inbox: Inbox,
        receiver: Receiver,
        catcher: Catcher,
        mine: Mine,
        note: Callable[[str], None],
    ) -> None:
        """`mine` looks for friction in a transcript, for a project; `note` tells `doctor` what went wrong."""
        self._ledger = ledger
        self._inbox = inbox
        self._receiver = receiver
        self._catcher = catcher
        self._mine = mine
        self._note = note

    def read_on(self, space: str, now: int, going: Callable[[], bool]) -> Done:
        """Read on in all sessions of a space, as long as there is time."""
        sessions = caught = 0
        projects: dict[str, None] = {}
        for where, session, last in self._inbox.sessions():
            if not going():
                break
            if where != space:
                continue
            letters = [told(letter) for letter in self._inbox.of(session) if letter.body and letter.taken]
            projects.update(dict.fromkeys(one.context.project for one in letters))
            try:
                caught += self._read(letters, now - last > IDLE)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - another program's files: doctor tells what went wrong
                self._note(f"session {session}: {type(error).__name__}: {error}")
            sessions += 1
        return Done(sessions, caught, tuple(projects))

    def _read(self, letters: Sequence[Told], idle: bool) -> int:
        """Read on in a session; when it is over, close it and let go of its letters."""
        ended = any(one.letter.event == "SessionEnd" for one in letters[-1:])
        self._look_for_friction(letters)
        caught = self._catcher.session(letters, ended or idle)
        if ended or idle:
            self._ledger.store.write(lambda: self._close(letters, ended))
        return caught

    def _close(self, letters: Sequence[Told], ended: bool) -> None:
        last = letters[-1].letter
        if not ended and last.session:
            self._receiver.observe(last._replace(number=last.number + 1), "")
            self._ledger.at(last.time).commit(lambda: [decide.ended(letters[-1].context)])
        self._inbox.emptied([one.letter.number for one in letters])

    def _look_for_friction(self, letters: Sequence[Told]) -> None:
        named = (one.text("transcript") for one in letters)
        paths = [path for path in named if path.endswith(SUFFIX) and os.path.isfile(path)]
        if not paths or letters[-1].text("agent") != _MINED:
            return
        try:
            self._mine(paths[-1], letters[-1].context.project)
        except TreeringError:  # a transcript is another program's file: what cannot be read is left
            return
