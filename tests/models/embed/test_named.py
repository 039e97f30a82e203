"""An embedder is chosen by a setting."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treering.ledger.errors import InvalidInput, MissingExtra
from treering.models.embed import CHOICES, embedder_named
from treering.models.embed.remote import EndpointEmbedder
from treering.models.embed.static import StaticEmbedder


def test_static_is_the_default_kind() -> None:
    """It needs nothing that is not installed with Treering."""
    assert isinstance(embedder_named("static"), StaticEmbedder)


def test_none_is_no_embedder() -> None:
    """Some want no vectors at all."""
    assert embedder_named("none") is None


def test_an_endpoint_is_an_address_and_a_model() -> None:
    """The model may hold what an address may not."""
    embedder = embedder_named("endpoint:http://localhost:8080/v1#nomic/embed:latest", "a-key")
    assert isinstance(embedder, EndpointEmbedder)
    assert embedder.name == "endpoint:http://localhost:8080/v1/embeddings#nomic/embed:latest"


@pytest.mark.parametrize("setting", ["", "Static", "static:256", "model2vec", "model2vec:", "endpoint:", "openai:x"])
def test_what_no_embedder_is_called_gives_the_choices(setting: str) -> None:
    """A reader of the error need not look them up."""
    with pytest.raises(InvalidInput, match="no embedder is called") as caught:
        embedder_named(setting)
    assert CHOICES in str(caught.value)


def test_an_endpoint_without_a_model_says_how_to_give_one() -> None:
    """Servers differ in what they do without."""
    with pytest.raises(InvalidInput, match="endpoint:URL#MODEL"):
        embedder_named("endpoint:https://api.example.org/v1")


@pytest.mark.parametrize(
    ("setting", "module", "package"),
    [
        ("model2vec", "model2vec", "model2vec"),
        ("sentence-transformers", "sentence_transformers", "sentence-transformers"),
    ],
)
def test_a_missing_library_gives_the_line_that_installs_it(
    setting: str, module: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{package} is not installed: pip install 'treering\[{package}\]'$"):
        embedder_named(f"{setting}:{tmp_path}")
