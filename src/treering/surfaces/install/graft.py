"""Add to a text of JSON and remove from it, with the layout of the text; all else stays as it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.surfaces.install.jsonc import ARRAY, OBJECT, SCALAR, NotUnderstood, plain, read, trivia

if TYPE_CHECKING:
    from treering.surfaces.install.jsonc import Draft, Node

USUAL_INDENT = "  "


class Style(NamedTuple):
    """How a file is laid out."""

    unit: str  # of indentation
    newline: str
    colon: str
    comma: str  # between parts on one line
    lines: bool  # whether it has parts on lines of their own


def add(draft: Draft, path: Sequence[str], value: Any) -> None:
    """Put a value at a path, and whatever is missing above it. What an object has beside these members stays."""
    node, rest = _down(draft, path)
    if node is None:
        draft.splice(len(draft.text), len(draft.text), _fresh(draft, _nested(rest, value)))
    elif not rest and isinstance(value, dict) and node.kind == OBJECT:
        for key, one in value.items():
            _set(draft, (*path, key), one)
    elif not rest or plain(node) is None:
        _replace(draft, node, _nested(rest, value))
    elif node.kind == OBJECT:
        _insert(draft, node, rest[0], _nested(rest[1:], value))
    else:
        raise _misshapen(path[: len(path) - len(rest)], OBJECT)


def append(draft: Draft, path: Sequence[str], value: Any) -> None:
    """Put a value at the end of the array at a path, which is made if it is not there."""
    node, rest = _down(draft, path)
    if rest or node is None or plain(node) is None:
        add(draft, path, [value])
    elif node.kind == ARRAY:
        _insert(draft, node, "", value)
    else:
        raise _misshapen(path, ARRAY)


def remove(draft: Draft, node: Node, index: int) -> None:
    """Take a part out, with the comma and the blanks that came with it."""
    text, part = draft.text, node.parts[index]
    last = index == len(node.parts) - 1
    before = node.start + 1 if index == 0 else node.parts[index - 1].comma + 1
    start = max((end for _, _, end in trivia(text, before, part.start)), default=before)
    end = part.comma + 1 if part.comma >= 0 else part.node.end
    if index == 0 and not last and "\n" not in text[start : part.start]:
        start, end = part.start, node.parts[1].start if "\n" not in text[end : node.parts[1].start] else end
    elif _in_line_comment(text, start) and not _ends_line(text, end):
        start = part.start
    draft.splice(start, end, "")
    if last and index > 0 and part.comma < 0:
        comma = node.parts[index - 1].comma
        draft.splice(comma, comma + 1, "")
    if len(node.parts) == 1:
        inside = draft.text[node.start + 1 : node.end - 1 - (end - start)]
        if inside and not inside.strip():
            draft.splice(node.start + 1, node.start + 1 + len(inside), "")


def style_of(text: str, root: Node | None) -> Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    if root is None or not root.parts:
        return Style(USUAL_INDENT, newline, ": ", ", ", lines=True)
    first = root.parts[0]
    unit = _indent_before(text, first.start)
    colon = ":" if root.kind == OBJECT and not text[first.node.start - 1].isspace() else ": "
    tight = first.comma >= 0 and not text[first.comma + 1].isspace()
    comma = "," if tight or (first.comma < 0 and colon == ":") else ", "
    return Style(unit or USUAL_INDENT, newline, colon, comma, lines=unit is not None)


def render(value: Any, style: Style, indent: str, spread: bool) -> str:
    """Return a value as text. A list of scalars stays on one line."""
    if isinstance(value, dict) and value:
        cells = [
            f"{_text(key)}{style.colon}{render(one, style, indent + style.unit, spread)}" for key, one in value.items()
        ]
        return _joined("{", cells, "}", style, indent, spread)
    if isinstance(value, list) and value:
        spread_items = spread and any(isinstance(one, (dict, list)) for one in value)
        cells = [render(one, style, indent + style.unit, spread) for one in value]
        return _joined("[", cells, "]", style, indent, spread_items)
    return _text(value)


def _down(draft: Draft, path: Sequence[str]) -> tuple[Node | None, tuple[str, ...]]:
    """Return the value as far down a path as there is anything, and what is left of the path."""
    node = read(draft.text)
    for place, key in enumerate(path):
        part = node.part(key) if node and node.kind == OBJECT else None
        if part is None:
            return node, tuple(path[place:])
        node = part.node
    return node, ()


def _set(draft: Draft, path: Sequence[str], value: Any) -> None:
    node, rest = _down(draft, path)
    if rest and node is not None:
        _insert(draft, node, rest[0], value)
    elif node is not None and plain(node) != value:
        _replace(draft, node, value)


def _insert(draft: Draft, node: Node, key: str, value: Any) -> None:
    """Add a new part behind the last one."""
    text = draft.text
    style = style_of(text, read(text))
    label = f"{_text(key)}{style.colon}" if node.kind == OBJECT else ""
    base = _line_indent(text, node.start)
    if not node.parts:
        _fill(draft, node, label, value, style, base)
        return
    last = node.parts[-1]
    own = _indent_before(text, last.start)
    spread = own is not None
    inner = own if own is not None else base
    piece = label + render(value, style, inner, spread)
    end, trailing = last.node.end, last.comma >= 0
    behind = last.comma + 1 if trailing else end
    if spread:
        at = _behind_comments(text, behind, node.end - 1)
        draft.splice(at, at, f"{style.newline}{inner}{piece}{',' if trailing else ''}")
        if not trailing:
            draft.splice(end, end, ",")
    elif trailing:
        draft.splice(behind, behind, f"{style.comma[1:]}{piece},")
    else:
        draft.splice(end, end, style.comma + piece)


def _fill(draft: Draft, node: Node, label: str, value: Any, style: Style, base: str) -> None:
    """Add the first part of an empty container, behind what comments it has."""
    text, start, end = draft.text, node.start + 1, node.end - 1
    at = max((behind for _, _, behind in trivia(text, start, end)), default=start)
    if style.lines or at > start:
        inner = base + style.unit
        piece = label + render(value, style, inner, spread=True)
        draft.splice(at, end, f"{style.newline}{inner}{piece}{style.newline}{base}")
    else:
        draft.splice(at, end, label + render(value, style, base, spread=False))


def _replace(draft: Draft, node: Node, value: Any) -> None:
    text = draft.text
    style = style_of(text, read(text))
    spread = style.lines and (node.kind == SCALAR or "\n" in text[node.start : node.end])
    draft.splice(node.start, node.end, render(value, style, _line_indent(text, node.start), spread))


def _fresh(draft: Draft, value: Any) -> str:
    """Return the whole of a file that had nothing in it but perhaps comments."""
    style = style_of(draft.text, None)
    gap = style.newline if draft.text.strip("\ufeff") and not draft.text.endswith("\n") else ""
    return f"{gap}{render(value, style, '', spread=True)}{style.newline}"


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _joined(opens: str, cells: list[str], closes: str, style: Style, indent: str, spread: bool) -> str:
    if not spread:
        return f"{opens}{style.comma.join(cells)}{closes}"
    inner = f"{style.newline}{indent}{style.unit}"
    return f"{opens}{inner}{f',{inner}'.join(cells)}{style.newline}{indent}{closes}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _indent_before(text: str, at: int) -> str | None:
    """Return the blanks before a part that is the first on its line; None if something else is before it."""
    start = text.rfind("\n", 0, at) + 1
    blank = text[start:at]
    return blank if start > 0 and not blank.strip() else None


def _line_indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    row = text[start:at].lstrip("\ufeff")
    return row[: len(row) - len(row.lstrip())]


def _behind_comments(text: str, at: int, end: int) -> int:
    """Return the place behind the comments that stand on the same line."""
    for _, start, stop in trivia(text, at, end):
        if "\n" in text[at:start]:
            break
        at = stop
    return at


def _in_line_comment(text: str, at: int) -> bool:
    """Return whether a comment that lasts until the end of its line ends here."""
    return any(
        comment.startswith("//") for comment, _, end in trivia(text, text.rfind("\n", 0, at) + 1, at) if end == at
    )


def _ends_line(text: str, at: int) -> bool:
    return text[at:].lstrip(" \t\r")[:1] in ("\n", "")


def _misshapen(path: Sequence[str], wanted: str) -> NotUnderstood:
    shape = "{ … }" if wanted == OBJECT else "[ … ]"
    return NotUnderstood(f"{'.'.join(path) or 'the file'} should be a JSON {wanted}, {shape}")
