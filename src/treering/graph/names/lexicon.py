"""The tables as one dictionary: what a word, or the words that it begins, is the name of."""

from __future__ import annotations

from functools import lru_cache

from treering.core.tuples import NamedTuple
from treering.graph.names import products, terms

SURE, LIKELY, UNSURE = 0.9, 0.7, 0.5  # confidences: of a known name, of a good guess, of a fair one
GUESSED = 0.4  # of one that counts only if something is told of it


FREE, CAPITAL, STRICT = range(3)  # a name in any case; with a capital only; with one that no sentence gives it


class Entry(NamedTuple):
    type: str
    proper: int = FREE


class Phrase(NamedTuple):
    words: tuple[str, ...]
    type: str


class Lexicon(NamedTuple):
    single: dict[str, Entry]
    phrases: dict[str, list[Phrase]]  # by their first word, the longest first


@lru_cache(1)
def lexicon() -> Lexicon:
    """Made when first needed."""
    single: dict[str, Entry] = {}
    phrases: dict[str, list[Phrase]] = {}
    for table, entry in (
        (products.PROPER_LIBRARIES, Entry("library", CAPITAL)),
        (products.PROPER_TOOLS, Entry("tool", CAPITAL)),
        (terms.CONCEPTS, Entry("concept")),
        (products.LIBRARIES, Entry("library")),
        (products.TOOLS, Entry("tool")),
        (terms.PATTERNS, Entry("pattern")),
        (terms.CONVENTIONS, Entry("convention")),
        (terms.ERRORS, Entry("error")),
        (terms.FILES, Entry("file")),
    ):
        for name in table.split():
            if "_" not in name[1:-1] or name in _WITH_UNDERSCORE:
                single[name] = entry._replace(proper=_proper(name))
                continue
            words = tuple(name.split("_"))
            phrases.setdefault(words[0], []).append(Phrase(words, entry.type))
    for found in phrases.values():
        found.sort(key=lambda phrase: (-len(phrase.words), phrase.words))
    return Lexicon(single, phrases)


def _proper(name: str) -> int:
    return STRICT if name in products.STRICT else CAPITAL if name in _PROPER else FREE


# Names that have an underscore of their own, where it stands for no blank.
_WITH_UNDERSCORE = frozenset(
    """snake_case pg_dump pg_restore node_modules authorized_keys known_hosts id_rsa serde_json delayed_job factory_bot
    factory_boy wicked_pdf good_job mini_magick env_logger model_bakery ex_unit rails_admin eslint_d""".split()
)
_PROPER = frozenset((products.PROPER_LIBRARIES + products.PROPER_TOOLS).split())
