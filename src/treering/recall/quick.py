"""Decide by words alone, in a hundredth of a second, what a hook may say to a prompt.

A hook that is unsure keeps quiet: an irrelevant memory costs the agent's attention at every prompt.
So a memory must share several rare words with the prompt, and these must be a fair part of what the
prompt is about. The whole of recall, with meanings and the graph, is a tool call away.
"""

from __future__ import annotations

from math import log, log2

from treering.text.words import STOP_WORDS, folded, is_unbroken, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.ledger.types import Memory

READ = 4_000  # characters of a prompt: what follows is mostly pasted
LONGEST = 40  # characters of a word: what is longer is encoded
MOST_TERMS = 24  # words that are looked up: each costs a tenth of a millisecond
SOUGHT = 8  # of these the rarest, by which memories are found
CANDIDATES = 12
SHOWN = 3
SMALL = 100  # memories: below it, all stores are taken to be of this size
CHANCE = 1.2  # what the shared words must tell beyond what some memory of as many shares by chance
SHARE = 0.34  # of what the prompt is about
WANTED = 0.12  # of a prompt that asks for what a memory may know: see `wants`
SINGLE = 0.5  # of the prompt, for a word that is enough by itself
EVERYDAY = 0.5  # of what it would tell, for a word of every day
RARE = 1.0  # how much less it may tell than a word of a single memory: one of two or three has it
STORY = 0.5  # the same, for an episode
OWN = 0.4  # or else of what the memory is about
SHORT = 25  # words that tell something, of a memory; one that has more shares some with every prompt
LONGER = 0.08  # more of the prompt, for each time that a memory is twice as long
SPREAD = 0.35  # how much less the words of a memory count, for each time that it is twice as long
SOLVED = 0.9  # that a fix of the same command and error is what is wanted
ALIKE = 0.8  # of the words of two memories, above which one of them will do
EQUAL = 0.95  # of the best one's merit, with which two may change places
CLOSE = 0.75  # of the best one's merit, which the others must have
PASSED = 2  # of the best that are not shown, which a log names

# Words of prompts that say what to do with the rest, and words that every memory may have.
_COMMON = frozenset(
    """add also ask bit change check code could create do done error fail file find fine first fix function get go good
    help issue just keep know let like line look make maybe mean need new now ok one please problem put really right run
    see set show something start still stop sure take tell test thing think time try two update us use used using want
    way well work write yes yet""".split()
)


# The commonest nouns and adjectives of English: that a small store has them once does not make them rare.
_EVERYDAY = frozenset(
    """able area bad best better big book boy car case certain child city clear company country day different door
    early easy end eye face fact family father free full game girl great group half hand hard head high history
    home hour house idea important international job kind large last late law least left life line little local
    long low man member minute moment money month morning mother name national new next night number office old
    open order other parent part party person people place plain point power program public question real reason
    right room same school short side simple single small social special state story strong student study system
    team thing true usual water way week white whole word work world year young""".split()
)


def terms(prompt: str, every: bool = False) -> list[str]:
    """Return the words that may tell what a prompt is about, each once: none of "go on, please". In a command, `every`
    word."""
    read = folded(prompt[:READ])
    if not prompt.isascii():  # scripts without blanks are indexed by every two letters
        read = [part for word in read for part in (pairs(word) if is_unbroken(word) else (word,))]
    found = dict.fromkeys(word for word in read if 1 < len(word) <= LONGEST and word not in STOP_WORDS)
    return [word for word in found if every or word not in _COMMON][:MOST_TERMS]


def weights(terms: Sequence[str], counts: Sequence[int], size: int) -> dict[str, float]:
    """Return what each word tells: the rarer, the more. A small store knows little of what is rare."""
    least = max(size, SMALL)
    # A word that no memory has is as rare as one that a single memory has: it says nothing of the others.
    seen = [(term, max(count, 1)) for term, count in zip(terms, counts, strict=True)]
    return {
        term: log(1 + (least - count + 0.5) / (count + 0.5)) * (EVERYDAY if term in _EVERYDAY else 1)
        for term, count in seen
    }


def sought(weights: Mapping[str, float], counts: Sequence[int], size: int) -> list[str]:
    """Return the words to look for: the rarest of those that any memory has.

    The commonest are left out if sharing only these would not be enough: they bring most of the
    store.
    """
    there = [term for term, count in zip(weights, counts, strict=True) if count]
    if sum(weights[term] for term in there) < _least(size):
        return [term for term in there if _enough(weights, term, size)]
    rarest = sorted(there, key=lambda term: -weights[term])[:SOUGHT]
    spare = _least(size)
    while len(rarest) > 1 and weights[rarest[-1]] < spare and not _enough(weights, rarest[-1], size):
        spare -= weights[rarest.pop()]
    return rarest


def known(weights: Mapping[str, float], counts: Sequence[int]) -> list[str]:
    """Return the rarest words that any memory has."""
    there = [term for term, count in zip(weights, counts, strict=True) if count]
    return sorted(there, key=lambda term: -weights[term])[:SOUGHT]


def share(weights: Mapping[str, float], shared: Sequence[str]) -> float:
    """Return which part of a prompt's words a memory has, if it is enough for a prompt that wants a memory."""
    part = sum(weights[term] for term in shared if term not in _COMMON) / (sum(weights.values()) or 1.0)
    return part if part >= WANTED else 0.0


def _enough(weights: Mapping[str, float], term: str, size: int) -> bool:
    """Tell whether one word will do: hardly any memory has it, and the prompt says little else."""
    rare = weights[term] >= log(max(size, SMALL)) - RARE
    return rare and weights[term] >= SINGLE * sum(weights.values())


def _least(size: int) -> float:
    """Return what shared words must tell together to be more than chance."""
    return log(max(size, SMALL)) + CHANCE


def certainty(weights: Mapping[str, float], shared: Sequence[str], memory: Memory, size: int) -> float:
    """Return how sure it is, from 0 to 1, that a memory is about the prompt's topic; 0 is silence."""
    mass, whole = sum(weights[term] for term in shared), sum(weights.values())
    alone = any(_enough(weights, term, size) for term in shared)
    if not whole or (mass < _least(size) and not alone):
        return 0.0
    share = mass / whole
    if alone:
        return share
    own = _own(memory.content or memory.details)
    if memory.type == "episodic":  # a story has words of all kinds, and tells what was once
        return share if share >= STORY + LONGER * _doublings(own) else 0.0
    covered = len(shared) / max(own, 1)
    sure = share >= SHARE + LONGER * _doublings(own) or (covered >= OWN and len(shared) > 1)
    return share if sure else 0.0


def merit(weights: Mapping[str, float], shared: Sequence[str], memory: Memory) -> float:
    """Return how well a memory fits by its shared words, of which a long one has more."""
    return sum(weights[term] for term in shared) / (1 + SPREAD * _doublings(_own(memory.content or memory.details)))


def _own(content: str) -> int:
    """Return how many words of a memory tell something."""
    return len({word for word in folded(content) if word not in STOP_WORDS and word not in _COMMON})


def _doublings(own: int) -> float:
    """Return how often a memory is twice as long as a short one."""
    return max(log2(max(own, 1) / SHORT), 0.0)


def solved(memory: Memory, command: str, error: str) -> float:
    """Return how sure it is that a memory is about this very failure.

    Its trigger names the command, in backticks, and no other error than the one that there is.
    """
    if not command.strip() or " ".join(command.split()) not in memory.trigger.split("`")[1::2]:
        return 0.0
    names = [word for word in "".join(memory.trigger.split("`")[::2]).split() if _is_name(word)]
    return SOLVED if all(name.casefold() in error.casefold() for name in names) else 0.0


def _is_name(word: str) -> bool:
    """Tell whether a word is the name of an error: ImportError, ENOSPC, E0308."""
    return sum(letter.isupper() or letter.isdigit() for letter in word) > 1


def best(found: Sequence[tuple[Memory, float, float]]) -> list[tuple[Memory, float, float]]:
    """Return the best of what was found, with its merit and certainty, and what is about as good.

    Of equals the newest leads, and lasting knowledge comes before a story; of two that say about
    the same, one will do.
    """
    ranked = sorted(found, key=lambda one: -one[1])
    close = [one for one in ranked if one[1] >= CLOSE * ranked[0][1]]
    equal = [one for one in close if one[1] >= EQUAL * ranked[0][1]]
    kept: list[tuple[Memory, float, float]] = []
    for one in (*sorted(equal, key=lambda one: (one[0].type == "episodic", -one[0].created)), *close[len(equal) :]):
        if not any(_alike(one[0].content, other[0].content) for other in kept):
            kept.append(one)
    return kept[:SHOWN]


def _alike(text: str, other: str) -> bool:
    """Tell whether two texts say about the same, by their words."""
    one, two = set(folded(text)), set(folded(other))
    return len(one & two) > ALIKE * max(len(one | two), 1)
