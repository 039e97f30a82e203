"""Sentences made shorter without a word of one's own: openings that say nothing go, and clauses stand alone."""

from __future__ import annotations

_LEAST_WORDS = 4  # of a clause that stands alone
_OPENINGS = (
    "today ",
    "yesterday ",
    "also ",
    "and ",
    "but ",
    "so ",
    "btw ",
    "fyi ",
    "note: ",
    "note that ",
    "update: ",
    "reminder: ",
    "ok ",
    "okay ",
    "well ",
    "anyway ",
    "actually ",
    "finally ",
    "again ",
    "apparently ",
    "it turns out that ",
    "it turns out ",
    "it turned out that ",
    "it turned out ",
    "turns out that ",
    "turns out ",
    "turned out ",
    "we found that ",
    "we found out that ",
    "found out that ",
    "found that ",
    "i found that ",
    "i noticed that ",
    "noticed that ",
    "we noticed that ",
    "we learned that ",
    "i learned that ",
    "learned that ",
    "remember that ",
    "confirmed that ",
    "we confirmed that ",
    "as expected ",
    "this morning ",
    "this afternoon ",
    "this week ",
    "after some digging ",
    "for the record ",
    "in the end ",
    "just ",
)
# Where a sentence may be cut, and whether what follows can stand alone there.
_JOINTS = {
    ", but ": True,
    ", so ": True,
    ", and ": True,
    "; ": True,
    " \u2014 ": True,
    " \u2013 ": True,
    " - ": True,
    ": ": True,
    ", because ": True,
    " because ": False,
    ", which ": False,
    ", although ": False,
    ", as ": False,
    " (": False,
}
_SUBJECTS = frozenset("a all an each every i it my no our she he the there these they this those we you".split())
_VERBS = frozenset(
    """are be became can cannot could did do does gave gets gives goes got had has have is keeps made makes may might
    must need needs never no not now runs shall should stays takes took was went were will won't would""".split()
)
_TURNS = frozenset(
    """assumed believed cannot except expected guessed hoped if looked maybe never no not only seemed suspected thought
    unless until when while without""".split()
)
_LONGEST_OPENING = 24  # characters
_MOST_VARIANTS = 8  # of a sentence: one with more joints is a list
_CLAUSE = 3  # words within which the verb of a clause comes that stands alone


def trimmed(sentence: str) -> str:
    """Without an opening that says nothing, without marks of stress, and with a stop at its end."""
    text = sentence.replace("**", "").strip()
    cut = True
    while cut:
        low = text.lower().replace(",", "", 1) if "," in text[:_LONGEST_OPENING] else text.lower()
        opening = next((opening for opening in _OPENINGS if low.startswith(opening)), "")
        cut = bool(opening) and len(text.split()) > len(opening.split()) + 2
        if cut:
            text = " ".join(text.split()[len(opening.split()) :])
    text = text.rstrip(" ,;:\u2014\u2013-")
    if text and text[-1] not in ".!?\u2026":
        text += "."
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def variants(sentence: str) -> list[str]:
    """The sentence, and the parts of it that can stand alone."""
    found = [sentence]
    for joint, free in _JOINTS.items():
        at = sentence.find(joint)
        while at >= 0 and len(found) < _MOST_VARIANTS:
            head, tail = sentence[:at], sentence[at + len(joint) :]
            if _is_whole(head) and not _turns(head) and not _turns(tail):
                found.append(head)
            if free and _is_whole(tail) and _stands(tail) and not _turns(head):
                found.append(tail)
            at = sentence.find(joint, at + len(joint))
    return found


def _turns(clause: str) -> bool:
    """Whether it denies or limits what stands beside it, or may be taken back by it: nothing is cut from that."""
    return not _TURNS.isdisjoint(clause.lower().replace("n't", " not").split())


def _is_whole(clause: str) -> bool:
    balanced = clause.count("(") == clause.count(")") and clause.count('"') % 2 == 0 and clause.count("`") % 2 == 0
    return balanced and len(clause.split()) >= _LEAST_WORDS


def _stands(clause: str) -> bool:
    """Whether a clause has a subject: it begins with one, or its verb comes soon."""
    first, *rest = clause.split()
    if first.lower() in _SUBJECTS:
        return True
    return first.lower() not in _VERBS and any(word in _VERBS or word.endswith("ed") for word in rest[: _CLAUSE - 1])
