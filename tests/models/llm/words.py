"""The question that the tests ask, and servers' ways to answer it."""

from __future__ import annotations

import json
from typing import Any

from tests.serving import Answering, Reply
from treering.models.port import Question

KEY = "sk-not-a-real-key-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 64},
        "description": {"type": "string", "minLength": 1, "maxLength": 200},
        "triggers": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 80},
            "minItems": 1,
            "maxItems": 3,
        },
    },
    "required": ["name", "description", "triggers"],
    "additionalProperties": False,
}
QUESTION = Question(
    "skill",
    "Name a skill for a coding agent, describe it in a sentence, and say when to use it.",
    "Run a migration on a copy first: adding an index locks the table for minutes.",
    SCHEMA,
)
FINE = {"name": "migrate-on-a-copy", "description": "Try migrations on a copy.", "triggers": ["before a migration"]}


def completion(said: object, usage: object = None, finish: str | None = "stop") -> Reply:
    """What a chat endpoint answers."""
    body: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": finish}]}
    return 200, {}, json.dumps({**body, **({"usage": usage} if usage is not None else {})}).encode()


def says(said: object, usage: object = None, finish: str | None = "stop") -> Answering:
    return lambda _: completion(said if said is None or isinstance(said, str) else json.dumps(said), usage, finish)


good = says(FINE, {"prompt_tokens": 120, "completion_tokens": 30})
