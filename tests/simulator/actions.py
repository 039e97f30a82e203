"""What processes do in a life: hooks, commands and background work, each the real code."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import NamedTuple

import apsw

import treering
from tests.simulator.invariants import Shown
from tests.simulator.promises import Promises, Statement, words_in
from tests.simulator.schedule import LONGEST_WAIT, Schedule
from tests.world import SECOND
from treering.ledger.events import REMEMBERED
from treering.ledger.history import same_words
from treering.ledger.transfer import export_file, import_file
from treering.ledger.types import Context, Memory
from treering.memory import Treering
from treering.stores.files import note
from treering.stores.port.ledger import EventQuery
from treering.surfaces.hook.act import act
from treering.surfaces.hook.maintain import maintain

AGENT = "claude-code"
LIMIT = 100_000  # characters of a text, as in the default settings
HOOK_WAIT = 3 * SECOND  # an agent waits for its hooks: 0.4 s for each of the few locks that one asks for
MAINTENANCE = 90.0  # seconds, as hooks give it
SPACES = ("default", "default", "default", "second")
PROJECTS = ("shop", "yard")
NOUNS = ("depot", "tram", "ferry", "crane", "kiln", "orchard", "printer", "archive")
VERBS = ("opens at {} o'clock", "needs {} operators", "is kept in hall {}", "was built in 19{}", "costs {} euros")
ORDERS = ("Remember: the {}.", "Please remember that the {}.", "Note for later: the {}.")
WISHES = ("Always run the linter {} before a commit.", "We use the bundler {} for all packages from now on.")
QUESTIONS = ("Where is the {} kept, and since when?", "How many operators does the {} need?", "What about the {}?")


Fields = dict[str, object]  # of the payload of a hook


class Export(NamedTuple):
    """A file that another machine wrote, and what it says."""

    path: str
    words: frozenset[str]
    mine: bool


class Action(NamedTuple):
    """Something that a process will do."""

    name: str
    work: Callable[[], object]
    patience: int = LONGEST_WAIT


class Actions:
    """Decide on actions by chance, and note what they promise."""

    def __init__(self, home: str, folder: str, schedule: Schedule, promises: Promises, exports: list[Export]) -> None:
        self.home = home
        self.folder = folder
        self.schedule = schedule
        self.random: Random = schedule.random
        self.promises = promises
        self.exports = exports
        self.shown: list[Shown] = []
        self.purges: set[str] = set()  # ids whose purge was acknowledged
        self.learns = False  # what is worth keeping, from what is taken back
        self._sessions = 2

    def choose(self) -> Action:
        """Return what happens next."""
        name = self.random.choices([*_WEIGHTS], [*_WEIGHTS.values()])[0]
        action: Action = getattr(self, f"_{name}")()
        return action

    # Hooks, each of which is a process of its own.

    def _hook(self) -> Action:
        random = self.random
        if random.random() < 0.1:
            self._sessions += 1
        number = random.randrange(max(0, self._sessions - 3), self._sessions)
        here = Context(SPACES[number % 4], PROJECTS[number % 2], f"session{number}", "hook")
        event = random.choices([*_EVENTS], [*_EVENTS.values()])[0]
        fields, told = getattr(self, f"_at_{event}")(here)
        return Action(f"hook {event}", lambda: self._run_hook(event, fields, here, told), HOOK_WAIT)

    def _run_hook(self, event: str, fields: Fields, here: Context, told: Statement | None) -> None:
        now = self.schedule.now()
        where = {"session_id": here.session, "cwd": f"/simulated/{here.project}"}
        environment = {"TREERING_SPACE": here.space, "TREERING_PROJECT": here.project}
        reply, problem = act(event, {**where, **fields}, AGENT, self.home, environment, now)
        if told is not None and "lost" not in problem:
            self.promises.acknowledge(told)
        self.shown.append(Shown(frozenset(words_in(reply)), here))
        if problem:
            try:
                note(self.home, now, event, AGENT, 0, problem)
            except OSError:
                return  # as in the hook itself: there is nowhere else to log it

    def _at_SessionStart(self, here: Context) -> tuple[Fields, Statement | None]:
        return {"source": self.random.choice(("startup", "resume"))}, None

    def _at_UserPromptSubmit(self, here: Context) -> tuple[Fields, Statement | None]:
        key = {"prompt_id": f"p{self.schedule.now()}"}
        chance = self.random.random()
        if chance < 0.3:
            return {"prompt": self.random.choice(QUESTIONS).format(self.random.choice(NOUNS)), **key}, None
        told = self.promises.say("user", here, queued=True)
        if chance < 0.85:
            return {"prompt": self.random.choice(ORDERS).format(self._sentence(told)), **key}, told
        wish: Fields = {"prompt": self.random.choice(WISHES).format(told.word), **key}
        return wish, None if self.learns else told  # a store that learns may find that such wishes are not wanted

    def _at_PostToolUse(self, here: Context) -> tuple[Fields, Statement | None]:
        name = f"{self.random.choice(NOUNS)}.py"
        given: Fields = {
            "tool_name": "Edit",
            "tool_input": {"file_path": name},
            "tool_use_id": f"t{self.schedule.now()}",
        }
        return given, None

    def _at_PostToolUseFailure(self, here: Context) -> tuple[Fields, Statement | None]:
        command = f"make {self.random.choice(NOUNS)}"
        given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"t{self.schedule.now()}"}
        return {**given, "error": f"Exit code 2\nno rule for {command}"}, None

    def _at_Stop(self, here: Context) -> tuple[Fields, Statement | None]:
        self.promises.say("agent", here)
        return {"last_assistant_message": f"The {self.random.choice(NOUNS)} is done and all tests pass."}, None

    def _at_PostCompact(self, here: Context) -> tuple[Fields, Statement | None]:
        told = self.promises.say("external", here, queued=True)
        return {"trigger": "auto", "compact_summary": f"So far we read that the {self._sentence(told)}."}, told

    def _at_SessionEnd(self, here: Context) -> tuple[Fields, Statement | None]:
        return {"reason": "other"}, None

    def _sentence(self, told: Statement) -> str:
        verb = self.random.choice(VERBS).format(self.random.randrange(10, 99))
        return f"{self.random.choice(NOUNS)} {told.word} {verb}"

    # Commands of a person and of an agent.

    @contextmanager
    def _opened(self, actor: str = "user") -> Iterator[Treering]:
        space, project = self.random.choice(SPACES), self.random.choice(PROJECTS)
        session = f"session{self.random.randrange(self._sessions)}" if actor == "agent" else ""
        with treering.open(self.home, space=space, project=project, session=session, actor=actor) as memory:
            yield memory

    def _command(self, name: str, run: Callable[[Treering], object], actor: str = "user") -> Action:
        def work() -> None:
            with self._opened(actor) as memory:
                run(memory)

        return Action(name, work)

    def _remember(self) -> Action:
        actor = self.random.choice(("user", "agent"))
        return self._command(f"remember ({actor})", self._tell, actor)

    def _tell(self, memory: Treering) -> None:
        told = self.promises.say(memory.context.actor, memory.context)
        scope = self.random.choice(("project", "project", "session" if memory.context.session else "user"))
        made = memory.remember(f"The {self._sentence(told)}", scope=scope)
        if told.word in made.content:  # else it only echoes what is known
            self.promises.acknowledge(told)

    def _recall(self) -> Action:
        return self._command("recall", self._ask, self.random.choice(("user", "agent")))

    def _ask(self, memory: Treering) -> None:
        question = self.random.choice(QUESTIONS).format(self.random.choice(NOUNS))
        found = memory.recall(question, silent=self.random.random() < 0.5)
        words = frozenset(word for hit in found.hits for word in words_in(hit.memory.content))
        self.shown.append(Shown(words, memory.context))

    def _forget(self) -> Action:
        return self._command("forget or restore", self._hide)

    def _hide(self, memory: Treering) -> None:
        if (one := self._any(memory)) is not None:
            memory.restore(one.id) if one.status == "forgotten" else memory.forget(one.id)

    def _undo(self) -> Action:
        return self._command("undo", self._take_back)

    def _take_back(self, memory: Treering) -> None:
        made = [*memory.store.events(EventQuery(kinds=(REMEMBERED,), space=memory.context.space, live=True))]
        if made:
            memory.undo(self.random.choice(made).id)

    def _captured_undo(self) -> Action:
        return self._command("captured undo", self._take_back_captured)

    def _take_back_captured(self, memory: Treering) -> None:
        caught = [one.memory for one in memory.captured.list() if one.memory.type != "episodic"]
        if caught:
            one = self.random.choice(caught)
            memory.captured.undo(one.id)
            self.promises.taken_back |= words_in(one.content)

    def _purge(self) -> Action:
        return self._command("purge", self._erase)

    def _erase(self, memory: Treering) -> None:
        choices = [one for one in memory.store.records() if one.space == memory.context.space]
        if not choices:
            return
        self.promises.learn(memory.store.events(EventQuery(kinds=(REMEMBERED,))))
        ids = {one.id for one in self.random.sample(choices, min(len(choices), self.random.choice((1, 1, 2))))}
        self.promises.asked |= ids
        along = same_words(memory.store, sorted(ids), memory.context.space)
        memory.purge(*sorted(ids))
        self.purges |= {*along}

    def _server(self) -> Action:
        """One process that stays and does several things, as a server for agents does."""
        kinds = (self._tell, self._ask, self._ask, self._hide, self._take_back, self._erase)
        chosen = self.random.choices(kinds, k=3)

        def work() -> None:
            with self._opened("agent") as memory:
                for one in chosen:
                    one(memory)
                    self.schedule.pause(self.random.randrange(10 * SECOND))

        return Action("server", work)

    def _any(self, memory: Treering) -> Memory | None:
        found = [one for one in memory.store.records() if one.space == memory.context.space]
        return self.random.choice(found) if found else None

    # Background work, and files.

    def _maintain(self) -> Action:
        if self.random.random() < 0.5:
            return Action("maintain", self._run_maintain)
        return self._command("maintain by hand", lambda memory: memory.maintenance.run(MAINTENANCE))

    def _run_maintain(self) -> None:
        with suppress(apsw.Error):  # the edge of the hook logs them: next time there is another
            maintain(self.home, {}, self.schedule.now())

    def _import(self) -> Action:
        return self._command("import", self._bring_in)

    def _bring_in(self, memory: Treering) -> None:
        one = self.random.choice(self.exports)
        if not one.mine:  # what is purged here is kept out of ledgers, and not out of somebody else's words
            self.promises.tell_again({*one.words})
        here = memory.context
        for word in one.words - {*self.promises.said}:
            self.promises.said[word] = Statement(word, "user" if one.mine else "external", here, path=one.path)
        import_file(memory.ledger, here, one.path, limit=LIMIT, mine=one.mine)
        for word in one.words - self.promises.purged:
            self.promises.acknowledge(self.promises.said[word])

    def _export(self) -> Action:
        return self._command("export and import", self._bring_back)

    def _bring_back(self, memory: Treering) -> None:
        """Write the ledger to a file, and read it again after a while: nothing that was purged since comes back."""
        path = os.path.join(self.folder, f"own{self.schedule.now()}.jsonl")
        export_file(memory.store, path)
        self.schedule.pause(self.random.randrange(60 * SECOND))
        import_file(memory.ledger, memory.context, path, limit=LIMIT)


_WEIGHTS = {
    "hook": 50,
    "remember": 10,
    "recall": 6,
    "forget": 3,
    "undo": 2,
    "captured_undo": 2,
    "purge": 7,
    "server": 3,
    "maintain": 8,
    "import": 2,
    "export": 1,
}
_EVENTS = {
    "UserPromptSubmit": 60,
    "SessionStart": 8,
    "PostToolUse": 8,
    "PostToolUseFailure": 5,
    "Stop": 8,
    "PostCompact": 4,
    "SessionEnd": 7,
}
