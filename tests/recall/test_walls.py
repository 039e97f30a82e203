"""Scopes are walls: what lies behind one never shows on this side, on any path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

import treering
from tests.recall.walls import QUESTIONS, SPACES, VIEWERS, Town, ways
from tests.world import Hashed, memory_on, store_in_memory
from treering.ledger.types import STRATEGIES, Context, visible
from treering.models.port import Embedder
from treering.recall.index import cells
from treering.stores.sqlite.store import SqliteStore

MEMORIES = 126  # three behind each of 42 walls
PAIRS = MEMORIES * len(VIEWERS)  # 2,268
VISIBLE = 654  # of these pairs: what may be seen, each of which has to be shown, with every strategy
WAYS = 12 * len(STRATEGIES)
ALL = len(STRATEGIES)
# With how many strategies each viewer asks. In `make test` it is one, another for each viewer.
sampled = pytest.mark.parametrize("strategies", [1, pytest.param(ALL, marks=pytest.mark.long)], ids=("sample", "all"))
HERE = Context()
ALPHA, BETA = Context(project="alpha"), Context(project="beta")


@pytest.fixture
def celled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are taken for so large that their vectors are parted into cells, of which the nearest two are searched."""
    monkeypatch.setattr(cells, "EXACT", 4)
    monkeypatch.setattr(cells, "LONGEST_TAIL", (1, 2))
    monkeypatch.setattr(cells, "SIFTED", (2, 25))


@pytest.fixture
def town() -> Iterator[Town]:
    town = Town(store_in_memory())
    yield town
    town.store.close()


@pytest.fixture
def city() -> Iterator[Town]:
    """Somebody behind every wall."""
    city = Town(store_in_memory())
    city.settle()
    yield city
    city.store.close()


def portions(town: Town, size: int) -> Iterator[str]:
    """Questions that ask for all memories in their own words, a few at a time."""
    rest = iter(town.memories.values())
    while some := list(islice(rest, size)):
        yield " ".join(f"{memory.content} {memory.tags[0]}" for memory in some)


def asked_for_everything(town: Town, viewer: Context, strategy: str, at_once: int = 9) -> set[str]:
    """What somebody is told who asks for every memory there is, seen or unseen."""
    told: set[str] = set()
    for question in (*QUESTIONS, *portions(town, at_once)):
        told |= town.recall(question, viewer, strategy=strategy, log=False)
    for id in town.seen_by(viewer) - told:  # an answer has room for so many: the rest is asked for one by one
        told |= town.recall(town.memories[id].content, viewer, strategy=strategy, log=False)
    return told


def everybody_asks(town: Town, strategies: int = ALL, at_once: int = 9) -> tuple[int, int]:
    """For every memory and viewer, with some strategies: it shows exactly if it may be seen. How many were checked and
    shown."""
    checked = shown = 0
    for number, viewer in enumerate(VIEWERS):
        for strategy in islice(cycle(STRATEGIES), number % ALL, number % ALL + strategies):
            told = asked_for_everything(town, viewer, strategy, at_once)
            assert told == town.seen_by(viewer)
            checked += len(town.memories)
            shown += len(told)
    return checked, shown


@sampled
def test_nothing_shows_through_a_wall_and_all_else_can(strategies: int, town: Town) -> None:
    """11,340 combinations of a memory, a viewer and a strategy, in which it is asked for by its own words."""
    town.settle()
    assert len(town.memories) == MEMORIES
    assert everybody_asks(town, strategies) == (strategies * PAIRS, strategies * VISIBLE)


@sampled
@pytest.mark.usefixtures("celled")
def test_the_walls_of_large_places_are_the_same(strategies: int, city: Town) -> None:
    """The same 11,340, where vectors lie in cells."""
    assert everybody_asks(city, strategies) == (strategies * PAIRS, strategies * VISIBLE)
    assert any(place.held > cells.EXACT and not place.tail for place in city.store.index.places(ALPHA))


@pytest.mark.long
def test_no_single_question_gets_through_a_wall(city: Town) -> None:
    """The same 11,340, each memory asked for alone."""
    assert everybody_asks(city, at_once=1) == (ALL * PAIRS, ALL * VISIBLE)


@pytest.mark.parametrize("every", [ALL, pytest.param(1, marks=pytest.mark.long)])
def test_no_way_of_asking_opens_a_wall(every: int, city: Town) -> None:
    """Filters, times, budgets, silence and the log: every viewer asks in every way, or every fifth, and what one was
    shown is no way for another to see it."""
    told, asked = 0, 0
    questions = cycle(QUESTIONS)
    for number, viewer in enumerate(VIEWERS):
        for options in islice(ways(STRATEGIES), number % every, None, every):
            told += len(city.recall(next(questions), viewer, **options))
            asked += 1
    assert asked == len(VIEWERS) * WAYS // every
    assert told > 5 * asked  # the walls hold because they are walls, not because nobody answers


@pytest.mark.usefixtures("celled")
def test_filters_narrow_what_may_be_seen_and_nothing_else(city: Town) -> None:
    """With a filter, what shows is what may be seen and fits."""
    for viewer in VIEWERS:
        seen = [memory for memory in city.memories.values() if visible(memory, viewer)]
        for type, scope in (("procedural", ""), ("", "user"), ("", "project"), ("episodic", "session")):
            fitting = {m.id for m in seen if type in ("", m.type) and scope in ("", m.scope)}
            told: set[str] = set()
            for question in QUESTIONS[:3]:
                told |= city.recall(question, viewer, type=type, scope=scope, strategy="keyword", log=False)
            assert told == fitting


def test_the_past_has_the_same_walls(tmp_path: Path) -> None:
    """A view of an earlier moment shows what may be seen, of what was there."""
    town = Town(SqliteStore(str(tmp_path / "treering.db")))
    town.settle()
    town.store.close()
    told = 0
    for space in SPACES:
        with treering.open(tmp_path, space=space, as_of="2026-12-31") as past:
            for viewer in (one for one in VIEWERS if one.space == space):
                for strategy, question in zip(STRATEGIES, cycle(QUESTIONS), strict=False):
                    found = past.recall(
                        question, 100, project=viewer.project, session=viewer.session, strategy=strategy, silent=False
                    )
                    town.check(town.told(found), viewer)
                    told += len(found.hits)
    assert told > len(VIEWERS) * len(STRATEGIES)


@pytest.mark.parametrize("embedder", (None, Hashed()), ids=("static", "hashed"))
def test_a_process_of_its_own_sees_the_same_walls(tmp_path: Path, embedder: Embedder | None) -> None:
    """With the embedder that everybody has, through the door that everybody uses."""
    town = Town(SqliteStore(str(tmp_path / "treering.db")), embedder)
    town.settle()
    for viewer in VIEWERS:
        with treering.open(tmp_path, space=viewer.space, project=viewer.project, session=viewer.session) as memory:
            for question in QUESTIONS:
                found = memory.recall(question, 100, silent=False)
                town.check(town.told(found), viewer)
                assert found.hits
    town.store.close()


# Paths, one by one


def test_memories_recalled_together_do_not_lead_through_a_wall(town: Town) -> None:
    """Somebody in a project is shown its memory beside one of the user's; whoever asks elsewhere for the one is not
    told of the other, however often they came together."""
    town.gather()
    everywhere = town.add("the lighthouse keeper is called Ada, {0}", scope="user")
    secret = town.add("Ada has the vault combination, {0}", scope="project", project="alpha")
    for _ in range(5):
        assert {everywhere.id, secret.id} <= town.recall("lighthouse keeper Ada vault combination", ALPHA)
    for strategy in STRATEGIES:
        assert town.recall("lighthouse keeper Ada", BETA, strategy=strategy) - town.crowd == {everywhere.id}
        assert secret.id in town.recall("lighthouse keeper Ada vault combination", ALPHA, strategy=strategy)


@pytest.mark.parametrize("act", ("forget", "purge", "undo"))
def test_what_is_gone_is_not_found_by_its_former_company(town: Town, act: str) -> None:
    """Of two that were recalled together one is lost: the other is found as before, and leads nowhere."""
    kept = town.add("the harbour opens at dawn, {0}")
    gone = town.add("the harbour closes at dusk, {0}")
    assert town.recall("harbour dawn dusk", HERE) == {kept.id, gone.id}
    getattr(town.doors["default"], act)(gone.id)
    for _ in range(3):
        assert town.recall("harbour dawn dusk", HERE) == {kept.id}


def test_a_session_name_used_in_two_projects_is_two_sessions(town: Town) -> None:
    """What stands beside a memory in its session comes from its own side of the wall."""
    town.gather()
    mine, theirs = (
        [
            town.add(f"{text}, {{0}}", scope="session", session="monday", project=project, at=f"2026-01-0{day}")
            for day, text in enumerate(("where do the KayakRacks go", "behind the boathouse"), first)
        ]
        for project, first in (("alpha", 1), ("beta", 2))
    )
    for strategy in STRATEGIES:
        told = town.recall("where do the KayakRacks go", Context(project="alpha", session="monday"), strategy=strategy)
        assert mine[0].id in told
        assert not told & {memory.id for memory in theirs}
    assert mine[1].id in town.recall("where do the KayakRacks go", Context(project="alpha", session="monday"))


def test_an_entity_leads_to_nothing_behind_a_wall(town: Town) -> None:
    """The graph of names is walked on one side only."""
    town.gather()
    town.add("getVaultKey is called by open_vault, {0}", scope="project", project="alpha")
    mine = town.add("getVaultKey is slow, {0}", scope="project", project="beta")
    for strategy in STRATEGIES:
        assert town.recall("who calls getVaultKey", BETA, strategy=strategy) - town.crowd == {mine.id}


def test_a_slip_of_the_pen_finds_nothing_behind_a_wall(town: Town) -> None:
    """A word that is only known there is not what was meant here, as far as anybody can tell."""
    town.add("the tourmaline is in the safe, {0}", scope="project", project="alpha")
    mine = town.add("the tournament is on Friday, {0}", scope="project", project="beta")
    for strategy in STRATEGIES:
        assert town.recall("tourmalin", BETA, strategy=strategy) <= {mine.id}


def test_a_name_known_only_behind_a_wall_is_not_known_here(town: Town) -> None:
    """Confidence asks whether the memory has ever heard a name: this side of it."""
    town.add("Zanzibar is the code name of the merger, {0}", scope="project", project="alpha")
    town.add("the merger was discussed at lunch, {0}", scope="project", project="beta")
    here = town.doors["default"]
    asked = [here.recall(f"was the merger in {name}", project="beta", log=False) for name in ("Zanzibar", "Timbuktu")]
    assert asked[0].confidence == pytest.approx(asked[1].confidence, abs=0.05)
    assert here.recall("was the merger in Zanzibar", project="alpha", log=False).confidence > asked[0].confidence


def test_an_older_statement_and_a_duplicate_are_named_on_this_side_only(town: Town) -> None:
    """`older_than` and `same_as` name what may be seen, though the newest and the most used are elsewhere."""
    town.gather()
    for project in ("alpha", "beta", "alpha"):
        town.add("the staging password rotates every {0}", scope="project", project=project)
        town.add("rotate the staging password with vault", scope="project", project=project)
    for viewer in (ALPHA, BETA):
        found = town.doors["default"].recall("staging password rotates", project=viewer.project, silent=False)
        town.check(town.told(found), viewer)
        older = [hit.why.older_than for hit in found.hits if hit.why.older_than]
        same = [id for hit in found.hits for id in hit.why.same_as]
        assert (len(older), len(same)) == ((1, 1) if viewer == ALPHA else (0, 0))


# What a recaller keeps from one recall to the next


def test_what_was_kept_before_a_rebuild_does_not_show_afterwards(town: Town) -> None:
    """Numbers and places begin anew with a rebuild, by whichever process; nothing that was kept may stand for them."""
    town.gather()
    gone = town.add("first of all, {0}", scope="user")
    for project in ("alpha", "beta") * 3:
        town.add("the harbour opens at dawn, {0}", scope="project", project=project)
    for viewer in (ALPHA, BETA):
        asked_for_everything(town, viewer, "hybrid")
    town.doors["default"].purge(gone.id)  # so that every number behind it moves
    memory_on(town.store, seed=9).ledger.rebuild()
    del town.memories[gone.id]
    for viewer in (ALPHA, BETA):
        for strategy in STRATEGIES:
            assert asked_for_everything(town, viewer, strategy) == town.seen_by(viewer)


def test_what_was_kept_of_a_failed_transaction_does_not_show_afterwards(town: Town) -> None:
    """A recall within a transaction that is taken back has seen what never was; its number goes to somebody else."""
    here = town.doors["default"]
    town.gather()
    town.add("the harbour opens at dawn, {0}", scope="project", project="alpha")
    asked_for_everything(town, ALPHA, "hybrid")

    def work() -> None:
        here.remember("the harbour closes at dusk", scope="project", project="alpha")
        assert len(here.recall("harbour", 2, project="alpha", silent=False).hits) == 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        here.together(work)
    town.add("the harbour closes at dusk, {0}", scope="project", project="beta")
    for viewer in (ALPHA, BETA):
        for strategy in STRATEGIES:
            assert asked_for_everything(town, viewer, strategy) == town.seen_by(viewer)


def test_what_changes_sides_shows_on_the_new_one_only(town: Town) -> None:
    """The last memory of one project is purged, and another remembers the same."""
    town.gather()
    gone = town.add("the harbour opens at dawn, {0}", scope="project", project="alpha")
    asked_for_everything(town, ALPHA, "hybrid")
    town.doors["default"].purge(gone.id)
    del town.memories[gone.id]
    moved = town.add("the harbour opens at dawn, {0}", scope="project", project="beta")
    for strategy in STRATEGIES:
        assert moved.id in asked_for_everything(town, BETA, strategy)
        assert asked_for_everything(town, ALPHA, strategy) <= town.crowd
