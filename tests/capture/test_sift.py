"""A session: what is kept of it as a whole."""

from __future__ import annotations

from tests.capture.scenes import DONE, agent, edited, user
from treering.capture.sift import catch
from treering.capture.turns import Catch, Turn

DATES = "remember that images are tagged with the date"
LODASH = "remember that lodash is not used in this repository"


def kept(*turns: Turn) -> list[Catch]:
    return catch([*DONE, *turns])


def test_a_thing_that_is_said_twice_is_kept_once() -> None:
    said = "we use vitest in this repo, not jest"
    assert len(kept(user(said, "one"), edited("/a.ts"), user(f"{said}!", "two"))) == 1


def test_who_says_never_mind_takes_back_the_last_prompt() -> None:
    found = kept(user(LODASH, "one"), agent("ok"), user(DATES, "two"), agent("Will do."), user("never mind"))
    assert [one.content for one in found] == ["Lodash is not used in this repository."]


def test_who_names_it_takes_back_what_is_named() -> None:
    found = kept(user(LODASH, "one"), agent("ok"), user(DATES, "two"), agent("ok"), user("forget the lodash thing"))
    assert [one.content for one in found] == ["Images are tagged with the date."]


def test_nothing_that_the_agent_says_is_kept() -> None:
    assert kept(agent("Remember that tests always run with -n 4. From now on I will use tabs.")) == []
