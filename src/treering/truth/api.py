"""Offer `memory.truth`: supersede memories, resolve contradictions, confirm invariants."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from treering.ledger import decide
from treering.ledger.errors import InvalidInput
from treering.ledger.types import Memory
from treering.ledger.workspace import Workspace
from treering.truth import claims
from treering.truth.claims import Contradiction


class Truth:
    """Keep memories true as facts change."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace

    def supersede(self, old: str, new: str, *, reason: str = "") -> Memory:
        """Replace a fact that has changed, and return the new memory. `new` is the id of the memory
        that holds now, or a text, which is remembered like the old one. The old one stays in the
        ledger, out of recall."""
        at, here = self._at, self._at.here()
        before = at.whole_id(old)

        def work() -> Memory:
            former = at.get(before)
            decide.check_stated(former, here)
            latter = at.get(new) if at.is_id(new) else at.replace_text(former, new)
            claims.supersede(at.ledger, former, latter, here, at.name(reason))
            return at.get(latter.id)

        return at.together(work)

    def dispute(self, old: str, new: str) -> Memory:
        """Say that a memory may no longer hold, and return the one that says otherwise. Both stand, as a
        contradiction, until a person decides. `new` is an id or a text, as for `supersede`."""
        at, here = self._at, self._at.here()
        before = at.whole_id(old)

        def work() -> Memory:
            former = at.get(before)
            latter = at.get(new) if at.is_id(new) else at.replace_text(former, new)
            claims.dispute(at.ledger, former, latter, here)
            return latter

        return at.together(work)

    def contradictions(self, *, all: bool = False, about: str = "", look: bool = True) -> list[Contradiction]:
        """Return pairs of memories that cannot both hold, oldest first, and then those of which the older may be out
        of date: the open ones, or `all` that were ever raised; those of one memory if its id is given.

        It first compares what was written since the last look, unless that would take minutes: then
        call `look`. Without `look`, it returns what was found before.
        """
        at = self._at
        found = at.whole_id(about) if about else ""
        waiting = self.to_compare() if look else 0
        if found and waiting > claims.PORTION:  # somebody who asks about one memory does not wait for all the others
            at.together(lambda: claims.look(at.ledger, [found], at.here()))
        elif 0 < waiting <= claims.PATIENCE:
            claims.catch_up(at.ledger, at.here())
        return claims.contradictions(at.store, at.space, all, found)

    def look(self, *, again: bool = False, progress: Callable[[int], None] = lambda done: None) -> list[str]:
        """Look for contradictions in what was written since the last look, or in all with `again`;
        return those raised."""
        store = self._at.ledger.store
        if again:
            for writer in store.heads():
                store.write(partial(store.look_on, writer, 0))
        return claims.catch_up(self._at.ledger, self._at.here(), progress)

    def to_compare(self) -> int:
        """Count the events that were not yet compared; none where nobody may compare them."""
        if not self._at.writable:
            return 0
        return sum(last - first + 1 for _, first, last in claims.pending(self._at.ledger.store))

    def resolve(self, id: str, *, keep: str, reason: str = "") -> Contradiction:
        """Resolve a contradiction: keep `A` (the older), `B` (the newer), `both`, or `supersede` the older."""
        at = self._at
        return claims.resolve(at.ledger, at.whole_id(id), keep, at.here(), at.name(reason))

    def to_confirm(self, days: int | None = None) -> list[Memory]:
        """Return the invariants that were not confirmed for `days` (the setting confirm_days), the oldest first."""
        waiting = self._at.config.confirm_days if days is None else days
        if not isinstance(waiting, int) or waiting < 0:
            raise InvalidInput(f"days must be a whole number, not {days!r}")
        return claims.to_confirm(self._at.store, self._at.space, waiting, self._at.now())

    def confirm(self, id: str, answer: str = "yes", *, text: str = "", reason: str = "") -> Memory:
        """Record a person's answer about an invariant: `yes` it holds, `no` it does not (it is
        forgotten), or `change` (the text supersedes it). Return the memory that holds now, or the
        forgotten one."""
        if bool(text) != (answer == "change"):
            raise InvalidInput("a change needs the new text, and the other answers need none")
        at = self._at
        found, ledger, here = at.whole_id(id), at.ledger, at.here()

        def work() -> Memory:
            memory, why = at.get(found), at.name(reason)
            (event,) = ledger.commit(lambda: [decide.verify(memory, answer, here, why)])
            if answer == "no":
                ledger.commit(lambda: [decide.forget(memory, here, why, cause=event.id)])
            elif answer == "change":
                new = at.replace_text(memory, text)
                claims.supersede(ledger, memory, new, here, why, cause=event.id)
                return at.get(new.id)
            return at.get(found)

        return at.together(work)
