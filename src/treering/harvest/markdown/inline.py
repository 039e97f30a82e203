"""Inline Markdown reduced to what a reader sees, with `code` left in its backticks.

Every pattern stops at its own opening mark, so that a line of a million brackets is read once.
"""

from __future__ import annotations

import html
import re

TAG_NAMES = """a abbr acronym b bdi bdo big br center cite code dd del details dfn div dl dt em font h1 h2 h3 h4 h5
h6 hr i img ins kbd li mark nobr ol p picture q s samp small source span strike strong sub summary
sup svg table tbody td th thead tr tt u ul var video wbr"""

_CODE = re.compile(r"(`{1,3})([^`]+)\1(?!`)")
_ROLE = re.compile(r"\{[\w:-]{1,30}\}`([^`<]{1,200}?) ?(?:<[^`<>]*>)?`")  # of MyST: {ref}`text <target>`
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HELD = re.compile("\x00(\\d+)\x00")
_REMARK = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_STRUCK = re.compile(r"~~[^~]+~~|<(?:s|del|strike)>[^<]*</(?:s|del|strike)>", re.IGNORECASE)
_UNSEEN = re.compile(
    r"<(\w+)\b[^<>]{0,200}?(?:\bhidden\b|display: ?none|visibility: ?hidden)[^<>]{0,200}>[^<]*(?:</\1>|\Z)",
    re.IGNORECASE,
)
_TARGET = r"\((?:[^()\n]|\([^()\n]*\))*\)"
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:" + _TARGET + r"|\[[^\[\]]*\])?")
_LINK = re.compile(r"\[([^\[\]]*)\]" + _TARGET)
_NAMED = re.compile(r"\[([^\[\]]*)\]\[([^\[\]]*)\]")
_SHORT = re.compile(r"\[([^\[\]]+)\]")
_FOOTNOTE = re.compile(r"\[\^[^\[\]]+\]")
_ADDRESS = re.compile(r"<((?:https?|mailto|ftp):[^<>\s]+)>")
_TAG = re.compile(r"</?(?:" + "|".join(TAG_NAMES.split()) + r")\b[^<>]*>", re.IGNORECASE)
_STARS = re.compile(r"(?<!\*)(\*{1,3})(?=[^\s*])([^*]+)(?<=[^\s*])\1(?!\*)")
_SCORES = re.compile(r"(?<![\w_])(_{1,3})(?=[^\s_])([^_]*(?:_(?=\w)[^_]*){0,8})(?<=[^\s_])\1(?![\w_])")
_SHORTCODE = re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]+:(?![\w:])")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u26ff\u2728\u2764\u274c\u2705\u2b50\ufe0f\u200d\u20e3]+ ?")
_ENTITY = re.compile(r"&(?:\w{2,32}|#\w{1,8});")
_GAP_BEFORE = re.compile(r"(?<=\S)[ \t]{1,3}([,.;:!?)])(?=\s|$)")
_EMPTY = re.compile(r"\(\s{0,9}[,;]?\s{0,9}\)|\[\s{0,9}\]")


def reduce(text: str, links: frozenset[str] = frozenset()) -> str:
    """The text without markup. It has as many line ends as before, so that a place in it is a line of the file."""
    if text.isalpha():
        return text
    held: list[str] = []

    def hold(shown: str) -> str:
        held.append(shown)
        return f"\x00{len(held) - 1}\x00"

    text = text.replace("\x00", "")
    text = _ROLE.sub(r"\1", text) if "}`" in text else text
    text = _CODE.sub(lambda code: hold(f"`{code[2].strip(' ')}`"), text) if "`" in text else text
    text = _ESCAPE.sub(lambda mark: hold(mark[1]), text) if "\\" in text else text
    text = _unlink(_unhide(text), links)
    text = _unmark(text)
    return _HELD.sub(lambda place: held[int(place[1])], text) if held else text


def _unhide(text: str) -> str:
    if "<!--" in text:
        text = _REMARK.sub(_line_ends, text)
    if "~~" in text or "<" in text:
        text = _STRUCK.sub(_line_ends, _UNSEEN.sub(_line_ends, text))
    return text


def _unlink(text: str, links: frozenset[str]) -> str:
    if "[" in text:
        text = _FOOTNOTE.sub("", _IMAGE.sub(_line_ends, text))
        text = _LINK.sub(lambda link: link[1] + _lost(link[0], link[1]), text)
        text = _NAMED.sub(lambda link: link[1] + _lost(link[0], link[1]), text)
        text = _SHORT.sub(lambda name: name[1] if " ".join(name[1].lower().split()) in links else name[0], text)
        text = _EMPTY.sub(_line_ends, text)
    return text


def _unmark(text: str) -> str:
    if "<" in text:
        text = _ADDRESS.sub(r"\1", text)
        text = _TAG.sub(lambda tag: " " * (tag[0][:3].lower() == "<br") + _line_ends(tag), text)
    for _ in range(2):  # once for the inner of nested marks, once for the outer
        text = _STARS.sub(r"\2", text) if "*" in text else text
        text = _SCORES.sub(r"\2", text) if "_" in text else text
    if "&" in text:
        text = _ENTITY.sub(lambda entity: " ".join(html.unescape(entity[0]).split()) or " ", text)
    if not text.isascii():
        text = _EMOJI.sub("", text)
    text = _SHORTCODE.sub("", text) if ":" in text else text
    return _GAP_BEFORE.sub(r"\1", text)


def _line_ends(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _lost(whole: str, kept: str) -> str:
    return "\n" * (whole.count("\n") - kept.count("\n"))
