"""Letters become events, each once: what a hook recalled is logged, what the user said is kept, what followed a recall
speaks for it."""

from __future__ import annotations

import json
import sys

from treering.core import decide
from treering.core.errors import InvalidInput, NotFound, StoreError
from treering.core.letters import PROMPT, SCALE, TEXTS
from treering.core.prompts import substantive
from treering.core.tuples import NamedTuple
from treering.core.types import Context, Found, Hit, Recall, Why
from treering.evolution import feedback
from treering.evolve.implicit import ToolResult
from treering.guard import clean
from treering.recall.query.analysis import analyse
from treering.recall.quick import SHOWN
from treering.recalling import surfacings
from treering.wishes import logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from treering.config import Config
    from treering.core.letters import Inbox, Letter
    from treering.ledger import Ledger
    from treering.receiving.catching import Catcher

    Silent = Callable[[str, Context, int], bool]

BATCH = 500  # letters taken in at a time
KEYWORD = "keyword"  # how a hook looks: by words alone
_LONGEST_SUMMARY = 4_000  # characters of what was compacted: its beginning says what it was about
_LONGEST_PROBLEM = 200  # characters, kept with the letter


class Told(NamedTuple):
    """A letter that could be read."""

    letter: Letter
    body: dict[str, Any]

    def text(self, name: str) -> str:
        value = self.body.get(name)
        return value if isinstance(value, str) else ""

    @property
    def human(self) -> bool:
        """Whether a person typed it."""
        return self.body.get("human") is not False

    @property
    def nowhere(self) -> bool:
        """Whether the folder that it was said in was gone: then nobody knows whom else it concerns."""
        return self.body.get("nowhere") is True

    @property
    def context(self) -> Context:
        return Context(self.letter.space, self.text("project"), self.letter.session, "hook")


def told(letter: Letter) -> Told:
    """A letter as it was written; empty if somebody else wrote it."""
    try:
        body = json.loads(letter.body)
    except ValueError:
        body = {}
    return Told(letter, body if isinstance(body, dict) else {})


class _Later(Exception):
    """Not an error: it leaves a letter where it is."""


class Receiver:
    """Takes letters in. All that a letter leads to is written with the note that it was read."""

    def __init__(
        self, ledger: Ledger, inbox: Inbox, config: Config, catcher: Catcher, silent: Silent | None, now: int
    ) -> None:
        """`silent` says whether the whole of recall, too, would have kept quiet, which may take seconds to find out.
        Without it only those letters are taken in that come before the first that needs it."""
        self._silent = silent
        self._ledger = ledger
        self._inbox = inbox
        self._config = config
        self._catcher = catcher
        self._now = now

    def receive(self, going: Callable[[], bool] = lambda: True) -> int:
        """Take in what waits, oldest first, as long as there is time. How many were taken in."""
        done = 0
        while going() and (letters := self._inbox.unread(BATCH)):
            plain: list[Letter] = []
            for letter in letters:
                if letter.event not in _ACTS:
                    plain.append(letter)
                    continue
                done += self._several(plain)
                plain = []
                if not going():
                    return done
                try:
                    done += self._several([letter])
                except _Later:
                    return done
            done += self._several(plain)
        return done

    def _several(self, letters: Sequence[Letter]) -> int:
        """Letters in one transaction."""
        if letters:
            self._ledger.store.write(lambda: self._take_all(letters))
        return len(letters)

    def _take_all(self, letters: Sequence[Letter]) -> None:
        for letter in letters:
            self._take(letter)

    def _take(self, letter: Letter) -> None:
        if not self._inbox.claim(letter, self._now):
            return  # another process was quicker
        read, made = told(letter), ""
        try:
            if root := read.text("root"):  # a hook without a store knew no other folders
                read.body["project"] = self._inbox.project(root) or read.text("project")
            read.body.update(self._cleaned(read.body))
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - as below
            read = Told(letter, {"problem": _short(error)})
        for act in _ACTS.get(letter.event, ()) if len(read.body) > 1 else ():
            try:
                made = act(self, read) or made
            except (StoreError, _Later):
                raise
            except Exception as error:  # noqa: BLE001 - whoever opens the store takes letters in: none stands in the way
                read.body["problem"] = _short(error)
        self._inbox.read(letter._replace(made=made, body=json.dumps(read.body, ensure_ascii=False)))

    def _followed(self, read: Told) -> None:
        """The next prompt of a person is a reply to what came before."""
        if read.human:
            self.observe(read.letter, read.text("prompt"))

    def _stated(self, read: Told) -> None:
        if read.human:
            self._catcher.statement(read)

    def _ended(self, read: Told) -> None:
        self.observe(read.letter, "")
        if read.letter.session:
            self._at(read).commit(lambda: [decide.ended(read.context)])

    def _recalled(self, read: Told) -> str:
        """What a hook showed goes down as a recall, and so does a prompt that nothing answers. Of one that a hook was
        only unsure of nothing is kept, nor of one that tells something to be kept: that asks for nothing."""
        failed = read.letter.event == "PostToolUseFailure"
        if "certainty" not in read.body or (read.human and self._catcher.told(read)):
            return ""
        query = logged(f"{read.text('command')} {read.text('error')}" if failed else read.text("prompt"))
        hits = self._hits(read)
        if not query.strip() or (not hits and not substantive(query)):
            return ""
        asked = analyse(query, read.letter.time)
        found = Recall("", query, hits, asked.type, KEYWORD, _part(read.body["certainty"]), "", "", read.text("nonce"))
        took = read.body.get("took")
        missed = read.body.get("missed") is True and not failed and self._missed(query, read)
        if not hits and not missed:
            return ""
        ledger = self._at(read)
        recall = decide.recalled(found, SHOWN, took if isinstance(took, int) else 0, read.context, None, missed)
        (event,) = ledger.commit(lambda: [recall])
        ledger.commit(lambda: surfacings(ledger.store, hits, event.id, event.time, read.context))
        return event.id

    def _missed(self, query: str, read: Told) -> bool:
        if self._silent is None:
            raise _Later
        return self._silent(query, read.context, read.letter.time)

    def _hits(self, read: Told) -> tuple[Hit, ...]:
        """The memories that were shown, of those that are still there."""
        shown = [one for one in read.body.get("shown", ()) if isinstance(one, list) and len(one) == 2]
        scores = {str(id): _part(score) for id, score in shown}
        found = self._ledger.store.several([*scores])
        return tuple(
            Hit(memory, scores[id], Why({KEYWORD: Found(rank, scores[id])}, {KEYWORD: scores[id]}, {}))
            for rank, (id, memory) in enumerate(found.items(), 1)
        )

    def observe(self, letter: Letter, reply: str) -> None:
        """Let what came between a recall and this letter speak for what was shown: the answer, tools, the reply."""
        turn = [told(one) for one in self._inbox.turn(letter)]
        answer = "\n".join(one.text("answer") for one in turn if one.letter.event in ("Stop", "SubagentStop"))
        results = [_result(one) for one in turn if one.letter.event in ("PostToolUse", "PostToolUseFailure")]
        for recall in (one.letter.made for one in turn if one.letter.made and one.body.get("shown")):
            rewards, here = self._config.rewards, turn[0].context
            try:
                feedback.observe(self._ledger, recall, answer, results, reply, rewards, here)
                if outcome := _outcome(turn):
                    feedback.outcome(self._ledger, recall, outcome, rewards, here)
            except (InvalidInput, NotFound):  # it has been undone meanwhile: there is nothing to judge
                continue

    def _summed(self, read: Told) -> None:
        """What an agent wrote when it made room in its prompt: it may repeat what tools and pages said, so it is
        trusted no more than these."""
        text = read.text("summary")[:_LONGEST_SUMMARY].strip()
        if text:
            row = {"content": text, "type": "episodic", "origin": "tool:compaction", "at": read.letter.time / 1e6}
            if not read.context.project.strip() and read.context.session:
                row["scope"] = "session"
            self._catcher.remember([row], read.context)

    def _at(self, read: Told) -> Ledger:
        return self._ledger.at(min(read.letter.time, self._now))

    def _cleaned(self, body: dict[str, Any]) -> dict[str, str]:
        """Its texts without secrets: they are kept until the session is over, for what comes later."""
        texts = {name: body[name] for name in TEXTS if isinstance(body.get(name), str)}
        return {name: clean(text, sys.maxsize).text for name, text in texts.items()}


# What a letter leads to, in order; what one of these returns is the event that later letters speak of.
_ACTS: dict[str, tuple[Callable[[Receiver, Told], str | None], ...]] = {
    PROMPT: (Receiver._recalled, Receiver._followed, Receiver._stated),
    "PostToolUseFailure": (Receiver._recalled,),
    "PostCompact": (Receiver._summed,),
    "SessionEnd": (Receiver._ended,),
}


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:_LONGEST_PROBLEM]


def _part(number: object) -> float:
    return number / SCALE if isinstance(number, int) else 0.0


def _result(read: Told) -> ToolResult:
    failed = read.letter.event == "PostToolUseFailure"
    return ToolResult(read.text("error") or read.text("command"), failed)


def _outcome(turn: Sequence[Told]) -> str:
    """What came of a turn, where that is beyond doubt: a command failed, and the same one passed in the end."""
    failed, outcome = set[str](), ""
    for read in turn:
        command = " ".join(read.text("command").split())
        if command and read.letter.event == "PostToolUseFailure" and not read.body.get("interrupted"):
            failed.add(command)
            outcome = ""
        elif command in failed and read.letter.event == "PostToolUse":
            outcome = "success"
    return outcome
