"""Turn queued events into events, each once: log recalls, keep statements, observe what followed a recall."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.capture.sift import besides
from treering.capture.statements import asks
from treering.evolve import feedback
from treering.evolve.implicit import ToolResult
from treering.ledger import decide
from treering.ledger.arguments import loggable
from treering.ledger.capturable import SUMMARY
from treering.ledger.errors import InvalidInput, NotFound, StoreError
from treering.ledger.events import SURFACED
from treering.ledger.ledger import Ledger
from treering.ledger.types import PASSED, Context, Found, Hit, Passed, Recall, Why
from treering.ledger.workspace import Workspace
from treering.recall.query.analysis import analyse
from treering.recall.quick import SHOWN
from treering.recall.recalls import surfacings
from treering.stores.port.ledger import EventQuery
from treering.stores.port.queue import PROMPT, RECALL, SCALE, TEXTS, Inbox, QueuedEvent
from treering.text.redact import clean
from treering.text.wishes import asks_to_keep
from treering.text.words import substantive

if TYPE_CHECKING:
    from treering.capture.inbox.keep import Catcher

BATCH = 500  # queued events taken in at a time
KEYWORD = "keyword"  # how a hook looks: by words alone
_LONGEST_SUMMARY = 4_000  # characters of what was compacted: its beginning says what it was about
_LONGEST_PROBLEM = 200  # characters, kept with the queued event


class ParsedEvent(NamedTuple):
    """A queued event and its body, parsed."""

    queued: QueuedEvent
    body: dict[str, Any]

    def text(self, name: str) -> str:
        value = self.body.get(name)
        return value if isinstance(value, str) else ""

    @property
    def human(self) -> bool:
        """True if a person typed it."""
        return self.body.get("human") is not False

    @property
    def nowhere(self) -> bool:
        """True if its folder was gone: then nobody knows whom else it concerns."""
        return self.body.get("nowhere") is True

    @property
    def context(self) -> Context:
        return Context(self.queued.space, self.text("project"), self.queued.session, self.text("actor") or "hook")


def parse(queued: QueuedEvent) -> ParsedEvent:
    """Parse the body of a queued event; it is empty if it is not valid."""
    try:
        body = json.loads(queued.body)
    except ValueError:
        body = {}
    return ParsedEvent(queued, body if isinstance(body, dict) else {})


class _Later(Exception):
    """Leave a queued event where it is; this is no error."""


class Receiver:
    """Take queued events in. All effects of one are written with the note that it was read."""

    def __init__(self, workspace: Workspace, inbox: Inbox, catcher: Catcher, light: bool = False) -> None:
        """A light receiver stops before the first event that needs a full recall, which may take seconds."""
        self._at = workspace
        self._ledger = workspace.ledger
        self._inbox = inbox
        self._catcher = catcher
        self._light = light
        self._now = workspace.now()

    def receive(self, going: Callable[[], bool] = lambda: True) -> int:
        """Take in what is queued, oldest first, as long as `going` says so; return how many."""
        done = 0
        while going() and (heard := self._inbox.unread(BATCH)):
            plain: list[QueuedEvent] = []
            for queued in heard:
                if queued.event not in _ACTS:
                    plain.append(queued)
                    continue
                done += self._several(plain)
                plain = []
                if not going():
                    return done
                try:
                    done += self._several([queued])
                except _Later:
                    return done
            done += self._several(plain)
        return done

    def _several(self, heard: Sequence[QueuedEvent]) -> int:
        """Take queued events in, in one transaction, and return how many."""
        if heard:
            self._ledger.store.write(lambda: self._take_all(heard))
        return len(heard)

    def _take_all(self, heard: Sequence[QueuedEvent]) -> None:
        for queued in heard:
            self._take(queued)

    def _take(self, queued: QueuedEvent) -> None:
        if not self._inbox.claim(queued, self._now):
            return  # another process was quicker
        read, made = parse(queued), ""
        try:
            if root := read.text("root"):  # a hook without a store knew no other folders
                read.body["project"] = self._inbox.project(root) or read.text("project")
            read.body.update(self._cleaned(read.body))
            if not self._at.config.captured_kinds(read.context.project):  # since it was queued, this was turned off
                read.body.update(dict.fromkeys((*TEXTS, "transcript"), ""))
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - as below
            read = ParsedEvent(queued, {"problem": _short(error)})
        for act in _ACTS.get(queued.event, ()) if len(read.body) > 1 else ():
            try:
                made = act(self, read) or made
            except (StoreError, _Later):
                raise
            except Exception as error:  # noqa: BLE001 - whoever opens the store takes queued events in: none stands in the way
                read.body["problem"] = _short(error)
        self._inbox.update(queued._replace(made=made, body=json.dumps(read.body, ensure_ascii=False)))

    def _followed(self, read: ParsedEvent) -> None:
        """Observe a recall by the person's next prompt, which is a reply."""
        if read.human:
            self.observe(read.queued, read.text("prompt"))

    def _stated(self, read: ParsedEvent) -> None:
        if read.human:
            self._catcher.statement(read)

    def _ended(self, read: ParsedEvent) -> None:
        self.observe(read.queued, "")
        if read.queued.session:
            self._ledger_at(read).commit(lambda: [decide.ended(read.context)])

    def _recalled(self, read: ParsedEvent) -> str:
        """Log what a hook showed as a recall, with what the session was told before and this prompt is about, and a
        prompt that nothing answers as a miss. Skip a prompt that states something to be kept."""
        failed = read.queued.event == "PostToolUseFailure"
        if "certainty" not in read.body or (read.human and asks_to_keep(read.text("prompt"))):
            return ""
        prompt = besides(read.text("prompt")) if read.human else read.text("prompt")  # a purge does not reach the log
        query = loggable(f"{read.text('command')} {read.text('error')}" if failed else prompt)
        hits = self._hits(read, "shown")
        if not query.strip() or (not hits and not substantive(query)):
            return ""
        asked = analyse(query, read.queued.time)
        strategy, sure = read.text("strategy") or KEYWORD, _part(read.body["certainty"])
        found = Recall(
            "", query, hits, asked.type, strategy, sure, "", "", read.text("nonce"), None, self._passed(read)
        )
        took, k, only = (read.body.get(name) for name in ("took", "k", "only"))
        missed = read.body.get("missed") is True and not failed and asks(query)
        if missed and read.queued.event != RECALL:  # which has asked the whole of recall
            missed = self._missed(query, read)
        hits = (*hits, *self._told_before(read))
        found = found._replace(hits=hits)
        if not hits and not missed:
            return ""
        ledger = self._ledger_at(read)
        counts = (k if isinstance(k, int) else SHOWN, took if isinstance(took, int) else 0)
        recall = decide.recalled(found, *counts, read.context, only if isinstance(only, dict) else None, missed)
        (event,) = ledger.commit(lambda: [recall])
        ledger.commit(lambda: surfacings(ledger.store, hits, event.id, event.time, read.context))
        return event.id

    def _missed(self, query: str, read: ParsedEvent) -> bool:
        """Tell whether a full recall would find nothing, too. What it finds may be something that the session knows."""
        if self._light:
            raise _Later
        if not any(letter.isalnum() for letter in query):
            return False
        found = self._at.recalls.recall(query, read.context, read.queued.time, 1)
        told = self._inbox.shown(read.queued.session)
        read.body["known"] = [[hit.memory.id, round(hit.score * SCALE)] for hit in found.hits if hit.memory.id in told]
        return found.abstained

    def _told_before(self, read: ParsedEvent) -> tuple[Hit, ...]:
        """Return what the session was told before and the prompt is about: a use, once a session."""
        hits = self._hits(read, "known")
        query = EventQuery(subjects=tuple(hit.memory.id for hit in hits), kinds=(SURFACED,), live=True)
        used = {event.subject for event in self._ledger.store.events(query) if event.session == read.queued.session}
        return tuple(hit for hit in hits if hit.memory.id not in used)

    def _hits(self, read: ParsedEvent, name: str) -> tuple[Hit, ...]:
        """Return the memories that were shown, or known, and are still there."""
        shown = [one for one in read.body.get(name, ()) if isinstance(one, list) and len(one) == 2]
        scores = {str(id): _part(score) for id, score in shown}
        found = self._ledger.store.several([*scores])
        return tuple(
            Hit(memory, scores[id], Why({KEYWORD: Found(rank, scores[id])}, {KEYWORD: scores[id]}, {}))
            for rank, (id, memory) in enumerate(found.items(), 1)
        )

    def _passed(self, read: ParsedEvent) -> tuple[Passed, ...]:
        """Return the memories that were not shown, as far as they are still there."""
        rows = [one for one in read.body.get("passed", ()) if isinstance(one, list) and len(one) == 3]
        there = self._ledger.store.several([str(id) for id, _, _ in rows])
        return tuple(
            Passed(str(id), _part(score), str(why)) for id, score, why in rows if str(id) in there and why in PASSED
        )

    def observe(self, queued: QueuedEvent, reply: str) -> None:
        """Observe a recall by what came between it and this event: the answer, tools, the reply."""
        turn = [parse(one) for one in self._inbox.turn(queued)]
        answer = "\n".join(one.text("answer") for one in turn if one.queued.event in ("Stop", "SubagentStop"))
        results = [_result(one) for one in turn if one.queued.event in ("PostToolUse", "PostToolUseFailure")]
        told = (one for one in turn if one.body.get("shown") or one.body.get("known"))
        for recall in (one.queued.made for one in told if one.queued.made):
            rewards, here = self._at.config.rewards, turn[0].context
            try:
                feedback.observe(self._ledger, recall, answer, results, reply, rewards, here)
                if outcome := _outcome(turn):
                    feedback.outcome(self._ledger, recall, outcome, rewards, here)
            except (InvalidInput, NotFound):  # it has been undone meanwhile: there is nothing to judge
                continue

    def _summed(self, read: ParsedEvent) -> None:
        """Keep the summary an agent wrote when it compacted, with a tool's trust: it may repeat tools and pages."""
        text = _summary(read.text("summary"))[:_LONGEST_SUMMARY].strip()
        if text and SUMMARY in self._at.config.captured_kinds(read.context.project):
            row = {"content": text, "type": "episodic", "origin": "tool:compaction", "at": read.queued.time / 1e6}
            if not read.context.project.strip() and read.context.session:
                row["scope"] = "session"
            self._catcher.remember([row], read.context)

    def _ledger_at(self, read: ParsedEvent) -> Ledger:
        return self._ledger.at(min(read.queued.time, self._now))

    def _cleaned(self, body: dict[str, Any]) -> dict[str, str]:
        """Return the texts without secrets; they are kept until the session is over."""
        texts = {name: body[name] for name in TEXTS if isinstance(body.get(name), str)}
        return {name: clean(text, sys.maxsize).text for name, text in texts.items()}


# What is done with a queued event, in order; what one of these returns is the event it was logged as.
_ACTS: dict[str, tuple[Callable[[Receiver, ParsedEvent], str | None], ...]] = {
    PROMPT: (Receiver._recalled, Receiver._followed, Receiver._stated),
    "PostToolUseFailure": (Receiver._recalled,),
    RECALL: (Receiver._recalled,),
    "PostCompact": (Receiver._summed,),
    "SessionEnd": (Receiver._ended,),
}


def _summary(text: str) -> str:
    """Return the summary itself: Claude Code's stands in marks, below notes that led to it."""
    _, mark, rest = text.partition("<summary>")
    return rest.partition("</summary>")[0] if mark else text


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:_LONGEST_PROBLEM]


def _part(number: object) -> float:
    return number / SCALE if isinstance(number, int) else 0.0


def _result(read: ParsedEvent) -> ToolResult:
    failed = read.queued.event == "PostToolUseFailure"
    return ToolResult(read.text("error") or read.text("command"), failed)


def _outcome(turn: Sequence[ParsedEvent]) -> str:
    """Return the outcome of a turn where it is beyond doubt: a command failed, and passed in the end."""
    failed, outcome = set[str](), ""
    for read in turn:
        command = " ".join(read.text("command").split())
        if command and read.queued.event == "PostToolUseFailure" and not read.body.get("interrupted"):
            failed.add(command)
            outcome = ""
        elif command in failed and read.queued.event == "PostToolUse":
            outcome = "success"
    return outcome
