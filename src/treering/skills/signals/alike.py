"""Group prompts that ask for the same in other words, and prompts on one topic.

They are compared by their meaningful words. One may say more than the other. But if each of two has
a word that the other lacks, they ask for different things, as do "add a test for login" and "add a
test for logout"; and so do two prompts of which only one removes, sends or moves something. A
missed pair costs little, a wrong one makes a silly proposal.

The first prompt of a group leads it. Later ones are compared with the leaders alone, so that a
group never changes when more prompts come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from treering.text.stems import stem as root_of
from treering.text.words import NOT

FEWEST_WORDS = 2  # in a prompt that may be in a group: one word is a topic, no request
OVERLAP = 0.65  # of the words of the longer prompt that the shorter one has: two of three, but not three of five

# Words that mean the same where people talk to an agent.
_SAME = """
    navigation nav navbar /
    application app / authentication auth / configuration config / database db / dependency dep / documentation
    document doc / environment env / folder directory dir / javascript js / kubernetes k8s / login signin / mail
    email / production prod / pull pr / repository repo / test spec / typescript ts / day daily / month monthly
    / week weekly / error exception / explain understand describe / fast faster quick speed optimise optimize /
    increase bigger larger / latest newest recent / lint linter / list show display print / red fail failure /
    remove delete erase rid / small smaller reduce shrink size / tidy clean cleanup / upgrade bump
"""

# They ask for nothing in particular: whatever is asked for is wanted, made or mended.
_NEUTRAL = """add build create make write wrote written draft generate implement produce prepare compose set setup
change work look need want update fix repair solve resolve check verify run put have function ensure handle provide
give get do"""
_MAKE = "make"  # stands for any of them where little else is said

# Whoever does only one of these, or one more of them, asks for something else.
_ACTS = """remove drop stop disable hide close revert undo restore rollback roll downgrade without nothing not read send
mail publish store archive rename move merge split squash amend translate convert replace empty clear kill pin validate
turn log inline restart cancel reject skip ignore reset pause resume copy download upload uninstall lock unlock schedule
benchmark profile monitor notify approve encrypt increase
staging production demo local canary preview mobile ios android safari chrome firefox windows linux mac"""


def clusters(prompts: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return groups of prompts that ask for the same, as places in the given order of time: of each
    group of two or more the leader first, in the order of their leaders."""
    groups: list[list[int]] = []
    shelves: dict[tuple[str, ...], _Leaders] = {}
    stems = {token: stem(token) for token in {*chain.from_iterable(prompts)}}
    requests = [_request([stems[token] for token in tokens]) for tokens in prompts]
    uses = Counter(chain.from_iterable(asked.words for asked in requests))
    for at, asked in enumerate(requests):
        if len(asked.words) < FEWEST_WORDS:
            continue
        leaders = shelves.setdefault(asked.acts, _Leaders(uses))
        group = leaders.of(asked)
        if group is None:
            leaders.add(asked, len(groups))
            groups.append([at])
        else:
            groups[group].append(at)
    return [group for group in groups if len(group) > 1]


class _Request(NamedTuple):
    words: tuple[str, ...]  # stems, each once, in their order
    acts: tuple[str, ...]  # those that decide, in alphabetical order, each as often as it is there


def _request(stems: Sequence[str]) -> _Request:
    telling = [word for word in stems if word not in NEUTRAL_STEMS]
    words = tuple(dict.fromkeys(telling))
    if len(words) < FEWEST_WORDS and len(telling) < len(stems):
        words = (*words, _MAKE)
    return _Request(words, tuple(sorted(word for word in telling if word in _ACT_STEMS)))


class _Leaders:
    """The first prompts of groups that do the same acts, in sets that are numbers of bits."""

    def __init__(self, uses: Mapping[str, int]) -> None:
        self._uses = uses
        self._groups: list[int] = []
        self._known: dict[tuple[str, ...], int] = {}
        self._having: dict[str, int] = {}  # those with a word
        self._sized: dict[int, int] = {}  # those with a number of words

    def add(self, asked: _Request, group: int) -> None:
        bit = 1 << len(self._groups)
        self._groups.append(group)
        self._known.setdefault(asked.words, group)
        for word in asked.words:
            if self._uses[word] > 1:  # nobody will look for the others
                self._having[word] = self._having.get(word, 0) | bit
        self._sized[len(asked.words)] = self._sized.get(len(asked.words), 0) | bit

    def of(self, asked: _Request) -> int | None:
        """Return the group of the oldest leader that a prompt follows."""
        known = self._known.get(asked.words)
        if known is not None:
            return known
        near = self._near(asked.words)
        return self._groups[(near & -near).bit_length() - 1] if near else None

    def _near(self, words: tuple[str, ...]) -> int:
        """Return leaders with all words of the prompt, or with all words in the prompt."""
        size = len(words)
        fewest = -int(-size * OVERLAP // 1)
        having = [self._having[word] for word in words if word in self._having]
        if len(having) < fewest:
            return 0
        sharing = counted(having)
        near = 0
        for length, sized in self._sized.items():
            shared = min(length, size)
            if shared >= OVERLAP * max(length, size) and shared < len(sharing):
                near |= sharing[shared] & sized
        return near


def counted(having: Sequence[int]) -> list[int]:
    """Return the leaders that are in at least none, one, two … of some sets."""
    counted = [-1]
    for leaders in having:
        counted.append(0)
        for least in range(len(counted) - 1, 0, -1):
            counted[least] |= counted[least - 1] & leaders
    return counted


def stem(word: str) -> str:
    """Return a word without its inflection, one for all that mean the same. It need not be a word,
    only the same for all forms of one."""
    root = root_of(word)
    return _SAME_STEMS.get(root, root)


def _roots(text: str) -> list[str]:
    return [root_of(word) for word in text.split()]


_SAME_STEMS = {root: roots[0] for roots in map(_roots, _SAME.split("/")) for root in roots}
NEUTRAL_STEMS, _ACT_STEMS = (frozenset(map(stem, text.split())) for text in (_NEUTRAL, _ACTS))


FEWEST_SHARED = 2  # words: one is a language, a tool or a product, and covers a whole project
SHARE = 0.5  # of the words of the shorter prompt: the rest is what is wanted there


def topics(prompts: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return groups of prompts on one topic, as places in the given order of time: the leader
    first, in the order of their leaders. A prompt that is alone with its topic leads it too."""
    groups: list[list[int]] = []
    having: dict[str, int] = {}  # the leaders with a word, as a number with a bit for each
    sized: dict[int, int] = {}  # and those with a number of words
    known: dict[frozenset[str], int] = {}
    stems = _Stems()
    for at, tokens in enumerate(prompts):
        all = frozenset(stems[token] for token in tokens if token != NOT)
        telling = all - NEUTRAL_STEMS
        words = telling if len(telling) >= FEWEST_SHARED else all
        group = known.get(words)
        if group is None:
            group = known[words] = _nearest(words, having, sized, len(groups))
        if group < len(groups):
            groups[group].append(at)
            continue
        groups.append([at])
        for word in words:
            having[word] = having.get(word, 0) | 1 << group
        sized[len(words)] = sized.get(len(words), 0) | 1 << group
    return groups


class _Stems(dict[str, str]):
    """The stems of words, each computed once."""

    def __missing__(self, word: str) -> str:
        found = self[word] = stem(word)
        return found


def _nearest(words: frozenset[str], having: dict[str, int], sized: dict[int, int], new: int) -> int:
    """Return the leader that shares most words with a prompt, the oldest first, or a new one."""
    shared = counted([having[word] for word in sorted(words) if word in having])
    for count in range(len(shared) - 1, FEWEST_SHARED - 1, -1):
        near = 0
        for size, leaders in sized.items():
            if count >= SHARE * min(size, len(words)):
                near |= shared[count] & leaders
        if near:
            return (near & -near).bit_length() - 1
    return new
