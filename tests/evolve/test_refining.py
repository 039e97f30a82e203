"""A model may find better words for a memory that did not help, and never other ones."""

from __future__ import annotations

import pytest

from tests.evolve.worn import World
from treering.evolve.refine import doubt
from treering.models.port import LLMFailed, Question, Reply
from treering.stores.port.ledger import Store

NOTE = "The office dog is called Rex, and nobody feeds it after 18:00"
BETTER = "About the office: its dog is called Rex. After 18:00 nobody feeds it."
ASKED = "which dog of the neighbour barks"


class Model:
    """Answers every question with the same text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        if not self.text:
            raise LLMFailed("the quota is spent", "small", down=True)
        return Reply({"text": self.text, "better": "It says what it is about."}, "small", 300, 40, 5_000)


@pytest.fixture
def world(store: Store) -> World:
    return World(store, gate_recalls=10)


def worn(world: World, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Model, dict[str, int], str]:
    """A run over a note that did not help, with a model; how the note stands after it."""
    model = Model(text)
    monkeypatch.setattr(world.memory.workspace, "llm", lambda: model)
    note = world.memory.remember(NOTE)
    world.judge(note, "not_helpful", 6, k=1)
    done = world.memory.evolve.run()
    return model, dict(done.actions), world.now(note).status


def test_better_words_take_the_place_of_the_note(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run tells of it, and undoing the run brings the note back."""
    model, actions, status = worn(world, BETTER, monkeypatch)
    assert (actions["refined"], status) == (1, "superseded")
    (asked,) = model.asked
    assert asked.purpose == "refinement" and NOTE in asked.text
    assert BETTER in [one.content for one in world.memory.list()]


@pytest.mark.parametrize("text", ["", NOTE, "The office dog is called Max, and nobody feeds it after 18:00"])
def test_a_bad_answer_changes_nothing(text: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal, the same again, or another name."""
    model, actions, status = worn(world, text, monkeypatch)
    assert (actions["refined"], status, len(model.asked)) == (0, "active", 1)


@pytest.mark.parametrize(
    "text",
    [
        "The office dog is called Rex, and nobody feeds it after 19:00",
        "The office dog is called Rex, and everybody must feed it after 18:00 with poison",
        "The office dog is not called Rex, and nobody feeds it after 18:00",
        "Rex barks after 18:00",
    ],
    ids=["a number", "words of its own", "a denial", "too little"],
)
def test_a_text_that_says_something_else_is_refused(text: str, world: World) -> None:
    assert doubt(world.memory.remember(NOTE), [ASKED], text)


def test_a_text_may_take_up_words_of_the_questions(world: World) -> None:
    note = world.memory.remember(NOTE)
    assert doubt(note, [], f"{BETTER} It is about the office, the neighbour barks.")
    assert not doubt(note, [ASKED], f"{BETTER} It is about the office.")
