"""Split a document at its headings, and know what a heading makes of what stands below it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.harvest.inline import reduce
from treering.text.words import STOP_WORDS, folded

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block, Document

LONGEST_LABEL = 14  # words of a heading that are put in front of a fact; what is longer is a sentence
DEEPEST_LABEL = 2  # headings below the title that are put in front: the nearest say most

_NUMBER = re.compile(r"(?:\(?\d{1,3}(?:\.\d{1,3}){0,4}[.):]?|0\d{2,4}[.:]?)\s+(?=\S)(?![-\u2013\u2014])")
_WELCOME = re.compile(r"(?:welcome|introduction) to (?=\S)", re.IGNORECASE)
_ANCHOR = re.compile(r" ?\{[#.][^{}]*\}$| ?\u00b6$")
# Headings that tell a reader where he is and nothing about the subject.
_EMPTY_WORDS = STOP_WORDS | frozenset(
    """overview introduction intro features usage basics getting started quick quickstart start note notes details
    description summary general background documentation guide warning tip hint important info faq readme
    welcome design""".split()
)
# What turns the text below around: it is never left out.
_REVERSING = re.compile(
    r"\b(?:not|no|never|without|cannot|non-?\w*|won['\u2019]?t|don['\u2019]?t|out[- ]of[- ]scope|unsupported|"
    r"dropped|deprecated|removed|cancell?ed)\b",
    re.IGNORECASE,
)
# What a heading opens, by how it begins. The first that fits counts.
_CHOICES = r"(?:options|alternatives?|ideas|approaches|designs|solutions|proposals)"
_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern, re.IGNORECASE))
    for role, pattern in (
        ("licence", r"licen[cs](?:e|es|ing)\b"),
        (
            "skipped",
            r"(table of )?contents?$|toc$|(all |new )?contributors?\b|acknowledge?ments?|(special )?thanks|credits?$|"
            r"authors?$|maintainers$|sponsors?|copyright|citations?\b|citing|references?$|see also|further reading|"
            r"(useful )?(links|resources)$|related|community|get(ting)? (help|involved)|contact|code of conduct|"
            r"used by|screenshots?|.*\bexamples?$|demo$|feedback$|results$",
        ),
        (
            "unchosen",  # what was thought of and not done, and what nobody has decided
            rf"alternatives?\b|((considered|rejected|other|alternative|and) )+{_CHOICES}\b|"
            rf"{_CHOICES},? (\w+ )?(considered|rejected)|what we rejected|rejected$|pros and cons|"
            r"(open|unresolved) (questions|issues)$",
        ),
        ("status", r"status$"),
        ("options", r"options\b|decision drivers|discussion$"),
        ("decision", r"(the )?decisions?\b|resolution$|outcome$|chosen option"),
        ("consequences", r"((positive|negative) )?consequences"),
        ("context", r"context|problem( statement)?$|motivation|background"),
        ("plan", r".*\b(road ?map|milestones?|planned|plans|backlog|to-?do)\b"),
        ("changelog", r".*\b(change ?log|release (notes|history)|what'?s (new|changed))\b|changes$|history$"),
    )
)
_VERSION = re.compile(
    r"(?:version |release )?\[?v?\d+\.\d+[\w.+-]*\]?(?:\W+.{0,24}\d{2,4}.{0,12})?$|\[?unreleased\]?$", re.IGNORECASE
)


class Section(NamedTuple):
    path: tuple[str, ...]  # the headings above, the title first
    labels: tuple[str, ...]  # those of them that may stand in front of a fact
    roles: frozenset[str]  # what the headings of the path make of the section
    role: str  # of the nearest heading that has one
    blocks: tuple[Block, ...]


def plain(heading: str, links: frozenset[str] = frozenset()) -> str:
    """Return a heading as it may be quoted: on one line, without its number, markup and final stop.

    The number goes because it changes whenever a section is put in before it.
    """
    text = _ANCHOR.sub("", " ".join(reduce(heading, links).split()))
    if _VERSION.match(text):
        return text.replace("[", "").replace("]", "")
    number = _NUMBER.match(text)
    bare = text[number.end() :] if number is not None else text
    bare = _WELCOME.sub("", bare, count=1) if _WELCOME.match(bare) else bare
    return bare.strip("*_ #").rstrip(".:,;! ") or text


@lru_cache(maxsize=1024)  # the headings above are asked for every section below them
def role(heading: str) -> str:
    """Return what kind of section a plain heading opens, or nothing in particular."""
    if _VERSION.match(heading):
        return "version"
    return next((name for name, pattern in _ROLES if pattern.match(heading)), "")


def named(path: str) -> str:
    """Return a title for a document that has none: the name of its file, or of its folder if the file is a README."""
    pieces = [piece for piece in path.replace("\\", "/").split("/") if piece not in ("", ".", "..")]
    if not pieces:
        return ""
    stem = pieces[-1].rsplit(".", 1)[0]
    if stem.lower() in ("readme", "index", "metadata"):
        stem = pieces[-2] if len(pieces) > 1 else ""
    name = " ".join(re.sub(r"^\d{1,5}[-_. ]+", "", stem).replace("_", " ").replace("-", " ").split())
    return name[:1].upper() + name[1:]


def reverses(text: str) -> bool:
    """Return whether what stands below would say the opposite without this text."""
    return _REVERSING.search(text) is not None


def says_something(heading: str) -> bool:
    return any(word not in _EMPTY_WORDS for word in folded(heading))


def lead(labels: list[str], text: str, own: str = "") -> str:
    """Return the text with what is needed in front of it to be understood alone.

    It depends on the headings above the text and on the text, and on nothing beside it: a fact
    stays the same when its neighbours change. A heading whose words are all in the text, or in a
    nearer heading, is left out; one that turns the text around is not, nor the text's own label.
    """
    said = _stems(text) | _stems(own)
    chosen = [own] if own and says_something(own) and not text.lower().startswith(own.lower()) else []
    for label in reversed(labels):  # from the nearest, which is the most telling
        stems = _stems(label)
        if reverses(label) or (says_something(label) and not stems <= said):
            chosen.insert(0, label)
            said |= stems
    front = ", ".join(label.replace(": ", " \u2013 ") for label in chosen)
    if not front:
        return text
    return f"{front} {text}" if front.endswith("?") else f"{front}: {text}"


def _stems(text: str) -> set[str]:
    """Return words without their plural, so that a heading in the plural is seen in a sentence in the singular."""
    return {word.rstrip("s") or word for word in folded(text) if word not in STOP_WORDS}


def sections(document: Document, name: str) -> list[Section]:
    """Return the sections of a document, in order, without its generated parts."""
    title = plain(document.front.get("title", "")) or named(name)
    path: list[tuple[int, str]] = []
    body: list[Block] = []
    found: list[Section] = []
    generated = False
    for block in document.blocks:
        if block.kind in ("begin", "end"):
            generated = block.kind == "begin"
        elif block.kind == "heading" and not generated:
            found.append(_section(path, body, title))
            heading = plain(block.text, document.links)
            path = [(level, text) for level, text in path if level < block.level]
            path += [(block.level, heading)] if heading else []
            body = []
        elif not generated:
            body.append(block)
    found.append(_section(path, body, title))
    return [section for section in found if section.blocks]


def _section(path: list[tuple[int, str]], body: list[Block], title: str) -> Section:
    """Return a section, with the title, the nearest headings and those that turn the text around as its labels."""
    own = [text for _, text in path]
    roles = [role(text) for text in own]
    headed = bool(path) and path[0][0] == 1 and says_something(own[0])
    above = [*own] if headed else [title, *own]
    near = max(1, len(above) - DEEPEST_LABEL)
    labels = [label for place, label in enumerate(above) if place in (0, *range(near, len(above))) or reverses(label)]
    nearest = next((name for name in reversed(roles) if name), "")
    return Section(tuple(own), tuple(map(_short, labels)), frozenset(roles), nearest, tuple(body))


def _short(label: str) -> str:
    words = label.split()
    return label if len(words) <= LONGEST_LABEL else " ".join(words[:LONGEST_LABEL]).rstrip(",;:") + " \u2026"
