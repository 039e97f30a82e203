"""Transcripts at work: what the user asked and where sessions got stuck goes down in the ledger, once.

What stands in a transcript is text. It is read, redacted and counted; nothing in it is done, opened or followed.
"""

from __future__ import annotations

import os

from treering.core import mining
from treering.core.codec import data_of, decode
from treering.core.errors import InvalidInput, NotFound
from treering.core.events import PROMPTED, READ, RUBBED
from treering.core.ports import EventQuery
from treering.core.prompts import substantive
from treering.core.signals import RETRIED
from treering.core.tuples import NamedTuple
from treering.friction.signals import Loop, Prompt
from treering.friction.transcript import Place, fits
from treering.friction.transcript import read as read_transcript
from treering.guard import clean
from treering.transcripts.stops import LONGEST_REASON
from treering.wishes import logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from treering.core.events import Draft
    from treering.core.ports import Reader
    from treering.core.types import Context
    from treering.friction.signals import Stop
    from treering.friction.transcript import Mined
    from treering.ledger import Ledger

SUFFIX = ".jsonl"
CUT = "…"  # at the end of a text that was longer
_LONGEST = 200  # characters of a command, a path or an error: enough to know it again


class Found(NamedTuple):
    """What was new in transcripts."""

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
    told, seen = Found(), _seen(ledger.store, context.space)
    for done, path in enumerate(files(paths), 1):
        told = Found(*map(sum, zip(told, _one(ledger, path, context, seen), strict=True)))
        progress(done)
    return told


def usual(folder: str, environment: Mapping[str, str]) -> str:
    """Where Claude Code keeps the transcripts of a folder that one works in."""
    home = environment.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in os.path.abspath(folder))
    return os.path.join(home, "projects", plain)


def files(paths: Sequence[str]) -> list[str]:
    """The transcripts that are meant: those given, and those that lie in a folder."""
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
    """Read on in one transcript. `seen` are the signals that are known, and learns of more."""
    store, name = ledger.store, logged(os.path.basename(path))
    known = _place(store, path, name, context.space)
    try:
        mined = read_transcript(path, known)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}") from error
    if mined.place == known:
        return Found(1)
    here = context._replace(session=_session(mined.session))
    drafted = [one for signal in mined.signals for one in _told(signal, here)]

    def work() -> list[Draft]:
        if _place(store, path, name, context.space) != known:
            return []  # another process has read it meanwhile
        fresh = [(mark, one) for mark, one in drafted if mark not in seen]
        place = mined.place
        drafts = [one for _, one in fresh]
        drafts.append(mining.read(name, place.mark, place.offset, _cleaned(place.carried), context))
        ledger.commit(lambda: drafts)
        return drafts[:-1]

    written = store.write(work)
    seen.update(mark for mark, _ in drafted)
    return _counted(mined, written)


def _counted(mined: Mined, drafts: Sequence[Draft]) -> Found:
    prompts = sum(one.kind == PROMPTED for one in drafts)
    loops = sum(one.kind == RUBBED and decode(one.payload)["kind"] == RETRIED for one in drafts)
    return Found(1, mined.lines, mined.skipped, prompts, loops, len(drafts) - prompts - loops)


def _place(store: Reader, path: str, name: str, space: str) -> Place:
    """Where the last reading of this very file ended; another one may have had its name."""
    for event in store.events(EventQuery(kinds=(READ,), space=space, naming=name, live=True, newest=True)):
        data = data_of(event)[1]
        place = Place(data["offset"], data["mark"], data.get("carried", {}))
        if data["file"] == name and fits(path, place):
            return place
    return Place()


def _seen(store: Reader, space: str) -> set[tuple[str, int]]:
    """The signals that are known, with how much of each is; another session may have gone on with a transcript."""
    query = EventQuery(kinds=(PROMPTED, RUBBED), space=space, live=True)
    told = (data_of(event)[1] for event in store.events(query) if event.payload is not None)
    return {(data["mark"], data.get("count", 0) + bool(data.get("reason"))) for data in told}


def _told(signal: Prompt | Loop | Stop, here: Context) -> Iterator[tuple[tuple[str, int], Draft]]:
    """A signal as an event, redacted, under the mark by which it is known again."""
    mark = _mark(signal.id)
    if isinstance(signal, Prompt):
        said = logged(signal.text)
        if substantive(said) and not _told_to_keep(said):
            yield (mark, 0), mining.prompted(mark, said, here)
    elif isinstance(signal, Loop):
        texts = {"tool": _short(signal.tool), "what": _short(signal.what), "error": _short(signal.error)}
        yield (mark, signal.count), mining.rubbed(mark, RETRIED, signal.count, texts, here)
    else:
        said = signal.reason or (signal.then if substantive(signal.then) else "")
        texts = {"tool": _short(signal.tool), "reason": logged(_whole(said, LONGEST_REASON))}
        yield (mark, 1 + bool(said)), mining.rubbed(mark, signal.kind, 1, texts, here)


def _told_to_keep(prompt: str) -> bool:
    """Whether a prompt only says what is to be remembered: that is a memory then, and need not stand here too."""
    from treering.capture.catches import TOLD
    from treering.capture.catching import statement

    return any(catch.kind == TOLD for catch in statement(prompt))


def _mark(id: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in id)[:_LONGEST] or "-"


def _short(text: str) -> str:
    return clean(_whole(" ".join(text.split()))).text[:_LONGEST]


def _whole(text: str, most: int = 0) -> str:
    """A text without a word that was cut: half of a secret would not be known as one."""
    return text.rpartition(" ")[0] if text.endswith(CUT) or len(text) == most else text


def _cleaned(carried: Any) -> Any:
    """What a later reading needs, without secrets."""
    if isinstance(carried, str):
        return clean(_whole(carried)).text
    if isinstance(carried, (list, tuple)):
        return [_cleaned(one) for one in carried]
    return {name: _cleaned(one) for name, one in carried.items()} if hasattr(carried, "items") else carried


def _session(name: str) -> str:
    """A session's name as it may be stored; what is no name is told by its letters alone."""
    return "".join(letter for letter in clean(name[:_LONGEST], _LONGEST).text if letter.isprintable())
