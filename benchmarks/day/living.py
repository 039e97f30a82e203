"""The day itself: several sessions at once on one store, and what is to be seen at its end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random
from statistics import median
from time import sleep
from typing import Any, NamedTuple
from uuid import UUID

import treering
from benchmarks.day.running import Fired, Kills, Runner, left
from benchmarks.day.script import PROJECTS, TAUGHT, Call, Part, Turn, day
from benchmarks.day.writing import Transcript
from treering.ledger.codec import data_of
from treering.ledger.events import RECALLED
from treering.stores.port.ledger import EventQuery
from treering.surfaces.hook.agents import parse

THINKING = 0.1  # seconds between two events of a session, at the most: a day is pressed into minutes
SETTLE = 240.0  # seconds that the work in the background is waited for
SECRET = "5544"  # what was told in one project only
SLOW = 0.95
GOAL = 6.0  # times a bare interpreter, at that percentile


class Plan(NamedTuple):
    sessions: int = 50
    at_once: int = 8
    taught: int = 3
    asked: int = 40
    seed: int = 20_261_116
    kills: Kills = Kills()
    noon: int = 26  # the session before which all rest, and the work in the background ends


class Heard(NamedTuple):
    """What one session was told, turn by turn, and what fired."""

    part: Part
    fired: list[Fired]
    bare: list[float]  # milliseconds of a bare interpreter before each prompt
    told: list[str]  # of each turn from which something is expected: the event at which it was told, if it was


class Day(NamedTuple):
    home: str
    sessions: list[Heard]
    killed: int
    late: int  # work in the background that did not end by itself
    left: list[str]  # processes that are still there


def live(plan: Plan, folder: str) -> Day:
    """A day on a new store in a folder."""
    home = os.path.join(folder, "memory")
    for project in PROJECTS:
        os.makedirs(os.path.join(folder, project, ".git"))
    os.makedirs(os.path.join(folder, "transcripts"))
    treering.open(home).close()
    environment = {"HOME": folder, "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}
    runner = Runner(home, environment, plan.kills, plan.seed)
    parts = list(day(plan.sessions, plan.taught, plan.asked, plan.seed))
    sessions: list[Heard] = []
    late = 0
    for start, end in pairwise((0, plan.noon - 1, len(parts))):
        with ThreadPoolExecutor(plan.at_once) as pool:
            sessions += pool.map(lambda part: _Session(part, plan, runner, folder).live(), parts[start:end])
        late += runner.settle(SETTLE)
        runner.tend(safe=True)
        late += runner.settle(SETTLE)
    with treering.open(home) as memory:
        memory.maintenance.run(SETTLE)
    return Day(home, sessions, runner.killed, late, left(home))


class _Session:
    def __init__(self, part: Part, plan: Plan, runner: Runner, folder: str) -> None:
        self.part = part
        self.runner = runner
        self.id = str(UUID(int=(plan.seed << 64) + part.number))
        self.folder = os.path.join(folder, part.project)
        self.transcript = Transcript(os.path.join(folder, "transcripts", f"{self.id}.jsonl"), self.id, self.folder)
        self.random = Random(f"{plan.seed} {part.number} thinking")
        self.fired: list[Fired] = []
        self.bare: list[float] = []
        self.prompt = ""

    def live(self) -> Heard:
        if not self.part.asked:  # there it is as if that hook had been killed: the others have to know by themselves
            self._fire("SessionStart", source="startup")
        self.runner.tend()
        told = []
        for number, turn in enumerate(self.part.turns):
            self._turn(number, turn)
            if turn.expected:
                by = (fired.event for fired in self.fired if turn.expected in (fired.context or ""))
                told.append(next(by, ""))
        self._fire("SessionEnd", reason="prompt_input_exit")
        return Heard(self.part, self.fired, self.bare, told)

    def _turn(self, number: int, turn: Turn) -> None:
        self.prompt = str(UUID(int=(self.part.number << 32) + number + 1))
        self.bare.append(self.runner.bare())
        self._fire("UserPromptSubmit", prompt=turn.prompt, source="user")
        self.transcript.prompt(turn.prompt, self.prompt)
        for place, call in enumerate(turn.calls):
            self._call(f"toolu_{self.part.number:03}{number:02}{place:02}", call)
        self.transcript.words(turn.answer)
        self._fire("Stop", stop_hook_active=False, last_assistant_message=turn.answer)
        self.runner.tend()

    def _call(self, id: str, call: Call) -> None:
        self.transcript.call(id, call.tool, dict(call.given))
        self.transcript.result(id, call.result, call.failed)
        common = {"tool_name": call.tool, "tool_input": call.given, "tool_use_id": id}
        if call.failed:
            self._fire("PostToolUseFailure", **common, error=call.result, is_interrupt=False)
        else:
            self._fire("PostToolUse", **common, tool_response={"stdout": call.result, "interrupted": False})

    def _fire(self, event: str, **fields: Any) -> None:
        payload = {
            "session_id": self.id,
            "transcript_path": self.transcript.path,
            "cwd": self.folder,
            "hook_event_name": event,
            **({"prompt_id": self.prompt} if self.prompt else {}),
            **fields,
        }
        self.fired += self.runner.fire(event, payload, self.part.asked)
        sleep(self.random.uniform(0, THINKING))


class Finding(NamedTuple):
    what: str
    found: str
    goal: str
    met: bool = True


def findings(day: Day) -> Iterator[Finding]:
    """What the day has shown."""
    fired = [one for session in day.sessions for one in session.fired]
    prompts = [one for one in fired if one.event == "UserPromptSubmit"]
    heard = [one for one in prompts if not one.killed]
    yield Finding("hooks fired, and prompts among them", f"{len(fired):,}, {len(prompts):,}", "")
    yield Finding("processes killed", f"{day.killed:,}", "")
    bad = [one for one in fired if not one.well]
    yield Finding("hooks that ended badly, complained, or said what cannot be read", str(len(bad)), "0", not bad)
    yield from _kept(day, heard)
    yield Finding("processes left, or ended by us", str(len(day.left) + day.late), "0", not day.left and not day.late)
    late = [told for session in day.sessions if session.part.asked for told in session.told]
    events = ", ".join(told or "never" for told in late)
    yield Finding("learned early, told late", events, "each", all(late) and bool(late))
    strangers = [one for session in day.sessions if session.part.project != TAUGHT for one in session.fired]
    leaks = sum(SECRET in (one.context or "") for one in strangers)
    yield Finding("told in another project", str(leaks), "0", not leaks)


def delays(day: Day) -> Iterator[Finding]:
    """How long prompts waited, beside bare interpreters that ran at the same time."""
    fired = [one for session in day.sessions for one in session.fired]
    heard = [one for one in fired if one.event == "UserPromptSubmit" and not one.killed]
    alone = [one for session in day.sessions for one in session.bare]
    bare = median(alone)
    times = sorted(one.took for one in heard)
    slow = times[min(len(times) - 1, int(SLOW * len(times)))]
    usual = f"{median(times) / bare:.2f} ({median(times):,.0f} ms, bare {bare:,.0f} ms)"
    yield Finding("a prompt waits, in bare interpreters: the median", usual, "")
    yield Finding("at the 95th percentile", f"{slow / bare:.2f}", f"≤ {GOAL:g}", slow / bare <= GOAL)
    most = f"{times[-1]:,.0f} ms, bare {max(alone):,.0f} ms"
    yield Finding("at the most", most, "")


def _kept(day: Day, heard: Sequence[Fired]) -> Iterator[Finding]:
    """Whether every prompt that a hook took is in the inbox, was taken in, and became a recall at most once."""
    with treering.open(day.home) as memory:
        letters = _letters(memory, day)
        recalls = Counter(data_of(event)[1]["query"] for event in memory.store.events(EventQuery(kinds=(RECALLED,))))
        caught = Counter(one.kind for one in memory.captured.list())
    lost = [one for one in heard if _key(one) not in letters]
    waiting = [one for one in heard if not letters.get(_key(one), 1)]
    texts = Counter(text for text in {(one.payload["session_id"], one.payload["prompt"]) for one in heard})
    twice = [text for (_, text) in texts if recalls[text] > 1]
    yield Finding("prompts that a hook took and nobody has", str(len(lost)), "0", not lost)
    yield Finding("prompts that were never taken in", str(len(waiting)), "0", not waiting)
    yield Finding("prompts that became two recalls", str(len(twice)), "0", not twice)
    yield Finding("caught", ", ".join(f"{kind} {count}" for kind, count in sorted(caught.items())), "")
    junk = sum(
        count for kind, count in caught.items() if kind not in ("told", "preference", "fix", "episode", "likely")
    )
    extra = junk + sum(max(caught[kind] - 1, 0) for kind in ("told", "preference", "fix"))
    yield Finding("caught and not worth it", str(extra), "0", not extra)


def _letters(memory: treering.Treering, day: Day) -> Mapping[str, int]:
    """When each letter was taken in, by its key."""
    assert memory.workspace.inbox is not None
    sessions = {str(one.payload["session_id"]) for session in day.sessions for one in session.fired}
    return {letter.key: letter.taken for session in sessions for letter in memory.workspace.inbox.of(session)}


def _key(fired: Fired) -> str:
    told = parse(fired.event, dict(fired.payload), "claude-code", {})
    assert told is not None
    return "\x1f".join((told.session, told.event, told.key))
