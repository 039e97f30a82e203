"""What turns texts into vectors, chosen by a setting."""

from __future__ import annotations

from treering.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.ports import Embedder

CHOICES = "static, model2vec:MODEL, sentence-transformers:MODEL, endpoint:URL#MODEL, or none"


def named(setting: str, key: str = "") -> Embedder | None:
    """The embedder that a setting names; none at all for "none". The key is for an endpoint."""
    kind, _, rest = setting.partition(":")
    if setting == "none":
        return None
    if setting == "static":
        from treering.embed.static import StaticEmbedder

        return StaticEmbedder()
    if kind == "model2vec" and rest:
        from treering.embed.model2vec import Model2VecEmbedder

        return Model2VecEmbedder(rest)
    if kind == "sentence-transformers" and rest:
        from treering.embed.transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(rest)
    if kind == "endpoint" and rest:
        from treering.embed.endpoint import EndpointEmbedder

        url, _, model = rest.partition("#")
        return EndpointEmbedder(url, model, key)
    raise InvalidInput(f"no embedder is called {setting!r}: choose {CHOICES}")
