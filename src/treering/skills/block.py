"""Read the block of YAML above a skill, as people write it.

PyYAML gives one event after another: an alias is never resolved, and a text that looks like a number
or a date stays as it is written. Reading never fails; what other readers trip over is noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import yaml  # type: ignore[import-untyped]

Value: TypeAlias = "str | list[tuple[str, Value]]"  # a text, or keys with values; a list has no keys
Pairs: TypeAlias = list[tuple[str, Value]]

LONGEST = 65_536  # characters; a block holds a few lines
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# No characters of YAML.
_UNREADABLE = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
# A key with a text that is in no quotes, and the lines below that belong to it.
_PLAIN = re.compile(r"""^([\w-]+):[ \t]+([^\s"'|>#][^\n]*(?:\n[ \t]+\S[^\n]*)*)""", re.MULTILINE)
_QUOTE = "put the text in double quotes, or readers take it for something else"


def read(block: str) -> tuple[Pairs, list[str]]:
    """Return the keys of a block with their values, and what is wrong with it.

    If it is no YAML, it is read again with its texts in quotes, as many write `description: Use when: …`.
    """
    if len(block) > LONGEST:
        return [], [f"it is longer than {LONGEST:,} characters"]
    readable = _UNREADABLE.sub("\ufffd", block.replace("\r\n", "\n"))
    pairs: Pairs = []
    problems: list[str] = []
    try:
        _parse(readable, pairs, problems)
    except (yaml.MarkedYAMLError, RecursionError) as error:
        problems.append(_explained(error))
        pairs.clear()
        _parse_as_far_as_it_goes(_PLAIN.sub(_in_quotes, readable), pairs)
    for key, value in pairs:
        if key in ("name", "description") and not isinstance(value, str):
            problems.append(f"{key}: {_QUOTE}")
        if key == "metadata" and not _is_flat(value):
            problems.append(f"{key}: below it stand keys with a value each, each once")
    return pairs, problems


def _explained(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    why = f"line {mark.line + 2}: {getattr(error, 'problem', '')}" if mark else "nested too deeply"
    return f"it is no YAML ({why}): put texts in double quotes"


def _in_quotes(plain: re.Match[str]) -> str:
    text = " ".join(plain[2].partition(" #")[0].split())
    return f"{plain[1]}: {json.dumps(text, ensure_ascii=False)}"


def _parse_as_far_as_it_goes(block: str, pairs: Pairs) -> None:
    try:
        _parse(block, pairs, [])
    except (yaml.MarkedYAMLError, RecursionError):
        return


def _parse(block: str, pairs: Pairs, problems: list[str]) -> None:
    """Add the keys and values of a block to `pairs`, one by one, until it ends or cannot be read on."""
    events = yaml.parse(block, Loader=_LOADER)
    kinds = (yaml.StreamStartEvent, yaml.DocumentStartEvent)
    root = next(event for event in events if not isinstance(event, kinds))
    if isinstance(root, yaml.StreamEndEvent):  # it is empty
        return
    found = _value(events, root, problems, pairs)
    if found is not pairs:
        problems.append(f"{str(found)[:40]!r} is no `key: value`")
    if len(list(events)) != 2:  # the end of the document and of the text
        problems.append("something follows behind the end of it")


def _value(events: Iterator[Any], event: Any, problems: list[str], pairs: Pairs) -> Value:
    """Return the value that begins with an event; keys and values are added to `pairs`."""
    text = str(getattr(event, "value", ""))
    if event.anchor or getattr(event, "tag", None) or getattr(event, "flow_style", False):
        problems.append(f"{text[:40]!r}: {_QUOTE}")
    if isinstance(event, yaml.MappingStartEvent):
        while not isinstance(start := next(events), yaml.MappingEndEvent):
            key = _value(events, start, problems, [])
            value = _value(events, next(events), problems, [])
            pairs.append((key if isinstance(key, str) else "", value))
        return pairs
    if isinstance(event, yaml.SequenceStartEvent):
        while not isinstance(start := next(events), yaml.SequenceEndEvent):
            _value(events, start, problems, [])
        return []
    return text


def _is_flat(value: Value) -> bool:
    """Return whether metadata is empty or has a text for each key, and no key twice."""
    if isinstance(value, str):
        return not value
    return bool(value) and len(dict(value)) == len(value) and all(isinstance(one, str) for _, one in value)
