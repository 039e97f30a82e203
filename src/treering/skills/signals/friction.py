"""Read a transcript from where the last reading ended.

Between two readings only a place is kept: how far it came, how the file began, and what a later
line may need. Reading in pieces finds the same signals as reading all at once; of each id the last
one holds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, BinaryIO, NamedTuple

from treering.skills.signals.loops import (
    INTERRUPTED,
    LONGEST_ID,
    REJECTED,
    Call,
    Loop,
    Prompt,
    Stop,
    Tries,
    call,
    digest,
    is_id,
    runs,
)
from treering.text.transcripts import lines as person
from treering.text.transcripts.lines import (
    Line,
    blocks,
    line,
    lines,
    message_text,
    pushes,
    queued,
    short,
    telling,
    texts,
    typed,
)

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
    """Return the signals behind a place in a transcript, or all if the file has changed."""
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
    """Tell whether a file is the one of a place."""
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
    """The signals so far, and the state that later lines need."""

    def __init__(self, carried: Mapping[str, Any]) -> None:
        self.session = str(carried.get("session", ""))
        self.signals: dict[tuple[str, str], Prompt | Loop | Stop] = {}
        self._tries = Tries(carried)
        self._prompt: Prompt | None = None  # that is worked on, if it was read now
        self._stopped = carried.get("stopped") is True  # and nothing was said or done since
        self._last = str(carried.get("last", ""))  # the tool that was answered last
        id, kind, tool, time = carried.get("stop") or ("", "", "", 0)
        self._stop = Stop(str(id), str(kind), str(tool), "", int(time)) if id else None  # without a reason so far

    def carried(self) -> dict[str, Any]:
        stop = [*self._stop[:3], self._stop.time] if self._stop else []
        state = {"session": self.session, "stopped": self._stopped, "last": self._last, "stop": stop}
        return state | self._tries.carried()

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
        """Take what the agent said or called."""
        self._stopped, self._stop = False, None
        id = message.get("id")
        turn = digest(id if isinstance(id, str) and id else line.text("requestId") or line.id)
        for block in blocks(message.get("content")):
            if block.get("type") == "tool_use" and (made := call(block, turn)):
                self._tries.asked(made)

    def _said(self, line: Line, message: dict[str, Any]) -> None:
        """Take what a person said or a tool answered."""
        content = message.get("content")
        results = [block for block in blocks(content) if block.get("type") == "tool_result"]
        for block in results:
            self._answered(line, block)
        if results:
            return
        prompt = typed(line, content)
        interruptions = [] if line.says("isMeta") else [*filter(person.is_interruption, texts(content))]
        if not (prompt or interruptions) or not self._tries.is_new(line.id):
            return
        for text in interruptions:
            waiting = self._tries.waiting()
            tool = waiting.tool if waiting else self._last
            self._interrupted(line.id, tool if person.of_tool(text) else "", line.time)
        if prompt:
            self._tries.over()
            self._asked(line, prompt)

    def _asked(self, line: Line, prompt: str) -> None:
        if self._stop is not None:
            self._note(self._stop._replace(then=prompt[: person.LONGEST_REASON]))
        self._stopped, self._stop = False, None
        self._asking(Prompt(line.id, prompt, line.time))
        if not pushes(prompt):
            self._tries.ended()

    def _answered(self, line: Line, block: dict[str, Any]) -> None:
        id = block.get("tool_use_id")
        if not is_id(id) or not self._tries.is_new(id):
            return
        call = self._tries.answered(id)
        self._last = call.tool if call else ""
        if block.get("is_error") is True:
            self._failed(line, id, call, message_text(block.get("content")))
        elif call:
            self._worked(call)

    def _worked(self, call: Call) -> None:
        for first in self._tries.worked(call):
            if isinstance(loop := self.signals.get((Loop.__name__, first)), Loop):
                self._note(loop._replace(worked=call.what))
        if runs(call) and self._prompt is not None:
            self._asking(self._prompt._replace(ran=(*self._prompt.ran, call.what)))

    def _asking(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self._note(prompt)

    def _failed(self, line: Line, id: str, call: Call | None, text: str) -> None:
        if person.is_rejection(line, self._last, text):
            self._stopped = True
            self._halted(Stop(id, REJECTED, self._last, person.reason(text), line.time))
            self._tries.ended()
        elif person.is_interrupted(line, self._last, text):
            self._interrupted(id, self._last, line.time)
        elif person.is_cancelled(line, text):
            pass
        elif person.is_denial(line, text):
            self._tries.ended()
        elif call:
            if runs(call) and self._prompt is not None:
                self._asking(self._prompt._replace(failed=(*self._prompt.failed, call.what)))
            if loop := self._tries.failed(call, telling(text), line.time):
                self._note(loop)

    def _interrupted(self, id: str, tool: str, time: int) -> None:
        """Count one stop: the agent writes an interruption twice, and a refusal once more."""
        if not self._stopped:
            self._halted(Stop(id, INTERRUPTED, tool, "", time))
        self._stopped = True
        self._tries.ended()

    def _halted(self, stop: Stop) -> None:
        self._note(stop)
        self._stop = None if stop.reason else stop

    def _note(self, signal: Prompt | Loop | Stop) -> None:
        self.signals[type(signal).__name__, signal.id] = signal
