"""A walk through what waits for a person: each proposal with all that speaks for it and against it."""

from __future__ import annotations

import io
import os
import sys

from treering.cli.proposing import accepted, card, plain, rejected
from treering.cli.render import Answer, counted, line, page_of, safe
from treering.core.errors import TreeringError
from treering.core.proposing import FILELESS, MEMORY_ACTION, ROUTING_ADDITION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.proposals.proposal import Proposal
    from treering.proposals.review import Review

ACCEPT, EDIT, REJECT, SKIP, QUIT = KEYS = ("a", "e", "r", "s", "q")
_CHOICES = "[a]ccept  [e]dit  [r]eject  [s]kip  [q]uit: "


class Quit(Exception):
    """Not an error: the person has had enough."""


def review(memory: Treering, call: Call) -> Answer:
    root = call["root"] or "."
    waiting = memory.reviews()
    if call["json"]:
        return Answer([_plain(one) for one in waiting], lambda page: ())
    if not waiting:
        return Answer([], lambda page: (), empty="nothing waits for you")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a letter of another encoding is no reason to stop
    walk = _Walk(memory, root, page_of(sys.stdout, os.environ))
    try:
        for number, one in enumerate(waiting, 1):
            walk.say(f"({number} of {len(waiting)})")
            walk.decide(one)
    except Quit:
        pass
    left = len(waiting) - sum(walk.done.values())
    told = ", ".join(f"{count} {word}" for word, count in walk.done.items() if count) or "nothing decided"
    return Answer(walk.done, lambda page: [f"{told}; {left} left"])


class _Walk:
    def __init__(self, memory: Treering, root: str, page: Page) -> None:
        self.memory = memory
        self.root = root
        self.page = page
        self.done = {"accepted": 0, "rejected": 0}

    def decide(self, one: Review) -> None:
        """Show a proposal and ask until there is an answer."""
        proposal, text = one.proposal, ""
        self.say(*self._shown(one, text))
        while True:
            key = self.ask(_CHOICES).lower()[:1]
            if key == QUIT:
                raise Quit
            if key in (SKIP, ""):
                return
            try:
                if key == ACCEPT and self._accept(proposal, text):
                    return
                if key == REJECT:
                    self.say(rejected(self.memory.reject(proposal.id, self.ask("why (for the record): "))))
                    self.done["rejected"] += 1
                    return
                if key == EDIT:
                    text = self._edit(proposal, text)
                    self.say(*self._file(proposal, text))
            except TreeringError as error:
                self.say(f"error: {line(str(error))}")

    def _accept(self, proposal: Proposal, text: str) -> bool:
        """Whether it was: a file that is there is only replaced after a yes."""
        overwrite = False
        if proposal.kind not in FILELESS:
            draft = self.memory.draft(proposal.id, self.root, text=text)
            overwrite = draft.there not in (None, draft.text)
            doing = "add to it" if proposal.kind == ROUTING_ADDITION else "write over it"
            if overwrite and not self.agreed(f"{line(draft.path)} is there: {doing}? [y/N] "):
                return False
        done = self.memory.accept(proposal.id, self.root, overwrite=overwrite, text=text)
        self.say(*accepted(done.proposal, done.path))
        self.done["accepted"] += 1
        return True

    def _edit(self, proposal: Proposal, text: str) -> str:
        if proposal.kind in FILELESS:
            self.say("there is no file to edit")
            return ""
        return edited(text or proposal.text)

    def _shown(self, one: Review, text: str) -> Iterator[str]:
        proposal, against = one.proposal, one.counter
        yield from card(proposal._replace(text=""), self.page)
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
        """What the recalls of the past would have been with it."""
        told = self.memory.attempt(proposal.action, *proposal.memories, reason="as proposed")
        yield from (f"missing: {line(missing)}" for missing in told.missing)
        if told.replay is not None:
            counts = told.replay.counts
            yield (
                f"replay of {counted(counts.recalls, 'recall')}: {counts.gained} gained, {counts.lost} lost, "
                f"{counts.reordered} reordered, {counts.helpful_lost} helpful lost"
            )

    def _file(self, proposal: Proposal, text: str) -> Iterator[str]:
        """The whole file, or how it differs from the one that is there."""
        yield ""
        if proposal.kind in FILELESS:
            yield from proposal.text.split("\n")
            return
        from difflib import unified_diff

        draft = self.memory.draft(proposal.id, self.root, text=text)
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

    def agreed(self, question: str) -> bool:
        return self.ask(question).lower() in ("y", "yes")

    def say(self, *lines: str) -> None:
        for text in lines:
            sys.stdout.write(text + "\n")
        sys.stdout.flush()


def edited(text: str) -> str:
    """A text as a person leaves it in their editor."""
    import shlex
    import subprocess
    import tempfile

    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        path = os.path.join(folder, "SKILL.md")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        try:
            code = subprocess.call([*shlex.split(command), path])
            with open(path, encoding="utf-8", errors="replace") as file:
                left = file.read()
        except (OSError, ValueError) as error:
            raise NoEditor(f"{command} cannot be used ({error}): set $EDITOR to yours") from error
        if code:
            raise NoEditor(f"{command} ended with code {code}: nothing was changed")
        if not left.strip():
            raise NoEditor("the text is empty: nothing was changed")
        return left


class NoEditor(TreeringError):
    """A text could not be edited."""


def _plain(one: Review) -> dict[str, Any]:
    return {
        **plain(one.proposal),
        "counter_evidence": one.counter._asdict(),
        "expected_gain": one.gain,
        "risk": round(one.risk, 4),
    }
