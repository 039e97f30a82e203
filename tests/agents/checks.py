"""What an agent with this memory must show: one function a check, which returns what is wrong, or nothing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import monotonic
from typing import NamedTuple

from tests.agents.known import LOOK, Known
from tests.agents.model import Request, Step
from tests.agents.packages import cache, program
from tests.agents.room import Ran, Room
from tests.agents.terminal import TMUX, Terminal

QUIET = 120.0  # seconds within which the background must be done: it takes two on a quiet machine, an agent's call five
WAITS = 3.0  # seconds longer than without Treering that an agent may take to end, on a busy machine
REPAIR = "sh start-db.sh"  # mends what fails in the project
_PROJECT = {
    "Makefile": "check:\n\t@python3 check.py\n",
    "check.py": "import os\nif not os.path.exists('db.pid'):\n    raise ConnectionRefusedError(111, 'refused')\n",
    "start-db.sh": "echo 1 > db.pid\n",
}
DELAY = 0.15  # seconds that hooks may take of the first request, on a quiet machine
TIMES = 5  # that a session is begun with hooks, and without
_BARE = 0.02  # seconds that a bare interpreter takes on a quiet machine
_CONNECTS = 3  # seconds after which a server has answered on a busy machine: print mode does not wait for it
_TURNS = 3  # prompts before a compaction: Claude Code refuses one after a single answer
_TURN = "I split part {} of the cobalt parser."
_FENCE = re.compile(r"(?:<|&lt;)treering-recall [0-9a-f]{16}.*?(?:<|&lt;)/treering-recall", re.DOTALL)


class Cannot(Exception):
    """An agent cannot do what is checked; the reason is no fault of ours."""


class Scene(NamedTuple):
    """An agent in its room, with one of its models."""

    agent: Known
    room: Room
    model: str

    def session(self, prompt: str, *steps: Step) -> Ran:
        """Run a session of one prompt, and return what the model was asked."""
        self.room.model.play(steps)
        ran = self.room.run(self.agent.printing(prompt, self.model))
        if ran.code:
            raise AssertionError(f"it ended with {ran.code}: {ran.out[-300:]}")
        if not any(request.tools for request in ran.requests):
            raise AssertionError(f"it asked no model: {ran.out[-300:]}")
        return ran

    def quiet(self) -> None:
        """Wait until the background is done."""
        room = self.room
        if not room.until(lambda: not room.waiting() and not room.processes(), QUIET):
            raise AssertionError(f"after {QUIET:.0f} s {room.waiting()} events wait, and there is {room.processes()}")


def _shown(requests: Sequence[Request], text: str) -> bool:
    """Tell whether a session was shown a memory with this text."""
    said = [request.messages for request in requests if request.tools]
    return any(text in fence for one in said for fence in _FENCE.findall(one))


def installs(scene: Scene) -> str:
    """Install, and let the agent's own command see the server."""
    scene.room.treering("install", scene.agent.name, "--yes")
    (state,) = [one for one in scene.room.json("status") if one["agent"] == scene.agent.name]
    if state["problems"] or state["hooks"] != state["hooks_wanted"]:
        return f"{state['hooks']} of {state['hooks_wanted']} hooks, {state['problems']}"
    if not scene.agent.listing:
        return ""
    said = scene.room.run(scene.agent.listing).out
    return "" if "treering" in said else f"it does not list the server: {said[-200:]}"


def told_in_print(scene: Scene) -> str:
    """What is told in one short session is there in the next, at once."""
    scene.session("Remember that the staging database listens on port 6543.")
    ran = scene.session("Which port does the staging database listen on?")
    return "" if _shown(ran.requests, "6543") else "the next session was not shown it"


def told_at_terminal(scene: Scene) -> str:
    """The same at a terminal."""
    if TMUX is None:
        raise Cannot("there is no tmux")
    _typed(scene, "Remember that the billing queue is called teal-heron.")
    asked = _typed(scene, "Tell me what the billing queue is called.")
    return "" if _shown(asked, "teal-heron") else "the next session was not shown it"


def _typed(scene: Scene, prompt: str) -> Sequence[Request]:
    """Type a prompt into a session, leave it, and return what the model was asked."""
    room, agent = scene.room, scene.agent
    room.model.play()
    with Terminal(room, agent.typing) as terminal:
        for question, *keys in agent.first:
            if terminal.wait(f"{question}|{agent.ready}", 60) and not terminal.wait(agent.ready, 0.5):
                terminal.key(*keys)
        if not terminal.wait(agent.ready, 60):
            raise AssertionError(f"it is not ready: {_squeezed(terminal.screen)[-600:]}")
        terminal.type(prompt)
        if not _entered(room, terminal, prompt):
            raise AssertionError(f"it asked no model: {_squeezed(terminal.screen)[-600:]}")
        terminal.wait("Done", 15)
        terminal.key(*agent.leave)
        if not terminal.ended():
            terminal.key("C-c", "C-d")
    return tuple(room.model.requests)


def _squeezed(screen: str) -> str:
    """Return a screen without its empty space."""
    return "\n".join(line.strip() for line in screen.splitlines() if line.strip())


def _entered(room: Room, terminal: Terminal, prompt: str) -> bool:
    """Press Enter until the model is asked: while it starts, an agent may take one for the end of a line."""
    for _ in range(8):
        if room.until(lambda: any(prompt in request.messages for request in room.model.sessions), 5):
            return True
        terminal.key("Enter")
    return False


def calls_mcp(scene: Scene) -> str:
    """A tool of the server is offered, called, and its answer comes back."""
    steps = [Step(mcp=("store_memory", {"content": "The canary host is named quartz-9."}))]
    steps += [Step(mcp=("recall_memories", {"query": "What is the canary host named?"}))]
    if scene.agent.name == "claude-code":  # it shows a model the names of tools, and the rest when asked
        wanted = "select:mcp__treering__store_memory,mcp__treering__recall_memories"
        steps.insert(0, Step(tool=("ToolSearch", {"query": wanted, "max_results": 5})))
    steps.insert(0, Step(shell=f"sleep {_CONNECTS}"))
    ran = scene.session("Note the canary host, and say what it is named.", *steps)
    last = ran.requests[-1].messages
    return "" if "quartz-9" in last and _shown(ran.requests, "quartz-9") else f"it answered {last[-300:]}"


def captures_a_fix(scene: Scene) -> str:
    """A command fails, another is run, and the first one works: that is kept, with the error's own name."""
    for name, text in _PROJECT.items():
        (scene.room.work / name).write_text(text)
    steps = [Step(shell="make check"), Step(shell=REPAIR), Step(shell="make check"), Step("The check passes.")]
    scene.session("Let the check pass.", *steps)
    scene.quiet()
    kept = [one["content"] for one in scene.room.json("captured") if one["kind"] == "fix"]
    wanted = f"When `make check` fails with ConnectionRefusedError, run `{REPAIR}`; then it succeeds."
    return "" if wanted in kept else f"captured: {kept}"


def hints_at_a_failure(scene: Scene) -> str:
    """The next session with the same failure is told the fix."""
    (scene.room.work / "db.pid").unlink()
    ran = scene.session("Go.", Step(shell="make check"), Step("It fails."))
    return "" if _shown(ran.requests, REPAIR) else "the fix was not shown"


def compacts(scene: Scene) -> str:
    """The summary of a compaction is kept, without the notes before it."""
    if TMUX is None:
        raise Cannot("there is no tmux")
    summary = "<analysis>Thinking aloud about zebra.</analysis>\n<summary>The cobalt parser was split in two.</summary>"
    room, agent = scene.room, scene.agent
    room.model.play([Step(_TURN.format(number)) for number in range(_TURNS)])
    room.model.aside = lambda request: Step(summary) if "create a detailed summary" in request.messages else None
    try:
        with Terminal(room, agent.typing) as terminal:
            terminal.wait(agent.ready, 60)
            for number in range(_TURNS):
                terminal.type(f"Split part {number} of the cobalt parser in two.")
                terminal.wait(re.escape(_TURN.format(number)), 40)
            terminal.type("/compact")
            terminal.wait("ompacted", 40)
            terminal.key(*agent.leave)
            terminal.ended()
    finally:
        room.model.aside = None
    scene.quiet()
    kept = json.dumps(room.json("list", "--limit", "100"))
    if "cobalt parser was split" not in kept:
        return "no summary was kept"
    return "the notes were kept, too" if "zebra" in kept else ""


def survives_a_broken_store(scene: Scene) -> str:
    """A session goes its way when the hooks cannot open the store."""
    room, aside = scene.room, scene.room.store.with_name("aside")
    scene.quiet()
    room.store.rename(aside)
    room.store.write_text("this is no folder")
    try:
        ran = scene.session("Say hello.", Step("Hello from the model."))
    finally:
        room.store.unlink()
        aside.rename(room.store)
    return "" if "Hello from the model." in ran.out else f"it said {ran.out[-300:]}"


def briefs_subagents(scene: Scene) -> str:
    """A subagent is told what holds in the project."""
    scene.session("Remember that the release branch is called opal-main.")
    scene.quiet()
    name, asked = scene.agent.subagent
    if not name:
        raise Cannot("it has no hook that may brief one")
    if scene.model == "gpt-5.5":
        raise Cannot("with this model it offers no tool that starts one")
    ran = scene.session("Let a subagent look around.", Step(tool=(name, asked)), Step("I looked."), Step("Good."))
    inside = [one for one in ran.requests if LOOK in one.messages and "Let a subagent" not in _first_words(one)]
    if not inside:
        return f"there was no subagent in {len(ran.requests)} requests"
    return "" if _shown(inside, "opal-main") else "it was not told"


def _first_words(request: Request) -> str:
    """Return what the session of a request began with."""
    messages = request.body.get("messages") or request.body.get("input") or [{}]
    return json.dumps([one for one in messages if one.get("role") == "user"][:1])


def maintains_after_exit(scene: Scene) -> str:
    """What is due is done after the agent has gone, and the agent does not wait for it."""
    before = monotonic()
    ran = scene.session("Remember that the audit log is kept for 37 days.")
    if scene.agent.after and ran.after > scene.agent.after + WAITS:
        return f"it took {ran.after:.1f} s to end"
    scene.quiet()
    kept = json.dumps(scene.room.json("captured", "--limit", "50"))
    return "" if "37 days" in kept else f"nothing was kept after {monotonic() - before:.0f} s"


def leaves_nothing(scene: Scene) -> str:
    """No process stays, and nothing is put into the project."""
    scene.quiet()
    found = {path.name for path in scene.room.work.iterdir()} - {".git", "db.pid", *_PROJECT}
    return f"the project has {sorted(found)}" if found else ""


def delays_little(scene: Scene) -> str:
    """The first request to the model comes hardly later with hooks than without: at most 0.15 s on a quiet machine.

    Sessions with and without take turns. What else runs only ever makes one of them longer, so that the shortest of
    each are compared, and how slow the machine is tells the shortest of as many bare starts.
    """
    room, name = scene.room, scene.agent.name
    waits: dict[str, list[float]] = {"install": [], "uninstall": []}
    bare = []
    for _ in range(TIMES):
        for command, found in waits.items():
            room.treering(command, name, "--yes")
            scene.quiet()
            found.append(scene.session("Which port does the staging database listen on?").wait)
            began = monotonic()
            room.run([sys.executable, "-c", ""])
            bare.append(monotonic() - began)
    room.treering("install", name, "--yes")
    longer, middle = (way(waits["install"]) - way(waits["uninstall"]) for way in (min, median))
    slow = max(1.0, min(bare) / _BARE)
    told = f"the first request comes {longer:.2f} s later with hooks (in the middle {middle:.2f})"
    room.notes.append(f"{told}, on a machine {slow:.1f} times as slow as a quiet one")
    return "" if longer <= DELAY * slow else "it comes later than it may"


def uninstalls(scene: Scene) -> str:
    """What was installed is taken out, byte for byte, and nothing of ours stays."""
    room = scene.room
    room.treering("uninstall", scene.agent.name, "--yes")
    before = _files(room)
    left = [path for path, data in before.items() if b"treering" in _without(data, _NOTED, str(cache()).encode())]
    room.treering("install", scene.agent.name, "--yes")
    room.treering("uninstall", scene.agent.name, "--yes")
    changed = [path for path in {*before, *_files(room)} if before.get(path) != _files(room).get(path)]
    return f"left {left}, changed {changed}" if left or changed else ""


def works_as_plugin(scene: Scene) -> str:
    """The agent's own commands accept our manifests, and a session is shown what the one before was told."""
    room, agent = scene.room, scene.agent
    if not agent.plugin:
        raise Cannot("it has no plugins of this form")
    room.treering("uninstall", agent.name, "--yes")
    before = dict(room.environment)
    room.environment["PATH"] = (
        f"{Path(sys.executable).parent}:{room.variables()['PATH']}"  # it runs our programs by name
    )
    try:
        for words in agent.plugin:
            done = room.run([str(program(agent.name)), *words])
            if done.code:
                return f"{' '.join(words[:2])}: {done.out[-300:]}"
        if agent.name == "copilot":
            return ""  # it takes the skills of it, and no hooks
        scene.session("Remember that the edge proxy is called basalt-4.")
        ran = scene.session("What is the edge proxy called?")
        return "" if _shown(ran.requests, "basalt-4") else "the next session was not shown it"
    finally:
        room.environment.clear()
        room.environment.update(before)


def _without(data: bytes, *texts: bytes) -> bytes:
    """Return the bytes of a file without some texts."""
    for text in texts:
        data = data.replace(text, b"")
    return data


def _files(room: Room) -> dict[str, bytes]:
    """Return the settings of all agents, by path."""
    folders = (".claude", ".codex", ".gemini", ".copilot", ".config", ".agents")
    paths = [path for folder in folders for path in (room.home / folder).rglob("*") if path.suffix in _SETTINGS]
    kept = [path for path in paths if not _OWN & {*path.relative_to(room.home).parts}]
    return {str(path): path.read_bytes() for path in [*kept, room.home / ".claude.json"] if path.is_file()}


_NOTED = (
    b'"treering@skills-dir"'  # Claude Code counts in its own state how often it loaded what a folder of skills holds
)
_SETTINGS = (".json", ".toml", ".md", ".js")
_OWN = {
    "projects",
    "projects.json",
    "sessions",
    "history",
    "session-state",
    "logs",
    "tmp",
    "pkg",
    "node_modules",
    "plugins",
    "backups",
}

CHECKS: dict[str, Callable[[Scene], str]] = {
    "install": installs,
    "told → next session": told_in_print,
    "the same, at a terminal": told_at_terminal,
    "MCP tool called": calls_mcp,
    "fix captured": captures_a_fix,
    "hint at the next failure": hints_at_a_failure,
    "compaction kept": compacts,
    "subagent briefed": briefs_subagents,
    "broken store is harmless": survives_a_broken_store,
    "maintenance after exit": maintains_after_exit,
    "nothing left behind": leaves_nothing,
    "hooks take little time": delays_little,
    "uninstall exact": uninstalls,
    "as a plugin": works_as_plugin,
}
SHORT = ("install", "told → next session", "MCP tool called", "nothing left behind", "uninstall exact")
