"""Define a tool: a function, its description, and the schemas that follow from its signature.

Texts of memories leave the server quoted, as data, and no tool shows or changes a memory of another
project.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from treering.ledger.clock import now
from treering.ledger.errors import InvalidInput, NotFound, Protected, TreeringError, WouldLose
from treering.ledger.types import Hit, Memory, Why, visible
from treering.recall.fence import fence, quote
from treering.surfaces.mcp.manual import reflow
from treering.surfaces.mcp.tools.nonces import Nonces

if TYPE_CHECKING:
    from treering.memory import Treering

# Tokens of the memories that one answer quotes, at the most. Clients warn at 10,000 tokens of an answer and cut at
# 25,000; ours are counted generously, and the answer comes twice, as text and as JSON.
MOST_TOKENS = 8_000
_NONCE = 8  # bytes
_NO_REASON = Why({}, {}, {})


def fenced(memories: Iterable[Memory], budget: int = MOST_TOKENS) -> str:
    """Return memories as recall does: quoted, attributed, within a fence of their own."""
    hits = [Hit(memory, 0.0, _NO_REASON) for memory in memories]
    return fence(hits, os.urandom(_NONCE).hex(), now(), budget).text


def one_line(text: str) -> str:
    """Return a line that may repeat foreign words, so that they start no tag, turn or line."""
    return quote(text)[1:-1].replace('\\"', '"')


def all_visible(here: Here, found: Iterable[Memory]) -> bool:
    """Tell whether all of these may be seen from here."""
    return all(visible(one, here.memory.context) for one in found)


def fetch(here: Here, id: str) -> Memory:
    """Return a memory by its id. One that may not be seen from here counts as not found."""
    found = here.memory.get(id)
    if not all_visible(here, [found]):
        raise NotFound("memory", id, "none of this project has that id")
    return found


LONGEST_NOTE = 2_000  # characters of a reason or a note: more is a memory of its own
LONGEST_ID = 200  # characters: no id, name or moment has more
MOST_IDS = 50  # memories that one call names
LONGEST_ERROR = 1_000  # characters of an error: a model needs what to do next, not all that it sent

Id = Annotated[str, Meta(max_length=LONGEST_ID)]
Note = Annotated[str, Meta(max_length=LONGEST_NOTE)]
NodeId = Annotated[str, Meta(max_length=LONGEST_ID, description="id of the memory, like k7qm2xva-41")]
NodeType = Annotated[
    str, Meta(max_length=LONGEST_ID, description="Fact, Process, or a type of memory; refused if it is of another")
]
Reason = Annotated[str, Meta(max_length=LONGEST_NOTE, description="why, with the numbers; it is recorded")]

# Words for the same thing: a model that has just used one tool takes its word along to the next.
_SAME = ("memory_id", "node_id", "id")


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer of a tool. Every text in it is ours, or quoted as data."""

    ASIDE: ClassVar[tuple[str, ...]] = ()  # fields that go to the client, and to no model


class Here(NamedTuple):
    """The open memory, the folder that the agent works in, and what a person's page was given."""

    memory: Treering = None  # type: ignore[assignment]  # it is put in where the memory is, in its thread
    root: str = "."
    nonces: Nonces = Nonces()


class Effect(NamedTuple):
    """The effect of a call on what is remembered."""

    read_only: bool
    destructive: bool  # takes something out of recall; the ledger keeps it
    idempotent: bool


LOOKS = Effect(True, False, True)  # a recall is logged, and that is all
ADDS = Effect(False, False, False)
SETS = Effect(False, False, True)
REPLACES = Effect(False, True, False)


ALWAYS_LOAD = {"anthropic/alwaysLoad": True}  # for clients that otherwise show only names until asked


class Tool(NamedTuple):
    """A function of `here` and keywords, which its docstring describes to a model."""

    run: Callable[..., Answer]
    title: str
    effect: Effect
    always: bool = False  # is worth its place in every prompt
    view: str = ""  # the page on which a client that shows apps shows its answer
    only_app: bool = False  # the page may call it, and no model

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def description(self) -> str:
        return reflow(inspect.getdoc(self.run) or "")

    @property
    def input_schema(self) -> dict[str, Any]:
        return _schema(_arguments(self.run))

    @property
    def output_schema(self) -> dict[str, Any]:
        kind = get_type_hints(self.run)["return"]
        found = _schema(kind)
        for name in kind.ASIDE:
            found["properties"].pop(name)
        return found

    @property
    def listed(self) -> dict[str, Any]:
        """The tool as the protocol lists it."""
        read_only, destructive, idempotent = self.effect
        hints = {"readOnlyHint": read_only, "destructiveHint": destructive, "idempotentHint": idempotent}
        meta: dict[str, Any] = dict(ALWAYS_LOAD) if self.always else {}
        if self.view:
            meta["ui"] = {"resourceUri": self.view, "visibility": ["app"] if self.only_app else ["model", "app"]}
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {"title": self.title, **hints, "openWorldHint": False},
            **({"_meta": meta} if meta else {}),
        }

    def __call__(self, here: Here, given: Mapping[str, Any]) -> Answer:
        """Run it with the arguments of a model. An error says what to send instead."""
        kind = _arguments(self.run)
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        sent = {_named(name, given, fields): value for name, value in given.items() if value is not None}
        for name, value in sent.items():
            if name in fields and isinstance(value, str) and get_origin(_bare(fields[name].type)) is list:
                sent[name] = _listed(value)
        try:
            wanted = msgspec.convert(sent, kind, strict=False)  # a number may come as a text
        except msgspec.ValidationError as error:
            raise InvalidInput(_problem(str(error), fields)) from None
        return self.run(here, **msgspec.structs.asdict(wanted))


def explain(error: TreeringError) -> str:
    """Return an error for a model: what is wrong, and what to do next."""
    more = ""
    if isinstance(error, Protected):
        more = " Only a person gives one, with `treering evolve … --justification`: tell them what you found."
    elif isinstance(error, WouldLose):
        more = " Only a person forces it: keep the memory, or refine it so that it still answers these questions."
    return one_line(str(error))[:LONGEST_ERROR] + more


@cache
def _arguments(run: Callable[..., Answer]) -> type[Struct]:
    """Return the arguments of a function beside `here`, as a type that checks them."""
    hints = get_type_hints(run, include_extras=True)
    fields: list[Any] = []
    for name, parameter in inspect.signature(run).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            given = parameter.default is not parameter.empty
            fields.append((name, hints[name], parameter.default) if given else (name, hints[name]))
    return msgspec.defstruct(run.__name__, fields, kw_only=True, forbid_unknown_fields=True)


def _schema(kind: type[Any]) -> dict[str, Any]:
    """Return the schema of a type, in one piece and without what a reader does not need."""
    (root,), parts = msgspec.json.schema_components([kind])
    found: dict[str, Any] = _lean(root, parts)
    return {"type": "object", **found}


def _lean(value: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_lean(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        kind = _lean(parts[value["$ref"].rpartition("/")[2]], parts)
        return {name: part for name, part in kind.items() if name not in ("title", "description")}
    return {name: _lean(part, parts) for name, part in value.items() if not _idle(name, part)}


def _idle(name: str, part: Any) -> bool:
    """Tell whether a field of a schema says nothing: a title, or an empty default."""
    return (name == "title" and isinstance(part, str)) or (name == "default" and part in ("", [], False))


def _named(name: str, given: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
    """Return the name of an argument; of several words for the same, the one that is known here."""
    if name in fields or name not in _SAME:
        return name
    return next((other for other in _SAME if other in fields and other not in given), name)


def _bare(kind: Any) -> Any:
    return kind.__origin__ if hasattr(kind, "__metadata__") else kind


def _listed(text: str) -> Any:
    """Return a list that was sent as a text: as JSON, or one item alone."""
    try:
        found = json.loads(text)
    except ValueError:
        return [text]
    return found if isinstance(found, list) else [text]


def _problem(error: str, fields: Mapping[str, Any]) -> str:
    problem, _, place = error.partition(" - at `$.")
    if place:
        problem = f"{place.rstrip('`')}: {problem[:1].lower()}{problem[1:]}"
    problem = problem.replace(" <= ", " at most ").replace(" >= ", " at least ")
    problem = problem.replace("Object missing required field", "what is missing is")
    problem = problem.replace("Object contains unknown field", "there is no argument")
    takes = ", ".join(f"{name}{' (required)' if field.required else ''}" for name, field in fields.items())
    return f"{problem}; the arguments are {takes}" if takes else f"{problem}; it takes no arguments"
