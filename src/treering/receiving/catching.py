"""Capture at work: what a session said and did that is worth keeping becomes memories, each thing once."""

from __future__ import annotations

import os
import sys

from treering.capture import asked, catching, transcript
from treering.capture.catches import EPISODE, TOLD
from treering.capture.episode import episode
from treering.capture.saying.doubts import takes_back
from treering.capture.saying.own import sentences
from treering.capture.turns import AGENT, USER, Did, Said
from treering.core import capturing, decide
from treering.core.codec import data_of
from treering.core.events import CAPTURED, UNDONE
from treering.core.letters import PROMPT
from treering.core.ports import EventQuery
from treering.core.types import Context
from treering.guard import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from treering.asking import Asking
    from treering.capture.catches import Catch
    from treering.capture.turns import Turn
    from treering.core.events import Event
    from treering.core.letters import Inbox
    from treering.core.types import Memory
    from treering.ledger import Ledger
    from treering.receiving.letters import Told

    Remember = Callable[[Sequence[Mapping[str, Any]], Context], list[Memory]]

SUFFIX = ".jsonl"
SHELL, EDITOR = "Bash", "Edit"
_READABLE = ("claude-code", "codex")  # agents whose transcripts are in a format that is known
_PROBE = 4_000_000  # bytes in which a transcript shows whether it can be read
_SESSION = 16_000_000  # bytes of one that are read at a time
_SLACK = 60_000_000  # microseconds between what a hook and a transcript say of one moment
TAKEN_BACK = "taken back in the session"
_FIELDS = ("content", "type", "scope", "trigger", "action", "outcome", "confidence")


class Catcher:
    def __init__(self, ledger: Ledger, inbox: Inbox, remember: Remember, asking: Asking | None = None) -> None:
        """`remember` gives the memories that are new; what only repeats what was recalled is none. A model may find
        more in a session that is over."""
        self._ledger = ledger
        self._inbox = inbox
        self._asking = asking
        self.remember = remember

    def told(self, read: Told) -> bool:
        """Whether a prompt says that something is to be kept."""
        return any(catch.kind == TOLD for catch in catching.statement(read.text("prompt")))

    def statement(self, read: Told) -> None:
        """Keep what a prompt alone tells, before there is any transcript of it."""
        for catch in catching.statement(read.text("prompt")):
            line = read.letter.line
            self._keep(catch, read.context, read.letter.time, line, read.nowhere)

    def session(self, letters: Sequence[Told], over: bool) -> int:
        """Read on in a session, and keep what is new. When it is over, what it was about too. How many were kept."""
        if not letters:
            return 0
        path, since = _transcript(letters), self._inbox.purged()
        turns = _cleaned(self._read_on(path, letters[-1].letter.session)) if path else []
        whole = not turns and not (path and transcript.read(path, 0, _PROBE).turns)  # no transcript that can be read
        turns = [turn for turn in (_turns(letters) if whole else turns) if not since or turn.at > since]
        kept = self._all(catching.catch(turns), turns, letters)
        if over:
            every = _turns(letters) if whole else _cleaned(transcript.read(path, 0, _SESSION).turns)
            every = [turn for turn in every if not since or turn.at > since]
            kept += self._all(self._asked(every), every, letters, taken_back=False)
            told = episode(every)
            if told is not None:
                told = told._replace(mark=f"episode-{letters[-1].letter.session}")  # one, however often it is resumed
                kept += self._keep(told, _standing(letters), letters[-1].letter.time)
        return kept

    def _asked(self, turns: Sequence[Turn]) -> list[Catch]:
        """What a model finds; it may choose among what was said, and word nothing."""
        question = asked.question(turns) if self._asking is not None else None
        if question is None or self._asking is None:
            return []
        reply = self._asking.ask(question)
        return asked.accepted(reply.value, turns) if reply is not None else []

    def _read_on(self, path: str, session: str) -> list[Turn]:
        """A transcript, from where the last reading ended; what may be unfinished is read again."""
        read = transcript.read(path, self._inbox.offset(session), _SESSION)
        self._inbox.read_up_to(session, read.starts[0] if read.starts else read.offset)
        return read.turns

    def _all(
        self, catches: Sequence[Catch], turns: Sequence[Turn], letters: Sequence[Told], taken_back: bool = True
    ) -> int:
        times = {turn.line: turn.at for turn in turns}
        kept = 0
        for catch in catches:
            at = times.get(catch.line, 0)
            nowhere = all(one.nowhere for one in letters)
            kept += self._keep(catch, _standing(letters, at), at, catch.line, nowhere)
        if turns and taken_back:
            self._take_back({catch.mark for catch in catches}, turns, letters[-1])
        return kept

    def _take_back(self, marks: set[str], turns: Sequence[Turn], last: Told) -> None:
        """What was kept of a prompt by itself, and was taken back in so many words, goes."""
        said = [turn.text for turn in turns if isinstance(turn, Said) and turn.who == USER]
        last_back = max((at for at, text in enumerate(said) if _retracts(text)), default=0)
        said = said[:last_back]  # what was said before that
        alone = {catch.mark for text in said for catch in catching.statement(text)} - marks
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

    def _keep(self, catch: Catch, here: Context, at: int, line: str = "", nowhere: bool = False) -> bool:
        """Make a memory of it, unless that was done before, even if a person took it back."""

        def work() -> bool:
            if self._known(catch, here):
                return False
            row = {name: getattr(catch, name) for name in _FIELDS}
            if catch.scope == "project" and not here.project.strip():
                narrow = here.session and (nowhere or catch.kind == EPISODE)
                row["scope"] = "session" if narrow else "user"
            made = self.remember([{**row, "origin": catch.by, "at": at / 1e6 if at else None}], here)
            drafts = [capturing.captured(memory, catch.kind, catch.mark, here, line) for memory in made]
            self._ledger.commit(lambda: drafts)
            return bool(made)

        return self._ledger.store.write(work)

    def _known(self, catch: Catch, here: Context) -> bool:
        store = self._ledger.store
        query = EventQuery(kinds=(CAPTURED,), space=here.space, naming=catch.mark)
        left_out = store.left_out()
        for event in store.events(query):
            near = event.project == here.project or event.session == here.session or catch.scope == "user"
            same = near and data_of(event)[1].get("mark") == catch.mark
            again = catch.kind == TOLD and event.session != here.session  # who says it twice means it
            if same and not (again and event.id in left_out):
                here_too = event.session == here.session or self._stands(event)
                if here_too if event.id not in left_out else not self._was_taken_back(event.subject):
                    return True
        return False

    def _stands(self, event: Event) -> bool:
        """Whether what was captured still holds: what was forgotten or superseded since may be told elsewhere."""
        memory = self._ledger.store.record(event.subject)
        return memory is not None and memory.status not in ("forgotten", "superseded")

    def _was_taken_back(self, id: str) -> bool:
        """Whether the session itself did so: then it may be said again."""
        query = EventQuery(kinds=(UNDONE,), naming=id, newest=True, limit=1)
        return any(data_of(event)[1].get("reason") == TAKEN_BACK for event in self._ledger.store.events(query))


def _retracts(text: str) -> bool:
    """Whether a prompt takes back what was said before, in so many words."""
    return any(takes_back(sentence.plain) for sentence in sentences(text))


def _standing(letters: Sequence[Told], at: int = 0) -> Context:
    """Where the session stood at a moment: an agent may go from one project to another."""
    before = [one.context for one in letters if not at or one.letter.time <= at + _SLACK]
    named = [context for context in before if context.project]
    return (named or [one.context for one in letters])[-1]


def _cleaned(turns: Sequence[Turn]) -> list[Turn]:
    """Turns without secrets, as letters have them: so the same words are known as the same, and no model sees any."""
    return [
        turn._replace(text=clean(turn.text, sys.maxsize).text) if isinstance(turn, Said) else turn for turn in turns
    ]


def _transcript(letters: Sequence[Told]) -> str:
    """The transcript of a session, if it is one that can be read."""
    readable = (one.text("transcript") for one in letters if one.text("agent") in _READABLE)
    paths = [path for path in readable if path.endswith(SUFFIX)]
    return paths[-1] if paths and os.path.isfile(paths[-1]) else ""


def _turns(letters: Sequence[Told]) -> list[Turn]:
    """A session as its hooks heard it, for agents whose transcripts nobody can read."""
    turns: list[Turn] = []
    for one in letters:
        event, at, line = one.letter.event, one.letter.time, one.letter.line
        if event == PROMPT and one.human:
            turns.append(Said(USER, one.text("prompt"), at, line))
        elif event == "Stop" and one.text("answer"):
            turns.append(Said(AGENT, one.text("answer"), at, line))
        elif event in ("PostToolUse", "PostToolUseFailure"):
            ok = None if one.body.get("interrupted") else event == "PostToolUse"
            # Each agent has its own names of tools; what a letter tells of a call says which kind it was.
            tool = SHELL if one.text("command") else EDITOR if one.text("target") else one.text("tool")
            turns.append(Did(tool, one.text("command"), one.text("target"), ok, one.text("error"), at, line))
    return turns
