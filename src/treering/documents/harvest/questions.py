"""Read questions with their answers, as an answer alone says nothing, and the licence of a project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.harvest.inline import reduce

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block


LONGEST_QUESTION = 200  # characters; what is longer tells a story

_MARKED = re.compile(r"\s*Q(?:uestion)?\s?\d{0,3}\s?[:.)]\s*", re.IGNORECASE)
_ANSWER = re.compile(r"\s*A(?:nswer)?\s?\d{0,3}\s?[:.)]\s*(?=\S)", re.IGNORECASE)
_BOLD = re.compile(r"\s*(?:\*\*|__)([^*\n]{3,200}\?)\s*(?:\*\*|__)")
_ASKED = re.compile(r"[^?]{2,200}\?(?=\s|$)")
# How a sentence begins that is an answer, and no statement without its question.
_REPLY = re.compile(
    r"because\b[^,]*$|"
    r"(?:yes|yep|no|nope|sure|maybe|not yet|not really|it depends|of course)(?:[,.;!:]| [-\u2013\u2014] |$)|"
    r"a(?:nswer)?\s?\d{0,3}:\s",
    re.IGNORECASE,
)


class Asked(NamedTuple):
    question: str  # "" if nothing is asked
    answer: str  # what is left of the text
    skipped: int  # lines that went with the question


def asked(raw: str, text: str) -> Asked:
    """Return the question that a paragraph opens with, if it is marked as one: by a "Q:", by bold
    letters, by an "A:".
    """
    marked = _MARKED.match(text)
    start = marked.end() if marked is not None else 0
    found = _ASKED.match(text, start)
    if found is None or len(found[0]) > LONGEST_QUESTION:
        return Asked("", text, 0)
    end = found.end()
    reply = _ANSWER.match(text, end)
    if marked is None and reply is None and _BOLD.match(raw) is None:
        return Asked("", text, 0)
    end = reply.end() if reply is not None else end
    return Asked(" ".join(found[0].split()), text[end:], text[:end].count("\n"))


def answered(text: str) -> str:
    """Return a text without the "A:" in front of it."""
    mark = _ANSWER.match(text)
    return text[mark.end() :] if mark is not None and ":" in mark[0] else text


def is_reply(sentence: str) -> bool:
    return _REPLY.match(sentence) is not None


def unreplied(sentence: str) -> str:
    """Return what an answer says beside its yes or no."""
    reply = _REPLY.match(sentence)
    if reply is None or sentence.lower().startswith("because"):
        return sentence
    return sentence[reply.end() :].strip()


LONGEST_STATEMENT = 400  # characters of the paragraph that names the licence; a longer one is its text

# What it is called in short, by what it may be called in full. The first that fits counts.
_NAMES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE))
    for name, pattern in (
        ("MIT", r"MIT"),
        (
            "Apache-2.0",
            r"Apache(?:[- ]2(?:\.0)?| Licen[cs]e,?(?: Version)? 2(?:\.0)?| Software Licen[cs]e| Licen[cs]e)",
        ),
        ("BSD-3-Clause", r"(?:BSD[- ]3|3)[- ]Clause(?: BSD)?|(?:new|modified) BSD"),
        ("BSD-2-Clause", r"(?:BSD[- ]2|2)[- ]Clause(?: BSD)?|simplified BSD"),
        ("BSD", r"BSD"),
        ("AGPL-3.0", r"(?:GNU )?AGPL[- ]?v?(?:3(?:\.0)?)?|(?:GNU )?Affero General Public Licen[cs]e"),
        ("LGPL", r"(?:GNU )?LGPL(?:[- ]?v?[23](?:\.[01])?)?|(?:GNU )?Lesser General Public Licen[cs]e"),
        ("GPL-3.0", r"(?:GNU )?GPL[- ]?v?3(?:\.0)?|GNU General Public Licen[cs]e,?(?: version| v)? ?3(?:\.0)?"),
        ("GPL-2.0", r"(?:GNU )?GPL[- ]?v?2(?:\.0)?|GNU General Public Licen[cs]e,?(?: version| v)? ?2(?:\.0)?"),
        ("GPL", r"(?:GNU )?GPL|GNU General Public Licen[cs]e"),
        ("MPL-2.0", r"MPL(?:[- ]2(?:\.0)?)?|Mozilla Public Licen[cs]e"),
        ("ISC", r"ISC"),
        ("EUPL", r"EUPL|European Union Public Licen[cs]e"),
        ("EPL-2.0", r"EPL[- ]2(?:\.0)?|Eclipse Public Licen[cs]e"),
        ("BUSL", r"BUSL(?:-1\.1)?|Business Source Licen[cs]e"),
        ("CC0", r"CC0|(?:the )?public domain"),
        ("CC BY", r"CC[- ]BY(?:-\w\w){0,2}|Creative Commons Attribution"),
        ("Unlicense", r"(?:the )?Unlicense"),
        ("PSF", r"PSF|Python Software Foundation Licen[cs]e"),
        ("zlib", r"zlib licen[cs]e"),
        ("a proprietary licence", r"proprietary"),
    )
)
_HEADING = re.compile(r"licen[cs](?:e|es|ing)\b|copyright and licen[cs]e", re.IGNORECASE)
_UNDER = r"(?:dual[- ])?(?:licen[cs]ed|released|distributed|available|published|provided) (?:to you )?under"
# The project itself: the icons of a package may have another licence.
_STATEMENT = re.compile(
    rf"(?:(?:this|the) (?:project|package|library|software|repository|repo|program|tool|code|source code|module|app|"
    rf"application|work) (?:is|are) |(?P<name>[\w.-]+(?: [\w.-]+)?) is |all code is )?(?:open[- ]source,? )?"
    rf"(?:and )?(?:free,? )?{_UNDER}\b|licen[cs]e: ",
    re.IGNORECASE,
)


def licence(block: Block, path: tuple[str, ...], links: frozenset[str]) -> str:
    """Return the licence that a paragraph gives to the project of the document, or nothing."""
    if block.kind not in ("paragraph", "item") or len(block.text) > LONGEST_STATEMENT:
        return ""
    headed = len(path) < 3 and path[-1:] != () and _HEADING.match(path[-1]) is not None
    if not headed and " under " not in block.text and not block.text.lower().startswith("licen"):
        return ""
    text = " ".join(reduce(block.text, links).split())
    told = _STATEMENT.match(text)
    # "Foo is distributed under MIT" in the README of Foo; another name is another project.
    ours = told is not None and (not told["name"] or (path[:1] != () and told["name"].lower() in path[0].lower()))
    if not (ours or (headed and (told is None or not told["name"]))):
        return ""
    found = {}
    for name, pattern in _NAMES:
        if place := pattern.search(text):
            found[place.start()] = name
            text = f"{text[: place.start()]}{' ' * len(place[0])}{text[place.end() :]}"
    names = [found[place] for place in sorted(found)]
    return "" if len(names) not in (1, 2) else (" or " if " or " in text.lower() else " and ").join(names)
