"""Text on one line, and cut at a word."""

from __future__ import annotations


def line(text: str) -> str:
    """All of a text on one line, without what cannot be seen: controls, marks of direction, halves of characters."""
    if text.isprintable() and "  " not in text:  # as nearly all are: no more than two looks at them
        return text.strip(" ")
    joined = " ".join(text.split())
    return joined if joined.isprintable() else " ".join("".join(filter(str.isprintable, joined)).split())


def cut(text: str, most: int) -> str:
    """At most so many characters, cut behind a word if one ends in the second half; nothing if there is no room."""
    if len(text) <= most:
        return text
    if most < 2:
        return ""
    head = text[: most - 1]
    at = head.rfind(" ")
    if text[most - 1] != " " and at >= most // 2:
        head = head[:at]
    return head.rstrip(" ,;:.-") + "…"
