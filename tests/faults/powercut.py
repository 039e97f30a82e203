"""What a disk may hold after a power cut: all that was synced, and any part of what was not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from tests.faults.disk import Step

SECTOR = 512  # bytes that a disk writes as a whole

State = dict[str, bytes]


class File:
    """One file: what is safe, and what has been done to it since."""

    def __init__(self) -> None:
        self.safe = bytearray()
        self.pending: list[Step] = []

    def sync(self) -> None:
        for step in self.pending:
            apply(self.safe, step)
        self.pending = []

    def after_cut(self, random: Random) -> tuple[bytes, tuple[int, ...]]:
        """The bytes of the file, and which of the pieces of unsynced work they hold."""
        pieces = [piece for step in self.pending for piece in _pieces(step)]
        kept = _survivors(self.pending, len(pieces), random)
        found = bytearray(self.safe)
        for number in kept:
            apply(found, pieces[number])
        return bytes(found), tuple(kept)


def apply(bytes_: bytearray, step: Step) -> None:
    if step.kind == "truncate":
        del bytes_[step.offset :]
        return
    if len(bytes_) < step.offset:
        bytes_.extend(bytes(step.offset - len(bytes_)))
    bytes_[step.offset : step.offset + len(step.data)] = step.data


def _pieces(step: Step) -> Iterator[Step]:
    """A write as the sectors that it falls into: each reaches the disk or not, and never in part."""
    if step.kind != "write":
        yield step
        return
    start = 0
    while start < len(step.data):
        end = min(len(step.data), start + SECTOR - (step.offset + start) % SECTOR)
        yield step._replace(offset=step.offset + start, data=step.data[start:end])
        start = end


def _survivors(steps: Sequence[Step], count: int, random: Random) -> list[int]:
    """Which pieces made it: none, all, whole calls, any sectors, or all up to one that was torn."""
    how = random.randrange(6)
    if how == 0 or not count:
        return []
    if how == 1:
        return list(range(count))
    if how == 2:
        return list(range(random.randrange(count)))
    if how == 3:
        share = random.random()
        return [number for number in range(count) if random.random() < share]
    if how == 4:
        lost = random.randrange(count)
        return [number for number in range(count) if number != lost]
    return _whole_calls(steps, random)


def _whole_calls(steps: Sequence[Step], random: Random) -> list[int]:
    kept: list[int] = []
    number = 0
    for step in steps:
        size = sum(1 for _ in _pieces(step))
        if random.random() < 0.5:
            kept += range(number, number + size)
        number += size
    return kept


class Cut:
    """A disk that steps are played to, and that can lose power after any of them."""

    def __init__(self) -> None:
        self._files: dict[int, File] = {}
        self._safe_names: dict[str, int] = {}
        self._pending_names: list[Step] = []
        self._epoch = 0  # what is safe changes with each sync only
        self._seen: set[int] = set()
        self.acknowledged = b""

    def play(self, step: Step) -> None:
        if step.kind == "acknowledge":
            self.acknowledged = step.data
        elif step.kind == "sync folder":
            _rename(self._safe_names, self._pending_names)
            self._pending_names = []
            self._epoch += 1
        elif step.kind in ("create", "delete"):
            self._pending_names.append(step)
            if step.kind == "create":
                self._files[step.file] = File()
        elif step.kind == "sync":
            self._files[step.file].sync()
            self._epoch += 1
        else:
            self._files[step.file].pending.append(step)

    def states(self, count: int, random: Random) -> Iterator[State]:
        """Up to so many states of the disk, none of them seen before."""
        for _ in range(3 * count):  # where little is unsynced, there are few different states
            if not count:
                return
            state, mark = self._state(random)
            if mark not in self._seen:
                self._seen.add(mark)
                count -= 1
                yield state

    def _state(self, random: Random) -> tuple[State, int]:
        chosen = [number for number in range(len(self._pending_names)) if random.random() < 0.5]
        names = dict(self._safe_names)
        _rename(names, [self._pending_names[number] for number in chosen])
        state: State = {}
        marks: list[object] = [self._epoch, tuple(chosen), bool(self.acknowledged)]
        for name, file in sorted(names.items()):
            state[name], kept = self._files[file].after_cut(random)
            marks.append((len(self._files[file].pending) and kept, file))
        return state, hash((self.acknowledged, *marks))


def _rename(names: dict[str, int], steps: Sequence[Step]) -> None:
    for step in steps:
        if step.kind == "create":
            names[step.name] = step.file
        else:
            names.pop(step.name, None)
