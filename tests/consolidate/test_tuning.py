"""The memory tests itself: a better setting is found by what was said of its recalls, and chance finds none."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.tuning import trying
from tests.evolve.worn import World, ids_of
from treering.ledger import decide
from treering.ledger.events import JUDGED
from treering.ledger.types import Context
from treering.recall.lessons.trials import LEAST, LEAST_GAIN, RELIEF, Tuning
from treering.recall.lessons.tune import MOST, Replays, interval, judged, tune
from treering.recall.scoring import Mix

bench = importlib.import_module("benchmarks.tuning.__main__")

FOREVER = 600.0  # seconds
TOPICS = 40  # enough for both parts
SHOWN = 6
HERE = Context()


def name_of(topic: int) -> str:
    """A word that nothing else has."""
    return "".join("bcdfghklmn"[int(digit)] + "aeiou"[topic % 5] for digit in f"{topic:03d}") + "x"


def talk(world: World, topic: int, project: str = "") -> tuple[str, str]:
    """A question and its answer, which shares no word with it, in a session of their own; and remarks that share most
    of its words. The question that will be asked, and the id of the answer."""
    name = name_of(topic)
    known = f"{name} {name[::-1]}"
    query = f"where is {known} {name}z"
    session = f"{project}s{topic}"
    for remark in ("was painted blue", "is heavy", "came by train"):
        world.memory.remember(f"{known} {remark}", session=f"{session} {remark}", project=project)
    world.memory.remember(query, session=session, project=project)
    answer = world.memory.remember(f"under shelf {topic}", session=session, project=project)
    return query, answer.id


def ask(world: World, query: str, helps: Callable[[str], bool], project: str = "") -> str:
    """A recall of which everything is judged."""
    found = world.memory.recall(query, SHOWN, project=project, silent=False)
    for id in ids_of(found):
        world.memory.feedback(found.id, id, "helpful" if helps(id) else "not_helpful")
    world.pass_(hours=1)
    return found.id


def talked(world: World, topics: int = TOPICS, project: str = "") -> dict[str, str]:
    """All of it, asked and judged by who holds the answer. What is learned meanwhile changes no answer."""
    weigh(world, {"learned": 0.0, "prior": 0.0, "company": 0.0})
    told = dict(talk(world, topic, project) for topic in range(topics))
    for query, answer in told.items():
        ask(world, query, answer.__eq__, project)
    return told


def tuned(world: World, context: Context = HERE, budget: float = FOREVER) -> Tuning:
    memory = world.memory
    return tune(memory.store, memory.workspace.recalls, context, budget)


def weigh(world: World, weights: dict[str, float | str], context: Context = HERE) -> None:
    world.memory.ledger.commit(lambda: [decide.weigh(weights, context)])


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture(scope="module")
def attic() -> World:
    """A world that nobody changes, in which all that was asked belongs to one project."""
    world = World()
    talked(world, project="attic")
    return world


class TestFinding:
    def test_a_setting_that_answers_better_is_found_and_proves_itself(self, world: World) -> None:
        """Here the answers stand beside what matches, and that counts too little."""
        told = talked(world)
        found = tuned(world)
        assert found.nothing == ""
        assert float(found.weights["neighbour"]) > Mix().neighbour
        assert found.gain >= LEAST_GAIN
        assert 0 < found.low <= found.gain <= found.high
        assert found.after == pytest.approx(found.before + found.gain)
        assert (found.fit + found.held, min(found.fit, found.held) >= LEAST) == (len(told), True)
        query, answer = talk(world, 99)

        def place() -> int:
            return ids_of(world.memory.recall(query, 10, silent=False, log=False)).index(answer)

        before = place()
        weigh(world, dict(found.weights))
        assert place() < before

    def test_the_same_recalls_always_say_the_same(self, attic: World) -> None:
        """But for the time that it takes; and asking changes nothing. Other projects have no recalls to be tuned by."""
        before = attic.dump()
        everywhere, there, elsewhere = (tuned(attic, Context(project=name)) for name in ("", "attic", "cellar"))
        assert everywhere.weights
        assert everywhere._replace(took=0) == there._replace(took=0)
        assert (elsewhere.fit, elsewhere.held) == (0, 0)
        assert attic.dump() == before

    def test_a_poor_setting_goes_back_to_the_usual_one(self, world: World) -> None:
        """Which all recalls check, as none of them has chosen it."""
        weigh(world, {"neighbour": 2.0, "learned": 0.0, "prior": 0.0, "company": 0.0})  # above what matches itself
        for topic in range(TOPICS):
            query, _ = talk(world, topic)
            ask(world, query, lambda one, query=query: world.memory.get(one).content == query)  # type: ignore[misc]
        found = tuned(world)
        assert found.weights == {"neighbour": Mix().neighbour}
        assert (found.fit, found.held) == (0, TOPICS)
        assert "usual everywhere, checked by 40 recalls" in found.summary[2]


class TestRefusing:
    def test_few_recalls_tell_nothing(self, world: World) -> None:
        """Nothing is tried."""
        talked(world, 2 * LEAST)
        found = tuned(world)
        assert (found.tried, found.weights) == (0, {})
        assert found.nothing == "30 recalls have been judged, and less than 38 tell nothing from chance"

    def test_where_all_is_well_nothing_is_proposed(self, world: World) -> None:
        """What was tried is counted all the same."""
        for topic in range(TOPICS):
            query, _ = talk(world, topic)
            best = ids_of(world.memory.recall(query, 1, silent=False, log=False))
            ask(world, query, best.__contains__)
        found = tuned(world)
        assert found.weights == {}
        assert found.nothing
        assert found.tried > 10

    @pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
    def test_verdicts_by_chance_propose_nothing(self, world: World, seed: int) -> None:
        """Whatever fits the older ones does not fit the newer ones."""
        dice = Random(seed)
        for topic in range(TOPICS):
            query, _ = talk(world, topic)
            ask(world, query, lambda one: dice.random() < 0.3)
        assert tuned(world).weights == {}

    def test_no_time_is_no_proposal_and_no_error(self, attic: World) -> None:
        found = tuned(attic, budget=0.0)
        assert (found.weights, found.stopped, found.tried) == ({}, True, 0)
        assert found.nothing.startswith("the time was up")


class TestTheRecallsOfThePast:
    def test_what_was_said_of_single_memories_counts(self, world: World) -> None:
        """Not what came of it all, which falls on everything alike; nor what was taken back."""
        query, answer = talk(world, 1)
        recall = ask(world, query, answer.__eq__)
        other = world.memory.recall("train", 5, silent=False)
        world.memory.evolve.outcome(other.id, "success")
        (trial,) = judged(world.store, HERE)
        assert trial.rewards == {id: float(id == answer) for id in trial.rewards}
        assert answer in trial.rewards
        for event in world.events(JUDGED, live=True):
            world.memory.undo(event.id)
        assert judged(world.store, HERE) == []
        world.memory.feedback(recall, answer, "partially_helpful")
        assert [one.rewards for one in judged(world.store, HERE)] == [{answer: 0.5}]

    def test_of_those_that_ask_the_same_the_last_one_counts(self, world: World) -> None:
        """A question that is asked every day is one question, and stands on one side of the split."""
        query, answer = talk(world, 1)
        ask(world, query, lambda one: False)
        ask(world, query.upper(), answer.__eq__)
        (trial,) = judged(world.store, HERE)
        assert trial.rewards[answer] == 1.0

    def test_they_are_replayed_with_the_memories_that_there_were_as_they_were(self, world: World) -> None:
        """A Q that the same feedback has made would praise what counts it; and nobody had judged what came later."""
        told = talked(world, 12)
        trials = judged(world.store, HERE)
        for topic, query in enumerate(told):
            world.memory.remember(query, session=f"later {topic}")
        replays = Replays(world.store, world.memory.workspace.recalls, HERE)
        replays.until = float("inf")
        first, answer = trials[0], next(iter(told.values()))
        assert all((world.memory.get(id).q >= 0.5) == (id == answer) for id in first.rewards)
        # By so much that the Q of now would turn the answer round; when it was given, nobody had judged anything.
        without, mostly = (list(replays.worths({**replays.current, "usefulness": q}, [first])) for q in (0.0, 8.0))
        assert without == mostly
        found = replays._answer(first, Mix())
        assert found is not None
        assert set(found) >= set(first.rewards)
        assert all(world.memory.get(id).created <= first.ask.now for id in found)

    def test_a_higher_bar_of_silence_spares_useless_answers(self, world: World) -> None:
        """Recalls that were asked to answer in any case stay answered."""
        for topic in range(4):
            query, _ = talk(world, topic)
            found = world.memory.recall(query.replace("where", "why"), 5, silent=topic < 2)
            for id in ids_of(found):
                world.memory.feedback(found.id, id, "not_helpful")
        replays = Replays(world.store, world.memory.workspace.recalls, HERE)
        replays.until = float("inf")
        trials = [one._replace(sure=float(place < 2)) for place, one in enumerate(judged(world.store, HERE))]
        assert list(replays.worths({**replays.current, "silent": 1.0}, trials)) == [RELIEF, RELIEF, 0.0, 0.0]

    def test_a_type_of_query_that_is_weighed_by_itself_is_not_moved(self, world: World) -> None:
        """What would be set for all does not reach it, and the replay knows."""
        talked(world, 5)
        trials = judged(world.store, HERE)
        kinds = {trial.ask.query.type for trial in trials}
        for kind in kinds:
            world.memory.ledger.commit(lambda kind=kind: [decide.weigh({"keyword": 1.0}, HERE, kind)])  # type: ignore[misc]
        replays = Replays(world.store, world.memory.workspace.recalls, HERE)
        replays.until = float("inf")
        usual = list(replays.worths(replays.current, trials))
        assert list(replays.worths({**replays.current, "keyword": 0.0}, trials)) == usual
        assert list(replays.worths({**replays.current, "neighbour": 0.0}, trials)) != usual

    def test_there_is_a_bound_on_how_many(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """The newest count."""
        talked(world, 6)
        everything = judged(world.store, HERE)
        assert len(everything) == 6 <= MOST
        monkeypatch.setattr("treering.recall.lessons.tune.MOST", 4)
        assert judged(world.store, HERE) == everything[-4:]


def test_the_benchmark_runs_on_any_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its figures are good is for `make bench-tuning` to say."""
    rows = [
        {"corpus": corpus, "id": str(place), "content": f"{name_of(place)} is {corpus}", "session": "s", "role": "user"}
        for corpus in ("red", "blue")
        for place in range(5)
    ]
    queries = [
        {"corpus": row["corpus"], "query": f"what is {row['content'][:7]}", "relevant": [row["id"]]} for row in rows
    ]
    for file, lines in (("memories.jsonl", rows), ("queries.jsonl", queries)):
        (tmp_path / "set").mkdir(exist_ok=True)
        (tmp_path / "set" / file).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr(trying, "hand_picked", lambda: [Mix()])
    (found,) = bench.run(str(tmp_path), ["set"], ["words only"], 1, str(tmp_path))
    assert (found.judged, found.queries, found.tuning.weights) == (2, 8, {})
    assert "| set | words only | 2 | 0 of 1 |" in bench.table([found])
    assert json.dumps(bench._row(found))


def test_the_interval_holds_the_mean_and_narrows_with_more_recalls() -> None:
    few = np.array([0.0, 0.1, 0.2, 0.3])
    low, high = interval(few)
    assert low < few.mean() < high
    closer = interval(np.tile(few, 25))
    assert low < closer[0] < few.mean() < closer[1] < high
