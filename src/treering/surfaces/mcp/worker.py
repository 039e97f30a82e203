"""Run every request in the one thread that has the store.

A connection to the store belongs to one thread at a time, and the SDK calls from any. Several
servers on one store are several processes, which the store keeps apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from treering.memory import Treering

    Job = Callable[[Treering], Any]

T = TypeVar("T")

IDLE = 60.0  # seconds without a call, after which there is time for what is due: a turn of an agent seldom takes longer
AGAIN = 600.0  # seconds until the next look, if still nobody calls: hooks may have left something
# Seconds that maintenance takes at the most, the first time and later. A call has to wait for it, and the longer
# nobody called, the less likely one comes. Evolution is begun only with more than 20 seconds left.
MAINTENANCE, LONG_MAINTENANCE = 10.0, 30.0
GRACE = 5.0  # seconds that a call may go on when the server ends; what is not written by then is not written at all


class Worker(Thread):
    """A thread that opens the memory, runs jobs in order, and does what is due when idle."""

    def __init__(
        self,
        opening: Callable[[], Treering],
        idle: float | None = IDLE,
        again: float = AGAIN,
        maintain: Callable[[Treering, float], object] = lambda memory, seconds: memory.maintenance.run(seconds=seconds),
    ) -> None:
        """With no `idle`, maintenance is for somebody else."""
        super().__init__(name="treering-store", daemon=True)
        self._opening = opening
        self._idle, self._again, self._maintain = idle, again, maintain
        self._jobs: SimpleQueue[tuple[Job, Future[Any]] | None] = SimpleQueue()
        self.opened: Future[None] = Future()

    def ask(self, job: Callable[[Treering], T]) -> Future[T]:
        """Run a job with the memory, after all earlier ones."""
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return done

    def stop(self) -> None:
        """Finish the current job and close the store, within a few seconds."""
        self._jobs.put(None)
        if self.is_alive():
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
        patience, seconds = self._idle, MAINTENANCE
        while True:
            try:
                waiting = self._jobs.get(timeout=patience)
            except Empty:
                self._look_after(memory, seconds)
                patience, seconds = self._again, LONG_MAINTENANCE
                continue
            if waiting is None:
                return
            _run(memory, *waiting)
            patience, seconds = self._idle, MAINTENANCE

    def _look_after(self, memory: Treering, seconds: float) -> None:
        try:
            self._maintain(memory, seconds)
        except Exception as error:  # noqa: BLE001  (nobody asked for it, so nobody is to be disturbed: the log has it)
            sys.stderr.write(f"maintenance: {type(error).__name__}: {error}\n")


def _run(memory: Treering, job: Job, done: Future[Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        memory.captured.receive()
        done.set_result(job(memory))
    except Exception as error:  # noqa: BLE001  (the edge of the thread: whoever asked gets it)
        done.set_exception(error)
