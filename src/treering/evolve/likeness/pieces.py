"""A text cut into pieces: quotes, paths, flags, numbers, names in code, words, and the points between them."""

from __future__ import annotations

import re

# Runs are bounded and give nothing back, so that no text takes long to cut.
_PIECE = r"""
    (?P<plain>[^\W\d_]++(?=[\s,]|[.;:!?](?:\s|$)|$))
    |(?P<quote>"[^"\n]{0,300}"|“[^”\n]{0,300}”|\u2018[^\u2019\n]{0,300}\u2019|`[^`'\n]{0,300}[`']
        |(?<!\w)'[^'\n]{0,300}'(?!\w))
    |(?P<url>\b[a-z][a-z+]{1,10}+://[^\s,;)]{0,300}[^\s,;.)])
    |(?P<mail>[\w.+-]{1,64}+@[\w.-]{0,64}\w(?::[^\s,;]*+)?)
    |(?P<flag>(?<![\w/.-])--?[A-Za-z][\w-]*+(?:=[^\s,;]++)?)
    |(?P<variable>\$\{?[^\W\d]\w*+\}?(?:/[\w./*-]*+)?|%\w++%)
    |(?P<path>(?<!\w)(?:~|\.{1,2})?/(?:[\w.*/~@%+$\{\}-]{0,300}[\w*/~\}])?|~(?!\w)
        |[\w.-]{1,64}+/(?:[\w.-]{1,64}+/)++[\w-]*+|[\w-]{1,64}+/(?=[\s,;.)]|$)
        |[\w-]{1,64}+/[\w-]{1,64}+\.\w++)
    |(?P<glob>[\w.\]-]{0,64}+[*\[][\w.*?\[\]-]{0,64}(?<=[\w*\]]))
    |(?P<date>\b\d{4}-\d\d(?:-\d\d)?\b|\b\d{1,2}:\d\d(?::\d\d)?\b)
    |(?P<dotted>(?<![\w)])\.[A-Za-z]\w*+(?:\.\w++)*+)
    |(?P<number>(?<![\w.])[$€£]?\d{1,3}(?:,\d{3})+(?!\d)
        |(?<![\w.)\]-])(?:-(?=\d)|v(?=\d)|[$€£])?\d{1,64}+(?:\.\d{1,64}+)*+(?:[a-zA-Z]{1,3}|%)?(?!\w))
    |(?P<name>[^\W\d]\w{0,64}?(?:[.:_=+\#@][\w.:=+-]{0,64}\w)++|\w{0,64}\d\w*+|[^\W\d]++(?:-\w{0,64}\d[\w-]{0,64}+)++
        |[A-Za-z]\w*+(?:\(\)|\+\+|\#))
    |(?P<word>[^\W\d_]++(?:['\u2019][^\W\d_]++)?)
    |(?P<operator>&&|\|\||(?<!\S)(?:[<>=!]=?|[+%^|]|[-=]>)(?!\S))
    |(?P<point>[.!?;:]++(?=\s|$)|[,&()\n\u2014\u2013])
    """
_CUT = re.compile(_PIECE, re.VERBOSE)
_CUT_ALL = re.compile(_PIECE + r"|(?P<mark>[^\w\s])", re.VERBOSE)
POINT, WORD, NUMBER, FLAG, QUOTE = "point", "word", "number", "flag", "quote"
SIGNS = frozenset(("operator", "mark"))
_KINDS = {"plain": WORD}  # most words, found without a look at all that a piece may be
# Signs that only dress what they stand at: quotes, brackets, emphasis, marks of a list, hyphens, strokes.
DRESS = frozenset("\"'\u201c\u201d\u2018\u2019`\u00ab\u00bb()[]{}*_#-/\\.,;:\u2026\u2022\u00b7\ufe0f")
PLACES = {"~": "home", "$HOME": "home", "${HOME}": "home", "/": "root", ".": "here", "./": "here"}


def pieces(text: str, is_all: bool = False) -> list[tuple[str, str]]:
    """Of each, its kind and what it is; with all, every sign that is nothing else is a piece too."""
    cut = _CUT_ALL if is_all else _CUT
    return [(_KINDS.get(match.lastgroup or "", match.lastgroup or ""), match.group()) for match in cut.finditer(text)]


def plain(text: str) -> str:
    """A value as it is compared: *.txt, .txt and txt name the same files, a/ and ./a the same place."""
    if text in PLACES:
        return PLACES[text]
    if text.startswith("*.") and text[2:].isalnum():
        text = text[2:]
    elif text[:1] == "." and text[1:].isalnum():
        text = text[1:]
    text = text.removeprefix("./")
    if text.startswith("${") and text.endswith("}"):
        text = "$" + text[2:-1]
    return text.rstrip("/") or text
