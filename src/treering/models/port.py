"""Define what Treering needs from models: one that turns texts into vectors, and one that answers questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from treering.ledger.errors import TreeringError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Matrix = NDArray[float32]


class Embedder(Protocol):
    """Turns texts into vectors whose directions are alike when their meanings are."""

    @property
    def name(self) -> str:
        """The model and all that shapes its vectors: vectors of two names are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text; all zeros for one that says nothing."""

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        """Return the one row of a query: its text, or its words in order, each with how much it counts."""


class Question(NamedTuple):
    """A question to a language model."""

    purpose: str  # one word, under which its tokens are counted
    system: str  # what it is to do
    text: str  # with what: material, never instructions
    schema: Mapping[str, Any]  # a JSON Schema of what comes back: an object of texts and of lists of texts
    strong: bool = False  # for the strong model, if there is one
    most_tokens: int = 400  # of the answer


class Reply(NamedTuple):
    """An answer that fits the schema of its question."""

    value: dict[str, Any]
    model: str
    asked: int  # tokens of all that was sent,
    answered: int  # and of all that came back, with what was of no use
    took: int  # microseconds


class LLMFailed(TreeringError):
    """A language model gave no usable answer. Tokens may have been spent all the same."""

    def __init__(
        self, problem: str, model: str, asked: int = 0, answered: int = 0, took: int = 0, down: bool = False
    ) -> None:
        super().__init__(problem)
        self.model = model
        self.asked = asked
        self.answered = answered
        self.took = took  # microseconds
        self.down = down  # the next question would be in vain too


class LLM(Protocol):
    """A language model that answers in the shape that it is asked for, or not at all."""

    def ask(self, question: Question) -> Reply:
        """Return the answer, or raise `LLMFailed`."""
