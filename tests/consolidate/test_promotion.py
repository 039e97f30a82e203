"""What has proved itself is told to more people, once, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.consolidate.living import World, picture
from treering.consolidate.rules import PROMOTED_AT_ONCE
from treering.ledger import decide
from treering.ledger.ageing import importance
from treering.ledger.events import ABSORBED, MERGED, REMEMBERED
from treering.ledger.types import Context, Memory
from treering.ledger.verify import verify

FACT = "Deploys of the checkout go through the green pipeline"


def said(world: World, text: str = FACT, uses: int = 2, **options: Any) -> Memory:
    """Something that a session said for itself, and was shown so often."""
    walls = {"scope": "session", "session": "s1", "type": "semantic"}
    note = world.memory.remember(text, **{**walls, **options})
    world.use(note, uses)
    return world.now(note)


def proved(
    world: World, text: str = FACT, sessions: int = 3, projects: tuple[str, ...] = ("shop", "mill"), **options: Any
) -> Memory:
    """Something of a project that so many sessions used, in projects in turn."""
    note = world.memory.remember(text, **{"scope": "project", **options})
    contexts = [Context(project=projects[n % len(projects)], session=f"s{n}") for n in range(sessions)]
    world.memory.ledger.commit(lambda: [decide.used(note, there) for there in contexts])
    return world.now(note)


def copies(world: World, scope: str) -> list[Memory]:
    """What was made for more people."""
    made = {event.id for event in world.events(REMEMBERED) if event.causes}
    return [note for note in picture(world.store).values() if note.scope == scope and note.id in made]


class TestToTheProject:
    def test_what_a_session_used_twice_is_told_to_its_project(self, world: World) -> None:
        """In the same words; it speaks for the one that it came from, which is told no more."""
        note = said(world, tags=("ops",))
        done = world.step("to_project")
        assert done.counts == {"promoted": 1, "strengthened": 0, "kept_apart": 0}
        (copy,) = copies(world, "project")
        assert (copy.content, copy.type, copy.tags, copy.project) == (FACT, "semantic", ("ops",), "shop")
        assert (copy.session, copy.created, copy.trust) == ("", note.created, note.trust)
        was = world.now(note)
        assert (was.status, was.merged_into, copy.merged) == ("merged", copy.id, (note.id,))
        assert (copy.accesses, copy.q) == (note.accesses, note.q)

    def test_once_used_is_not_enough(self, world: World) -> None:
        """Nor is being important."""
        said(world, uses=1, relevance=1.0, confidence=1.0)
        assert not any(world.step("to_project").counts.values())

    def test_filler_is_no_use(self, world: World) -> None:
        """Nor is standing below another answer, unless it was of use there."""
        first = "Deploys of the checkout run at night"
        world.memory.remember(first, scope="session", session="s1", type="semantic", relevance=1.0)
        note = said(world, uses=0, relevance=1.0)
        recalls = [world.show(note, first, session="s1") for _ in range(3)]
        assert world.step("to_project").counts["promoted"] == 1 and world.now(note).status == "active"
        for recall in recalls[:2]:
            world.memory.feedback(recall, note.id, "helpful")
        assert world.step("to_project").counts["promoted"] == 1 and world.now(note).status == "merged"

    def test_what_is_not_important_stays(self, world: World) -> None:
        """However often it was shown; an importance of .5 is enough."""
        low = said(world, "The lamp of the hall is green", uses=5, relevance=0.0, confidence=0.0)
        assert importance(low, world.time) < 0.5
        assert not any(world.step("to_project").counts.values())

    def test_a_session_tells_its_twenty_most_important(self, world: World) -> None:
        """The rest waits for the next time; another session has twenty of its own."""
        for session in ("s1", "s2"):
            for number in range(PROMOTED_AT_ONCE + 2):
                note = world.memory.remember(
                    f"Shelf {session} {number} holds boxes of {1900 + number}",
                    scope="session",
                    session=session,
                    relevance=round(0.6 + number / 100, 2),
                )
                two = [decide.used(note, Context(project="shop", session=session))] * 2
                world.memory.ledger.commit(lambda two=two: two)  # type: ignore[misc]
        assert world.step("to_project").counts["promoted"] == 2 * PROMOTED_AT_ONCE
        left = [note for note in picture(world.store).values() if note.scope == "session" and note.status != "merged"]
        assert sorted(note.relevance for note in left) == [0.6, 0.6, 0.61, 0.61]
        assert world.step("to_project").counts["promoted"] == 4

    def test_what_says_the_same_is_strengthened_and_not_copied(self, world: World) -> None:
        """In the same words, or nearly; its uses count there."""
        there = world.memory.remember(FACT, scope="project", tags=["old"])
        note = said(world, f"{FACT}.", tags=("new",), anyway=True)
        before = len(picture(world.store))
        assert world.step("to_project").counts == {"promoted": 0, "strengthened": 1, "kept_apart": 0}
        assert len(picture(world.store)) == before
        now = world.now(there)
        assert (now.merged, now.accesses, now.tags) == ((note.id,), there.accesses + note.accesses, ("old", "new"))
        assert world.now(note).merged_into == there.id

    @pytest.mark.parametrize(
        "other",
        [
            "Deploys of the checkout go through the blue pipeline",
            "Deploys of the checkout do not go through the green pipeline",
            "Deploys of the checkout go through the green pipeline within 5 minutes",
        ],
    )
    def test_what_says_something_else_is_no_duplicate(self, world: World, other: str) -> None:
        """However near it is: another name, a denial, a number."""
        there = world.memory.remember(other, scope="project")
        note = said(world)
        assert world.step("to_project").counts["promoted"] == 1
        assert world.now(there).merged == ()
        assert world.now(note).merged_into != there.id

    def test_another_number_is_no_duplicate(self, world: World) -> None:
        """Though all else is the same."""
        there = world.memory.remember("The request timeout of the checkout is 5 seconds", scope="project")
        said(world, "The request timeout of the checkout is 7 seconds")
        assert world.step("to_project").counts["promoted"] == 1
        assert world.now(there).merged == ()

    def test_what_another_project_has_is_no_duplicate(self, world: World) -> None:
        """Each is told what its own sessions found out."""
        there = world.memory.remember(FACT, scope="project", project="bakery")
        said(world)
        assert world.step("to_project").counts["promoted"] == 1
        assert world.now(there).merged == ()

    def test_what_came_from_outside_speaks_for_nothing_of_ours(self, world: World) -> None:
        """Strengthening it would make it look proved."""
        there = world.memory.remember(FACT, scope="project", origin="tool:web")
        said(world, anyway=True)
        assert world.step("to_project").counts["promoted"] == 1
        assert world.now(there).merged == ()

    @pytest.mark.parametrize("origin", ("tool:web", "document:a.md:3"))
    def test_what_came_from_outside_is_never_told_further(self, world: World, origin: str) -> None:
        """Nor what was made of it."""
        outside = said(world, origin=origin, relevance=1.0, confidence=1.0, uses=5)
        said(world, "All deploys are green then", sources=[outside.id], relevance=1.0, confidence=1.0, uses=5)
        proved(world, "Deploys of the bakery go through the oven", 9, origin=origin)
        for step in ("to_project", "to_user"):
            assert not any(world.step(step).counts.values())

    def test_what_must_not_change_is_not_told_further(self, world: World) -> None:
        """An invariant is a person's to move."""
        note = said(world, origin="user", invariant=True, relevance=1.0, uses=5)
        ours = proved(world, "Never deploy on a Friday", 9, origin="user", invariant=True)
        for step in ("to_project", "to_user"):
            assert not any(world.step(step).counts.values())
        assert {world.now(note).status, world.now(ours).status} == {"active"}


class TestToTheUser:
    @pytest.mark.parametrize(("sessions", "told"), [(1, 0), (2, 1), (4, 1)])
    def test_what_two_projects_used_is_told_to_the_user(self, world: World, sessions: int, told: int) -> None:
        """Everywhere, from then on."""
        note = proved(world, sessions=sessions)
        assert world.step("to_user").counts["promoted"] == told
        for copy in copies(world, "user"):
            assert (copy.content, copy.merged, copy.accesses) == (FACT, (note.id,), sessions)
            elsewhere = world.seen_by(Context(project="bakery"))
            assert [hit.memory.id for hit in elsewhere.recall(FACT, silent=False).hits] == [copy.id]

    def test_what_one_project_needs_is_not_told_to_others(self, world: World) -> None:
        """However often it used it, and however helpful it was: who owns the billing of the shop is no business of the
        blog."""
        note = proved(world, "Dana owns the billing", sessions=9, projects=("shop",))
        for _ in range(3):
            recall = world.show(note)
            world.memory.feedback(recall, note.id, "helpful")
        assert not any(world.step("to_user").counts.values())

    def test_what_was_called_unhelpful_is_not_told_further(self, world: World) -> None:
        """Though it was used in two projects, and more often praised than blamed."""
        note = proved(world)
        for verdict in ("helpful", "not_helpful", "helpful"):
            recall = world.show(note)
            world.memory.feedback(recall, note.id, verdict)
        assert not any(world.step("to_user").counts.values())

    def test_what_it_is_worth_goes_along(self, world: World) -> None:
        """Its Q, its uses and how sure it is; a duplicate that is there has its share of both."""
        note = proved(world, confidence=0.9)
        recall = world.show(note)
        world.memory.feedback(recall, note.id, "helpful")
        note = world.now(note)
        world.step("to_user")
        (copy,) = copies(world, "user")
        assert (copy.q, copy.accesses, copy.confidence) == (note.q, note.accesses, 0.9) and copy.q > 0.5

    @pytest.mark.parametrize(("type", "told"), [("semantic", 1), ("procedural", 1), ("episodic", 0), ("working", 0)])
    def test_an_episode_stays_where_it_happened(self, world: World, type: str, told: int) -> None:
        """Facts and ways of doing things hold elsewhere, too."""
        proved(world, type=type)
        assert world.step("to_user").counts["promoted"] == told

    @pytest.mark.parametrize("scope", ("project", "user"))
    def test_what_says_otherwise_elsewhere_is_kept_apart(self, world: World, scope: str) -> None:
        """One name, two projects, two values: each stays at home, and the other one is named."""
        ours = proved(world, "The request timeout of the gateway is 5 seconds")
        theirs = world.memory.remember(
            "The request timeout of the gateway is 30 seconds",
            scope=scope,
            project="bakery" if scope == "project" else "",
        )
        before = picture(world.store)
        assert world.step("to_user").counts == {"promoted": 0, "strengthened": 0, "kept_apart": 1}
        assert picture(world.store) == before
        world.memory.forget(theirs.id)
        assert world.step("to_user").counts["promoted"] == 1
        assert world.now(ours).status == "merged"

    def test_of_two_projects_that_say_otherwise_neither_is_told(self, world: World) -> None:
        """Not even the one that is looked at first."""
        proved(world, "The request timeout of the gateway is 5 seconds")
        proved(world, "The request timeout of the gateway is 30 seconds", project="bakery")
        assert world.step("to_user").counts == {"promoted": 0, "strengthened": 0, "kept_apart": 2}

    def test_what_two_projects_say_alike_becomes_one(self, world: World) -> None:
        """The second strengthens the first."""
        notes = [proved(world, projects=("shop",)), proved(world, projects=("bakery",), project="bakery")]
        assert world.step("to_user").counts == {"promoted": 1, "strengthened": 1, "kept_apart": 0}
        (copy,) = copies(world, "user")
        assert {*copy.merged} == {note.id for note in notes}


def test_who_is_told_further_is_less_important_there(world: World) -> None:
    """Before it is used there; it is as sure as it was."""
    note = said(world)
    world.step("to_project")
    (copy,) = copies(world, "project")
    other = proved(world, "Ask Ben before the gateway restarts")
    world.step("to_user")
    (told,) = copies(world, "user")
    for wider, narrow in ((copy, note), (told, other)):
        assert importance(wider, world.time) < importance(narrow, world.time)
        assert wider.confidence == narrow.confidence


def test_undoing_a_promotion_brings_the_memory_back(world: World) -> None:
    """A copy is gone, and it is not promoted again: somebody did not want that."""
    said(world)
    before = picture(world.store)
    world.step("to_project")
    (copy,) = copies(world, "project")
    world.memory.undo(copy.id)
    assert picture(world.store) == before
    world.step("to_project")
    assert picture(world.store) == before


def test_undoing_a_promotion_takes_from_the_duplicate_what_it_was_given(world: World) -> None:
    """One that was strengthened has what it had."""
    note = said(world)
    there = world.memory.remember(FACT, scope="project", anyway=True)
    before = picture(world.store)
    world.step("to_project")
    assert world.now(note).merged_into == there.id
    (merging,) = (event for event in world.events(MERGED, live=True) if event.subject == note.id)
    world.memory.undo(merging.id)
    assert picture(world.store) == before
    assert [event for event in world.events(ABSORBED, live=True) if event.subject == there.id] == []
    assert verify(world.store).problems == ()


def test_the_session_that_said_it_can_be_revoked(world: World) -> None:
    """What was told further falls with it."""
    said(world, session="bad")
    world.step("to_project")
    world.memory.revoke(session="bad")
    assert picture(world.store) == {}


def test_purging_either_leaves_nothing_of_the_words(world: World) -> None:
    """They are the same: whoever is purged, the other goes along."""
    for which in (0, 1):
        note = said(world, f"{FACT} of year {which}")
        world.step("to_project")
        (copy,) = copies(world, "project")
        world.memory.purge((note, copy)[which].id)
        assert picture(world.store) == {}
        assert not any(FACT in (event.payload or "") for event in world.events(REMEMBERED))


def test_promoting_twice_does_nothing_new(world: World) -> None:
    """Nor does a promotion retire anything wrongly: that is no rule of evolution."""
    said(world)
    proved(world, "Ask Ben before the gateway restarts")
    for step in ("to_project", "to_user"):
        world.step(step)
    before = picture(world.store)
    for step in ("to_project", "to_user"):
        assert not any(world.step(step).counts.values())
    assert picture(world.store) == before
    assert {rule.rule for rule in world.memory.evolve.stats().rules if rule.retired} == set()
