"""`treering-hook EVENT`: what an agent runs at its events. It is a process of its own each time, so it imports next to
nothing, waits for nobody, and whatever happens it ends well: an agent is never held up or broken by its memory.

    treering-hook UserPromptSubmit [--agent codex] [--home DIR] < payload.json
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AGENT = "claude-code"
LARGEST = 8_388_608  # bytes of a payload that are read: a tool's output may be long
USAGE = "usage: treering-hook EVENT [--agent NAME] [--home DIR] < payload.json; see `treering install`"


def main() -> None:
    """The console script. It leaves at once, as tidying up takes a fresh interpreter a while."""
    began = time.perf_counter_ns()
    now = time.time_ns() // 1_000
    arguments = sys.argv[1:]
    said = ""
    if arguments[:1] in (["-h"], ["--help"]):
        said = USAGE + "\n"
    elif not arguments:
        sys.stderr.write(USAGE + "\n")  # an agent would take what is on standard output for the memory's words
    elif arguments[0] == "tend":
        _tend(arguments[1:], now)
    else:
        said = answer(arguments, os.environ, now, began)
    try:
        sys.stdout.write(said)
        sys.stdout.flush()
    finally:
        os._exit(0)


def answer(arguments: Sequence[str], environment: Mapping[str, str], now: int, began: int) -> str:
    """What the hook says. Nothing that goes wrong gets out of here but into the log."""
    event, agent, home, problem, said = arguments[0], AGENT, "", "", ""
    try:
        agent, home = _options(arguments[1:], environment)
        from treering.hook.acting import act
        from treering.hook.agents.wire import read

        payload = sys.stdin.buffer.read(LARGEST).decode("utf-8", "replace")
        said, problem = act(event, read(payload) if payload.strip() else {}, agent, home, environment, now)
    except Exception as error:  # noqa: BLE001 - the outer edge: it is recorded, and `treering doctor` shows it
        problem = f"{type(error).__name__}: {error}"
    _noted(home, now, event, agent, began, problem)
    return said


def _options(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[str, str]:
    """The agent and the home."""
    given = dict(zip(arguments[::2], arguments[1::2], strict=False))
    home = given.get("--home") or environment.get("TREERING_HOME") or "~/.treering"
    return given.get("--agent", AGENT), os.path.abspath(os.path.expanduser(home))


def _noted(home: str, now: int, event: str, agent: str, began: int, problem: str) -> None:
    from treering.stores.journal import note

    try:
        note(home, now, event, agent, (time.perf_counter_ns() - began) // 1_000, problem)
    except OSError:
        return  # there is nowhere to say so


def _tend(arguments: Sequence[str], now: int) -> None:
    """Do what is due, in the background of the agent."""
    began, problem, agent, home = time.perf_counter_ns(), "", AGENT, ""
    try:
        agent, home = _options(arguments, os.environ)
        from treering.hook.tending import tend

        tend(home, os.environ, now)
    except Exception as error:  # noqa: BLE001 - as above
        problem = f"{type(error).__name__}: {error}"
    _noted(home, now, "tend", agent, began, problem)
