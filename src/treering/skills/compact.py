"""What of the skills goes into a prompt: an index of a few hundred characters, and the skills that it is about."""

from __future__ import annotations

from treering.core.skills import is_skill_name
from treering.skills.search import rank
from treering.skills.text import cut, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from treering.skills.index import Index
    from treering.skills.search import Skill

CHARS = 240  # of the index
BODY_CHARS = 4_000  # of the skills behind it
SHORT = 60  # characters of a description: what it is for, without the details
DESCRIBED = 3  # skills that a prompt is about get a description before others get their names
_LABEL = "Skills: "
_GAP = "\n\n"  # between the index and each skill behind it
_MARKUP = str.maketrans("", "", "<>`*#|[]{}()\\~")  # a description is text, whatever it was written as
# How descriptions begin that say nothing yet.
_LEADS = ("this skill should be used ", "use this skill ", "use this ", "this skill ", "a skill for ", "a skill to ")


def compact(skills: Sequence[Skill], prompt: str = "", chars: int = CHARS) -> str:
    """The skills on one line: those that the prompt is about with a few words each, then names, then how many more."""
    matches = [match.skill for match in rank(skills, prompt)]
    about = {id(skill) for skill in matches}
    ordered = [*matches, *(skill for skill in skills if id(skill) not in about)]
    named = [_name(skill) for skill in ordered]
    entries = _described(ordered[: min(DESCRIBED, len(matches))], len(skills), chars)
    for name in named[len(entries) :]:
        if not _fits([*entries, name], len(skills), chars):
            break
        entries.append(name)
    if len(entries) == len(skills):  # there is room for all: the rest of it for what they are about
        for at in range(len(entries)):
            fuller = [*entries[:at], _entry(ordered[at]), *entries[at + 1 :]]
            entries = fuller if entries[at] == named[at] and _fits(fuller, len(skills), chars) else entries
    return _shown(entries, len(skills)) if entries else ""


def sound(skills: Sequence[Skill]) -> list[Skill]:
    """Those that agents would load: what has no name or says nothing takes no room in a prompt."""
    return [skill for skill in skills if skill.description and is_skill_name(skill.name)]


def chosen(index: Index, skills: Sequence[Skill], prompt: str, chars: int = BODY_CHARS) -> list[Skill]:
    """The skills that match a prompt so well that they are shown whole, within a cap for all of them."""
    found: list[Skill] = []
    for match in rank(skills, prompt):
        whole = _whole(index, match.skill) if match.well else ""
        size = len(whole) + len(_GAP)
        if whole and size <= chars:
            found.append(match.skill)
            chars -= size
    return found


def with_bodies(
    index: Index,
    prompt: str,
    chars: int = CHARS,
    body_chars: int = BODY_CHARS,
    without: Container[str] = (),
) -> str:
    """The index, and behind it every skill that matches the prompt well; nothing if there are no skills. Of those whose
    path is in `without`, nothing is shown but the name."""
    skills = sound(index.skills())
    parts = [compact(skills, prompt, chars)]
    trusted = [skill for skill in skills if skill.path not in without]
    parts += [_whole(index, skill) for skill in chosen(index, trusted, prompt, body_chars)]
    return _GAP.join(filter(None, parts))


def short(description: str) -> str:
    """The shortest part of a description that says what a skill is for."""
    said = line(description.translate(_MARKUP))
    lead = next((lead for lead in _LEADS if said.lower().startswith(lead)), "")
    sentence = said[len(lead) :].partition(". ")[0].rstrip(". ")
    return cut(sentence, SHORT)


def _whole(index: Index, skill: Skill) -> str:
    """A skill between two lines that name it; nothing if it has no text."""
    body, name = index.text_of(skill), _name(skill)
    return f"--- skill: {name} ---\n{body}\n--- end of skill: {name} ---" if body else ""


def _described(skills: Sequence[Skill], all: int, chars: int) -> list[str]:
    entries: list[str] = []
    for skill in skills:
        if _fits([*entries, _entry(skill)], all, chars):
            entries.append(_entry(skill))
        else:
            break
    return entries


def _entry(skill: Skill) -> str:
    about = short(skill.description)
    return f"{_name(skill)} ({about})" if about else _name(skill)


def _name(skill: Skill) -> str:
    return line(skill.name.translate(_MARKUP)).replace(",", "")


def _fits(entries: list[str], all: int, chars: int) -> bool:
    return len(_shown(entries, all)) <= chars


def _shown(entries: list[str], all: int) -> str:
    more = [f"+{all - len(entries)} more"] if len(entries) < all else []
    return _LABEL + ", ".join((*entries, *more))
