"""Read transcripts into the ledger: what the user asked, and where sessions got stuck, each once.

A transcript is only text: it is read, redacted and counted; nothing in it is run, opened or
followed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from treering.capture.statements import asks
from treering.ledger.arguments import loggable
from treering.ledger.codec import data_of, decode, draft
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import PROMPTED, READ, RUBBED, Draft
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context
from treering.skills.signals.friction import Mined, Place, fits
from treering.skills.signals.friction import read as read_transcript
from treering.skills.signals.loops import Loop, Prompt, Stop
from treering.skills.signals.rules import RETRIED
from treering.stores.port.ledger import EventQuery, Reader
from treering.text.redact import clean
from treering.text.transcripts.lines import LONGEST_REASON
from treering.text.words import substantive, tokens


def prompted(mark: str, prompt: str, context: Context, ran: Sequence[str] = (), failed: Sequence[str] = ()) -> Draft:
    """Draft a user's prompt, with the words that say what it asks for, and the commands that worked and failed then."""
    found = {name: [*some] for name, some in (("ran", ran), ("failed", failed)) if some}
    return draft(PROMPTED, {"mark": mark, "prompt": prompt, "tokens": tokens(prompt), **found}, context)


def rubbed(mark: str, kind: str, count: int, texts: dict[str, Any], context: Context) -> Draft:
    """Draft that a session got stuck. `texts` has the tool, its input, the error and the reason, if known."""
    known = {name: text for name, text in texts.items() if text}
    return draft(RUBBED, {"mark": mark, "kind": kind, "count": count, **known}, context)


def read(file: str, mark: str, offset: int, carried: dict[str, Any], context: Context) -> Draft:
    """Draft that a transcript was read up to here."""
    return draft(READ, {"file": file, "mark": mark, "offset": offset, "carried": carried}, context)


SUFFIX = ".jsonl"
CUT = "…"  # at the end of a text that was longer
MOST_RUN = 6  # commands of a prompt: a longer job is no recipe
_LONGEST = 200  # characters of a command, a path or an error: enough to know it again


class Found(NamedTuple):
    """The counts of what was new in transcripts."""

    files: int = 0
    lines: int = 0
    skipped: int = 0  # of the lines: broken, or too long
    prompts: int = 0
    loops: int = 0
    stops: int = 0


def mine(
    ledger: Ledger, paths: Sequence[str], context: Context, progress: Callable[[int], None] = lambda done: None
) -> Found:
    """Read on in transcripts, where the last reading ended."""
    total, seen = Found(), _seen(ledger.store, context.space)
    for done, path in enumerate(files(paths), 1):
        total = Found(*map(sum, zip(total, _one(ledger, path, context, seen), strict=True)))
        progress(done)
    return total


def files(paths: Sequence[str]) -> list[str]:
    """Return the transcripts given, and those in folders given."""
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            inside = (os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(SUFFIX))
            found += filter(os.path.isfile, inside)
        elif os.path.isfile(path):
            found.append(path)
        elif os.path.exists(path):
            raise InvalidInput(f"{path} is no file: name a transcript, or a folder of them")
        else:
            raise NotFound("transcript", path, f"name a file that ends in {SUFFIX}, or a folder of them")
    return [*dict.fromkeys(found)]


def _one(ledger: Ledger, path: str, context: Context, seen: set[tuple[str, int]]) -> Found:
    """Read on in one transcript. Signals in `seen` are skipped, and new ones added to it."""
    store, name = ledger.store, loggable(os.path.basename(path))
    known = _place(store, path, name, context.space)
    try:
        mined = read_transcript(path, known)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}") from error
    if mined.place == known:
        return Found(1)
    here = context._replace(session=_session(mined.session))
    drafted = [one for signal in mined.signals for one in _drafts(signal, here)]

    def work() -> list[Draft]:
        if _place(store, path, name, context.space) != known:
            return []  # another process has read it meanwhile
        fresh = [(mark, one) for mark, one in drafted if mark not in seen]
        place = mined.place
        drafts = [one for _, one in fresh]
        drafts.append(read(name, place.mark, place.offset, _clean(place.carried), context))
        ledger.commit(lambda: drafts)
        return drafts[:-1]

    written = store.write(work)
    seen.update(mark for mark, _ in drafted)
    return _count(mined, written)


def _count(mined: Mined, drafts: Sequence[Draft]) -> Found:
    prompts = sum(one.kind == PROMPTED for one in drafts)
    loops = sum(one.kind == RUBBED and decode(one.payload)["kind"] == RETRIED for one in drafts)
    return Found(1, mined.lines, mined.skipped, prompts, loops, len(drafts) - prompts - loops)


def _place(store: Reader, path: str, name: str, space: str) -> Place:
    """Return where the last reading of this very file ended; another may have had its name."""
    for event in store.events(EventQuery(kinds=(READ,), space=space, naming=name, live=True, newest=True)):
        data = data_of(event)[1]
        place = Place(data["offset"], data["mark"], data.get("carried", {}))
        if data["file"] == name and fits(path, place):
            return place
    return Place()


def _seen(store: Reader, space: str) -> set[tuple[str, int]]:
    """Return the known signals with their counts; another session may have continued a transcript."""
    query = EventQuery(kinds=(PROMPTED, RUBBED), space=space, live=True)
    known = (data_of(event)[1] for event in store.events(query) if event.payload is not None)
    return {(data["mark"], data.get("count", 0) + bool(data.get("reason") or data.get("worked"))) for data in known}


def _drafts(signal: Prompt | Loop | Stop, here: Context) -> Iterator[tuple[tuple[str, int], Draft]]:
    """Yield a signal as a redacted event, under the mark by which it is recognised."""
    mark = _mark(signal.id)
    if isinstance(signal, Prompt):
        said = loggable(signal.text)
        if substantive(said) and asks(said):  # what is to be remembered is a memory
            ran, failed = ([*dict.fromkeys(map(_short, some))][:MOST_RUN] for some in (signal.ran, signal.failed))
            yield (mark, 0), prompted(mark, said, here, ran, failed)
    elif isinstance(signal, Loop):
        fields = ("tool", "what", "error", "worked")
        texts = {name: _short(getattr(signal, name)) for name in fields}
        yield (mark, signal.count + bool(signal.worked)), rubbed(mark, RETRIED, signal.count, texts, here)
    else:
        said = signal.reason or (signal.then if substantive(signal.then) else "")
        texts = {"tool": _short(signal.tool), "reason": loggable(_whole(said, LONGEST_REASON))}
        yield (mark, 1 + bool(said)), rubbed(mark, signal.kind, 1, texts, here)


def _mark(id: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in id)[:_LONGEST] or "-"


def _short(text: str) -> str:
    return clean(_whole(" ".join(text.split()))).text[:_LONGEST]


def _whole(text: str, most: int = 0) -> str:
    """Return a text without a last word that was cut: half a secret would not be recognised."""
    return text.rpartition(" ")[0] if text.endswith(CUT) or len(text) == most else text


def _clean(carried: Any) -> Any:
    """Return what a later reading needs, without secrets."""
    if isinstance(carried, str):
        return clean(_whole(carried)).text
    if isinstance(carried, (list, tuple)):
        return [_clean(one) for one in carried]
    return {name: _clean(one) for name, one in carried.items()} if hasattr(carried, "items") else carried


def _session(name: str) -> str:
    """Return a session's name as it may be stored; what is no name is reduced to its letters."""
    return "".join(letter for letter in clean(name[:_LONGEST], _LONGEST).text if letter.isprintable())
