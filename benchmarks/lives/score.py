"""Count what was before the agent at each prompt, and what was captured."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.lives.life import Fact, Probe, Session, Turn

Counts = Counter[str]


class Heard(NamedTuple):
    """What the memory said at one turn, beside what was labelled for it."""

    probe: Probe
    brief: str
    said: str  # by the user, earlier in the session
    before: str  # all that the memory said in the session so far
    prompt: str  # what the hook said to the prompt
    later: str  # what it said to commands that failed in this turn


class Missing(NamedTuple):
    """A wanted fact that was not before the agent, or a replaced one that was."""

    session: str
    prompt: str
    fact: str
    gist: str
    why: str


class Score:
    """Counts of one life, and the wanted facts that were missing."""

    def __init__(self, why: Callable[[Fact, str], str], stays: Callable[[Fact, Fact | None, str], str]) -> None:
        """`why` tells why a fact is missing in a project, and `stays` why one that was replaced is shown."""
        self._why, self._stays = why, stays
        self.counts: Counts = Counter()
        self.missing: list[Missing] = []
        self.stale: list[Missing] = []  # replaced facts that were shown without the new one
        self.wrong: list[str] = []  # texts of memories that hold no labelled fact
        self._facts: dict[str, Fact] = {}

    def learned(self, facts: Iterable[Fact]) -> None:
        """Note what a session that is over told."""
        self._facts.update({fact.id: fact for fact in facts})

    def said(self, prompt: str) -> None:
        self.counts.update(prompts=1, characters=len(prompt))

    def briefed(self, text: str) -> None:
        self.counts.update(sessions=1, briefed=len(text))

    def probe(self, session: Session, turn: Turn, heard: Heard) -> None:
        """Count one labelled prompt."""
        before, now = heard.before.lower(), (heard.prompt + heard.later).lower()
        there = f"{before}\n{now}"
        wanted = [self._facts[id] for id in heard.probe.want if not self._facts[id].within(heard.said.lower())]
        for fact in wanted:
            here, briefed = fact.within(there), fact.within(heard.brief.lower())
            self.counts.update(wanted=1, helped=here, prompted=fact.within(now), lacked=not briefed)
            self.counts.update(came=here and not briefed)
            if not here:
                why = self._why(fact, session.project)
                self.missing.append(Missing(session.id, turn.user, fact.id, fact.gist, why))
        for id in heard.probe.stale:
            newer = next((fact for fact in self._facts.values() if fact.replaces == id), None)
            current = newer is not None and newer.within(there)
            stays = self._facts[id].within(there) and not current
            self.counts.update(replaced=1, stale=stays)
            if stays:
                old = self._facts[id]
                why = self._stays(old, newer, session.project)
                self.stale.append(Missing(session.id, turn.user, id, old.gist, why))
        if not heard.probe.want:
            self.counts.update(silent=1, quiet=not heard.prompt)

    def captured(self, memories: Sequence[Mapping[str, Any]]) -> None:
        """Count which memories are labelled facts, and which facts became memories."""
        lasting = [memory for memory in memories if memory.get("type") != "episodic"]
        texts = [json.dumps(memory, ensure_ascii=False).lower() for memory in lasting]
        facts = self._facts.values()
        for memory, text in zip(lasting, texts, strict=True):
            right = any(fact.within(text) for fact in facts)
            self.counts.update(kept=1, right=right)
            if not right:
                self.wrong.append(str(memory.get("content")))
        for fact in facts:
            found = any(fact.within(text) for text in texts)
            self.counts.update({f"of {fact.kind}": 1, f"found {fact.kind}": found})
            if not fact.may:
                self.counts.update(facts=1, found=found)


def share(counts: Mapping[str, int], part: str, whole: str) -> float | None:
    """Return a share, or None of nothing."""
    return counts[part] / counts[whole] if counts.get(whole) else None


# The columns of the table: a name, and which count is divided by which.
COLUMNS = (
    ("help", "helped", "wanted"),
    ("at the prompt", "prompted", "wanted"),
    ("stale", "stale", "replaced"),
    ("quiet", "quiet", "silent"),
    ("characters a prompt", "characters", "prompts"),
    ("a briefing", "briefed", "sessions"),
    ("capture precision", "right", "kept"),
    ("recall", "found", "facts"),
)


def figures(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return the columns of a life, or of several together."""
    return {name: share(counts, part, whole) for name, part, whole in COLUMNS}
