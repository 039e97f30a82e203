"""Run simulated processes one at a time, in the order of a virtual clock."""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from random import Random

from tests.world import NOON, SECOND

# How long a call to the disk takes when it is slow, in microseconds, and how often that is so. A stalled disk holds
# locks for longer than others are willing to wait.
_DELAYS = (0, 0, 1_000, 20_000, 100_000, SECOND, 5 * SECOND, 40 * SECOND)
_OFTEN = (300, 200, 200, 120, 80, 40, 10, 3)
_GOES_ON = 0.6  # of slow calls during which nobody else runs, those at which nothing else happens either
MOST_CALLS = 150_000  # to the disk by one process: one that makes more turns in circles
LONGEST_WAIT = 600 * SECOND  # that a process waits for locks in all; the store has 60 s of patience with each
_LONGEST_NAP = 50_000  # microseconds: who waits for a lock looks at the clock so often, if nobody can release it sooner


class Killed(BaseException):
    """End a simulated process at once, as `kill -9` does."""


class Process:
    """One simulated process: its work, and when it goes on."""

    def __init__(self, number: int, name: str, work: Callable[[], object], patience: int) -> None:
        self.number = number
        self.name = name
        self.work = work
        self.patience = patience  # microseconds that it may wait for locks
        self.wake = 0  # the moment at which it goes on
        self.waited = 0  # microseconds in which it waited for locks
        self.calls = 0  # to the disk
        self.waits = False  # for a lock that another process holds
        self.dead = False
        self.spared = False  # from faults of the disk, for now
        self.done = False
        self.error: BaseException | None = None
        self.leave: list[Callable[[], None]] = []  # what its end closes
        self.turn = allocate_lock()


class Schedule:
    """The virtual clock, and the processes that share it. Only one of them runs at any time."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.time = NOON
        self.pace = 0.0  # the chance that a call to the disk is slow, so that others run meanwhile
        self.current: Process | None = None  # None: the driver, which no fault hits
        self.running: list[Process] = []
        self.stuck: list[str] = []  # processes that waited for ever
        self._count = 0
        self._driver = allocate_lock()
        self._driver.acquire()

    def start(self, name: str, work: Callable[[], object], patience: int = LONGEST_WAIT) -> Process:
        """Start a process. It does nothing until it is its turn."""
        self._count += 1
        process = Process(self._count, name, work, patience)
        process.wake = self.time
        process.turn.acquire()
        self.running.append(process)
        start_new_thread(self._live, (process,))
        return process

    def run(self) -> Process | None:
        """Let the process that is next run until it pauses. Return it if it has ended."""
        process = min(self.running, key=lambda one: (one.wake, one.number))
        self.time = max(self.time, process.wake)
        self.current = process
        process.turn.release()
        self._driver.acquire()
        self.current = None
        if not process.done:
            return None
        self.running.remove(process)
        return process

    def kill(self, process: Process) -> None:
        """Let a process end where it stands: its next call to the disk never comes back."""
        process.dead = True
        process.wake = self.time

    def touch(self) -> None:
        """Count a call to the disk, which may be slow: then others run before it."""
        process = self.current
        if process is None:
            return
        if process.dead:
            raise Killed
        process.calls += 1
        if process.calls > MOST_CALLS:
            self._give_up(process, f"made {MOST_CALLS:,} calls to the disk")
        if self.random.random() < self.pace:
            delay = self.random.choices(_DELAYS, _OFTEN)[0]
            if self._is_next(process, delay) and self.random.random() < _GOES_ON:
                self.time += delay
            else:
                self.pause(delay)

    def wait(self, microseconds: int) -> None:
        """Let a process sleep because another one holds a lock."""
        process = self.current
        if process is None:
            self.time += microseconds
            return
        nap = max(microseconds, min(self._soonest() - self.time, _LONGEST_NAP))
        process.waited += nap
        if process.waited > process.patience:
            self._give_up(process, f"waited {process.waited / SECOND:.1f} s for locks")
        process.waits = True
        if self._is_next(process, nap):
            self.time += nap
        else:
            self.pause(nap)
        process.waits = False

    def _soonest(self) -> int:
        """Return when a process goes on that waits for no lock: none is released before."""
        return min((one.wake for one in self.running if not one.waits and one is not self.current), default=self.time)

    def pause(self, microseconds: int) -> None:
        """Let others run, and go on after some time."""
        process = self.current
        if process is None:
            return
        process.wake = self.time + microseconds
        self._driver.release()
        process.turn.acquire()
        if process.dead:
            raise Killed

    def _is_next(self, process: Process, microseconds: int) -> bool:
        """Tell whether nobody else does anything before: then there is no need to change threads, which is slow."""
        wake = self.time + microseconds
        return all(other.wake > wake for other in self.running if other is not process)

    def now(self) -> int:
        """Return the virtual time, in microseconds since 1970. No two moments are the same."""
        self.time += 1
        return self.time

    def seconds(self) -> float:
        return self.time / SECOND

    def _give_up(self, process: Process, why: str) -> None:
        self.stuck.append(f"{process.name} {why}: it would wait for ever")
        process.dead = True
        raise Killed

    def _live(self, process: Process) -> None:
        process.turn.acquire()
        try:
            if not process.dead:
                process.work()
        except Killed:
            process.dead = True
        except BaseException as error:  # noqa: BLE001 - the edge of a process: whoever checks it tells what it was
            process.error = error
        self.current = None
        for leave in process.leave:
            leave()
        process.leave = []
        process.done = True
        self._driver.release()
