"""The labelled set: episodes, and for each story facts worth keeping and questions. The page beside it tells more."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECTS = ("harbor", "lumen", "quarry", "tern")
NAMED, OTHER = "named", "other"  # questions that name the thing, and those in other words


class Episode(NamedTuple):
    id: str
    topic: str | None  # none for one that belongs to no story
    project: str
    session: str
    at: str
    text: str


class Fact(NamedTuple):
    fact: str
    must: tuple[tuple[str, ...], ...]  # a text has kept it if it has one string of each
    told: tuple[str, ...]  # the episodes that state it
    was: str = ""  # the value before, if it changed

    def kept(self, text: str) -> bool:
        return all(any(stands(each, text) for each in ways) for ways in self.must)


class Question(NamedTuple):
    query: str
    words: str  # named or other
    relevant: tuple[str, ...]
    project: str
    facts: tuple[Fact, ...]  # what the relevant episodes state


class Topic(NamedTuple):
    topic: str
    project: str
    episodes: tuple[str, ...]
    facts: tuple[Fact, ...]
    questions: tuple[Question, ...]


def stands(needle: str, text: str) -> bool:
    """Whether a string is in a text, in upper or lower case; a number is not found inside a longer one."""
    needle, text = needle.casefold(), text.casefold()
    place = text.find(needle)
    while place >= 0:
        before, after = text[max(0, place - 2) : place], text[place + len(needle) : place + len(needle) + 2]
        longer = (needle[0].isdigit() and _digit(before[::-1])) or (needle[-1].isdigit() and _digit(after))
        if not longer:
            return True
        place = text.find(needle, place + 1)
    return False


def _digit(letters: str) -> bool:
    """Whether a number goes on with these letters."""
    return letters[:1].isdigit() or (letters[:1] in (".", ",") and letters[1:].isdigit())


def episodes() -> list[Episode]:
    """All of them, oldest first."""
    return [Episode(**row) for row in _rows("episodes")]


def topics() -> list[Topic]:
    return [_topic(row) for row in _rows("topics")]


def _topic(row: dict[str, Any]) -> Topic:
    facts = tuple(map(_fact, row["facts"]))
    questions = tuple(_question(each, row["project"], facts) for each in row["questions"])
    return Topic(row["topic"], row["project"], tuple(row["episodes"]), facts, questions)


def _fact(row: dict[str, Any]) -> Fact:
    must = tuple((each,) if isinstance(each, str) else tuple(each) for each in row["must"])
    return Fact(row["fact"], must, tuple(row["in"]), row.get("was", ""))


def _question(row: dict[str, Any], project: str, facts: Sequence[Fact]) -> Question:
    relevant = tuple(row["relevant"])
    stated = tuple(fact for fact in facts if not set(fact.told).isdisjoint(relevant))
    return Question(row["query"], row["words"], relevant, project, stated)


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with open(os.path.join(HERE, f"{name}.jsonl"), encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
