"""One life of a machine, from a seed: steps, crashes, and the invariants after each of them."""

from __future__ import annotations

import gc
import os
import shutil
import traceback
from hashlib import sha256
from random import Random
from typing import NamedTuple

import treering
from tests.simulator.actions import Actions, Export
from tests.simulator.disk import Disk
from tests.simulator.invariants import Invariants
from tests.simulator.promises import Promises, words_in
from tests.simulator.schedule import Process, Schedule
from tests.simulator.surroundings import end, simulated
from tests.world import SECOND
from treering.ledger.errors import StoreBusy, TreeringError
from treering.ledger.transfer import export_file

STEPS = 100  # of a life: stores stay small, so that all of one is checked after each step
_AT_ONCE = 4  # processes at the most
_PACES = (0.0, 0.05, 0.1, 0.2, 0.3)  # how many calls to the disk are slow, so that processes overlap
_OVERLAP = 0.35  # of the moments at which somebody runs, those at which another process begins
_KILLS = 0.02  # of the moments at which somebody runs, those at which one process is killed
_CRASHES = 0.03  # of the steps, those before which all processes end, half of them by a power cut
_TROUBLE = 0.05  # of the steps, those in which the disk fails
_LOOKS = 64  # turns of others after which a store at which nobody could look is looked at again
_JUMPS = (60 * SECOND, 3_600 * SECOND, 7 * 3_600 * SECOND, 40 * 86_400 * SECOND)


class Failure(NamedTuple):
    """What is wrong after a step, and what happened until then."""

    seed: int
    step: int
    problems: tuple[str, ...]
    trace: tuple[str, ...]


class Lived(NamedTuple):
    """The figures of a life."""

    steps: int
    mark: str  # the same for the same life
    kills: int
    cuts: int
    faults: int
    purged: int
    acknowledged: int
    failure: Failure | None


class Life:
    """A machine with one store, a few sessions of agents, and bad luck."""

    def __init__(self, folder: str, seed: int, exports: list[Export]) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.home = os.path.join(folder, "home")
        self.schedule = Schedule(self.random)
        self.disk = Disk(self.home, self.schedule)
        self.promises = Promises(self.random)
        self.actions = Actions(self.home, folder, self.schedule, self.promises, exports)
        self.invariants = Invariants(self.home, self.promises)
        self.trace: list[str] = []
        self.problems: list[str] = []
        self.kills = self.cuts = self.steps = 0
        self.unchecked = 0  # turns since a step whose end nobody could look at
        self._hash = sha256()

    def live(self, steps: int = STEPS) -> Lived:
        """Take steps until one breaks an invariant, or all are taken."""
        self.schedule.pace = self.random.choice(_PACES)
        unlucky = self.random.random() < 0.6  # in the other lives nothing fails
        self.actions.learns = self.random.random() < 0.5
        with simulated(self.disk, self.seed, self.actions.learns):
            begun = 0
            while (begun < steps or self.schedule.running) and not self.problems:
                if begun < steps and self._has_room():
                    begun += 1
                    self._begin(unlucky)
                self._run(unlucky)
            self._end_all()
            if not self.problems:
                self._check(whole=True)
        failure = Failure(self.seed, self.steps, tuple(self.problems), tuple(self.trace)) if self.problems else None
        return Lived(
            self.steps, self._hash.hexdigest()[:16], self.kills, self.cuts, self.disk.faults.hits,
            len(self.promises.purged), len(self.promises.acknowledged), failure,
        )  # fmt: skip

    def _has_room(self) -> bool:
        busy = len(self.schedule.running)
        return not busy or (busy < _AT_ONCE and self.random.random() < _OVERLAP)

    def _begin(self, unlucky: bool) -> None:
        """Start the next action, or let something happen to the machine before it."""
        if self.random.random() < 0.05:
            self.schedule.time += self.random.choice(_JUMPS)
            self.disk.settle()
        if unlucky and self.random.random() < _CRASHES:
            self._crash()
        if unlucky and self.random.random() < _TROUBLE:
            self.disk.faults.begin()
        action = self.actions.choose()
        process = self.schedule.start(action.name, action.work, action.patience)
        self._note(f"{process.number} begins: {action.name}")

    def _run(self, unlucky: bool) -> None:
        process = self.schedule.run()
        if process is not None:
            self._ended(process)
        self.unchecked += self.unchecked > 0
        if process is not None or self.unchecked > _LOOKS:
            self._check()
        elif unlucky and self.random.random() < _KILLS:
            victim = self.random.choice(self.schedule.running)
            self.kills += 1
            self._note(f"{victim.number} is killed: {victim.name}")
            self.schedule.kill(victim)

    def _ended(self, process: Process) -> None:
        end(process)
        self.steps += 1
        self.disk.faults.left = min(self.disk.faults.left, 20) if self.schedule.running else 0
        error, process.error = process.error, None
        if error is not None and not isinstance(error, TreeringError):
            told = "".join(traceback.format_exception(error))
            self.problems.append(f"{process.name} ended with {type(error).__name__}: {error}\n{told}")
        how = "killed" if process.dead else f"{type(error).__name__}: {error}" if error is not None else "done"
        self._note(f"{process.number} ends: {process.name}, {how}".replace(self.home, "HOME"))

    def _check(self, whole: bool = False) -> None:
        """Check the invariants. While somebody recovers the log or closes it, nobody can look: then after that."""
        alone = not self.schedule.running
        try:
            self.problems += self.invariants.broken(self.actions.shown, self.actions.purges, whole)
            self.actions.shown = []
            self.unchecked = 0
        except StoreBusy:
            self.unchecked = 1
            if alone:
                self.problems.append("the store is locked, and no process is there")
        self.problems += self.schedule.stuck

    def _crash(self) -> None:
        """End all processes at once; with the power, what the disk had not synced may be gone."""
        self._end_all()
        if self.random.random() < 0.5:
            self.cuts += 1
            self._note("power cut")
            self.disk.cut()
        self.disk.faults.left = 0
        process = self.schedule.start("recover", lambda: treering.open(self.home).close())
        pace, self.schedule.pace = self.schedule.pace, 0.0
        while self.schedule.run() is not process:
            pass
        self.schedule.pace = pace
        self._ended(process)
        if process.dead or process.error:
            self.problems.append("the store cannot be opened after a crash")
        self._check(whole=True)

    def _end_all(self) -> None:
        for process in self.schedule.running:
            self.schedule.kill(process)
        while self.schedule.running:
            if (ended := self.schedule.run()) is not None:
                end(ended)
                self._note(f"{ended.number} ends: {ended.name}, crashed")

    def _note(self, text: str) -> None:
        line = f"{self.schedule.time / SECOND:.3f} {text}"
        self.trace.append(line)
        self._hash.update(line.encode())


def make_exports(folder: str) -> list[Export]:
    """Make the files that other machines wrote, and of which every life may import some."""
    exports = []
    for number, mine in enumerate((False, True)):
        promises = Promises(Random(f"export {number}"))
        path = os.path.join(folder, f"other{number}.jsonl")
        with treering.open(os.path.join(folder, f"other{number}"), project="mill", actor="user") as memory:
            texts = [f"The press {promises.word()} takes {count} sheets" for count in range(3)]
            memory.remember_many({"content": text} for text in texts)
            export_file(memory.store, path)
        exports.append(Export(path, frozenset(words_in(" ".join(texts))), mine))
    return exports


def simulate(folder: str, seed: int, exports: list[Export], steps: int = STEPS) -> Lived:
    """Live one life in a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    lived = Life(folder, seed, exports).live(steps)
    gc.collect()
    return lived
