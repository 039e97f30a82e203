"""Capture sessions: what was said and done that is worth keeping becomes memories, each once."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from treering.capture import model, sift, transcript
from treering.capture.echoes import Echoes
from treering.capture.inbox import change
from treering.capture.inbox.receive import ParsedEvent, parse
from treering.capture.mine import SUFFIX
from treering.capture.sift import episode
from treering.capture.turns import AGENT, EPISODE, SEMANTIC, TOLD, USER, Catch, Did, Said, Turn, failed
from treering.capture.verdicts import TAKEN_BACK, learned
from treering.judge.learned import Learned
from treering.ledger import decide
from treering.ledger.arguments import storable_context
from treering.ledger.codec import data_of, draft
from treering.ledger.events import CAPTURED, UNDONE, Draft, Event
from treering.ledger.types import LIKELY, Context, Memory
from treering.ledger.workspace import Workspace
from treering.models.ask import Asking
from treering.stores.port.ledger import EventQuery, record_of
from treering.stores.port.queue import PROMPT, RECALL, Inbox
from treering.text.redact import clean
from treering.text.wishes import retracts
from treering.truth import claims


def captured(memory: Memory, catch: Catch, kind: str, context: Context, line: str = "") -> Draft:
    """Draft the event that a memory was captured; it is undone with the memory."""
    told = {"line": line, "worth": catch.worth, "why": catch.why}
    data: dict[str, Any] = {"kind": kind, "mark": catch.mark, **{name: value for name, value in told.items() if value}}
    return draft(CAPTURED, data, context, memory.id, (memory.id,))


SHELL, EDITOR = "Bash", "Edit"
_READABLE = ("claude-code", "codex")  # agents whose transcripts are in a format that is known
_PROBE = 4_000_000  # bytes in which a transcript shows whether it can be read
_SESSION = 16_000_000  # bytes of one that are read at a time
_SLACK = 60_000_000  # microseconds between what a hook and a transcript say of one moment
_SAYING = ("content", "type", "scope", "project")
_FIELDS = ("content", "type", "scope", "trigger", "action", "outcome", "confidence")


class Catcher:
    """Make memories of sessions; a language model, if configured, may find more in one that is over."""

    def __init__(self, workspace: Workspace, inbox: Inbox) -> None:
        self._at = workspace
        self._ledger = workspace.ledger
        self._inbox = inbox
        self._lessons: Learned | None = None

    @cached_property
    def _asking(self) -> Asking | None:
        return Asking.of(self._at)

    def _learned(self) -> Learned:
        # No cached_property: Python 3.11 holds one lock for all threads while it is computed, and this may write.
        if self._lessons is None:
            self._lessons = learned(self._at)
        return self._lessons

    def remember(self, rows: Sequence[Mapping[str, Any]], here: Context) -> list[Memory]:
        """Remember rows, and return the new memories; an echo of a recalled memory makes none."""
        there = storable_context(here, self._at.config.content_limit)
        echoes = Echoes(self._at.store).at(there)
        # Only the text counts: a date or other fields make no news of an echo.
        checked = [(row, echoes.match({name: row.get(name) for name in _SAYING})[1]) for row in rows]
        return self._at.remember([row for row, echo in checked if echo is None], there)

    def statement(self, read: ParsedEvent) -> None:
        """Keep what a prompt tells by itself, before there is a transcript of it."""
        turn = [parse(one) for one in self._inbox.turn(read.queued)]
        before = "".join(one.text("answer") for one in turn if one.queued.event == "Stop")
        for catch in sift.statement(read.text("prompt"), before, self._learned(), faint=True):
            self._keep(catch, read.context, read.queued.time, read.queued.line, read.nowhere)

    def session(self, heard: Sequence[ParsedEvent], over: bool) -> int:
        """Read on in a session, keep what is new, and its episode when it is over. Return how many were kept."""
        if not heard:
            return 0
        path, since = _transcript(heard), self._inbox.closed(heard[-1].queued.session)
        turns = _clean(self._read_on(path, heard[-1].queued.session)) if path else []
        whole = not turns and not (path and transcript.read(path, 0, _PROBE).turns)  # no transcript that can be read
        turns = [turn for turn in (_turns(heard) if whole else turns) if not since or turn.at > since]
        kept = self._all(sift.catch(turns, self._learned()), turns, heard, since)
        if over:
            every = _turns(heard) if whole else _clean(transcript.read(path, 0, _SESSION).turns)
            every = [turn for turn in every if not since or turn.at > since]
            kept += self._ask(every, heard, since)
            summary = episode(every)
            if summary is not None:
                summary = summary._replace(
                    mark=f"episode-{heard[-1].queued.session}"
                )  # one, however often it is resumed
                kept += self._keep(summary, _context_at(heard), heard[-1].queued.time, since=since)
        return kept

    def _ask(self, turns: Sequence[Turn], heard: Sequence[ParsedEvent], since: int) -> int:
        """Keep what a model chooses among what was said, and let what it finds changed replace what was known."""
        if self._asking is None:
            return 0
        known = change.near(self._at.store, turns, _context_at(heard))
        question = model.question(turns, known)
        reply = self._asking.ask(question) if question is not None else None
        if reply is None:
            return 0
        chosen = model.accept(reply.value, turns)
        changed = model.changed(reply.value, turns, known)
        kept = self._all(chosen, turns, heard, since, taken_back=False)
        for old, catch in changed:
            if change.agreed(old, catch):
                kept += self._all([catch], turns, heard, since, taken_back=False, old=old)
        return kept

    def _read_on(self, path: str, session: str) -> list[Turn]:
        """Read a transcript from where the last reading ended; what may be unfinished is read again."""
        read = transcript.read(path, self._inbox.offset(session), _SESSION)
        self._inbox.read_up_to(session, read.starts[0] if read.starts else read.offset)
        return read.turns

    def _all(
        self,
        catches: Sequence[Catch],
        turns: Sequence[Turn],
        heard: Sequence[ParsedEvent],
        since: int,
        taken_back: bool = True,
        old: Memory | None = None,
    ) -> int:
        times = {turn.line: turn.at for turn in turns}
        kept = 0
        for catch in catches:
            at = times.get(catch.line, 0)
            nowhere = all(one.nowhere for one in heard)
            here = _context_at(heard, at)
            kept += self._keep(catch, here, at, catch.line, nowhere, since, old)
            if old is not None:
                self._ledger.store.write(partial(change.replace, self._ledger, old, catch, here))
        if turns and taken_back:
            self._take_back({catch.mark for catch in catches}, turns, heard[-1])
        return kept

    def _take_back(self, marks: set[str], turns: Sequence[Turn], last: ParsedEvent) -> None:
        """Undo what was kept of a single prompt and was taken back in words since."""
        said = [turn.text for turn in turns if isinstance(turn, Said) and turn.who == USER]
        last_back = max((at for at, text in enumerate(said) if any(retracts(text))), default=0)
        said = said[:last_back]  # what was said before that
        alone = {
            catch.mark for text in said for catch in sift.statement(text, learned=self._learned(), faint=True)
        } - marks
        if not alone:
            return
        store, here = self._ledger.store, last.context

        def work() -> None:
            query = EventQuery(kinds=(CAPTURED,), space=here.space, session=here.session, live=True)
            for event in [*store.events(query)]:
                if data_of(event)[1].get("mark") in alone:
                    made = [*store.events(EventQuery(ids=(event.subject,)))]
                    self._ledger.undo(lambda made=made: decide.undo(made, store.left_out(), here, TAKEN_BACK))  # type: ignore[misc]

        store.write(work)

    def _keep(
        self,
        catch: Catch,
        here: Context,
        at: int,
        line: str = "",
        nowhere: bool = False,
        since: int | None = None,
        changed: Memory | None = None,
    ) -> bool:
        """Make a memory of a catch, unless that was done before, even if a person undid it; or unless its session was
        closed `since` it was read: what was read may have been purged meanwhile. `changed` is what it replaces."""

        allowed = self._at.config.captured_kinds(here.project)
        if catch.likely and not self._at.config.likely_days:
            return False

        def work() -> bool:
            if self._known(catch, here) or since not in (None, self._inbox.closed(here.session)):
                return False
            doubted = claims.outdated(self._at.store, catch.content, here) if catch.likely else []
            if catch.faint and not doubted:
                return False
            old = changed or (claims.replaced(self._at.store, catch.content, here) if catch.by == USER else None)
            meant = catch._replace(likely=False, type=SEMANTIC) if old or self._said_before(catch, here) else catch
            kind = LIKELY if meant.likely else catch.kind
            if kind not in allowed:
                return False
            row = {name: getattr(meant, name) for name in _FIELDS}
            if meant.likely:
                row["tags"] = [LIKELY]
            if catch.scope == "project" and not here.project.strip():
                narrow = here.session and (nowhere or catch.kind == EPISODE)
                row["scope"] = "session" if narrow else "user"
            if any(one.scope == "user" for one in (old, *doubted[:1]) if one):
                row["scope"] = "user"  # what replaces it is seen wherever it was
            made = self.remember([{**row, "origin": catch.by, "at": at / 1e6 if at else None}], here)
            drafts = [captured(memory, catch, kind, here, line) for memory in made]
            self._ledger.commit(lambda: drafts)
            if made and not meant.likely:
                change.lead(self._ledger, catch.mark, here)
            if old and made:
                claims.look(self._ledger, [memory.id for memory in made], here)
            return bool(made)

        return self._ledger.store.write(work)

    def _known(self, catch: Catch, here: Context) -> bool:
        store = self._ledger.store
        query = EventQuery(kinds=(CAPTURED,), space=here.space, naming=catch.mark)
        left_out = store.left_out()
        for event in store.events(query):
            near = event.project == here.project or event.session == here.session or catch.scope == "user"
            same = near and data_of(event)[1].get("mark") == catch.mark
            again = event.session != here.session and (catch.kind == TOLD or _is_likely(event))  # it is meant
            lifted = _is_likely(event) and not catch.likely and event.id not in left_out
            if same and not lifted and not (again and (event.id in left_out or _is_likely(event))):
                here_too = event.session == here.session or self._stands(event)
                if here_too if event.id not in left_out else not self._was_taken_back(event.subject):
                    return True
        return False

    def _said_before(self, catch: Catch, here: Context) -> bool:
        """Tell whether something that may be worth keeping was said in another session, too: then it is."""
        query = EventQuery(kinds=(CAPTURED,), space=here.space, naming=catch.mark, live=True)
        said = [event for event in self._ledger.store.events(query) if event.project == here.project]
        return catch.likely and any(event.session != here.session for event in said)

    def _stands(self, event: Event) -> bool:
        """Tell whether a captured memory still holds; one that was forgotten or superseded may come again."""
        memory = record_of(self._ledger.store, event.subject)
        return memory is not None and memory.status not in ("forgotten", "superseded")

    def _was_taken_back(self, id: str) -> bool:
        """Tell whether the session itself took it back: then it may be said again."""
        query = EventQuery(kinds=(UNDONE,), naming=id, newest=True, limit=1)
        return any(data_of(event)[1].get("reason") == TAKEN_BACK for event in self._ledger.store.events(query))


def _is_likely(event: Event) -> bool:
    return bool(data_of(event)[1].get("kind") == LIKELY)


def _context_at(heard: Sequence[ParsedEvent], at: int = 0) -> Context:
    """Return the context of a session at a moment: an agent may go from one project to another."""
    own = [one for one in heard if one.queued.event != RECALL] or heard  # a recall may look into another project
    before = [one.context for one in own if not at or one.queued.time <= at + _SLACK]
    named = [context for context in before if context.project]
    return (named or [one.context for one in own])[-1]


def _clean(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns without secrets, as queued events have them, so that the same words match."""
    return [
        turn._replace(text=clean(turn.text, sys.maxsize).text) if isinstance(turn, Said) else turn for turn in turns
    ]


def _transcript(heard: Sequence[ParsedEvent]) -> str:
    """Return the path of a session's transcript, if it can be read."""
    readable = (one.text("transcript") for one in heard if one.text("agent") in _READABLE)
    paths = [path for path in readable if path.endswith(SUFFIX)]
    return paths[-1] if paths and os.path.isfile(paths[-1]) else ""


def _turns(heard: Sequence[ParsedEvent]) -> list[Turn]:
    """Build turns from queued events, for agents whose transcripts cannot be read."""
    turns: list[Turn] = []
    for one in heard:
        event, at, line = one.queued.event, one.queued.time, one.queued.line
        if event == PROMPT and one.human:
            turns.append(Said(USER, one.text("prompt"), at, line))
        elif event == "Stop" and one.text("answer"):
            turns.append(Said(AGENT, one.text("answer"), at, line))
        elif event in ("PostToolUse", "PostToolUseFailure"):
            ok = None if one.body.get("interrupted") else event == "PostToolUse"
            # Each agent names its tools otherwise: the fields of the event tell the kind.
            tool = SHELL if one.text("command") else EDITOR if one.text("target") else one.text("tool")
            did = Did(tool, one.text("command"), one.text("target"), ok, at=at, line=line)
            turns.append(failed(did, one.text("error")) if ok is False else did)
    return turns
