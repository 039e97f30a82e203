"""Play one life through a memory, session by session, and score what the agent had before it.

    python -m benchmarks.lives.play LIFE.json [--system treering|told|prompts] [--real] [--crowd LIFE.json …]
        [--set NAME=VALUE …] [--model scripted|lying]

It prints one JSON object. Each life has a process of its own, as its clock and its settings are.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.lives.causes import cause, stays
from benchmarks.lives.entry import Inside, Outside
from benchmarks.lives.life import Life, Session, crowd, read
from benchmarks.lives.score import Counts, Heard, Score
from benchmarks.lives.scripted import MODELS, Scripted, use
from benchmarks.lives.systems import FLOOR, SYSTEMS, TICK, Memory
from treering.stores.files import FILE_NAME

_BEFORE = "TREERING_"  # of a setting in the environment


class Player:
    """Play a life with a memory, and note what it cost."""

    def __init__(self, life: Life, memory: Memory, home: Path) -> None:
        self._life, self._memory, self._home = life, memory, home
        self.score = Score(partial(cause, home), partial(stays, home))
        self.by_session: list[Counts] = []
        self.costs: list[tuple[float, int]] = []  # of each session: seconds of processor time, bytes of the store

    def play(self) -> None:
        for session in self._life.sessions:
            began, before = time.process_time(), self.score.counts.copy()
            self._session(session)
            self.score.learned(session.facts)
            self.by_session.append(self.score.counts - before)
            self.costs.append((round(time.process_time() - began, 3), _bytes(self._home)))

    def _session(self, session: Session) -> None:
        memory, score, at = self._memory, self.score, session.at
        brief = memory.begin(session, at)
        score.briefed(brief)
        heard, said = brief, ""
        for turn in session.turns:
            at += TICK
            prompt, later = memory.prompt(turn.user, at), ""
            score.said(prompt)
            for act in turn.acts:
                at += TICK
                later += memory.act(act, at)
            if turn.probe is not None:
                score.probe(session, turn, Heard(turn.probe, brief, said, heard, prompt, later))
            heard += f"\n{prompt}\n{later}"
            said += "\n" + turn.user
            at += TICK
            memory.say(turn.agent, at)
        memory.end(session, at + TICK)
        self.end = at


def play(
    path: Path, system: str, real: bool, others: Sequence[Path], settings: dict[str, str], scripted: str = ""
) -> dict[str, Any]:
    """Play the life of a file, and return its counts, what was missing, and what it cost."""
    life = read(path)
    model = MODELS.get(scripted, Scripted)(life)
    if scripted:
        use(model)
    root = Path(tempfile.mkdtemp(prefix="life-"))
    home = root / "home"
    home.mkdir()
    entry = (Outside if real else Inside)(home, {_BEFORE + name.upper(): value for name, value in settings.items()})
    memory = SYSTEMS[system](life, root, entry)
    player = Player(life, memory, home)
    try:
        if others:
            memory.crowd(crowd(others, life.id), life.sessions[0].at)
        player.play()
        if system != FLOOR and not (home / ".treering" / FILE_NAME).exists():
            raise RuntimeError("no hook has left anything: the package cannot be imported as it is")
        if not others:
            player.score.captured(memory.memories(player.end + timedelta(minutes=2)))
        return {**_record(life, player), "asked": {"calls": model.calls, "tokens": model.tokens}}
    finally:
        os.chdir("/")
        shutil.rmtree(root, ignore_errors=True)


def _record(life: Life, player: Player) -> dict[str, Any]:
    score = player.score
    return {
        "life": life.id,
        "counts": dict(score.counts),
        "missing": [one._asdict() for one in score.missing],
        "stale": [one._asdict() for one in score.stale],
        "wrong": score.wrong,
        "by_session": player.by_session,
        "costs": player.costs,
    }


def _bytes(home: Path) -> int:
    return sum(path.stat().st_size for path in (home / ".treering").glob("*") if path.is_file())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lives.play", description="Play one life.")
    parser.add_argument("life", type=Path)
    parser.add_argument("--system", default="treering", choices=SYSTEMS)
    parser.add_argument("--real", action="store_true", help="start real processes under faketime")
    parser.add_argument("--crowd", nargs="*", type=Path, default=(), help="other lives whose facts are there before")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of Treering")
    parser.add_argument("--model", choices=MODELS, help="who is asked: it answers from the labels, or lies")
    options = parser.parse_args(arguments)
    settings = dict(one.split("=", 1) for one in options.set)
    if options.model and options.real:
        parser.error("--model answers in this process: leave out --real")
    found = play(options.life.absolute(), options.system, options.real, options.crowd, settings, options.model or "")
    json.dump(found, sys.stdout, ensure_ascii=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
