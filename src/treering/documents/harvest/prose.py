"""Split a text into sentences, and join each with those that lean on it: a thought."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from treering.text.sentences import spans

FEWEST_WORDS = 5  # fewer are a label or an exclamation
MOST_WORDS = 80  # more is no longer one thought
LONGEST_SENTENCE = 100  # words; one sentence cannot be cut, so it may run over a little

# A quotation in a document may hold several sentences, so its marks count as other marks.
_QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u00ab\u00bb', "'"))
_CLOSED = re.compile(r"`[^`]+`|\([^()]*\)")
# How a sentence begins that points back to the one before it.
_LEANING = re.compile(
    r"(?:\(|so|but|however|therefore|otherwise|thus|instead|also|then|and|or|yet|still|besides|moreover|similarly|"
    r"finally|again|for (?:example|instance)|in (?:addition|particular|other words|both cases)|as a result|"
    r"the (?:same|other|second|third|rest)|another|e\.g\.|i\.e\.)(?!\w)|"
    r"(?:(?:in|with|after|for|from|at|on|by|to|as|because|of|when|if|once|while|without|until|before|all|\w+ing) )?"
    r"(?:this|that|these|those|it|its|it's|that's|they|them|their|he|she|such|both)\b",
    re.IGNORECASE,
)
_REPLY = re.compile(r"(?:yes|no|sure|maybe|not yet|it depends)(?:[,.;!:]|$)|because\b[^,]*$|a\d?:\s", re.IGNORECASE)


class Sentence(NamedTuple):
    text: str  # on one line
    line: int  # lines below the start of the text


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a reduced text. What stands in code or in brackets never ends one."""
    closed = _CLOSED.sub(_masked, text).translate(_QUOTES)
    return [
        Sentence(" ".join(text[start:end].split()), text.count("\n", 0, start))
        for start, end in spans(closed)
        if text[start:end].strip()
    ]


def _masked(part: re.Match[str]) -> str:
    """Return as many characters as the part has, without its marks; brackets around a whole sentence keep its end."""
    whole = part[0][0] == "(" and part[0][-2] in ".!?" and count(part[0]) >= FEWEST_WORDS
    return "x" * (len(part[0]) - 2) + (part[0][-2:] if whole else "xx")


def leans(sentence: str) -> bool:
    """Return whether it points back to the sentence before it, and says little alone."""
    return _LEANING.match(sentence) is not None


def is_reply(sentence: str) -> bool:
    """Return whether a sentence is an answer, and no statement without its question."""
    return _REPLY.match(sentence) is not None


def thoughts(found: list[Sentence], wanted: Callable[[str], bool], grounded: bool) -> list[Sentence]:
    """Join sentences with those that lean on them, as far as the whole stays a thought.

    What is not wanted takes along what leans on it. The first may lean only if the text is grounded: if what stands
    above it says what it points to. An answer goes with its question.
    """
    joined: list[Sentence] = []
    lost = not grounded  # whether what the next sentence leans on is not there
    asked: Sentence | None = None
    for place, sentence in enumerate(found):
        if sentence.text.endswith("?"):
            asked, lost = sentence, True
            continue
        reply = is_reply(sentence.text) and not (grounded and place == 0)
        if reply and asked is not None:
            joined.append(asked)
            lost = False
        asked = None
        leaning = reply or leans(sentence.text) or (bool(joined) and count(sentence.text) < FEWEST_WORDS)
        if not leaning or (grounded and place == 0):
            lost = not wanted(sentence.text)
            joined += [] if lost else [sentence]
        elif joined and not lost and wanted(sentence.text):
            whole = f"{joined[-1].text} {sentence.text}"
            lost = count(whole) > MOST_WORDS
            joined[-1] = joined[-1] if lost else joined[-1]._replace(text=whole)
    return joined


def count(text: str) -> int:
    """Return how many words a text has. A script without blanks has about one word in two characters."""
    words = len(text.split())
    if text.isascii():
        return words
    return words + sum("\u3040" <= letter <= "\u9fff" for letter in text) // 2
