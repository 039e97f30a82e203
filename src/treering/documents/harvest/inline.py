"""Reduce inline Markdown to what a reader sees, with `code` left in its backticks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference

if TYPE_CHECKING:
    from markdown_it.token import Token

DEEPEST = 20  # marks in marks, as in CommonMark's own reader
LONGEST = 50_000  # characters, and
MOST_BRACKETS = 400  # opening ones: more are no text, and take a second to read
_KEPT = 256  # texts whose reading is kept: one is looked at several times in turn

TAG_NAMES = frozenset(
    """a abbr acronym b bdi bdo big br center cite code dd del details dfn div dl dt em font h1 h2 h3 h4 h5
    h6 hr i img ins kbd li mark nobr ol p picture q s samp small source span strike strong sub summary
    sup svg table tbody td th thead tr tt u ul var video wbr""".split()
)
_PARSER = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("strikethrough").disable("text_join")
_STRUCK_TAGS = frozenset({"s", "del", "strike"})
_MARKED = re.compile(r"[\\`*_~\[\]<>&:\u0080-\U0010ffff]")  # a text without any of these is read as it is
_ROLE = re.compile(r"\{[\w:-]{1,30}\}`([^`<]{1,200}?) ?(?:<[^`<>]*>)?`")  # of MyST: {ref}`text <target>`
_WIKI = re.compile(r"(!?)\[\[([^\[\]|\n]{1,200})(?:\|([^\[\]\n]{1,200}))?\]\]")  # [[page|words]], of Obsidian and wikis
_UNSEEN = re.compile(r"\bhidden\b|display: ?none|visibility: ?hidden", re.IGNORECASE)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_HELD = re.compile("\x00(\\d+)\x00")
_REMARK = re.compile(r"<!--.*\Z", re.DOTALL)
_NAMED = re.compile(r"(!?)\[([^\[\]]*)\]\[[^\[\]]*\]")  # without a definition of the name
_FOOTNOTE = re.compile(r"\[\^[^\[\]]+\]")
_EMPTY = re.compile(r"\(\s{0,9}[,;]?\s{0,9}\)|\[\s{0,9}\]")
_SHORTCODE = re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]+:(?![\w:])")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u26ff\u2728\u2764\u274c\u2705\u2b50\ufe0f\u200d\u20e3]+ ?")
_GAP_BEFORE = re.compile(r"(?<=\S)[ \t]{1,3}([,.;:!?)])(?=\s|$)")


@lru_cache(_KEPT)
def reduce(text: str, links: frozenset[str] = frozenset()) -> str:
    """Return a text without markup and with as many line ends, so that a place in it is a line of the file."""
    if not _MARKED.search(text):
        return _GAP_BEFORE.sub(r"\1", text)
    ends = text.count("\n")
    if len(text) > LONGEST or text.count("[") > MOST_BRACKETS:
        return "\n" * ends
    text = _ROLE.sub(r"\1", text.replace("\x00", ""))
    text = _WIKI.sub(lambda link: "" if link[1] else link[3] or link[2].replace("#", " "), text)
    held: list[str] = []
    shown = _clean(_shown(_PARSER.parseInline(text, {"references": _references(links)})[0].children or [], held))
    shown = _HELD.sub(lambda place: held[int(place[1])], shown)
    return shown + "\n" * (ends - shown.count("\n"))


@lru_cache(_KEPT)
def _references(links: frozenset[str]) -> dict[str, dict[str, str]]:
    return {normalizeReference(name): {"href": "", "title": ""} for name in links}


def _shown(tokens: Sequence[Token], held: list[str]) -> str:
    """Return the text of inline tokens. Code and escaped marks are put aside, and a placeholder stands for each."""
    parts: list[str] = []
    until = ""  # what ends an element that is not shown
    for token in tokens:
        if until and token.type not in ("softbreak", "hardbreak"):
            until = "" if until in (token.type, token.content.lower()) else until
        elif token.type == "s_open":
            until = "s_close"
        elif token.type in ("code_inline", "text_special"):
            held.append(f"`{token.content.strip()}`" if token.type == "code_inline" else token.content)
            parts.append(f"\x00{len(held) - 1}\x00")
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif token.type == "html_inline":
            until = _hides(token.content)
            parts.append(_tag(token.content))
        elif token.type == "image":
            parts.append("\n" * token.content.count("\n"))
        else:
            parts.append(token.content)
    return "".join(parts)


def _hides(tag: str) -> str:
    """Return the end of the element that a tag begins, if the element is not shown."""
    name = _TAG.match(tag)
    opens = name is not None and tag[1] != "/" and not tag.endswith("/>")
    if name is None or not opens or (name[1].lower() not in _STRUCK_TAGS and not _UNSEEN.search(tag)):
        return ""
    return f"</{name[1].lower()}>"


def _tag(tag: str) -> str:
    """Return what a tag shows: a blank for a break, itself if it is a placeholder like <name>."""
    name = _TAG.match(tag)
    if name is not None and name[1].lower() not in TAG_NAMES:
        return tag
    return " " * (name is not None and name[1].lower() == "br") + "\n" * tag.count("\n")


def _clean(text: str) -> str:
    """Return a text without what is left of links, without emoji, and without a blank before a full stop."""
    if "<!--" in text:
        text = _REMARK.sub(lambda remark: "\n" * remark[0].count("\n"), text)
    if "[" in text or "(" in text:
        text = _FOOTNOTE.sub("", _NAMED.sub(lambda link: "" if link[1] else link[2], text))
        text = _EMPTY.sub(lambda empty: "\n" * empty[0].count("\n"), text)
    if not text.isascii():
        text = _EMOJI.sub("", text.replace("\xa0", " "))
    text = _SHORTCODE.sub("", text) if ":" in text else text
    return _GAP_BEFORE.sub(r"\1", text)
