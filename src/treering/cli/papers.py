"""Commands for files that people read and write."""

from __future__ import annotations

import os

from treering.cli.ageing import looked
from treering.cli.render import Answer, Progress, counted, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.harvesting import Harvest
    from treering.vaulting import Taken

_SIGNS = {"added": "+", "back": "+", "changed": "~", "gone": "-"}


def index(memory: Treering, call: Call) -> Answer:
    path = call["file"] or "MEMORY.md"
    shown = path == "-"
    text = memory.index(
        "" if shown else path, project=call["project"], session=call["session"], overwrite=call["overwrite"]
    )
    if shown:
        return Answer({"text": text}, lambda page: text.splitlines())
    where = os.path.abspath(path)
    return Answer({"file": where, "text": text}, lambda page: [f"wrote {where}"])


def harvest(memory: Treering, call: Call) -> Answer:
    with Progress("documents read:") as progress:
        done = memory.harvest(
            call["path"], project=call["project"], root=call["root"], dry_run=call["dry_run"], progress=progress
        )
    value = {
        "documents": done.documents,
        "dry_run": call["dry_run"],
        "counts": {name: done.count(name) for name in ("added", "changed", "back", "gone", "known")},
        "items": [item._asdict() for item in done.items if item.action != "known"],
        "contradictions": list(done.contradictions),
        "skipped": [{"file": file, "why": why} for file, why in done.skipped],
    }
    note = "\n".join(f"skipped {line(file)}: {why}" for file, why in done.skipped)
    return Answer(value, lambda page: _harvested(done, call["dry_run"], page), note=note)


def _harvested(done: Harvest, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        for item in done.items:
            if item.action in _SIGNS:
                yield f"{_SIGNS[item.action]} {page.dim(f'{item.document}:{item.line}')}  {line(item.text)}"
    counts = ", ".join(f"{done.count(name):,} {name}" for name in ("added", "changed", "back", "gone", "known"))
    verb = "would be: " if rehearsed else ""
    yield f"{counted(done.documents, 'document')}, facts {verb}{counts}"
    if done.contradictions:
        yield f"{counted(len(done.contradictions), 'contradiction')}: see `treering contradictions`"


def write(memory: Treering, call: Call) -> Answer:
    with Progress("written") as progress:
        done = memory.write_vault(call["dir"], overwrite=call["overwrite"], progress=progress)
    text = f"wrote {counted(len(done.files), 'file')} to {call['dir']}: {counted(done.facts, 'fact')} in continuity.md"
    return Answer({**done._asdict(), "files": list(done.files)}, lambda page: [text])


def replay(call: Call) -> Answer:
    from treering import vaulting

    done = vaulting.replay(call["dir"])
    said = f"{counted(done.sessions, 'session file')} amount to {counted(done.facts, 'fact')}"
    lines = [f"{said}: {'equal to' if done.equal else 'not what stands in'} continuity.md", *map(str, done.differences)]
    value = {**done._asdict(), "equal": done.equal, "differences": [one._asdict() for one in done.differences]}
    return Answer(value, lambda page: lines, code=0 if done.equal else 1)


def read(memory: Treering, call: Call) -> Answer:
    with Progress("read") as progress:
        done = memory.read_vault(call["dir"], mine=call["mine"], progress=progress)
    with Progress("getting ready:") as progress:
        memory.prepare(progress)
    said = f"{done.added:,} new, {done.known:,} known already"
    notes = [f"{count:,} {what}" for what, count in zip(_NOT_TAKEN, _not_taken(done), strict=True) if count]
    return Answer(done._asdict(), lambda page: [said], note="\n".join(filter(None, (*notes, looked(memory)))))


_NOT_TAKEN = (
    "facts read otherwise here: session files are not to be edited; supersede a fact in a new one",
    "supersessions refused: what they would retire is trusted more; if the vault is yours, say --mine",
    "facts passed over: they do not hold any more, and what holds instead is gone",
)


def _not_taken(done: Taken) -> tuple[int, int, int]:
    return done.changed_by_hand, done.refused, done.passed_over
