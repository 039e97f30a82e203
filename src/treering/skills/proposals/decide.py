"""Carry out a person's decision on a proposal, and write its file below the root that they name."""

from __future__ import annotations

import os
from typing import NamedTuple

from treering.ledger import decide
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound, Refused
from treering.ledger.events import ACCEPTED, PROMOTED, Data, Event
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context
from treering.skills.frontmatter import emit, read, validate
from treering.skills.index import Index
from treering.skills.paths import PROJECT, QUARANTINE, SKILL_FILE, AlreadyThere, folders
from treering.skills.place import LARGEST, digest, digest_all, move, place, read_text
from treering.skills.proposals import rules
from treering.skills.proposals.proposal import AS_WRITTEN, DRAFTS, MISSING, Proposal, ProposalReader
from treering.skills.proposals.rules import APPLIED, FILELESS, IS_ACCEPTED, IS_REJECTED, MOOT, PENDING, ROUTING_ADDITION
from treering.skills.proposals.texts import unfinished
from treering.skills.rules import check_skill
from treering.stores.port.ledger import EventQuery


class NameTaken(Refused):
    """A skill of this name is there already."""

    def __init__(self, name: str, path: str) -> None:
        super().__init__(
            f"there is a skill named {name} already, at {path}: choose another name for this one, with --name"
        )


class WouldAdd(Refused):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is there already: say --overwrite, and the entry is added at its end")


class Accepted(NamedTuple):
    """The proposal that was accepted, and its file."""

    proposal: str
    path: str  # nothing for what writes no file


class Promoted(NamedTuple):
    name: str
    path: str
    digest: str


class Draft(NamedTuple):
    """A file that would be written, and what is there now."""

    target: str
    path: str
    text: str
    there: str | None  # what the file says that is there, if one is


class Decisions:
    """Decisions below one root."""

    def __init__(
        self, ledger: Ledger, proposals: ProposalReader, context: Context, root: str, more: str = "", home: str = ""
    ) -> None:
        """Take the root, the folders of skills of the settings (`more`), and the store's home."""
        self.ledger = ledger
        self.proposals = proposals
        self.context = context
        self.root = os.path.realpath(os.path.expanduser(root))
        self._more = more
        self._home = home

    def draft(self, id: str, text: str = "", name: str = "") -> Draft:
        """Return the file as it would be written; a routing entry is added to its file."""
        proposal = self.proposal(id, name or _name_in(text))
        path = os.path.join(self.root, *proposal.target.split("/"))
        there, wanted = read_text(path), _renamed(text, proposal.name) if text else proposal.text
        if proposal.kind == ROUTING_ADDITION and there is not None:
            wanted = _with_entry(path, there, wanted)
        return Draft(proposal.target, path, wanted, there)

    def proposal(self, id: str, name: str = "") -> Proposal:
        """Return a proposal that is a file; a skill under another name, if one is given."""
        proposal = self.proposals.one(id)
        if proposal.kind in FILELESS:
            raise InvalidInput(f"{proposal.id} changes the memory, not a file")
        if not name:
            return proposal
        if proposal.kind == ROUTING_ADDITION:
            raise InvalidInput(f"{proposal.id} is a {proposal.kind}: only a skill has a name")
        check_skill(name, "-")
        return self.proposals.one(id, name)

    def accept(self, id: str, *, overwrite: bool = False, text: str = "", name: str = "") -> Accepted:
        """Write the file of a proposal, and record it. An edited `text` is checked too."""

        def work() -> Accepted:
            # The file comes first: one that is there without its event is found, and claimed, by accepting again.
            proposal = self.proposal(id, name or _name_in(text))
            check_open(proposal, overwrite)
            draft = self.draft(id, text, name)
            written: Data = {"edited": bool(text), "name": proposal.name}
            if proposal.kind == ROUTING_ADDITION:
                if draft.there not in (None, draft.text) and not overwrite:
                    raise WouldAdd(draft.path)
            else:
                self._check_quarantine(draft.target)
                validate(draft.text, proposal.name)
                self._check_free(proposal.name, draft.path)
            if draft.there not in (None, draft.text):
                written["replaced"] = digest(draft.path)
            added = proposal.kind == ROUTING_ADDITION and draft.there is not None
            content = draft.text.encode() if added else draft.text  # what was there stays as it was
            path = place(self.root, draft.target, content, overwrite=overwrite)
            written |= {"path": path, "digest": digest(path)}
            decided = rules.accept(
                proposal.id, proposal.event, proposal.memories, proposal.weight, written, self.context
            )
            self.ledger.commit(lambda: [decided])
            return Accepted(proposal.id, path)

        return self.ledger.store.write(work)

    def reject(self, id: str, note: str = "") -> Proposal:
        """Reject a proposal. A file that was written stays."""

        def work() -> Proposal:
            proposal = self.proposals.one(id)
            if proposal.status in (IS_ACCEPTED, APPLIED):
                where = f": its file is {proposal.path}" if proposal.path else ""
                raise InvalidInput(f"{proposal.id} is {proposal.status}{where}. `treering evolve log` tells how")
            if proposal.status != IS_REJECTED or note not in ("", proposal.note):
                decided = rules.reject(proposal.id, proposal.weight, note, self.context)
                self.ledger.commit(lambda: [decided])
            return self.proposals.one(proposal.id)

        return self.ledger.store.write(work)

    def promote(self, name: str) -> Promoted:
        """Move a draft out of quarantine into the folder of the project's skills, and record its digest; of a skill
        that the project has already, only that. One that a person has still to finish is refused."""
        check_skill(name, "-")
        live = f"{self.proposals.targets.skills}/{name}"

        def work() -> Promoted:
            accepted = self._accepting(name)
            folder = self._of_the_project(name) or os.path.join(self.root, *live.split("/"))
            live_already = name not in self._drafts() and self._may_be_pinned(name, folder)
            if live_already:
                _check_finished(name, read_text(os.path.join(folder, SKILL_FILE)) or "")
            else:
                folder = self._moved(name, live)
            path, pinned = os.path.join(folder, SKILL_FILE), digest_all(folder)
            decided = rules.promote(name, path, pinned, [event.id for event in accepted], self.context)
            self.ledger.commit(lambda: [decided])
            return Promoted(name, path, pinned)

        return self.ledger.store.write(work)

    def _of_the_project(self, name: str) -> str:
        """Return the folder of a skill that the project has; nothing if there is none."""
        index = Index(folders(self.root, "", target=self.proposals.targets.skills))
        found = [skill.path for skill in index.skills() if skill.name == name and skill.place == PROJECT]
        return next((os.path.dirname(path) for path in found if os.path.basename(path) == SKILL_FILE), "")

    def _may_be_pinned(self, name: str, folder: str) -> bool:
        """Tell whether a live skill is there, and is not as it was when it was promoted last."""
        path = os.path.join(folder, SKILL_FILE)
        query = EventQuery(kinds=(PROMOTED,), space=self.context.space, naming=name, live=True)
        promotions = [data_of(event)[1] for event in self.ledger.store.events(query) if event.payload is not None]
        pinned = [data["digest"] for data in promotions if data["path"] == path]
        if pinned and pinned[-1] == digest_all(folder):
            raise Refused(f"{name} is promoted already, and {folder} is as it was then")
        return bool(digest(path))

    def _check_quarantine(self, target: str) -> None:
        """Refuse to keep drafts in the folder of the store itself, as a root of ~ would."""
        below = os.path.join(self.root, QUARANTINE)
        if target.startswith(DRAFTS) and self._home and os.path.realpath(below) == os.path.realpath(self._home):
            raise InvalidInput(f"{below} is the store itself: choose another --root")

    def _moved(self, name: str, live: str) -> str:
        source = f"{DRAFTS}/{name}"
        draft = read_text(os.path.join(self.root, *source.split("/"), SKILL_FILE))
        if draft is None:
            waiting = ", ".join(self._drafts()) or "none"
            raise NotFound("draft", name, f"those below {os.path.join(self.root, DRAFTS)} are: {waiting}")
        validate(draft, name)
        _check_finished(name, draft)
        self._check_free(name, "", drafts=False)
        return move(self.root, source, live)

    def _check_free(self, name: str, path: str, drafts: bool = True) -> None:
        """Refuse a name that another skill or draft has, except the file itself."""
        index = Index(folders(self.root, os.path.expanduser("~"), self._more, self.proposals.targets.skills))
        taken = [skill.path for skill in index.skills() if skill.name == name]
        if drafts:
            taken += [os.path.join(self.root, DRAFTS, name, SKILL_FILE)] if name in self._drafts() else []
        for other in taken:
            if os.path.realpath(other) != os.path.realpath(path):
                raise NameTaken(name, other)

    def _drafts(self) -> list[str]:
        folder = os.path.join(self.root, *DRAFTS.split("/"))
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def _accepting(self, name: str) -> list[Event]:
        """Return the event that accepted a draft, on which its promotion rests."""
        query = EventQuery(kinds=(ACCEPTED,), space=self.context.space, naming=name, live=True, newest=True)
        found = (event for event in self.ledger.store.events(query) if event.payload is not None)
        return [event for event in found if data_of(event)[1].get("name") == name][:1]


def _check_finished(name: str, text: str) -> None:
    """Refuse a skill of which a part is still to be written."""
    if rest := unfinished(text):
        raise Refused(f"{name} is not finished: write what belongs in the place of {rest!r}")


def set_weights(ledger: Ledger, proposal: Proposal, context: Context) -> None:
    """Accept a recall-setting: its weights hold from now on, and rest on the acceptance."""
    check_open(proposal, overwrite=False)
    (made,) = ledger.store.events(EventQuery(ids=(proposal.event,)))
    there = context._replace(project=made.project)
    agreed = rules.accept(proposal.id, proposal.event, (), proposal.weight, {}, context)

    def work() -> None:
        (event,) = ledger.commit(lambda: [agreed])
        weights, numbers = data_of(made)[1]["weights"], dict(proposal.evidence)
        weighed = decide.weigh(weights, there, causes=(event.id,), by="tune", evidence=numbers)
        ledger.commit(lambda: [weighed])

    ledger.store.write(work)


def check_open(proposal: Proposal, overwrite: bool) -> None:
    """Refuse a decided proposal, except a rejected one, or one whose file was lost."""
    if proposal.status in (PENDING, IS_REJECTED):
        return
    if proposal.status == MOOT:
        raise Refused(
            f"{proposal.id} is moot: what it is about has changed since; `treering evolve analyze` looks anew"
        )
    if proposal.file == AS_WRITTEN or not proposal.path:
        where = f": {proposal.path} is as it was written" if proposal.path else ""
        raise Refused(f"{proposal.id} is {proposal.status} already{where}")
    if proposal.file != MISSING and not overwrite:
        raise AlreadyThere(proposal.path)


def _name_in(text: str) -> str:
    """Return the name that a person has given a skill in its text."""
    return read(text).name if text.startswith("---") else ""


def _renamed(text: str, name: str) -> str:
    """Return the text of a skill under another name."""
    if not name or _name_in(text) in ("", name):
        return text
    lines = text.split("\n")
    at = next((at for at, line in enumerate(lines) if line.startswith("name:")), 0)
    return "\n".join([*lines[:at], emit(name, "-").split("\n")[1], *lines[at + 1 :]]) if at else text


def _with_entry(path: str, there: str, entry: str) -> str:
    """Return a file with an entry at its end. One that is not text is refused."""
    if "\ufffd" in there or os.path.getsize(path) > LARGEST:
        raise Refused(f"{path} is no text that can be added to: put the entry there by hand")
    if entry.strip() in there.replace("\r\n", "\n"):
        return there
    ending = "\r\n" if "\r\n" in there else "\n"
    return there.rstrip() + f"\n\n{entry}".replace("\n", ending)
