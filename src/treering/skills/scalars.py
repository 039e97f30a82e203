"""The YAML that people write above a skill: keys with texts, quoted, folded or plain. Lists are passed over.

It never fails. What another reader would trip over is noted as a problem.
"""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# "0" stands for NUL, and so on; every other letter for itself.
_ESCAPES = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))
_CODES = {"x": 2, "u": 4, "U": 8}  # how many hexadecimal digits follow
_MARKS = "[{&*!%@`"  # a plain text must not begin with any of these
_GAP = frozenset(("", " ", "\t", "#"))  # what a line begins with that belongs to the key above it, or to none
_BLOCK = frozenset("|>+-0123456789")
_TEXT = "description"  # may begin on the next line; below any other key stand more keys, or a list


class Entry(NamedTuple):
    key: str
    value: str
    inner: tuple[tuple[str, str], ...] = ()  # `key: value` lines below it


class Read(NamedTuple):
    entries: list[Entry]
    problems: tuple[str, ...]


def read(rows: Sequence[str]) -> Read:
    """The entries of a block of lines."""
    entries: list[Entry] = []
    problems: list[str] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if row[:1] in _GAP and (row[:1] in ("", "#") or not row.strip()):
            continue
        start = at
        while at < len(rows) and (rows[at][:1] in _GAP or rows[at][:2] == "- "):
            at += 1
        key, colon, value = _parted(row)
        if not colon or row[0] in " \t-":
            problems.append(f"{row.strip()[:40]!r} is no `key: value`")
        else:
            entries.append(_entry(key, value, rows[start:at], problems))
    return Read(entries, tuple(problems))


def _entry(key: str, value: str, below: Sequence[str], problems: list[str]) -> Entry:
    if value[:1] in ("|", ">") and _BLOCK.issuperset(value.partition(" #")[0].rstrip()):
        return Entry(key, _block(below, folded=value[0] == ">"))
    rows = [row for row in below if row.strip() and row.strip()[0] != "#"]
    listed = [row[:2] == "- " for row in rows]
    if any(listed) and (value or not all(listed)):
        problems.append(f"{key}: a list stands where none belongs")
    if (value and value[0] != "#") or key == _TEXT:
        if rows and len(rows) < sum(1 for row in below if row.strip()):
            problems.append(f"{key}: a comment stands in the middle of it")
        return Entry(key, _value(key, "" if value[:1] == "#" else value, [row.strip() for row in rows], problems))
    return Entry(key, "", () if any(listed) else _pairs(key, rows, problems))


def _pairs(key: str, rows: Sequence[str], problems: list[str]) -> tuple[tuple[str, str], ...]:
    """The `key: value` lines below a key. What is nested deeper is not read."""
    indents = {len(row) - len(row.lstrip()) for row in rows}
    pairs = tuple(_pair(row.strip(), problems) for row in rows if row.strip()[0] != "-" and _parted(row)[1])
    if len(dict(pairs)) < len(rows) or len(indents) > 1:
        problems.append(f"{key}: below it stand keys with a value each, each once and with one indent")
    return pairs


def _pair(row: str, problems: list[str]) -> tuple[str, str]:
    key, _, value = _parted(row)
    return key, _value(key, value, (), problems)


def _value(key: str, value: str, below: Sequence[str], problems: list[str]) -> str:
    """A text in quotes or without, with the lines below that belong to it."""
    whole = " ".join((value, *below)).strip()
    if whole[:1] in ('"', "'"):
        text, closed, rest = _quoted(whole)
        if not closed or (rest.strip() and (below or rest.strip()[0] != "#")):
            problems.append(f"{key}: the quotes are not closed, or something stands behind them")
        return text
    plain = whole.partition(" #")[0].rstrip()
    if below and " #" in whole:
        problems.append(f"{key}: a comment stands in the middle of it")
    if ": " in plain or plain.endswith(":") or (plain and plain[0] in _MARKS) or plain[:2] in ("- ", "? "):
        problems.append(f"{key}: put the text in double quotes, or other readers take it for something else")
    return "" if plain[:1] in ("[", "{") else plain


def _quoted(text: str) -> tuple[str, bool, str]:
    """What stands in quotes, whether they are closed, and what is left."""
    return _single(text) if text[0] == "'" else _double(text)


def _single(text: str) -> tuple[str, bool, str]:
    at = 1
    while (end := text.find("'", at)) >= 0:
        if text[end + 1 : end + 2] != "'":
            return text[1:end].replace("''", "'"), True, text[end + 1 :]
        at = end + 2
    return text[1:].replace("''", "'"), False, ""


def _double(text: str) -> tuple[str, bool, str]:
    said: list[str] = []
    at, end = 1, 0
    while True:
        if end < at:  # not before: it is looked for once, however many escapes stand before it
            quote = text.find('"', at)
            end = quote if quote >= 0 else len(text)
        slash = text.find("\\", at, end)
        if slash < 0:
            said.append(text[at:end])
            return "".join(said), end < len(text), text[end + 1 :]
        said.append(text[at:slash])
        character, at = _escape(text, slash + 1)
        said.append(character)


def _escape(text: str, at: int) -> tuple[str, int]:
    """The character that an escape stands for, and where it ends."""
    letter = text[at : at + 1]
    digits = text[at + 1 : at + 1 + _CODES.get(letter, 0)]
    if not digits:
        return _ESCAPES.get(letter, letter), at + 1
    try:
        character = chr(int(digits, 16))
    except (ValueError, OverflowError):
        return letter, at + 1
    return "\ufffd" if "\ud800" <= character <= "\udfff" else character, at + 1 + len(digits)


def _block(below: Sequence[str], folded: bool) -> str:
    """The lines of a | or > text, less their indent."""
    indent = min((len(row) - len(row.lstrip()) for row in below if row.strip()), default=0)
    rows = [row[indent:].rstrip() for row in below]
    if not folded:
        return "\n".join(rows).strip()
    return "\n".join(" ".join(part.split("\n")) for part in "\n".join(rows).strip().split("\n\n"))


def _parted(row: str) -> tuple[str, str, str]:
    """Key, colon and value of a line; no colon if it has no key."""
    key, colon, value = row.partition(":")
    if colon and value[:1] not in ("", " ", "\t"):
        return "", "", ""
    key = key.strip()
    if key[:1] in ('"', "'"):
        key = key[1:-1] if key[:1] == key[-1:] else ""
    return key, colon if key else "", value.strip()
