"""The walk through what waits for a person: each thing with all that speaks for it and against it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from treering.ledger.errors import TreeringError
from treering.skills.proposals.rules import FILELESS, MEMORY_ACTION, ROUTING_ADDITION
from treering.surfaces.cli import proposals as shapes
from treering.surfaces.cli.change import edited
from treering.surfaces.cli.render import Answer, card, counted, line, safe
from treering.surfaces.cli.review import CONTRADICTIONS, INVARIANTS, PROPOSALS, confirmed, resolved, sides

if TYPE_CHECKING:
    from treering.ledger.types import Memory
    from treering.memory import Treering
    from treering.skills.proposals.proposal import Proposal, Review
    from treering.surfaces.cli.render import Page
    from treering.truth.claims import Contradiction


class Quit(Exception):
    """Not an error: the person has had enough."""


class Walk:
    """The inbox, one thing after the other, until a person has decided or has had enough."""

    def __init__(self, memory: Treering, root: str, page: Page) -> None:
        self.memory = memory
        self.root = root
        self.page = page
        self.done = dict.fromkeys(("accepted", "rejected", "resolved", "confirmed", "changed"), 0)

    def through(self, kinds: Sequence[str]) -> Answer:
        steps: list[Callable[[], None]] = []
        if CONTRADICTIONS in kinds:
            steps += [partial(self._decide, one) for one in self.memory.truth.contradictions()]
        if INVARIANTS in kinds:
            steps += [partial(self._invariant, one) for one in self.memory.truth.to_confirm()]
        if PROPOSALS in kinds:
            steps += [partial(self._proposal, one) for one in self.memory.proposals.reviews()]
        if not steps:
            return Answer([], lambda page: (), empty="nothing waits for you")
        try:
            for number, step in enumerate(steps, 1):
                self.say(f"({number} of {len(steps)})")
                step()
        except Quit:
            pass
        left = len(steps) - sum(self.done.values())
        told = ", ".join(f"{count} {word}" for word, count in self.done.items() if count) or "nothing decided"
        return Answer(self.done, lambda page: [f"{told}; {left} left"])

    def choose(self, question: str, keys: dict[str, Callable[[], bool]]) -> None:
        """Ask until one of the answers has done what it stands for, or this one is skipped."""
        while True:
            key = self.ask(question + "  [s]kip  [q]uit: ").lower()[:1]
            if key == "q":
                raise Quit
            if key in ("s", ""):
                return
            try:
                if key in keys and keys[key]():
                    return
            except TreeringError as error:
                self.say(f"error: {line(str(error))}")

    def _count(self, word: str) -> bool:
        self.done[word] += 1
        return True

    def _decide(self, one: Contradiction) -> None:
        def keep(side: str) -> bool:
            resolved(self.memory, one.id, side, self.ask("why (for the record): "))
            return self._count("resolved")

        self.say(*sides(self.memory, one, self.page))
        keys = {"a": lambda: keep("A"), "b": lambda: keep("B"), "o": lambda: keep("both")}
        self.choose("[a] holds  [b] holds  b[o]th hold", keys)

    def _invariant(self, one: Memory) -> None:
        def answer(word: str, text: str = "") -> bool:
            self.say(*confirmed(self.memory, one.id, word, text, "").lines(self.page))
            return self._count("confirmed" if word == "yes" else "changed")

        self.say(*card(one, self.page, {}))
        change = lambda: answer("change", edited(one.content, "memory.md").strip())  # noqa: E731
        keys = {"y": lambda: answer("yes"), "n": lambda: answer("no"), "e": change}
        self.choose("does it still hold? [y]es  [n]o  [e]dit", keys)

    def _proposal(self, one: Review) -> None:
        proposal, text = one.proposal, ""

        def reject() -> bool:
            self.say(shapes.rejected(self.memory.proposals.reject(proposal.id, self.ask("why (for the record): "))))
            return self._count("rejected")

        def edit() -> bool:
            nonlocal text
            text = self._edit(proposal, text)
            self.say(*self._file(proposal, text))
            return False

        self.say(*self._shown(one, text))
        keys = {"a": lambda: self._accept(proposal, text), "e": edit, "r": reject}
        self.choose("[a]ccept  [e]dit  [r]eject", keys)

    def _accept(self, proposal: Proposal, text: str) -> bool:
        """Return whether it was accepted: a file that is there is only replaced after a yes."""
        overwrite = False
        if proposal.kind not in FILELESS:
            draft = self.memory.proposals.draft(proposal.id, self.root, text=text)
            overwrite = draft.there not in (None, draft.text)
            doing = "add to it" if proposal.kind == ROUTING_ADDITION else "write over it"
            question = f"{line(draft.path)} is there: {doing}? [y/N] "
            if overwrite and self.ask(question).lower() not in ("y", "yes"):
                return False
        done = self.memory.proposals.accept(proposal.id, self.root, overwrite=overwrite, text=text)
        self.say(*shapes.accepted(done.proposal, done.path))
        return self._count("accepted")

    def _edit(self, proposal: Proposal, text: str) -> str:
        if proposal.kind in FILELESS:
            self.say("there is no file to edit")
            return ""
        return edited(text or proposal.text, "SKILL.md")

    def _shown(self, one: Review, text: str) -> Iterator[str]:
        proposal, against = one.proposal, one.counter
        yield from shapes.card(proposal._replace(text=""), self.page)
        if proposal.memories:
            yield (
                f"against it: of {counted(against.shown, 'recall')} that showed it, {against.unhelpful} were judged "
                f"unhelpful, {against.ignored} were ignored or never judged; {against.helpful} helped"
            )
        yield f"expected gain {one.gain:g}, risk {one.risk:.0%}"
        if proposal.kind == MEMORY_ACTION:
            yield from self._replayed(proposal)
        yield from self._file(proposal, text)

    def _replayed(self, proposal: Proposal) -> Iterator[str]:
        """Return what the recalls of the past would have been with it."""
        told = self.memory.evolve.attempt(proposal.action, *proposal.memories, reason="as proposed")
        yield from (f"missing: {line(missing)}" for missing in told.missing)
        if told.replay is not None:
            counts = told.replay.counts
            yield (
                f"replay of {counted(counts.recalls, 'recall')}: {counts.gained} gained, {counts.lost} lost, "
                f"{counts.reordered} reordered, {counts.helpful_lost} helpful lost"
            )

    def _file(self, proposal: Proposal, text: str) -> Iterator[str]:
        """Return the whole file, or how it differs from the one that is there."""
        yield ""
        if proposal.kind in FILELESS:
            yield from proposal.text.split("\n")
            return
        from difflib import unified_diff

        draft = self.memory.proposals.draft(proposal.id, self.root, text=text)
        if draft.there is None:
            yield from safe(draft.text.rstrip("\n")).split("\n")
            return
        before, after = safe(draft.there).splitlines(), safe(draft.text).splitlines()
        yield from unified_diff(before, after, "as it is", "as proposed", lineterm="")

    def ask(self, question: str) -> str:
        sys.stdout.write(question)
        sys.stdout.flush()
        answer = sys.stdin.readline() if sys.stdin is not None else ""
        if not answer:  # nobody is there any more
            self.say("")
            raise Quit
        return answer.strip()

    def say(self, *lines: str) -> None:
        for text in lines:
            sys.stdout.write(text + "\n")
        sys.stdout.flush()
