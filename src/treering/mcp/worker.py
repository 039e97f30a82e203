"""The one thread that touches the store: it opens it, runs what is asked one after the other, and tends it when idle.

A connection to the store belongs to one thread at a time, and the SDK calls from wherever it likes. Several servers on
one store are several processes: the store itself keeps them apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from treering.api import Treering

T = TypeVar("T")

IDLE = 60.0  # seconds without a call, after which there is time for what is due: a turn of an agent seldom takes longer
AGAIN = 600.0  # seconds until the next look, if still nobody calls: hooks may have left something
# Seconds that tending takes at the most, the first time and later. A call that comes meanwhile has to wait for it, and
# the longer nobody called, the less likely that is. Evolution is begun only with more than 20 seconds left.
TENDING, LONG_TENDING = 10.0, 30.0
GRACE = 5.0  # seconds that a call may go on when the server ends; what is not written by then is not written at all

Job = Callable[[Treering], Any]


class Worker(Thread):
    """Give it what opens the memory; `ask` it from any thread."""

    def __init__(self, opening: Callable[[], Treering], idle: float = IDLE, again: float = AGAIN) -> None:
        super().__init__(name="treering-store", daemon=True)
        self._opening = opening
        self._idle, self._again = idle, again
        self._jobs: SimpleQueue[tuple[Job, Future[Any]] | None] = SimpleQueue()
        self.opened: Future[None] = Future()

    def ask(self, job: Callable[[Treering], T]) -> Future[T]:
        """Have something done with the memory, after all that was asked before."""
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return done

    def stop(self) -> None:
        """Let it finish what it is at, and close the store. What takes too long is left behind."""
        self._jobs.put(None)
        self.join(GRACE)

    def run(self) -> None:
        try:
            memory = self._opening()
        except Exception as error:  # noqa: BLE001  (whoever waits for it has to know)
            self.opened.set_exception(error)
            return
        self.opened.set_result(None)
        with memory:
            self._work(memory)

    def _work(self, memory: Treering) -> None:
        patience, tending = self._idle, TENDING
        while True:
            try:
                waiting = self._jobs.get(timeout=patience)
            except Empty:
                _tend(memory, tending)
                patience, tending = self._again, LONG_TENDING
                continue
            if waiting is None:
                return
            _run(memory, *waiting)
            patience, tending = self._idle, TENDING


def _run(memory: Treering, job: Job, done: Future[Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        memory.receive()
        done.set_result(job(memory))
    except Exception as error:  # noqa: BLE001  (the edge of the thread: whoever asked gets it)
        done.set_exception(error)


def _tend(memory: Treering, seconds: float) -> None:
    try:
        memory.tend(seconds=seconds)
    except Exception as error:  # noqa: BLE001  (nobody asked for it, so nobody is to be disturbed: the log has it)
        sys.stderr.write(f"tending: {type(error).__name__}: {error}\n")
