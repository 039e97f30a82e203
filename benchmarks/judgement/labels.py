"""Read the labelled texts: batches of one author each, played lives, and labelled sessions.

Each source is split by author. `LAST` names those that no weights are ever made or chosen from: only the last
measurement reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from treering.capture import transcript
from treering.capture.turns import USER, Said
from treering.text.sentences import Sentence, sentences

BATCHES = Path(__file__).parent / "labels"
LIVES = Path(__file__).parents[1] / "lives" / "data"
SESSIONS = Path(__file__).parents[1] / "capture" / "cases"
LAST = frozenset(
    """
    de-02 en-09 es-02 fr-02 held gov-dotnet es-backend fr-devops de-datenbank
    de-21 en-21 fr-21 edition-fabrication klinik-netz parcel-maps stage-cues
    """.split()
)
_READ = 16_000_000  # bytes of a transcript


class Kept(NamedTuple):
    """The label of a sentence that is worth keeping."""

    kind: str
    scope: str
    may: bool = False  # careful people would differ


class Prompt(NamedTuple):
    """A prompt with a label, or None, for each of its sentences."""

    source: str  # the batch, the life or the folder of sessions
    language: str
    before: str  # what the agent said last
    said: list[Sentence]
    labels: list[Kept | None]


def leave_out(names: Iterable[str]) -> None:
    """Treat further sources like those of the last measurement, for the rest of this process."""
    global LAST
    LAST = LAST | frozenset(names)


def prompts(*, last: bool = False) -> list[Prompt]:
    """Return all labelled prompts: those for training and choosing, or those for the last measurement."""
    every = [*_batches(), *_lives(), *_sessions()]
    return [one for one in every if (one.source in LAST) is last]


def rows(name: str, *, last: bool = False) -> list[tuple[str, dict[str, Any]]]:
    """Return the rows of all batches' files of one name (`pairs`, `uses`, `notes`), each with its batch."""
    found = []
    for path in sorted(BATCHES.glob(f"*/{name}.jsonl")):
        if (path.parent.name in LAST) is last:
            found += [(path.parent.name, json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    return found


def _batches() -> Iterator[Prompt]:
    for path in sorted(BATCHES.glob("*/messages.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            said = sentences(row["text"])
            labels: list[Kept | None] = [None] * len(said)
            for kept in row["keep"]:
                part = " ".join(kept["part"].split())
                for at, one in enumerate(said):
                    if _overlap(" ".join(one.text.split()), part):
                        labels[at] = Kept(kept["kind"], kept["scope"])
            yield Prompt(path.parent.name, path.parent.name[:2], row["before"], said, labels)


def _overlap(sentence: str, part: str) -> bool:
    return sentence in part or part in sentence or (len(sentence) > 12 and sentence[:-1] in part)


def _lives() -> Iterator[Prompt]:
    for path in sorted(LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        for session in life["sessions"]:
            before = ""
            for turn in session["turns"]:
                said = sentences(turn["user"])
                labels = [*_holding(said, turn.get("keep", []))]
                yield Prompt(life["id"], life.get("language", "en")[:2], before, said, labels)
                before = turn.get("agent", "")


def _holding(said: list[Sentence], facts: list[Mapping[str, Any]]) -> list[Kept | None]:
    """Label the sentences that hold the strings of a fact: all of them, or else any."""
    labels: list[Kept | None] = [None] * len(said)
    for fact in facts:
        texts = [one.text.lower() for one in said]
        whole = [at for at, text in enumerate(texts) if all(must in text for must in fact["must"])]
        part = [at for at, text in enumerate(texts) if any(must in text for must in fact["must"])]
        for at in whole[:1] or part:
            if labels[at] is None or not fact.get("may"):
                labels[at] = Kept(fact["kind"], fact.get("scope") or "project", bool(fact.get("may")))
    return labels


def _sessions() -> Iterator[Prompt]:
    for folder in sorted(path for path in SESSIONS.iterdir() if path.is_dir()):
        known = json.loads((folder / "labels.json").read_text("utf-8"))
        for name in sorted(known):
            before = ""
            wanted = [one for one in known[name]["wanted"] if one["kind"] != "fix"]
            for turn in transcript.read(str(folder / f"{name}.jsonl"), 0, _READ).turns:
                if not isinstance(turn, Said):
                    continue
                if turn.who == USER:
                    said = sentences(turn.text)
                    facts = [one for one in wanted if one["line"] == turn.line]
                    yield Prompt(folder.name, "en", before, said, _holding(said, facts))
                before = turn.text if turn.who != USER else before
