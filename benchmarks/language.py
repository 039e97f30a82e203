"""Count the hand-written language code: which folders and files hold it, and how many lines each has.

Named here is what knows words or grammar of a human language. A file that lists many words and is
not named counts too, so that a list cannot move out of sight. What lists words of another sort
(commands, event names, formats of secrets) is named with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import treering

ROOT = Path(treering.__file__).parent
MOST_LINES = 6_000
MANY_WORDS = 24  # listed in one file: fewer are names of fields, kinds or states
NAMED = (
    "capture/statements.py",
    "consolidate/summaries",
    "documents/harvest",
    "evolve/echo.py",
    "evolve/same.py",
    "graph/conventions.py",
    "graph/entities",
    "graph/relations.py",
    "graph/same.py",
    "judge",
    "recall/query",
    "skills/signals",
    "text/mentions.py",
    "text/phrases.py",
    "text/sentences.py",
    "text/stems.py",
    "text/wishes.py",
    "text/words.py",
)
OTHER = {
    "capture/echoes.py": "fences of recalled memories",
    "capture/fixes.py": "commands, files, and the names that programs give to errors",
    "capture/turns.py": "tools, and what programs print when they fail",
    "documents/harvest/blocks.py": "Markdown's blocks, read by markdown-it",
    "documents/harvest/changes.py": "what changed between two readings of a document",
    "documents/harvest/inline.py": "Markdown's inline marks",
    "documents/harvest/harvest.py": "files, and what becomes of their facts",
    "consolidate/summaries/group.py": "arithmetic of which episodes tell one story",
    "consolidate/summaries/held.py": "arithmetic of what each term is worth",
    "graph/extract.py": "import statements of programming languages, and what the readings are put together to",
    "judge/features.py": "runs of words and letters, of any language",
    "judge/learned.py": "arithmetic of what one person's verdicts correct",
    "judge/model.py": "arithmetic of the learned weights",
    "judge/pairs.py": "what two texts share, in numbers, for learned weights",
    "recall/belongs.py": "names of what learned weights look at",
    "recall/query/calendar.py": "arithmetic of days and months",
    "skills/signals/friction.py": "lines of transcripts",
    "skills/signals/gather.py": "which rows are looked at",
    "skills/signals/loops.py": "calls of tools, and how they ended",
    "skills/signals/rules.py": "events of the ledger",
    "stores/postgres/schema.py": "SQL",
    "surfaces/hook/agents/event.py": "names of events and fields of agents",
    "text/redact": "formats of secrets",
    "text/secrets.py": "formats of secrets",
    "text/transcripts": "shell commands, and the formats of transcripts",
}
_WORD = re.compile(r"(?<![\\\w])[a-z']{3,}(?![\w(])")
_PLAIN = re.compile(r"[a-z' -]{2,}")


def counted() -> dict[str, int]:
    """Return the lines of language code, by folder."""
    found: dict[str, int] = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        if is_language(name, text):
            folder = "/".join(name.split("/")[:2]) if name.count("/") > 1 else name.split("/")[0]
            found[folder] = found.get(folder, 0) + text.count("\n")
    return found


def is_language(name: str, text: str) -> bool:
    """Tell whether a file is named as language code, or lists many words without a reason."""
    if _is_under(name, OTHER):
        return False
    return _is_under(name, NAMED) or listed_words(text) >= MANY_WORDS


def _is_under(name: str, places: Iterable[str]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


def listed_words(text: str) -> int:
    """Return how many words a module lists: in texts that it splits, in patterns, in sets and tuples."""
    return sum(map(_words_of, ast.walk(ast.parse(text))))


def _words_of(node: ast.AST) -> int:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "split":
            return sum(len(_WORD.findall(text)) for text in _texts([node.func.value]))
        if node.func.attr == "compile":
            return sum(len(_WORD.findall(text)) for text in _texts(ast.walk(node)) if "|" in text)
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        plain = [text for text in _texts(node.elts) if _PLAIN.fullmatch(text)]
        return len(plain) if len(plain) > 5 else 0
    return 0


def _texts(nodes: Iterable[ast.AST]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
