"""Run `treering-hook EVENT`, as an agent does at its events.

It is a new process each time, so it imports next to nothing, waits for nobody and always ends well:
an agent is never held up or broken by its memory.

    treering-hook UserPromptSubmit [--agent codex] [--home DIR] [--then maintain] < payload.json
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AGENT = "claude-code"
OWN_CALL = "TREERING_OWN_CALL"  # as in ledger/types.py, which is not imported for this alone; a test compares them
LARGEST = 67_108_864  # bytes of a payload that are read: a tool's output may be long; of each text a part is kept
USAGE = (
    "usage: treering-hook EVENT [--agent NAME] [--home DIR] [--then maintain] < payload.json; see `treering install`"
)
THEN, MAINTAIN = "--then", "maintain"
_HANDLES = 256  # an agent's pipes that a process may inherit have lower numbers


def main() -> None:
    """Run the console script, and exit at once: a clean shutdown takes a while."""
    began = time.perf_counter_ns()
    now = time.time_ns() // 1_000
    arguments = sys.argv[1:]
    reply = ""
    if os.environ.get(OWN_CALL):
        os._exit(0)  # an agent that we ask a question ourselves: nothing of that is heard or told
    if arguments[:1] in (["-h"], ["--help"]):
        reply = USAGE + "\n"
    elif not arguments:
        sys.stderr.write(USAGE + "\n")  # an agent would take standard output for a reply
    elif arguments[0] == "tend":
        _maintain(arguments[1:], now)
    else:
        reply = answer(arguments, os.environ, now, began)
    try:
        sys.stdout.write(reply)
        sys.stdout.flush()
        if MAINTAIN in arguments[1:]:
            _detach(arguments, now)
    finally:
        os._exit(0)


def answer(arguments: Sequence[str], environment: Mapping[str, str], now: int, began: int) -> str:
    """Return the reply of the hook. Errors go to the log only."""
    event, agent, home, problem, reply = arguments[0], AGENT, "", "", ""
    try:
        agent, home = _options(arguments[1:], environment)
        from treering.surfaces.hook.act import act
        from treering.text.json import read_json

        payload = sys.stdin.buffer.read(LARGEST + 1).decode("utf-8", "replace")
        if len(payload) > LARGEST:
            raise ValueError(f"this event is lost: its payload is longer than {LARGEST:,} bytes")
        reply, problem = act(event, read_json(payload) if payload.strip() else {}, agent, home, environment, now)
    except Exception as error:  # noqa: BLE001 - the outer edge: it is recorded, and `treering doctor` shows it
        problem = f"{type(error).__name__}: {error}"
    _log(home, now, event, agent, began, problem)
    return reply


def _options(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the agent and the home."""
    given = dict(zip(arguments[::2], arguments[1::2], strict=False))
    home = given.get("--home") or environment.get("TREERING_HOME") or "~/.treering"
    return given.get("--agent", AGENT), os.path.abspath(os.path.expanduser(home))


def _log(home: str, now: int, event: str, agent: str, began: int, problem: str) -> None:
    from treering.stores.files import note

    try:
        note(home, now, event, agent, (time.perf_counter_ns() - began) // 1_000, problem)
    except OSError:
        return  # there is nowhere else to log it


def _detach(arguments: Sequence[str], now: int) -> None:
    """Do what is due in a process of its own, which holds none of the agent's pipes and outlives it."""
    rest = [*arguments[1:]]
    if not hasattr(os, "fork"):
        from subprocess import CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS, Popen  # type: ignore[attr-defined,unused-ignore]

        Popen([sys.argv[0], "tend", *rest], close_fds=True, creationflags=DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP)
    elif os.fork() == 0:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(nothing, handle)
        os.closerange(3, _HANDLES)
        _maintain(rest, now)


def _maintain(arguments: Sequence[str], now: int) -> None:
    """Do what is due, in the background of the agent."""
    began, problem, agent, home = time.perf_counter_ns(), "", AGENT, ""
    try:
        agent, home = _options(arguments, os.environ)
        from treering.surfaces.hook.maintain import maintain

        maintain(home, os.environ, now)
    except Exception as error:  # noqa: BLE001 - as above
        problem = f"{type(error).__name__}: {error}"
    _log(home, now, "tend", agent, began, problem)
