"""Tell whether two texts about the same thing also say the same of it, word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from treering.evolve.sameness.lexicon import ACTS
from treering.evolve.sameness.wording import (
    AND,
    BY,
    CONTENT,
    DENIAL,
    GRAMMAR,
    IS,
    LEADING,
    NAME,
    OF,
    OR,
    OWNS,
    PASSED,
    SIGN,
    WAS,
    WE,
    Unit,
    is_coded,
    line,
)

Line = tuple[Unit, ...]

_WHOLE_OF = frozenset(("all", "every"))


def differing(mine: Line, theirs: Line) -> tuple[str, ...]:
    """Return the differences of two how-tos: most words may stand anywhere, but not signs, moods,
    or what a relation leads to."""
    for told, of in _KEPT:
        one, other = of(mine), of(theirs)
        if one != other:
            return (f"{told} {' / '.join(sorted(' '.join(side) for side in (one, other) if side))}",)
    return ()


def _signs(units: Line) -> list[str]:
    return sorted(unit.key for unit in units if unit.sort == SIGN)


def _led(units: Line) -> list[str]:
    return sorted(f"{unit.key} {_behind(units, at)}" for at, unit in enumerate(units) if unit.key in _RELATIONS)


def _behind(units: Line, at: int) -> str:
    return next((unit.key for unit in units[at + 1 :] if unit.sort in (CONTENT, NAME)), "")


def _moods(units: Line) -> list[str]:
    denied = {f"not {after.key}" for unit, after in pairwise(units) if unit.sort == DENIAL and after.key in _WHOLE_OF}
    return sorted(denied | {unit.key for unit in units if unit.key in _MOODS})


def _cased(units: Line) -> list[str]:
    """Return the words whose case matters: names in code, and sizes in bits."""
    return sorted({unit.key for unit in units if is_coded(unit.text) or unit.key.endswith(_SMALL)})


def _owners(units: Line) -> list[str]:
    return sorted({unit.key for unit in units if unit.key in _PERSONS})


_KEPT: tuple[tuple[str, Callable[[Line], list[str]]], ...] = (
    ("sign", _signs),
    ("direction", _led),
    ("mood", _moods),
    ("value", _cased),
    ("person", _owners),
)
_SMALL = (" in bits",)
_PERSONS = frozenset("my his her".split())  # your home directory is the home directory
_RELATIONS = frozenset("before after until unless instead while then than".split())
_MOODS = frozenset("may might must should will would could shall only both either few most some".split())


ORDER = "order "  # of words that differs, as it is told
_MOST_MOVES = 3  # phrases that stand elsewhere in the other: with more of them, nobody can be sure
_MOST_TOLD = 6  # words of a difference
# What begins a phrase that is no part of who does it: done by Ann every day.
_LATER = frozenset("every on at before after until unless if when while because since during for as".split())
# What a list may follow whose order says nothing: what is done in turn has one.
_HAVING = frozenset("have speak like prefer use need own contain in on with for of to from at by between".split())


def settled(one: str, other: str, differs: tuple[str, ...], are_how_tos: bool) -> tuple[str, ...]:
    """Return the differences of two texts whose words and values differ in `differs`. Only here is
    the order of statements judged."""
    if differs and (are_how_tos or not all(each.startswith(ORDER) for each in differs)):
        return differs
    mine, theirs = line(one), line(other)
    if are_how_tos:
        return differing(mine, theirs)
    found = _differing(mine, theirs)
    if found and not _differing(_active(mine), _active(theirs)):
        return ()
    return found and (differs or found)


def _differing(mine: Line, theirs: Line) -> tuple[str, ...]:
    if _are_sentences(mine, theirs):
        return ()
    for _ in range(_MOST_MOVES):
        start, ours, others = _window(mine, theirs)
        if not ours and not others:
            return ()
        if not any(is_one(mine, theirs, start, ours, others) for is_one in _ONE):
            break
        theirs = theirs[:start] + ours + theirs[start + len(others) :]
    told = sorted(" ".join(unit.text for unit in side[:_MOST_TOLD]) for side in (ours, others) if side)
    return (f"wording {' / '.join(told)}",)


def _is_like(one: Unit, other: Unit) -> bool:
    if one.text == other.text:
        return one.key == other.key or NAME in (one.sort, other.sort)
    return (
        one.key == other.key
        and not _is_cased(one, other)
        and not (one.article and other.article and _are_more(one, other))
    )


def _is_cased(one: Unit, other: Unit) -> bool:
    """Tell whether two differ in case inside a name, Id and ID; the first word always has a capital."""
    sides = (one.text, other.text)
    if one.is_first or other.is_first or one.text.lower() != other.text.lower():
        return False
    return any(map(str.isupper, sides)) and not any(map(str.islower, sides))


def _are_more(one: Unit, other: Unit) -> bool:
    """Tell whether two are singular and plural: the ticket, and the tickets."""
    short, long = sorted((one.text.lower(), other.text.lower()), key=len)
    return long in (f"{short}s", f"{short}es", f"{short[:-1]}ies")


def _are_like(one: Sequence[Unit], other: Sequence[Unit]) -> bool:
    return len(one) == len(other) and all(map(_is_like, one, other))


def _window(mine: Line, theirs: Line) -> tuple[int, Line, Line]:
    """Return where two lines begin to differ, and the part of each from there to their common end."""
    most = min(len(mine), len(theirs))
    start = next((at for at in range(most) if not _is_like(mine[at], theirs[at])), most)
    end = 0
    while end < most - start and _is_like(mine[-1 - end], theirs[-1 - end]):
        end += 1
    return start, mine[start : len(mine) - end], theirs[start : len(theirs) - end]


# -- what may differ


def _is_moved(mine: Line, theirs: Line, start: int, ours: Line, others: Line) -> bool:
    """Tell whether a phrase or clause with its lead word stands at the front in one and at the end in the other."""
    if len(ours) != len(others):
        return False
    return _is_rotated(mine, start, ours, others) or _is_rotated(theirs, start, others, ours)


def _is_rotated(whole: Line, start: int, front: Line, back: Line) -> bool:
    """Tell whether the phrase with which `front` begins stands at the end of `back`."""
    if not (front[0].sort == LEADING or _is_adverb(front)) or not _is_free(front):
        return False
    after = whole[start + len(front) : start + len(front) + 1]
    is_end = not after or after[0].is_first or after[0].sort == LEADING
    comma = next((at for at in range(1, len(front)) if front[at].is_parted), 0)
    for size in (comma,) if comma else range(1 + (front[0].sort == LEADING), len(front)):
        phrase, rest = front[:size], front[size:]
        is_bound = front[0].is_first or rest[0].sort == LEADING or (start > 0 and front[0].is_parted)
        if is_bound and is_end and _are_like(back, rest + phrase):
            return True
    return False


def _is_adverb(front: Line) -> bool:
    """Tell whether a line begins with an adverb for all of it: "locally, Kafka runs here"; not
    "manually restarted jobs"."""
    if len(front) < 2 or not front[0].is_first or not front[0].text.endswith("ly") or front[0].text.lower() in _NARROW:
        return False
    return front[1].is_parted or front[1].key in ACTS


_NARROW = frozenset("only hardly barely scarcely merely nearly mostly partly".split())  # about the next word alone


def _is_free(units: Iterable[Unit]) -> bool:
    """Tell whether it is one statement, in which a phrase belongs to all of it."""
    return not any(unit.key in (AND, OR, "but", "then") or unit.sort == SIGN for unit in units)


def _is_list(mine: Line, theirs: Line, start: int, ours: Line, others: Line) -> bool:
    """Tell whether the items of an "and" list differ only in order: names, or other words behind a
    verb without order."""
    if len(ours) != len(others):
        return False
    one, other = _items(ours), _items(others)
    if len(one) < 2 or len(one) != len(other) or not all(one) or not all(other):
        return False
    before = mine[start - 1] if start else None
    is_had = before is not None and before.key in _HAVING and all(len(item) == 1 for item in one)
    if not is_had and not all(item[0].sort == NAME for item in (*one, *other)):
        return False
    rest = list(other)
    for item in one:
        met = next((each for each in rest if _are_like(item, each)), None)
        if met is None:
            return False
        rest.remove(met)
    behind = mine[start + len(ours) : start + len(ours) + 1]
    if not behind or behind[0].is_first:
        return True
    # Tea to Ann and cake to Ben is no list of Ann and cake.
    is_led = before is not None and before.sort == LEADING
    return behind[0].sort == LEADING and not is_led and all(len(item) == 1 and item[0].sort == NAME for item in one)


def _items(units: Line) -> list[Line]:
    found: list[Line] = [()]
    if not any(unit.key in (AND, OR) for unit in units):
        return found
    for unit in units:
        if unit.key in (AND, OR) or unit.is_parted:
            if found[-1]:
                found.append(())
            if unit.key in (AND, OR):
                continue
        found[-1] = (*found[-1], unit)
    return found


def _is_owned(mine: Line, theirs: Line, start: int, ours: Line, others: Line) -> bool:
    """Tell whether two are forms of possession: the timeout of the gateway, the gateway's timeout."""
    return _is_of(ours, others) or _is_of(others, ours)


def _is_of(of: Line, owner: Line) -> bool:
    bare = tuple(unit for unit in owner if unit.key != OWNS)
    if owner and owner[0].key == OWNS and not of and len(owner) == 1:
        return True
    at = next((at for at, unit in enumerate(of) if unit.key in (OF, "for")), 0)
    if not at or at > 2 or any(unit.sort not in (CONTENT, NAME) for unit in (*of[:at], *of[at + 1 :])):
        return False
    return _are_like(of[at + 1 :] + of[:at], bare)


def _is_whole(mine: Line, theirs: Line, start: int, ours: Line, others: Line) -> bool:
    """Tell whether two are "all files" and "every file"; but not "all day" and "every day"."""
    if {unit.key for unit in (*ours, *others)} != _WHOLE or len(ours) != 1 or len(others) != 1:
        return False
    behind = [side[start + 1].text.lower() for side in (mine, theirs) if start + 1 < len(side)]
    return len(set(behind)) == 2


_WHOLE = {"all", "every"}
_ONE: tuple[Callable[[Line, Line, int, Line, Line], bool], ...] = (_is_moved, _is_list, _is_owned, _is_whole)


def _are_sentences(mine: Line, theirs: Line) -> bool:
    """Tell whether two have the same statements in another order. Orders and what points back are not free."""
    one, other = _sentences(mine), _sentences(theirs)
    if len(one) < 2 or len(one) != len(other) or not all(map(_is_statement, one)):
        return False
    rest = list(other)
    for sentence in one:
        met = next((each for each in rest if _are_like(sentence, each)), None)
        if met is None:
            return False
        rest.remove(met)
    return True


def _sentences(units: Line) -> list[Line]:
    starts = [at for at, unit in enumerate(units) if unit.is_first or not at]
    return [units[start:end] for start, end in zip(starts, (*starts[1:], len(units)), strict=True)]


def _is_statement(units: Line) -> bool:
    if len(units) < 3 or not _POINTING.isdisjoint(unit.key for unit in units):
        return False
    return any(unit.key in (IS, WAS, "have") for unit in units) or units[1].text.endswith("s")


_POINTING = frozenset("then it its he she him her his they them their this that these those first next also so".split())


# -- who does it


def _active(units: Line) -> Line:
    """Return a passive line as active: "Ann was hired by Ben" is "Ben hired Ann"."""
    at = next((at for at in range(len(units) - 1) if _is_passive(units, at)), None)
    if at is None or any(unit.is_first for unit in units[1:]) or not _is_free(units):
        return units
    lead = next((each for each in range(at - 1, -1, -1) if units[each].sort in (LEADING, DENIAL)), -1)
    if lead >= 0 and units[lead].key not in (OF, "in"):
        return units
    verb = units[at + 1]._replace(key=units[at + 1].key.removesuffix(PASSED) + PASSED * (units[at].key == WAS))
    by = next((each for each in range(at + 2, len(units)) if units[each].key == BY), None)
    done, rest = units[:at], units[at + 2 :]
    if by is None:
        return (units[0]._replace(sort=GRAMMAR, key=WE, text="", is_first=True), verb, *_unled(done), *rest)
    end = next((each for each in range(by + 1, len(units)) if units[each].key in _LATER), len(units))
    doer = units[by + 1 : end]
    if not doer:
        return units
    return (doer[0]._replace(is_first=True), *doer[1:], verb, *_unled(done), *units[at + 2 : by], *units[end:])


def _unled(units: Line) -> Line:
    return tuple(unit._replace(is_first=False) for unit in units)


def _is_passive(units: Line, at: int) -> bool:
    return at > 0 and units[at].key in (IS, WAS) and units[at + 1].key.endswith(PASSED)
