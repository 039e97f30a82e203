"""Find the conventions and decisions in a text, in its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LEAST, _MOST = 3, 40  # words of a rule: two say nothing, and more than forty are a story
_SENTENCE = re.compile(r"(?:[^.!?;\n]|\.(?=\S))+[?]?")
_LEAD = r"(?:(?:and|but|so|also|please|note|rule|convention|reminder|policy)\b[:,]? )*"
_SETTLED = r"(?:we|I|team|everyone|finally|have|we've) (?:decided|agreed|settled)"
_RULE = re.compile(
    rf"{_LEAD}(?P<rule>(?:(?:(?:we|I) )?(?:always|never(?! (?:mind|again|found|got|saw|had)\b)|prefer)|"
    r"avoid|do not|don't|no \w+ing|stop \w+ing|"
    r"[\w`'-]+(?: [\w`'-]+){0,4} (?:must|should) (?:not|never|always|stay)|"
    r"(?:all|every|everything|each|any|only|new) (?:[^\s,]+ ){1,6}(?:must|should))\b.*)",
    re.IGNORECASE,
)
_DECISION = re.compile(
    rf"(?:{_SETTLED}|decision|verdict)(?: (?:to|that|on))?(?:: ?| )(?P<what>[^,:]+)|"
    rf".*?\b{_SETTLED} (?:to |that |on )?(?P<later>[^,:]+)",
    re.IGNORECASE,
)
_TAIL = re.compile(r",.*|\s+because\b.*", re.DOTALL)
_DOUBT = re.compile(r"\b(?:if|when|while|although|why|not yet|haven't|hasn't) |\bit\b", re.IGNORECASE)


class Statement(NamedTuple):
    type: str
    start: int  # characters
    end: int
    confidence: float


def statements(text: str) -> Iterator[Statement]:
    """Yield the rules ("never push on Friday") and what was settled ("we decided to keep Redis")."""
    for match in _SENTENCE.finditer(text):
        said = match[0].rstrip()
        start = match.start() + len(said) - len(said.lstrip())
        said = said.strip(" *->\u2022")
        start = text.find(said, start)
        if said.endswith("?") or not said:
            continue
        settled, rule = _DECISION.match(said), _RULE.match(said)
        group, type = (settled, "decision") if settled else (rule, "convention")
        if group is None:
            continue
        at = group.start(group.lastgroup or 0)
        what = _TAIL.sub("", group[group.lastgroup or 0]).rstrip(" .:")
        if _LEAST <= len(what.split()) <= _MOST and not _DOUBT.search(what):
            yield Statement(type, start + at, start + at + len(what), 0.75)
