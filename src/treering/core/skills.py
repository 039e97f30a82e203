"""What a skill may be called, and what it may say of itself: the rules that agents' own readers have."""

from __future__ import annotations

from treering.core.errors import InvalidInput, Refused
from treering.core.words import STOP_WORDS, folded

LONGEST_SKILL = 64  # characters of its name
LONGEST_DESCRIPTION = 1_024  # characters
SLUG_WORDS = 6  # of a text: enough to tell a skill from others, and short enough to type
_WEBS = frozenset(("http", "https", "www"))
NAMELESS = "skill"  # for a text without any word that fits a name
# What Windows takes for a device, whatever its extension: no folder can be called so.
DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)
# About skills, but none; and where drafts wait: whoever looks for skills passes these by.
PAPERS = frozenset(
    """readme changelog changes license licence contributing contributors authors notice security agents claude
    gemini todo""".split()
)
RESERVED = DEVICES | PAPERS | {"drafts"}
# The skills that an evolving agent reads first. None of another origin may take their place unless it says why.
PROTECTED = frozenset(("learning-from-experience", "skill-creation", "skill-editing"))


class ProtectedSkill(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is a protected skill, and no proposal takes its place: choose another name. To change it, write "
            f"your own by hand, in your home folder, and why into its metadata, as `justification`"
        )


def is_skill_name(name: str) -> bool:
    """Skills are named so that a folder and a line of their file can have the name."""
    hyphens = "--" not in name and "-" not in (name[:1], name[-1:])
    return hyphens and len(name) <= LONGEST_SKILL and _plain(name.replace("-", ""))


def check_skill(name: str, description: str) -> None:
    """Refuse what an agent would not load."""
    if not is_skill_name(name):
        raise InvalidInput(
            f"a skill's name has 1 to {LONGEST_SKILL} lower-case letters, digits and single hyphens, not {name[:80]!r}"
        )
    if name in RESERVED:
        raise InvalidInput(f"no agent would find a skill in a folder called {name}: choose another name")
    if name in PROTECTED:
        raise ProtectedSkill(name)
    if not description.strip() or len(description) > LONGEST_DESCRIPTION:
        raise InvalidInput(
            f"a skill's description has 1 to {LONGEST_DESCRIPTION:,} characters, not {len(description):,}"
        )


def slug(text: str) -> str:
    """A name made of the first words of a text that say something."""
    said: list[str] = []
    for token in text.split():  # whole ones: of tf-state-eu, tf says nothing
        words = [word for word in folded(token) if _names(word) and word not in said]
        if said and len(said) + len(words) > SLUG_WORDS:
            break
        said += words[:SLUG_WORDS]
    while len("-".join(said)) > LONGEST_SKILL and len(said) > 1:
        said.pop()
    name = "-".join(said)[:LONGEST_SKILL].strip("-") or NAMELESS
    return f"{name}-{NAMELESS}" if name in RESERVED | PROTECTED else name


def _names(word: str) -> bool:
    """Whether a word says something in a name."""
    return _plain(word) and not word.isdecimal() and word not in STOP_WORDS and word not in _WEBS


def _plain(word: str) -> bool:
    return word.isascii() and word.isalnum() and word == word.lower()
