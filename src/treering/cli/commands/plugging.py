"""Commands about what agents bring in by themselves."""

from __future__ import annotations

from treering.cli.commands.words import CARE, CHANGE, IDS, LOOK, REASON, SESSION, Command, number

PLUGGING = (
    Command(
        "captured",
        LOOK,
        "what was kept without being asked, session by session",
        "catching:captured",
        "What you told an agent to remember, your corrections and standing wishes, what fixed a failing command, "
        "decisions with their reason, and one line for each session: all of it comes from your words and the agent's "
        "own acts, never from the output of tools. `treering captured undo` takes any of it back.",
        (),
        (SESSION, number("--limit", "sessions at the most; 0 for all", 5)),
        ("treering captured", "treering captured --session monday --json"),
    ),
    Command(
        "captured undo",
        CHANGE,
        "take back what was kept without being asked",
        "catching:undo",
        "By the ids of memories, or everything that one session brought. It is left out of the memory with all that "
        "rests on it, and will not be captured again.",
        (IDS._replace(optional=True),),
        (SESSION, REASON),
        ("treering captured undo 1", "treering captured undo --session monday"),
        past=False,
    ),
    Command(
        "tend",
        CARE,
        "do all that is due: take in what hooks left, read on, sum up, evolve",
        "catching:tend",
        "Agents do this by themselves, in the background of a session. Nothing is begun when the time is over, what is "
        "left goes on the next time, and one process at a time is at it.",
        (),
        (number("--seconds", "that it may take", 60),),
        ("treering tend", "treering tend --seconds 5 --json"),
        past=False,
    ),
)
