"""Choose by a setting what turns texts into vectors."""

from __future__ import annotations

from treering.ledger.errors import InvalidInput
from treering.models.port import Embedder

CHOICES = "static, model2vec:MODEL, sentence-transformers:MODEL, endpoint:URL#MODEL, or none"


def embedder_named(setting: str, key: str = "") -> Embedder | None:
    """Return the embedder that a setting names; None for "none". The key is for an endpoint."""
    kind, _, rest = setting.partition(":")
    if setting == "none":
        return None
    if setting == "static":
        from treering.models.embed.static import StaticEmbedder

        return StaticEmbedder()
    if kind == "model2vec" and rest:
        from treering.models.embed.local import Model2VecEmbedder

        return Model2VecEmbedder(rest)
    if kind == "sentence-transformers" and rest:
        from treering.models.embed.local import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(rest)
    if kind == "endpoint" and rest:
        from treering.models.embed.remote import EndpointEmbedder

        url, _, model = rest.partition("#")
        return EndpointEmbedder(url, model, key)
    raise InvalidInput(f"no embedder is called {setting!r}: choose {CHOICES}")
