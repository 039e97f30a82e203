"""A transcript, read from where the last reading ended.

Between two readings only a place is kept: how far it came, how the file began, and what a later line may need. Whoever
reads in pieces finds the same signals as somebody who reads all at once, and takes the last of each id.
"""

from __future__ import annotations

import os
from hashlib import blake2b

from treering.core.tuples import NamedTuple
from treering.friction.calls import LONGEST_ID, call, digest, is_id
from treering.friction.loops import Tries
from treering.friction.signals import INTERRUPTED, REJECTED, Loop, Prompt, Stop
from treering.transcripts import stops
from treering.transcripts.failures import telling
from treering.transcripts.lines import blocks, line, lines, short, spoken, texts
from treering.transcripts.prompts import pushes, queued, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, BinaryIO

    from treering.friction.calls import Call
    from treering.transcripts.lines import Line

_BEGINNING = 1_024  # bytes of a file by which it is known again: its first lines have ids and times
_LENGTHS = frozenset(map(str, range(_BEGINNING + 1)))
_BLANK = b" \t\r\n"
_TYPES = ("user", "assistant", "attachment")  # of lines that may tell something


class Place(NamedTuple):
    """Where a reading ended, in JSON's own types."""

    offset: int = 0
    mark: str = ""  # of the file's beginning: how many bytes, and their digest
    carried: Mapping[str, Any] = {}


START = Place()


class Mined(NamedTuple):
    signals: list[Prompt | Loop | Stop]
    place: Place
    session: str
    lines: int
    skipped: int  # of the lines: those that were no JSON, or too long


def read(path: str, place: Place = START) -> Mined:
    """What stands in a transcript behind a place; from its beginning if the file is no longer the one of the place."""
    with open(path, "rb") as file:
        if not _fits(file, place):
            place = START
        try:
            reading = _Reading(place.carried)
        except (AttributeError, TypeError, ValueError):  # as somebody else wrote it: read all of it again
            place, reading = START, _Reading({})
        count = skipped = 0
        offset = place.offset
        for written, behind in lines(file, place.offset):
            offset = behind
            if written is not None and not written.strip(_BLANK):
                continue
            count += 1
            found = None if written is None else line(written)
            if found is None:
                skipped += 1
            else:
                reading.take(found)
        place = Place(offset, _mark(file, min(offset, _BEGINNING)), reading.carried())
    session = reading.session or os.path.splitext(os.path.basename(path))[0]
    return Mined([*reading.signals.values()], place, session, count, skipped)


def fits(path: str, place: Place) -> bool:
    """Whether a file is the one of a place."""
    with open(path, "rb") as file:
        return _fits(file, place)


def _fits(file: BinaryIO, place: Place) -> bool:
    length = place.mark.partition("-")[0]
    if not 0 <= place.offset <= os.fstat(file.fileno()).st_size or length not in _LENGTHS:
        return False
    return _mark(file, int(length)) == place.mark


def _mark(file: BinaryIO, length: int) -> str:
    file.seek(0)
    return f"{length}-{blake2b(file.read(length), digest_size=8).hexdigest()}"


class _Reading:
    """The signals so far, and what the lines to come need to know of those before."""

    def __init__(self, carried: Mapping[str, Any]) -> None:
        self.session = str(carried.get("session", ""))
        self.signals: dict[tuple[str, str], Prompt | Loop | Stop] = {}
        self._tries = Tries(carried)
        self._stopped = carried.get("stopped") is True  # and nothing was said or done since
        self._last = str(carried.get("last", ""))  # the tool that was answered last
        id, kind, tool, time = carried.get("stop") or ("", "", "", 0)
        self._stop = Stop(str(id), str(kind), str(tool), "", int(time)) if id else None  # without a reason so far

    def carried(self) -> dict[str, Any]:
        stop = [*self._stop[:3], self._stop.time] if self._stop else []
        told = {"session": self.session, "stopped": self._stopped, "last": self._last, "stop": stop}
        return told | self._tries.carried()

    def take(self, line: Line) -> None:
        if (session := line.text("sessionId")) and session != self.session:
            self.session = short(session, LONGEST_ID)
        type = line.text("type")
        if type not in _TYPES or line.says("isSidechain"):
            return
        if type == "attachment":
            if (prompt := queued(line)) and self._tries.is_new(line.id):
                self._asked(line, prompt)
            return
        message = line.value("message")
        if isinstance(message, dict):
            (self._acted if type == "assistant" else self._said)(line, message)

    def _acted(self, line: Line, message: dict[str, Any]) -> None:
        """The agent has spoken or called tools."""
        self._stopped, self._stop = False, None
        id = message.get("id")
        turn = digest(id if isinstance(id, str) and id else line.text("requestId") or line.id)
        for block in blocks(message.get("content")):
            if block.get("type") == "tool_use" and (made := call(block, turn)):
                self._tries.asked(made)

    def _said(self, line: Line, message: dict[str, Any]) -> None:
        """A person has spoken, or a tool has answered."""
        content = message.get("content")
        results = [block for block in blocks(content) if block.get("type") == "tool_result"]
        for block in results:
            self._answered(line, block)
        if results:
            return
        prompt = typed(line, content)
        interruptions = [] if line.says("isMeta") else [*filter(stops.is_interruption, texts(content))]
        if not (prompt or interruptions) or not self._tries.is_new(line.id):
            return
        for text in interruptions:
            waiting = self._tries.waiting()
            tool = waiting.tool if waiting else self._last
            self._interrupted(line.id, tool if stops.of_tool(text) else "", line.time)
        if prompt:
            self._tries.over()
            self._asked(line, prompt)

    def _asked(self, line: Line, prompt: str) -> None:
        if self._stop is not None:
            self._note(self._stop._replace(then=prompt[: stops.LONGEST_REASON]))
        self._stopped, self._stop = False, None
        self._note(Prompt(line.id, prompt, line.time))
        if not pushes(prompt):
            self._tries.ended()

    def _answered(self, line: Line, block: dict[str, Any]) -> None:
        id = block.get("tool_use_id")
        if not is_id(id) or not self._tries.is_new(id):
            return
        call = self._tries.answered(id)
        self._last = call.tool if call else ""
        if block.get("is_error") is True:
            self._failed(line, id, call, spoken(block.get("content")))
        elif call:
            self._tries.worked(call)

    def _failed(self, line: Line, id: str, call: Call | None, text: str) -> None:
        if stops.is_rejection(line, self._last, text):
            self._stopped = True
            self._halted(Stop(id, REJECTED, self._last, stops.reason(text), line.time))
            self._tries.ended()
        elif stops.is_interrupted(line, self._last, text):
            self._interrupted(id, self._last, line.time)
        elif stops.is_cancelled(line, text):
            pass
        elif stops.is_denial(line, text):
            self._tries.ended()
        elif call and (loop := self._tries.failed(call, telling(text), line.time)):
            self._note(loop)

    def _interrupted(self, id: str, tool: str, time: int) -> None:
        """The agent tells twice that a tool was interrupted, and once more that one was refused: that is one stop."""
        if not self._stopped:
            self._halted(Stop(id, INTERRUPTED, tool, "", time))
        self._stopped = True
        self._tries.ended()

    def _halted(self, stop: Stop) -> None:
        self._note(stop)
        self._stop = None if stop.reason else stop

    def _note(self, signal: Prompt | Loop | Stop) -> None:
        self.signals[type(signal).__name__, signal.id] = signal
