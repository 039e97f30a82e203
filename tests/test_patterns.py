"""Regular expressions that every Python from 3.11 on reads alike.

The first releases of 3.11 match possessive quantifiers (`a*+`) and atomic groups (`(?>a)`) wrongly: a secret was found
only in part. Two nets are cast: one over every pattern that is compiled or kept for later, however it was put together,
and one over every string of the sources, for the patterns that live inside a function.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import types
from collections.abc import Iterator
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]

import pytest

import treering
from treering.text.redact import RULES

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
FORBIDDEN = frozenset(("POSSESSIVE_REPEAT", "ATOMIC_GROUP"))
_CALLS_OF_RE = re.compile(r"\bre\.[a-z]+\((\w+)[,)]")


# -- patterns as `re` reads them


def operations(parsed: object) -> Iterator[object]:
    """Return every operation of a parsed pattern, at whatever depth."""
    if isinstance(parsed, _parser.SubPattern | list | tuple):
        for part in parsed:
            yield from operations(part)
    else:
        yield parsed


def is_forbidden(pattern: str | bytes, flags: int = 0) -> bool:
    return not FORBIDDEN.isdisjoint(map(str, operations(_parser.parse(pattern, flags))))


def modules() -> list[types.ModuleType]:
    names = [module.name for module in pkgutil.walk_packages(treering.__path__, "treering.")]
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]


def compiled() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """Return the patterns that the modules of the package hold, alone or in a table."""
    for module in modules():
        for name, value in vars(module).items():
            held = [value, *value] if isinstance(value, tuple | list | frozenset) else [value]
            held += value.values() if isinstance(value, dict) else ()
            flat = [part for item in held for part in (item if isinstance(item, tuple) else (item,))]
            yield from ((f"{module.__name__}.{name}", part) for part in flat if isinstance(part, re.Pattern))


def kept() -> Iterator[tuple[str, str]]:
    """Return the patterns that are compiled when first needed: `re.search(_NAME, …)` with a name of the module."""
    for module in modules():
        for name in _CALLS_OF_RE.findall(Path(str(module.__file__)).read_text(encoding="utf-8")):
            if isinstance(value := vars(module).get(name), str):
                yield f"{module.__name__}.{name}", value
    yield from ((rule.name, rule.pattern) for rule in RULES)


def test_no_pattern_of_the_package_is_possessive_or_atomic() -> None:
    held, later = list(compiled()), list(kept())
    assert len(held) > 100 and len(later) > 100  # of either there are many; none found means that none was looked at
    assert [name for name, pattern in held if is_forbidden(pattern.pattern, pattern.flags)] == []
    assert [name for name, pattern in later if is_forbidden(pattern)] == []


# -- patterns as they are written

_ATOM = "\0"  # what one character, class or hole of a pattern is replaced by
_ATOMS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_SUSPECT = re.compile(r"[*+?}]\+|\(\?>")  # a file without it need not be parsed
_WRITTEN = re.compile(rf"[{_ATOM}).][*+?]\+|\{{\d*,?\d*\}}\+|\(\?>")


def is_written(text: str) -> bool:
    """Tell whether a string holds the forbidden signs behind something that only a pattern has."""
    return _WRITTEN.search(_ATOMS.sub(_ATOM, text)) is not None


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Return each string, and each f-string with its holes as characters; but no docstring."""
    tree = ast.parse(source)
    idle = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(literal(part) for part in node.values)
            idle.update(map(id, node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            yield node.lineno, node.value


def literal(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else _ATOM


def test_no_string_of_the_sources_is_a_possessive_or_atomic_pattern() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in SOURCES if path != Path(__file__)}
    found = [
        (str(path.relative_to(ROOT)), line)
        for path, source in sources.items()
        if _SUSPECT.search(source)
        for line, text in strings(source)
        if is_written(text)
    ]
    assert found == []


# -- the nets have no holes

PLANTED = [r"\w*+x", r"[^-\]]*+", r"(?:ab)++", r".?+", r"a{2,3}+", r"a{2}+", r"(?>ab)c", r"(?:x|(?P<y>(?>b)))"]


@pytest.mark.parametrize("pattern", PLANTED)
def test_a_forbidden_pattern_is_seen_as_read_and_as_written(pattern: str) -> None:
    assert is_forbidden(pattern)
    assert is_written(pattern)


@pytest.mark.parametrize("pattern", [r"\w*\+x", r"[*+?]+", r"a+", r"[]*+]x", r"(?:ab)+?", r"a{2,3}", r"\(\?>"])
def test_what_only_looks_like_one_is_let_through(pattern: str) -> None:
    assert not is_forbidden(pattern)
    assert not is_written(pattern)


def test_a_hole_of_a_pattern_may_not_be_possessive_either() -> None:
    """As in `rf"{_GAP}*+"`."""
    found = strings('GAP = "a"\nPATTERN = rf"x{GAP}*+"\n')
    assert [line for line, text in found if is_written(text)] == [2]
