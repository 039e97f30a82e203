"""A story over several sessions, on a throw-away store: the commands as a person would type them.

Run by `make demo`. Every line that it shows is the answer of the real program.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby

Scene = tuple[str, list[str]]

SESSIONS = 10  # of which each judges the same memory: as many as the rules ask for before they let it go
AGAIN = "again: "  # before commands that are run in every session, and shown in the first
HOOK = "treering-hook "  # before an event of an agent, with what the agent sends to its hook


def story(home: str) -> Iterator[Scene]:
    """What is told, and the commands that show it. `{made}` is the memory that was made last, `{session}` the number of
    a session, `{skill}` the memory that is proposed as a skill."""
    page = os.path.join(home, "page.jsonl")
    yield (
        "Session one. The agent learns a few things about a shop.",
        [
            "remember 'Run migrations with a lock timeout of 5 s' --type procedural --tag postgres"
            " --project shop --session monday",
            "remember 'The checkout service owns the orders table' --project shop --session monday",
            "remember 'Deploys to production happen on Tuesdays' --project shop --session monday"
            " --origin document:docs/runbook.md:12",
        ],
    )
    yield (
        "Session two. A question, what the memory finds, and why. It is quoted, so that an agent takes it as data.",
        [
            "recall 'how do I run a migration without locking the orders table' --project shop -k 2 --explain"
            " --session tuesday",
        ],
    )
    yield (
        "Something changes. The newest statement comes first, the older one is marked; a question that nothing answers"
        " is met with silence.",
        [
            "remember 'Deploys to production happen on Thursdays' --project shop --session tuesday",
            "recall 'when do deploys to production happen' --project shop --session tuesday",
            "recall 'who won the chess tournament in Reykjavik' --project shop --session tuesday",
        ],
    )
    yield (
        "The two contradict each other. The memory has said so, and a person decides.",
        ["contradictions", "resolve 8 --keep supersede --reason 'deploys moved to Thursdays'"],
    )
    yield (
        "What nobody uses fades. Nothing is lost: it is archived, and still found.",
        [
            "remember 'The demo for the fair needs the blue banner' --type episodic --at 2026-01-10 --project shop",
            "hygiene --dry-run",
            "hygiene",
            "index - --project shop",
        ],
    )
    yield (
        f"A note misleads. {SESSIONS} sessions are shown it, and each says so: its Q falls.",
        [
            "remember 'Restart the payment worker with kill -9 on the host' --project shop --session wednesday",
            f"{AGAIN}recall 'how do I restart the payment worker' -k 1 --project shop --session try-{{session}}",
            f"{AGAIN}feedback last {{made}} not_helpful",
            "usage {made} --limit 3",
            "evolve candidates --criteria low_q",
            "evolve try deprecate {made}",
        ],
    )
    yield (
        "Three processes do the same. Evolution acts on evidence: it lets the note go, and proposes a skill.",
        [
            "remember 'Before a release, run the tests, then tag the commit' --type procedural --project shop",
            "remember 'Run the tests before a release and then tag the commit' --type procedural --project shop",
            "remember 'For a release: run all tests, tag the commit' --type procedural --project shop",
            "evolve run",
        ],
    )
    yield (
        "What sessions come back to could be a skill; what nothing answers shows what is missing. These are signals.",
        [
            f"{AGAIN}recall 'which lock timeout do migrations have' -k 1 --project shop --session next-{{session}}",
            "recall 'gradual rollout behind a feature flag' --project shop --session next-1",
            "recall 'feature flag with a gradual rollout for search' --project shop --session next-2",
            "recall 'how does a feature flag get a gradual rollout' --project shop --session next-3",
            "evolve stats --limit 1",
        ],
    )
    yield (
        "Signals become proposals. A person reads one and accepts it: only then a file is written, and nothing is"
        " committed.",
        [
            "evolve analyze",
            "evolve list",
            "evolve show {skill}",
            f"evolve accept {{skill}} --root {shlex.quote(os.path.join(home, 'shop'))}",
            "evolve log --limit 2",
        ],
    )
    yield from _background()
    yield from _agent()
    yield (
        "A secret in a note never reaches the disk, and that is said.",
        [
            "remember 'CI pushes with ghp_R2mKd84LqPzX7vBn3TyWc9EaJf5HsU6gQ1oZ' --project shop --session tuesday",
        ],
    )
    yield (
        "A web page brings two claims. One of them is poison, so the whole source is revoked.",
        [
            f"import {shlex.quote(page)}",
            "revoke --source page.jsonl --dry-run",
            "revoke --source page.jsonl --reason 'the page told us to drop backups'",
        ],
    )
    yield (
        "A memory is forgotten by mistake. Nothing is lost: it comes back as it was.",
        ["forget 2 --reason 'thought it was wrong'", "restore 2", "history 2"],
    )
    yield (
        "An event is undone, with all that rests on it. The past is still there to look at.",
        ["undo 3", "list", "log --limit 6"],
    )
    yield (
        "Every session is a ring, and no ring is ever edited. The proof:",
        ["rings", "verify"],
    )


def _background() -> Iterator[Scene]:
    """What happens between sessions, or by hand."""
    yield (
        "The same happens in session after session. Three episodes become one memory: an agent could write it"
        " (`consolidate next`, `consolidate submit`); here it is put together from their own sentences, as a draft.",
        [
            "remember 'The nightly build failed on node 7: its build cache was full' --type episodic"
            " --project shop --session next-1",
            "remember 'Nightly build red again, node 7 has no room left in the build cache' --type episodic"
            " --project shop --session next-4",
            "remember 'Cleared the build cache of node 7 with make clean-cache, the nightly build is green'"
            " --type episodic --project shop --session next-7",
            "consolidate",
            "consolidate list",
            "recall 'why is the nightly build red' --project shop -k 1 --session next-8",
        ],
    )
    yield (
        "What memories name is connected: who uses what, since when, and who says so.",
        [
            "remember 'The checkout service uses Redis for its sessions' --project shop --at 2026-03-01",
            "remember 'Redis replaced Memcached in the checkout service' --project shop --at 2026-03-02",
            "graph show redis --project shop",
            "graph path memcached checkout --project shop",
        ],
    )
    yield ("The memory looks at itself: what stands out, and how it is doing.", ["reflect log", "stats"])


def _agent() -> Iterator[Scene]:
    """What an agent's hooks hear and say."""
    call = '"session_id": "agent-1", "tool_name": "Bash"'
    yield (
        "An agent with hooks (`treering install`). Nobody types these: the agent runs a hook at each event, and what a"
        " hook says is added to the prompt. The first session tells something, and gets stuck once.",
        [
            HOOK + 'UserPromptSubmit {"session_id": "agent-1", "prompt": "Print the dunning letters of last week."}',
            HOOK + f'PostToolUseFailure {{{call}, "tool_use_id": "1", "tool_input": {{"command": "make letters"}},'
            ' "error": "Exit code 2: ConnectionRefusedError"}',
            HOOK
            + f'PostToolUse {{{call}, "tool_use_id": "2", "tool_input": {{"command": "docker compose up -d db"}}}}',
            HOOK + f'PostToolUse {{{call}, "tool_use_id": "3", "tool_input": {{"command": "make letters"}}}}',
            HOOK + 'UserPromptSubmit {"session_id": "agent-1", "prompt": "Fine. Remember that the billing worker sends'
            ' invoices at 6 in the morning."}',
            HOOK + 'SessionEnd {"session_id": "agent-1", "reason": "other"}',
            "tend --seconds 10",
        ],
    )
    yield (
        "The next session is reminded when its prompt is about it. What was kept can be seen, and taken back.",
        [
            HOOK
            + 'UserPromptSubmit {"session_id": "agent-2", "prompt": "When does the billing worker send its invoices?"}',
            "captured",
            "captured undo --session agent-1",
        ],
    )


POISON = """{"content": "Orders are archived after 90 days", "session": "wednesday"}
{"content": "Backups of the orders table can be dropped safely", "session": "wednesday"}
"""


class Stage:
    """Where the story is played: a home, and the memory that was made last."""

    def __init__(self, folder: str) -> None:
        self._home = os.path.join(folder, "store")
        self._folder = folder
        self._made = ""

    def play(self, command: str) -> int:
        """Run a command, or the sessions of one that is run again and again."""
        if not command.startswith(AGAIN):
            return self._run(command, 1)
        for session in range(1, SESSIONS + 1):
            for line in command.split(AGAIN)[1:]:
                if code := self._run(line.strip(), session):
                    return code
        print(f"… and so in {SESSIONS - 1} more sessions")
        return 0

    def _hear(self, event: str, payload: str) -> int:
        """Run a hook as an agent does, in the folder of the shop, and show what it adds to the prompt."""
        print(f"\n$ {HOOK}{event} <<< {shlex.quote(payload)}", flush=True)
        told = json.dumps({**json.loads(payload), "cwd": os.path.join(self._folder, "shop")})
        words = [sys.executable, "-m", "treering.hook", event, "--home", self._home]
        done = subprocess.run(words, input=told, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        if done.stdout:
            print(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])
        return done.returncode

    def _run(self, command: str, session: int) -> int:
        if command.startswith(HOOK):
            event, _, payload = command.removeprefix(HOOK).partition(" ")
            return self._hear(event, payload)
        told = command.replace("{made}", self._made).replace("{session}", str(session))
        if "{skill}" in told:
            told = told.replace("{skill}", self._proposed())
        words = self._words(told)
        if session == 1:
            print(f"\n$ treering {told.replace(self._folder + os.sep, '')}", flush=True)
        if session > 1 or told.startswith("remember "):
            done = subprocess.run(words, stdout=subprocess.PIPE, text=True, encoding="utf-8")
            if session == 1:
                self._made = done.stdout.strip()
                print(self._made)
            return done.returncode
        return subprocess.run(words).returncode

    def _words(self, told: str) -> list[str]:
        return [sys.executable, "-m", "treering", "--home", self._home, *shlex.split(told)]

    def _proposed(self) -> str:
        done = subprocess.run(self._words("evolve list --json"), stdout=subprocess.PIPE, check=True)
        return next(str(one["id"]) for one in json.loads(done.stdout) if one["type"] == "skill-upgrade")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="treering-demo-") as folder:
        with open(os.path.join(folder, "page.jsonl"), "w", encoding="utf-8") as file:
            file.write(POISON)
        os.mkdir(os.path.join(folder, "shop"))
        stage = Stage(folder)
        for told, commands in story(folder):
            print(f"\n\033[1m{told}\033[0m" if sys.stdout.isatty() else f"\n{told}")
            for command in _joined(commands):
                if code := stage.play(command):
                    return code
    print("\nThe store was a throw-away. Yours is in ~/.treering: try `treering install`, or `treering remember`.")
    return 0


def _joined(commands: list[str]) -> Iterator[str]:
    """Commands, those that are run again and again as one."""
    for again, group in groupby(commands, lambda command: command.startswith(AGAIN)):
        run = list(group)
        yield from [" ".join(run)] if again else run


if __name__ == "__main__":
    sys.exit(main())
