"""Many spaces on several servers under an uneven load: how long writes and recalls take, and that none sees another.

First each space gets a memory. Then each process takes spaces by Zipf's law, so that a few have most of the load,
keeps the last few open as a server does, and recalls nine times for each memory that it writes. A map of spaces tells
where each lies, as `[stores]` does. At the end each space is counted against what was acknowledged, and its chain is
checked.

python -m benchmarks.spaces --stores ADDRESS ADDRESS [--spaces 1000] [--processes 4] [--seconds 180]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
from collections import Counter, OrderedDict
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from time import monotonic, perf_counter
from typing import Any, NamedTuple

import numpy

import treering
from benchmarks import report
from benchmarks.recalling.notes import notes, questions
from treering.ledger.verify import verify

WRITTEN = 0.1  # of what is asked
OPEN = 32  # memories of a process
STEEP = 1.1  # of Zipf's law: with 1,000 spaces the first has a fifth of the load
_NOTES = 2_000  # different ones
_HOTTEST = 10


class Act(NamedTuple):
    space: int
    kind: str  # fill, open, write or recall
    took: float  # milliseconds
    leaked: bool = False  # it was shown what belongs to another space


def work(name: int, home: str, spaces: Sequence[int], mine: Sequence[int], seconds: float) -> list[Act]:
    """Write once to each of one's own spaces; then write to all and recall, so many seconds."""
    chance = Random(name)
    steps = [*accumulate((rank + 1) ** -STEEP for rank in range(len(spaces)))]
    texts = [note.content for note in notes(0, _NOTES)]
    asked = [question.text for question in questions(_NOTES, _NOTES)]
    opened: OrderedDict[int, treering.Treering] = OrderedDict()
    done: list[Act] = []
    for space in mine:
        with treering.open(home, space=named(space)) as memory:
            memory.remember(f"{named(space)}: {chance.choice(texts)}", project="p")
            done.append(Act(space, "fill", 0.0))
    until = monotonic() + seconds
    while monotonic() < until:
        (space,) = chance.choices(spaces, cum_weights=steps)
        began = perf_counter()
        if space not in opened:
            opened[space] = treering.open(home, space=named(space))
            done.append(Act(space, "open", _since(began)))
            if len(opened) > OPEN:
                opened.popitem(last=False)[1].close()
        opened.move_to_end(space)
        memory, began = opened[space], perf_counter()
        if chance.random() < WRITTEN:
            memory.remember(f"{named(space)}: {chance.choice(texts)}", project="p")
            done.append(Act(space, "write", _since(began)))
        else:
            hits = memory.recall(chance.choice(asked), project="p", log=False).hits
            leaked = any(not hit.memory.content.startswith(f"{named(space)}: ") for hit in hits)
            done.append(Act(space, "recall", _since(began), leaked))
    for memory in opened.values():
        memory.close()
    return done


def named(space: int) -> str:
    return f"team-{space}"


def _since(began: float) -> float:
    return 1_000 * (perf_counter() - began)


def _run(name: int, home: str, spaces: int, processes: int, seconds: float) -> None:
    done = work(name, home, range(spaces), range(name, spaces, processes), seconds)
    Path(home, f"{name}.acts").write_text(json.dumps(done))


def run(stores: Sequence[str], spaces: int, processes: int, seconds: float, home: str) -> dict[str, Any]:
    lines = [f"{named(space)} = {json.dumps(stores[space % len(stores)])}" for space in range(spaces)]
    Path(home, "config.toml").write_text("\n".join(["[stores]", *lines]))
    context = multiprocessing.get_context("spawn")
    running = [context.Process(target=_run, args=(name, home, spaces, processes, seconds)) for name in range(processes)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    files = [Path(home, f"{name}.acts") for name in range(processes)]
    acts = [Act(*one) for file in files for one in json.loads(file.read_text())]
    return {**_told(acts, len(stores)), "wrong spaces": _wrong(acts, home)}


def _told(acts: Sequence[Act], servers: int) -> dict[str, Any]:
    load = Counter(act.space for act in acts if act.kind in ("write", "recall"))
    hottest = {space for space, _ in load.most_common(_HOTTEST)}
    found: dict[str, Any] = {
        "spaces": len({act.space for act in acts}),
        "of these used": len(load),
        "share of the hottest": round(load.most_common(1)[0][1] / load.total(), 3),
        "share of each server": [
            round(sum(count for space, count in load.items() if space % servers == server) / load.total(), 3)
            for server in range(servers)
        ],
        "leaks": sum(act.leaked for act in acts),
    }
    for kind in ("open", "write", "recall"):
        for who, times in (
            ("the ten hottest", [act.took for act in acts if act.kind == kind and act.space in hottest]),
            ("the others", [act.took for act in acts if act.kind == kind and act.space not in hottest]),
        ):
            found[f"{kind}, {who}"] = {
                "count": len(times),
                **{f"p{at} ms": round(float(numpy.percentile(times, at)), 1) for at in (50, 95, 99) if times},
            }
    return found


def _wrong(acts: Sequence[Act], home: str) -> list[str]:
    """Return the spaces that have not just what was acknowledged, or whose chain is broken."""
    written = Counter(act.space for act in acts if act.kind in ("write", "fill"))
    wrong = []
    for space in sorted({act.space for act in acts}):
        with treering.open(home, space=named(space)) as memory:
            held = [note.content.startswith(f"{named(space)}: ") for note in memory.store.records()]
            if len(held) != written[space] or not all(held) or not verify(memory.ledger.store).clean:
                wrong.append(named(space))
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spaces")
    parser.add_argument("--stores", required=True, nargs="+", metavar="ADDRESS", help="databases, all of them empty")
    parser.add_argument("--spaces", type=int, default=1_000, metavar="N")
    parser.add_argument("--processes", type=int, default=4, metavar="N")
    parser.add_argument("--seconds", type=float, default=180.0, metavar="N")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-spaces-") as home:
        found = run(options.stores, options.spaces, options.processes, options.seconds, home)
    print(report.heading(), file=sys.stderr)
    print(json.dumps(found, indent=1))
    return 1 if found["leaks"] or found["wrong spaces"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
