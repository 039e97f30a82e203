"""What is said and done in each session of the day. All made up; a seed makes it the same every time.

In one early session a person says to remember something, states a preference, and sees a failing command repaired. In
a late one somebody asks, and meets the same failure. The sessions between are ordinary work, in three projects, with
nothing in them that is worth keeping.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

PROJECTS = ("shop", "pipeline", "handbook")
TAUGHT = "shop"  # the project of the two sessions that matter

TOLD = "Remember that the staging database of the warehouse listens on port 5544."
PREFERENCE = "Always use pnpm in this repository, never npm."
BROKEN = "make checkout-tests"
FAILURE = "Exit code 2\nE   ModuleNotFoundError: No module named 'holidays'\nmake: *** [checkout-tests] Error 1"
REPAIRED = "requirements-dev.txt"


class Call(NamedTuple):
    tool: str
    given: dict[str, str]
    result: str
    failed: bool = False


class Turn(NamedTuple):
    prompt: str
    calls: tuple[Call, ...]
    answer: str
    expected: str = ""  # what the agent must have been told by the end of the turn


class Part(NamedTuple):
    """A session."""

    number: int  # from 1
    project: str
    turns: tuple[Turn, ...]
    asked: bool = False  # the late one: its hooks are not killed, as it is they that are asked


def day(sessions: int, taught: int, asked: int, seed: int) -> Iterator[Part]:
    for number in range(1, sessions + 1):
        source = Random(f"{seed} {number}")
        if number == taught:
            yield Part(number, TAUGHT, _teaching())
        elif number == asked:
            yield Part(number, TAUGHT, _asking(), True)
        else:
            yield Part(number, source.choice(PROJECTS), tuple(_ordinary(number, source)))


def _teaching() -> tuple[Turn, ...]:
    broken = Call("Bash", {"command": BROKEN}, FAILURE, True)
    repair = Call("Edit", {"file_path": REPAIRED, "old_string": "pytest", "new_string": "pytest\nholidays"}, "done")
    passing = Call("Bash", {"command": BROKEN}, "12 passed in 0.8s")
    return (
        Turn(TOLD, (), "Noted: the staging database of the warehouse is on 5544."),
        Turn(PREFERENCE, (), "I will use pnpm here."),
        Turn("Make the checkout tests pass.", (broken, repair, passing), "The tests needed the holidays package."),
    )


def _asking() -> tuple[Turn, ...]:
    broken = Call("Bash", {"command": BROKEN}, FAILURE, True)
    return (
        Turn("Which port does the staging database of the warehouse listen on?", (), "On 5544.", "5544"),
        Turn("Do we install packages with npm or pnpm in this repository?", (), "With pnpm.", "pnpm"),
        Turn("Run the checkout tests once more.", (broken,), "I add holidays again.", REPAIRED),
    )


_ASKED = """
Why does the {thing} of the {place} take so long for ticket {ticket}?
Rename the {thing} in the {place} as ticket {ticket} says.
Look at ticket {ticket} and tell me what the {thing} has to do with the {place}.
Write a test for the {thing} of the {place}, see ticket {ticket}.
Move the {thing} out of the {place} for ticket {ticket}.
Is the {thing} in the {place} still needed after ticket {ticket}?
""".strip().splitlines()
_THINGS = "cart invoice parser scheduler cache importer report gateway ledger renderer queue sampler".split()
_PLACES = "checkout loader archive editor frontend backend nightly-run glossary sidebar dashboard worker".split()


def _ordinary(number: int, source: Random) -> Iterator[Turn]:
    for turn in range(source.randint(2, 4)):
        thing, place = source.choice(_THINGS), source.choice(_PLACES)
        prompt = source.choice(_ASKED).format(thing=thing, place=place, ticket=number * 10 + turn)
        calls = tuple(_call(thing, place, source) for _ in range(source.randint(0, 2)))
        yield Turn(prompt, calls, f"The {thing} of the {place} is as the ticket wants it now.")


def _call(thing: str, place: str, source: Random) -> Call:
    kind = source.random()
    if kind < 0.4:
        return Call("Bash", {"command": f"grep -rn {thing} {place}/"}, f"{place}/{thing}.py:12: class {thing.title()}")
    if kind < 0.8:
        return Call("Edit", {"file_path": f"{place}/{thing}.py", "old_string": "1", "new_string": "2"}, "done")
    return Call(
        "Bash", {"command": f"cat {place}/{thing}.txt"}, f"Exit code 1\ncat: {place}/{thing}.txt: not there", True
    )
