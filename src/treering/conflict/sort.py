"""Of which visible sort two values are."""

from __future__ import annotations

import re

from treering.conflict.reading.quantity import DATE, differ, quantities
from treering.conflict.reading.tokens import tokens
from treering.conflict.reading.units import UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.conflict.reading.quantity import Quantity

_MOST_WORDS = 4  # of a name
_CODE = r"`[^`]+`\Z|(?=.*[\d_./@#:-])[\w./@#:~+-]+\Z"
_NAME = r"[^\W\d_a-z][\w.&'\u2019-]*\Z"
_OF_DAYS = frozenset("morning mornings afternoon afternoons evening evenings night nights at on the of utc cet".split())
TITLES = frozenset("dr mr mrs ms prof".split())


def sort(one: str, other: str, after: str) -> tuple[str, bool, bool]:
    """The kind of conflict, or none; whether the values are names, and whether they are plain words."""
    amounts = _amounts(one, after), _amounts(other, after)
    if amounts[0] and amounts[1]:
        return _amount(*amounts), False, False
    if amounts[0] or amounts[1] or _is_part(one, other):
        return "", False, False
    mine, theirs = _shape(one), _shape(other)
    if mine == theirs == "lower":
        return "choice", False, True
    is_mixed = {mine, theirs} == {"code", "name"} and "/" not in one + other and "`" not in one + other
    if not mine or "lower" in (mine, theirs) or (mine != theirs and not is_mixed):
        return "", False, False
    return "name", True, False


def _amounts(text: str, after: str) -> list[Quantity]:
    """All that the value is made of, or none if it has other words."""
    unit = f" {after}" if after in UNITS else ""
    words = tokens(text + unit, 0, len(text + unit))
    found = quantities(words)
    taken = {at for one in found for at in range(one.first, one.end)}
    is_whole = all(at in taken or word.low in _OF_DAYS for at, word in enumerate(words))
    return found if is_whole and not any(one.bound for one in found) else []


def _amount(mine: list[Quantity], theirs: list[Quantity]) -> str:
    sorts = [[(one.kind, one.dimension) for one in amounts] for amounts in (mine, theirs)]
    if sorts[0] != sorts[1] or (len(mine) > 1 and any(one.kind != DATE for one in mine)):
        return ""
    return next((a.kind for a, b in zip(mine, theirs, strict=True) if differ(a, b)), "")


def _shape(text: str) -> str:
    if re.match(_CODE, text):
        return "code"
    words = text.split()
    if len(words) > _MOST_WORDS:
        return ""
    if all(re.match(_NAME, word) for word in words):
        return "name"
    return "lower" if text.isalpha() and text.islower() else ""


def _is_part(one: str, other: str) -> bool:
    """Short for the other, or inside it: Postgres and PostgreSQL, `tests` and `tests/slow`, Wu and Mei Wu."""
    mine, theirs = (text.strip("`/").casefold() for text in (one, other))
    words = [{word.strip(".") for word in text.split()} - TITLES for text in (mine, theirs)]
    return mine in theirs or theirs in mine or not all(words) or not words[0].isdisjoint(words[1])
