"""Where the story is played: a home and a repository that are thrown away, a calendar, and an agent that is played. The
agent calls the hooks of Claude Code at its events, and writes a transcript."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from treering.surfaces.cli.demo.story import LOOKUPS, UPKEEP, WEEK, Again, Answer, Prompt, Run, Scene, Step, Tool
from treering.surfaces.cli.view import console, is_terminal

VERSION = "2.1.300"  # that the transcript names; nothing here depends on it

Fire = Callable[[str, Mapping[str, Any], str], str]  # an event, its payload and its tool; what the hooks add


class Session:
    """One session in a folder, from its start to its end. Every method returns what the hooks added to the context."""

    def __init__(self, name: str, folder: Path, transcript: Path, fire: Fire, now: Callable[[], str]) -> None:
        self._name = name
        self._folder = folder
        self._transcript = transcript
        self._call_hooks = fire
        self._now = now
        self._lines = self._prompts = 0
        transcript.parent.mkdir(parents=True, exist_ok=True)

    def start(self) -> str:
        return self._fire("SessionStart", {"source": "startup"})

    def prompt(self, text: str) -> str:
        self._prompts += 1
        added = self._fire("UserPromptSubmit", {"prompt": text, "source": "user"})
        self._write("user", text)
        return added

    def use(self, tool: str, given: Mapping[str, str], output: str, failed: bool = False) -> str:
        """Call a tool. What comes out of it is given, as no tool is run here."""
        call = f"toolu_{self._name}_{self._lines}"
        self._write("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": dict(given)}])
        self._write("user", [{"type": "tool_result", "tool_use_id": call, "content": output, "is_error": failed}])
        told = {"tool_name": tool, "tool_input": dict(given), "tool_use_id": call}
        if failed:
            return self._fire("PostToolUseFailure", {**told, "error": output}, tool)
        return self._fire("PostToolUse", {**told, "tool_response": {"stdout": output, "stderr": ""}}, tool)

    def stop(self, answer: str) -> str:
        self._write("assistant", [{"type": "text", "text": answer}])
        return self._fire("Stop", {"stop_hook_active": False, "last_assistant_message": answer})

    def end(self) -> str:
        return self._fire("SessionEnd", {"reason": "prompt_input_exit"})

    def _fire(self, event: str, told: Mapping[str, Any], tool: str = "") -> str:
        payload = {
            "session_id": self._name,
            "transcript_path": str(self._transcript),
            "cwd": str(self._folder),
            "hook_event_name": event,
            **({"prompt_id": f"{self._name}-{self._prompts}"} if self._prompts else {}),
            **told,
        }
        return self._call_hooks(event, payload, tool)

    def _write(self, role: str, content: object) -> None:
        self._lines += 1
        line = {
            "type": role,
            "uuid": f"{self._name}-{self._lines}",
            "sessionId": self._name,
            "timestamp": self._now(),
            "cwd": str(self._folder),
            "version": VERSION,
            "message": {"role": role, "content": content},
        }
        with self._transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def added_by(output: str) -> str:
    """Return what a hook's output adds to the context of an agent."""
    return str(json.loads(output)["hookSpecificOutput"]["additionalContext"]) if output else ""


DAY = 86_400  # seconds
HEADING, TYPED = "bold cyan", "bold"
# Runs a program of ours with a clock that is off by some seconds; nothing else of it is changed.
LAUNCH = (
    "import sys, time; real = time.time_ns; shift = int(sys.argv.pop(1)) * 10**9;"
    " time.time_ns = lambda: real() + shift;"
    " from {module} import main; sys.argv[0] = '{name}'; main()"
)
TREERING, HOOK = (
    LAUNCH.format(module="treering.surfaces.cli", name="treering"),
    LAUNCH.format(module="treering.surfaces.hook", name="treering-hook"),
)


def say(text: str, style: str = "") -> None:
    """Print a text; at a terminal in a style."""
    if is_terminal():
        console().print(text, style=style, soft_wrap=True)
    else:
        print(text, flush=True)


class Failed(Exception):
    """A command of the story did not end well."""


class Stage:
    """Runs the steps of a scene, and prints them as a person would see them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "shop"
        (self._folder / ".git").mkdir(parents=True)
        self._home = folder / "home"
        self._day = 0
        self._session: Session | None = None
        self._known: dict[str, str] = {}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREERING_", "CLAUDE_"))}
        self._environment = {**kept, "HOME": str(folder), "TREERING_HOME": str(self._home), "TREERING_SWAP": "0"}

    def play(self, scene: Scene) -> None:
        self._day = WEEK.index(scene.day)
        for step in scene.steps:
            self._step(step)

    def _step(self, step: Step) -> None:
        if isinstance(step, Run):
            self._type(self._filled(step.command))
        elif isinstance(step, Again):
            self._repeat(step)
        elif isinstance(step, Prompt):
            agent = self._agent()
            say(f"> {step.text}", TYPED)
            _add(agent.prompt(step.text))
        elif isinstance(step, Tool):
            added = self._agent().use("Bash", {"command": step.command}, step.output, step.failed)
            say(f"● Bash({step.command})\n  {step.output}")
            _add(added)
        else:
            self._end(step)

    def _type(self, command: str) -> None:
        """Run a command in the session of the day, and show both."""
        say(f"$ {command}", TYPED)
        if not command.startswith("treering remember "):
            self._run(command, WEEK[self._day], stderr=subprocess.STDOUT)
            return
        done = self._quietly(command, WEEK[self._day])
        made = done.stdout.strip()  # the id of a memory, which later commands name
        self._known = {"lock": made, **self._known, "made": made}
        say(f"{made}\n{done.stderr}".strip())

    def _repeat(self, step: Again) -> None:
        for session in range(step.sessions):
            for command in step.commands:
                self._quietly(self._filled(command), f"{WEEK[self._day]}-{session}")
        say(f"… and so in {step.sessions} more sessions", "dim")

    def _filled(self, command: str) -> str:
        """Put ids in place of their names."""
        for name, (lookup, rows) in LOOKUPS.items():
            if f"{{{name}}}" in command:
                self._known[name] = str(json.loads(self._quietly(lookup).stdout)[rows][0]["id"])
        return command.format(**self._known)

    def _agent(self) -> Session:
        """Return the session of the day; it begins with the first thing that is said."""
        if self._session is None:
            name = f"agent-{WEEK[self._day].lower()}"
            transcript = self._home.parent / "transcripts" / f"{name}.jsonl"
            self._session = Session(name, self._folder, transcript, self._hook, self._now)
            _add(self._session.start())
        return self._session

    def _end(self, step: Answer) -> None:
        session = self._agent()
        say(f"● {step.text}")
        _add(session.stop(step.text))
        session.end()
        self._session = None
        self._quietly(UPKEEP)  # an agent does it in the background

    def _run(self, command: str, session: str, **streams: Any) -> subprocess.CompletedProcess[str]:
        """Run a command where it can be seen, but for the streams that are given."""
        environment = {**self._environment, **({"TREERING_SESSION": session} if session else {})}
        done = self._program(TREERING, shlex.split(command)[1:], environment, **streams)
        if done.returncode:
            raise Failed(f"`{command}` ended with {done.returncode}. {done.stderr or ''}".rstrip())
        return done

    def _quietly(self, command: str, session: str = "") -> subprocess.CompletedProcess[str]:
        return self._run(command, session, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def _hook(self, event: str, payload: Mapping[str, Any], tool: str) -> str:
        done = self._program(HOOK, [event], self._environment, stdout=subprocess.PIPE, input=json.dumps(payload))
        return added_by(done.stdout)

    def _program(
        self, launch: str, words: Sequence[str], environment: Mapping[str, str], **options: Any
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", launch, str(self._shift), *words]
        return subprocess.run(command, text=True, encoding="utf-8", cwd=self._folder, env=environment, **options)

    @property
    def _shift(self) -> int:
        """Return by how many seconds the clock is off: the week is the last that is over, or ends today."""
        since_sunday = (datetime.now().weekday() + 1) % len(WEEK)
        return (self._day - len(WEEK) + 1 - since_sunday) * DAY

    def _now(self) -> str:
        now = datetime.now(UTC) + timedelta(seconds=self._shift)
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _add(text: str) -> None:
    """Print what the hooks added for the agent to read."""
    for row in text.splitlines():
        say(f"  │ {row}", "magenta")
