"""Notes as people and agents write them, and the questions they ask later; all made up from a seed.

English sentences of real words with the frequencies of natural language, names, numbers and identifiers; 20 to 60
words a note. Notes come in sessions of 14 to 26 that share a project, some people and some topics, over two years. A
question takes two to four words of one note, some under another name, into a sentence of 6 to 14 words.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random
from typing import NamedTuple

from benchmarks.recalling.vocabulary import ADJECTIVES, NOUNS, PEOPLE, PLACES, PROJECTS, SYNONYMS, TOOLS, VERBS

SEED = 20_260_502
FEWEST, MOST = 20, 60  # words of a note
SESSIONS = (14, 26, 20, 17, 23)  # how many notes the sessions have, over and over: 20 on average
FIRST, SPAN = datetime(2024, 5, 1, tzinfo=UTC), timedelta(days=730)

_CYCLE = sum(SESSIONS)
_STARTS = list(accumulate((0, *SESSIONS[:-1])))
_SHIFT = 30  # flattens the head of Zipf's law: without articles and auxiliaries, no word stands in half of all notes
_TOPIC = 0.35  # how often a noun is one of the session's own
_TOPICS = 12  # nouns that a session keeps coming back to

_SENTENCES = """
{Person} said that the {adjective} {noun} of {project} {past} the {noun} because the {noun} was {adjective}.
We {past} the {noun} in {tool} after the {noun} {past} with error {number}.
The {noun} for {project} is {adjective} now, and {Person} {past} the {adjective} {noun} on {weekday}.
To {verb} the {noun}, {verb} {path} first and then {verb} the {adjective} {noun} with {tool}.
{Person} and {Person} {past} the {noun} in {place} and will {verb} it before {weekday}.
The {adjective} {noun} takes {number} ms when {identifier} is {adjective}, which is too {adjective} for the {noun}.
Decision: {project} will {verb} {plural} with {tool} {version} and not with the {adjective} {noun}.
I would like to {verb} the {noun} and the {noun} at the {adjective} {noun} next to the {noun}.
Please {verb} the {plural} in {path} and {verb} {identifier}, otherwise the {noun} is {adjective}.
My {noun} in {place} was {adjective}, so I {past} {number} {plural} and a {adjective} {noun}.
{Person} asked why {identifier} {past} the {noun} twice while the {plural} were {adjective}.
When the {noun} is {adjective}, {verb} the {noun} and tell {Person} about the {plural}.
It turned out that {tool} {version} {past} the {noun} of every {adjective} {noun}, see pull request {number}.
The {plural} are {adjective}, the {noun} has {number} {plural}, and nobody has {past} the {noun} yet.
On {weekday} {Person} is {gerund} the {noun} with the {noun} that we {past} for {project}.
We agreed on {gerund} {plural} instead of {gerund} the {adjective} {noun}, which {Person} {past}.
There is a {adjective} {noun} in {path}, and {identifier} must {verb} it for the {noun}.
""".strip().splitlines()

_QUESTIONS = {
    2: (
        "what did we decide about the {} and the {}",
        "why was the {} not working with the {} again",
        "do you remember when we last talked about the {} {}",
        "where can I find what was said about {} and {}",
        "tell me about {} and {}",
        "and what about the {} {}",
    ),
    3: (
        "how do we {} the {} when it is about {}",
        "what was the problem with the {} and the {} of {}",
        "who told me that the {} should be {} for the {}",
        "which {} did we use for the {} after the {}",
        "what {} for the {} of {}",
    ),
    4: (
        "what happened to the {} {} when somebody had the {} {}",
        "is it true that {} {} was there because of the {} {}",
        "when did {} and {} come up together with {} or {}",
        "what about {} and {} and also the {} in {}",
    ),
}
_IRREGULAR = {
    "send": "sent",
    "show": "showed",
    "lend": "lent",
    "hang": "hung",
    "split": "split",
    "rebuild": "rebuilt",
    "teach": "taught",
    "withdraw": "withdrew",
}
_DOUBLING = frozenset(
    """stop plan ship plug chop jog trim debug pin wrap submit resubmit prefer transfer skip tag split""".split()
)
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[A-Za-z]{3,}")
# Words of the sentences themselves, and of paths: nobody asks for those.
_PLAIN = frozenset(word.lower() for line in (*_SENTENCES, "src") for word in _WORD.findall(_SLOT.sub("", line)))


class Note(NamedTuple):
    content: str
    at: str
    session: str


class Question(NamedTuple):
    text: str
    note: int  # the number of the note that it is about


def notes(start: int, count: int, seed: int = SEED) -> Iterator[Note]:
    """Some of an endless row of notes, from any place on; the same seed gives the same notes."""
    number = start
    while number < start + count:
        session, first = _session_of(number)
        made = _session(session, seed)
        for note in made[number - first : start + count - first]:
            yield note
            number += 1


def questions(count: int, among: int, seed: int = SEED) -> list[Question]:
    """Different questions about notes that are among so many."""
    source = Random(f"questions {seed} {among}")
    found: dict[str, Question] = {}
    while len(found) < count:
        number = source.randrange(among)
        (note,) = notes(number, 1, seed)
        text = _question(note.content, source)
        found.setdefault(text, Question(text, number))
    return list(found.values())


class _Words:
    """Words of one kind, drawn by how common they are."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(dict.fromkeys(words))
        self._sums = list(accumulate(1 / (rank + _SHIFT) for rank in range(len(self._words))))

    def draw(self, source: Random) -> str:
        return self._words[bisect(self._sums, source.random() * self._sums[-1])]


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return _doubled(verb) + ("d" if verb.endswith("e") else "ed")


def _gerund(verb: str) -> str:
    return (verb[:-1] if verb.endswith("e") else _doubled(verb)) + "ing"


def _doubled(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLING else verb


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


_NOUNS, _PEOPLE, _PROJECTS = _Words(NOUNS), _Words(PEOPLE), _Words(PROJECTS)
_KINDS = {
    "verb": _Words(VERBS),
    "past": _Words([_past(verb) for verb in VERBS]),
    "gerund": _Words([_gerund(verb) for verb in VERBS]),
    "adjective": _Words(ADJECTIVES),
    "place": _Words(PLACES),
    "tool": _Words(TOOLS),
    "weekday": _Words(_WEEKDAYS),
}
_PARTS = [_SLOT.split(sentence) for sentence in _SENTENCES]  # text, slot, text, slot, …, text
_LENGTHS = [len(sentence.split()) for sentence in _SENTENCES]


class _Writer:
    """Fills the slots of a session's sentences."""

    def __init__(self, source: Random) -> None:
        self._source = source
        self._topics = [_NOUNS.draw(source) for _ in range(_TOPICS)]
        self._people = [_PEOPLE.draw(source) for _ in range(3)]
        self._project = _PROJECTS.draw(source)

    def note(self) -> str:
        source, sentences, length = self._source, [], 0
        wanted = source.randint(FEWEST, MOST)
        while length < FEWEST or length < wanted - 6:
            which = source.randrange(len(_PARTS))
            if length + _LENGTHS[which] > MOST:
                break
            sentences.append(self._sentence(_PARTS[which]))
            length += _LENGTHS[which]
        return " ".join(sentences)

    def _sentence(self, parts: list[str]) -> str:
        return "".join(self._word(part) if place % 2 else part for place, part in enumerate(parts))

    def _word(self, kind: str) -> str:
        if kind in _KINDS:
            return _KINDS[kind].draw(self._source)
        if kind == "noun":
            return self._noun()
        if kind == "plural":
            return _plural(self._noun())
        if kind == "Person":
            return self._source.choice(self._people)
        return self._project if kind == "project" else self._odd(kind)

    def _noun(self) -> str:
        source = self._source
        return source.choice(self._topics) if source.random() < _TOPIC else _NOUNS.draw(source)

    def _odd(self, kind: str) -> str:
        source = self._source
        if kind == "number":
            return str(int(10 ** source.uniform(0.3, 5)))  # small ones are commoner
        if kind == "version":
            return f"{source.randrange(9)}.{source.randrange(30)}.{source.randrange(12)}"
        name = f"{_KINDS['verb'].draw(source)}_{self._noun()}"
        if kind == "identifier":
            return name
        return f"src/{self._project}/{name}.py"


def _session_of(number: int) -> tuple[int, int]:
    """The session of a note, and the number of its first note."""
    cycle, place = divmod(number, _CYCLE)
    which = bisect(_STARTS, place) - 1
    return cycle * len(SESSIONS) + which, cycle * _CYCLE + _STARTS[which]


def _session(number: int, seed: int) -> list[Note]:
    source = Random(f"session {seed} {number}")
    writer = _Writer(source)
    begin = FIRST + SPAN * source.random()
    return [
        Note(writer.note(), (begin + timedelta(minutes=2 * place)).isoformat(timespec="seconds"), f"session-{number}")
        for place in range(SESSIONS[number % len(SESSIONS)])
    ]


def _question(content: str, source: Random) -> str:
    words = list(dict.fromkeys(word for word in _WORD.findall(content) if word.lower() not in _PLAIN))
    count = source.choice((2, 3, 3, 4))
    frame = source.choice(_QUESTIONS[count])
    chosen = [SYNONYMS.get(word, word) for word in source.sample(words, count)]
    return frame.format(*chosen)
