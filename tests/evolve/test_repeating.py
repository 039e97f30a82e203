"""An agent that repeats what it was told earns nothing by it and teaches nothing."""

from __future__ import annotations

from tests.evolve.test_echoes import AMBER, BEN, LINES, told
from tests.evolve.worn import World
from treering.ledger.events import JUDGED, REMEMBERED
from treering.ledger.types import Context


class TestCredit:
    def test_an_answer_that_only_repeats_is_not_credited(self, world: World) -> None:
        """Nor is a tool's result, nor what the user quotes."""
        (note,), fence = told(world)
        recall = world.memory.recall(AMBER, silent=False)
        for followed in (
            {"answer": AMBER},
            {"answer": recall.fence},
            {"answer": f"As noted: {AMBER}"},
            {"results": [(recall.fence, False)]},
            {"results": [(AMBER, False)]},
            {"reply": fence},
            {"answer": recall.fence, "results": [(recall.fence, False)], "reply": f"> {AMBER}"},
        ):
            world.memory.evolve.observe(recall.id, **followed)
            assert world.now(note).q <= 0.5, followed
        assert world.events(JUDGED) == []

    def test_an_echo_is_no_use(self, world: World) -> None:
        """It counts nothing: neither as an access nor in the history."""
        (note,), fence = told(world)
        uses = world.memory.evolve.usage(note.id)
        for text in (fence, AMBER):
            world.memory.remember(text)
        assert world.now(note) == note
        assert world.memory.evolve.usage(note.id) == uses


def test_a_hundred_sessions_that_repeat_what_they_were_told_change_nothing() -> None:
    """The memory does not grow and no Q rises, whichever way an agent repeats it: to be remembered, in its answer, as
    the result of a tool, or in what is said next."""
    world = World()
    facts = (
        AMBER,
        BEN,
        "The api listens on port 8080.",
        "Backups are kept for 14 days.",
        "Never deploy on Fridays.",
        "The user prefers dark mode.",
        "Use pnpm instead of npm.",
        "Run `make fmt-all` before you commit.",
        "Anna lives in Lyon and likes tea.",
        LINES,
    )
    notes = [world.memory.remember(text) for text in facts]
    for number in range(100):
        world.pass_(hours=3)
        agent = world.seen_by(Context(session=f"session-{number}"))
        first, second = notes[number % len(notes)], notes[(number * 7 + 3) % len(notes)]
        found = agent.recall(first.content, 3, silent=False)
        for text in (
            found.fence,
            first.content,
            f"As noted, {first.content[0].lower()}{first.content[1:]}",
            f"I recalled:\n\n{found.fence}",
            "\n".join(found.fence.splitlines()[:3]),
            f"{first.content} {found.hits[-1].memory.content}",
        ):
            agent.remember(text)
        agent.remember_many([{"content": hit.memory.content} for hit in found.hits])
        agent.evolve.observe(
            found.id,
            answer=f"As I remember: {first.content}\n{found.fence}",
            results=[(found.fence, False), (first.content, False)],
            reply=f"> {second.content}",
        )
        assert len(world.events(REMEMBERED)) == len(facts), number
    assert {memory.id for memory in world.memory.list()} == {note.id for note in notes}
    assert all(world.now(note).q <= 0.5 for note in notes)
    assert world.memory.evolve.candidates("similar_pairs") == []
