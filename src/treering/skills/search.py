"""Which skills a prompt is about: by the words of their names and descriptions, of which rare ones count more."""

from __future__ import annotations

from math import log

from treering.core.prompts import FILLER
from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, compounds, folded, is_unbroken, pairs, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SATURATION = 1.2  # BM25's k1: how soon saying a word again counts for nothing more
LENGTH = 0.5  # BM25's b, below the usual 0.75: a long description is thorough, not vague
NAME_COUNTS = 3  # a word of the name counts like so many of the description: it is what the skill is about
WELL_WORDS = 3  # words in common, when a prompt is about a skill; its whole name counts as one more
WELL_PART = 1 / 3  # of the words of the prompt or of the skill, whichever has fewer: a long text shares some with any
WELL_SHARE = 0.5  # of the best score: the others are only near

# What grammar puts behind a word. Longest first; what is left has at least three letters.
_ENDINGS = tuple("ations ation ating ments ated ates ment ings ions ate ing ion ers ies ed er es ly s".split())
_SHORTEST_STEM = 3


class Skill(NamedTuple):
    name: str
    description: str
    path: str
    place: str
    problems: tuple[str, ...] = ()


class Match(NamedTuple):
    skill: Skill
    score: float
    well: bool = False  # well enough to show the whole skill unasked


class _Counted(NamedTuple):
    """How often a skill says each word that is asked for."""

    skill: Skill
    said: dict[str, int]


def rank(skills: Sequence[Skill], query: str) -> list[Match]:
    """The skills that share a word with a query, the best first."""
    asked = frozenset(stems(query))
    needles = [(word, f" {word}" if word.isascii() else word) for word in asked]  # a stem begins its word
    forms: dict[str, str] = {}
    counted = [_Counted(skill, said) for skill in skills if (said := _said(skill, needles, forms))]
    weights = _weights(len(skills), counted)
    mean = sum(len(skill.description) for skill in skills) / (len(skills) or 1) or 1.0
    rows = [(_score(each, weights, mean), each) for each in counted]
    rows.sort(key=lambda row: (-row[0], row[1].skill.name))
    return [Match(each.skill, score, _is_well(each, asked, score, rows[0][0])) for score, each in rows]


def stems(text: str) -> list[str]:
    """The words of a text that say something, without their endings."""
    return [stem(word) for word in _telling(text)]


def stem(word: str) -> str:
    """The beginning of a word, without its ending: deploys, deployed, deploying and deployment are one."""
    if not word.isascii():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if word[-1] in "ey" and len(word) > _SHORTEST_STEM else word


def _telling(text: str) -> list[str]:
    """The words that say something, and the pieces of names in code."""
    said = folded(text) if text.isascii() else [part for word in folded(text) for part in _broken(word)]
    if pieces := compounds(text):
        said += folded(pieces)
    return [word for word in said if not _is_filler(word)]


def _is_filler(word: str) -> bool:
    return word in STOP_WORDS or word in FILLER


def _broken(word: str) -> list[str]:
    return pairs(word) if is_unbroken(word) else [word]


def _said(skill: Skill, needles: Sequence[tuple[str, str]], forms: dict[str, str]) -> dict[str, int]:
    """How often a skill says each of some words, those of its name counted more."""
    name = _spaced(skill.name)
    text, behind = name + _spaced(skill.description), len(name)
    found = {}
    for word, needle in needles:
        at = text.find(needle)
        if at >= 0 and (count := _times(word, needle, text, at, behind, forms)):
            found[word] = count
    return found


def _spaced(text: str) -> str:
    """The words of a text in lower case, with a blank before and behind each."""
    return f" {' '.join(words(text))} {compounds(text)} ".lower()


def _times(word: str, needle: str, text: str, at: int, behind: int, forms: dict[str, str]) -> int:
    """How often a text has a word in any form, from where its stem is found first."""
    count = 0
    while at >= 0:
        counts = NAME_COUNTS if at < behind else 1
        end = text.index(" ", at + 1)
        if needle == word:  # two letters of a script without blanks stand anywhere
            count += counts
        else:
            form = text[at + 1 : end]
            if form not in forms:
                forms[form] = "" if _is_filler(form) else stem(form)
            count += counts if forms[form] == word else 0
        at = text.find(needle, end)
    return count


def _weights(all: int, counted: Sequence[_Counted]) -> dict[str, float]:
    """What each word of a query counts: the rarer among the skills, the more."""
    having: dict[str, int] = {}
    for each in counted:
        for word in each.said:
            having[word] = having.get(word, 0) + 1
    return {word: log(1 + (all - count + 0.5) / (count + 0.5)) for word, count in having.items()}


def _score(each: _Counted, weights: dict[str, float], mean: float) -> float:
    damped = SATURATION * (1 - LENGTH + LENGTH * len(each.skill.description) / mean)
    return sum(weights[word] * count * (SATURATION + 1) / (count + damped) for word, count in each.said.items())


def _is_well(each: _Counted, asked: frozenset[str], score: float, best: float) -> bool:
    """Enough words of it are said, in a prompt that is about nothing else that fits better."""
    if score < WELL_SHARE * best:
        return False
    name = frozenset(stems(each.skill.name))
    own = name.union(stems(each.skill.description))
    needed = max(WELL_WORDS, WELL_PART * min(len(asked), len(own)))
    return len(each.said) + (bool(name) and name <= asked) >= needed
