"""What is poisoned reaches a prompt as a quoted text from outside, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from tests.attacks.corpus import ATTACKS
from tests.attacks.ways import PROJECT, Session, poisonous, quoted, shown, tainted
from tests.surfaces.hook.driving import hook, repository

LONGEST = 300  # characters of a prompt
FAILURE = "The memory of this project knows something that may be about this failure.\n"


@pytest.fixture
def sessions(home: Path, tmp_path: Path) -> Iterator[Session]:
    """A new session in the repository each time."""
    shop = repository(tmp_path / PROJECT)
    return (Session(home, shop, f"{tmp_path.name}-{number}") for number in range(10_000))


def test_the_texts_are_many_and_all_of_them_differ() -> None:
    assert len({attack.text for attack in ATTACKS}) == len(ATTACKS) >= 200
    assert len({attack.kind for attack in ATTACKS}) >= 18


def test_most_of_it_is_there_to_do_harm(home: Path) -> None:
    """As an outside text, in its project. Otherwise the other tests would show nothing."""
    with treering.open(home, project=PROJECT) as memory:
        found = poisonous(memory.list())
        assert len(found) > len(ATTACKS) // 2
        assert {(one.trust, one.scope, one.project, one.invariant) for one in memory.list()} == {
            ("external", "project", PROJECT, False)
        }


def test_a_recall_quotes_it_whatever_it_says(home: Path) -> None:
    """Every line is one of the fence's, and each memory says that it is from outside."""
    reached = 0
    with treering.open(home, project=PROJECT) as memory:
        for attack in ATTACKS[::5]:
            query = attack.text[:LONGEST]
            if not any(map(str.isalnum, query)):
                continue
            found = quoted(memory.recall(query, log=False, silent=False).fence)
            assert all("from outside, unverified" in one.names.values() for one in found)
            reached += bool(shown(found))
    assert reached > len(ATTACKS) // 10


def test_a_prompt_hears_it_only_in_quotes(home: Path, sessions: Iterator[Session]) -> None:
    """Though the prompt asks for it in its own words."""
    reached = 0
    for attack in ATTACKS:
        found = quoted(next(sessions).asks(f"What do we know about this: {attack.text[:LONGEST]}"))
        assert all("from outside, unverified" in one.names.values() for one in found)
        reached += bool(shown(found))
    assert reached > len(ATTACKS) // 4


def test_a_failure_hears_it_only_in_quotes(home: Path, sessions: Iterator[Session]) -> None:
    for attack in ATTACKS[::5]:
        said = next(sessions).fails("make test", f"Exit code 1\n{attack.text[:LONGEST]}")
        assert said == "" or said.startswith(FAILURE)
        quoted(said.removeprefix(FAILURE))


def test_a_session_does_not_begin_with_it(home: Path, sessions: Iterator[Session]) -> None:
    """What nobody here has said is no part of a briefing."""
    for source in ("startup", "resume", "clear", "compact"):
        assert not tainted(next(sessions).starts(source))


def test_the_program_itself_says_no_more(home: Path, tmp_path: Path) -> None:
    """As a process of its own, for those that are after breaking out."""
    shop = repository(tmp_path / PROJECT)
    for number, attack in enumerate([attack for attack in ATTACKS if attack.kind == "breaking out"][::5]):
        agent = Session(home, shop, f"{tmp_path.name}-alone-{number}")
        payload = agent.payload("UserPromptSubmit", prompt=f"What do we know about this: {attack.text}", prompt_id="p")
        said = hook("UserPromptSubmit", payload, home)
        assert (said.code, said.err) == (0, "")
        quoted(said.context)
