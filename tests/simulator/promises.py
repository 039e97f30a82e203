"""What the memory has promised in a life: the statements that it acknowledged, and what was purged by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

from treering.capture.turns import EPISODIC
from treering.ledger.codec import data_of
from treering.ledger.events import REMEMBERED, Event
from treering.ledger.types import LIKELY, TRUSTS, Context

# A word that stands in one statement and nowhere else. The full-text index leaves out the first letters of a word
# where the one before it has the same, so the search for what is left goes by the rest.
_LETTERS, _TAIL, _ENDING = 12, "qz", b"qz"
WORD = re.compile(r"[a-z]{12}qz")
_SHOWN = 10  # letters of a word that are looked for


class Statement(NamedTuple):
    """Something that was said to the memory, by whom and where."""

    word: str
    trust: str  # at the most
    here: Context
    queued: bool = False  # by a hook: it is there as soon as it waits in the queue
    path: str = ""  # of the export that it came from


class Promises:
    """Statements by their words, and what is known of each."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.said: dict[str, Statement] = {}
        self.acknowledged: dict[str, Statement] = {}
        self.memories: dict[str, set[str]] = {}  # of each word, the memories that were seen to hold it
        self.episodes: dict[str, str] = {}  # of each episode, its session; it goes with what it quotes
        self.sources: set[str] = set()  # what others were made of: it stays when one of these is purged by its name
        self.sessions: dict[str, str] = {}  # of each memory
        self.made: dict[str, int] = {}  # when each memory was told, which may be long before it was taken in
        self.asked: set[str] = set()  # ids that somebody asked to purge
        self.purged: set[str] = set()  # words that must be gone from every byte
        self.told_again: set[str] = set()  # words of somebody else's file, which may be imported after a purge
        self.taken_back: set[str] = set()  # words of captures that were undone by name

    def word(self) -> str:
        return "".join(self._random.choices(ascii_lowercase, k=_LETTERS)) + _TAIL

    def say(self, trust: str, here: Context, queued: bool = False, path: str = "") -> Statement:
        """Make up a statement that is about to be told."""
        statement = Statement(self.word(), trust, here, queued, path)
        self.said[statement.word] = statement
        return statement

    def acknowledge(self, statement: Statement) -> None:
        self.acknowledged[statement.word] = statement

    def learn(self, events: Iterable[Event]) -> None:
        """Note which memories hold which words, by the events that made them: one that is forgotten says nothing."""
        for event in events:
            if event.kind == REMEMBERED and event.payload:
                data = data_of(event)[1]
                if data["type"] == EPISODIC and LIKELY not in data.get("tags", ()):
                    self.episodes[event.id] = event.session
                self.sessions[event.id] = event.session
                self.sources.update(event.causes)
                self.made[event.id] = data.get("at", event.time)
                for word in words_in(event.payload):
                    self.memories.setdefault(word, set()).add(event.id)

    def quoting(self) -> set[str]:
        """Return the memories that may go with those that somebody asked to purge: what has a word of them, and the
        episodes of their sessions."""
        holders = [found for found in self.memories.values() if found & self.asked]
        near = {self.sessions.get(id, "") for id in self.asked} - {""}
        return set[str]().union(*holders) | {id for id, session in self.episodes.items() if session in near}

    def tell_again(self, words: set[str]) -> None:
        """Note that a person brings in what may have been purged before: it is there again, and rightly."""
        self.purged -= words
        self.told_again |= words

    def trust_of(self, words: set[str]) -> str:
        """Return the trust that a text with these words may have: that of the least trusted."""
        known = [self.said[word].trust for word in words if word in self.said]
        return max(known, key=TRUSTS.index) if known else TRUSTS[0]


def words_in(text: str) -> set[str]:
    return {*WORD.findall(text)}


def rests_in(data: bytes) -> set[str]:
    """Return the ends of words that stand in bytes. A search for the tail is quicker than for a pattern."""
    found, at = set(), data.find(_ENDING)
    while at >= 0:
        found.add(data[max(0, at + len(_ENDING) - _SHOWN) : at + len(_ENDING)].decode("latin-1"))
        at = data.find(_ENDING, at + 1)
    return found


def rest_of(word: str) -> str:
    return word[-_SHOWN:]
