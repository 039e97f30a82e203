"""Recognise the words that say that something is not so, or no longer so."""

from __future__ import annotations

import re

from treering.evolve.implicit.read import Sentence


def phrases(listed: str, signs: str = "", case: bool = False) -> re.Pattern[str]:
    """Return a pattern for any of the listed phrases, separated by bars with blanks around.

    They match as whole words, in any case unless `case` is set. One blank matches one blank, as
    texts are searched with single blanks. `signs` are alternatives that are no words.
    """
    listed = re.sub(r"(?<=\S)\|\s*\n\s*", "|", listed)  # a group may go over the end of a line
    words = "|".join(" ".join(phrase.split()) for phrase in re.split(r"\s\|\s", listed))
    pattern = rf"\b(?:{words})(?!\w)"
    return re.compile(f"{pattern}|{signs}" if signs else pattern, 0 if case else re.I)


_NOT = "(?:not|n['\u2019]?t)"
_MOVED = "moved|switched|migrated|changed|renamed|upgraded|relocated|postponed|rescheduled"
_LEFT = "|".join(
    """dropped replaced removed retired abandoned left reverted cancelled stopped deprecated deleted superseded sold
    ditched scrapped decommissioned discontinued swapped""".split()
)
_LATELY = "(?: since| just| already| all| recently| now)?"

# A thing that changed. Said of something that a memory names, it makes the memory old.
_CHANGED = phrases(
    rf"""no longer | any ?more | from now on | as of (?:now|today|this|last|\w+day) | in ages | used to | long gone |
    (?:we|they|he|she|it|i|you|who|and)(?:'ve| have| has|'s| had)?{_LATELY} (?:{_MOVED}|{_LEFT}) |
    (?:was|were|is|are|been|got|be|has|have){_LATELY} (?:{_MOVED}|{_LEFT}) |
    (?-i:[A-Z])\w+(?: has)?{_LATELY} (?:{_MOVED}|{_LEFT}|quit|resigned) |
    ha(?:ve|s|d) ?{_NOT} (?:had|used|supported|done|been|lived|worked)\w* | outdated | out[ -]of[ -]date | stale |
    obsolete | not since | that was (?:before|then|only|back) | old (?:info|information|news|value|name) |
    nicht mehr | veraltet | gezogen | umgestellt | umgezogen | ya no | cambi\u00f3 | ne \w+ plus | n'est plus |
    supprim\u00e9e? | remplac\u00e9e? | j\u00e1 n\u00e3o | non pi\u00f9"""
)
# Said of what was used just now, these mean the same.
_SINCE = phrases(
    r"""nowadays | these days | (?:years?|months?|weeks?|ages|days) ago | last (?:year|month|week) | gone |
    since (?:the|last|this|we|then) | until (?:last|recently)"""
)
# The new side of a change: what stands there is not what is denied.
_NEW = re.compile(
    rf"\b((?:{_MOVED})\b[^,;]{{0,40}}?) to\b.*|\b((?:replaced|superseded|swapped)\b[^,;]{{0,40}}?) (?:by|with|for)\b.*",
    re.I,
)
# A thing that never was so.
_UNTRUE = phrases(
    r"""(?:that|this|it|which)(?:'s| is| was)(?: just| simply| plain| actually)? (?:wrong|incorrect|false) |
    never (?:said|was|had|used|told|liked|wanted) | not (?:true|right|correct) | incorrect | mistaken |
    you(?:'re| are) wrong | is wrong | wrong (?:number|name|port|address|day|date|time|person|version|path|value) |
    stimmt nicht | falsch | c'est faux | es falso"""
)
_DENIED = phrases(rf"(?:is|are|was|were|do|does|did|has|have) ?{_NOT} | not | never | kein\w* | nicht | no es | pas")
_NO = re.compile(
    r"(?:(?:hm+|uh|eh|oh|sorry),? )?(?:actually\b|(?:no|nope|nah|nein|non|wrong)"
    r"(?:[,.:;!\u2013\u2014-]| (?:that|it|we|the|i|they|he|she|you)\b|\Z))",
    re.I,
)
# All of it, whatever it was.
_ALL = phrases(
    rf"""(?:that|this|it|which)(?:'s| is| was)(?: just| simply| plain| all)? (?:wrong|incorrect|false) |
    (?:that|this|it|which)(?:'s| is| was)(?: just| simply| long| very)? (?:outdated|out[ -]of[ -]date|stale|obsolete) |
    (?:that|this|it|which)(?:'s| is)? ?(?:no longer|{_NOT}|not) (?:true|right|correct|the case|so)"""
)
_NEITHER = phrases(
    r"""neither (?:is|are|was) (?:true|right|correct|current) | both (?:are|were) (?:wrong|outdated|out of date|old) |
    none of (?:that|it|those) is (?:true|right|correct|current)"""
)
_POINTING = phrases("it | that | this | they | those | them")
# What asks for something, or wonders, and states nothing.
_ASKING = phrases("(?:can|could|would|will) (?:you|we|i) | let's | also | maybe | perhaps", signs=r"\?\s*\Z|\Aplease\b")
# What may be an objection, to whatever it is.
_OBJECTION = phrases(
    r"""wait | hold on | stop | don['\u2019]t | do not | undo | now | hmm* | hm | ugh | huh | eh | instead | rather |
    but | again | wrong | doch | aber | pero | mais""",
    signs=r"\?\?",
)

# What an agent says of its own notes.
_NOTES = phrases(
    r"""my (?:notes?|memory|records?|info|information) | (?:the|that|this) (?:note|memory|entry) | remembered |
    i(?:'d| had| have|'ve)? (?:noted|recalled|thought|assumed|stored) | as noted | noted (?:value|earlier|before) |
    (?:note|memory) (?:on|about|of|says|said) | what i (?:had )?(?:noted|knew|stored)"""
)
_OVERTURNED = phrases(
    f"""out[ -]of[ -]date | outdated | no longer | any ?more | (?:is|was) wrong | not right | not true | not correct |
    incorrect | stale | obsolete | old | (?:does|did|is) ?{_NOT} | but | and not | instead | ha(?:s|ve) changed |
    wrong"""
)
_GIVEN_UP = phrases(
    r"""deprecated | obsolete | no longer \w+ | any ?more | end[ -]of[ -]life | turns out | moved to | renamed to |
    (?:was|were|been|is|are) (?:removed|renamed|replaced|superseded|moved|deleted|discontinued) |
    (?:replaced|superseded) by | has been (?:sunset|retired|shut down) | actually (?:is|uses|lives|runs)"""
)
_MINE = phrases(
    r"""i(?:'ve| have|'ll| will|'d| would)?(?: also| now| then)?
    (?:moved?|switch(?:ed)?|migrated?|changed?|drop(?:ped)?|renamed?|replaced?|removed?|deleted?|updated?)"""
)
# What others say, in an answer.
_QUOTE = re.compile(
    r"(?:(?<=[\s(])|\A)[\"'\u201c\u2018][^\"\u201c\u201d\u2018]{12,}?[\"'\u201d\u2019](?=[\s.,;:)!?]|\Z)"
)


def is_change(said: Sentence) -> bool:
    """Tell whether a user says that something is not as it was."""
    return _CHANGED.search(said.text) is not None and not _is_asking(said)


def is_since(said: Sentence) -> bool:
    """Tell whether a user may say so, depending on the subject."""
    return _SINCE.search(said.text) is not None and not _is_asking(said)


def is_untrue(said: Sentence) -> bool:
    """Tell whether a user says that something never was so."""
    return _UNTRUE.search(said.text) is not None and not _is_asking(said)


def is_correction(said: Sentence) -> bool:
    return is_change(said) or is_since(said) or is_untrue(said) or is_all(said, 1)


def is_denied(said: Sentence) -> bool:
    """Tell whether something is denied; what it is depends on the position."""
    return _DENIED.search(said.text) is not None and not _is_asking(said)


def is_no(said: Sentence) -> bool:
    """Tell whether a sentence begins with a no."""
    return _NO.match(said.text) is not None and not _is_asking(said)


def is_all(said: Sentence, used: int) -> bool:
    """Tell whether a user says that what was just used is not so: "that is outdated"; of several, "neither"."""
    if _is_asking(said):
        return False
    return _NEITHER.search(said.text) is not None or (used == 1 and _ALL.search(said.text) is not None)


def is_pointing(said: Sentence) -> bool:
    """Tell whether a sentence is about what was just said: it, that, they."""
    return _POINTING.search(said.text) is not None


def is_objection(said: Sentence) -> bool:
    return _OBJECTION.search(said.text) is not None


def without_new(text: str) -> str:
    """Return a change without what is so now: of "we moved from A to B", only A is denied."""
    return _NEW.sub(lambda found: found[1] or found[2], text)


def is_overturned(said: Sentence) -> bool:
    """Tell whether an agent says that its own note does not hold."""
    return is_noted(said) and _OVERTURNED.search(_QUOTE.sub("", said.text)) is not None


def is_noted(said: Sentence) -> bool:
    """Tell whether a sentence is about an agent's own notes."""
    return _NOTES.search(_QUOTE.sub("", said.text)) is not None


def is_given_up(said: Sentence) -> bool:
    """Tell whether a program or an agent finds that a thing has changed. The agent's own changes do not count."""
    text = _QUOTE.sub("", said.text)
    return _GIVEN_UP.search(text) is not None and _MINE.search(text) is None


def _is_asking(said: Sentence) -> bool:
    return _ASKING.search(said.text) is not None
