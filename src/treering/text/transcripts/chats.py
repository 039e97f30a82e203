"""Read the chats that ChatGPT and Claude let a person take along: a file of conversations, or the archive or folder
that it is in, where a long history has several.

ChatGPT writes a conversation as a tree of messages, as a person may ask once more; the way to the last one is read.
Claude writes a list. Of both, what somebody typed and what was answered before it is taken, in order.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from treering.ledger.errors import InvalidInput, StoreUnavailable

CHATGPT = "chatgpt"
CLAUDE = "claude"
NAME = "conversations.json"  # in the archive of either
_NAMES = re.compile(r"(?:.*/)?conversations(?:-\d{1,6})?\.json")  # ChatGPT numbers the parts of a long history
_ZIP = b"PK\x03\x04"  # how an archive begins, a damaged one too
LARGEST = 1 << 30  # bytes of a file of conversations; more does not come from talking
LONGEST_PROMPT = 4_000  # characters: more is a text that was pasted


class Prompt(NamedTuple):
    """One thing that a person has typed in a chat."""

    text: str
    before: str  # what was answered last
    time: float  # in seconds, 0 if the file has none
    chat: str  # the id of the conversation


def chats(path: str) -> tuple[str, list[list[Prompt]]]:
    """Return where chats come from, and the prompts of each."""
    conversations = _loaded(path)
    source = _source(conversations)
    if not source:
        raise InvalidInput(f"{path} is no file of conversations: export your data from ChatGPT or Claude, and name it")
    read = _chatgpt if source == CHATGPT else _claude
    return source, [[*_prompts(str(_id(one)), read(one))] for one in conversations if isinstance(one, dict)]


def is_chats(path: str) -> bool:
    """Tell whether a file is an archive of chats, or the file of conversations out of one, by its looks."""
    try:
        if os.path.isdir(path):
            return any(map(_NAMES.fullmatch, os.listdir(path)))
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return any(map(_NAMES.fullmatch, archive.namelist()))
        with open(path, "rb") as file:
            start = file.read(LONGEST_PROMPT)
    except (OSError, zipfile.BadZipFile):
        return False
    if start.startswith(_ZIP):
        return True
    return start.lstrip()[:1] == b"[" and any(mark in start for mark in (b'"mapping"', b'"chat_messages"', b'"title"'))


def _loaded(path: str) -> list[Any]:
    try:
        parts = [json.loads(data) for data in _files(path)]
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InvalidInput(f"{path} is damaged, or no export of chats: {error}") from error
    if not parts:
        raise InvalidInput(f"{path} holds no {NAME}: it is no export of chats")
    if not all(isinstance(part, list) for part in parts):
        raise InvalidInput(f"{path} holds no list of conversations")
    return [one for part in parts for one in part]


def _files(path: str) -> Iterator[bytes]:
    """Yield each file of conversations: the file itself, or those of a folder or an archive."""
    if os.path.isdir(path):
        for name in sorted(filter(_NAMES.fullmatch, os.listdir(path))):
            yield _read(os.path.join(path, name))
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for one in sorted(archive.infolist(), key=lambda one: one.filename):
                if _NAMES.fullmatch(one.filename):
                    if one.file_size > LARGEST:
                        raise InvalidInput(f"{one.filename} in {path} is larger than {LARGEST:,} bytes")
                    yield archive.read(one)
    else:
        yield _read(path)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)


def _source(conversations: Sequence[Any]) -> str:
    kinds = [one for one in conversations if isinstance(one, dict)]
    if any("mapping" in one for one in kinds):
        return CHATGPT
    return CLAUDE if any("chat_messages" in one for one in kinds) else ""


def _id(conversation: Mapping[str, Any]) -> object:
    return next((value for key in ("conversation_id", "id", "uuid") if (value := conversation.get(key))), "")


class _Message(NamedTuple):
    person: bool
    text: str
    time: float


def _prompts(chat: str, messages: Iterator[_Message]) -> Iterator[Prompt]:
    before = ""
    for message in messages:
        if not message.person:
            before = message.text
        elif message.text and len(message.text) <= LONGEST_PROMPT:
            yield Prompt(message.text, before, message.time, chat)
            before = ""


def _chatgpt(conversation: Mapping[str, Any]) -> Iterator[_Message]:
    tree = conversation.get("mapping")
    tree = tree if isinstance(tree, dict) else {}
    at, way = conversation.get("current_node"), list[Mapping[str, Any]]()
    if at not in tree:  # the last that was written
        at = next(reversed(tree), None)
    while isinstance(at, str) and isinstance(node := tree.get(at), dict) and len(way) < len(tree):
        way.append(node)
        at = node.get("parent")
    for node in reversed(way):
        message = node.get("message")
        if isinstance(message, dict) and (role := _field(message, "author", "role")) in ("user", "assistant"):
            parts = _field(message, "content", "parts")
            texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
            yield _Message(role == "user", "\n".join(texts).strip(), _seconds(message.get("create_time")))


def _claude(conversation: Mapping[str, Any]) -> Iterator[_Message]:
    messages = conversation.get("chat_messages")
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict) and (sender := message.get("sender")) in ("human", "assistant"):
            content = message.get("content")
            blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
            said = [one["text"] for one in blocks if one.get("type") == "text" and isinstance(one.get("text"), str)]
            text = "\n".join(said) or message.get("text")
            yield _Message(
                sender == "human", text.strip() if isinstance(text, str) else "", _seconds(message.get("created_at"))
            )


def _field(message: Mapping[str, Any], outer: str, inner: str) -> Any:
    value = message.get(outer)
    return value.get(inner) if isinstance(value, dict) else None


def _seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        return float(value)
    if isinstance(value, str):
        from datetime import UTC, datetime

        try:
            told = datetime.fromisoformat(value)
        except ValueError:
            return 0.0
        return max(0.0, (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp())
    return 0.0
