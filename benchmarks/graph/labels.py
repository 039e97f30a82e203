"""Labelled notes, and when a name that was found is the one that a reader wrote down. README.md has the rules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
SENTENCES = frozenset({"convention", "decision"})  # whose names are clauses, and have no certain end
PRODUCTS = frozenset({"tool", "library", "project"})  # whose versions are no part of their names
ALIKE = 0.5  # of the words of the shorter clause: readers agree on the core of a rule, not on its ends

_ARTICLE = re.compile(r"^(?:the|an?|our|this)\s+")
_QUOTES = " \t\n`'\"\u201c\u201d\u2018\u2019"
_CALL = re.compile(r"(?<=\w)\([^()]*\)$")
_OWNER = re.compile(r"['\u2019]s$")
_VERSION = re.compile(r"(?:\s+|@|==|[<>]=?)v?\d+(?:\.\w+)*\+?$")
# What has no type of its own among the ten: addresses, versions alone, numbers of issues.
_ADDRESS = re.compile(r"\w+://\S*|www\.\S+|[\w.+-]+@[\w-]+\.[\w.-]+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.example(?:/\S*)?")
_NUMBER = re.compile(r"#?v?\d+(?:\.\w+)*\+?|[a-z]{2,4}-\d+")


class Named(NamedTuple):
    """An entity as a reader labelled it."""

    name: str
    names: frozenset[str]  # plain ones: its own, and others that the note has for it
    types: tuple[str, ...]  # the label, then the others that are right too
    optional: bool

    def is_named(self, name: str) -> bool:
        return name in self.names or (
            not PRODUCTS.isdisjoint(self.types) and unversioned(name) in set(map(unversioned, self.names))
        )

    def is_said(self, name: str) -> bool:
        """Whether a clause says what this one does."""
        return not SENTENCES.isdisjoint(self.types) and any(alike(name, each) for each in self.names)


class Related(NamedTuple):
    """A relation as a reader labelled it."""

    source: Named
    types: tuple[str, ...]
    target: Named
    optional: bool


class Note(NamedTuple):
    id: str
    text: str
    entities: tuple[Named, ...]
    relations: tuple[Related, ...]


def notes(path: str) -> Iterator[Note]:
    """All the notes of a file."""
    for row in rows(path):
        named = {each["name"]: _named(each) for each in row["entities"]}
        related = tuple(_related(each, named) for each in row["relations"])
        yield Note(row["id"], row["text"], tuple(named.values()), related)


def rows(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _named(row: Mapping[str, Any]) -> Named:
    names = frozenset(map(plain, (row["name"], *row.get("aka", ()))))
    return Named(row["name"], names, (row["type"], *row.get("also", ())), row.get("optional", False))


def _related(row: Mapping[str, Any], named: Mapping[str, Named]) -> Related:
    types = (row["type"], *row.get("also", ()))
    return Related(named[row["source"]], types, named[row["target"]], row.get("optional", False))


def plain(name: str) -> str:
    """A name as it is compared: lower case, without quotes, article, owner's s, arguments and closing slash."""
    bare = _ARTICLE.sub("", name.lower().strip(_QUOTES).rstrip(_QUOTES + ".,;:!?"))
    bare = _OWNER.sub("", _CALL.sub("", bare)).replace("`", "")
    handle = bare[1:] if bare.startswith("@") and "/" not in bare else bare
    return handle.rstrip("/\\") or bare


def unversioned(name: str) -> str:
    return _VERSION.sub("", name)


def alike(one: str, other: str) -> bool:
    """Whether two clauses share enough words."""
    mine, theirs = _words(one), _words(other)
    return bool(mine and theirs) and len(mine & theirs) >= ALIKE * min(len(mine), len(theirs))


def _words(clause: str) -> set[str]:
    return {word.strip(_QUOTES + ".,;:!?()") for word in clause.lower().split()} - {""}


def without_type(name: str) -> bool:
    """Whether a name has a form that no type was made for, so that it counts neither way."""
    return bool(_ADDRESS.fullmatch(name) or _NUMBER.fullmatch(name))


def meant(name: str, type: str, entities: Iterable[Named]) -> Named | None:
    """Which labelled entity is found under a name; the same name comes before the same words."""
    every = tuple(entities)
    same = [each for each in every if each.is_named(name)]
    if not same and type in SENTENCES:
        same = [each for each in every if each.is_said(name)]
    return min(same, key=lambda each: (type not in each.types, each.optional), default=None)
