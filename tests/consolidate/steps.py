"""What random histories do with episodes and the graph, and what holds after each step."""

from __future__ import annotations

from tests.consolidate.living import BUILD, DOOR, SUMMED, rows
from tests.world import picture
from treering.consolidate.rules import LEAST
from treering.ledger.types import RECALLABLE, least_trusted
from treering.memory import Treering

TALES = (BUILD, DOOR)
TEXTS = (SUMMED, "The badge of Marta did not open the warehouse door")


class Slow:
    """Steps of the slow loop."""

    def do_live(self, memory: Treering, which: int, session: str, origin: str) -> None:
        """Three episodes of one matter, which come together unless others get in between."""
        for text in TALES[which % 2]:
            memory.remember(text, type="episodic", session=session, origin=origin)
        memory.maintenance.next_group()
        standing = memory.maintenance.groups()
        told = [id for group in standing if not group.summary for id in group.memories]
        assert len(told) == len(set(told))
        assert len({group.id for group in standing}) == len(standing)

    def do_submit(self, memory: Treering, pick: int, undone: bool) -> None:
        """A summary has the least trust of its sources; undoing it brings all of them back."""
        waiting = [group for group in memory.maintenance.groups() if group.status != "summarised"]
        if not waiting:
            return
        group = waiting[pick % len(waiting)]
        fresh, before = group.status == "waiting", picture(memory.store)
        names = " ".join(before[id].content for id in group.memories if id in before)
        made = memory.maintenance.submit(group.id, TEXTS["Marta" in names])
        after = picture(memory.store)
        sources = [id for id in group.memories if id in after and after[id].status == "consolidated"]
        assert len(sources) >= LEAST
        assert made.trust == least_trusted("user", *(after[id].trust for id in sources))
        if undone:
            memory.undo(made.id)
            assert not fresh or picture(memory.store) == before

    def do_promote(self, memory: Treering, text: str, uses: int) -> None:
        """A session's own is told to its project when it was shown twice, and never what came from outside."""
        note = memory.remember(text, scope="session", session="s1", project="shop", relevance=1.0)
        for _ in range(uses):
            memory.recall(text, session="s1", project="shop", silent=False)
        before = picture(memory.store)
        memory.maintenance.consolidate(steps=["to_project", "to_user"])
        after = picture(memory.store)
        for id, old in before.items():
            into = after[id].merged_into
            if into != old.merged_into:
                assert old.trust != "external" and old.status in RECALLABLE
                assert after[into].scope in ("project", "user") and id in after[into].merged
        assert note.id in after

    def do_tend(self, memory: Treering, how: str) -> None:
        """A rehearsal changes nothing, and doing it twice does nothing new but what hygiene does."""
        steps = ["episodes", "graph", "contradictions", "reflection"]
        before = (picture(memory.store), rows(memory.store))
        if how == "dry_run":
            memory.maintenance.consolidate(dry_run=True)
            assert (picture(memory.store), rows(memory.store)) == before
            return
        memory.maintenance.consolidate(steps=steps, if_due=how == "if_due")
        if how == "twice":
            once = (picture(memory.store), rows(memory.store))
            again = memory.maintenance.consolidate(steps=steps)
            assert (picture(memory.store), rows(memory.store)) == once
            (episodes,) = (step for step in again.steps if step.step == "episodes")
            assert not any(episodes.counts.values())

    def do_prune(self, memory: Treering, undone: bool) -> None:
        """No memory changes by it; undone, the graph is as it was."""
        before, drawn = picture(memory.store), memory.graph.export()
        done = memory.graph.prune()
        if undone and done.event:
            memory.undo(done.event)
            assert memory.graph.export() == drawn
        assert picture(memory.store) == before
