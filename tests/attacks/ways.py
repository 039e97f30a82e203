"""Every way in, walked by every poisoned text; and what may be said to an agent, checked letter by letter."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import pytest

import treering
from tests.attacks.corpus import ATTACKS
from tests.recall import strict
from tests.surfaces.hook.driving import SECOND, Agent, context_in
from treering import Memory, Treering
from treering.documents.foreign.files import take_graph, take_notes
from treering.ledger import transfer
from treering.surfaces.hook import answer
from treering.text.words import folded

PROJECT = "shop"
RUN = 4  # words of a text on end: what holds them has it from there


def document(memory: Treering, folder: Path) -> str:
    """Documents of the repository."""
    docs = folder / "docs"
    docs.mkdir()
    for number, attack in enumerate(ATTACKS):
        (docs / f"note{number}.md").write_text(
            f"# Conventions of the team\n\n{attack.text}\n\n- {attack.text}\n", "utf-8"
        )
    memory.documents.harvest(str(docs), root=str(folder))
    return "document"


def rows(memory: Treering, folder: Path) -> str:
    """Rows of another program."""
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps({'content': attack.text})}\n" for attack in ATTACKS), "utf-8")
    transfer.import_file(memory.ledger, memory.context, str(path), limit=memory.config.content_limit)
    return "import"


def notes(memory: Treering, folder: Path) -> str:
    """Notes of Claude Code, which a page may have talked into them."""
    place = folder / "memory"
    place.mkdir()
    for number, attack in enumerate(ATTACKS):
        front = f"---\nname: topic {number}\ntype: feedback\n---\n\n"
        (place / f"topic{number}.md").write_text(front + attack.text, "utf-8")
    take_notes(memory, str(place), PROJECT)
    return "import"


def graph(memory: Treering, folder: Path) -> str:
    """A graph of server-memory."""
    path = folder / "memory.jsonl"
    lines = (
        {"type": "entity", "name": f"thing {number}", "entityType": "note", "observations": [attack.text]}
        for number, attack in enumerate(ATTACKS)
    )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    with path.open("rb") as file:
        take_graph(memory, file, str(path), False, lambda done: None)
    return "import"


class Session(Agent):
    """A session whose hooks are heard as the program hears them, but for the process."""

    def does(self, event: str, **fields: Any) -> str:
        self.now += SECOND
        payload = json.dumps(self.payload(event, **fields)).encode()
        words = [event, "--agent", self.agent, "--home", str(self.home)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(payload)))
            return context_in(answer(words, self.environment, self.now, perf_counter_ns()))


WAYS: dict[str, Callable[[Treering, Path], str]] = {"document": document, "rows": rows, "notes": notes, "graph": graph}


def poisoned(way: str, folder: Path) -> Path:
    """A home whose project has all that came in one way."""
    home = folder / "home"
    with treering.open(home, actor="user", project=PROJECT) as memory:
        WAYS[way](memory, folder)
        memory.maintenance.prepare()
    return home


def runs(text: str) -> set[tuple[str, ...]]:
    """What makes a text known again: its words, four on end."""
    words = folded(text)
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


POISON = frozenset(run for attack in ATTACKS for run in runs(attack.text))


def tainted(text: str) -> bool:
    """Whether a text has anything of the poison, word by word."""
    return not POISON.isdisjoint(runs(text))


def quoted(said: str) -> list[strict.Read]:
    """The memories of what an agent is told; an error unless all of it is one fence, and nothing leaves its quotes."""
    if not said:
        return []
    _, found = strict.read(said)
    return found


def shown(found: Iterable[strict.Read]) -> int:
    return sum(tainted(one.content) for one in found)


def poisonous(memories: Iterable[Memory]) -> list[Memory]:
    return [one for one in memories if tainted(f"{one.content}\n{one.details}")]
