"""kill -9 at random points of every kind of operation: what was acknowledged is there, and all agrees."""

from __future__ import annotations

import json
import os
import select
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import treering
from tests.faults.harness import (
    SLOWEST,
    Export,
    Finding,
    Heads,
    contents,
    examine,
    files_of,
    fork,
    heads_of,
    kill,
    make_export,
    written,
)
from tests.faults.operations import KINDS, Operation, Planner, after

KILLS = 40
KILLS_LONG = 10_000
KILLS_OF_A_STORE = 25  # then a fresh one, so that checking it stays quick
EXPORTS = 24  # files of another machine that are there to be imported
STARTING = 0.15  # of the kills hit the start of the process and the opening of the store
OPENING = 0.012  # seconds that starting and opening take, roughly: where those kills are spread


def test_no_acknowledged_event_is_lost_when_the_process_is_killed(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """After each of 40 kills every acknowledged event is there, and the store verifies."""
    _Killer(tmp_path, tell).kill_many(KILLS)


@pytest.mark.long
def test_no_acknowledged_event_is_lost_in_ten_thousand_kills(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """After each of 10,000 kills every acknowledged event is there, and the store verifies."""
    _Killer(tmp_path, tell).kill_many(int(os.environ.get("KILLS", KILLS_LONG)), int(os.environ.get("FIRST", 0)))


def _work(home: str, kind: str, seed: int, exports: Sequence[Export], out: int) -> None:
    """The process that is killed: it says what it is about to do, does it, and acknowledges it."""
    random = Random(seed)
    planner = Planner(treering.open(home, actor="user"), random, exports)
    kinds = [random.choice(KINDS) for _ in range(random.randrange(4))] + [kind]
    while True:
        wanted = kinds.pop(0) if kinds else random.choice(KINDS)
        for operation in planner.plan(wanted):
            _say(out, begun=operation.kind, becomes=operation.becomes, new=operation.new, events=operation.events)
            operation.run()
            heads = {writer: (seq, chain.hex()) for writer, (seq, chain) in heads_of(planner.memory).items()}
            _say(out, done=operation.kind, heads=heads, contents=contents(planner.memory))


def _say(out: int, **message: Any) -> None:
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(out, line) :]


MORE = 20  # kills for a kind that none has hit


class _Killer:
    """Starts workers one after another, kills each at a random moment, and looks at what is left."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self.folder = folder
        self.tell = tell
        self.exports = self._make_exports()
        self.usual = dict.fromkeys(KINDS, 0.003)  # seconds that an operation takes, learned on the way
        self.hit: Counter[str] = Counter()
        self.acknowledged = self.lost = 0

    def _make_exports(self) -> list[Export]:
        texts = [[f"import {number} line {line}" for line in range(8)] for number in range(EXPORTS)]
        return [make_export(str(self.folder), f"other{n}", lines) for n, lines in enumerate(texts)]

    def kill_many(self, kills: int, first: int = 0) -> None:
        began = time.monotonic()
        store: _Store | None = None
        for number in range(first, first + kills):
            if (number - first) % KILLS_OF_A_STORE == 0:
                store = _Store(self.folder / f"home{number}")
            assert store is not None
            self._kill_once(store, number)
        assert store is not None
        # A quick operation may be over before the blow every time: those get more of them.
        for number in range(first + kills, first + kills + MORE * len(KINDS)):
            if not self.hit[KINDS[number % len(KINDS)]]:
                self._kill_once(store, number)
        rate = kills / (time.monotonic() - began)
        spread = ", ".join(f"{kind} {self.hit[kind]}" for kind in ("start", *KINDS, "between"))
        self.tell(
            f"crash: {kills:,} kills ({spread}), {self.acknowledged:,} events acknowledged, "
            f"{self.lost} lost, {rate:.1f} kills/s"
        )
        assert all(self.hit[kind] for kind in KINDS)

    def _kill_once(self, store: _Store, number: int) -> None:
        random = Random(number)
        kind = KINDS[number % len(KINDS)]
        wanted = "" if random.random() < STARTING else kind
        read, write = os.pipe()
        home, seed = str(store.home), random.getrandbits(32)
        pid = fork(lambda: _work(home, kind, seed, self.exports, write))
        os.close(write)
        try:
            heard = self._listen(read, wanted, random)
        finally:
            kill(pid)
        rest = b""
        while part := os.read(read, 65_536):
            rest += part
        os.close(read)
        before = written(store.heads)
        in_flight = store.hear((heard + rest).split(b"\n")[:-1])
        self.acknowledged += written(store.heads) - before
        self.hit[in_flight.kind if in_flight else "between" if store.heard else "start"] += 1
        problems = store.check(in_flight)
        self.lost += sum("is lost" in problem for problem in problems)
        assert not problems, f"kill {number} in {in_flight}: {problems}"

    def _listen(self, read: int, wanted: str, random: Random) -> bytes:
        """Wait for the moment to kill: somewhere in the start, or in the operation that is wanted."""
        if not wanted:
            time.sleep(random.uniform(0, OPENING))
            return b""
        heard, began = b"", 0.0
        while True:
            assert select.select([read], [], [], SLOWEST)[0], "the worker hangs"
            part = os.read(read, 65_536)
            assert part, "the worker failed"
            heard += part
            last = json.loads(heard.split(b"\n")[-2]) if b"\n" in heard else {}
            if last.get("begun") == wanted:
                began = time.monotonic()
                moment = random.uniform(0, 1.1 * self.usual[wanted])
                if select.select([read], [], [], moment)[0]:  # done sooner: learn, and kill it in the next
                    self._learn(wanted, time.monotonic() - began)
                else:
                    self._learn(wanted, max(self.usual[wanted], moment))
                return heard

    def _learn(self, kind: str, seconds: float) -> None:
        self.usual[kind] = 0.8 * self.usual[kind] + 0.2 * seconds


class _Store:
    """What the parent knows about a store from acknowledgements alone."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.heads: Heads = {}
        self.contents: dict[str, str] = {}
        self.heard = False
        self.erased: set[str] = set()

    def hear(self, lines: list[bytes]) -> Operation | None:
        """Take in what the worker said. What it had begun and not acknowledged comes back."""
        begun: Operation | None = None
        self.heard = bool(lines)
        for line in lines:
            message = json.loads(line)
            if "begun" in message:
                becomes, new = message["becomes"], tuple(message["new"])
                begun = Operation(message["begun"], lambda: None, becomes, new, message["events"])
                continue
            if message["done"] == "purge" and begun is not None:
                self.erased.update(text for id in begun.becomes if (text := self.contents.get(id)))
            self.contents = message["contents"]
            heads = message["heads"].items()
            self.heads = {writer: (seq, bytes.fromhex(chain)) for writer, (seq, chain) in heads}
            begun = None
        return begun

    def check(self, in_flight: Operation | None) -> list[str]:
        """Open what the kill left, as the next process would."""
        with treering.open(self.home) as memory:
            finding = examine(memory, self.heads)
        problems = [*finding.problems, *self._unexpected(finding, in_flight), *self._half(finding, in_flight)]
        stored = b"".join(files_of(str(self.home)).values())
        gone = self.erased - {*finding.contents.values()}  # a group may be summed up again in the same words
        problems += [f"purged, and still on the disk: {text}" for text in gone if text.encode() in stored]
        self.heads, self.contents = finding.heads, finding.contents
        if problems:
            shutil.copytree(self.home, f"{self.home}.failed")
        return problems

    def _unexpected(self, finding: Finding, in_flight: Operation | None) -> list[str]:
        """The operation in flight has happened or it has not; there is nothing between."""
        known = {id: text for id, text in finding.contents.items() if id in self.contents}
        new = sorted(text for id, text in finding.contents.items() if id not in self.contents)
        outcomes: list[tuple[dict[str, str], list[str]]] = [(self.contents, [])]
        if in_flight is not None:
            back = [text for id, text in in_flight.becomes.items() if id not in self.contents and text]
            outcomes.append((after(self.contents, in_flight), sorted([*in_flight.new, *back])))
        if (known, new) in outcomes:
            return []
        return [f"{len(known)} known and {len(new)} new memories are not what any moment could have shown"]

    def _half(self, finding: Finding, in_flight: Operation | None) -> list[str]:
        """All events of an operation are there, or none of them."""
        if in_flight is None or not in_flight.events or finding.problems:
            return []
        found = written(finding.heads) - written(self.heads)
        whole = found in (0, in_flight.events)
        return [] if whole else [f"{found} of the {in_flight.events} events of {in_flight.kind}"]
