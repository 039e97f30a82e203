"""`python -m benchmarks.prompting`: what the prompt hook shows, by words alone and only when it is sure.

The questions of each set are put as prompts to the first corpus of it, as the hook sees them, and to the whole of
recall with its own silence. `own` are questions that the corpus answers, `foreign` those of other sets: there silence
is right. Both may show as many memories as the hook does.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import treering
from benchmarks import report
from benchmarks.recall import sets
from benchmarks.recall.asking import fill
from treering.ledger.types import Context
from treering.recall.quick import SHOWN
from treering.stores.files import FILE_NAME
from treering.stores.sqlite import hook_queries
from treering.surfaces.hook.act import PROMPTED
from treering.surfaces.hook.look import about_prompt

SETS = ("locomo", "coding-sessions", "changed-facts", "longmemeval-turns")
OWN, FOREIGN = 200, 70  # questions of a set at the most; of each other set
_NONCE = "a1b2c3d4e5f6a7b8"
_NOW = 1_800_000_000_000_000  # microseconds: ages are not measured here
_HEADINGS = ("set", "memories", "by", "own: shown", "right if shown", "first is right", "foreign: shown")

Ask = Callable[[str], list[str]]


class Shown(NamedTuple):
    set: str
    memories: int
    by: str
    shown: float  # share of own questions that got an answer
    right: float  # of these, the share with a right memory in it
    first: float  # and at its head
    foreign: float  # share of foreign questions that got one


def measured(name: str, size: int, by: str, own: Sequence[sets.Query], foreign: Sequence[str], ask: Ask) -> Shown:
    answers = [(ask(query.text), query.relevant) for query in own]
    said = [(found, right) for found, right in answers if found]
    hits = sum(any(id in right for id in found) for found, right in said)
    firsts = sum(found[0] in right for found, right in said)
    wrong = sum(bool(ask(text)) for text in foreign)
    count = max(len(said), 1)
    return Shown(name, size, by, len(said) / len(own), hits / count, firsts / count, wrong / max(len(foreign), 1))


def run(data: str, folder: str) -> list[Shown]:
    corpora = {name: sets.read(data, name)[0] for name in SETS}
    found = []
    for name, corpus in corpora.items():
        dice = Random(1)
        answered = [query for query in corpus.queries if query.relevant]
        own = dice.sample(answered, min(OWN, len(answered)))
        others = [corpora[other].queries for other in SETS if other != name]
        foreign = [query.text for queries in others for query in dice.sample(queries, min(FOREIGN, len(queries)))]
        home = os.path.join(folder, name)
        with treering.open(home) as memory:
            ids = fill(memory, corpus)
            hook, whole = _hook(home, ids), _whole(memory, ids)
            size = len(corpus.rows)
            found.append(measured(name, size, "hook", own, foreign, hook))
            found.append(measured(name, size, "recall", own, foreign, whole))
    return found


def _hook(home: str, ids: dict[str, str]) -> Ask:
    db = hook_queries.connect(os.path.join(home, FILE_NAME))
    assert db is not None
    return lambda text: [ids[id] for id, _ in about_prompt(db, text, Context(), _NONCE, _NOW, PROMPTED).shown]


def _whole(memory: treering.Treering, ids: dict[str, str]) -> Ask:
    return lambda text: [ids[hit.memory.id] for hit in memory.recall(text, k=SHOWN, log=False).hits]


def _cells(row: Shown) -> tuple[str, ...]:
    return (row.set, f"{row.memories:,}", row.by, *(f"{share:.3f}" for share in row[3:]))


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    with TemporaryDirectory(dir=report.BUILD) as folder:
        found = run(options.data, folder)
    table = report.lines(_HEADINGS, map(_cells, found), texts=3)
    print(table)
    if options.save:
        record: dict[str, Any] = {**report.heading(), "method": (__doc__ or "").strip()}
        record["shown"] = [row._asdict() for row in found]
        print(f"recorded in {report.write('prompting', record)}", file=sys.stderr)
        report.show_in_readme("prompting", table, record)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompting", description="What the prompt hook shows.")
    parser.add_argument("--data", required=True, metavar="DIR", help="where the sets of questions lie")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
