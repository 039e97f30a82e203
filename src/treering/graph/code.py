"""Import statements, in code or beside it: what they name, and who imports it if the text says so."""

from __future__ import annotations

import re
from functools import lru_cache

from treering.core.tuples import NamedTuple

_MOST = 40  # statements of one text: more are a listing
# Each at the beginning of a line or of a statement. As a text: `re` compiles it when first needed.
_IMPORT = (
    r"(?:^|[;:`\n]\s?)[ \t]{0,20}(?:"
    r"from ([\w.]{1,80}) import \w"
    r"|import ([a-z_][\w.]{0,80})(?: as \w{1,40})?[ \t]*(?=$|[;`\n])"
    r"|import [\w{}*, ]{1,80} from ['\"]([^'\"\n]{1,80})['\"]"
    r"|import ['\"]([^'\"\n]{1,80})['\"]"
    r"|(?:const|let|var) [\w{}, ]{1,80} = require\(['\"]([^'\"\n]{1,80})['\"]\)"
    r"|use ([a-z_]\w{0,40})::[\w:*{}, ]{1,80};"
    r"|#include [<\"]([^>\"\n]{1,80})[>\"]"
    r")"
    r"|\b(?:pip3?|npm|pnpm|yarn|poetry|uv|cargo|gem|composer|conda) (?:install|add|i|require) "
    r"(@?[a-zA-Z][\w./-]{1,60}\w)"
)
_HINTS = ("import ", "require(", "#include", "::", "install ", " add ", " i ", "require ")


class Import(NamedTuple):
    name: str
    type: str
    start: int  # characters
    end: int


def imports(text: str) -> list[Import]:
    if not any(hint in text for hint in _HINTS):
        return []
    found = []
    for match in _pattern().finditer(text):
        place = match.lastindex or 0
        name = match[place]
        if place in (1, 2):
            name = name.split(".")[0]
        if not name or name in ("crate", "self", "super", "std"):
            continue
        is_file = name.startswith(".") or place == 7 or name.endswith((".js", ".ts", ".css", ".h"))
        found.append(Import(name, "file" if is_file else "library", match.start(place), match.start(place) + len(name)))
        if len(found) >= _MOST:
            break
    return found


def prose(text: str) -> str:
    """The text with blanks in the place of fenced code: a listing names everything and tells nothing."""
    if "```" not in text:
        return text
    pieces = text.split("```")
    return "   ".join(piece if at % 2 == 0 else _blank(piece) for at, piece in enumerate(pieces))


def _blank(code: str) -> str:
    return "".join("\n" if letter == "\n" else " " for letter in code)


@lru_cache(1)
def _pattern() -> re.Pattern[str]:
    return re.compile(_IMPORT, re.MULTILINE)
