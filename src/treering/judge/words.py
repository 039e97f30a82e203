"""Say in words why a sentence was judged as it was: what weighed most, as a person would name it."""

from __future__ import annotations

from collections.abc import Iterable

from treering.judge.features import KINDS
from treering.judge.model import Reason

MOST = 3  # reasons that are told
_LEAST = 0.15  # of the strongest reason: what weighs less is not told beside it
_NAMED = {"Url": "an address", "Code": "code", "Path": "a path", "Name": "a name", "Number": "a number"}
_SHAPES = {
    "the agent asked": "it answers a question",
    "an item of a list": "it is an item of a list",
    "a statement": "it is a statement",
    "after a question": "it follows a question",
}
_SAID = ("alone: ", "among: ")  # where it stands tells a person nothing
_AROUND = {
    "before: ": "after a sentence with {}",
    "after: ": "before a sentence with {}",
    "agent: ": "after {} was said",
}
_BETWEEN = " … "


def in_words(reasons: Iterable[Reason], most: int = MOST) -> list[str]:
    """Return the strongest reasons for a verdict in words, each thing once."""
    told: dict[str, float] = {}
    for feature, weight in reasons:
        if phrase := _phrase(feature):
            told[phrase] = told.get(phrase, 0.0) + weight
    ranked = sorted((phrase for phrase in told if told[phrase] > 0), key=lambda phrase: -told[phrase])
    chosen: list[str] = []
    for phrase in ranked:
        if told[phrase] >= _LEAST * told[ranked[0]] and not any(_within(phrase, other) for other in chosen):
            chosen.append(phrase)
    return chosen[:most]


def _phrase(feature: str) -> str:
    for place in _SAID:
        feature = feature.removeprefix(place)
    if feature.startswith(("~", "length ", "place ", "capitals ", "heading: ")):
        return ""
    for prefix, words in _AROUND.items():
        if feature.startswith(prefix):
            word = feature.removeprefix(prefix)
            return words.format(_quoted(word)) if word.isalpha() and word != "none" and word not in KINDS else ""
    kind, _, count = feature.partition(" ")
    if kind in KINDS and (not count or count.isdigit()):
        return "" if count == "0" else f"it names {_NAMED[kind]}"
    if feature.startswith("starts: "):
        return _says(feature.removeprefix("starts: "), "it begins with")
    return _SHAPES.get(feature) or _says(feature, "it says")


def _says(words: str, how: str) -> str:
    """Return what is said, unless it is only marks and kinds."""
    parts = [part.strip(" ^$,;:.!?()`*") for part in words.split(_BETWEEN)]
    if any(not any(map(str.isalpha, part)) or set(part.split()) & KINDS for part in parts) or words in _UNSAID:
        return ""
    return f"{how} {' and '.join(map(_quoted, parts))}"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _within(phrase: str, other: str) -> bool:
    """Tell whether a phrase quotes only words that another one quotes."""
    mine, theirs = (set(" ".join(text.split('"')[1::2]).split()) for text in (phrase, other))
    return bool(mine) and (mine <= theirs or theirs <= mine)


# Features of shape that say nothing to a person.
_UNSAID = frozenset(
    (
        "a question",
        "prose",
        "typed",
        "pasted",
        "the agent had not asked",
        "first turn",
        "later turn",
        "before a question",
        "something was pasted",
    )
)
