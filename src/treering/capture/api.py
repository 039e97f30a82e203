"""Offer `memory.captured`: take in what hooks queued, list what was captured, and take it back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from treering.capture.chats import Chatted, take_chats
from treering.capture.inbox.keep import Catcher
from treering.capture.inbox.receive import Receiver
from treering.capture.inbox.sessions import Sessions, quotes, repeats, write_briefings
from treering.capture.likely import settle
from treering.capture.mine import Found, mine
from treering.capture.turns import EPISODIC
from treering.capture.verdicts import learned
from treering.ledger import decide
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import CAPTURED, QUESTIONS, REMEMBERED, Event
from treering.ledger.ledger import Undone
from treering.ledger.types import LIKELY, Memory, limit_of
from treering.ledger.workspace import Workspace
from treering.recall.recalls import Logged, filter_data
from treering.stores.files import note, spool
from treering.stores.port.ledger import EventQuery
from treering.stores.port.queue import KEPT, RECALL, SCALE, Inbox, key_of

# Named here, as `list` is a method below.
Kept = list["Caught"]
Takings = list[Undone]

_SAID = ("content", "problem", "approach", "gotchas", "trigger", "action", "outcome")  # fields that hold a text
_TASK = "tend"  # how the log of hooks names what maintenance did


class Caught(NamedTuple):
    """A memory that was made without being asked for."""

    memory: Memory
    kind: str
    session: str
    project: str
    time: int
    event: str  # of the capture
    why: str = ""  # it was kept, in words


class Captured:
    """Take in and list what agents bring in by themselves."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace
        self._received = 0  # queued events taken in since the last maintenance

    def list(self, session: str = "", limit: int = 0, *, likely: bool = False) -> Kept:
        """Return what was captured, newest first: of one session, by its name or its beginning, or of all. With
        `likely`, also what may be worth keeping, and is kept for a time."""
        self.receive()
        asked = EventQuery(kinds=(CAPTURED,), space=self._at.space, live=True, newest=True)
        events = [event for event in self._at.store.events(asked) if event.session.startswith(session)]
        known = self._at.store.several([event.subject for event in events])
        found = [
            _caught(event, known[event.subject])
            for event in events
            if event.subject in known and (likely or _lasts(event, known[event.subject]))
        ]
        return found[: limit_of(limit)]

    def why(self, ids: Iterable[str]) -> dict[str, str]:
        """Return why memories were kept without being asked for, in words; of those that nobody judged nothing."""
        query = EventQuery(kinds=(CAPTURED,), subjects=tuple(ids), space=self._at.space, live=True)
        told = {event.subject: str(data_of(event)[1].get("why", "")) for event in self._at.store.events(query)}
        return {id: why for id, why in told.items() if why}

    def learned(self) -> int:
        """Return how many verdicts of a person correct what is captured; 0 if that would make it no better."""
        found = learned(self._at)
        return found.verdicts if found.weights else 0

    def undo(self, *ids: str, session: str = "", reason: str = "") -> Takings:
        """Take back what was captured: memories by their ids, or all of a session. It is not captured again."""
        caught = {one.memory.id: one for one in self.list(session, likely=True)}
        if session and len(several := {one.session for one in caught.values()}) > 1:
            raise InvalidInput(f"{session!r} could be any of {', '.join(sorted(several))}")
        named = {self._at.whole_id(id): id for id in ids}
        for id, given in named.items():
            if id not in caught:
                hint = "`treering captured` lists them; `treering forget` hides others"
                raise NotFound("captured memory", given, hint)
        ledger, here = self._at.ledger, self._at.here()
        why = self._at.name(reason) or "captured, and not wanted"

        def undone(id: str) -> Undone:
            made = [*ledger.store.events(EventQuery(ids=(id,)))]
            return ledger.undo(lambda: decide.undo(made, ledger.store.left_out(), here, why))

        whole = [*named] if ids else [*caught] if session else []
        return self._at.together(lambda: [undone(id) for id in whole])

    def receive(self, seconds: float = 0.0) -> int:
        """Turn queued events of hooks into events of the ledger, each once, and return how many.
        With `seconds`, stop after that time and skip what takes long."""
        inbox = self._at.inbox
        if inbox is None or not self._at.writable or not inbox.waiting():
            return 0
        receiver = Receiver(self._at, inbox, Catcher(self._at, inbox), light=seconds > 0)
        end = monotonic() + seconds
        count = receiver.receive(lambda: not seconds or monotonic() < end)
        self._received += count
        return count

    def take_in(self, going: Callable[[], bool]) -> tuple[int, int, int]:
        """Take in queued events, read on in sessions, and write briefings, as long as `going` says
        so. Return the numbers of events, of sessions, and of new memories."""
        at, inbox = self._at, self._at.inbox
        if inbox is None:
            return 0, 0, 0
        catcher = Catcher(at, inbox)
        receiver = Receiver(at, inbox, catcher)
        events, self._received = self._received + receiver.receive(going), 0
        done = Sessions(at, inbox, receiver, catcher, self._note).read_on(going)
        inbox.sweep(at.now() - KEPT)
        settle(at)
        inbox.refresh()
        write_briefings(at, done.projects)
        return events, done.sessions, done.caught

    def brief(self) -> None:
        """Write anew what the next session in each project is told."""
        if self._at.inbox is not None:
            write_briefings(self._at, [project for project, _ in self._at.inbox.folders()])

    def log_later(self, one: Logged) -> None:
        """Queue the log of a recall, as hooks queue theirs, until nobody else writes."""
        found, now = one.found, self._at.now()
        body = {
            "prompt": found.query,
            "human": False,
            "project": one.context.project,
            "actor": one.context.actor,
            "certainty": round(found.confidence * SCALE),
            "shown": [[hit.memory.id, round(hit.score * SCALE)] for hit in found.hits],
            "nonce": found.nonce,
            "strategy": found.strategy,
            "k": one.k,
            "took": one.took,
            "only": filter_data(one.narrow),
            "missed": one.missed,
        }
        session = one.context.session
        row = [key_of(session, RECALL, found.nonce), one.context.space, session, RECALL, now, json.dumps(body)]
        try:
            spool(self._at.home, f"{now}-{os.getpid()}-{found.nonce}", json.dumps(row))
        except OSError as error:  # whoever asked has an answer all the same
            self._note(f"a recall is not logged: {error}")

    def erase(self, purged: Iterable[Event]) -> None:
        """Erase what the events of purged memories say, and nothing else, from all that hooks have queued: in the
        transaction of the purge."""
        if self._at.inbox is None:
            return
        made = [event for event in purged if event.payload is not None]
        said = {one.session for one in made if one.kind == CAPTURED or (one.kind in QUESTIONS and one.session)}
        self._sessions(self._at.inbox).erase(_texts(made), said)

    def _sessions(self, inbox: Inbox) -> Sessions:
        catcher = Catcher(self._at, inbox)
        return Sessions(self._at, inbox, Receiver(self._at, inbox, catcher), catcher, self._note)

    def erase_project(self, project: str) -> None:
        """Erase what hooks have queued in the sessions of a project, once what they tell is taken in: in the
        transaction of the purge."""
        if self._at.inbox is not None:
            self._sessions(self._at.inbox).erase_project(project)

    def quoting(self, purged: Iterable[Event]) -> tuple[str, ...]:
        """Return what quotes what is purged: episodes and what is kept for a time, if they hold all of it, and episodes
        of the same sessions as soon as they hold half of its words."""
        made = [event for event in purged if event.kind == REMEMBERED and event.payload is not None]
        near, texts = {event.session for event in made} - {""}, _texts(made)
        found = {event.id: (event.session, data_of(event)[1]) for event in self._stories()}
        told = [id for id, (session, data) in found.items() if session in near and LIKELY not in data.get("tags", ())]
        captured = self._at.store.events(EventQuery(subjects=tuple(told), kinds=(CAPTURED,)))
        ours = {event.subject for event in captured}  # the episodes of ours; others tell what was said to be kept
        alike = ((id, quotes if id in ours else repeats, str(data["content"])) for id, (_, data) in found.items())
        return tuple(id for id, holds, text in alike if holds(text, texts))

    def _stories(self) -> Iterator[Event]:
        """Yield what made episodes and what is kept for a time: the text of one that was forgotten or undone is still
        in the ledger."""
        for word in (EPISODIC, LIKELY):
            here = EventQuery(space=self._at.space, kinds=(REMEMBERED,), naming=word)
            for event in self._at.store.events(here):
                if event.payload is not None:
                    data = data_of(event)[1]
                    if data["type"] == EPISODIC or LIKELY in data.get("tags", ()):
                        yield event

    def mine(self, *paths: str, project: str = "", progress: Callable[[int], None] = lambda done: None) -> Found:
        """Read on in transcripts of Claude Code, files or folders: what the user asked, and where
        sessions got stuck. Nothing is read twice."""
        return mine(self._at.ledger, [*paths], self._at.here(project), progress)

    def take_chats(
        self,
        path: str,
        *,
        project: str = "",
        mine: bool = False,
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Chatted:
        """Remember what a person said in an archive of chats of ChatGPT or Claude, judged as prompts are."""
        return take_chats(self._at, path, project=project, mine=mine, dry_run=dry_run, progress=progress)

    def project_of(self, folder: str) -> str:
        """Return the project of a folder: the name of its repository. None for a home folder."""
        return self._at.project_of(folder)

    def _note(self, problem: str) -> None:
        """Tell `doctor` what went wrong in the background."""
        with suppress(OSError):  # there is nowhere to say so
            note(self._at.home, self._at.now(), _TASK, "", 0, problem)


def _lasts(event: Event, memory: Memory) -> bool:
    """Tell whether a captured memory is one to keep, and no longer, or not yet, one that is only likely to be."""
    gone = memory.status == "forgotten" and data_of(event)[1]["kind"] == LIKELY  # kept for good since, or no longer
    return LIKELY not in memory.tags and not gone


def _caught(event: Event, memory: Memory) -> Caught:
    told = data_of(event)[1]
    return Caught(memory, told["kind"], event.session, event.project, event.time, event.id, str(told.get("why", "")))


def _texts(made: Iterable[Event]) -> list[str]:
    """Return the texts of the memories that events made."""
    fields = [data_of(event)[1] for event in made if event.kind == REMEMBERED]
    return [value for data in fields for name in _SAID if isinstance(value := data.get(name), str) and value]
