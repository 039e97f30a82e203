"""Drop echoes: a recalled memory that comes back is not stored, counted or credited, whoever says it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from treering.ledger.ageing import HOT
from treering.ledger.errors import InvalidInput
from treering.ledger.events import RECALLED, SURFACED, UNDOINGS
from treering.ledger.types import RECALLABLE, SCOPES, TYPES, Context, Memory, trust_in, visible
from treering.stores.port.ledger import EventQuery, Reader
from treering.text.words import STOP_WORDS, folded

LATELY = 100  # surfacings, of whatever session: about twenty recalls
IN_SESSION = 300  # surfacings of the session itself, which is to hear nothing twice
# Share of the words of a text that recalled memories hold; with fewer it says something new.
SHARED = 0.5
_FENCE = "<treering-recall "
_DOT = " \u00b7 "
_SIGNS = (_FENCE.strip(), _FENCE.strip().replace("<", "</"), _DOT, '"')  # of a fence, whole or in pieces
_MORE = ("sources", "problem", "approach", "gotchas", "trigger", "action", "outcome")


class Echoes:
    """The memories that were recalled lately and here; read again when another recall is logged."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._context = Context()
        self._surfaced: dict[str, tuple[Memory, frozenset[str]]] = {}
        self._as_of: tuple[str, ...] = ()

    def at(self, context: Context) -> Echoes:
        """Return the echoes of a context, up to date."""
        query = EventQuery(kinds=(SURFACED, *UNDOINGS), space=context.space, newest=True, limit=1)
        last = next(self._store.events(query), None)
        now = (last.id if last else "", *context)
        if now != self._as_of:
            self._context, self._as_of = context, now
            self._surfaced = self._read() if last else {}
        return self

    def match(self, row: Mapping[str, Any]) -> tuple[Mapping[str, Any], Memory | None]:
        """Return a row without its fences, and the memory that it echoes if it says nothing else."""
        text = row.get("content")
        # A row with a date or with more fields than a text is no echo.
        if not isinstance(text, str) or row.get("at") not in (None, "") or any(row.get(name) for name in _MORE):
            return row, None
        if _FENCE in text:
            from treering.evolve.echo import announces

            text = _uncited(text)
            rest, echoed = self._unfenced(text)
            if rest != text and announces(rest):
                return row, _existing(echoed)
            text, row = rest, {**row, "content": rest}
        return row, self._echoed(text, row)

    def _unfenced(self, text: str) -> tuple[str, Memory | None]:
        """Return a text without our own fences, and the first memory in them."""
        from treering.recall.fence import find_fences

        first = None
        for nonce, inside in find_fences(text):
            shown = self._store.several(_ids(inside))
            if not shown and not self._is_ours(nonce):
                continue
            first = first or next((one for one in shown.values() if one.status in RECALLABLE), None)
            start, end = text.find(f"{_FENCE}{nonce}"), text.find(f"</{_FENCE[1:]}{nonce}>")
            # A line that somebody changed is news, and stays.
            whole = len(shown) == len(_ids(inside)) and all(memory.content for memory in shown.values())
            news = "\n".join(_changed(inside, shown.values())) if whole else ""
            text = text[:start] + news + text[end + len(f"</{_FENCE[1:]}{nonce}>") :]
        return text.strip(), first

    def _is_ours(self, nonce: str) -> bool:
        logged = EventQuery(kinds=(RECALLED,), space=self._context.space, naming=nonce, limit=1)
        return any(self._store.events(logged))

    def _echoed(self, text: str, row: Mapping[str, Any]) -> Memory | None:
        if any(sign in text for sign in _SIGNS):
            text = _unquoted(text)
        words = _words(text)
        known = {id: one for id, one in self._surfaced.items() if words & one[1] and self._is_same(row, one[0])}
        held = frozenset().union(*(said for _, said in known.values())) if known else frozenset()
        if not words or len(words & held) < SHARED * len(words):
            return None
        from treering.evolve.echo import echoed

        nearest = sorted(known, key=lambda one: -len(words & known[one][1]))
        # Skip what was retired since it was read; an archived memory was not recalled for long.
        active = [memory for memory in self._current(nearest) if memory.status in HOT]
        twins = self._store.several({id for memory in active for id in memory.merged}).values()
        texts = [_full_text(memory) for memory in (*active, *twins)]
        if not active or not echoed(text, texts):
            return None
        from treering.truth.compare import between

        return None if any(between(one, text) for one in texts) else active[0]

    def _read(self) -> dict[str, tuple[Memory, frozenset[str]]]:
        """Return the recalled memories that are still active, with their words."""
        here = self._context
        query = EventQuery(kinds=(SURFACED,), space=here.space, live=True, newest=True, limit=LATELY)
        ids = {event.subject: None for event in self._store.events(query)}
        if here.session:
            within = query._replace(session=here.session, limit=IN_SESSION)
            ids |= {event.subject: None for event in self._store.events(within)}
        return {memory.id: (memory, _words(_full_text(memory))) for memory in self._current(ids)}

    def _current(self, ids: Collection[str]) -> list[Memory]:
        """Return the memories that were recalled; in place of a merged one, the one it was merged into."""
        found = self._store.several(ids) if ids else {}
        merged = self._store.several({memory.merged_into for memory in found.values() if memory.merged_into})
        return [*found.values(), *merged.values()]

    def _is_same(self, row: Mapping[str, Any], memory: Memory) -> bool:
        """Tell whether a row asks for the same memory: not for more people, and not for longer."""
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


def _existing(memory: Memory | None) -> Memory:
    """Return the memory that a fence echoes."""
    if memory is None:
        raise InvalidInput("nothing to remember: the text only repeats a recalled memory that is gone")
    return memory


def _changed(inside: str, shown: Iterable[Memory]) -> Iterator[str]:
    """Yield the texts in a fence that none of its memories says."""
    from treering.recall.fence import unquote

    known = [f"{memory.content}\n{memory.details}\n{' '.join(memory.tags)}" for memory in shown]
    for line in inside.split("\n"):
        quoted = line[line.find('"') : line.rfind('"') + 1] if '"' in line and not _is_attribution(line.strip()) else ""
        with suppress(InvalidInput):
            said = unquote(quoted) if len(quoted) > 1 else ""
            if said and known and not any(said in text for text in known):
                yield said


def _uncited(text: str) -> str:
    """Return a text without the marks of a citation before the lines of a fence."""
    if f"> {_FENCE}" not in text:
        return text
    return "\n".join(line.removeprefix("> ").removeprefix(">") for line in text.split("\n"))


def _unquoted(text: str) -> str:
    """Return a text without what a fence puts around memories, even in pieces or quoted."""
    from treering.recall.fence import unquote

    lines = []
    for line in text.split("\n"):
        line = line.strip().removeprefix(">").strip()
        if line.startswith((_FENCE, f"</{_FENCE[1:]}")) or _is_attribution(line):
            continue
        field, colon, rest = line.partition(": ")
        line = rest if colon and (field in _MORE or _names_memory(field)) else line
        if len(line) > 1 and line[0] == line[-1] == '"':
            with suppress(InvalidInput):
                line = unquote(line)
        lines.append(line)
    return "\n".join(lines)


def _is_attribution(line: str) -> bool:
    """Tell whether a line is the attribution below a memory in a fence."""
    id, dot, rest = line.partition(_DOT)
    return bool(dot) and id.rpartition("-")[2].isdecimal() and rest.startswith(TYPES)


def _names_memory(field: str) -> bool:
    """Tell whether this stands before a memory that is shown on one line: its id, and whose word it is."""
    id, dot, _ = field.partition(_DOT)
    return bool(dot) and id.rpartition("-")[2].isdecimal()


def _full_text(memory: Memory) -> str:
    """Return all that a memory says, each field by itself."""
    return "\n".join(filter(None, (memory.content, *(getattr(memory, name) for name in _MORE[1:]))))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in folded(text) if word not in STOP_WORDS)


def _ids(inside: str) -> list[str]:
    """Return the ids of the memories in a fence, by their attributions."""
    lines = (line.strip() for line in inside.split("\n") if line.startswith("  "))
    return [line.split(_DOT)[0] for line in lines if _DOT in line]
