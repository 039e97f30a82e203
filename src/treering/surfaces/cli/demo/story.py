"""The story, as a table: what happens on which day, and the commands that show it.

In a command, `{made}` is the memory that was made last, `{lock}` the one about migrations; what `LOOKUPS` names is
asked of the store.
"""

from __future__ import annotations

from typing import NamedTuple


class Run(NamedTuple):
    """A command as it is typed."""

    command: str


class Again(NamedTuple):
    """Commands that are run in so many more sessions, without being shown."""

    commands: tuple[str, ...]
    sessions: int


class Prompt(NamedTuple):
    """What a person says to their agent."""

    text: str


class Tool(NamedTuple):
    """A shell command that the agent runs, and what comes out of it."""

    command: str
    output: str
    failed: bool = False


class Answer(NamedTuple):
    """What the agent answers. After it, the session of the agent is over."""

    text: str


Step = Run | Again | Prompt | Tool | Answer


class Scene(NamedTuple):
    day: str
    heading: str
    steps: tuple[Step, ...]


REFUSED = "ConnectionRefusedError: [Errno 111] connect to 127.0.0.1:5432"
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# Ids that nobody can know beforehand: the command that lists them, and the list of which the first row has it.
LOOKUPS = {
    "contradiction": ("treering review list --json", "contradictions"),
    "proposal": ("treering review list --json", "proposals"),
}
UPKEEP = "treering maintain --if-due"  # what happens between two sessions

ASKED = "treering recall 'which lock timeout do migrations need' -k 1"
HELPED = "treering feedback last {lock} helpful"

STORY = (
    Scene(
        "Monday",
        "You tell it two things, once.",
        (
            Run("treering remember 'Migrations need a lock timeout of 5 s'"),
            Run("treering remember 'We deploy to production on Tuesdays'"),
        ),
    ),
    Scene(
        "Tuesday",
        "Another session knows them. What nobody has told it, it does not make up.",
        (
            Run(ASKED),
            Run("treering recall 'who won the chess tournament in Reykjavik'"),
        ),
    ),
    Scene(
        "Wednesday",
        "Something changes. The newer statement wins, and the older one is marked.",
        (
            Run("treering remember 'We deploy to production on Thursdays'"),
            Run("treering recall 'when do we deploy to production' -k 2"),
            Run("treering review accept {contradiction} --keep B"),
        ),
    ),
    Scene(
        "Thursday",
        "Your agent starts with what lasts (│), gets stuck, and finds a way out. Its hooks listen.",
        (
            Prompt("Run the tests, please."),
            Tool("make test", REFUSED, failed=True),
            Tool("docker compose up -d db", "Container shop-db-1 Started"),
            Tool("make test", "214 passed in 9.81s"),
            Answer("The tests needed the database, which was not running."),
        ),
    ),
    Scene(
        "Friday",
        "The next agent knows the way out before it gets stuck, and you see what was kept.",
        (
            Prompt("Run the tests before we merge."),
            Tool("docker compose up -d db && make test", "214 passed in 9.64s"),
            Answer("All green."),
            Run("treering captured"),
        ),
    ),
    Scene(
        "Saturday",
        "What helps again and again is proposed as a skill. A person decides.",
        (
            Run(ASKED),
            Run(HELPED),
            Again((ASKED, HELPED), sessions=2),
            Run("treering maintain --only proposals"),
            Run("treering review list"),
            Run("treering review accept {proposal}"),
        ),
    ),
    Scene(
        "Sunday",
        "A mistake is undone, with all that rests on it, and the ledger is proved to be sound.",
        (
            Run("treering remember 'Backups of the orders table may be deleted'"),
            Run("treering undo {made} --reason 'that was nonsense'"),
            Run("treering recall 'may backups of the orders table be deleted'"),
            Run("treering verify"),
        ),
    ),
)
