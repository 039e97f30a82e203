"""Judge the sentences of a prompt: is one worth keeping, of which kind is it, and for whom does it hold?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log2
from typing import NamedTuple

from treering.judge.features import Features, block, letters, runs, together, tokens
from treering.judge.learned import NOTHING, Learned
from treering.judge.model import load
from treering.judge.words import in_words
from treering.text.sentences import Sentence

KEEP, KIND, SCOPE = "keep", "kind", "scope"  # the files of weights, and the label of the first
LEADS, LIKELY = "leads", "likely"  # floors: from the one on it leads a briefing, from the other on it can be found
_AROUND = 0.2  # what the sentences beside it weigh, to 1 for its own words
_PLACED, _BEGIN, _TOGETHER = 0.7, 0.5, 0.7  # the same: words that stand alone, begin it, or stand in it together
_WEIGHED = 60  # features that are put into words: of one thing there are several
_HEARD = 25  # words of the agent's last ones that are looked at
_PERSON, _PROJECT, _PREFERENCE = "user", "project", "preference"
# From how likely on something holds for the person: of preferences three in four do, of anything else half of what is
# above. What is told of the person comes last in a briefing elsewhere, so that it costs little.
_PERSONAL, _SURELY = 0.15, 0.3
_CAPITAL = re.compile(r"(?<=[^.!?:\s] )[A-ZÀ-Ý][a-zà-ÿ]+")


class Verdict(NamedTuple):
    """What is thought of a sentence."""

    worth: float  # the probability that it is worth keeping
    kind: str  # told, correction, preference or decision
    scope: str  # project or user
    shipped: float = 0.0  # the same probability, without what was learned from this person

    @property
    def leads(self) -> bool:
        return self.worth >= load(KEEP).floors[LEADS]

    @property
    def likely(self) -> bool:
        return self.worth >= load(KEEP).floors[LIKELY]

    @property
    def moved(self) -> str:
        """What the person's verdicts changed, in words; nothing if it would be kept in the same way without."""
        before, after = (
            sum(worth >= floor for floor in load(KEEP).floors.values()) for worth in (self.shipped, self.worth)
        )
        if before == after:
            return ""
        return "it is like what you kept" if after > before else "it is like what you took back"


def features(said: Sequence[Sentence], at: int, before: str = "") -> Features:
    """Return what is seen of one sentence of a prompt, which follows what the agent said `before`."""
    sentence = said[at]
    words = tokens(sentence.text)
    earlier = tokens(said[at - 1].text) if at else ["none"]
    later = tokens(said[at + 1].text) if at + 1 < len(said) else ["none"]
    heard = tokens(before)[-_HEARD:] or ["none"]
    return {
        **block(runs(words, 3)),
        **block(letters(words)),
        **block([("alone: " if len(said) == 1 else "among: ") + run for run in runs(words, 2)], _PLACED),
        **block([f"starts: {' '.join(words[:count])}" for count in (1, 2, 3)], _BEGIN),
        **block(together(words), _TOGETHER),
        **block(dict.fromkeys(f"before: {word}" for word in earlier), _AROUND),
        **block(dict.fromkeys(f"after: {word}" for word in later), _AROUND),
        **block(dict.fromkeys(f"agent: {word}" for word in heard), _AROUND),
        **block(_shape(said, at, words, before)),
    }


def _shape(said: Sequence[Sentence], at: int, words: Sequence[str], before: str) -> list[str]:
    sentence, last = said[at], len(said) - 1
    place = "only" if not last else "first" if not at else "last" if at == last else "middle"
    found = [
        f"length {min(int(2 * log2(len(words) + 1)), 12)}",
        f"place {place} of {min(len(said), 6)}",
        "a question" if sentence.asks else "a statement",
        "an item of a list" if sentence.item else "prose",
        "pasted" if sentence.pasted else "typed",
        "the agent asked" if before.rstrip().endswith("?") else "the agent had not asked",
        "first turn" if not before else "later turn",
        f"capitals {min(len(_CAPITAL.findall(sentence.text)), 3)}",
        *(f"{kind} {min(words.count(kind), 2)}" for kind in ("Url", "Code", "Path", "Name", "Number")),
        *(f"heading: {word}" for word in tokens(sentence.heading)[:8]),
    ]
    found += ["before a question"] * (at < last and said[at + 1].asks)
    found += ["after a question"] * (at > 0 and said[at - 1].asks)
    return found + ["something was pasted"] * any(one.pasted for one in said)


def judge(said: Sequence[Sentence], at: int, before: str = "", learned: Learned = NOTHING) -> Verdict:
    """Judge one sentence of a prompt, with what was `learned` from the person."""
    seen = features(said, at, before)
    worth = load(KEEP).probability(seen, KEEP)
    kind, _ = load(KIND).best(seen)
    floor = _PERSONAL if kind == _PREFERENCE else _SURELY
    scope = _PERSON if load(SCOPE).probability(seen, _PERSON) >= floor else _PROJECT
    corrected = learned.corrected(said[at].text, worth) if learned.weights else worth
    return Verdict(corrected, kind, scope, worth)


def reasons(said: Sequence[Sentence], at: int, before: str = "") -> list[str]:
    """Return in words what speaks most for keeping a sentence."""
    return in_words(load(KEEP).reasons(features(said, at, before), KEEP, _WEIGHED))
