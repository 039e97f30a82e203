"""Analyse a query: its words, phrases, names, times and type; and correct unknown words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from treering.judge.senses import rarity
from treering.recall.query.calendar import Window
from treering.recall.query.dates import windows
from treering.stores.port.search import Index
from treering.text.mentions import ABBREVIATIONS, CODE, NAME, PATH, TIME_WORDS, Mention, identifiers
from treering.text.words import STOP_WORDS, is_unbroken, pairs, parts, words

MOST_TERMS = 64  # a longer query is a document: its first words say what it is about
_MOST_LETTERS = 10_000  # that are searched for quotes and names in code, for the same reason
_LONGEST_PHRASE = 200  # characters: what is longer is a passage, and nothing but itself holds it word for word

# Words that address the memory or ask for a quantity. They are searched for, but that no memory holds them says nothing
# about whether the answer is there.
_FRAME_WORDS = frozenset(
    """remind remember mention mentioned recall tell told say said ask asked discuss discussed talk talked chat
    conversation previous previously earlier know many much currently current wondering looking please could back able
    often long old total number name kind type way thing something different order one two three four five six seven
    eight nine ten e g etc""".split()
)
_NO_TOPIC = STOP_WORDS | TIME_WORDS | _FRAME_WORDS

# An apostrophe is a quote only at the edge of a word, and the one that closes stands at the end of one.
_QUOTED = (
    rf'"([^"\n]{{0,{_LONGEST_PHRASE}}})"|`([^`\n]{{0,{_LONGEST_PHRASE}}})`'
    rf"|\u201c([^\u201d\n]{{1,{_LONGEST_PHRASE}}})\u201d"
    rf"|(?<!\w)['\u2018](?=\w)([^\n]{{1,{_LONGEST_PHRASE}}}?)(?<=\w)['\u2019](?!\w)"
)
_QUOTES = frozenset("\"'`\u201c\u2018")
_SENTENCE_ENDS = frozenset(".!?")


class Identifier(NamedTuple):
    """A name in code, a path, a code, a flag or a version: searched whole, and by its pieces."""

    text: str
    parts: tuple[str, ...]


class Query(NamedTuple):
    """A query, taken apart."""

    text: str
    type: str  # one of `QUERY_TYPES`
    words: tuple[str, ...]  # all of them, as they stand
    terms: tuple[str, ...]  # what to search for: in lower case, each once, without stop words if any others are left
    pairs: tuple[tuple[str, str], ...]  # words next to each other, neither a stop word, in lower case
    phrases: tuple[tuple[str, ...], ...]  # what is quoted, in lower case
    identifiers: tuple[Identifier, ...]
    names: tuple[str, ...]  # words of the topic with a capital that no sentence gave them, as they stand
    topic: tuple[str, ...]  # terms that an answer would mention: no times, no numbers, no asking
    windows: tuple[Window, ...]


def analyse(text: str, now: int) -> Query:
    found = words(text)
    folded = [piece for word in found for piece in (pairs(word) if is_unbroken(word) else (word.lower(),))]
    head = text[:_MOST_LETTERS]
    mentions = identifiers(head)
    topic = _topic(folded)
    names = tuple(name for name in _names(text, found) if not is_unbroken(name))
    return Query(
        text=text,
        type=_type(folded, mentions, names),
        words=tuple(found),
        terms=_terms(folded),
        pairs=_pairs(folded),
        phrases=_phrases(head),
        identifiers=tuple(Identifier(mention.text, tuple(parts(mention.text))) for mention in mentions[:MOST_TERMS]),
        names=names,
        topic=topic,
        windows=tuple(windows(text, now)),
    )


def _terms(folded: list[str]) -> tuple[str, ...]:
    """Return the words to search; of a query of stop words alone, all."""
    every = dict.fromkeys(folded)
    return tuple([word for word in every if word not in STOP_WORDS] or every)[:MOST_TERMS]


def _pairs(folded: list[str]) -> tuple[tuple[str, str], ...]:
    pairs = dict.fromkeys(pairwise(folded))
    return tuple(pair for pair in pairs if pair[0] not in STOP_WORDS and pair[1] not in STOP_WORDS)[:MOST_TERMS]


def _topic(folded: list[str]) -> tuple[str, ...]:
    every = dict.fromkeys(folded)
    return tuple(word for word in every if word not in _NO_TOPIC and not word[0].isdigit())[:MOST_TERMS]


def _names(text: str, found: list[str]) -> tuple[str, ...]:
    """Return capitalised words, but for the first of a sentence, which always is."""
    capital = [place for place, word in enumerate(found) if place and word[0].isupper()]
    if not capital:
        return ()
    starts = _sentence_starts(text)
    names = [found[place] for place in capital if place not in starts and found[place].lower() not in _NO_TOPIC]
    return tuple(dict.fromkeys(names))[:MOST_TERMS]


def _sentence_starts(text: str) -> set[int]:
    """Return which words, counted from 0, begin a sentence."""
    starts = {0}
    chunks = text.split()
    if not any(_ends_sentence(chunk) for chunk in chunks[:-1]):
        return starts
    count = 0
    for chunk in chunks:
        count += len(words(chunk))
        if _ends_sentence(chunk):
            starts.add(count)
    return starts


def _ends_sentence(chunk: str) -> bool:
    """Tell whether a stop ends a sentence, not an abbreviation ("Dr.") or initials ("J.K.")."""
    if chunk[-1] not in _SENTENCE_ENDS:
        return False
    word = chunk[:-1]
    return chunk[-1] != "." or not (word.lower() in ABBREVIATIONS or len(word.rpartition(".")[2]) == 1)


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    if _QUOTES.isdisjoint(text):
        return ()
    quoted = (match[match.lastindex or 0] for match in re.finditer(_QUOTED, text))
    phrases = (tuple(word.lower() for word in words(quote)) for quote in quoted)
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase))[:MOST_TERMS]


# How much a wording speaks for a type. 4 decides against anything but its like; 3 names the thing that is asked for;
# 2 is how such questions begin; 1 only breaks a tie. "^" is the beginning of the query. An apostrophe parts a word.
_WORDINGS = (
    (
        "error_debug",
        (3, "crash, crashes, crashed, crashing, core dump, exception, segfault, stack trace, stacktrace, traceback"),
        (2, "broken, breaks, bug, bugs, cannot, can t, debug, denied, error, errors, exits with, fail, failed"),
        (2, "failing, fails, failure, freezes, hang, hangs, killed, leaks, refused, rejected, returns 400"),
        (1, "fix, issue, problem, why are, why do, why does, why is"),
        (2, "returns 401, returns 403, returns 404, returns 500, returns 502, returns 503, root cause, stall"),
    ),
    (
        "find_pattern",
        (4, "again and again, each time, every time, example of, examples of, happened before, have we ever"),
        (4, "have we had, have we seen, how often, in common, keep happening, keeps happening, like that, like this"),
        (4, "other cases, other places, other teams, pattern, patterns, recurring, related incidents, repeatedly"),
        (4, "same error, same issue, same mistake, same problem, seen before, similar, similarly"),
    ),
    (
        "convention",
        (3, "^ are we, ^ do we, allowed, always, best practice, best practices, convention, conventions, guideline"),
        (3, "guidelines, naming, never, policy, prefer, preferred, rule, rules, standard, standards, style"),
        (2, "^ can we, ^ must, ^ should, forbidden, must, ok to, should, supposed to"),
    ),
    (
        "architecture",
        (4, "adr, architectural, architecture, why did we, why do we use, why we chose, why we use, work together"),
        (3, "communicate, communicates, component, components, data flow, decided against, depend on, depends on"),
        (3, "design, designed, flow between, in front of, interact, interacts, isolated, layered, layers, structure"),
        (3, "structured, talk to, talks to, trade off, trade offs, tradeoff, tradeoffs"),
    ),
    (
        "how_to",
        (4, "how can i, how can we, how do i, how do you, how does one, how to, how would i"),
        (3, "^ set up, checklist, command for, command to, guide, how do we, how should i, instructions, need to do"),
        (3, "procedure, runbook, step by step, steps, tutorial, walk me through, walkthrough"),
    ),
    (
        "code_search",
        (3, "callers of, code for, code that, declared, defined, defines, definition, implementation, implemented"),
        (3, "implements, source of, usage of, usages of, what file, where do we, which file, which files"),
        (2, "class, classes, constant, endpoint, function, functions, handler, helper, method, methods, module"),
    ),
    (
        "recall_fact",
        (4, "how many, how much, how long, how old, how far, how tall"),
        (3, "^ when, ^ who, ^ whose, what day, what did, what time, when did, when was, where did, which day"),
        (2, "^ did, ^ has, ^ what, ^ where was, ^ where were, ^ which, ^ why did, where does, who, whose"),
    ),
)  # fmt: skip
_TYPES = tuple(type for type, *_ in _WORDINGS)
_CUES = {cue: (type, weight) for type, *rules in _WORDINGS for weight, listed in rules for cue in listed.split(", ")}
_HEADS = frozenset(cue.split()[0] for cue in _CUES)
_LONGEST_CUE = max(len(cue.split()) for cue in _CUES)  # in words
_LEAST = 2  # a query that only has a hint of a type is of none

_CODE_GIVEN = 3  # an error code or the name of an exception: somebody has just seen it
_NAME_GIVEN = 2  # a name in code or a path: somebody looks for where it is
_NAMES_ALONE = 2  # more if nothing but names is given
_PERSON_GIVEN = 2  # somebody is named, and something asked: a question about a life, not about code


def _type(folded: list[str], mentions: list[Mention], names: tuple[str, ...]) -> str:
    """Return the type with most evidence; of two, the one whose wording is rarer, in table order."""
    scores = dict.fromkeys(_TYPES, 0)
    for cue in _wordings(["^", *folded[:MOST_TERMS]]):
        type, weight = _CUES[cue]
        scores[type] += weight
    kinds = {mention.kind for mention in mentions}
    if CODE in kinds:
        scores["error_debug"] += _CODE_GIVEN
    elif not kinds.isdisjoint((NAME, PATH)):
        meant = {part.lower() for mention in mentions for part in words(mention.text)}
        scores["code_search"] += _NAME_GIVEN + (_NAMES_ALONE if meant.issuperset(_topic(folded)) else 0)
    elif _speaks_of_people(names) and scores["recall_fact"]:
        scores["recall_fact"] += _PERSON_GIVEN
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _LEAST else "general"


def _speaks_of_people(names: tuple[str, ...]) -> bool:
    """Tell whether a name may be a person's: not all capitals (API), and no digits (S3)."""
    return any(name.isalpha() and not name.isupper() for name in names)


def _wordings(folded: list[str]) -> set[str]:
    """Return the wordings of the table that a query has, each once."""
    found: set[str] = set()
    for place, word in enumerate(folded):
        if word in _HEADS:
            ahead = folded[place : place + _LONGEST_CUE]
            found.update(" ".join(ahead[:length]) for length in range(1, len(ahead) + 1))
    return found & _CUES.keys()


SHORTEST = 4  # letters: a shorter word is near to too many others
_LONG = 8  # letters from which two slips are forgiven instead of one
_MOST = 5  # words that one is taken for
_SURE = 2  # letters at the beginning that are taken to be right: slips are seldom there


def correct(index: Index, words: Sequence[str]) -> list[str]:
    """Return the indexed stems that words of a query may mean: as their beginning, or misspelled.

    A word of the language is not misspelled, though another be near: "profit" is not "profile".
    """
    found: dict[str, None] = {}
    for word in words:
        if len(word) < SHORTEST:
            continue
        near = index.vocabulary(word)
        if not near and rarity(word) == 1:  # the vocabulary of the vectors has it in pieces only
            near = [stem for stem in index.vocabulary(word[:_SURE]) if _meant(word, stem)]
        found.update(dict.fromkeys(sorted(near, key=lambda stem: (abs(len(stem) - len(word)), stem))[:_MOST]))
    return list(found)


def _meant(word: str, stem: str) -> bool:
    """Tell whether a stem is the beginning of a word, but for a slip or two."""
    slips = 2 if len(word) >= _LONG else 1
    return len(stem) >= SHORTEST and any(
        distance(word[:length], stem, slips) <= slips
        for length in range(max(1, len(stem) - slips), min(len(word), len(stem) + slips) + 1)
    )


def distance(one: str, other: str, most: int) -> int:
    """Return the edits (add, drop, change, swap) between two words; if beyond `most`, any greater."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    last: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = last, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
