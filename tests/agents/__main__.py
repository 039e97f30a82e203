"""Run the checks: `python -m tests.agents [AGENT…] [--only CHECK] [--short] [--json]`.

Each agent runs in a process of its own that has its own network namespace; that process is this module again, with
`--room`. It prints a table of agents and checks, and what is wrong below it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from time import monotonic
from typing import Any

from tests.agents import packages

YES, NO, CANNOT = "yes", "NO", "-"
_SECONDS = 3_600  # for all checks of one agent
_ENDING = 60  # more, to end what runs
_WIDTH = 26


def main() -> int:
    given = _arguments()
    agents = given.agents or [*packages.NAMES]
    if given.room:
        _in_room(agents[0], given)
        return 0
    if problem := packages.missing():
        print(f"skipped: {problem}")
        return 0
    problems = packages.install(agents)
    rows: list[dict[str, Any]] = []
    for agent in agents:
        rows += [{"agent": agent, "check": "npm", "wrong": problems[agent]}] if agent in problems else run(agent, given)
    print(json.dumps(rows) if given.json else "\n".join(_table(rows)))
    return 1 if any(row["wrong"] for row in rows) else 0


def run(agent: str, given: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the checks of an agent in its own network, and return a row for each."""
    words = [*packages.alone(), sys.executable, "-m", "tests.agents", agent, "--room"]
    words += [part for name in given.only for part in ("--only", name)] + [
        f"--{name}" for name in ("short", "keep") if vars(given)[name]
    ]
    words += ["--seconds", str(given.seconds)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, timeout=given.seconds + _ENDING, check=False)
    if done.returncode:
        return [{"agent": agent, "check": "run", "wrong": f"it ended with {done.returncode}"}]
    return [json.loads(line) for line in done.stdout.splitlines()]


def _in_room(name: str, given: argparse.Namespace) -> None:
    from tests.agents.checks import CHECKS, SHORT, Cannot, Scene
    from tests.agents.judged import judges
    from tests.agents.known import AGENTS
    from tests.agents.room import Room, TooSlow, loopback

    loopback()
    ends = monotonic() + given.seconds
    agent = AGENTS[name]
    checks = {**CHECKS}
    last = {check: checks.pop(check) for check in ("uninstall exact", "as a plugin")}  # these take out what asks
    checks |= {"asked as the model": judges, **last}
    chosen = [check for check in checks if not (given.short and check not in SHORT)]
    chosen = [
        check for check in chosen if not given.only or check == "install" or any(one in check for one in given.only)
    ]
    for model in agent.models[:1] if given.short else agent.models:
        room = Room(name, ends)
        try:
            agent.prepare(room, model)
            scene = Scene(agent, room, model)
            for check in chosen:
                began, wrong, cannot, late = monotonic(), "", agent.cannot.get(check, ""), False
                try:
                    wrong = "" if cannot else checks[check](scene)
                except Cannot as reason:
                    cannot = str(reason)
                except TooSlow:
                    wrong, late = f"there was no time left of {given.seconds:.0f} s", True
                except AssertionError as failure:
                    wrong = str(failure)
                told: dict[str, Any] = {
                    "agent": name,
                    "model": model,
                    "check": check,
                    "wrong": wrong,
                    "cannot": cannot,
                    "late": late,
                }
                told |= {"notes": room.notes, "seconds": round(monotonic() - began, 1)}
                print(json.dumps(told), flush=True)
                room.notes = []
        finally:
            if given.keep:
                print(f"kept {room.home}", file=sys.stderr)
            else:
                room.close()


def _table(rows: list[dict[str, Any]]) -> list[str]:
    """Return the rows as a table of agents and checks, and what is wrong or cannot be below it."""
    columns = [*dict.fromkeys(_column(row) for row in rows)]
    checks = [*dict.fromkeys(row["check"] for row in rows)]
    cells = {(row["check"], _column(row)): _cell(row) for row in rows}
    wide = max(map(len, columns), default=0) + 2
    lines = [f"{'':{_WIDTH}}" + "".join(f"{column:{wide}}" for column in columns)]
    for check in checks:
        lines.append(f"{check:{_WIDTH}}" + "".join(f"{cells.get((check, column), ''):{wide}}" for column in columns))
    versions = [f"{agent} {packages.version(agent)}" for agent in dict.fromkeys(row["agent"] for row in rows)]
    lines += ["", ", ".join(versions)]
    for row in rows:
        if row["wrong"] or row.get("cannot"):
            lines.append(f"{_column(row)}, {row['check']}: {row['wrong'] or 'this agent cannot: ' + row['cannot']}")
        lines += [f"{_column(row)}, {row['check']}: {note}" for note in row.get("notes", ())]
    return lines


def _column(row: dict[str, Any]) -> str:
    agent, model = str(row["agent"]), str(row.get("model", ""))
    return agent + (f" {model}" if model.startswith("gpt") else "")


def _cell(row: dict[str, Any]) -> str:
    return NO if row["wrong"] else CANNOT if row.get("cannot") else YES


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.agents", description=__doc__)
    parser.add_argument("agents", nargs="*", choices=[[], *packages.NAMES])
    parser.add_argument("--only", action="append", default=[], help="checks whose name has this in it")
    parser.add_argument("--short", action="store_true", help="only the checks that take little time")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="for all checks of an agent")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", action="store_true", help="keep the home")
    parser.add_argument("--room", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
