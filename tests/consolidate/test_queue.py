"""The queue: which episodes come together, which never do, and what a group is called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ageing import put
from tests.consolidate.living import BUILD, DOOR, SUMMED, World
from tests.world import picture
from treering.consolidate.queue import Queue, fill
from treering.consolidate.rules import group_named
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import GROUPED
from treering.ledger.types import Context, Memory


def grouped(world: World, context: Context | None = None) -> list[set[str]]:
    """What comes together of all that there is."""
    here = context or world.memory.context
    world.memory.maintenance.prepare()
    fill(world.memory.ledger, here, world.time)
    return [{*group.memories} for group in Queue(world.store, here.space).groups()]


def ids(notes: list[Memory]) -> set[str]:
    return {note.id for note in notes}


def test_three_episodes_of_one_matter_are_a_group(world: World) -> None:
    """Two are not, and a third of another matter does not make them one."""
    first, second = world.live(*BUILD[:2])
    world.live(DOOR[0])
    assert grouped(world) == []
    third = world.live(BUILD[2])[0]
    assert grouped(world) == [{first.id, second.id, third.id}]


def test_two_matters_are_two_groups(world: World) -> None:
    """And no episode is in both, whichever comes first."""
    notes = [world.live(text)[0] for pair in zip(BUILD, DOOR, strict=True) for text in pair]
    found = grouped(world)
    assert sorted(map(sorted, found)) == sorted([sorted(ids(notes[::2])), sorted(ids(notes[1::2]))])


@pytest.mark.parametrize(
    "other",
    [{"project": "bakery"}, {"scope": "user"}, {"scope": "session", "session": "mine"}],
    ids=("project", "scope", "session"),
)
def test_episodes_of_two_places_never_come_together(world: World, other: dict[str, Any]) -> None:
    """Whatever they share: one summary of both would tell the one what the other said."""
    world.live(*BUILD[:2])
    world.live(BUILD[2], **other)
    assert grouped(world) == []
    ours = world.live("The nightly build failed, as the Redis cache of node 7 was full")
    assert len(grouped(world)[0]) == 3 and ours[0].id in grouped(world)[0]


def test_what_two_sessions_said_for_themselves_never_comes_together(world: World) -> None:
    """Nor do two spaces know of each other."""
    for number, text in enumerate(BUILD):
        world.live(text, scope="session", session=f"mine{number}")
    assert grouped(world) == []
    elsewhere = Context("other", project="shop")
    there = world.seen_by(elsewhere)
    for text in BUILD:
        there.remember(text, type="episodic", anyway=True)
    assert grouped(world) == []
    there.maintenance.prepare()
    fill(there.ledger, elsewhere, world.time)
    assert len(Queue(world.store, "other").groups()) == 1
    assert world.memory.maintenance.groups() == []


@pytest.mark.parametrize("type", ("semantic", "procedural", "working"))
def test_only_episodes_are_grouped(world: World, type: str) -> None:
    """A fact is not summed up while it is strong."""
    world.live(type=type)
    assert grouped(world) == []


def test_what_must_not_change_is_not_grouped(world: World) -> None:
    """An invariant stands for itself."""
    world.live(invariant=True)
    assert grouped(world) == []


def test_the_name_of_a_group_is_stable(world: World) -> None:
    """Grouping again finds it again, and writes nothing; a new member is a new group in its place."""
    notes = world.live()
    name = world.task().group.id
    assert name == group_named([note.id for note in notes])
    for _ in range(2):
        grouped(world)
        assert world.task().group.id == name
    assert len(world.events(GROUPED)) == 1
    more = world.live("The nightly build failed, as the Redis cache of node 7 was full")
    (group,) = grouped(world)
    assert group == ids([*notes, *more])
    assert len(world.memory.maintenance.groups()) == 1


@pytest.mark.parametrize("how", ("forget", "supersede", "purge", "undo"))
def test_a_group_that_lost_too_many_is_gone(world: World, how: str) -> None:
    """Whatever took one of three episodes away."""
    note, *_ = world.live()
    world.task()
    if how == "supersede":
        world.memory.supersede(note.id, "None of that holds")
    else:
        getattr(world.memory, how)(note.id)
    assert world.memory.maintenance.groups() == []
    assert world.memory.maintenance.next_group() is None


def test_what_is_archived_while_it_waits_is_summed_up_all_the_same(world: World) -> None:
    """Hygiene does not wait; undoing the summary leaves it archived."""
    notes = world.live()
    group = world.task().group
    put(world.memory, notes[0], "archived")
    assert world.task().group == group
    made = world.memory.maintenance.submit(group.id, SUMMED)
    assert world.statuses(notes) == {"consolidated"}
    world.memory.undo(made.id)
    assert [world.now(note).status for note in notes] == ["archived", "created", "created"]


def test_groups_wait_in_the_order_in_which_they_came(world: World) -> None:
    """Those with a draft after those with nothing; what is summed up waits for nobody."""
    group = world.drafted()
    world.live(*DOOR)
    assert [one.status for one in world.memory.maintenance.groups()] == ["drafted"]
    door = world.task()
    assert door.group.id != group.id and door.draft == ""
    world.memory.maintenance.submit(door.group.id, "The badge of Marta did not open the warehouse door")
    task = world.task()
    assert task.group.id == group.id
    assert task.draft == world.memory.get(group.summary).content
    world.memory.maintenance.submit(group.id, SUMMED)
    assert world.memory.maintenance.next_group() is None
    assert [one.status for one in world.memory.maintenance.groups()] == ["summarised"] * 2


def test_a_task_has_its_episodes_oldest_first_and_says_what_to_do(world: World) -> None:
    """And what they are about."""
    notes = world.live()
    task = world.task()
    assert [source.id for source in task.sources] == [note.id for note in notes]
    assert "redis" in [word.lower() for word in task.about]
    assert "3 episodes" in task.instructions and task.draft == ""


def test_a_group_is_known_by_the_beginning_of_its_name(world: World) -> None:
    """One that is not there, or could be several, is refused."""
    world.live()
    world.live(*DOOR)
    world.task()
    queue = Queue(world.store, "default")
    for group in world.memory.maintenance.groups():
        assert queue.group(group.id[:-1]) == queue.group(group.id) == group
    with pytest.raises(InvalidInput, match="could be any"):
        queue.group("group-")
    for nothing in ("group-zz", "", "nonsense"):
        with pytest.raises(NotFound):
            queue.group(nothing)


def test_looking_for_a_group_on_what_is_read_only_finds_what_is_queued(world: World) -> None:
    """And changes nothing."""
    world.live()
    before = world.dump()
    assert world.memory.maintenance.groups() == []
    assert world.dump() == before
    assert picture(world.store)
