"""Read lives: weeks of one person's work with a coding agent, with labels of what is worth knowing when.

`benchmarks/README.md` describes the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

OURS = Path(__file__).parent / "data"
FIX = "fix"


class Fact(NamedTuple):
    """Something that a careful colleague would still want to know weeks later."""

    id: str
    kind: str  # told, correction, preference, decision or fix
    gist: str
    must: tuple[str, ...]  # strings, in lower case, that any right memory of it holds
    scope: str = "project"
    replaces: str = ""  # the id of an earlier fact
    may: bool = False  # careful people would differ

    def within(self, text: str) -> bool:
        """Tell whether a text, in lower case, holds this fact."""
        return all(must in text for must in self.must)

    @property
    def told(self) -> str:
        """The fact as somebody would tell it to a memory."""
        return self.gist if self.within(self.gist.lower()) else f"{self.gist} ({', '.join(self.must)})"


class Act(NamedTuple):
    """Something that the agent did: a command, an edit or a file that it read."""

    tool: str
    given: Mapping[str, str]
    ok: bool
    out: str


class Probe(NamedTuple):
    """What should be before the agent at a prompt."""

    want: tuple[str, ...]  # ids of facts; none where the best memory says nothing
    stale: tuple[str, ...] = ()  # older facts that must not be shown as current


class Turn(NamedTuple):
    user: str
    agent: str
    acts: tuple[Act, ...]
    facts: tuple[Fact, ...]
    probe: Probe | None


class Session(NamedTuple):
    id: str
    project: str
    at: datetime
    turns: tuple[Turn, ...]

    @property
    def facts(self) -> list[Fact]:
        return [fact for turn in self.turns for fact in turn.facts]


class Life(NamedTuple):
    id: str
    language: str
    projects: tuple[str, ...]
    sessions: tuple[Session, ...]


def read(path: Path) -> Life:
    """Return the life that a file holds."""
    told = json.loads(path.read_text("utf-8"))
    sessions = tuple(
        Session(one["id"], one["project"], datetime.fromisoformat(one["at"]), tuple(map(_turn, one["turns"])))
        for one in told["sessions"]
    )
    return Life(told["id"], told.get("language", "en")[:2], (*told["projects"],), sessions)


def _turn(told: Mapping[str, Any]) -> Turn:
    facts = [*map(_fact, told.get("keep", ()))]
    if fix := told.get("fix"):
        facts.append(_fact({**fix, "kind": FIX}))
    probe = told.get("probe")
    asked = Probe((*probe["want"],), (*probe.get("stale", ()),)) if probe is not None else None
    return Turn(told["user"], told["agent"], (*map(_act, told.get("acts", ())),), (*facts,), asked)


def _fact(told: Mapping[str, Any]) -> Fact:
    scope, replaces = told.get("scope") or "project", told.get("replaces") or ""
    return Fact(told["id"], told["kind"], told["gist"], (*told["must"],), scope, replaces, bool(told.get("may")))


def _act(told: Mapping[str, Any]) -> Act:
    ok, out = told.get("ok", True), told.get("out") or "The file has been updated."
    if "bash" in told:
        return Act("Bash", {"command": told["bash"]}, ok, out)
    if "edit" in told:
        given = {"file_path": told["edit"], "old_string": told.get("old", ""), "new_string": told.get("new", "")}
        return Act("Edit", given, ok, out)
    return Act("Read", {"file_path": told.get("read", "x")}, ok, out)


def find(data: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield the files of lives: those that are named, or else those of a folder, ours where it has none."""
    folder = data / "lives"
    if not names:
        yield from sorted(folder.glob("*.json")) or sorted(OURS.glob("*.json"))
    for name in names:
        places = (Path(name), folder / f"{name}.json", folder / "more" / f"{name}.json", OURS / f"{name}.json")
        found = next((path for path in places if path.is_file()), None)
        if found is None:
            raise FileNotFoundError(f"there is no life {name!r} in {folder} or {OURS}")
        yield found


def crowd(paths: Sequence[Path], but: str) -> list[str]:
    """Return the facts of other lives, in an order of their own."""
    others = [life for life in map(read, sorted(paths)) if life.id != but]
    gists = {fact.gist for life in others for session in life.sessions for fact in session.facts if fact.kind != FIX}
    return sorted(gists, key=lambda gist: uuid5(NAMESPACE_URL, gist).hex)
