"""Calls that fail again and again.

Looking around does not end a run of failures, and neither does something else that fails; what works, is refused or is
guided by a person does. What has to be known for it stays small, however long a transcript is: the calls that wait for
their result, the runs that may go on, and the last results, because an agent that resumes a session writes lines again.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import blake2b

import msgspec

from treering.core.tuples import NamedTuple
from treering.friction.calls import Call, alike, looks
from treering.friction.signals import Loop
from treering.transcripts.failures import tells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

FEWEST = 3  # failures in a row: two are a try and a second look
# What a place to read on from may hold, 4 KB in all.
MOST_WAITING = 1_200  # bytes of calls without a result: about eight
MOST_RUNS = 3  # the last ones
MOST_SEEN = 64  # results and prompts known again when they are written twice
_SIGN = 6  # characters for one that was seen


class Run(NamedTuple):
    """Failures in a row at about the same."""

    first: str  # the id of the call that failed first
    call: Call  # the last one
    count: int  # type: ignore[assignment]  # hides that of tuples, which nobody needs here
    time: int  # of the first failure
    error: str  # a sign of the last one; nothing if it tells nothing

    def told(self, error: str) -> Loop:
        return Loop(self.first, self.call.tool, self.call.what, error, self.count, self.time)


class Tries:
    """The calls of a session, as far as they matter for what comes next."""

    def __init__(self, carried: Mapping[str, Any]) -> None:
        self._waiting = {call.id: call for call in (_call(one) for one in carried.get("waiting", ()))}
        self._runs = [
            Run(str(first), _call(call), int(count), int(time), str(error))
            for first, call, count, time, error in carried.get("runs", ())
        ]
        self._seen = dict.fromkeys(str(sign) for sign in carried.get("seen", ()))
        self._size = sum(_size(call) for call in self._waiting.values())

    def carried(self) -> dict[str, Any]:
        return {
            "waiting": [[*call] for call in self._waiting.values()],
            "runs": [[run.first, [*run.call], *run[2:]] for run in self._runs],
            "seen": [*self._seen],
        }

    def asked(self, call: Call) -> None:
        """A tool is called."""
        if _sign(call.id) in self._seen or call.id in self._waiting:
            return
        self._waiting[call.id] = call
        self._size += _size(call)
        while self._size > MOST_WAITING:
            self._forget(next(iter(self._waiting)))

    def waiting(self) -> Call | None:
        """The last call that has no result."""
        return next(reversed(self._waiting.values()), None)

    def answered(self, id: str) -> Call | None:
        """The call that a result is for, if it is known."""
        return self._forget(id)

    def is_new(self, id: str) -> bool:
        """Whether something is met for the first time, as far back as is known."""
        sign = _sign(id)
        if sign in self._seen:
            return False
        self._seen[sign] = None
        if len(self._seen) > MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        return True

    def worked(self, call: Call) -> None:
        """A call has succeeded, which ends all before it; one that only looked ends no more than looks at the same."""
        looked = looks(call)
        self._runs = [run for run in self._runs if looked and not (looks(run.call) and alike(run.call, call))]

    def failed(self, call: Call, error: str, time: int) -> Loop | None:
        """A call has failed; the loop that this makes, if it does. Calls that fail at once are one try. Those of one
        tool that fail with the same words try the same, whatever it is called with."""
        if any(run.call.turn == call.turn and run.call.tool == call.tool for run in self._runs):
            return None
        said = _sign(error) if tells(error) else ""
        for at, run in enumerate(self._runs):
            if alike(run.call, call) or (said and said == run.error and run.call.tool == call.tool):
                self._runs[at] = grown = run._replace(call=call, count=run.count + 1, error=said)
                return grown.told(error) if grown.count >= FEWEST else None
        self._runs = [*self._runs, Run(call.id, call, 1, time, said)][-MOST_RUNS:]
        return None

    def ended(self) -> None:
        """A person has stepped in."""
        self._runs = []

    def over(self) -> None:
        """A turn is over: what has no result gets none."""
        self._waiting.clear()
        self._size = 0

    def _forget(self, id: str) -> Call | None:
        call = self._waiting.pop(id, None)
        if call is not None:
            self._size -= _size(call)
        return call


def _call(told: Iterable[object]) -> Call:
    return Call(*map(str, told))


def _size(call: Call) -> int:
    return len(msgspec.json.encode([*call])) + 1


def _sign(id: str) -> str:
    return urlsafe_b64encode(blake2b(id.encode("utf-8", "replace"), digest_size=6).digest())[:_SIGN].decode()
