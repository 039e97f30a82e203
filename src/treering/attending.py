"""The Treering object's chapter on agents: what their hooks left is taken in, and what is due is done."""

from __future__ import annotations

from treering.consolidating import Consolidating
from treering.core.errors import InvalidInput, NotFound
from treering.core.tuples import NamedTuple

# Only what reading a memory needs is imported above: see `opened.py`.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from treering.core.letters import Inbox
    from treering.core.types import Context, Memory
    from treering.ledger import Undone
    from treering.receiving.catching import Catcher
    from treering.receiving.letters import Receiver

LONGEST = 3_600.0  # seconds of tending: whoever has more time comes again
_TASK = "tend"
_EVOLVING = 20.0  # seconds that must be left to begin a run of evolution, which cannot be stopped halfway
_SAYING = ("content", "type", "scope", "project")


class Tended(NamedTuple):
    """What was due and has been done."""

    letters: int = 0
    sessions: int = 0  # read on
    caught: int = 0
    consolidated: tuple[str, ...] = ()  # steps
    evolved: bool = False
    busy: bool = False  # somebody else is at it


class Caught(NamedTuple):
    """A memory that was made without being asked for."""

    memory: Memory
    kind: str
    session: str
    project: str
    time: int
    event: str  # of the capture


class Attending(Consolidating):
    """What agents bring in."""

    received = 0  # letters taken in since the last tending

    def receive(self, seconds: float = 0.0) -> int:
        """Turn what hooks left into events, each once. How many letters there were. Cheap when there is none. With a
        number of seconds, only as many as that suffices for, and nothing that takes long."""
        from time import monotonic

        if self.inbox is None or not self._writable or not self.inbox.waiting():
            return 0
        receiver = self._receiver(light=seconds > 0)  # what it imports takes a fresh process longer than a letter
        end = monotonic() + seconds
        count = receiver.receive(lambda: not seconds or monotonic() < end)
        self.received += count
        return count

    def tend(self, seconds: float = 30.0) -> Tended:
        """All that is due, begun only while there is time: letters, transcripts and what is worth keeping in them,
        consolidation, evolution. One process at a time; another that comes by has nothing to do."""
        import os
        from time import monotonic

        from treering.stores import lock
        from treering.stores.files import TENDING

        if self.inbox is None or not self._writable:
            return Tended()
        if not isinstance(seconds, (int, float)) or not 0 < seconds <= LONGEST:
            raise InvalidInput(f"seconds must be a number above 0 and up to {LONGEST:,.0f}, not {seconds!r}")
        end, path = monotonic() + seconds, os.path.join(self._home, TENDING)
        if not lock.take(path):
            return Tended(busy=True)
        try:
            return self._tended(self.inbox, lambda: end - monotonic())
        finally:
            lock.release(path)

    def project_of(self, folder: str) -> str:
        """The project that a folder belongs to: the one of its repository, by name. None for a home."""
        if not isinstance(folder, str):
            raise InvalidInput(f"a folder is a path, not {folder!r}")
        if self.inbox is not None:
            return self.inbox.project(folder)
        import os

        from treering.stores.roots import root_of

        return os.path.basename(root_of(folder))

    def captured(self, session: str = "", limit: int = 0) -> list[Caught]:
        """What was kept without being asked for, newest first: of one session, by its name or how that begins, or of
        all."""
        from treering.core.codec import data_of
        from treering.core.events import CAPTURED
        from treering.core.ports import EventQuery
        from treering.core.types import limit_of

        self.receive()
        asked = EventQuery(kinds=(CAPTURED,), space=self.context.space, live=True, newest=True)
        events = [event for event in self.store.events(asked) if event.session.startswith(session)]
        known = self.store.several([event.subject for event in events])
        found = [
            Caught(known[event.subject], data_of(event)[1]["kind"], event.session, event.project, event.time, event.id)
            for event in events
            if event.subject in known
        ]
        return found[: limit_of(limit)]

    def release(self, *ids: str, session: str = "", reason: str = "") -> list[Undone]:
        """Take back what was captured: memories by their ids, or all of a session. It will not be captured again."""
        caught = {one.memory.id: one for one in self.captured(session)}
        if session and len(several := {one.session for one in caught.values()}) > 1:
            raise InvalidInput(f"{session!r} could be any of {', '.join(sorted(several))}")
        named = {self.whole_id(id): id for id in ids}
        whole = [*named] if ids else [*caught] if session else []
        for id, given in named.items():
            if id not in caught:
                raise NotFound(
                    "captured memory", given, "`treering captured` lists them; `treering forget` hides others"
                )
        from treering.core import decide
        from treering.core.ports import EventQuery

        store, here, why = self.ledger.store, self._here(), self._guarded(reason) or "captured, and not wanted"

        def undone(id: str) -> Undone:
            made = [*store.events(EventQuery(ids=(id,)))]
            return self.ledger.undo(lambda: decide.undo(made, store.left_out(), here, why))

        return self.together(lambda: [undone(id) for id in whole])

    def _tended(self, inbox: Inbox, left: Callable[[], float]) -> Tended:
        from treering.core.letters import KEPT
        from treering.receiving.sessions import Sessions

        receiver = self._receiver()
        letters, self.received = self.received + receiver.receive(lambda: left() > 0), 0

        def mine(path: str, project: str) -> None:
            self.mine(path, project=project)

        reading = Sessions(self.ledger, inbox, receiver, self._catcher(), mine, self._note)
        done = reading.read_on(self.context.space, self._now(), lambda: left() > 0)
        inbox.swept(self._now() - KEPT)
        self._brief(done.projects)
        steps: tuple[str, ...] = ()
        if left() > 0:
            consolidated = self.consolidate(if_due=True, budget=max(left(), 1.0))
            steps = tuple(step.step for step in consolidated.steps)
        evolved = left() > _EVOLVING and bool(self.evolve(if_due=True).trigger)
        return Tended(letters, done.sessions, done.caught, steps, evolved)

    def _note(self, problem: str) -> None:
        """Tell `doctor` what went wrong in the background."""
        from contextlib import suppress

        from treering.stores.journal import note

        with suppress(OSError):  # there is nowhere to say so
            note(self._home, self._now(), _TASK, "", 0, problem)

    def _brief(self, projects: Sequence[str]) -> None:
        """Write down what the next session in each project is told when it starts."""
        import os

        from treering.receiving.briefs import brief

        if self.inbox is None or not projects:
            return
        contradictions = self.contradictions()
        doubted = [one.older.id for one in contradictions]  # until a person decides, the newer statement is told
        waiting = (len(self.proposals("pending")), len(contradictions), len(self.to_confirm()))
        for project in projects:
            folder = self.inbox.folder(project)
            skills = self.skill_index(root=folder) if os.path.isdir(folder) else ""
            self.inbox.brief(self.context.space, project, brief(skills, *waiting), doubted)

    def _receiver(self, light: bool = False) -> Receiver:
        from treering.receiving.letters import Receiver

        assert self.inbox is not None
        silent = None if light else self._silent
        return Receiver(self.ledger, self.inbox, self.config, self._catcher(), silent, self._now())

    def _silent(self, query: str, here: Context, at: int) -> bool:
        """Whether a recall by all its means would find nothing."""
        return any(letter.isalnum() for letter in query) and self._recalling().recall(query, here, at, 1).abstained

    def _catcher(self) -> Catcher:
        from treering.receiving.catching import Catcher

        assert self.inbox is not None
        return Catcher(self.ledger, self.inbox, self._kept, self._asking())

    def _kept(self, rows: Sequence[Mapping[str, Any]], here: Context) -> list[Memory]:
        """The memories that are new; what repeats one that was recalled makes none."""
        from treering.echoes import Echoes
        from treering.wishes import standing

        there = standing(here, self.config.content_limit)
        heard = Echoes(self.store).at(there)
        # Only what is said counts: when, and what was read out of it, makes no news of it.
        told = [(row, heard.told({name: row.get(name) for name in _SAYING})[1]) for row in rows]
        return self._remembering([row for row, echo in told if echo is None], there, echoes=False)()
