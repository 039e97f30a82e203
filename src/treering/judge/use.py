"""Judge what became of a memory that an agent was shown: used, ignored, corrected or harmful.

What the memory says and the prompt did not is looked for in the answer, word by word: as it is written, or as a
word of about the same meaning. The person's next message and the results of tools tell how it ended. Words count
by how rare they are, so no language needs a list of its common words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from treering.judge.features import Features, block, letters, runs, tokens
from treering.judge.model import Reason, load
from treering.judge.senses import embedder, ends, rarity, said, stem, vector
from treering.text.words import words

USE = "use"  # the file of weights
RESTS, WRONG, FAILED, WORKED = "rests", "wrong", "failed", "worked"  # its labels
BLIND = " blind"  # behind the name of a floor that holds where the prompt is not known
USED, IGNORED, CORRECTED, HARMFUL = LABELS = ("used", "ignored", "corrected", "harmful")

_LAST = 60  # words at the end of the answer and the results that tell how it ended
_SAID, _DONE = 1.0, 2.0  # what the words of the reply and of the answer weigh together, to about 1 for a number
_RARE = 0.6  # of a word that tells something by itself
_PRECISE = 2  # digits: sums of floats differ from machine to machine behind those
_RUN = 500  # words of a text in which runs are looked for: the work grows with the product of both
_FEW = 1  # word of a memory that an answer may well say by itself
_COPIED = 0.8  # of a memory's words in one run: it was copied
_STEPS = {"own": (0.25, 0.5, 0.75), "meant": (0.1, 0.2, 0.3, 0.4), "second": (0.3, 0.6, 0.9)}

# What machines print when the world is in the way: no memory is to blame for a full disk.
_WORLD = re.compile(
    r"""no\ space\ left|ENOSPC|disk\ full|name\ resolution|unreachable|ETIMEDOUT|ECONNRE|EAI_AGAIN|timed?[ -]?out
    |connection\ (?:reset|broken|aborted|lost)|\b50[234]\b|\b429\b|bad\ gateway|service\ unavailable
    |rate\ limit|too\ many\ requests|quota|not\ (?:signed|logged)\ in|expired|out\ of\ memory
    |OOM|\bkilled\b|offline""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
# A text that talks about memories is data: neither praise nor blame in it counts.
_ABOUT = re.compile(r"\b(?:memor(?:y|ies|ia|ias)|m\u00e9moires?|Erinnerung(?:en)?|recalled)\b", re.IGNORECASE)

Numbers = NDArray[numpy.float32]


class Turn(NamedTuple):
    """A memory that was shown for a prompt, and what followed."""

    memory: str
    prompt: str = ""
    answer: str = ""
    results: Sequence[tuple[str, bool]] = ()  # of tools: what they printed, and whether they failed
    reply: str = ""
    others: Sequence[str] = ()  # memories that were shown beside it

    @property
    def acts(self) -> str:
        """What the agent said and did, without what only repeats the memory, rates it, or offers something."""
        texts = [ends(self.answer), *(ends(text) for text, _ in self.results)]
        if len(repeated := words(self.memory)[:_RUN]) > _FEW:
            copy = re.compile(r"[\W_]+".join(map(re.escape, repeated)), re.IGNORECASE)
            texts = [copy.sub(" ", text) for text in texts]
        told = (sentence for sentence in _SENTENCE.split(texts[0]) if not _says_nothing(sentence))
        return "\n".join([*told, *texts[1:]])


def _says_nothing(sentence: str) -> bool:
    return sentence.rstrip("\"') *_").endswith(("?", "\uff1f")) or _ABOUT.search(sentence) is not None


class Verdict(NamedTuple):
    """How likely each label is, and why."""

    chances: Mapping[str, float]  # by label; together 1
    worked: float  # the probability that it ended well, if it was used
    blind: bool = False  # the prompt is not known: what the answer says may come from there
    reasons: tuple[Reason, ...] = ()

    @property
    def is_well(self) -> bool:
        """True if it ended well beyond doubt."""
        return self.worked >= load(USE).floors[WORKED]

    @property
    def label(self) -> str:
        """The label that is sure enough to act upon. In doubt it is `ignored`."""
        floors = load(USE).floors
        least = {label: floors[f"{label}{BLIND if self.blind else ''}"] for label in (CORRECTED, HARMFUL, USED)}
        sure = [label for label, floor in least.items() if self.chances[label] >= floor]
        return max(sure, key=lambda label: self.chances[label], default=IGNORED)


def judge(turn: Turn) -> Verdict:
    """Judge what became of one memory."""
    model, seen = load(USE), features(turn)
    rests, wrong, failed = (model.probability(seen[label], label) for label in (RESTS, WRONG, FAILED))
    worked = model.probability(seen[FAILED], WORKED)
    chances = combined(turn, rests, wrong, failed)
    likeliest = max(chances, key=lambda label: chances[label])
    part = {CORRECTED: WRONG, HARMFUL: FAILED}.get(likeliest, RESTS)
    return Verdict(chances, worked, not turn.prompt.strip(), tuple(model.reasons(seen[part], part)))


def combined(turn: Turn, rests: float, wrong: float, failed: float) -> dict[str, float]:
    """Return the probability of each label. A memory is corrected, or else it was used or not; only use can harm.

    Only a reply corrects that says something else. If a tool failed, it may as well have failed by the memory:
    surely so only if it failed to the end and the failure names it, surely not if the world was in the way.
    """
    if any(bad for _, bad in turn.results):
        blames = turn.results[-1][1] and _is_named(turn)
        failed = 0.0 if is_of_the_world(turn) else max(failed, 0.5) if blames else 0.5
    wrong = wrong if said(turn.reply).keys() - said(turn.memory).keys() else 0.0
    right = 1 - wrong
    return {
        USED: right * rests * (1 - failed),
        IGNORED: right * (1 - rests),
        CORRECTED: wrong,
        HARMFUL: right * rests * failed,
    }


def is_of_the_world(turn: Turn) -> bool:
    """Tell whether a tool failed for a cause that no memory could know."""
    return any(failed and _WORLD.search(ends(text)) for text, failed in turn.results)


def _is_named(turn: Turn) -> bool:
    """Tell whether a failure names something that the memory says."""
    bad = said("\n".join(text for text, failed in turn.results if failed))
    return any(stem in bad and rarity(word) > _RARE for stem, word in said(turn.memory).items())


def features(turn: Turn) -> dict[str, Features]:
    """Return what each label of the model looks at. Whether an answer rests on a memory, no reply can change."""
    memory, known = said(turn.memory), said("\n".join([turn.prompt, *turn.others]))
    taken = {**_taken(memory, known, said(turn.acts)), **_senses(turn), **_ended(turn)}
    for name, limits in _STEPS.items():
        taken |= {f"{name} from {limit}": float(taken[name] >= limit) for limit in limits}
    rests = _rounded(taken)
    reply = {**_rounded(_replied(turn, memory, known)), **_worded("reply", tokens(ends(turn.reply)), _SAID)}
    last = _SENTENCE.split(ends(turn.answer).strip())[-1]
    ended = {
        **_worded("answer", tokens(turn.acts)[-_LAST:], _DONE),
        **_worded("at last", tokens(last), _DONE),
    }
    return {RESTS: rests, WRONG: {**rests, **reply}, FAILED: {**rests, **reply, **ended}}


def _rounded(numbers: Mapping[str, float]) -> Features:
    found = {name: round(value, _PRECISE) for name, value in numbers.items()}
    return {name: value for name, value in found.items() if value}


def _worded(name: str, said: list[str], weight: float) -> Features:
    whole, parts = (f"{name}: {run}" for run in runs(said, 2)), (f"{name} {run}" for run in letters(said))
    return {**block(whole, weight), **block(parts, weight)}


def _taken(memory: Mapping[str, str], known: Mapping[str, str], acts: Mapping[str, str]) -> dict[str, float]:
    """Return how much of what only the memory says is in the answer, as it is written or by its meaning."""
    rare = _rarities(memory)
    fresh, there = _within(memory, known, False), _within(memory, acts, True)
    counts = numpy.array([any(map(str.isdigit, word)) for word in memory.values()], bool)
    whole, own = float(rare.sum()) or 1.0, float((rare * fresh).sum()) or 1.0
    near, before = _nearest(memory, acts), _nearest(memory, known)
    gained = rare * numpy.maximum(0, near - before)
    taken, gains = (sorted(map(float, each), reverse=True) + [0.0] * 3 for each in (rare * fresh * there, gained))
    return {
        "own": float((rare * fresh * there).sum()) / own,
        "own of all": float((rare * fresh * there).sum()) / whole,
        "there": float((rare * there).sum()) / whole,
        "asked for": float((rare * ~fresh).sum()) / whole,
        "first": taken[0],
        "second": taken[1],
        "third": taken[2],
        "number taken": float((counts & fresh & there).any()),
        "number left": float((counts & fresh & ~there).any()),
        "meant": float(gained.sum()) / whole,
        "meant first": gains[0],
        "meant second": gains[1],
        "meant third": gains[2],
        "first and meant second": taken[0] * gains[1],
        "near the answer": float((rare * near).sum()) / whole,
        "near the prompt": float((rare * before).sum()) / whole,
        "long memory": log(1 + len(memory)) / 3,
        "long answer": log(1 + len(acts)) / 4,
    }


def _senses(turn: Turn) -> dict[str, float]:
    """Return how near the texts are as wholes, and how much of the memory was copied in one piece."""
    memory, prompt, acts = embedder().embed([ends(turn.memory), ends(turn.prompt), turn.acts])
    to_prompt, to_answer, between = float(memory @ prompt), float(memory @ acts), float(prompt @ acts)
    mine, theirs = ([stem(word) for word in words(text.lower())[:_RUN]] for text in (turn.memory, turn.acts))
    copied = _longest_run(mine, theirs) / max(1, len(mine))
    return {
        "a prompt": float(bool(turn.prompt)),
        "sense of the prompt": to_prompt,
        "sense of the answer": to_answer,
        "answer to the prompt": between,
        "sense beyond the prompt": to_answer - to_prompt * between,
        "copied": copied,
        "copied whole": float(copied >= _COPIED),
        "copied, and more": float(copied >= _COPIED) * log(1 + max(0, len(theirs) - len(mine))),
    }


def _replied(turn: Turn, memory: Mapping[str, str], known: Mapping[str, str]) -> dict[str, float]:
    """Return what the person's next message has to do with the memory."""
    reply, acts, rare = said(turn.reply), said(turn.acts), _rarities(memory)
    whole, again = float(rare.sum()) or 1.0, _within(memory, reply, True)
    new = [word for stem, word in reply.items() if stem not in memory and stem not in acts and stem not in known]
    to_memory, to_answer, to_reply = embedder().embed([ends(turn.memory), turn.acts, ends(turn.reply)])
    return {
        "a reply": float(bool(reply)),
        "long reply": log(1 + len(reply)) / 3,
        "reply names": float((rare * again).sum()) / whole,
        "reply names first": max(map(float, rare * again), default=0.0),
        "reply is near": float((rare * _nearest(memory, reply)).sum()) / whole,
        "sense of the reply": float(to_memory @ to_reply),
        "reply to the answer": float(to_answer @ to_reply),
        "reply has new": max(map(rarity, new), default=0.0),
        "reply has a new number": float(any(any(map(str.isdigit, word)) for word in new)),
        "reply asks": float(turn.reply.rstrip().endswith(("?", "\uff1f"))),
    }


def _ended(turn: Turn) -> dict[str, float]:
    """Return how the tools ended."""
    memory, answer = said(turn.memory), said(turn.answer)
    bad = said("\n".join(text for text, failed in turn.results if failed))
    named = [(stem, word) for stem, word in memory.items() if stem in bad]
    return {
        "a tool failed": float(any(failed for _, failed in turn.results)),
        "the last tool failed": float(bool(turn.results) and turn.results[-1][1]),
        "all tools passed": float(bool(turn.results) and not any(failed for _, failed in turn.results)),
        "the failure names it": max(
            (rarity(memory[stem]) for stem in memory if stem in bad and stem in answer), default=0.0
        ),
        "the failure names much of it": float(sum(rarity(word) > _RARE for _, word in named)),
        "the answer asks": float(turn.answer.rstrip().endswith(("?", "\uff1f"))),
        "the answer has code": float("`" in turn.answer),
    }


def _longest_run(some: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words the longest run has that is in both."""
    best, before = 0, [0] * (len(others) + 1)
    for one in some:
        row = [0] * (len(others) + 1)
        for at, other in enumerate(others, 1):
            if one == other:
                row[at] = before[at - 1] + 1
        best, before = max(best, *row), row
    return best


def _rarities(said: Mapping[str, str]) -> Numbers:
    return numpy.array([rarity(word) for word in said.values()], numpy.float32)


def _within(some: Mapping[str, str], others: Mapping[str, str], there: bool) -> NDArray[numpy.bool_]:
    return numpy.array([(stem in others) is there for stem in some], bool)


def _nearest(some: Mapping[str, str], others: Mapping[str, str]) -> Numbers:
    """Return how near each word is to the nearest of others, from 0 to 1."""
    if not some or not others:
        return numpy.zeros(len(some), numpy.float32)
    mine, theirs = (numpy.array([vector(word) for word in each.values()]) for each in (some, others))
    near: Numbers = numpy.maximum(0, mine @ theirs.T).max(axis=1)
    return near
