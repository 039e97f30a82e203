"""What was found worth keeping."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, folded

TOLD, CORRECTION, PREFERENCE, FIX, DECISION, EPISODE = "told", "correction", "preference", "fix", "decision", "episode"
SEMANTIC, PROCEDURAL, EPISODIC = "semantic", "procedural", "episodic"
PROJECT, PERSON = "project", "user"
LONGEST = 400  # characters of a content

_DIGEST = 8  # bytes: enough for all that a person ever says
# What is told, corrected and wished for is one family: the same words may be heard as either.
_FAMILIES = {TOLD: "said", CORRECTION: "said", PREFERENCE: "said"}
_EMPTY = frozenset("a an the please always just".split())  # words that change nothing about what is meant
_LIGHT = STOP_WORDS | frozenset(
    "always never use using used please make let lets just keep now go going ve ll don".split()
)


class Catch(NamedTuple):
    kind: str
    content: str
    type: str = SEMANTIC
    scope: str = PROJECT
    trigger: str = ""
    action: str = ""
    outcome: str = ""
    confidence: float = 0.0
    line: str = ""  # of the turn that it rests on
    mark: str = ""  # the same for the same thing, wherever it was seen
    by: str = "user"  # whose words: the user's or the agent's


def marked(catch: Catch) -> Catch:
    """A catch with a mark. That of a fix is made of what was done, as the agent may speak of it only later."""
    if catch.mark:
        return catch
    told = f"{catch.trigger} {catch.action}" if catch.kind == FIX else catch.content
    words = " ".join(word for word in folded(told) if word not in _EMPTY)
    said = f"{_FAMILIES.get(catch.kind, catch.kind)}\n{words}"
    return catch._replace(mark=blake2b(said.encode("utf-8", "replace"), digest_size=_DIGEST).hexdigest())


@lru_cache(maxsize=4_096)  # what is caught in a session is compared with each of its prompts
def stems(text: str) -> frozenset[str]:
    """The words that say what a text is about, without a plural's s."""
    words = (word for word in folded(text) if word not in _LIGHT)
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)
