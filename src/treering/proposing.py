"""How an open memory reaches outside of itself: it reads signals, proposes, and a person decides."""

from __future__ import annotations

from treering.core.errors import InvalidInput, NotFound
from treering.evolving import Evolving

# Only what reading a memory needs is imported above: see `opened.py`.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.asking import Spent
    from treering.core.events import Data, Event
    from treering.core.proposing import Thresholds
    from treering.mining import Found
    from treering.proposals.analysis import Analysis
    from treering.proposals.deciding import Accepted, Deciding, Draft, Promoted
    from treering.proposals.proposal import Proposal, Proposals
    from treering.proposals.review import Review
    from treering.proposals.signals import Signals


class Proposing(Evolving):
    """Signals in, proposals out. Nothing outside of the memory changes before a person has said so."""

    def mine(self, *paths: str, project: str = "", progress: Callable[[int], None] = lambda done: None) -> Found:
        """Read on in transcripts of Claude Code, files or folders of them: what the user asked, where sessions got
        stuck. What was read is not read again."""
        from treering.mining import mine

        return mine(self.ledger, [*paths], self._here(project), progress)

    def signals(self) -> Signals:
        """What analysing would look at."""
        from treering.proposals.signals import gathered

        return gathered(self.store, self.context.space)

    def analyze(
        self, thresholds: Thresholds | None = None, *, progress: Callable[[int], None] = lambda done: None
    ) -> Analysis:
        """Propose what the signals speak for. Analysing twice adds nothing; what was rejected comes back only if at
        least twice as much speaks for it."""
        from treering.core.proposing import Thresholds
        from treering.proposals.analysis import analyze

        asked = Thresholds() if thresholds is None else thresholds
        if not isinstance(asked, Thresholds):
            raise InvalidInput(f"thresholds are a Thresholds, not {asked!r}")
        for name, least in asked._asdict().items():
            if type(least) is not int or least < 1:
                raise InvalidInput(f"{name} is a whole number above 0, not {least!r}")
        found = analyze(self.ledger, asked, self._here())
        return self._reword(found, progress)

    def induce(
        self, *ids: str | Sequence[str], name: str = "", description: str = "", content: str = "", reason: str = ""
    ) -> Proposal:
        """Propose a skill that is made of three or more processes which do the same."""
        skill = {"name": self._guarded(name), "description": self._cleaned(description)}
        skill |= {"content": self._cleaned(content), "reason": self._guarded(reason)}
        return self.proposal(self._engine().induce(self._ids(ids), skill))

    def proposals(self, status: str = "") -> list[Proposal]:
        """What was put before a person, newest first."""
        return self._proposals().all(status)

    def proposal(self, id: str) -> Proposal:
        """One of them, by its id or the beginning of it."""
        return self._proposals().one(id)

    def reviews(self) -> list[Review]:
        """What waits for a person, with what speaks against it; first what is most worth a look."""
        from treering.proposals.review import reviews

        return reviews(self.store, self.context.space, self.proposals("pending"))

    def draft(self, id: str, root: str = ".", *, text: str = "", name: str = "") -> Draft:
        """The file that accepting would write, and what is there now."""
        return self._deciding(root).draft(id, text, name)

    def accept(
        self, id: str, root: str = ".", *, overwrite: bool = False, text: str = "", name: str = "", force: bool = False
    ) -> Accepted:
        """Agree to a proposal: its file is written below the root, never over another one unless that is said; or its
        memories are changed, with the evidence that this needs. `text` is the file as a person has edited it."""
        from treering.core.proposing import FILELESS, RECALL_SETTING

        proposal = self.proposal(id)
        if proposal.kind in FILELESS:
            if text or name or overwrite:
                raise InvalidInput(f"{proposal.id} changes the memory: there is no file to name, edit or overwrite")
            return self._set(proposal) if proposal.kind == RECALL_SETTING else self._act(proposal, force)
        return self._deciding(root).accept(id, overwrite=overwrite, text=text, name=name)

    def reject(self, id: str, note: str = "") -> Proposal:
        """Turn a proposal down, with a note for the record."""
        return self._deciding(".").reject(id, self._cleaned(note))

    def promote(self, name: str, root: str = ".") -> Promoted:
        """Move a skill out of quarantine: from now on agents may load it, and a change of it is reported."""
        return self._deciding(root).promote(name, self.config.skill_target)

    def llm_spent(self) -> dict[str, Spent]:
        """What a model was asked in the last 24 hours, and the tokens that it cost, by purpose."""
        from treering.asking import spent

        return spent(self.store, self.context.space, self._now())

    def decisions(self) -> list[Event]:
        """Every event about proposals, oldest first: the audit trail."""
        from treering.core.ports import EventQuery
        from treering.proposals.cases import DECISIONS

        return [*self.store.events(EventQuery(kinds=DECISIONS, space=self.context.space))]

    def _act(self, proposal: Proposal, force: bool) -> Accepted:
        """A memory-action: the action itself asks for its evidence once more."""
        from treering.core import proposing
        from treering.core.evolving import ARCHIVE, DEPRECATE, MERGE
        from treering.proposals.deciding import Accepted, check_open

        check_open(proposal, overwrite=False)
        ids, reason = proposal.memories, f"as proposed in {proposal.id}"
        actions: dict[str, Callable[[], object]] = {
            DEPRECATE: lambda: self.deprecate(ids[0], reason=reason, force=force),
            ARCHIVE: lambda: self.archive(ids[0], reason=reason),
            MERGE: lambda: self.merge(*ids, reason=reason, force=force),
        }
        if proposal.action not in actions:
            raise InvalidInput(f"{proposal.id} proposes to {proposal.action}, which nobody knows how to do")

        def work() -> None:
            actions[proposal.action]()
            agreed = proposing.accept(proposal.id, proposal.event, ids, proposal.weight, {}, self._here())
            self.ledger.commit(lambda: [agreed])

        self.together(work)
        return Accepted(proposal.id, "")

    def _set(self, proposal: Proposal) -> Accepted:
        """A recall-setting: recall weighs so from now on, where it was proposed. Undoing the acceptance undoes that."""
        from treering.proposals.deciding import Accepted, set_weights

        set_weights(self.ledger, proposal, self._here())
        return Accepted(proposal.id, "")

    def _reword(self, found: Analysis, progress: Callable[[int], None]) -> Analysis:
        """Let the model that is configured, if one is, name and describe the skills that are new. On any doubt they
        stay as they are, and the analysis tells why."""
        llm, ids = self._llm(), (*found.added, *found.again)
        if llm is None or not ids:
            return found
        from functools import partial

        from treering.asking import Asking
        from treering.proposals.wording import MOST_A_RUN, WORDED, doubt, question, words

        asking = Asking(self.ledger, llm, self._here(), self._now, self.config.llm_budget)
        skills = [one for one in self.proposals("pending") if one.id in ids and one.kind in WORDED][:MOST_A_RUN]
        worded = 0
        for done, skill in enumerate(skills, 1):
            reply = asking.ask(question(skill), partial(doubt, skill))
            if reply is not None:
                self._worded(skill, words(reply.value), reply.model)
                worded += 1
            progress(done)
        return found._replace(asked=len(skills), worded=worded, trouble=asking.trouble)

    def _worded(self, proposal: Proposal, words: Data, model: str) -> None:
        """Write down a model's words, unless what they are about was purged or undone while it thought."""
        from contextlib import suppress

        from treering.core import proposing

        about = (proposal.id, proposal.event, proposal.memories)

        def work() -> None:
            with suppress(NotFound):
                self.proposal(proposal.id)
                self.ledger.commit(lambda: [proposing.worded(*about, words, model, self._here())])

        self.together(work)

    def _proposals(self) -> Proposals:
        from treering.proposals.proposal import Proposals, Targets

        targets = Targets(self.config.skill_target, self.config.routing_file)
        return Proposals(self.store, self.context.space, targets)

    def _deciding(self, root: str) -> Deciding:
        from treering.proposals.deciding import Deciding
        from treering.skills.paths import UnsafePath, pieces_of

        for setting in ("skill_target", "routing_file"):
            try:
                pieces_of(getattr(self.config, setting))
            except UnsafePath as error:
                raise InvalidInput(f"the setting {setting}: {error}") from None
        if not isinstance(root, str) or not root or "\0" in root:
            raise InvalidInput(f"the root is a folder, not {root!r}")
        return Deciding(self.ledger, self._proposals(), self._here(), root, self.config.skill_folders, self._home)
