"""Changelogs: which entries still tell something about how things are."""

from __future__ import annotations

import re

from treering.core.words import folded

LONGEST_CREDIT = 120  # characters; a name, a number and an address

# How an entry begins that tells what was mended or moved about.
_CHORES = frozenset(
    """fix fixes fixed bump bumps bumped upgrade upgrades typo typos tweak merge revert cleanup clean refactor
    reformat format lint test tests doc docs ci chore release prepare minor misc various correct version use
    move moved skip adjust adjusted only raise return simplify simplified rework rewrite moderating lower speed
    optimize optimise optimized cache extract split reduce lazy lazily do evaluate inline defer slightly small
    follow restore replace explicitly better faster improve improved improves improvement improvements more less
    further github pre wheel wheels backport backports mypy mypyc resolve patch regenerate rebuild pin unpin
    repair handle avoid prevent ensure make no bugfix bug bugfixes internal initial first pushed rerelease
    address call import imported drastically micro raised optional strip revalidate take respect log initialize
    initialise relax include exclude cleanly graceful gracefully performance silence suppress downgrade increase
    decrease document clarify build perf style several ability try create""".split()
)
_SCOPE = re.compile(r"^[\w./()-]{1,30}!?: ")  # "parser: fix the end of a line"
_UPDATES = frozenset("update updates updated add added adds improve".split())
_TRIFLES = frozenset(
    """dependency dependencies dep deps version versions doc docs documentation readme lock lockfile ci test tests
    type types typing year license links link badge badges example examples note notes missing metadata
    changelog workaround patch patches""".split()
)
_MENDING = frozenset("fix fixes fixed bump bumps bumped typo typos".split())
_ALARMING = re.compile(r"\b(?:security|cve-\d|breaking|vulnerab\w+)", re.IGNORECASE)
_MAKING = re.compile(
    r"\b(?:build|dev|development|test) (?:dependenc\w+|framework|requirement|backend|phase)|\bmypyc?\b|\bpytest\b|"
    r"/ tests\b|\bunit tests?\b|\btest suite\b|\bwheels?\b",
    re.IGNORECASE,
)
_MATTERS = re.compile(
    r"^(?:remov|drop)|(?<!non-)\b(?:breaking|backwards?[- ]incompatible|deprecat\w+|no longer|now|the default|"
    r"default (?:is|to|of)|renam\w+|by default|requires?|minimum|security|cve-\d|support(?:ed|s)? (?:for|python)|"
    r"drop\w* support)\b",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r" (?:by|from) @[\w-]+(?: in #\d+)?(?=[.,;)]|$)")
_CREDIT = re.compile(
    r"[,;]?\s?(?:\((?:[^()]{0,60}#\d+[^()]{0,40}|[0-9a-f]{7,40})\)|(?:in |via |see |closes |fixes |issue |pr |"
    r"gh-?){0,2}#\d+(?:,? (?:and )?#\d+){0,5}|(?:by|thanks to|thanks) @[\w-]+)\.?$",
    re.IGNORECASE,
)
# Parts of a release that are about the making of it.
_PARTS = (
    "fix",
    "bug",
    "internal",
    "doc",
    "ci",
    "test",
    "perf",
    "packag",
    "build",
    "chore",
    "depend",
    "misc",
    "refactor",
)


def is_chore(entry: str) -> bool:
    """Whether an entry says nothing about how things are since then."""
    words = folded(_SCOPE.sub("", entry, count=1))
    trifling = len(words) > 1 and words[0] in _UPDATES and not _TRIFLES.isdisjoint(words[1:4])
    if words and words[0] in _MENDING and not _ALARMING.search(entry):
        return True
    chore = not words or words[0] in _CHORES or trifling
    return _MAKING.search(entry) is not None or (chore and not matters(entry))


def matters(text: str) -> bool:
    """Whether it tells of something that others have to know: what went, what must be there, what is the default."""
    return _MATTERS.search(text) is not None


def is_vague(heading: str) -> bool:
    """Whether only what matters is worth taking from below a heading: it promises changes of any kind."""
    return heading.lower().startswith(("chang", "improv", "enhanc", "other", "what"))


def is_chores(heading: str) -> bool:
    """Whether all entries below a heading are."""
    return heading.lower().startswith(_PARTS)


def uncredited(entry: str) -> str:
    """An entry without who did it and where."""
    entry = _AUTHOR.sub("", entry)
    named = entry.rfind(" by @")
    if len(entry) - LONGEST_CREDIT < named > 0:
        entry = entry[:named]
    for _ in range(3):  # a credit may have a number behind it, and that a digest
        shorter = _CREDIT.sub("", entry)
        if shorter == entry:
            break
        entry = shorter
    return entry
