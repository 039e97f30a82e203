"""Read on in the sessions that hooks reported, close those that are over, and write briefings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from treering.capture.inbox.keep import Catcher
from treering.capture.inbox.receive import ParsedEvent, Receiver, parse
from treering.capture.mine import SUFFIX, mine
from treering.ledger import decide
from treering.ledger.capturable import FRICTION
from treering.ledger.errors import StoreError, TreeringError
from treering.ledger.events import PROPOSED
from treering.ledger.workspace import Workspace
from treering.skills.api import Skills
from treering.skills.proposals.api import Proposals
from treering.stores.port.ledger import EventQuery
from treering.stores.port.queue import TEXTS, Inbox
from treering.text.words import STOP_WORDS, folded
from treering.truth import claims
from treering.truth.api import Truth

LONGEST = 500  # characters


def briefing(skills: str, proposals: int, contradictions: int, invariants: int) -> str:
    """Return the skills and what waits for a person in a few lines, or nothing."""
    waiting = (
        _count(proposals, "proposal", "treering evolve list"),
        _count(contradictions, "contradiction", "treering contradictions"),
        _count(invariants, "invariant to confirm", "treering confirm"),
    )
    listed = ", ".join(filter(None, waiting))
    lines = (skills.strip()[:LONGEST], f"Waiting for a person's review: {listed}." if listed else "")
    return "\n".join(filter(None, lines))


def write_briefings(workspace: Workspace, projects: Sequence[str]) -> None:
    """Write what the next session in each project is shown when it starts."""
    if workspace.inbox is None or not projects:
        return
    truth, skills = Truth(workspace), Skills(workspace)
    contradictions = truth.contradictions()
    made = EventQuery(kinds=(PROPOSED,), space=workspace.space, limit=1)
    proposed = len(Proposals(workspace).list("pending")) if any(workspace.store.events(made)) else 0
    waiting = (proposed, len(claims.asked(contradictions)), len(truth.to_confirm()))
    for project in projects:
        folder = workspace.inbox.folder(project)
        listed = skills.index(root=folder) if os.path.isdir(folder) else ""
        # What may be out of date is told as it is where the newer one cannot be seen.
        seen = (
            one for one in contradictions if one.is_asked or one.newer.scope == "user" or one.newer.project == project
        )
        workspace.inbox.brief(workspace.space, project, briefing(listed, *waiting), claims.doubted(seen))


def _count(count: int, what: str, command: str) -> str:
    if not count:
        return ""
    first, _, rest = what.partition(" ")
    named = f"{first}{'' if count == 1 else 's'}{' ' + rest if rest else ''}"
    return f"{count} {named} (`{command}`)"


IDLE = 6 * 3_600_000_000  # microseconds after which a session that was not ended is taken to be over
_MINED = "claude-code"  # whose transcripts friction can be read from


class Done(NamedTuple):
    """The numbers of a reading."""

    sessions: int
    caught: int
    projects: tuple[str, ...]  # in which they were


class Sessions:
    """Read sessions one by one; one that cannot be read holds up no other."""

    def __init__(
        self, workspace: Workspace, inbox: Inbox, receiver: Receiver, catcher: Catcher, note: Callable[[str], None]
    ) -> None:
        """`note` tells `doctor` what went wrong."""
        self._at = workspace
        self._ledger = workspace.ledger
        self._inbox = inbox
        self._receiver = receiver
        self._catcher = catcher
        self._note = note

    def read_on(self, going: Callable[[], bool]) -> Done:
        """Read on in all sessions of this space, as long as `going` says so."""
        space, now = self._at.space, self._at.now()
        sessions = caught = 0
        projects: dict[str, None] = {}
        for where, session, last in self._inbox.sessions():
            if not going():
                break
            if where != space:
                continue
            heard = [one for one in self._said(space, session) if one.queued.taken]
            projects.update(dict.fromkeys(one.context.project for one in heard))
            try:
                caught += self._read(heard, now - last > IDLE)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - another program's files: doctor tells what went wrong
                self._note(f"session {session}: {type(error).__name__}: {error}")
            sessions += 1
        return Done(sessions, caught, tuple(projects))

    def erase(self, purged: Sequence[str], sessions: Collection[str]) -> None:
        """Erase what is queued in sessions that said what is purged, in the transaction of the purge.

        All that waits is taken in before, and what else was said there is kept: a purge destroys nothing
        but what it names.
        """
        self._receiver.receive()
        for space, session, _ in self._inbox.sessions():
            heard = self._said(space, session)
            said = " ".join(one.text(name) for one in heard for name in TEXTS)
            if session in sessions or quotes(said, purged):
                self._empty(session, heard)

    def erase_project(self, project: str) -> None:
        """Erase what is queued in the sessions of a project, in the transaction of the purge."""
        self._receiver.receive()
        for space, session, _ in self._inbox.sessions():
            heard = self._said(space, session)
            if space == self._at.space and any(one.context.project == project for one in heard):
                self._empty(session, heard)

    def _empty(self, session: str, heard: Sequence[ParsedEvent]) -> None:
        self._keep_the_rest(session, [one for one in heard if one.queued.taken])
        for one in heard:
            left = {name: value for name, value in one.body.items() if name not in TEXTS}
            self._inbox.update(one.queued._replace(body=json.dumps(left, ensure_ascii=False)))
        self._inbox.close(session, self._at.now())

    def _said(self, space: str, session: str) -> list[ParsedEvent]:
        """Return what is kept of a session; another space may have one of the same name."""
        return [parse(queued) for queued in self._inbox.of(session) if queued.body and queued.space == space]

    def _keep_the_rest(self, session: str, heard: Sequence[ParsedEvent]) -> None:
        try:
            self._catcher.session(heard, over=False)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - another program's files: doctor tells what went wrong
            self._note(f"session {session}: {type(error).__name__}: {error}")

    def _read(self, heard: Sequence[ParsedEvent], idle: bool) -> int:
        """Read on in a session; when it is over, close it and delete its queued events."""
        ended = any(one.queued.event == "SessionEnd" for one in heard[-1:])
        self._look_for_friction(heard)
        caught = self._catcher.session(heard, ended or idle)
        if ended or idle:
            self._ledger.store.write(lambda: self._close(heard, ended))
        return caught

    def _close(self, heard: Sequence[ParsedEvent], ended: bool) -> None:
        last = heard[-1].queued
        if not ended and last.session:
            self._receiver.observe(last._replace(number=last.number + 1), "")
            self._ledger.at(last.time).commit(lambda: [decide.ended(heard[-1].context)])
        for one in heard:
            self._inbox.update(one.queued._replace(body=""))

    def _look_for_friction(self, heard: Sequence[ParsedEvent]) -> None:
        named = (one.text("transcript") for one in heard)
        paths = [path for path in named if path.endswith(SUFFIX) and os.path.isfile(path)]
        allowed = self._at.config.captured_kinds(heard[-1].context.project)
        if not paths or heard[-1].text("agent") != _MINED or FRICTION not in allowed:
            return
        try:
            mine(self._ledger, [paths[-1]], self._at.here(heard[-1].context.project))
        except TreeringError:  # a transcript is another program's file: what cannot be read is left
            return


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in folded(text) if word not in STOP_WORDS)


def quotes(said: str, purged: Sequence[str]) -> bool:
    """Tell whether a text holds half of the words of anything that is purged: rather too much is erased than a rest
    of it left."""
    words = _words(said)
    return any(2 * len(text & words) >= len(text) for text in filter(None, map(_words, purged)))


def repeats(said: str, purged: Sequence[str]) -> bool:
    """Tell whether a text holds all words of anything that is purged, in their order."""
    words = f" {' '.join(folded(said))} "
    return any(f" {' '.join(folded(text))} " in words for text in purged if _words(text))
