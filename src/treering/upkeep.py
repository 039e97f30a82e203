"""The Treering object's chapter on ageing: what changes, contradicts, fades and is confirmed."""

from __future__ import annotations

from treering.core.errors import InvalidInput
from treering.core.types import number_in
from treering.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from treering.core.types import Memory
    from treering.harvesting import Harvest
    from treering.hygiene import Report
    from treering.truth import Contradiction
    from treering.vaulting import Replayed, Taken, Written


class Upkeep(Opened):
    """What keeps a memory true as it ages."""

    def scores(self, memory: Memory | str) -> dict[str, float | str]:
        """What a memory is worth now, how much of that is left, and its tier under the policy of the settings."""
        from treering.core import policy
        from treering.core.strength import importance, strength

        memory = self.get(memory) if isinstance(memory, str) else memory
        now, rings = self._now(), 0
        if self.config.decay == "sessions":
            from treering.core.ports import EventQuery
            from treering.core.rings import WORK, Starts

            rings = Starts(self.store.events(EventQuery(space=memory.space, kinds=WORK, live=True))).since(memory)
        tier = policy.tier(memory, self.config.decay, rings)
        return {
            "importance": round(importance(memory, now), 4),
            "strength": round(strength(memory, now), 4),
            "tier": tier,
        }

    def supersede(self, old: str, new: str, *, reason: str = "") -> Memory:
        """Say that a fact has changed. `new` is the id of the memory that holds now, or a text: that is remembered as
        what the old one was. The new memory is returned; the old one stays in the ledger, out of recall."""
        from treering import truth
        from treering.core import decide

        ledger, here = self.ledger, self._here()
        before = self.whole_id(old)

        def work() -> Memory:
            former = self.get(before)
            decide.check_stated(former, here)
            latter = self.get(new) if self._is_id(new) else self._instead(former, new)
            truth.supersede(ledger, former, latter, here, self._guarded(reason))
            return self.get(latter.id)

        return ledger.store.write(work)

    def contradictions(self, *, all: bool = False, about: str = "") -> list[Contradiction]:
        """Pairs of memories that cannot both hold, oldest first: those that stand, or `all` that were ever raised;
        those of one memory, if its id is given.

        What was written since the last look is looked at first, unless that is so much that it would take minutes:
        then `find_contradictions` does it.
        """
        from treering import truth

        found = self.whole_id(about) if about else ""
        waiting = self.to_compare() if self._writable else 0
        if found and waiting > truth.PORTION:  # somebody who asks about one memory does not wait for all the others
            self.ledger.store.write(lambda: truth.look(self.ledger, [found], self._here()))
        elif 0 < waiting <= truth.PATIENCE:
            truth.catch_up(self.ledger, self._here())
        return truth.contradictions(self.store, self.context.space, all, found)

    def find_contradictions(
        self, *, again: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> list[str]:
        """Look for contradictions of all that was written since the last look, or of all there is. What was raised."""
        from functools import partial

        from treering import truth

        if again:
            for writer in self.store.heads():
                self.ledger.store.write(partial(self.ledger.store.look_on, writer, 0))
        return truth.catch_up(self.ledger, self._here(), progress)

    def to_compare(self) -> int:
        """How many events have not been looked at for contradictions."""
        from treering import truth

        return sum(last - first + 1 for _, first, last in truth.pending(self.ledger.store))

    def resolve(self, id: str, *, keep: str, reason: str = "") -> Contradiction:
        """Decide a contradiction: keep `A` (the older), `B` (the newer), `both`, or `supersede` the older."""
        from treering import truth

        return truth.resolve(self.ledger, self.whole_id(id), keep, self._here(), self._guarded(reason))

    def to_confirm(self, days: int | None = None) -> list[Memory]:
        """Invariants that nobody has confirmed for `days` (the setting confirm_days), the longest first."""
        from treering import truth

        waiting = self.config.confirm_days if days is None else days
        if not isinstance(waiting, int) or waiting < 0:
            raise InvalidInput(f"days must be a whole number, not {days!r}")
        return truth.to_confirm(self.store, self.context.space, waiting, self._now())

    def confirm(self, id: str, answer: str = "yes", *, text: str = "", reason: str = "") -> Memory:
        """Record what a person says of an invariant: `yes` it holds, `no` it does not (it is forgotten), or `change`:
        the text holds instead, and supersedes it. The memory that holds now, or the forgotten one."""
        from treering import truth
        from treering.core import decide

        if bool(text) != (answer == "change"):
            raise InvalidInput("a change needs the new text, and the other answers need none")
        found, ledger, here = self.whole_id(id), self.ledger, self._here()

        def work() -> Memory:
            memory, why = self.get(found), self._guarded(reason)
            (event,) = ledger.commit(lambda: [decide.verify(memory, answer, here, why)])
            if answer == "no":
                ledger.commit(lambda: [decide.forget(memory, here, why, cause=event.id)])
            elif answer == "change":
                new = self._instead(memory, text)
                truth.supersede(ledger, memory, new, here, why, cause=event.id)
                return self.get(new.id)
            return self.get(found)

        return ledger.store.write(work)

    def hygiene(self, *, dry_run: bool = False, progress: Callable[[int], None] = lambda done: None) -> Report:
        """Move every memory whose time has come, by the policy of the settings. Doing it twice is doing it once."""
        from treering import hygiene

        policy, limits, now = self.config.decay, self.config.limits, self._now()
        if dry_run:
            return hygiene.plan(self.store, self.context.space, policy, limits, now)
        return hygiene.run(self.ledger, self._here(), policy, limits, now, progress)

    def harvest(
        self,
        paths: str | Sequence[str],
        *,
        project: str = "",
        root: str = "",
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Harvest:
        """Take the durable facts out of Markdown documents, and follow the documents as they change."""
        from treering import harvesting, truth

        here, limit = self._here(project), self.config.content_limit
        paths = [paths] if isinstance(paths, str) else paths
        done = harvesting.harvest(self.ledger, here, paths, root, limit, dry_run, progress)
        if dry_run or self.to_compare() > truth.PATIENCE:
            return done
        return done._replace(contradictions=tuple(truth.catch_up(self.ledger, here)))

    def index(self, path: str = "", *, project: str = "", session: str = "", overwrite: bool = False) -> str:
        """What is known here, as a Markdown text for people; with a path, it is written there."""
        from treering.core.types import Filter
        from treering.vault.folder import put_generated
        from treering.vault.index import memory_md

        here = self._here(project, session)
        text = memory_md(self.store.records(Filter(here.space, visible_to=here)))
        if path:
            put_generated(path, text, overwrite)
        return text

    def write_vault(
        self, folder: str, *, overwrite: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> Written:
        """Write the memory as a folder of Markdown files. Writing again adds what is new."""
        from treering import vaulting

        return vaulting.write(self.store, folder, self.context.space, self._now(), overwrite, progress)

    def replay_vault(self, folder: str) -> Replayed:
        """Whether the session files of a folder alone amount to its other files."""
        from treering import vaulting

        return vaulting.replay(folder)

    def read_vault(
        self, folder: str, *, mine: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> Taken:
        """Take in a folder of Markdown files: all of it, or nothing. Reading it again adds nothing.

        Who said what is believed when a store is started from it, or if it is `mine`; otherwise it is an outside text.
        """
        from treering import vaulting

        return vaulting.read(self.ledger, self._here(), folder, self.config.content_limit, progress, mine)

    def _is_id(self, text: str) -> bool:
        """Whether it names a memory: it looks like an id. Nobody remembers a text like that."""
        if not isinstance(text, str):
            raise InvalidInput(f"the new memory is an id or a text, not {text!r}")
        prefix, _, digits = text.rpartition("-")
        return number_in(digits) is not None and (not prefix or any(w.startswith(prefix) for w in self.store.heads()))

    def _instead(self, former: Memory, text: str, causes: tuple[str, ...] = (), **more: Any) -> Memory:
        """A new memory that is what another was, but for its text and where it comes from, and what more is given."""
        alike = {name: getattr(former, name) for name in ("type", "scope", "tags", "language", "invariant")}
        here = self._here()
        # Its walls stay where they were, wherever we stand.
        session = former.session if former.scope == "session" else here.session
        there = here._replace(project=former.project, session=session)
        (made,) = self._remembering([{"content": text, **alike, **more}], there, echoes=False, causes=causes)()
        return made
