"""`memory.proposals`: signals become proposals, and a person decides on each."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from treering.evolve.engine import Engine
from treering.evolve.rules import ARCHIVE, DEPRECATE, MERGE, Grounds
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import Data, Event
from treering.ledger.people import REVIEWER
from treering.ledger.workspace import Workspace, apart
from treering.models.ask import Asking
from treering.skills.paths import UnsafePath, pieces_of, skill_target
from treering.skills.proposals import rules
from treering.skills.proposals.analyze import Analysis, analyze
from treering.skills.proposals.cases import DECISIONS
from treering.skills.proposals.decide import Accepted, Decisions, Draft, Promoted, check_open, set_weights
from treering.skills.proposals.proposal import Proposal, ProposalReader, Review, Targets, reviews
from treering.skills.proposals.rules import FILELESS, RECALL_SETTING, Thresholds
from treering.skills.proposals.texts import MOST_A_RUN, WORDED, doubt, question, words
from treering.skills.signals.gather import Signals, gather
from treering.stores.port.ledger import EventQuery

Events = list[Event]
Listed = list[Proposal]
Reviews = list[Review]


class Proposals:
    """Make proposals of signals. Nothing outside of the memory changes before a person agrees."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace

    def signals(self) -> Signals:
        """Return what `analyze` would read."""
        return gather(self._at.store, self._at.space)

    @apart
    def analyze(
        self, thresholds: Thresholds | None = None, *, progress: Callable[[int], None] = lambda done: None
    ) -> Analysis:
        """Propose what the signals give evidence for. Analysing twice adds nothing; a rejected
        proposal comes back only with at least twice the evidence."""
        asked = Thresholds() if thresholds is None else thresholds
        if not isinstance(asked, Thresholds):
            raise InvalidInput(f"thresholds are a Thresholds, not {asked!r}")
        for name, least in asked._asdict().items():
            if type(least) is not int or least < 1:
                raise InvalidInput(f"{name} is a whole number above 0, not {least!r}")
        found = analyze(self._at.ledger, asked, self._at.here())
        return self._reword(found, progress)

    def induce(
        self, *ids: str | Sequence[str], name: str = "", description: str = "", content: str = "", reason: str = ""
    ) -> Proposal:
        """Propose a skill that is made of three or more processes which do the same."""
        skill = {"name": self._at.name(name), "description": self._at.clean(description)}
        skill |= {"content": self._at.clean(content), "reason": self._at.name(reason)}
        return self.get(Engine(self._at).induce([self._at.whole_id(id) for id in _flat(ids)], skill))

    def list(self, status: str = "") -> Listed:
        """Return the proposals, newest first."""
        return self._known().all(status)

    def get(self, id: str) -> Proposal:
        """Return one proposal, by its id or the beginning of it."""
        return self._known().one(id)

    def reviews(self) -> Reviews:
        """Return the proposals that wait, with evidence against them, the best first."""
        return reviews(self._at.store, self._at.space, self.list("pending"))

    def draft(self, id: str, root: str = ".", *, text: str = "", name: str = "") -> Draft:
        """Return the file that accepting would write, and what is there now."""
        return self._decisions(root).draft(id, text, name)

    def accept(
        self, id: str, root: str = ".", *, overwrite: bool = False, text: str = "", name: str = "", force: bool = False
    ) -> Accepted:
        """Agree to a proposal: write its file below the root, over another one only with
        `overwrite`, or change its memories, if the evidence for that still holds. `text` is the
        file as a person edited it."""
        self._at.ledger.demand(REVIEWER)  # before a file is written
        proposal = self.get(id)
        if proposal.kind in FILELESS:
            if text or name or overwrite:
                raise InvalidInput(f"{proposal.id} changes the memory: there is no file to name, edit or overwrite")
            return self._set(proposal) if proposal.kind == RECALL_SETTING else self._act(proposal, force)
        return self._decisions(root).accept(id, overwrite=overwrite, text=text, name=name)

    def reject(self, id: str, note: str = "") -> Proposal:
        """Reject a proposal, with a note for the record."""
        return self._decisions(".").reject(id, self._at.clean(note))

    def promote(self, name: str, root: str = ".") -> Promoted:
        """Move a skill out of quarantine: agents may load it, and changes are reported."""
        self._at.ledger.demand(REVIEWER)
        return self._decisions(root).promote(name)

    def log(self) -> Events:
        """Return every event about proposals, oldest first: the audit trail."""
        return [*self._at.store.events(EventQuery(kinds=DECISIONS, space=self._at.space))]

    def _act(self, proposal: Proposal, force: bool) -> Accepted:
        """Change memories as proposed, if the evidence still holds."""
        check_open(proposal, overwrite=False)
        engine, ids = Engine(self._at), proposal.memories
        grounds = Grounds(f"as proposed in {proposal.id}", forced=force)
        actions: dict[str, Callable[[], object]] = {
            DEPRECATE: lambda: engine.deprecate(ids[0], grounds),
            ARCHIVE: lambda: engine.archive(ids[0], grounds._replace(forced=False)),
            MERGE: lambda: engine.merge(ids, "", grounds),
        }
        if proposal.action not in actions:
            raise InvalidInput(f"{proposal.id} proposes to {proposal.action}, which this version cannot do")

        def work() -> None:
            actions[proposal.action]()
            agreed = rules.accept(proposal.id, proposal.event, ids, proposal.weight, {}, self._at.here())
            self._at.ledger.commit(lambda: [agreed])

        self._at.together(work)
        return Accepted(proposal.id, "")

    def _known(self, root: str = ".") -> ProposalReader:
        targets = Targets(skill_target(root, self._at.config.skill_target), self._at.config.routing_file)
        return ProposalReader(self._at.store, self._at.space, targets)

    def _set(self, proposal: Proposal) -> Accepted:
        """Apply a recall-setting where it was proposed. Undoing the acceptance undoes it."""
        set_weights(self._at.ledger, proposal, self._at.here())
        return Accepted(proposal.id, "")

    def _reword(self, found: Analysis, progress: Callable[[int], None]) -> Analysis:
        """Let the configured model, if there is one, name and describe the new skills. They stay as
        they are on any doubt, and the analysis tells why."""
        ids = (*found.added, *found.again)
        asking = Asking.of(self._at) if ids else None
        if asking is None:
            return found

        skills = [one for one in self.list("pending") if one.id in ids and one.kind in WORDED][:MOST_A_RUN]
        worded = 0
        for done, skill in enumerate(skills, 1):
            reply = asking.ask(question(skill), partial(doubt, skill))
            if reply is not None:
                self._worded(skill, words(reply.value), reply.model)
                worded += 1
            progress(done)
        return found._replace(asked=len(skills), worded=worded, trouble=asking.trouble)

    def _worded(self, proposal: Proposal, words: Data, model: str) -> None:
        """Store a model's words, unless the proposal was purged or undone meanwhile."""

        about = (proposal.id, proposal.event, proposal.memories)

        def work() -> None:
            with suppress(NotFound):
                self.get(proposal.id)
                self._at.ledger.commit(lambda: [rules.worded(*about, words, model, self._at.here())])

        self._at.together(work)

    def _decisions(self, root: str) -> Decisions:

        for setting in ("skill_target", "routing_file"):
            try:
                if named := getattr(self._at.config, setting):
                    pieces_of(named)
            except UnsafePath as error:
                raise InvalidInput(f"the setting {setting}: {error}") from None
        if not isinstance(root, str) or not root or "\0" in root:
            raise InvalidInput(f"the root is a folder, not {root!r}")
        return Decisions(
            self._at.ledger, self._known(root), self._at.here(), root, self._at.config.skill_folders, self._at.home
        )


def _flat(given: Sequence[Any]) -> Iterator[str]:
    """Yield ids that are given one by one or as a list."""
    for one in given:
        yield from one if isinstance(one, (tuple, builtins.list)) else (one,)
