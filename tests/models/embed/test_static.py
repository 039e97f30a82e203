"""The default vectors, against a plain reading of the files that they are packed from with the tokenizer library."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest

from tests.models.embed import wheel
from treering.models.embed import static
from treering.models.embed.static import StaticEmbedder, VectorsMissing
from treering.models.port import Embedder

EMBEDDER: Embedder = StaticEmbedder()


def test_the_packed_vectors_are_those_of_the_package() -> None:
    """To the last bit, so stores that were made with the package itself need not be embedded anew."""
    packed = numpy.fromfile(f"{static.FOLDER}/{static.VECTORS}", "<f2").reshape(-1, EMBEDDER.dimensions)
    assert (packed == wheel.vectors()).all()


@pytest.mark.parametrize("text", wheel.TEXTS)
def test_a_vector_is_that_of_the_library(text: str) -> None:
    """The same direction, but for runs of spaces."""
    assert float(EMBEDDER.embed([text])[0] @ wheel.vector(text)) > 0.99


def test_words_alone_give_exactly_the_vector_of_the_library() -> None:
    """Where no spaces are doubled, nothing differs but the last bit."""
    text = wheel.TEXTS[1]
    assert numpy.allclose(EMBEDDER.embed([text])[0], wheel.vector(text), atol=1e-6)


def test_meanings_that_are_alike_are_near() -> None:
    """Without a word in common."""
    dog, puppy, tax = EMBEDDER.embed(["the dog barks", "a puppy whines", "an invoice for taxes"])
    assert dog @ puppy > 0.3 > dog @ tax


def test_rows_have_length_one_or_zero() -> None:
    """A text that says nothing has no direction; its neighbours in the batch keep theirs."""
    rows = EMBEDDER.embed(["something", "", "  ", "\n\n", "another thing"])
    assert rows.dtype == numpy.float32
    assert rows.shape == (5, EMBEDDER.dimensions)
    assert numpy.allclose(numpy.linalg.norm(rows, axis=1), [1, 0, 0, 0, 1], atol=1e-6)
    assert EMBEDDER.embed([]).shape == (0, EMBEDDER.dimensions)


def test_a_batch_is_its_texts() -> None:
    """What else is embedded at the same time changes nothing."""
    rows = EMBEDDER.embed(wheel.TEXTS)
    assert all((row == EMBEDDER.embed([text])[0]).all() for row, text in zip(rows, wheel.TEXTS, strict=True))


def test_a_long_text_is_summed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts make up the whole."""
    text = " ".join(wheel.TEXTS)
    whole = EMBEDDER.embed([text])
    monkeypatch.setattr(static, "TOKENS_AT_ONCE", 7)
    assert numpy.allclose(EMBEDDER.embed([text]), whole, atol=1e-6)


class TestQuestion:
    def test_words_of_equal_weight_are_the_text(self) -> None:
        """The weights are all that sets a question apart."""
        words = "where does caroline live".split()
        row = EMBEDDER.question([(word, 2.5) for word in words], "ignored")
        assert numpy.allclose(row, EMBEDDER.embed([" ".join(words)]), atol=1e-6)

    def test_a_word_counts_as_much_as_its_weight(self) -> None:
        """All of its tokens do."""
        row = EMBEDDER.question([("caroline", 3.0), ("gothenburg", 1.0), ("the", 0.0)], "ignored")
        parts = [wheel.vectors()[wheel.tokens(word)].sum(axis=0) for word in ("caroline", "gothenburg")]
        total = 3 * parts[0] + parts[1]
        assert numpy.allclose(row[0], total / numpy.linalg.norm(total), atol=1e-6)

    @pytest.mark.parametrize("words", [[], [("who", 0.0), ("is", 0.0)], [("", 1.0)]])
    def test_without_weights_the_text_counts(self, words: list[tuple[str, float]]) -> None:
        """A question of nothing but common words still has a direction."""
        assert (EMBEDDER.question(words, "who is it") == EMBEDDER.embed(["who is it"])).all()

    def test_a_question_of_nothing_is_zeros(self) -> None:
        """In one row, like any other."""
        assert not EMBEDDER.question([], "").any()
        assert EMBEDDER.question([], "").shape == (1, EMBEDDER.dimensions)


def test_threads_may_share_an_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it loads, learns words and forgets them, each gets what it would alone."""
    monkeypatch.setattr("treering.models.embed.static.MOST_PIECES", 20)
    texts = [f"{text} {number}" for number in range(20) for text in wheel.TEXTS]
    expected = EMBEDDER.embed(texts)
    shared = StaticEmbedder()
    with ThreadPoolExecutor(8) as pool:
        for rows in pool.map(lambda _: shared.embed(texts), range(8)):
            assert (rows == expected).all()


def test_a_fresh_process_loads_no_more_than_it_needs() -> None:
    """Making one costs next to nothing, and neither wordllama nor its tokenizer library is ever imported."""
    script = """if True:
        import sys
        from treering.models.embed import embedder_named
        embedder = embedder_named("static")
        assert embedder is not None
        print(embedder.name, embedder.dimensions)
        assert embedder.embed(["a text"]).any()
        assert not {"wordllama", "tokenizers", "huggingface_hub"} & set(sys.modules)
    """
    result = subprocess.run([sys.executable, "-S", "-c", _with_path(script)], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("static:wordllama-l2_supercat_256 256\n", "")


def _with_path(script: str) -> str:
    """For an interpreter without `site`, which imports more than is measured."""
    return f"import sys; sys.path[:] = {sys.path!r}\n{script}"


class TestDamage:
    def test_without_the_files_the_error_says_what_to_type(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """When the embedder is made, not at the first search: the state of a source tree that nobody has installed."""
        monkeypatch.setattr(static, "FOLDER", str(tmp_path))
        with pytest.raises(VectorsMissing, match=r"type `pip install -e \.` in a source tree"):
            StaticEmbedder()

    @pytest.mark.parametrize("name", [static.VECTORS, static.VOCABULARY])
    @pytest.mark.parametrize("lost", [1, 100])
    def test_a_file_that_was_cut_off_is_named(
        self, name: str, lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An install that ran out of disk does not become wrong vectors."""
        copy = Path(shutil.copytree(static.FOLDER, tmp_path / "packed"))
        (copy / name).write_bytes((copy / name).read_bytes()[:-lost])
        monkeypatch.setattr(static, "FOLDER", str(copy))
        embedder = StaticEmbedder()
        with pytest.raises(VectorsMissing, match=f"{name} are missing or damaged"):
            embedder.embed(["a text"])

    def test_a_vocabulary_that_is_gone_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """As one that was cut off."""
        copy = Path(shutil.copytree(static.FOLDER, tmp_path / "packed"))
        (copy / static.VOCABULARY).unlink()
        monkeypatch.setattr(static, "FOLDER", str(copy))
        with pytest.raises(VectorsMissing, match=static.VOCABULARY):
            StaticEmbedder().embed(["a text"])
