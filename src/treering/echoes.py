"""Echoes: what was recalled and comes back. It is no news, whoever brings it: not stored, not counted, not credited."""

from __future__ import annotations

from contextlib import suppress

from treering.core.errors import InvalidInput
from treering.core.events import RECALLED, SURFACED, UNDOINGS
from treering.core.lifecycle import RECALLABLE
from treering.core.policy import HOT
from treering.core.ports import EventQuery
from treering.core.types import SCOPES, TYPES, Context, trust_in, visible
from treering.core.words import STOP_WORDS, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import Any

    from treering.core.ports import Reader
    from treering.core.types import Memory

LATELY = 100  # surfacings, of whatever session: about twenty recalls
IN_SESSION = 300  # surfacings of the session itself, which is to hear nothing twice
# Of the words of a text, those that what was surfaced holds: what has fewer says something new.
SHARED = 0.5
_FENCE = "<treering-recall "
_DOT = " \u00b7 "
_SIGNS = (_FENCE.strip(), _FENCE.strip().replace("<", "</"), _DOT, '"')  # of a fence, whole or in pieces
# What stands around a fence and says nothing but that it is one: "here is what I found in memory:".
_LEADING = frozenset(
    """a about according an and are context fence following for found from got here i in is it its memories memory my
    notes of output recall recalled relevant remember remembered result results returned said says stored that the this
    to tool told was we were what""".split()
)
_MORE = ("sources", "problem", "approach", "gotchas", "trigger", "action", "outcome")


class Echoes:
    """What was surfaced lately, and here. It is kept until something else is surfaced."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._context = Context()
        self._surfaced: dict[str, tuple[Memory, frozenset[str]]] = {}
        self._as_of: tuple[str, ...] = ()

    def at(self, context: Context) -> Echoes:
        """The echoes that somebody could bring who stands here, up to date."""
        query = EventQuery(kinds=(SURFACED, *UNDOINGS), space=context.space, newest=True, limit=1)
        last = next(self._store.events(query), None)
        now = (last.id if last else "", *context)
        if now != self._as_of:
            self._context, self._as_of = context, now
            self._surfaced = self._read() if last else {}
        return self

    def told(self, row: Mapping[str, Any]) -> tuple[Mapping[str, Any], Memory | None]:
        """A row without the fences in it, and the memory that it echoes if it says nothing else."""
        text = row.get("content")
        # What is made of memories says so, and may; and who gives more than a text has more to say.
        if not isinstance(text, str) or row.get("at") is not None or any(row.get(name) for name in _MORE):
            return row, None
        if _FENCE in text:
            text = _uncited(text)
            rest, echoed = self._unfenced(text)
            if rest != text and _only_leads(rest):
                return row, _still_there(echoed)
            text, row = rest, {**row, "content": rest}
        return row, self._echoed(text, row)

    def _unfenced(self, text: str) -> tuple[str, Memory | None]:
        """A text without those fences that are ours, and the first memory in them."""
        from treering.recall.fence import opened

        first = None
        for nonce, inside in opened(text):
            shown = self._store.several(_named(inside))
            if not shown and not self._is_ours(nonce):
                continue
            first = first or next((one for one in shown.values() if one.status in RECALLABLE), None)
            start, end = text.find(f"{_FENCE}{nonce}"), text.find(f"</{_FENCE[1:]}{nonce}>")
            # Somebody may have changed a line of it: that is theirs, and stays.
            whole = len(shown) == len(_named(inside)) and all(memory.content for memory in shown.values())
            news = "\n".join(_changed(inside, shown.values())) if whole else ""
            text = text[:start] + news + text[end + len(f"</{_FENCE[1:]}{nonce}>") :]
        return text.strip(), first

    def _is_ours(self, nonce: str) -> bool:
        logged = EventQuery(kinds=(RECALLED,), space=self._context.space, naming=nonce, limit=1)
        return any(self._store.events(logged))

    def _echoed(self, text: str, row: Mapping[str, Any]) -> Memory | None:
        if any(sign in text for sign in _SIGNS):
            text = _unquoted(text)
        words = _said(text)
        known = {id: one for id, one in self._surfaced.items() if words & one[1] and self._alike(row, one[0])}
        held = frozenset().union(*(said for _, said in known.values())) if known else frozenset()
        if not words or len(words & held) < SHARED * len(words):
            return None
        from treering.evolve.echo import echoed

        nearest = sorted(known, key=lambda one: -len(words & known[one][1]))
        # They may have been retired since they were read; and what was archived has not been heard for long.
        told = [memory for memory in self._speaking(nearest) if memory.status in HOT]
        twins = self._store.several({id for memory in told for id in memory.merged}).values()
        texts = [_all(memory) for memory in (*told, *twins)]
        if not told or not echoed(text, texts):
            return None
        from treering.conflict import between

        return None if any(between(text, one) for one in texts) else told[0]

    def _read(self) -> dict[str, tuple[Memory, frozenset[str]]]:
        """The memories that were surfaced and are told, with their words."""
        here = self._context
        query = EventQuery(kinds=(SURFACED,), space=here.space, live=True, newest=True, limit=LATELY)
        ids = {event.subject: None for event in self._store.events(query)}
        if here.session:
            within = query._replace(session=here.session, limit=IN_SESSION)
            ids |= {event.subject: None for event in self._store.events(within)}
        return {memory.id: (memory, _said(_all(memory))) for memory in self._speaking(ids)}

    def _speaking(self, ids: Collection[str]) -> list[Memory]:
        """The memories that were surfaced; for one that has been merged, the one that says it now."""
        found = self._store.several(ids) if ids else {}
        merged = self._store.several({memory.merged_into for memory in found.values() if memory.merged_into})
        return [*found.values(), *merged.values()]

    def _alike(self, row: Mapping[str, Any], memory: Memory) -> bool:
        """Whether who says it wants no other memory than this one: not for more people, and not for ever."""
        here = self._context
        project, session = row.get("project") or here.project, row.get("session") or here.session
        there = Context(here.space, project, session) if isinstance(project, str) and isinstance(session, str) else here
        wanted = row.get("scope") or memory.scope
        if wanted not in SCOPES or SCOPES.index(memory.scope) < SCOPES.index(wanted):
            return False
        if trust_in(str(row.get("origin") or here.actor)) == "user" and memory.trust == "external":
            return False  # a person vouches for what came from outside
        if "episodic" in (row.get("type"), memory.type) and memory.session != session:
            return False  # it happened again
        return visible(memory, there) and bool(row.get("invariant")) <= memory.invariant


def _still_there(memory: Memory | None) -> Memory:
    """The memory that a fence echoes."""
    if memory is None:
        raise InvalidInput("there is nothing to remember: it only repeats a recall of what is gone")
    return memory


def _only_leads(rest: str) -> bool:
    """Whether what stands before a fence says nothing but that it follows."""
    return all(word in _LEADING for word in folded(rest))


def _changed(inside: str, shown: Iterable[Memory]) -> Iterator[str]:
    """The texts in a fence that none of its memories says."""
    from treering.recall.fence import unquote

    known = [f"{memory.content}\n{memory.details}\n{' '.join(memory.tags)}" for memory in shown]
    for line in inside.split("\n"):
        quoted = line[line.find('"') : line.rfind('"') + 1] if '"' in line and _DOT not in line else ""
        with suppress(InvalidInput):
            said = unquote(quoted) if len(quoted) > 1 else ""
            if said and known and not any(said in text for text in known):
                yield said


def _uncited(text: str) -> str:
    """A text in which a fence is cited as in a mail, without the marks before its lines."""
    if f"> {_FENCE}" not in text:
        return text
    return "\n".join(line.removeprefix("> ").removeprefix(">") for line in text.split("\n"))


def _unquoted(text: str) -> str:
    """A text without what a fence puts around memories, as it comes back in pieces or quoted."""
    from treering.recall.fence import unquote

    lines = []
    for line in text.split("\n"):
        line = line.strip().removeprefix(">").strip()
        if line.startswith((_FENCE, f"</{_FENCE[1:]}")) or _is_attribution(line):
            continue
        field, colon, rest = line.partition(": ")
        line = rest if colon and field in _MORE else line
        if len(line) > 1 and line[0] == line[-1] == '"':
            with suppress(InvalidInput):
                line = unquote(line)
        lines.append(line)
    return "\n".join(lines)


def _is_attribution(line: str) -> bool:
    """Whether it says where a memory comes from, as below each one in a fence."""
    id, dot, rest = line.partition(_DOT)
    return bool(dot) and id.rpartition("-")[2].isdecimal() and rest.startswith(TYPES)


def _all(memory: Memory) -> str:
    """All that a memory says, each field by itself."""
    return "\n".join(filter(None, (memory.content, *(getattr(memory, name) for name in _MORE[1:]))))


def _said(text: str) -> frozenset[str]:
    return frozenset(word for word in folded(text) if word not in STOP_WORDS)


def _named(inside: str) -> list[str]:
    """The ids of the memories in a fence, as their attributions have them."""
    lines = (line.strip() for line in inside.split("\n") if line.startswith("  "))
    return [line.split(_DOT)[0] for line in lines if _DOT in line]
