"""Text of a memory inside Markdown: it comes back as it was, and cannot pass for structure.

What memories say is not trusted. Written by `lines` or `line`, no text holds a comment, opens a heading, a list, a
quote, a fence, a link or a picture, or leaves its list item. The marks are Markdown's own (a backslash, an entity), so
a viewer shows the text as it is.
"""

from __future__ import annotations

import re

# Nobody sees these, editors drop or change them, or they end a line for some programs. Written as numbers. A fixed list
# and no category of Unicode: the same text must give the same file under every version of Python.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1680\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SPECIAL = re.compile(
    rf"(?P<unseen>[{_UNSEEN}])"
    r"|(?P<backslash>\\(?![A-Za-z0-9]))"  # before a letter or a digit it means itself
    r"|(?P<entity>&(?=\#[0-9]|lt;|gt;|amp;))"
    r"|(?P<opening><(?=[A-Za-z/!?]))"
    r"|(?P<closing>(?<=--)>|(?<=--!)>)"
    r"|(?P<link>(?<=\])[(\[]|(?<=!)\[)"
)
_BLOCK = re.compile(
    r"(?P<before>[ \t]*(?:[0-9]{1,9}(?=[.)](?:[ \t]|$)))?)"
    r"(?P<mark>[#>=|]|[`~](?=[`~])|[-+*](?=[ \t]|$)|(?P<rule>[-*_])(?=[ \t]*(?:(?P=rule)[ \t]*)*$)"
    r"|\[(?=[^\]]*\]:)|(?<=[0-9])[.)])"
)
_TRAILING = re.compile(r"[ \t]$")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:(lt|gt|amp)|#([0-9]{1,7}));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&"}
_NEWLINE = "&#10;"
_HIGHEST = 0x10FFFF
_IN_FOOTER = re.compile(r"[<>|`\n]")


def lines(text: str) -> list[str]:
    """The lines that stand for a text in a list item, without their indentation. Blank ones are inside only."""
    inner = text.strip("\n")
    before = len(text) - len(text.lstrip("\n")) if inner else len(text)
    after = len(text) - before - len(inner)
    found = [_line(line) for line in inner.split("\n")]
    found[0] = _led(found[0])
    found[0] = _NEWLINE * before + found[0]
    found[-1] += _NEWLINE * after
    return found


def line(text: str) -> str:
    """The same on one line: for a list that is searched with grep."""
    return _led(_NEWLINE.join(_line(part) for part in text.split("\n")))


def value(text: str) -> str:
    """The text as a value in a footer, which ends at a `|` or with the comment."""
    if text.isascii() and text.replace("-", "").replace(":", "").isalnum():  # most are: ids, dates and numbers
        return text
    written = _TRAILING.sub(lambda blank: _number(blank[0]), _led(_inline(text)))
    return _IN_FOOTER.sub(lambda found: _number(found[0]), written)


def word(text: str) -> str:
    """The text as one of several words in a value, which a comma may part."""
    return _inline(text).replace(",", _number(","))


def plain(written: str) -> str:
    """The text that was written so, by us or by hand."""
    if "\\" not in written and "&" not in written:
        return written
    return _ESCAPED.sub(_meant, written)


def glance(text: str, width: int) -> str:
    """The text on one line and cut to a width, for an index: it cannot be turned back."""
    words = " ".join(text.split())
    return line(words if len(words) <= width else words[: width - 1].rstrip() + "…")


def _line(text: str) -> str:
    marked = _BLOCK.match(text)
    if marked:
        place = marked.start("mark")
        written = f"{_inline(text[:place])}\\{text[place]}{_inline(text[place + 1 :])}"
    else:
        written = _inline(text)
    return _TRAILING.sub(lambda blank: _number(blank[0]), written)


def _led(written: str) -> str:
    """The first line stands behind its bullet, where blanks would be taken for indentation."""
    return _number(written[0]) + written[1:] if written[:1] in (" ", "\t") else written


def _inline(text: str) -> str:
    return _SPECIAL.sub(_marked, text)


def _marked(found: re.Match[str]) -> str:
    kind, letter = found.lastgroup, found[0]
    if kind == "unseen":
        return _number(letter)
    if kind in ("backslash", "link"):
        return "\\" + letter
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[letter]


def _number(letter: str) -> str:
    return f"&#{ord(letter)};"


def _meant(found: re.Match[str]) -> str:
    escaped, named, number = found.groups()
    if number:
        return chr(int(number)) if int(number) <= _HIGHEST else found[0]
    return escaped or _NAMED[named]
