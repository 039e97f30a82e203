"""Three machines that share a folder, in a random order of everything that can happen to them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

from tests.world import Clock, fresh
from treering.ledger.events import Event
from treering.ledger.ledger import Ledger
from treering.ledger.sync.exchange import Past, Shared, exchange, purges
from treering.ledger.sync.keys import Key
from treering.ledger.transfer import export
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery

KEY = Key(bytes(range(32)))
DAY = 86_400_000_000
_STEPS = 40
_HALF = 0.05  # of the files have not arrived whole when they are read


class Crash(Exception):
    """The machine lost its power."""


class Shelf:
    """A place in memory that crashes when it is told to, and hands out half of a file while it is copied."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.files: dict[str, bytes] = {}
        self.ever: dict[str, bytes] = {}  # all files that there have been
        self.before: list[dict[str, bytes]] = [{}]  # as it was after each sync
        self.left = -1  # changes until the crash; never if below zero
        self.copying = True  # a cloud's program is at work

    @contextmanager
    def changing(self) -> Iterator[None]:
        yield

    def names(self) -> list[str]:
        return [*self.files]

    def read(self, name: str) -> bytes:
        if name not in self.files:
            raise FileNotFoundError(name)
        data = self.files[name]
        return data[: self.random.randrange(len(data))] if self.copying and self.random.random() < _HALF else data

    def write(self, name: str, data: bytes) -> None:
        self._step()
        self.files[name] = self.ever[name] = data

    def delete(self, name: str) -> None:
        self._step()
        self.files.pop(name, None)

    def _step(self) -> None:
        if self.left == 0:
            raise Crash
        self.left -= 1


class Machine:
    def __init__(self, number: int, random: Random) -> None:
        self.clock = Clock(1_767_268_800_000_000 + random.choice((-DAY, 0, DAY)))  # clocks disagree by a day
        self.memory = fresh(self.clock, seed=number)
        self.past = Past()
        self.backups: list[list[Event]] = [[]]

    def sync(self, shelf: Shelf) -> None:
        done = exchange(self.memory.ledger, Shared(shelf, "folder", KEY), self.past)
        self.past = Past(purges(self.memory.ledger), done.segments)
        self.backups.append([*self.memory.store.events()])
        shelf.before.append({**shelf.files})


def exported(memory: Treering) -> bytes:
    out = io.BytesIO()
    export(memory.store, out)
    return out.getvalue()


class Interleaving:
    """One random history. `run` raises AssertionError if the machines do not end equal, or anything is lost."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.clones = 1  # that are left to be made; clones of clones within clones may be told twice
        self.seed = seed
        self.shelf = Shelf(self.random)
        self.machines = [Machine(3 * seed + number, self.random) for number in range(3)]
        self.said: set[str] = set()
        self.erased: set[str] = set()

    def run(self) -> None:
        steps = (self.say, self.say, self.say, self.forget, self.purge, self.undo, self.sync, self.sync, self.crash)
        for _ in range(_STEPS):
            rare = self.random.choice((self.clone, self.restore, self.replay, self.roll_back))
            self.random.choice((*steps, rare))(self.random.choice(self.machines))
        self.settle()
        self.check()

    def settle(self) -> None:
        """Sync all machines until each has what the others had."""
        for _ in range(4):
            for machine in self.machines:
                self.carry(machine)

    def carry(self, machine: Machine) -> None:
        """Sync a machine when all files have arrived: the folder has all of it then."""
        self.shelf.copying = False
        machine.sync(self.shelf)
        self.shelf.copying = True

    def say(self, machine: Machine) -> None:
        text = f"fact {len(self.said)} of {self.seed}"
        machine.memory.remember(text)
        self.said.add(text)

    def forget(self, machine: Machine) -> None:
        for memory in self._some(machine):
            machine.memory.forget(memory)

    def purge(self, machine: Machine) -> None:
        for memory in self._some(machine):
            self.erased.add(machine.memory.get(memory).content)
            machine.memory.purge(memory)

    def undo(self, machine: Machine) -> None:
        for memory in self._some(machine):
            machine.memory.undo(memory)

    def sync(self, machine: Machine) -> None:
        machine.sync(self.shelf)

    def crash(self, machine: Machine) -> None:
        self.shelf.left = self.random.randrange(4)
        with suppress(Crash):
            machine.sync(self.shelf)
        self.shelf.left = -1

    def clone(self, machine: Machine) -> None:
        """Make another machine a copy of one, its name included: they fork with the next word."""
        self.carry(machine)
        other = self.random.choice(self.machines)
        if other is not machine and self.clones:
            self.clones -= 1
            self.carry(other)
            self._fill(other, [*machine.memory.store.events()], machine.memory.store.writer)
            other.past = machine.past

    def restore(self, machine: Machine) -> None:
        """Put a machine back to an earlier state of it: it writes under another name from now on."""
        self.carry(machine)
        self._fill(machine, self.random.choice(machine.backups))

    def replay(self, machine: Machine) -> None:
        """Put files back that were there before: a cloud's program does it, or somebody who means harm."""
        names = sorted(self.shelf.ever)
        for name in self.random.sample(names, min(3, len(names))):
            self.shelf.files.setdefault(name, self.shelf.ever[name])

    def roll_back(self, machine: Machine) -> None:
        """Put the whole folder back to an earlier state of it, when every machine has what it had."""
        self.settle()
        self.shelf.files = {**self.random.choice(self.shelf.before)}

    def _fill(self, target: Machine, events: list[Event], writer: str = "") -> None:
        target.memory = fresh(target.clock, seed=self.random.randrange(10**6, 10**9))
        target.memory.ledger.take_in(events)
        if writer:
            store = target.memory.ledger.store
            store.write(lambda: store.adopt(writer))

    def _some(self, machine: Machine) -> list[str]:
        found = sorted(memory.id for memory in machine.memory.list())
        return self.random.sample(found, 1) if found else []

    def check(self) -> None:
        first, *others = self.machines
        for machine in others:
            assert exported(machine.memory) == exported(first.memory), "the ledgers differ"
        told = [data["content"] for data in _remembered(first.memory.ledger)]
        lost = self.said - self.erased - {*told}
        assert not lost, f"lost: {sorted(lost)[:3]}"
        assert len(told) == len({*told}), "something is there twice"
        assert verify(first.memory.ledger.store).clean
        kept = _plain(self.shelf)
        left = [text for text in self.erased - {*told} if f'"{text}"'.encode() in kept]
        assert not left, f"purged and still in the folder: {left[:3]}"


def _remembered(ledger: Ledger) -> Iterator[dict[str, str]]:
    from treering.ledger.codec import data_of
    from treering.ledger.events import REMEMBERED

    for event in ledger.store.events(EventQuery(kinds=(REMEMBERED,))):
        if event.payload is not None:
            yield data_of(event)[1]


def _plain(shelf: Shelf) -> bytes:
    from treering.ledger.codec import to_line
    from treering.ledger.sync.segments import parse_name, unpack

    found = [(parse_name(name), data) for name, data in shelf.files.items()]
    return b"\n".join(
        to_line(event) for segment, data in found if segment for event in unpack(segment, data, "folder", KEY)
    )
