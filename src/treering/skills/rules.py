"""Check names and descriptions of skills by the rules of agents' own readers, put text on one line,
and add up the credit of skills that were loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.codec import data_of, draft
from treering.ledger.errors import InvalidInput, Refused
from treering.ledger.events import LOADED, SKILL_JUDGED
from treering.ledger.types import one_of
from treering.ledger.usage import EXPLICIT, OUTCOME, OUTCOMES, VERDICTS
from treering.skills.signals.rules import session_of
from treering.text.words import STOP_WORDS, folded

if TYPE_CHECKING:
    from treering.ledger.events import Data, Draft, Event
    from treering.ledger.types import Context
    from treering.ledger.usage import Rewards


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
    """Return whether a text can be the name of a skill, of its folder and of a line in its file."""
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
    """Return a name made of the first words of a text that say something."""
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
    """Return whether a word says something in a name."""
    return _plain(word) and not word.isdecimal() and word not in STOP_WORDS and word not in _WEBS


def _plain(word: str) -> bool:
    return word.isascii() and word.isalnum() and word == word.lower()


def line(text: str) -> str:
    """Return all of a text on one line, without what cannot be seen: controls, marks of direction,
    halves of characters.
    """
    if text.isprintable() and "  " not in text:  # as nearly all are: no more than two looks at them
        return text.strip(" ")
    joined = " ".join(text.split())
    return joined if joined.isprintable() else " ".join("".join(filter(str.isprintable, joined)).split())


def cut(text: str, most: int) -> str:
    """Return at most so many characters, cut behind a word if one ends in the second half; nothing
    if there is no room.
    """
    if len(text) <= most:
        return text
    if most < 2:
        return ""
    head = text[: most - 1]
    at = head.rfind(" ")
    if text[most - 1] != " " and at >= most // 2:
        head = head[:at]
    return head.rstrip(" ,;:.-") + "…"


class Credit(NamedTuple):
    """How a skill has fared."""

    q: float = 0.5  # as that of a memory of which nothing is known
    loads: int = 0  # sessions, or days outside of any, that loaded it
    last: int = 0


def loaded(name: str, context: Context) -> Draft:
    """Record that a session loaded a skill."""
    return draft(LOADED, {"name": name}, context)


def judged(name: str, verdict: str, rewards: Rewards, context: Context, load: str, note: str = "") -> Draft:
    """Record of what use a skill was, by a person or by the outcome of its session, which weighs less."""
    explicit = verdict in VERDICTS
    one_of("verdict", verdict, (*VERDICTS, *OUTCOMES))
    rate = rewards.q_rate * (1.0 if explicit else rewards.outcome_weight)
    data: Data = {"name": name, "verdict": verdict, "by": EXPLICIT if explicit else OUTCOME}
    data |= {"reward": float(rewards.of(verdict)), "rate": round(float(rate), 6), **({"note": note} if note else {})}
    return draft(SKILL_JUDGED, data, context, causes=(load,))


def credits(events: Iterable[Event]) -> dict[str, Credit]:
    """Return the credit of each skill, from its events in the order of the fold."""
    found: dict[str, Credit] = {}
    loads: dict[str, set[str]] = {}  # two machines may tell of one session
    for event in events:
        if event.payload is None:
            continue
        kind, data = data_of(event)
        known = found.get(data["name"], Credit())
        if kind == LOADED:
            sessions = loads.setdefault(data["name"], set())
            sessions.add(session_of(event))
            known = known._replace(loads=len(sessions), last=max(known.last, event.time))
        elif kind == SKILL_JUDGED:
            known = known._replace(q=known.q + data["rate"] * (data["reward"] - known.q))
        found[data["name"]] = known
    return found
