"""Find echoes: texts that only repeat what is known.

An echo is not stored, so it must repeat the known words in the same order and form. Only the words
that frame them may differ ("as I said before, …").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from treering.evolve.same import LIMITS, even, is_even, sentences, tokens, unmarked
from treering.text.words import folded, words

Words = tuple[str, ...]

_MEMORY = r"(?:memory|memories|notes?|records?|context|knowledge|recall|what\s+(?:i|we)\s+(?:know|remember|recall))"
_WHO = r"(?:i|we|you|the\s+user)"
_SAID = r"(?:said|noted|mentioned|stated|told\s+me|wrote|recorded|established|discussed|remembered|recalled)"
# Words before a repeated sentence that add nothing to it.
_FRAMES = re.compile(
    rf"""(?:
    (?:as|like)\s+(?:{_WHO}\s+)?(?:have\s+|has\s+|was\s+|were\s+|already\s+|just\s+)*{_SAID}
        (?:\s+(?:before|earlier|above|previously|already|last\s+time))?
    |(?:as\s+)?(?:previously|already|earlier)\s+{_SAID}
    |as\s+(?:i|we|you)\s+(?:already\s+)?(?:know|remember|recall)
    |{_WHO}\s+(?:have\s+|had\s+|also\s+|already\s+|previously\s+|earlier\s+)*(?:recall|remember|know|knew|{_SAID})
        (?:\s+from\s+memory)?(?:\s+that)?
    |(?:i|we)\s+(?:was|were|have\s+been)\s+told(?:\s+that)?
    |(?:according\s+to|based\s+on|per|from|in)\s+(?:my|the|our|your|stored|long-term)\s+(?:stored\s+|long-term\s+)?{_MEMORY}
    |(?:from|per)\s+memory|based\s+on\s+what\s+(?:i|we)\s+(?:know|remember|recall)
    |from\s+(?:our|the|my)\s+(?:\w+\s+)?(?:conversations?|chats?|sessions?|talks?)
    |just\s+to\s+(?:confirm|recap|repeat|be\s+clear)
    |(?:(?:my|the|our)\s+)?(?:memory|memories|notes?|records?)\s+(?:says?|states?|tells?(?:\s+me)?|shows?)(?:\s+that)?
    |it\s+(?:is|was)\s+(?:already\s+)?(?:known|noted|recorded|remembered)(?:\s+that)?
    |(?:please\s+)?(?:note|remember|recall|keep\s+in\s+mind|do\s+not\s+forget|don['\u2019]t\s+forget)\s+that
    |(?:please\s+)?(?:remember|keep\s+in\s+mind|do\s+not\s+forget|don['\u2019]t\s+forget)(?=\s*:)
    |(?:important|key\s+point|fact|known|known\s+fact|context|til|learned\s+today|(?:session\s+)?summary|in\s+summary)(?=\s*:)
    |(?:a\s+)?(?:quick\s+)?(?:reminder|noted|note|memory|recalled|remembered|fyi|for\s+the\s+record|to\s+recap|in\s+short
        |so\s+far|again|also|okay|ok|yes|right|sure|understood|got\s+it|indeed|and|in\s+addition|additionally|furthermore)
    )\s*[,:;.!\u2013\u2014-]*\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_BEHIND = re.compile(
    rf"[\s,(\u2013\u2014-]{{1,4}}(?:as\s+(?:{_WHO}\s+)?(?:have\s+|already\s+|was\s+)*{_SAID}(?:\s+(?:before|earlier|above|previously))?"
    rf"|(?:according\s+to|from|per)\s+(?:my|the|our)\s+{_MEMORY}|from\s+memory|as\s+before|as\s+(?:always|known|we\s+know))[\s).!]*$",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(r"^\s*\w+-\d+(?: · [^·]+){2,}$")  # k7qm2xva-41 · semantic · said by the user · 3 days ago
_ID = re.compile(r"^\[\w+-\d+\]\s+")  # [k7qm2xva-41] before what it is
_ASIDE = re.compile(
    rf"^\((?:from|per|according\s+to|based\s+on)\s+(?:my\s+|our\s+|the\s+)?{_MEMORY}\)\s*", re.IGNORECASE
)
_TAG = re.compile(r"^\s*</?(?:treering[\w-]*|memor(?:y|ies)|notes?|context|recall(?:ed)?)\b[^>]*>\s*$")
# The words of a heading that says only that what is known follows: "Here is what I remember about this:". With any
# other word it says something: "What I know is outdated:".
_HEADING = frozenset(
    """a about according all an and are context facts far fence following for found from got here i in is it its know
    known long memories memory my note notes of our output recall recalled relevant remember remembered result results
    returned said says session so stored summary term that the these this to told tool us was we were what you
    your""".split()
)
_JOINT = re.compile(r"\s*;\s+|,?\s+(?:and|plus)\s+(?:also\s+|that\s+)?|,\s+", re.IGNORECASE)
_QUOTES = "\"'“”\u2018\u2019`«»"
_EMPHASIS = "*_"
_MOST_JOINTS = 8  # places where a sentence may be two: more have lists, not statements
_LEAST_SHARED = 1  # words: Ann likes tea and lives in Porto
_MOST_SHARED = 3
_KEPT = 1_024  # known texts whose words are kept: the same few are asked about again and again


def echoed(text: str, known: Sequence[str]) -> bool:
    """Tell whether what is known says every sentence of a text. A text without words is no echo."""
    said: frozenset[Words] = frozenset().union(*map(_said_by, known))
    spoken = list(_spoken(text))
    if not said or not spoken:
        return False
    if _is_said(" ".join(spoken), said):
        return True
    return all(_is_echo(sentence, said) for sentence in spoken) and _in_order(spoken, known)


def announces(text: str) -> bool:
    """Tell whether a text says only that what is known follows."""
    return _HEADING.issuperset(folded(text))


def _in_order(spoken: Sequence[str], known: Sequence[str]) -> bool:
    """Tell whether repeated sentences stand in the order of their text, with none left out between."""
    for text in known:
        places = {tokens(_bare(sentence)): at for at, sentence in enumerate(sentences(text))}
        found = [places[said] for said in map(tokens, spoken) if said in places]
        if found != [*range(found[0], found[0] + len(found))] if found else False:
            return False
    return True


@lru_cache(_KEPT)
def _said_by(text: str) -> frozenset[Words]:
    """Return the words of a text as a whole and of each sentence above its first heading."""
    found = [_bare(sentence) for sentence in sentences(text)]
    headed = next((at for at, sentence in enumerate(found) if sentence.endswith(":")), len(found))
    said = frozenset(filter(None, map(tokens, (_bare(text), " ".join(found), *found[:headed]))))
    return said | frozenset(map(even, said))


def _spoken(text: str) -> Iterator[str]:
    """Yield the sentences without their frames; skip those that are only a frame."""
    lines = [line for line in text.splitlines() if not (_ATTRIBUTION.match(line) or _TAG.match(line))]
    for sentence in sentences("\n".join(lines)):
        bare = _bare(sentence)
        if (bare.endswith(":") or bare.startswith("#")) and announces(bare):
            continue
        rest = _unframed(bare)
        if words(rest) or tokens(rest):
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
        rest = rest[match.end() :].strip().strip(_QUOTES + _EMPHASIS)


def _is_word(rest: str, match: re.Match[str]) -> bool:
    """Tell whether the frame ends within a word, or begins something else: "notes are", "memory leaks"."""
    end = match.end()
    if end < len(rest) and rest[end - 1].isalnum():
        return True
    head = match.group().rstrip()
    return len(head.split()) == 1 and head[-1:].isalnum() and end < len(rest)


def _is_said(sentence: str, known: Set[Words]) -> bool:
    said = tokens(sentence)
    return said in known or (is_even(sentence) and even(said) in known)


def _is_echo(sentence: str, known: Set[Words]) -> bool:
    if _is_said(sentence, known):
        return True
    return len(_JOINT.findall(sentence)) <= _MOST_JOINTS and _are_echoes(sentence, known)


def _are_echoes(sentence: str, known: Set[Words]) -> bool:
    """Tell whether a sentence joins several known statements, each of them whole."""
    for joint in _JOINT.finditer(sentence):
        first, second = tokens(sentence[: joint.start()]), sentence[joint.end() :]
        if first not in known or not (";" in joint.group() or LIMITS.isdisjoint(first)):
            continue  # never push, and deploy: what limits the first may limit the second
        if _is_said(second, known) or _is_shared(first, tokens(second), known) or _are_echoes(second, known):
            return True
    return False


def _is_shared(first: Words, second: Words, known: Set[Words]) -> bool:
    """Tell whether two statements share their subject: Ann likes tea and lives in Porto."""
    return any(first[:size] + second in known for size in range(_LEAST_SHARED, min(_MOST_SHARED + 1, len(first))))
