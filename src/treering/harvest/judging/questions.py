"""Questions with their answers: an answer alone says nothing."""

from __future__ import annotations

import re

from treering.core.tuples import NamedTuple

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
    """The question that a paragraph opens with, if it is marked as one: by a "Q:", by bold letters, by an "A:"."""
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
    """A text without the "A:" in front of it."""
    mark = _ANSWER.match(text)
    return text[mark.end() :] if mark is not None and ":" in mark[0] else text


def is_reply(sentence: str) -> bool:
    return _REPLY.match(sentence) is not None


def unreplied(sentence: str) -> str:
    """What an answer says beside its yes or no."""
    reply = _REPLY.match(sentence)
    if reply is None or sentence.lower().startswith("because"):
        return sentence
    return sentence[reply.end() :].strip()
