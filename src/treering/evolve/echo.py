"""Echoes: a text that only repeats what is known adds nothing, however it is framed."""

from __future__ import annotations

import re

from treering.core.words import words
from treering.evolve.likeness.saying import is_prefix, is_said, is_suffix
from treering.evolve.likeness.sentences import sentences, unmarked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MEMORY = r"(?:memory|memories|notes?|records?|context|knowledge|recall|what\s+(?:i|we)\s+(?:know|remember|recall))"
_WHO = r"(?:i|we|you|the\s+user|they|he|she)"
_SAID = r"(?:said|noted|mentioned|stated|told\s+me|wrote|recorded|established|discussed|remembered|recalled|asked)"
# What stands before a repeated sentence and says nothing about the world.
_FRAMES = re.compile(
    rf"""(?:
    (?:as|like)\s+(?:{_WHO}\s+)?(?:have\s+|has\s+|was\s+|were\s+|already\s+|just\s+)*{_SAID}
        (?:\s+(?:before|earlier|above|previously|already|last\s+time))?
    |(?:as\s+)?(?:previously|already|earlier)\s+{_SAID}
    |{_WHO}\s+(?:have\s+|had\s+|also\s+|already\s+|previously\s+|earlier\s+)*(?:recall|remember|know|{_SAID})(?:\s+that)?
    |(?:according\s+to|based\s+on|per|from|in)\s+(?:my|the|our|your|stored|long-term)\s+(?:\w+\s+)?{_MEMORY}
    |(?:from|per)\s+memory|based\s+on\s+what\s+(?:i|we)\s+(?:know|remember|recall)
    |from\s+(?:our|the|my)\s+(?:\w+\s+)?(?:conversations?|chats?|sessions?|talks?)
    |just\s+to\s+(?:confirm|recap|repeat|be\s+clear)
    |(?:my|the|our)\s+(?:\w+\s+)?(?:memory|memories|notes?|records?)\s+(?:says?|states?|tells?(?:\s+me)?|shows?)(?:\s+that)?
    |it\s+(?:is|was)\s+(?:already\s+)?(?:known|noted|recorded|remembered)(?:\s+that)?
    |(?:please\s+)?(?:note|remember|recall|keep\s+in\s+mind)\s+that
    |(?:a\s+)?(?:quick\s+)?(?:reminder|noted|note|memory|recalled|remembered|fyi|for\s+the\s+record|to\s+recap|in\s+short
        |so\s+far|again|also|okay|ok|yes|right|sure|understood|got\s+it|indeed|and|in\s+addition|additionally|furthermore)
    )\s*[,:;.!\u2013\u2014-]*\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_BEHIND = re.compile(
    rf"[\s,(\u2013\u2014-]{{1,4}}(?:as\s+(?:{_WHO}\s+)?(?:have\s+|already\s+|was\s+)*{_SAID}(?:\s+(?:before|earlier|above|previously))?"
    rf"|(?:according\s+to|from|per)\s+(?:my|the|our)\s+{_MEMORY}|from\s+memory|as\s+before|as\s+(?:always|known))[\s).!]*$",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(r"^\s*[\w-]+(?: · [^·]+){2,}$")  # k7qm2xva-41 · semantic · said by the user · 3 days ago
_ID = re.compile(r"^\[[\w-]+\]\s+")  # [k7qm2xva-41] before what it is
_ASIDE = re.compile(
    rf"^\((?:from|per|according\s+to|based\s+on)\s+(?:my\s+|our\s+|the\s+)?{_MEMORY}\)\s*", re.IGNORECASE
)
_TAG = re.compile(r"^\s*</?[\w:-]+[^>]*>\s*$")
_HEADING = re.compile(r"^[^.!?]{0,60}\b(?:memor(?:y|ies)|remember|recall|know|notes)\b[^.!?]{0,40}:$", re.IGNORECASE)
_JOINT = re.compile(r"\s*;\s+|,?\s+(?:and|plus|while|but)\s+(?:also\s+|that\s+)?|,\s+", re.IGNORECASE)
_QUOTES = "\"'“”\u2018\u2019`«»"
_EMPHASIS = "*_"
_MOST_JOINTS = 8  # places where a sentence may be two: more have lists, not statements


def echoed(text: str, known: Sequence[str]) -> bool:
    """Whether every sentence of it is said by what is known: it adds nothing. What has no words is no echo."""
    said = list(_known(known))
    spoken = list(_spoken(text))
    return bool(said and spoken) and all(_is_echo(sentence, said) for sentence in spoken)


def _known(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        if "\n" not in text.strip():
            yield _bare(text)
        yield from map(_bare, sentences(text))


def _spoken(text: str) -> Iterator[str]:
    """The sentences without their frames, and without those that are nothing but frame."""
    lines = [line for line in text.splitlines() if not (_ATTRIBUTION.match(line) or _TAG.match(line))]
    for sentence in sentences("\n".join(lines)):
        bare = _bare(sentence)
        if _HEADING.match(bare):
            continue
        rest = _unframed(bare)
        if words(rest):
            yield rest


def _bare(sentence: str) -> str:
    text = _ID.sub("", unmarked(" ".join(sentence.split())))
    return _ASIDE.sub("", text).strip(_QUOTES + _EMPHASIS).strip()


def _unframed(sentence: str) -> str:
    rest = _BEHIND.sub("", sentence)
    while True:
        match = _FRAMES.match(rest)
        if match is None or _is_word(rest, match):
            return rest
        rest = rest[match.end() :].strip().strip(_QUOTES)


def _is_word(rest: str, match: re.Match[str]) -> bool:
    """Whether the frame ends within a word, or is the beginning of something else: notes are, memory leaks."""
    end = match.end()
    if end < len(rest) and rest[end - 1].isalnum():
        return True
    head = match.group().rstrip()
    return len(head.split()) == 1 and head[-1:].isalnum() and end < len(rest)


def _is_echo(sentence: str, known: Sequence[str]) -> bool:
    if any(is_said(sentence, by) for by in known):
        return True
    return len(_JOINT.findall(sentence)) <= _MOST_JOINTS and _are_echoes(sentence, known)


def _are_echoes(sentence: str, known: Sequence[str]) -> bool:
    """Several known statements in one sentence. Each has to be whole: a word of one beside a word of another is new."""
    for joint in _JOINT.finditer(sentence):
        first, second = sentence[: joint.start()], sentence[joint.end() :]
        if not any(is_prefix(first, by) for by in known):
            continue
        if any(is_prefix(second, by) or is_suffix(second, by, first) for by in known) or _are_echoes(second, known):
            return True
    return False
