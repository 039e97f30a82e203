"""Speak the four protocols by which coding agents ask their models: read a request, and stream an answer."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

ANTHROPIC, RESPONSES, CHAT, GEMINI = "anthropic", "responses", "chat", "gemini"
_ENDS = {
    "/messages": ANTHROPIC,
    "/responses": RESPONSES,
    "/chat/completions": CHAT,
    ":generateContent": GEMINI,
    ":streamGenerateContent": GEMINI,
}
TOKENS_IN, TOKENS_OUT = 100, 20  # that every answer claims to have cost


class Offered(NamedTuple):
    """A tool that a request offers to the model."""

    name: str
    custom: bool = False  # takes a text instead of JSON
    space: str = ""  # namespace that it is called in


class Call(NamedTuple):
    """A tool that the model calls."""

    tool: Offered
    given: Mapping[str, Any] | str


class Answer(NamedTuple):
    text: str = ""
    call: Call | None = None


def protocol(path: str) -> str:
    """Return the protocol of a path; empty for one that asks no model."""
    plain = path.partition("?")[0]
    return next((name for end, name in _ENDS.items() if plain.endswith(end)), "")


def offered(api: str, body: Mapping[str, Any]) -> dict[str, Offered]:
    """Return the tools of a request by the names that a script may use for them."""
    return {name: tool for entry in _entries(api, body) for name, tool in _tools(entry)}


def _entries(api: str, body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from body.get("tools") or ()
    items = body.get("input") if api == RESPONSES else None
    for item in items if isinstance(items, list) else ():
        if item.get("type") == "additional_tools":  # newer models of Codex get their tools among the messages
            yield from item.get("tools") or ()


def _tools(entry: Mapping[str, Any]) -> Iterator[tuple[str, Offered]]:
    if "functionDeclarations" in entry:
        for one in entry["functionDeclarations"]:
            yield one["name"], Offered(one["name"])
    elif entry.get("type") == "namespace":
        space = "" if entry["name"] == "functions" else entry["name"]
        for one in entry.get("tools") or ():
            name = f"{space.rstrip('_')}__{one['name']}" if space else one["name"]
            yield name, Offered(one["name"], one.get("type") == "custom", space)
    else:
        plain = entry["function"] if isinstance(entry.get("function"), dict) else entry
        if name := plain.get("name"):
            yield name, Offered(name, entry.get("type") == "custom")


def encode(api: str, answer: Answer, body: Mapping[str, Any], path: str) -> tuple[bytes, str]:
    """Return the bytes of an answer and their type: a stream of events if the request asks for one."""
    whole, events = _WRITERS[api](answer, str(body.get("model", "scripted")))
    if not (body.get("stream") or "streamGenerateContent" in path):
        return json.dumps(whole).encode(), "application/json"
    named = api in (ANTHROPIC, RESPONSES)
    lines = [(f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n" if api == CHAT else ""]).encode(), "text/event-stream"


def _id(kind: str) -> str:
    return f"{kind}_{secrets.token_hex(10)}"


def _json(call: Call) -> str:
    return call.given if isinstance(call.given, str) else json.dumps(call.given)


def _anthropic(answer: Answer, model: str) -> tuple[Any, list[Any]]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": answer.text}] if answer.text or not answer.call else []
    if answer.call:
        blocks.append(
            {"type": "tool_use", "id": _id("toolu"), "name": answer.call.tool.name, "input": answer.call.given}
        )
    usage = {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT}
    stop = {"stop_reason": "tool_use" if answer.call else "end_turn", "stop_sequence": None}
    message = {"id": _id("msg"), "type": "message", "role": "assistant", "model": model, "usage": usage}
    events: list[Any] = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for index, block in enumerate(blocks):
        is_text = block["type"] == "text"
        start = {**block, "text": ""} if is_text else {**block, "input": {}}
        delta: dict[str, Any] = {"type": "text_delta", "text": block["text"]} if is_text else {}
        delta = delta or {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    events += [
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": TOKENS_OUT}},
        {"type": "message_stop"},
    ]
    return {**message, "content": blocks, **stop}, events


def _responses(answer: Answer, model: str) -> tuple[Any, list[Any]]:
    items: list[dict[str, Any]] = []
    if answer.text or not answer.call:
        part = {"type": "output_text", "text": answer.text, "annotations": []}
        items.append({"type": "message", "id": _id("msg"), "role": "assistant", "content": [part]})
    if answer.call:
        items.append(_called(answer.call))
    usage = {
        "input_tokens": TOKENS_IN,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": TOKENS_OUT,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": TOKENS_IN + TOKENS_OUT,
    }
    whole = {"id": _id("resp"), "object": "response", "model": model, "status": "completed", "output": items}
    events: list[Any] = [{"type": "response.created", "response": {**whole, "output": [], "status": "in_progress"}}]
    for index, item in enumerate(items):
        place = {"output_index": index}
        events.append({"type": "response.output_item.added", **place, "item": {**item, "status": "in_progress"}})
        if item["type"] == "message":
            said = {"item_id": item["id"], "content_index": 0, "delta": answer.text}
            events.append({"type": "response.output_text.delta", **place, **said})
        events.append({"type": "response.output_item.done", **place, "item": {**item, "status": "completed"}})
    events.append({"type": "response.completed", "response": {**whole, "usage": usage}})
    return {**whole, "usage": usage}, [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _called(call: Call) -> dict[str, Any]:
    item: dict[str, Any] = {"id": _id("fc"), "call_id": _id("call"), "name": call.tool.name}
    if call.tool.space:
        item["namespace"] = call.tool.space
    if call.tool.custom:
        return {**item, "type": "custom_tool_call", "input": _json(call)}
    return {**item, "type": "function_call", "arguments": _json(call)}


def _chat(answer: Answer, model: str) -> tuple[Any, list[Any]]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.call:
        function = {"name": answer.call.tool.name, "arguments": _json(answer.call)}
        message["tool_calls"] = [{"index": 0, "id": _id("call"), "type": "function", "function": function}]
    end = "tool_calls" if answer.call else "stop"
    usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT}
    head = {"id": _id("chat"), "created": 0, "model": model}
    whole = {**head, "object": "chat.completion", "usage": usage}
    whole["choices"] = [{"index": 0, "message": message, "finish_reason": end}]
    chunk = {**head, "object": "chat.completion.chunk"}
    said = {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    done = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}
    return whole, [said, done]


def _gemini(answer: Answer, model: str) -> tuple[Any, list[Any]]:
    parts: list[dict[str, Any]] = [{"text": answer.text}] if answer.text or not answer.call else []
    if answer.call:
        parts.append({"functionCall": {"name": answer.call.tool.name, "args": answer.call.given}})
    usage = {"promptTokenCount": TOKENS_IN, "candidatesTokenCount": TOKENS_OUT}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    whole = {"candidates": [candidate], "usageMetadata": {**usage, "totalTokenCount": TOKENS_IN + TOKENS_OUT}}
    return whole, [whole]


_WRITERS = {ANTHROPIC: _anthropic, RESPONSES: _responses, CHAT: _chat, GEMINI: _gemini}
